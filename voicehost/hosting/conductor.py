"""The conductor: takes what is typed, heard or tapped, one thing at a time, and lets the game follow its course."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from voicehost.hosting import messages
from voicehost.hosting.answers import answer, look
from voicehost.hosting.confirming import question_before
from voicehost.hosting.course import Course
from voicehost.hosting.doubt import Doubt
from voicehost.hosting.echo import Echo
from voicehost.hosting.inputs import (
    Asked,
    Input,
    Look,
    MicrophoneBack,
    MicrophoneGone,
    Nothing,
    Overheard,
    Passed,
    Phone,
    Pressed,
    Quit,
    Said,
    Skip,
    Unclear,
    Wait,
)
from voicehost.hosting.phones import VERB_COMMANDS, Phones, unfit_name
from voicehost.hosting.script import cue
from voicehost.hosting.setup import shown_name
from voicehost.hosting.timekeeper import EPSILON
from voicehost.hosting.transcript import Transcript, Verdict
from voicehost.hosting.trigger import Trigger, TriggerKind
from voicehost.rules import commands as cmd
from voicehost.rules.discipline import TOLD_LATER
from voicehost.rules.events import Paused, Resumed
from voicehost.rules.game import EYES_SHUT, SPEAKING, Step
from voicehost.rules.history import AUTO, HOST, TimerState
from voicehost.rules.legal import legal
from voicehost.rules.refusals import refusal

CUTS_SHORT = (cmd.Pause, cmd.Next)
"""Commands of a host who wants to hear no more of what is being said."""


INTERRUPTS = (*CUTS_SHORT, cmd.Repeat, cmd.StopListening)
"""The only commands that are taken from a microphone that hears the host over the program's own voice."""


NOT_TAKEN_BACK = (cmd.TakeSeat, cmd.Shooter, cmd.DonCheck, cmd.SheriffCheck)
"""What a phone does that «отмена» leaves alone: where the game returned to would tell who acted at night."""


