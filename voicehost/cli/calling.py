"""How the host calls the program: by any word, by a wake word, by a key under his finger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from voicehost.cli.texts import interface
from voicehost.errors import UserError
from voicehost.hosting.trigger import Trigger, TriggerKind
from voicehost.language.normal import tokens

if TYPE_CHECKING:
    from voicehost.cli.play import Options
    from voicehost.hosting.push import Push

WAKE: dict[str, tuple[str, ...]] = {"ru": ("ведущий",), "bg": ("водещ",)}
"""The word of a language that calls the program, if none was named."""

NAMED = {"space": " ", "enter": "enter", **{f"f{number}": f"f{number}" for number in range(1, 13)}}
"""The keys that have names, as prompt_toolkit calls them."""

LONGEST_CALL = 4
"""Words of a wake word; more of them nobody says every time."""


@dataclass(frozen=True, slots=True)
class PushKey:
    """The key at the terminal that opens listening, and what it opens."""

    name: str
    push: Push

    @property
    def code(self) -> str:
        """The key as prompt_toolkit calls it."""
        return NAMED.get(self.name, self.name)

    @property
    def types(self) -> bool:
        """Whether the key means something else in a line that is being typed."""
        return not (len(self.name) > 1 and self.name.startswith("f"))

    def status(self) -> str:
        """Return whether the program listens now, for the status line."""
        label = interface(f"cli.key-{self.name}") if self.name in {"space", "enter"} else self.name.upper()
        return interface("cli.push-open") if self.push.open else interface("cli.push-closed", button=label)


def make_trigger(options: Options, language: str) -> Trigger:
    """Return what the options ask for.

    Raises:
        UserError: the wake word or the key is none.
    """
    _key_name(options.push_key)
    words = WAKE.get(language, WAKE["ru"])
    if options.wake_word is not None:
        words = tuple(word.strip() for word in options.wake_word.split(",") if word.strip())
        if words == () or not all(0 < len(tokens(word)) <= LONGEST_CALL for word in words):
            raise UserError("cli.bad-wake-word", status=2, word=options.wake_word)
    return Trigger(TriggerKind(options.trigger), wake_words=words)


def push_key(options: Options, trigger: Trigger) -> PushKey | None:
    """Return the key that the host's terminal watches, or None when no key opens listening."""
    return PushKey(_key_name(options.push_key), trigger.push) if trigger.kind is TriggerKind.PUSH else None


def unheard_call(trigger: Trigger, recogniser: object) -> str | None:
    """Return a sentence about a wake word that the recogniser can never hear, or None when it can."""
    unknown = getattr(recogniser, "unknown", None)
    if unknown is None or not trigger.calls or not all(unknown(call) for call in trigger.calls):
        return None
    return interface("cli.wake-unknown", words=", ".join(trigger.calls), model=getattr(recogniser, "model", ""))


def _key_name(name: str) -> str:
    """Return a key's name as it is used here.

    Raises:
        UserError: there is no such key, or it begins the lines of commands.
    """
    wanted = name.strip().casefold() or ("space" if name == " " else "")
    if wanted in NAMED or (len(wanted) == 1 and wanted.isprintable() and wanted != "/"):
        return wanted
    raise UserError("cli.bad-push-key", status=2, button=name)
