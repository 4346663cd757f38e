"""The moments at which the host speaks: what each line is told, and where the game may stand when it is heard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_TALK = ("speech", "nominate-only")
_FAREWELL = ("last-word", "over")
_VOTING = ("vote", "shootout-speech", "lift")
_DAY = (*_TALK, *_VOTING, "last-word")
_NIGHT_ZERO = ("contract", "meeting-don", "meeting-sheriff", "free-seating")
_NIGHT = ("hunt", "don-check", "sheriff-check", "best-move", "morning-question")
_PLAY = ("deal", *_NIGHT_ZERO, *_DAY, *_NIGHT)
_ALL = ("lobby", *_PLAY, "over")

_CUES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    # the course of the game
    "greeting": ("", ("deal",)),
    "deal-begins": ("", ("deal",)),
    "deal-begins-home": ("", ("deal",)),
    "deal-seat": ("seat", ("deal",)),
    "night-zero": ("", _NIGHT_ZERO),
    "mafia-meets": ("seconds", ("contract",)),
    "mafia-meets-untimed": ("", ("contract",)),
    "mafia-sleeps-zero": ("", (*_NIGHT_ZERO[1:], *_TALK)),
    "don-meets": ("", ("meeting-don",)),
    "don-sleeps-zero": ("", (*_NIGHT_ZERO[2:], *_TALK)),
    "sheriff-meets": ("", ("meeting-sheriff",)),
    "sheriff-sleeps-zero": ("", (*_NIGHT_ZERO[3:], *_TALK)),
    "free-seating": ("seconds", ("free-seating",)),
    "night-falls": ("number", ("hunt",)),
    # the morning
    "morning-first": ("", _TALK),
    "morning-quiet": ("number", (*_TALK, "over")),
    "morning-killed": ("seat number", (*_TALK, *_FAREWELL)),
    "morning-killed-and-left": ("seats number", (*_TALK, *_FAREWELL)),
    "departed": ("seats", (*_PLAY, "over")),
    # speeches
    "speech": ("seat seconds", ("speech",)),
    "nominate-only": ("seat seconds", ("nominate-only",)),
    "ten-seconds": ("", (*_DAY, "best-move")),
    "time-over": ("", (*_DAY, *_NIGHT, "over")),
    "last-word": ("seat seconds", ("last-word",)),
    "shootout-speech": ("seat seconds", ("shootout-speech",)),
    # nominations
    "nomination-accepted": ("seat", _TALK),
    "nomination-withdrawn": ("seat", _TALK),
    # the vote
    "no-vote-none": ("", ("hunt",)),
    "no-vote-alone": ("seat", ("hunt",)),
    "alone-leaves": ("seat", _FAREWELL),
    "vote-opens": ("seats", ("vote",)),
    "vote-order": ("", ("vote",)),
    "candidate": ("seat", ("vote",)),
    "thanks": ("", ("vote", "lift")),
    "votes-counted": ("seat count", (*_VOTING, *_FAREWELL, "hunt")),
    "rest-to-last": ("seat count", (*_VOTING, *_FAREWELL, "hunt")),
    "tie": ("seats", _VOTING),
    "revote": ("seats", ("vote",)),
    "four-at-table": ("", ("hunt",)),
    "vote-cancelled": ("", ("hunt", "over")),
    "voted-out": ("seat", _FAREWELL),
    "lift-question": ("seats", ("lift",)),
    "lift-passed": ("seats count needed", _FAREWELL),
    "lift-failed": ("count needed", ("hunt",)),
    "lift-not-held": ("", ("hunt",)),
    "restarted": ("", ("vote",)),
    # discipline
    "foul": ("seat count", _PLAY),
    "foul-third": ("seat", _PLAY),
    "foul-fourth": ("seat", (*_PLAY, "over")),
    "foul-removed": ("seat count", _PLAY),
    "technical-foul": ("seat count", _PLAY),
    "technical-foul-removes": ("seat", (*_PLAY, "over")),
    "removed": ("seat", (*_PLAY, "over")),
    "team-defeat": ("seat", ("over",)),
    "outside-hint": ("", ("over",)),
    # the night
    "hunt-begins": ("", ("hunt",)),
    "hunt-begins-home": ("", ("hunt",)),
    "hunt-number": ("seat", ("hunt",)),
    "hunt-ends": ("", ("hunt", "don-check")),
    "miss-at-night": ("", ("hunt", "don-check")),
    "don-wakes": ("", ("don-check",)),
    "don-wakes-home": ("", ("don-check",)),
    "don-sleeps": ("", ("don-check", "sheriff-check")),
    "sheriff-wakes": ("", ("sheriff-check",)),
    "sheriff-wakes-home": ("", ("sheriff-check",)),
    "sheriff-sleeps": ("", ("sheriff-check", "morning-question", "best-move", *_TALK, *_FAREWELL)),
    "best-move-asked": ("seat seconds", ("best-move",)),
    "best-move-heard": ("seats", ("best-move", *_TALK, *_FAREWELL)),
    "best-move-none": ("", ("best-move", *_TALK, *_FAREWELL)),
    "morning-question": ("", ("morning-question",)),
    # the end
    "win-city": ("", ("over",)),
    "win-mafia": ("", ("over",)),
    "win-draw": ("", ("over",)),
    "game-stopped": ("", ("over",)),
    "reason-three-misses": ("", ("over",)),
    "reason-no-losses": ("", ("over",)),
    # time and history
    "paused": ("", _PLAY),
    "resumed": ("", _PLAY),
    "time-added": ("seconds", _PLAY),
    "undone": ("", _ALL),
    "redone": ("", _ALL),
    "cancelled": ("", _ALL),
    # answers
    "nominees": ("seats", _PLAY),
    "nominees-none": ("", _PLAY),
    "time-left": ("seconds", _PLAY),
    "time-none": ("", _ALL),
    "fouls-of": ("seat count", _ALL),
    "alive": ("seats", _PLAY),
    "day": ("number", _PLAY),
    "night": ("number", _PLAY),
    "before-start": ("", ("lobby",)),
    "after-end": ("", ("over",)),
    "help": ("phrases", _ALL),
    "listening": ("", _ALL),
    "not-listening": ("", _ALL),
    # questions back
    "confirm-removal": ("seat", _PLAY),
    "confirm-team-defeat": ("seat", _PLAY),
    "confirm-winner-city": ("", _PLAY),
    "confirm-winner-mafia": ("", _PLAY),
    "confirm-winner-draw": ("", _PLAY),
    "confirm-end-game": ("", _PLAY),
    "which-seat": ("seats", _ALL),
    # refusals
    "refused-not-now": ("", _ALL),
    "refused-no-such-seat": ("", _ALL),
    "refused-seat-out": ("", _ALL),
    "refused-already-nominated": ("", _TALK),
    "refused-already-nominated-by-you": ("", _TALK),
    "refused-not-your-turn": ("", _PLAY),
    "refused-withdrawal-forbidden": ("", _TALK),
    "refused-too-many-votes": ("", ("vote", "lift")),
    "refused-already-voted": ("", ("vote", "lift")),
    "refused-not-a-candidate": ("", _DAY),
    "refused-no-foul": ("", _PLAY),
    "refused-nothing-to-undo": ("", _ALL),
    "refused-nothing-to-redo": ("", _ALL),
    "refused-game-over": ("", ("over",)),
    "refused-role-unknown": ("", _ALL),
    "refused-wrong-roles": ("", _ALL),
    "refused-not-black": ("", _NIGHT),
    "refused-not-don": ("", _NIGHT),
    "refused-not-sheriff": ("", _NIGHT),
    "refused-not-enough-numbers": ("", ("best-move",)),
    "refused-repeated-number": ("", ("best-move", "vote", "lift")),
    "refused-nothing-pending": ("", _ALL),
    "not-understood": ("", _ALL),
    # the microphone
    "microphone-lost": ("", _ALL),
    "microphone-back": ("", _ALL),
}

CUES: Final[Mapping[str, tuple[str, ...]]] = {cue: tuple(params.split()) for cue, (params, _) in _CUES.items()}
"""Every phrase id and its parameters: ``seat``, ``count``, ``needed``, ``seconds`` and ``number`` are whole numbers,
``seats`` is a sequence of them, ``phrases`` is ready text."""

STEPS: Final[Mapping[str, tuple[str, ...]]] = {cue: steps for cue, (_, steps) in _CUES.items()}
"""By phrase id: the steps in which the game may stand while the line is spoken, the step that follows included."""
