"""When spoken words count."""

from __future__ import annotations

import pytest

from voicehost.hosting.trigger import Trigger, TriggerKind


def test_open_takes_everything() -> None:
    assert Trigger().take("фол третьему") == "фол третьему"
    assert Trigger(TriggerKind.OPEN).take("") == ""


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ("ведущий фол третьему", "фол третьему"),
        ("Ведущий, фол третьему!", "фол третьему"),
        ("ведущий", ""),
        ("водещ, фал на играч три", "фал на играч три"),
        ("фол третьему", None),
        ("а ведущий фол третьему", None),
        ("ведущая фол третьему", None),
        ("ведущийфол третьему", None),
        ("", None),
        ("…", None),
    ],
)
def test_a_wake_word_must_come_first(said: str, taken: str | None) -> None:
    assert Trigger(TriggerKind.WAKE).take(said) == taken


def test_own_wake_words() -> None:
    trigger = Trigger(TriggerKind.WAKE, wake_words=("Судья",))
    assert trigger.take("судья пауза") == "пауза"
    assert trigger.take("ведущий пауза") is None


def test_push_takes_only_what_is_said_while_the_key_is_held() -> None:
    trigger = Trigger(TriggerKind.PUSH)
    assert trigger.take("пауза") is None
    trigger.push.press()
    assert trigger.take("пауза") == "пауза"
