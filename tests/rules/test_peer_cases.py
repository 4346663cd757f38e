"""Cases of other programs' tests that agree with the federation's rules, restated; each is a test by its id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.rules.driver import Table
from tests.rules.recorded import FOLDER, LETTERS, read
from voicehost.rules import commands as cmd
from voicehost.rules.events import SpeechBegan, VoteCancelled, VoteOpened, VotesCast
from voicehost.rules.game import Step
from voicehost.rules.legal import legal
from voicehost.rules.roles import is_black

Case = dict[str, Any]

CASES: dict[str, Case] = {
    case["id"]: case for path in sorted(FOLDER.glob("peer_*.json")) for case in read(path.stem)["cases"]
}

SAME = sorted(name for name, case in CASES.items() if case["vs_fsm"] == "same")

POINTS = {"voprosovnety-13"}
"""About points, which the referee does not give."""

CHECKS: dict[str, Callable[[Case], None]] = {}


def case(name: str) -> Callable[[Callable[[Case], None]], Callable[[Case], None]]:
    """Name the check of one case."""

    def named(check: Callable[[Case], None]) -> Callable[[Case], None]:
        CHECKS[name] = check
        return check

    return named


def table_of(case: Case, **places: Any) -> Table:
    """A table with the case's roles, at the first speech."""
    roles = "".join(LETTERS[case["roles"][str(seat)]] for seat in range(1, 11)) if "roles" in case else ""
    return Table("fsm", roles=roles).start(**places)


@pytest.mark.parametrize("name", SAME)
def test_peer_case(name: str) -> None:
    if name in POINTS:
        # What the referee has to say to it: a best move is three different numbers.
        table = Table("fsm").start().speeches().hunt(7).checks()
        assert table.refused(cmd.BestMove((2, 2, 3))) == "repeated-number"
        return
    CHECKS[name](CASES[name])


def test_each_case_has_a_check() -> None:
    assert set(CHECKS) | POINTS == set(SAME)


@case("companion-01")
def _(case: Case) -> None:
    table = table_of(case).speeches().hunt(case["steps"][0]["killed"]).checks().to(Step.LAST_WORD)
    assert table.game.seat == case["expect"]["last_word"]
    assert 4 not in table.game.alive


@case("companion-03")
def _(case: Case) -> None:
    table = table_of(case).say(cmd.Nominate(5), cmd.EndSpeech())
    assert table.refused(cmd.Nominate(case["steps"][0]["nominates"])) == "already-nominated"
    assert list(table.game.nominees) == case["expect"]["nominated"]


@case("companion-05")
def _(case: Case) -> None:
    table = table_of(case)
    for _step in range(3):
        table.speeches().night()
    assert table.winner == case["expect"]["winner"]


@case("companion-07")
def _(case: Case) -> None:
    table = table_of(case).speeches({1: 4, 2: 8}).votes(5)
    spoken = []
    while table.step is Step.SHOOTOUT_SPEECH:
        spoken.append(table.game.seat)
        table.say(cmd.EndSpeech())
    assert spoken == case["expect"]["shootout_speeches"]


@case("dancheskus-01")
def _(case: Case) -> None:
    assert table_of(case).winner is case["expect"]["winner"]


@case("dancheskus-03")
def _(case: Case) -> None:
    table = Table("fsm").start(out=(5, 6), day=2).speeches({4: 9, 7: 10}).votes(4).defend().votes(4).votes(5)
    table.remove(4).last_words()
    blacks = [seat for seat in table.game.alive if is_black(table.game.role(seat))]
    assert (len(blacks), len(table.game.alive)) == (3, 5)
    assert table.winner == "mafia"
    assert case["expect"]["winner"] == "black"


@case("dancheskus-05")
def _(case: Case) -> None:
    table = Table("fsm").start(out=(5, 6, 7), day=2).speeches({4: 9, 8: 10}).votes(7)
    assert len(table.game.leaving) == case["steps"][0]["exits"]
    assert table.last_words().winner == "mafia"


@case("dancheskus-07")
def _(case: Case) -> None:
    table = Table("fsm").start()
    winners = []
    for seat in (1, 2, 3):
        table.remove(seat)
        winners.append({"city": "red", None: None}[table.winner])
    assert winners == case["expect"]["winner_after"]


@case("dancheskus-11")
def _(case: Case) -> None:
    table = Table("fsm").start(day=2).speeches({4: 1, 5: 2, 6: 3}).votes(0, 0)
    assert table.all(VotesCast)[-1].count == case["expect"]["votes_for_3"]
    assert table.out == case["expect"]["out"]


