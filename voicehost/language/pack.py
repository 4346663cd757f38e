"""The phrase pack of a language: everything that is said and understood, loaded from ``phrases/LANG``.

A pack is a folder with ``commands.yaml``, ``announcements.toml``, ``numbers.toml``, ``prompts.toml``, ``talk.toml`` and
``messages/*.toml``. Each part is read when it is first used.
"""

from __future__ import annotations

import tomllib
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voicehost.errors import UserError
from voicehost.language.numerals import Numerals, read_numerals

if TYPE_CHECKING:
    from voicehost.language.book import CommandBook
    from voicehost.language.graph import Graph


class Pack:
    """One language's phrases."""

    def __init__(self, folder: Path) -> None:
        """Take the folder; nothing is read yet."""
        self.folder = folder

    @property
    def language(self) -> str:
        """The language's code, which is the folder's name: ``ru``."""
        return self.folder.name

    @cached_property
    def numerals(self) -> Numerals:
        """The number words.

        Raises:
            UserError: ``numbers.toml`` is missing or broken.
        """
        path = self.folder / "numbers.toml"
        try:
            return read_numerals(read_toml(path))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UserError("language.broken-file", file=path, line=1, problem=error) from error

    @cached_property
    def announcements(self) -> dict[str, Any]:
        """The parsed ``announcements.toml``: what the host says.

        Raises:
            UserError: the file is missing or broken.
        """
        return read_toml(self.folder / "announcements.toml")

    @cached_property
    def prompts(self) -> dict[str, str]:
        """What sounds like a game, by the command that it waits for, and ``day``; empty: the pack has none.

        Raises:
            UserError: ``prompts.toml`` is broken.
        """
        path = self.folder / "prompts.toml"
        return {name: str(text) for name, text in read_toml(path).items()} if path.is_file() else {}

    @cached_property
    def decoys(self) -> tuple[str, ...]:
        """Table talk that resembles commands and is none; empty: the pack has none.

        Raises:
            UserError: ``talk.toml`` is broken.
        """
        return self._talk("decoys")

    @cached_property
    def fillers(self) -> tuple[str, ...]:
        """Words that hosts say before or behind a command and that mean nothing; empty: the pack has none.

        Raises:
            UserError: ``talk.toml`` is broken.
        """
        return self._talk("fillers")

    def _talk(self, name: str) -> tuple[str, ...]:
        path = self.folder / "talk.toml"
        return tuple(str(phrase) for phrase in read_toml(path).get(name, ())) if path.is_file() else ()

    @cached_property
    def messages(self) -> dict[str, dict[str, str]]:
        """The interface sentences, by file and name.

        Raises:
            UserError: a file is broken.
        """
        files = sorted((self.folder / "messages").glob("*.toml"))
        return {path.stem: {name: str(text) for name, text in read_toml(path).items()} for path in files}

    @cached_property
    def commands(self) -> CommandBook:
        """The parsed templates of ``commands.yaml``: what people may say.

        Raises:
            UserError: the file is missing or broken.
        """
        from voicehost.language.book import read_commands

        return read_commands(self.folder / "commands.yaml", self.numerals)

    @cached_property
    def graph(self) -> Graph:
        """The templates, compiled for parsing.

        Raises:
            UserError: the file is missing or broken.
        """
        from voicehost.language.graph import Graph

        return Graph(self.commands)

    @cached_property
    def wide_graph(self) -> Graph:
        """The same with seats that no table has, to tell «выставляю номер ноль» from what is no command.

        Raises:
            UserError: the file is missing or broken.
        """
        from voicehost.language.book import read_commands
        from voicehost.language.graph import Graph

        return Graph(read_commands(self.folder / "commands.yaml", self.numerals, beyond=True))


def load_pack(language: str | Path) -> Pack:
    """Return the pack of a language, or of a folder when a path is given; the same object each time.

    Raises:
        UserError: there is no such language.
    """
    if isinstance(language, Path) or "/" in language or "\\" in language:
        folder = Path(language).resolve()
    else:
        folder = phrases_folder() / language
    if not (folder / "numbers.toml").is_file():
        raise UserError("language.unknown-language", language=language, known=", ".join(languages()))
    return _pack(folder)


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that come with the program."""
    return tuple(sorted(path.parent.name for path in phrases_folder().glob("*/numbers.toml")))


@cache
def phrases_folder() -> Path:
    """Return the folder of all packs: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_data" / "phrases"
    return inside if inside.is_dir() else package.parent / "phrases"


def read_toml(path: Path) -> dict[str, Any]:
    """Return the parsed TOML file.

    Raises:
        UserError: it is missing, not UTF-8, or not TOML.
    """
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise UserError("language.no-file", file=path) from error
    except ValueError as error:  # tomllib's own error and UnicodeDecodeError are both
        raise UserError("language.broken-file", file=path, line=1, problem=error) from error


@cache
def _pack(folder: Path) -> Pack:
    return Pack(folder)
