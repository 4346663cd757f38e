"""How a transcript shows what came out: one short line for each message, and the state in short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from voicehost.rules.legal import ALWAYS

LABEL = 9
"""Width of the first column."""

NOTHING = "nothing more"
"""What a viewer sees who sees what the table sees."""

DISCIPLINE = ("foul", "remove-foul", "technical-foul", "remove-player", "team-defeat")


def row(label: str, text: str) -> str:
    """Return a line with its label."""
    return f"{label:<{LABEL}}{text}".rstrip()


def message(told: Mapping[str, Any], *, seqs: bool) -> list[str]:
    """Return one message as lines; what the state shows anyway gives none."""
    match told:
        case {"type": "heard", "command": command, "slots": slots}:
            return [row("heard", f"{command} {pairs(slots)}")]
        case {"type": "refused", "command": command, "reason": reason}:
            return [row("refused", f"{command}: {reason}")]
        case {"type": "unrecognised"}:
            return [row("unrecognised", "")]
        case {"type": "error", "text": text}:
            return [row("error", f"«{text}»")]
        case {"type": "ask", "question": question, "options": options, "pending": pending}:
            return [row("asks", f"«{question}» {' or '.join(map(str, options))}; pending {_command(pending)}")]
        case {"type": "event", "seq": seq, "name": name, **data}:
            number = f"{seq} " if seqs else ""
            return [row("event", f"{number}{name} {pairs(data)}")]
        case {"type": "say", "text": text}:
            return [row("says", f"«{text}»")]
        case {"type": "timer", "name": name, "state": state, "seat": seat, "seconds": seconds}:
            of = f" seat={seat}" if seat is not None else ""
            return [row("timer", f"{name}{of} {state}, {seconds} s")]
        case {"type": "view", "of": of, "view": view}:
            return [row("view", f"of {of}: {table(view)}"), *_more(view)]
        case {"type": "result", "winner": winner, "reason": reason, "roles": roles}:
            known = f"; {_roles(roles)}" if roles else ""
            return [row("result", f"{winner}, {reason}{known}")]
    return []


def pairs(data: Mapping[str, Any]) -> str:
    """Return fields as name=value."""
    return " ".join(f"{key}={value(item)}" for key, item in data.items())


def value(item: Any) -> str:
    """Return a field's value, lists with commas."""
    match item:
        case True | False:
            return str(item).lower()
        case None:
            return "null"
        case []:
            return "none"
        case list():
            return ",".join(map(str, item))
    return str(item)


def numbers(seats: Iterable[int]) -> str:
    """Return seats in short: 1–4, 6."""
    runs: list[list[int]] = []
    for seat in seats:
        if runs and seat == runs[-1][-1] + 1:
            runs[-1].append(seat)
        else:
            runs.append([seat])
    return ", ".join(_run(run) for run in runs) or "none"


def _run(run: list[int]) -> str:
    return f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run))


def step(ready: Mapping[str, Any]) -> str:
    """Return where the game stands."""
    parts = [ready["step"]]
    parts += [f"{key} {ready[key]}" for key in ("seat", "candidate", "called") if ready[key] is not None]
    place = ", ".join(parts)
    parts = [place] if ready["step"] == "lobby" else [place, f"day {ready['day']}, night {ready['night']}"]
    if ready["timer"]:
        parts.append(f"{ready['timer']['name']} {ready['timer']['left']} s")
    if ready["paused"]:
        parts.append("paused")
    if ready["pending"]:
        parts.append(f"pending {_command(ready['pending'])}")
    return " · ".join(parts)