@case("dancheskus-13")
def _(case: Case) -> None:
    table = Table("fsm").start(day=2).speeches({4: 1, 5: 2, 6: 3}).votes(5, 0).defend()
    assert list(table.all(VoteOpened)[-1].candidates) == case["expect"]["revote"]


@case("dancheskus-15")
def _(case: Case) -> None:
    table = Table("fsm").start(day=2).speeches({4: 1, 5: 2, 6: 3}).votes(5, 0).defend().votes(5).votes(5)
    assert (table.step, table.out) == (Step.HUNT, case["expect"]["out"])


@case("dancheskus-17")
def _(case: Case) -> None:
    table = Table("fsm").start(day=2).remove(9).speeches({3: 10, 4: 5})
    assert table.all(VoteCancelled) == [VoteCancelled("removal")]
    assert (table.step, table.out) == (Step.HUNT, [9, *case["expect"]["out"]])


@case("dancheskus-19")
def _(case: Case) -> None:
    table = Table("fsm").start(day=2).speeches({4: 1, 5: 2}).votes(3).foul(2, 4)
    assert table.out == case["expect"]["out"]
    assert table.night().speeches({4: 7, 5: 8}).step is Step.VOTE


@case("dancheskus-21")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches().hunt().checks()
    assert table.last_names[-2:] == ["day-broke", "speech-began"]  # nobody is announced
    assert table.game.missed


@case("polemica_library-01")
def _(case: Case) -> None:
    table = table_of(case).speeches().shoot({2: 10, 4: 10}).say(cmd.Next())
    assert table.game.hit is case["expect"]["killed"]
    assert table.game.missed


@case("polemica_library-03")
def _(case: Case) -> None:
    table = table_of(case).speeches().shoot({2: 10, 4: 10}).say(cmd.Next())
    killed = {"night1": table.game.hit}
    table.checks().speeches({3: 3}).last_words().shoot({2: 9, 4: 9})
    killed["night2"] = table.game.hit
    assert killed == case["expect"]["killed"]


@case("sports_online-01")
def _(case: Case) -> None:
    table = small().start().speeches()
    assert [speech.seat for speech in table.all(SpeechBegan)] == case["expect"]["order"]


@case("sports_online-03")
def _(case: Case) -> None:
    table = small().start()
    while table.game.day < 6:  # day five is opened by five
        quiet(table)
    before = len(table.all(SpeechBegan)) - 1
    table.speeches()
    assert [speech.seat for speech in table.all(SpeechBegan)[before:]] == case["expect"]["order"]


@case("sports_online-05")
def _(case: Case) -> None:
    table = small().start().speeches().night(shot=2)
    before = len(table.all(SpeechBegan)) - 1
    table.speeches()
    assert [speech.seat for speech in table.all(SpeechBegan)[before:]] == case["expect"]["order"]


@case("sports_online-07")
def _(case: Case) -> None:
    table = small().start().remove(2).say(cmd.EndSpeech())
    assert table.game.seat == case["expect"]["next"]


@case("sports_online-09")
def _(case: Case) -> None:
    table = small().start().speeches({3: 2, 4: 5}).votes((1,))
    votes = {str(vote.candidate): list(vote.seats) for vote in table.all(VotesCast)}
    assert votes == case["expect"]["votes"]


@case("sports_online-11")
def _(case: Case) -> None:
    table = small().start().speeches({3: 2, 4: 5})
    assert table.refused(cmd.Elapse()) == "not-now"  # the clock ends no count; the host's «дальше» means none
    assert table.refused(cmd.Proceed()) == "not-now"
    assert table.refused(cmd.EndSpeech()) == "not-now"


@case("sports_online-13")
def _(case: Case) -> None:
    table = Table("fsm").start(out=(9,)).speeches({3: 2, 4: 5})
    assert table.refused(cmd.Votes(seats=(9,))) == "seat-out"


@case("sports_online-15")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches({3: 2, 4: 5}).votes(5).defend().votes(5)
    assert (table.step, list(table.game.ballot.tied)) == (Step.LIFT, case["expect"]["lift_question"])


@case("sports_online-17")
def _(case: Case) -> None:
    table = Table("fsm").start(out=(2, 3, 5, 6, 7, 8), day=2).speeches({4: 9, 9: 10}).votes(2).defend().votes(2)
    table.votes(2)
    assert (table.step is Step.LAST_WORD) is case["expect"]["lifted"]


@case("sports_online-19")
def _(case: Case) -> None:
    assert (5 in Table("fsm").start().foul(5, 4).game.alive) is case["expect"]["alive"]


@case("sports_online-23")
def _(case: Case) -> None:
    table = Table("fsm").start(out=(2, 3, 5, 6, 7, 8), day=2).foul(9, 3).until(9)
    assert (table.step, table.game.seconds) == (Step.SPEECH, case["expect"]["speech_seconds"])


