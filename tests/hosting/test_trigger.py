"""When spoken words count."""

from __future__ import annotations

import pytest

from voicehost.hosting.push import Push
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


def test_what_was_begun_with_the_key_up_never_counts() -> None:
    now = [10.0]
    trigger = Trigger(TriggerKind.PUSH, push=Push(lambda: now[0]))
    trigger.push.press()
    now[0] = 12.0
    trigger.push.let_go()
    assert trigger.take("пауза", 11.0) == "пауза"
    assert trigger.take("пауза", 9.0) is None
    assert trigger.take("пауза", 12.5) is None


def test_a_wake_word_of_several_words() -> None:
    trigger = Trigger(TriggerKind.WAKE, wake_words=("Эй, ведущий", "Алло"))
    assert trigger.take("эй ведущий пауза") == "пауза"
    assert trigger.take("алло, фол третьему") == "фол третьему"
    assert trigger.take("эй пауза") is None
    assert trigger.calls == ("эй ведущий", "алло")


def test_only_the_wake_word_is_expected_by_recognisers() -> None:
    assert Trigger().calls == ()
    assert Trigger(TriggerKind.PUSH).calls == ()