def may_say(ready: Mapping[str, Any]) -> str:
    """Return what may be said now: commands with their seats; the questions that are always open are left out."""
    legal: dict[str, list[int]] = {name: seats for name, seats in ready["legal"].items() if name not in ALWAYS}
    legal.pop("ask-fouls", None)
    plain = [name for name, seats in legal.items() if not seats]
    parts = [", ".join(plain)] if plain else []
    grouped: dict[str, list[str]] = {}
    for name, seats in legal.items():
        if seats:
            key = numbers(seats) if name in DISCIPLINE else name
            grouped.setdefault(key, []).append(name)
    parts += [f"{', '.join(names)} {numbers(legal[names[0]])}" for names in grouped.values()]
    return " · ".join(parts)


def table(view: Mapping[str, Any]) -> str:
    """Return what everybody at the table sees, in short."""
    seats = view["seats"]
    parts = [f"alive {numbers(seat['seat'] for seat in seats if seat['alive'])}"]
    named = [f"{seat['seat']} {seat['name']}" for seat in seats if seat["name"]]
    if named:
        parts.append("names " + ", ".join(named))
    left = [_left(seat["seat"], seat["left"]) for seat in seats if seat["left"]]
    if left:
        parts.append("left " + ", ".join(left))
    for key in ("fouls", "technical"):
        counted = [f"{seat['seat']}×{seat[key]}" for seat in seats if seat[key]]
        if counted:
            parts.append(f"{key} " + ", ".join(counted))
    if view["nominations"]:
        parts.append("nominated " + ", ".join(f"{n['seat']} by {n['by']}" for n in view["nominations"]))
    if view["round"]:
        parts.append(f"round {view['round']}")
    if view["votes"]:
        parts.append("votes " + ", ".join(_votes(vote) for vote in view["votes"]))
    if view["tied"]:
        parts.append("tied " + ", ".join(map(str, view["tied"])))
    if view["best_move"]:
        parts.append("best move " + ", ".join(map(str, view["best_move"])))
    if view["result"]:
        parts.append(f"won by {view['result']['winner']}")
    return " · ".join(parts)


def _left(seat: int, left: Mapping[str, Any]) -> str:
    when = f"night {left['night']}" if left["night"] is not None else f"day {left['day']}"
    return f"{seat} {left['cause']} {when}"


def _votes(vote: Mapping[str, Any]) -> str:
    whose = f" ({', '.join(map(str, vote['seats']))})" if vote["seats"] else ""
    return f"{vote['candidate']}: {vote['count']}{whose}"


def host(view: Mapping[str, Any]) -> str:
    """Return what the host sees beside the table: roles are in the header, so they are left out."""
    parts = []
    if view["shots"]:
        parts.append("shots " + ", ".join(f"{shot['shooter']}→{shot['target']}" for shot in view["shots"]))
    if view["hit"] is not None:
        parts.append(f"hit {view['hit']}")
    if view["unannounced"]:
        parts.append(f"not yet told: {numbers(view['unannounced'])} left")
    if view["silenced"]:
        parts.append(f"next minute lost by {numbers(view['silenced'])}")
    if view["decided"] and not view["result"]:
        parts.append(f"decided for {view['decided']['winner']}, {view['decided']['reason']}")
    return " · ".join(parts) or NOTHING


def seat(number: int, view: Mapping[str, Any]) -> str:
    """Return what one seat sees beside the table."""
    you = view["you"]
    parts = [str(you["role"])] if you["role"] else []
    if you["cards"]:
        parts.append(f"{you['cards']} cards to choose from")
    parts += [f"night {check['night']} checked {check['seat']}: {check['answer']}" for check in you["checks"]]
    return f"{number}: {', '.join(parts)}" if parts else NOTHING


def _more(view: Mapping[str, Any]) -> list[str]:
    if "you" in view:
        return [row("", seat(view["you"]["seat"], view))]
    if "shots" in view:
        known = f"{_roles(view['roles'])} · " if view["roles"] else ""
        return [row("", known + host(view))]
    return []


def _roles(roles: Mapping[str, str]) -> str:
    return ", ".join(f"{number} {role}" for number, role in roles.items())


def _command(pending: Mapping[str, Any]) -> str:
    return f"{pending['command']} {pairs(pending['slots'])}".strip()