class Conductor:
    """Runs one game after another for the same people."""

    def __init__(self, course: Course, trigger: Trigger | None = None) -> None:
        """Conduct a game. Nothing is told before ``open``."""
        self.course = course
        self.trigger = trigger or Trigger()
        self.closed = False
        self.on_ready: Callable[[], None] = lambda: None
        """Called whenever what may be said may have changed."""
        self.transcript = Transcript()
        self.doubt = Doubt()
        self.interruptible = False
        """Whether the microphone hears the host over the program's own voice."""
        self.mistyped = False
        """Whether the latest line that was not understood came from a keyboard."""
        self._phones = Phones()
        self._echo = Echo()
        self._deaf_pause = False

    def open(self, timer: TimerState | None = None, *, resumed: bool = False) -> None:
        """Tell where the game stands; a resumed one stands still, with ``timer`` put back."""
        course = self.course
        if resumed and course.game.step is Step.OVER:
            course.tell(messages.result(course.game))
        elif resumed:
            course.take_up(timer)
            if course.game.seconds and not course.game.paused:
                course.apply(AUTO, AUTO, "resumed-game", {}, None, (Paused(),))
        self.ready()

    def ready(self, cause: str | None = None) -> None:
        """Tell where the game stands."""
        self.transcript.stands(self.course.game)
        self.course.tell(messages.ready(self.course.game, self.course.keeper, cause))
        self.on_ready()

    async def run(self, inputs: asyncio.Queue[Input | None]) -> None:
        """Take inputs until they end (None) or one says to leave."""
        while not self.closed:
            item = await self._next(inputs)
            if item is None:
                return
            await self.handle(item)

    def close(self) -> None:
        """Save the running timer; say how an unfinished game stands."""
        self.closed = True
        self.course.save_timer()
        if self.course.game.step is not Step.OVER:
            self.course.tell(messages.result(self.course.game))

    async def _next(self, inputs: asyncio.Queue[Input | None]) -> Input | None:
        """Return the next input; with the real clock do meanwhile what is due."""
        course = self.course
        if course.clock.virtual:
            return await inputs.get()
        getting = asyncio.ensure_future(inputs.get())
        try:
            while not getting.done():
                course.stirred.clear()
                due = course.due()
                if due is not None and due <= course.clock.now() + EPSILON:
                    if course.fire() == "elapsed":
                        self.ready(cause="timer")
                    continue
                stirred = asyncio.ensure_future(course.stirred.wait())
                timeout = None if due is None else due - course.clock.now()
                await asyncio.wait([getting, stirred], timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
                stirred.cancel()
            return getting.result()
        finally:
            getting.cancel()

    async def handle(self, item: Input) -> None:
        """Do what one input says and tell where the game stands."""
        course = self.course
        self.transcript.stands(course.game)
        match item:
            case Said():
                before = course.game
                verdict = self._said(item)
                if item.utterance is not None:
                    self.transcript.keep(item.utterance, before, verdict)
                if verdict.what == "ignored":
                    return
            case Overheard(utterance=utterance):
                self.transcript.keep(utterance, course.game, Verdict("ignored", "own-voice"))
                return
            case Wait(seconds=None):
                await course.pass_step()
                course.save_timer()
            case Wait(seconds=float() as seconds):
                await course.advance(course.clock.now() + seconds)
                course.save_timer()
            case Passed(seconds=seconds):
                await course.advance(course.clock.now() + seconds)
                return
            case Look(of=of):
                course.tell(look(of, course.game, course.words))
            case Phone():
                self._phone(item)
            case Pressed(command=command, text=text):
                self.command(command, text)
            case Asked(item=Phone() as phone):
                self._phone(phone, from_page=True)
            case Asked(item=Pressed(command=command, text=text)):
                self.command(command, text)
            case Unclear(text=text, key=key):
                course.tell({"type": "error", "text": course.words.message(key, text=text)})
            case Quit():
                self.closed = True
            case Skip():
                course.lines.skip()
            case MicrophoneGone() | MicrophoneBack():
                self._microphone(gone=isinstance(item, MicrophoneGone))
            case Nothing():
                pass
        self.ready()
        if isinstance(item, Asked):
            item.done()

    # --- what is said

    def _said(self, said: Said) -> Verdict:
        """Take an utterance; tell what became of it."""
        taken = self.trigger.take(said.text, said.began) if said.spoken else said.text
        if taken is None:
            return Verdict("ignored", "key-up" if self.trigger.kind is TriggerKind.PUSH else "no-wake-word")
        if said.over_voice and self.course.words.means_stop(taken):
            self.course.lines.skip()
            self.trigger.push.heard(command=True)
            return Verdict("heard")
        command = self.doubt.answer(taken, self.course.words) or self._parse(taken)
        if said.over_voice and not isinstance(command, INTERRUPTS):
            return Verdict("ignored", "own-voice", command)
        if said.spoken and not self.trigger.listening and not isinstance(command, cmd.Listen):
            return Verdict("ignored", "not-listening", command)
        self.doubt.forget()
        others = self._other_readings(said, command) if command is not None else []
        if said.spoken and not others:
            self.trigger.push.heard(command=command is not None)
        if command is None:
            self.mistyped = not said.spoken
            self.course.tell({"type": "unrecognised", "text": said.text})
            return Verdict("unrecognised")
        if others:
            return self._ask_which(said.text, command, others)
        if self._echo.is_heard(said, command, self.course.clock.now()):
            self.course.tell(messages.heard(said.text, command))
            self.course.lines.repeat()
            return Verdict("heard", "echo", command)
        verdict = self.command(command, said.text, spoken=said.spoken)
        self._echo.note(said, command if verdict.what == "heard" else cmd.Repeat(), self.course.clock.now())
        return verdict

    def beside(self) -> list[str]:
        """Return what may be said now beside the commands."""
        words = self.course.words
        return [*self.doubt.phrases(words), *(words.stop_words() if self.interruptible else ())]

    def _parse(self, text: str) -> cmd.Command | None:
        return self.course.words.parse(text, legal(self.course.game))

    def _other_readings(self, said: Said, command: cmd.Command) -> list[cmd.Command]:
        """Return what else, allowed now, the recogniser may have heard."""
        now = legal(self.course.game)
        readings = [self._parse(text) for text in said.alternatives]
        return [c for c in readings if c is not None and c != command and not refusal(self.course.game, c, now)]

    def _ask_which(self, text: str, command: cmd.Command, others: list[cmd.Command]) -> Verdict:
        """Ask back which of two seats was meant; other doubts are taken as not understood."""
        seats = self.doubt.between(command, others)
        if not seats:
            self.course.tell({"type": "unrecognised", "text": text})
            return Verdict("unrecognised", "two-readings", command)
        asked = cue("which-seat", seats=seats)
        self.course.tell(messages.ask(self.course.words.line(asked), list(seats), command))
        self.course.lines.say([asked])
        return Verdict("asked", "which-seat", command)

    def command(self, command: cmd.Command, text: str, *, spoken: bool = False) -> Verdict:
        """Carry out a command of the host, wherever it came from: mouth, keys or page."""
        course = self.course
        refused = refusal(course.game, command, legal(course.game))
        if refused is not None:
            return self._refuse(text, command, refused.reason, spoken=spoken)
        course.tell(messages.heard(text, command))
        if command.query:
            self._answer(command)
            return Verdict("heard", command=command)
        waiting, course.pending = course.pending, None
        match command:
            case cmd.Confirm():
                assert waiting is not None
                return self._carry_out(waiting, text, spoken=command)
            case cmd.Deny():
                course.lines.say([cue("cancelled")])
            case _ if (question := question_before(command, spoken=spoken)) is not None:
                self._ask(command, question)
                return Verdict("asked", "confirm", command)
            case _:
                return self._carry_out(command, text, spoken=command)
        return Verdict("heard", command=command)

    def _ask(self, command: cmd.Command, question: str) -> None:
        course = self.course
        course.pending = command
        seat = command.slots().get("seat")
        asked = cue(question) if seat is None else cue(question, seat=seat)
        course.tell(messages.ask(course.words.line(asked), ["confirm", "deny"], command))
        # Of a removal that may be told only later not even the question is heard.
        if not (isinstance(command, cmd.RemovePlayer) and course.game.step in TOLD_LATER):
            course.lines.say([asked])

    def _carry_out(self, command: cmd.Command, text: str, *, spoken: cmd.Command) -> Verdict:
        """Let it happen; ``spoken`` is the command that did it: this one, or the confirmation of it."""
        course = self.course
        if isinstance(command, CUTS_SHORT):
            course.lines.skip()
        match command:
            case cmd.Undo():
                course.undo(text)
            case cmd.Redo():
                course.redo(text)
            case cmd.PlayAgain():
                course.play_again()
            case cmd.Next() if course.hands.raised:
                course.count_hands()
            case _:
                reason = course.give(command, text)
                if reason:  # the game has moved on since the question
                    return self._refuse(text, command, reason, spoken=False)
        return Verdict("heard", command=spoken)

    def _answer(self, command: cmd.Command) -> None:
        course = self.course
        if isinstance(command, cmd.Repeat):
            course.lines.skip()
            course.lines.repeat()
            return
        if isinstance(command, cmd.Listen | cmd.StopListening):
            self.trigger.listening = isinstance(command, cmd.Listen)
        course.lines.say(answer(command, course.game, course.keeper, lambda: course.words.help(legal(course.game))))

    def _refuse(self, text: str, command: cmd.Command, reason: str, *, spoken: bool) -> Verdict:
        self.course.tell(messages.refused(text, command.name, reason))
        # A nomination that is not accepted is met with silence (FSM 4.4); other spoken commands get a word, but not
        # at night, when the reason may tell a role.
        if spoken and not isinstance(command, cmd.Nominate) and self.course.game.step not in EYES_SHUT:
            self.course.lines.say([cue(f"refused-{reason}")])
        return Verdict("refused", reason, command)

    # --- what is tapped, what is looked at

    def _phone(self, phone: Phone, *, from_page: bool = False) -> None:
        course = self.course
        # At night every phone has the same page and any of them may be touched: that is noise, not worth a line.
        noise = from_page and course.game.step in EYES_SHUT
        line = f"/seat {phone.seat} {phone.verb} {phone.word}".rstrip()
        if phone.seat not in course.game.seats or course.game.hosted:
            reason = "not-now" if phone.seat in course.game.seats else "no-such-seat"
            course.tell(messages.refused(line, VERB_COMMANDS[phone.verb], reason))
            return
        if phone.verb == "vote":
            reason = course.hands.raise_one(course.game, phone.seat)
            if reason:
                course.tell(messages.refused(line, "votes", reason))
            elif course.hands.everyone(course.game):
                course.count_hands()
            return
        if (problem := unfit_name(course.game, phone)) is not None:
            course.tell({"type": "error", "text": course.words.message(problem, name=shown_name(phone.word))})
            return
        command = self._phones.command(course.game, phone, course.keeper.tick)
        if command is None:
            return
        origin = AUTO if isinstance(command, NOT_TAKEN_BACK) else HOST
        reason = course.give(command, origin=origin, by=phone.seat)
        if reason and noise:
            course.save_timer()  # a touch in vain costs a write to the disk as well: the pause would tell who is black
        elif reason and not isinstance(command, cmd.Shooter):
            course.tell(messages.refused(line, command.name, reason))

    def _microphone(self, *, gone: bool) -> None:
        """Stop the clock of a speech while the host cannot be heard; let it go on by itself afterwards."""
        course = self.course
        course.lines.say([cue("microphone-lost" if gone else "microphone-back")])
        if gone and course.keeper.runs and course.game.step in SPEAKING:
            self._deaf_pause = True
            course.apply(AUTO, AUTO, "microphone-lost", {}, None, (Paused(),))
        elif not gone and self._deaf_pause and course.game.paused:
            course.apply(AUTO, AUTO, "microphone-back", {}, None, (Resumed(),))
        self._deaf_pause = self._deaf_pause and gone
