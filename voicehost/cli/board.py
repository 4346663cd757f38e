"""A view of the game as lines for a terminal."""

from __future__ import annotations

from typing import Any

from voicehost.hosting.words import Words

FOUL = "●"


def board(view: dict[str, Any], words: Words) -> list[str]:
    """Return one line a seat, then nominees and hands; whatever the view does not hold is not shown."""
    lines = [_seat(seat, view.get("roles") or {}, words) for seat in view["seats"]]
    if view["nominees"]:
        lines.append(words.message("hosting.board-nominees", seats=_listed(view["nominees"])))
    if view["votes"]:
        hands = ", ".join(f"{vote['candidate']} — {vote['count']}" for vote in view["votes"])
        lines.append(words.message("hosting.board-votes", votes=hands))
    lines += _own(view.get("you"), words)
    return lines


def _seat(seat: dict[str, Any], roles: dict[str, str], words: Words) -> str:
    parts = [f"{seat['seat']:>2}", seat["name"]]
    if not seat["alive"]:
        left = seat["left"]
        cause = words.message(f"record.cause-{left['cause']}") if left else ""
        parts.append(words.message("hosting.board-left", cause=cause))
    parts.append(FOUL * seat["fouls"])
    role = roles.get(str(seat["seat"]))
    if role is not None:
        parts.append(f"({words.message(f'hosting.role-{role}')})")
    return " ".join(part for part in parts if part)


def _own(you: dict[str, Any] | None, words: Words) -> list[str]:
    if you is None:
        return []
    lines = []
    if you["role"] is not None:
        lines.append(words.message("hosting.board-you", role=words.message(f"hosting.role-{you['role']}")))
    for check in you["checks"]:
        answer = words.message(f"hosting.answer-{check['answer']}")
        lines.append(words.message("hosting.board-check", night=check["night"], seat=check["seat"], answer=answer))
    return lines


def _listed(seats: list[int]) -> str:
    return ", ".join(map(str, seats))
