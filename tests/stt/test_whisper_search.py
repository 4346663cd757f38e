"""Walking along what may be said: the spellings, the search against trying everything, and the decision."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.stt.tiny_whisper import WIDTH, random_weights, write_tokenizer
from voicehost.errors import UserError
from voicehost.stt.nearness import Sounded
from voicehost.stt.whisper import PhraseAutomaton
from voicehost.stt.whisper_decoder import Decoder
from voicehost.stt.whisper_prior import Prior
from voicehost.stt.whisper_scoring import Care, ScoreSettings, decide
from voicehost.stt.whisper_search import Found, Reading, Search, SearchSettings
from voicehost.stt.whisper_tokens import TokenAutomaton, Vocabulary, spellings

PHRASES = ("фол третьему", "фол пятому", "моё слово", "5 голосов", "5-го", "пас")
PIECES = (" фол", " т", "рет", " пят", "ому", "сло", " Ф")


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    path = tmp_path_factory.mktemp("model") / "tokenizer.json"
    write_tokenizer(path, PIECES)
    return Vocabulary(path, "ru")


@pytest.fixture(scope="module")
def automaton(vocabulary: Vocabulary) -> TokenAutomaton:
    return TokenAutomaton(PhraseAutomaton(PHRASES), vocabulary)


def tokens(vocabulary: Vocabulary, text: str) -> tuple[int, ...]:
    return tuple(token for word in text.split() for token in vocabulary.word(word))


def written(phrases: tuple[str, ...]) -> set[str]:
    """Every spelling of every phrase, worked out word by word."""
    ways = set()
    for phrase in phrases:
        choices = [spellings(word, first=place == 0) for place, word in enumerate(phrase.split())]
        ways |= {" ".join(words) for words in product(*choices)}
    return ways


@pytest.mark.parametrize(
    "text",
    ["фол третьему", "Фол третьему", "моё слово", "мое слово", "Мое слово", "Моё слово", "5 голосов", "5-го", "Пас"],
)
def test_every_spelling_is_accepted(vocabulary: Vocabulary, automaton: TokenAutomaton, text: str) -> None:
    assert automaton.accepts(tokens(vocabulary, text))


@pytest.mark.parametrize(
    "text", ["", "фол", "Фол Третьему", "третьему", "фол третьему фол", "5", "голосов", "фол, третьему", "пас."]
)
def test_nothing_else_is(vocabulary: Vocabulary, automaton: TokenAutomaton, text: str) -> None:
    assert not automaton.accepts(tokens(vocabulary, text))


def test_the_walk_gives_exactly_the_spellings(vocabulary: Vocabulary, automaton: TokenAutomaton) -> None:
    found, queue = set(), [(TokenAutomaton.start, ())]
    while queue:
        state, said = queue.pop()
        edges = automaton.edges(state)
        if edges.ends:
            found.add(vocabulary.text(said))
        queue += [(target, (*said, int(token))) for token, target in zip(edges.tokens, edges.targets, strict=True)]
    assert found == written(PHRASES)


def test_a_comma_stands_only_where_a_list_may_go_on(vocabulary: Vocabulary) -> None:
    seats = ("первый", "второй", "третий", "пятый", "шестой", "седьмой", "восьмой", "девятый")
    words = PhraseAutomaton([f"{one} {other}" for one in ("пас", "фол") for other in seats] + ["мы все"])
    walk = TokenAutomaton(words, vocabulary)
    comma = (vocabulary.comma,)
    assert walk.accepts(tokens(vocabulary, "пас") + comma + tokens(vocabulary, "первый"))
    assert not walk.accepts(tokens(vocabulary, "мы") + comma + tokens(vocabulary, "все"))
    assert not walk.accepts(tokens(vocabulary, "пас") + comma + comma + tokens(vocabulary, "первый"))
    assert not walk.accepts(tokens(vocabulary, "пас первый") + comma)


def test_latin_letters_and_specials_are_no_part_of_what_is_written(vocabulary: Vocabulary) -> None:
    assert vocabulary.word("foul") == ()
    assert vocabulary.text(vocabulary.word("фол")) == "фол"
    assert vocabulary.tokens[vocabulary.end_place] == vocabulary.end


def test_a_prompt_stands_before_the_beginning(vocabulary: Vocabulary) -> None:
    assert vocabulary.prompt("") == list(vocabulary.begin)
    with_text = vocabulary.prompt("пас")
    assert with_text[0] == vocabulary.previous
    assert with_text[-4:] == list(vocabulary.begin)
    assert len(with_text) == 1 + len(vocabulary.word("пас")) + 4


def test_a_damaged_vocabulary_is_told(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(UserError) as failure:
        Vocabulary(path, "ru")
    assert failure.value.key == "models.broken"


@pytest.mark.parametrize("expectation", [0.0, 0.5])
def test_a_wide_beam_finds_what_trying_everything_finds(
    vocabulary: Vocabulary, automaton: TokenAutomaton, expectation: float
) -> None:
    weights = random_weights(300, seed=3)
    decoder = Decoder(weights, vocabulary.tokens)
    rng = np.random.default_rng(8)
    sound, silence = (rng.standard_normal((9, WIDTH)).astype(np.float32) for _ in range(2))
    prior = Prior(decoder, decoder.listen(silence), vocabulary.begin)
    wide = SearchSettings(beam=200, expectation=expectation, margin=1e6, hopeless=1e6)
    search = Search(decoder, automaton, vocabulary, prior, wide)
    found = search.found(*decoder.start(decoder.listen(sound), vocabulary.begin))

    def likelihood(heard: np.ndarray, text: tuple[int, ...]) -> float:  # type: ignore[type-arg]
        run, chances = decoder.start(decoder.listen(heard), vocabulary.begin)
        total = 0.0
        for token in text:
            total += float(chances[token])
            chances = decoder.step(run, [token])[0]
        return total + float(chances[vocabulary.end_place])

    for text in written(PHRASES):
        said = tokens(vocabulary, text)
        plain = [reading for reading in found.readings if reading.tokens == said]
        # Once without and once with the likeliest stop.
        assert len(plain) == 2
        totals = [likelihood(sound, said), *(likelihood(sound, (*said, stop)) for stop in vocabulary.stops)]
        assert max(reading.total for reading in plain) == pytest.approx(max(totals), abs=0.02)
        assert any(reading.prior == pytest.approx(likelihood(silence, said), abs=0.05) for reading in plain)
    scores = [search.score(reading) for reading in found.readings]
    assert scores == sorted(scores, reverse=True)


def test_the_free_reading_takes_the_likeliest_token_each_time(
    vocabulary: Vocabulary, automaton: TokenAutomaton
) -> None:
    decoder = Decoder(random_weights(300, seed=4), vocabulary.tokens)
    sound = np.random.default_rng(9).standard_normal((9, WIDTH)).astype(np.float32)
    prior = Prior(decoder, decoder.listen(sound), vocabulary.begin)
    settings = SearchSettings(beam=50, longest=6, margin=1e6, hopeless=1e6)
    free = (
        Search(decoder, automaton, vocabulary, prior, settings)
        .found(*decoder.start(decoder.listen(sound), vocabulary.begin))
        .free
    )
    run, chances = decoder.start(decoder.listen(sound), vocabulary.begin)
    for token in free.tokens:
        assert token == int(chances.argmax())
        chances = decoder.step(run, [token])[0]
    assert len(free.tokens) == 6 or int(chances.argmax()) == vocabulary.end_place


SAID = {(1,): ("фол третьему", ("foul", 3)), (2,): ("3 фол", ("foul", 3)), (3,): ("фол пятому", ("foul", 5)),
        (4,): ("дальше", ("next", 0))}  # fmt: skip


def decision(  # type: ignore[no-untyped-def]
    readings: dict[tuple[int, ...], float],
    free: float = -1.0,
    seconds: float = 0.8,
    care: Care = "plain",
    loud: float | None = None,
    softer: float = 0.0,
    again: dict[tuple[int, ...], float] | None = None,
):
    found = Found(tuple(Reading(said, total, -12.0) for said, total in readings.items()), Reading((7, 8), free, 0.0))
    sounded = Sounded(seconds, seconds if loud is None else loud, softer)

    def second(texts):  # type: ignore[no-untyped-def]
        # Without another opinion it says what the first says.
        return [(again or {}).get(text, readings[text] + 12.0 * ScoreSettings().expectation) for text in texts]

    def alike(one, other):  # type: ignore[no-untyped-def]
        return one[0] == other[0]

    return decide(found, "фол", SAID.get, sounded, lambda key, text: care, alike, second, ScoreSettings())


def test_what_the_sound_says_clearly_is_accepted() -> None:
    made = decision({(1,): -1.0, (3,): -9.0})
    assert made.accepted.text == "фол третьему"
    assert made.others == ()
    assert made.accepted.confidence > 0.8


def test_spellings_of_one_command_count_together() -> None:
    made = decision({(1,): -2.0, (2,): -2.0, (3,): -1.9})
    assert made.accepted.key == ("foul", 3)
    assert made.accepted.total == pytest.approx(-2.0 + np.log(2))


def test_two_seats_that_are_as_likely_make_it_ask() -> None:
    made = decision({(1,): -1.0, (3,): -1.2})
    assert [other.text for other in made.others] == ["фол пятому"]


def test_a_second_opinion_tells_seats_apart() -> None:
    made = decision({(1,): -1.0, (3,): -1.4}, again={(1,): -3.0, (3,): 4.0})
    assert made.accepted.key == ("foul", 5)
    assert made.others == ()
    assert [candidate.key for candidate in made.candidates] == [("foul", 5), ("foul", 3)]


def test_a_second_opinion_that_differs_a_little_makes_it_ask() -> None:
    settings = ScoreSettings()
    lead = 3.0
    made = decision({(1,): -1.0, (3,): -1.0 - lead}, again={(1,): 0.0, (3,): lead / settings.second})
    assert [other.key for other in made.others] in ([("foul", 5)], [("foul", 3)])


def test_a_second_opinion_makes_no_other_command_of_it() -> None:
    made = decision({(1,): -1.0, (3,): -1.4, (4,): -2.0}, again={(1,): -9.0, (3,): -8.0, (4,): 9.0})
    assert made.accepted.key == ("foul", 5)


def test_two_commands_that_are_as_likely_do_not() -> None:
    assert decision({(1,): -1.0, (4,): -1.2}).others == ()


@pytest.mark.parametrize(("total", "seconds"), [(-26.0, 0.8), (-1.0, 9.0)])
def test_nothing_is_accepted_that_explains_the_sound_badly(total: float, seconds: float) -> None:
    # The free reading is far likelier, or the words are far too short for the sound.
    made = decision({(1,): total}, -1.0, seconds)
    assert made.accepted is None
    assert made.candidates[0].confidence < 0.2


def sure(**sounded: float) -> float:
    return decision({(4,): -4.0}, **sounded).candidates[0].confidence  # type: ignore[no-any-return]


def test_a_voice_from_further_away_is_less_sure_to_be_the_host() -> None:
    assert sure(softer=3.0) == sure()
    assert sure(softer=6.0) < sure()
    assert sure(softer=15.0) < 0.1


def test_words_take_a_shortest_time_to_say() -> None:
    assert sure(loud=0.1) < sure(loud=0.3)


def test_a_guess_in_noise_is_no_evidence_against_a_command() -> None:
    """The free reading is likelier by as much in both; in one it is clear, in the other nothing but a guess."""
    clear = decide_beside(Reading(tuple(range(7, 37)), -3.0, 0.0))
    guess = decide_beside(Reading((7, 8), -3.0, 0.0))
    assert clear < guess


def decide_beside(free: Reading) -> float:
    found = Found((Reading((4,), -6.0, -12.0),), free)
    sounded = Sounded(0.8, 0.8)
    made = decide(
        found, "фол", SAID.get, sounded, lambda k, t: "plain", lambda a, b: False, lambda texts: [], ScoreSettings()
    )
    return made.candidates[0].confidence


def test_costly_commands_must_be_surer() -> None:
    doubtful = {(1,): -7.2}
    accepted = [decision(doubtful, free=-4.0, care=care).accepted for care in ("query", "grave")]
    sure = decision(doubtful, free=-4.0).candidates[0].confidence
    settings = ScoreSettings().thresholds
    assert settings["query"] < settings["plain"] <= settings["grave"]
    assert [found is not None for found in accepted] == [sure >= settings["query"], sure >= settings["grave"]]


def test_readings_that_mean_nothing_are_no_candidates() -> None:
    made = decision({(9,): -0.1})
    assert made == decision({})
    assert made.accepted is None