@case("sports_online-25")
def _(case: Case) -> None:
    table = Table("fsm").start(out=(2, 3, 5, 6, 7), day=2).foul(9, 3).until(9)
    assert table.step is Step.NOMINATE_ONLY  # no speech; the short window is for the nomination that he may make


@case("sports_online-27")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches({1: 7, 2: 8}).foul(7, 3).votes(5)
    assert (table.game.seat, table.game.seconds) == (7, 30)
    assert 7 in legal(table.defend().game)["votes"].seats
    assert table.votes(5).votes(0).hunt(7).checks().step is Step.BEST_MOVE


@case("sports_online-29")
def _(case: Case) -> None:
    table = Table("fsm").start(day=2).speeches().shoot({1: 5, 2: 5, 3: 5})
    assert table.game.hit == case["expect"]["killed"]


@case("sports_online-31")
def _(case: Case) -> None:
    table = Table("fsm").start(out=(2, 3)).speeches().say(cmd.Next())
    assert table.game.hit is case["expect"]["killed"]


@case("sports_online-33")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches().shoot({1: 5})
    assert table.refused(cmd.Shooter(1, 6)) == "already-voted"


@case("sports_online-35")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches().hunt(7).checks()
    assert (table.step is Step.BEST_MOVE) is case["expect"]["best_move"]


@case("sports_online-37")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches({1: 8, 2: 9}).votes(5).defend().votes(5).votes(6).last_words()
    assert (table.hunt(7).checks().step is Step.BEST_MOVE) is case["expect"]["best_move"]


@case("sports_online-39")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches().hunt().checks()
    assert (table.step is Step.BEST_MOVE) is case["expect"]["best_move"]


@case("sports_online-41")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches().hunt(7).checks()
    assert table.refused(cmd.BestMove((1, 2))) == "not-enough-numbers"


@case("sports_online-45")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches({2: 5})
    assert (table.step, table.out, table.all(VoteOpened)) == (Step.HUNT, case["expect"]["out"], [])


@case("sports_online-47")
def _(case: Case) -> None:
    assert Table("fsm").start(out=(5, 6, 7)).remove(8).winner == "mafia"


@case("sports_online-49")
def _(case: Case) -> None:
    assert Table("fsm").start(out=(1, 2)).remove(3).winner == "city"


@case("voprosovnety-03")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches({1: 2, 3: 5}).votes(4)
    assert table.out == case["expect"]["out"]  # none but a nominee can leave by the vote


@case("voprosovnety-05")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches({1: 2, 3: 5, 4: 8}).votes(5, 0).defend()
    assert list(table.game.ballot.candidates) == case["expect"]["revote"]
    assert table.game.ballot.cast == ()


@case("voprosovnety-07")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches({1: 5, 2: 6}).votes(9).last_words().night().speeches({2: 6, 3: 7})
    assert table.refused(cmd.Votes(seats=(5,))) == "seat-out"


@case("voprosovnety-09")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches().night()
    assert table.speeches().hunt(7).checks().step is not Step.BEST_MOVE


@case("voprosovnety-11")
def _(case: Case) -> None:
    table = Table("fsm").start()
    for shot in (4, None, 4):
        table.speeches().night(shot=shot)
    assert table.out == case["expect"]["killed"]


@case("zedmor-01")
def _(case: Case) -> None:
    table = Table("fsm").start().speeches({1: 2, 4: 3}).votes(5).defend().votes(5).votes(6)
    assert table.out == case["expect"]["out"]


@case("zedmor-03")
def _(case: Case) -> None:
    table = Table("fsm").start(out=(9, 10)).speeches({1: 2, 4: 3}).votes(4).defend().votes(4).votes(5)
    assert table.out[2:] == case["expect"]["out"]


@case("zedmor-05")
def _(case: Case) -> None:
    table = Table("fsm", roles="cmmdcccscc").start(out=(1, 2, 3, 5, 6, 9, 10), day=2).speeches({4: 7, 7: 8})
    hands = {7: (4, 8), 8: (7,)}
    table.votes(hands[table.game.nominees[0]])
    assert table.out[7:] == case["expect"]["out"]
    assert table.last_words().winner == "mafia"


@case("zedmor-07")
def _(case: Case) -> None:
    table = Table("fsm").start(out=(2, 3, 5, 6, 7, 8, 9), day=2).speeches({4: 10})
    assert table.all(VotesCast)[-1].seats == (1, 4, 10)


def small() -> Table:
    """Five at the table: one black."""
    return Table("fsm", players_min=5, players_max=5, black_cards=1, quiet_nights_draw=0)


def quiet(table: Table) -> None:
    table.speeches().night()
