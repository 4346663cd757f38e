"""Recorded games, replayed entry by entry at a hosted table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.rules.driver import Table
from voicehost.rules import commands as cmd
from voicehost.rules.game import CHECKS, Step

FOLDER = Path(__file__).parent / "games"

LETTERS = {"don": "d", "mafia": "m", "sheriff": "s", "civilian": "c"}

HOW = {"voted": "voted", "lifted": "voted", "shot": "killed", "fouls": "removed", "removed": "removed"}

TALK = {Step.SPEECH, Step.NOMINATE_ONLY}


def read(name: str) -> dict[str, Any]:
    """Return one file of the folder."""
    data: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return data


class Replay:
    """One recorded game under a rule set; each entry of its log is checked as it is played."""

    def __init__(self, data: dict[str, Any], rules: str) -> None:
        self.data = data
        roles = "".join(LETTERS[data["roles"][str(seat)]] for seat in range(1, 11))
        self.table = Table(rules, roles=roles).start()

    def play(self) -> Table:
        """Play the whole log, and on to the end of a game that is decided."""
        for entry in self.data["log"]:
            self.enter(entry)
        while self.table.game.decided is not None and self.table.step is not Step.OVER:
            self.go_on()
        return self.table

    def enter(self, entry: dict[str, Any]) -> None:
        """Play one entry."""
        match entry:
            case {"foul": seat, "number": number, "when": when}:
                self.reach(when)
                self.table.foul(seat)
                assert self.table.game.fouls[seat - 1] == number
            case {"speech": speaker, "nominates": nominee, "day": day}:
                self.reach({"day": day, "phase": "speech", "speaker": speaker})
                self.table.say(cmd.Nominate(nominee))
            case {"vote": votes, "day": day, "round": number}:
                self.vote(day, number, votes)
            case {"shootout": tied}:
                assert self.table.step is Step.SHOOTOUT_SPEECH
                assert set(self.table.game.ballot.tied) == set(tied)
            case {"lift": True, "candidates": tied, "lifted": lifted}:
                self.lift(tied, entry.get("voters_for"), lifted)
            case {"night": _, "shots": shots}:
                self.shoot({int(shooter): target for shooter, target in shots.items()})
                assert self.table.game.hit == entry.get("killed", self.table.game.hit)
            case {"night": _, **checks} if {"don_check", "sheriff_check"} & set(checks):
                self.check(checks.get("don_check"), checks.get("sheriff_check"))
            case {"best_move": black, "by": victim}:
                self.best_move(victim, [*black, *entry.get("named_civilians", [])])
            case {"no_vote": True, "nominees": nominees}:
                while self.table.step in TALK:
                    self.go_on()
                assert [seat for _, seat in self.table.game.nominations] in ([], nominees)
                assert self.table.step in {Step.HUNT, Step.OVER}
            case {"removed": seat}:
                assert seat in self.table.out
            case {"night": 0, "arranged": _}:
                pass
            case _:
                raise AssertionError(f"an entry of no known kind: {entry}")

    def go_on(self) -> None:
        """End whatever is on: a speech, a last word, a step of the night."""
        assert self.table.step not in {Step.VOTE, Step.LIFT, Step.OVER}, f"the log is at {self.table.step}"
        self.table.say(cmd.Next())

    def reach(self, when: dict[str, Any]) -> None:
        """Go on to where an entry belongs."""
        day, phase = when["day"], when["phase"]
        steps = {
            "speech": TALK,
            "voting": {Step.VOTE, Step.LAST_WORD, Step.SHOOTOUT_SPEECH, Step.HUNT, Step.LIFT},
            "shootout_speech": {Step.SHOOTOUT_SPEECH},
            "last_word_of_killed": {Step.LAST_WORD},
            "last_word_of_voted": {Step.LAST_WORD},
        }[phase]
        speaker = when.get("speaker") if phase in {"speech", "shootout_speech", "last_word_of_voted"} else None
        while not (self.table.step in steps and self.table.game.day == day and speaker in {None, self.table.game.seat}):
            assert self.table.game.day <= day, f"{when} is past"
            self.go_on()

    def vote(self, day: int, number: int, votes: list[dict[str, Any]]) -> None:
        """Count the hands of a round; the last candidate's must follow."""
        table = self.table
        opened = [vote["candidate"] for vote in votes]
        if len(votes) == 1:  # all hands fall to him when the last speech ends
            while table.step in TALK:
                self.go_on()
        else:
            while table.step is not Step.VOTE:
                self.go_on()
            assert (list(table.game.ballot.candidates), table.game.ballot.round) == (opened, number)
            for vote in votes[:-1]:
                table.say(cmd.Votes(seats=tuple(vote["voters"])))
        assert table.game.day == day
        cast = [(seat, sorted(seats)) for seat, _, seats in table.game.ballot.cast]
        assert cast == [(vote["candidate"], sorted(vote["voters"])) for vote in votes]

    def lift(self, tied: list[int], voters: list[int] | None, lifted: bool) -> None:
        while self.table.step is not Step.LIFT:
            self.go_on()
        assert set(self.table.game.ballot.tied) == set(tied)
        if voters is not None:
            self.table.say(cmd.Votes(seats=tuple(voters)))
        else:  # the source has only the outcome
            self.table.say(cmd.Votes(len(self.table.game.alive) if lifted else 0))
        assert bool(self.table.game.leaving) is lifted

    def shoot(self, shots: dict[int, int]) -> None:
        while self.table.step is not Step.HUNT:
            self.go_on()
        self.table.shoot(shots).say(cmd.Next())

    def check(self, don: int | None, sheriff: int | None) -> None:
        assert self.table.step in CHECKS
        self.table.checks(don=don, sheriff=sheriff)

    def best_move(self, victim: int, seats: list[int]) -> None:
        while self.table.step is not Step.BEST_MOVE:
            self.go_on()
        assert self.table.game.seat == victim
        self.table.say(cmd.BestMove(tuple(seats)))

    @property
    def exits(self) -> list[dict[str, Any]]:
        """Who left, how and when, in the words of the files."""
        return [
            {
                "seat": exit_.seat,
                "how": HOW[exit_.cause],
                "when": f"night{exit_.night}" if exit_.at_night else f"day{exit_.day}",
            }
            for exit_ in self.table.game.exits
        ]
