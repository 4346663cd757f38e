"""YAML with line numbers: every value knows where it stands, so that a problem can be pointed at.

Scalars stay text until asked for their plain value, so «нет», ``on`` and ``1:30`` keep their spelling.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from voicehost.errors import UserError


class Entry:
    """One value of a YAML file; a missing one is empty and on the line of its parent."""

    def __init__(self, node: Any, line: int) -> None:
        """Wrap a node of PyYAML, or None."""
        self._node = node
        self.line = line

    def __bool__(self) -> bool:
        return self._node is not None

    @property
    def text(self) -> str:
        """The scalar as it is written; empty for everything else."""
        return self._node.value if self._node is not None and isinstance(self._node.value, str) else ""

    def plain(self) -> Any:
        """Return the scalar as None, bool, int or text."""
        kind = "" if self._node is None else self._node.tag.rpartition(":")[2]
        if kind in ("null", ""):
            return None
        if kind == "bool":
            return self.text.lower() in ("true", "yes", "on")
        if kind == "int":
            try:
                return int(self.text)
            except ValueError:
                return self.text
        return self.text

    def get(self, name: str) -> Entry:
        """Return the value under a key."""
        for key, entry in self.pairs():
            if key == name:
                return entry
        return Entry(None, self.line)

    def pairs(self) -> list[tuple[str, Entry]]:
        """Return the keys and values of a mapping, in order."""
        if self._node is None or self._node.id != "mapping":
            return []
        return [(key.value, _entry(value)) for key, value in self._node.value if isinstance(key.value, str)]

    def items(self) -> list[Entry]:
        """Return the members of a list; a lone scalar counts as a list of one."""
        if self._node is None or self._node.id == "mapping":
            return []
        if self._node.id == "scalar":
            return [self] if self.text else []
        return [_entry(node) for node in self._node.value]


def read_yaml(path: Path) -> Entry:
    """Return the root of the file.

    Raises:
        UserError: the file is missing, not UTF-8 or not YAML; with file and line.
    """
    import yaml

    try:
        source = path.read_text(encoding="utf-8")
        node = yaml.compose(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        raise UserError("language.no-file", file=path) from error
    except UnicodeDecodeError as error:
        raise UserError("language.broken-file", file=path, line=1, problem="UTF-8") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        problem = getattr(error, "problem", None) or str(error)
        raise UserError("language.broken-file", file=path, line=line, problem=problem) from error
    return Entry(node, 1) if node is None else _entry(node)


def _entry(node: Any) -> Entry:
    return Entry(node, node.start_mark.line + 1)
