"""What a recogniser is told of the words that may come: commands, answers to a question, the word that calls us."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from voicehost.language.automaton import Automaton
from voicehost.language.commands import automaton, covering_phrases, parse
from voicehost.language.pack import Pack
from voicehost.rules.legal import Legal

MOST_CONTINUATIONS = 60
"""Continuations of a command that are looked at before it counts as one that may go on."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What words beside the commands mean: themselves."""

    command: str


class Meaning(Protocol):
    """What words mean; equal meanings are one."""

    @property
    def command(self) -> object:
        """The command, or the words themselves."""
        ...


class Words(Protocol):
    """An automaton over words; 0 is the start."""

    def edges(self, state: int) -> Mapping[str, int]:
        """Return the words that may come next, each with the state after it."""
        ...

    def accepts(self, state: int) -> bool:
        """Tell whether something may end in this state."""
        ...

    def follow(self, words: Iterable[str]) -> int | None:
        """Return the state after some words, or None when they lead nowhere."""
        ...

    def heard(self, words: Iterable[str]) -> Meaning | None:
        """Return the meaning of a path."""
        ...


class Extended:
    """The automaton of the commands with more phrases beside them, and perhaps a call that must come before all."""

    start = 0

    def __init__(
        self, commands: Automaton, phrases: Sequence[str], calls: Sequence[str], fillers: Sequence[str] = ()
    ) -> None:
        """Put ``phrases`` beside ``commands``, one of ``calls`` before both, if there are any.

        One of ``fillers`` may come before a command and one behind it («так, дальше», «дальше, пожалуйста»).
        """
        self._commands = commands
        self._fillers = tuple(fillers)
        self._phrases = _tree(phrases)
        self._calls = _tree(calls)
        begin = ("call", 0, 0) if calls else ("said", 0, 0)
        self._states: list[tuple[str, int, int]] = [begin]
        self._numbers = {begin: 0}

    def edges(self, state: int) -> Mapping[str, int]:
        """Return the words that may come next, each with the state after it."""
        kind, command, phrase = self._states[state]
        found: dict[str, tuple[str, int, int]] = {}
        if kind == "call":
            for word, after in self._calls.edges[phrase].items():
                found[word] = ("said", 0, 0) if after in self._calls.ends else ("call", 0, after)
        elif kind != "done":
            commands = dict(self._commands.edges(command)) if command >= 0 else {}
            phrases = self._phrases.edges[phrase] if phrase >= 0 else {}
            if kind == "filled":
                # The filler may have been none: «так нельзя» goes on as it began, «так, дальше» begins again.
                commands = {**self._commands.edges(0), **commands}
            for word in {**commands, **phrases}:
                found[word] = ("said", commands.get(word, -1), phrases.get(word, -1))
            for word in self._fillers:
                if (kind, command, phrase) == ("said", 0, 0):
                    found[word] = ("filled", *found.get(word, ("said", -1, -1))[1:])
                elif command >= 0 and self._commands.accepts(command):
                    found.setdefault(word, ("done", -1, -1))
        return {word: self._number(after) for word, after in found.items()}

    def accepts(self, state: int) -> bool:
        """Tell whether something may end in this state."""
        kind, command, phrase = self._states[state]
        whole = (command >= 0 and self._commands.accepts(command)) or phrase in self._phrases.ends
        return kind == "done" or (kind in {"said", "filled"} and whole)

    def follow(self, words: Iterable[str]) -> int | None:
        """Return the state after some words, or None when they lead nowhere."""
        state: int | None = self.start
        for word in words:
            state = self.edges(state).get(word) if state is not None else None
        return state

    def heard(self, words: Iterable[str]) -> Meaning | None:
        """Return the meaning of a path; the call is no part of it."""
        said = " ".join(words).lower().replace(",", " ").split()
        said = self._calls.without(said)
        text = " ".join(said)
        return Answer(text) if self._phrases.holds(said) else self._commands.heard([text])

    def _number(self, state: tuple[str, int, int]) -> int:
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
        return number


