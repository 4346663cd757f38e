"""``voicehost phrases check``: everything that is wrong in a pack, each with the file and line to go to."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voicehost.errors import UserError
from voicehost.language.book import CommandBook, Problem, Template, read_book
from voicehost.language.commands import build, many_slots, slot_names
from voicehost.language.graph import Graph, GraphError, Positions
from voicehost.language.messages import message
from voicehost.language.normal import fold
from voicehost.language.pack import languages, load_pack, read_toml
from voicehost.language.template import Slot, Word
from voicehost.rules.commands import COMMANDS

if TYPE_CHECKING:
    from voicehost.language.pack import Pack

MOST_STATES = 20_000
"""States after which the search for overlapping wordings stops; a sound pack needs a few hundred."""

_BRACES = re.compile(r"\{(\w*)\}")

Together = Callable[[str, str], bool]
"""Tells whether two commands can be legal at the same time."""


def check(pack: Pack, together: Together | None = None) -> list[Problem]:
    """Return every problem of a pack, in the order of files and lines.

    Args:
        pack: The pack; a folder of the user's own will do (``load_pack(Path(...))``).
        together: Which commands can be legal at the same time; two of them must not share an utterance. All, if None.
    """
    problems = list(_commands(pack, together or (lambda one, other: True)))
    problems += _messages(pack)
    return sorted(problems, key=lambda problem: (str(problem.file), problem.line))


def _commands(pack: Pack, together: Together) -> Iterator[Problem]:
    try:
        book = read_book(pack.folder / "commands.yaml", pack.numerals)
    except UserError as error:
        yield _from_error(error)
        return
    yield from book.problems
    sound: list[Template] = []
    for template in book.templates:
        found = [Problem(book.file, template.line, key, params) for key, params in _template(template, book)]
        yield from found
        if not found:
            sound.append(template)
    yield from _digits_and_skips(book)
    yield from _missing(book)
    yield from _twice(book)
    usable = CommandBook(book.file, tuple(sound), book.lists, book.rules, book.skip, book.numbers)
    yield from overlaps(usable, together)


def _template(template: Template, book: CommandBook) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is wrong with one template, so that it could not be used."""
    if template.command not in COMMANDS or not COMMANDS[template.command].spoken:
        yield "unknown-command", {"command": template.command}
        return
    try:
        positions = Positions(template, book)
    except GraphError as error:
        yield error.problem, {"place": error.place, "template": template.source}
        return
    slots = slot_names(template.command)
    used = {label.name for label in positions.labels if isinstance(label, Slot)} | set(template.fixed)
    for name in sorted(used - set(slots)):
        yield "unknown-slot", {"slot": name, "command": template.command, "known": ", ".join(slots)}
    if used <= set(slots):
        yield from _completeness(template, positions)


