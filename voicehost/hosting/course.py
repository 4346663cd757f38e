"""The course of a live game: events are journaled, then shown, spoken and timed.

``Course`` knows nothing of what people type or say; the conductor gives it commands that it has understood.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from voicehost.hosting import messages
from voicehost.hosting.clock import Clock
from voicehost.hosting.hands import WINDOW_SECONDS, Hands
from voicehost.hosting.lines import Lines
from voicehost.hosting.ports import Memory, Speaker, Tell
from voicehost.hosting.repertoire import essential
from voicehost.hosting.script import Cue, cue, last_cues, script
from voicehost.hosting.setup import Setup
from voicehost.hosting.timed_cues import TIMER_NAMES, TimedCues
from voicehost.hosting.timekeeper import EPSILON, Timekeeper
from voicehost.hosting.words import Words
from voicehost.record.entries import Entry
from voicehost.rules import commands as cmd
from voicehost.rules.events import Event, GameEnded, Paused, Resumed, TimeAdded
from voicehost.rules.game import Game, Step
from voicehost.rules.history import AUTO, HOST, History, TimerState
from voicehost.rules.referee import decide, settles_early
from voicehost.rules.refusals import Refusal

SAVED = "saved"
"""Name of the journal entry that only keeps the timer."""

HEARTBEAT_SECONDS = 5.0
"""How often a running timer is journaled with the real clock, so that a crash loses no more of it."""


class Course:
    """One game as it goes: history, journal, timer, spoken lines."""

    def __init__(
        self,
        setup: Setup,
        *,
        words: Words,
        clock: Clock,
        tell: Tell,
        memory: Memory,
        speaker: Speaker,
        history: History | None = None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Take a new game, or one whose ``history`` is known. ``wall`` gives unix time for the journal."""
        self.setup = setup
        self.words = words
        self.lines = Lines(words, tell, speaker)
        self.keeper = Timekeeper(clock, 0.0 if clock.virtual else self.lines.lead)
        self.timed = TimedCues(self.lines, self.keeper, clock)
        self.hands = Hands()
        self.hands_by_voice = False
        """Whether hands are told aloud although nobody hosts: then nobody counts those on the phones."""
        self.pending: cmd.Command | None = None
        self.stirred = asyncio.Event()
        self.clock = clock
        self.tell = tell
        self._memory = memory
        self._wall = wall
        self._history = history or History(setup.new_game(), next_seq=setup.first_seq)
        self._serial = self.game.serial
        self._question: tuple[int, int] | None = None
        self._window: float | None = None
        self._heartbeat = 0.0
        words.call_by(lambda seat: self.game.names[seat - 1] or None)
        self.lines.prepare(essential(words, setup.rules, setup.players))
        self.lines.set_scene(self.game)

    @property
    def game(self) -> Game:
        """The state, with what waits for a confirmation."""
        game = self._history.game
        return game if self.pending is None else replace(game, pending=self.pending)

    @property
    def waits_for_hands(self) -> bool:
        """Whether the time for hands runs."""
        return self._window is not None

    # --- commands

    def give(self, command: cmd.Command, text: str | None = None, *, origin: str = HOST, by: int | None = None) -> str:
        """Let the referee decide and carry out what follows; return the reason of a refusal, or ""."""
        decision = decide(self.game, command, by=by)
        if isinstance(decision, Refusal):
            return decision.reason
        kind = "seat" if by is not None and origin == HOST else "timer" if isinstance(command, cmd.Elapse) else origin
        self.apply(origin, kind, command.name, command.slots(), text, decision)
        if settles_early(self.game) and self._goes_on_at_once():
            self.give(cmd.Proceed(), origin=AUTO)
        return ""

    def _goes_on_at_once(self) -> bool:
        """Set times are kept with the real clock and wherever nobody hosts: nothing shows from their length."""
        game = self.game
        return game.step is Step.BEST_MOVE or (self.clock.virtual and game.hosted)

    def apply(
        self, origin: str, kind: str, name: str, slots: dict[str, object], text: str | None, events: tuple[Event, ...]
    ) -> None:
        """Journal the events of one command, then show, speak and time what follows from them."""
        if not events:
            return
        before = self.game
        numbered = tuple(enumerate(events, self._history.next_seq))
        self._write(kind, name, slots, text, numbered)
        self._history = self._history.record(origin, events, self.keeper.state())
        self._end_step()
        spoken: list[Cue] = []
        for (seq, event), (_, cues) in zip(numbered, script(before, events), strict=True):
            self._show(seq, event)
            self.lines.say(cues)
            spoken += cues
            self._keep_time(event)
        self.lines.remember(spoken)
        if any(isinstance(event, GameEnded) for event in events):
            self.tell(messages.result(self.game))
        self._follow_step()

    def undo(self, text: str) -> None:
        """Take back the last host command with all that followed."""
        taken = self._history.undo(self.keeper.state())
        if taken is not None:
            self._turn("undo", text, *taken)

    def redo(self, text: str) -> None:
        """Put back what the last undo took."""
        put = self._history.redo()
        if put is not None:
            self._turn("redo", text, *put)
            if self.game.step is Step.OVER:
                self.tell(messages.result(self.game))

    def _turn(self, name: str, text: str, history: History, event: Event, timer: TimerState | None) -> None:
        seq = self._history.next_seq
        self._write("host", name, {}, text, ((seq, event),))
        self._history = history
        self._show(seq, event)
        self.lines.say([cue("undone" if name == "undo" else "redone")])
        self._question = None
        self._window = None
        self._drop_timer()
        self._serial = self.game.serial
        self.put_back(timer)
        self._follow_step()

    def play_again(self) -> None:
        """Begin another game of the same people, in the lobby."""
        setup = self.setup.again(self.game.names, self._history.next_seq)
        self._memory.begin(setup.to_mapping())
        self.setup = setup
        self._history = History(setup.new_game(), next_seq=setup.first_seq)
        self._drop_timer()
        self._serial = self.game.serial
        self._question = None

    # --- the journal

    def _write(
        self,
        kind: str,
        name: str,
        slots: dict[str, object],
        text: str | None,
        events: tuple[tuple[int, Event], ...],
    ) -> None:
        entry = Entry(kind, name, slots, text, events, self._wall(), self.clock.now(), self.keeper.state())
        self._memory.append(entry)

    def save_timer(self) -> None:
        """Journal how much time is left."""
        if self.keeper.name is not None:
            self._write("auto", SAVED, {}, None, ())

    def _show(self, seq: int, event: Event) -> None:
        message = messages.event(seq, event, host=self.game.hosted)
        if message is not None:
            self.tell(message)

    # --- time

    def _keep_time(self, event: Event) -> None:
        match event:
            case Paused() if self.keeper.pause():
                self._timer("paused")
            case Resumed() if self.keeper.resume():
                self._timer("resumed")
            case TimeAdded(seconds=seconds) if self.keeper.extend(seconds):
                self._timer("extended")

    def _timer(self, state: str) -> None:
        self.tell(messages.timer(state, self.keeper.name, self.keeper.seat, self.keeper.left))

    def _end_step(self) -> None:
        """Drop the timer of a step that is over, before the next one is announced."""
        if self.game.serial != self._serial:
            self._drop_timer()

    def _follow_step(self) -> None:
        """Start the timer of a new step; open the time for hands when a question was asked."""
        game, ballot = self.game, self.game.ballot
        asked = (game.serial, len(ballot.cast)) if ballot and game.step in {Step.VOTE, Step.LIFT} else None
        if asked != self._question:
            self._question = asked
            self._window = None
            self.hands = Hands()
            if asked is not None:
                self._when_said(self._open_window)
        self.lines.set_scene(game)
        if game.serial != self._serial:
            self._serial = game.serial
            if game.seconds:
                self._when_said(self._start_timer)

    def _when_said(self, then: Callable[[], None]) -> None:
        def stir() -> None:
            then()
            self.stirred.set()

        self.lines.when_said(stir)

    def _open_window(self) -> None:
        self._window = self.clock.now() + WINDOW_SECONDS[self.game.hosted]

    def _drop_timer(self) -> None:
        self.lines.forget()
        if self.keeper.name is not None and self.keeper.left > 0:
            if self.keeper.tick is not None:
                self._number("cancelled", self.keeper.tick, self.keeper.tick_left)
            self._timer("cancelled")
        self.keeper.drop()

    def _start_timer(self, left: float | None = None, seconds: float | None = None, *, stands: bool = False) -> None:
        game = self.game
        tick = game.rules.hunt_number_seconds if game.step is Step.HUNT else None
        name, seat = TIMER_NAMES[game.step], game.seat
        whole = game.seconds if seconds is None else seconds
        self.keeper.start(name, whole, seat, left=left, tick=tick, paused=stands or game.paused)
        self._heartbeat = self.clock.now() + HEARTBEAT_SECONDS
        self.timed.begin()
        if not stands:
            self._timer("started")
        if stands or game.paused:
            self._timer("paused")
        elif tick is not None and self.keeper.take() == "tick":
            self._call_number()

    def take_up(self, timer: TimerState | None) -> None:
        """Go on with a game from the journal: its timer stands, its question waits, its last lines can be repeated."""
        self.put_back(timer)
        self._follow_step()
        self.lines.take_up(last_cues(self._history))

    def put_back(self, timer: TimerState | None) -> None:
        """Put the step's timer back, standing, with the time it had; all of it when that is not known."""
        game = self.game
        if not game.seconds or game.step is Step.OVER:
            return
        if timer is not None and timer["name"] == TIMER_NAMES[game.step] and timer["seat"] == game.seat:
            self._start_timer(timer["left"], timer["seconds"], stands=True)
        else:
            self._start_timer(stands=True)

    def due(self) -> float | None:
        """Return the moment of the next thing that happens by itself; None when nothing will."""
        moments = [moment for moment in (self.keeper.due(), self._window, self.timed.due()) if moment is not None]
        if self.keeper.runs and not self.clock.virtual:
            moments.append(self._heartbeat)
        return min(moments, default=None)

    async def advance(self, moment: float) -> None:
        """Let time pass until ``moment``, doing on the way what is due."""
        while True:
            self.stirred.clear()
            due = self.due()
            if due is not None and due <= self.clock.now() + EPSILON and due <= moment + EPSILON:
                self.fire()
                continue
            if self.clock.now() >= moment - EPSILON:
                return
            await self.clock.sleep_until(moment if due is None else min(due, moment), self.stirred)

    async def pass_step(self) -> None:
        """Let time pass until the running timer elapses; at once when none runs."""
        await self.lines.heard()
        if self.keeper.name is None and self._window is not None:
            await self.advance(self._window)
        else:
            by_number = self.game.step is Step.HUNT and not self.game.hosted
            end = self.keeper.tick_end if by_number else self.keeper.end
            if end is not None:
                await self.advance(end)

    def fire(self) -> str | None:
        """Do the next thing that is due; return what: window, words, tick, warning, elapsed or None."""
        now = self.clock.now()
        if self._window is not None and self._window <= now + EPSILON:
            self._close_window()
            return "window"
        words = self.timed.due()
        if words is not None and words <= now + EPSILON:
            self.timed.warn()
            return "words"
        end = self.keeper.end
        what = self.keeper.take()
        if what == "tick":
            self._call_number()
        elif what == "warning":
            self._timer("warning")
            self.timed.warning()
        elif what == "elapsed":
            if self.game.step is Step.HUNT:
                self._number("elapsed", self.game.players)
            self._timer("elapsed")
            with self.lines.at(end):
                self.give(cmd.Elapse(), origin=AUTO)
        elif not self.clock.virtual and self.keeper.runs and self._heartbeat <= now + EPSILON:
            self.save_timer()
            self._heartbeat = now + HEARTBEAT_SECONDS
        return what

    def _call_number(self) -> None:
        number = self.keeper.called
        if number > 1:
            self._number("elapsed", number - 1)
        self.timed.number()
        self._number("started", number, self.game.rules.hunt_number_seconds)

    def _number(self, state: str, number: int, left: float = 0) -> None:
        self.tell(messages.timer(state, "hunt-number", number, left))

    def _close_window(self) -> None:
        """The time for hands is over: a host counts them himself, the phones' are counted here."""
        self._window = None
        self.lines.say([cue("thanks")])
        if not (self.game.hosted or self.hands_by_voice):
            self.count_hands()

    def count_hands(self) -> None:
        """Count the hands raised on the phones."""
        self.give(self.hands.command(), origin=AUTO)