class Expectation:
    """What may be said now, for recognisers that walk word by word and for those that wait for an end."""

    def __init__(self, pack: Pack, legal: Legal, *, beside: Sequence[str] = (), calls: Sequence[str] = ()) -> None:
        """Make the phrases now and the automaton when it is wanted.

        Args:
            pack: the language.
            legal: the commands.
            beside: what else may be said, such as the answers to a question.
            calls: the words one of which must come first; none: nothing need come first.
        """
        self._pack = pack
        self.legal = legal
        self._beside = tuple(dict.fromkeys(beside))
        self._calls = tuple(dict.fromkeys(calls))
        self.fillers = tuple(filler for filler in pack.fillers if filler not in self._calls)
        """Words that may stand before or behind a command and mean nothing."""
        self.phrases = [*covering_phrases(pack, legal), *self._beside]
        self.phrases += list(self._called())
        self._automata: dict[tuple[bool, bool], Words] = {}

    def automaton(self, *, digits: bool = False, fillers: bool = False) -> Words:
        """Return the word automaton of all that may be said, numbers in digits and with fillers too if asked."""
        wanted = digits, fillers
        if wanted not in self._automata:
            commands = automaton(self._pack, self.legal, digits=digits)
            # Who searches with digits searches the sound for each word, and is led astray by talk; a recogniser of
            # word pairs has its own unknown word for that.
            beside = (*self._beside, *self._pack.decoys) if digits else self._beside
            plain = not beside and not self._calls and not fillers
            around = self.fillers if fillers else ()
            self._automata[wanted] = commands if plain else Extended(commands, beside, self._calls, around)
        return self._automata[wanted]

    def prompt(self) -> str:
        """Return what a game sounds like at this moment, for a recogniser that hears in the light of what went before.

        It depends only on the command that the game waits for, so that a game has a handful of them.
        """
        prompts = self._pack.prompts
        return next((text for name, text in prompts.items() if name in self.legal), prompts.get("day", ""))

    def ends(self, text: str) -> bool | None:
        """Tell whether a text is a whole command: True it is decided, False it may become another, None it is none.

        «Выставляю номер пять» is decided although «на голосование» may follow; «голосует первый» is not.
        """
        known = self.automaton()
        said = text.split()
        state = known.follow(said)
        if state is None:
            said = self._without_fillers(said)
            state = known.follow(said)
        if state is None or not known.accepts(state):
            return None
        return self._decided(" ".join(said), state)

    def _without_fillers(self, words: list[str]) -> list[str]:
        first = 1 if words[:1] and words[0] in self.fillers else 0
        last = len(words) - 1 if words[-1] in self.fillers else len(words)
        return words[first:last]

    def _decided(self, text: str, state: int) -> bool:
        known = self.automaton()
        meant = self._meaning(text)
        waiting, tried = [(text, state)], 0
        while waiting and meant is not None:
            said, place = waiting.pop()
            for word, after in known.edges(place).items():
                tried += 1
                longer = f"{said} {word}"
                if tried > MOST_CONTINUATIONS:
                    return False
                if known.accepts(after) and self._meaning(longer) != meant:
                    return False
                waiting.append((longer, after))
        return meant is not None

    def _meaning(self, text: str) -> object:
        if not self._beside and not self._calls:
            heard = parse(self._pack, text, self.legal)
            return heard.command if heard is not None else None
        meaning = self.automaton().heard(text.split())
        return meaning.command if meaning is not None else None

    def _called(self) -> Iterable[str]:
        """Every call before one phrase for each first word: a recogniser of word pairs needs no more."""
        firsts = {phrase.split()[0]: phrase for phrase in reversed(self.phrases)}
        return [f"{call} {phrase}" for call in self._calls for phrase in firsts.values()]


class _Tree:
    """Phrases by their words."""

    def __init__(self) -> None:
        self.edges: list[dict[str, int]] = [{}]
        self.ends: set[int] = set()

    def holds(self, words: Sequence[str]) -> bool:
        """Tell whether exactly these words are a phrase."""
        place: int | None = 0
        for word in words:
            place = self.edges[place].get(word) if place is not None else None
        return place in self.ends

    def without(self, words: list[str]) -> list[str]:
        """Return the words behind a phrase with which they begin; all of them when there is none."""
        place: int | None = 0
        for count, word in enumerate(words, start=1):
            place = self.edges[place].get(word) if place is not None else None
            if place in self.ends:
                return words[count:]
        return words


def _tree(phrases: Iterable[str]) -> _Tree:
    tree = _Tree()
    for phrase in phrases:
        place = 0
        for word in phrase.split():
            if word not in tree.edges[place]:
                tree.edges[place][word] = len(tree.edges)
                tree.edges.append({})
            place = tree.edges[place][word]
        if place:
            tree.ends.add(place)
    return tree