def _completeness(template: Template, positions: Positions) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the required slots that a way through the template leaves out, and single ones that it fills twice."""
    many = many_slots(template.command)
    required = frozenset(name for name, needed in slot_names(template.command).items() if needed) - set(template.fixed)
    seen: set[tuple[int, frozenset[str]]] = {(0, frozenset(template.fixed))}
    queue = deque(seen)
    told: set[tuple[str, str]] = set()
    while queue:
        place, filled = queue.popleft()
        if place in positions.final:
            told |= {("missing-slot", name) for name in required - filled}
        for target in positions.follow[place]:
            label = positions.labels[target]
            after = filled
            if isinstance(label, Slot):
                if label.name in filled and label.name not in many:
                    told.add(("slot-twice", label.name))
                after = filled | {label.name}
            if (target, after) not in seen:
                seen.add((target, after))
                queue.append((target, after))
    for key, name in sorted(told):
        yield key, {"slot": name, "template": template.source}


def _digits_and_skips(book: CommandBook) -> Iterator[Problem]:
    skip = {fold(word) for word in book.skip}
    sources = [(template.source, template.line) for template in book.templates]
    sources += [(rule.source, rule.line) for rule in book.rules.values()]
    sources += [(" ".join(value.words), values.line) for values in book.lists.values() for value in values.values]
    sources += list(book.skip.items())
    for source, line in sources:
        if re.search(r"\d", re.sub(r"[{<][^}>]*[}>]", "", source)):
            yield Problem(book.file, line, "digits", {"template": source})
    for template in book.templates:
        try:
            labels = Positions(template, book).labels
        except GraphError:
            continue
        for word in sorted({label.text for label in labels if isinstance(label, Word) and fold(label.text) in skip}):
            yield Problem(book.file, template.line, "skip-word-used", {"word": word, "template": template.source})


def _missing(book: CommandBook) -> Iterator[Problem]:
    heard = {template.command for template in book.templates if template.prompt}
    for name, command in COMMANDS.items():
        if command.spoken and name not in heard:
            yield Problem(book.file, 1, "command-without-wording", {"command": name})


def _twice(book: CommandBook) -> Iterator[Problem]:
    first: dict[tuple[str, str], int] = {}
    for template in book.templates:
        line = first.setdefault((template.command, template.source), template.line)
        if line != template.line:
            yield Problem(book.file, template.line, "template-twice", {"template": template.source, "first": line})


def overlaps(book: CommandBook, together: Together) -> Iterator[Problem]:
    """Yield the pairs of templates of different commands that one and the same utterance fits, with the utterance.

    Also those of one command whose slots come out differently.
    """
    graph = Graph(book)
    start = frozenset({0})
    seen: dict[frozenset[int], tuple[str, ...]] = {start: ()}
    queue = deque(seen)
    told: set[tuple[str, str]] = set()
    while queue and len(seen) < MOST_STATES:
        state = queue.popleft()
        ends = [template for node in sorted(state) if (template := graph.final[node]) is not None]
        if len(ends) > 1:
            yield from _clash(book, graph, seen[state], told, together)
        for word, after in _moves(graph, state).items():
            if after not in seen:
                seen[after] = (*seen[state], word)
                queue.append(after)


def _clash(
    book: CommandBook, graph: Graph, words: tuple[str, ...], told: set[tuple[str, str]], together: Together
) -> Iterator[Problem]:
    """Yield the clashes of one utterance, each pair of commands once."""
    utterance = tuple(token for word in words for token in word.split())
    found: dict[Any, Template] = {}
    for template, slots in graph.walk(utterance):
        command = build(template, slots)
        if command is not None:
            found.setdefault(command, template)
    commands = list(found)
    for place, one in enumerate(commands):
        for other in commands[place + 1 :]:
            pair = (one.name, other.name)
            if pair not in told and together(*pair):
                told.add(pair)
                params = {
                    "utterance": " ".join(utterance),
                    "command": one.name,
                    "other": other.name,
                    "first": found[one].line,
                }
                yield Problem(book.file, found[other].line, "overlap", params)


def _moves(graph: Graph, state: frozenset[int]) -> Mapping[str, frozenset[int]]:
    """Return the sets of positions that one more word or value leads to, each with one word for it."""
    by_word: dict[str, set[int]] = {}
    for node in state:
        for word, targets in graph.words[node].items():
            by_word.setdefault(word, set()).update(targets)
        for source, targets_of in graph.slots[node]:
            targets = [target for _, target in targets_of]
            spoken = graph.lists[source]
            for first, entries in spoken.by_word.items():
                for rest, _ in entries:
                    by_word.setdefault(" ".join((first, *rest)), set()).update(targets)
            for number in spoken.digits:
                by_word.setdefault(str(number), set()).update(targets)
    return {word: frozenset(after) for word, after in reversed(by_word.items())}


def _messages(pack: Pack) -> Iterator[Problem]:
    """Yield the sentences of the interface that another language has and this one lacks, or fills differently."""
    for language in languages():
        other = load_pack(language)
        if other.folder == pack.folder:
            continue
        for file in sorted((other.folder / "messages").glob("*.toml")):
            own = pack.folder / "messages" / file.name
            try:
                mine, theirs = read_toml(own) if own.is_file() else {}, read_toml(file)
            except UserError as error:
                yield _from_error(error)
                continue
            lines = _lines(own)
            for name, text in theirs.items():
                if name not in mine:
                    yield Problem(own, 1, "missing-message", {"name": name, "language": language})
                elif set(_BRACES.findall(str(text))) != set(_BRACES.findall(str(mine[name]))):
                    yield Problem(own, lines.get(name, 1), "message-params", {"name": name, "language": language})


def _lines(path: Path) -> dict[str, int]:
    """Return the line of each key of a flat TOML file."""
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {line.partition("=")[0].strip().strip('"'): number for number, line in enumerate(lines, 1) if "=" in line}


def _from_error(error: UserError) -> Problem:
    params = dict(error.params)
    line = params.pop("line", 1)
    return Problem(
        Path(str(params.get("file", ""))), line if isinstance(line, int) else 1, error.key.partition(".")[2], params
    )


def describe(problems: Iterable[Problem], pack: Pack) -> list[str]:
    """Return each problem as one line, ``file:line: what is wrong``, in the language of ``pack``."""
    return [
        message(pack, f"language.{problem.key}", **{"file": problem.file, "line": problem.line, **problem.params})
        for problem in problems
    ]
