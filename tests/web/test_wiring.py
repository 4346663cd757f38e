"""``voicehost play`` with pages: when they are on, what is printed, what happens without the extra."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from voicehost.cli import pages
from voicehost.cli.texts import interface
from voicehost.errors import UserError


class Options:
    """The options that pages look at."""

    def __init__(self, web: str | None, journal: Path) -> None:
        self.web = web
        self.journal = journal / "journal.db"


def setup(mode: str) -> Any:
    from tests.web.stage import home, hosted

    return home(seed=1) if mode == "home" else hosted()


@pytest.mark.parametrize(
    ("web", "mode", "virtual", "on"),
    [
        (None, "hosted", False, False),
        ("", "hosted", False, True),
        ("", "hosted", True, True),
        (None, "home", False, True),
        (None, "home", True, False),
        ("127.0.0.1:0", "home", True, True),
    ],
)
async def test_when_pages_are_served(tmp_path: Path, web: str | None, mode: str, virtual: bool, on: bool) -> None:
    found = pages.open_pages(Options(web, tmp_path), setup(mode), lambda item: None, virtual=virtual)  # type: ignore[arg-type]
    assert isinstance(found, pages.Pages) is on
    await found.stop()


async def test_without_the_extra_the_game_goes_on_and_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "starlette", None)
    for mode, web in (("home", None), ("hosted", "")):
        found = pages.open_pages(Options(web, tmp_path), setup(mode), lambda item: None, virtual=False)  # type: ignore[arg-type]
        assert type(found) is pages.NoPages
        said = capsys.readouterr().err.strip().splitlines()
        assert len(said) == 1
        assert 'pip install "voicehost[web]"' in said[0]


async def test_a_certificate_that_cannot_be_used_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(pages.CERTIFICATE, str(tmp_path / "none.pem"))
    with pytest.raises(UserError) as error:
        pages.open_pages(Options("127.0.0.1:0", tmp_path), setup("hosted"), lambda item: None, virtual=False)  # type: ignore[arg-type]
    assert error.value.key == "web.bad-certificate"


def test_every_sentence_is_there_in_both_languages() -> None:
    import tomllib

    from tests.components import REPOSITORY

    found = {}
    for language in ("ru", "bg"):
        text = (REPOSITORY / "phrases" / language / "messages" / "web.toml").read_text(encoding="utf-8")
        found[language] = {key: sorted(re.findall(r"{\w+}", value)) for key, value in tomllib.loads(text).items()}
    assert found["ru"] == found["bg"]
    assert "{" not in interface("web.missing", command="x")


def test_labels_are_the_same_in_every_language_and_all_that_scripts_use() -> None:
    from voicehost.web.labels import LANGUAGES, labels
    from voicehost.web.pages import static_files

    keys = {
        language: {k: sorted(re.findall(r"{\w+}", v)) for k, v in labels(language).items()} for language in LANGUAGES
    }
    assert keys["ru"] == keys["bg"] == keys["en"]
    used = set()
    for name, file in static_files().items():
        if name.endswith(".js"):
            used |= set(re.findall(r"\bt\(\"([\w-]+)\"", file.body.decode()))
    assert used <= keys["ru"].keys()


async def test_a_home_game_prints_where_to_go(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "voicehost", "play", "--mode", "home", "--input", "text", "--voice", "none"]
    process = await asyncio.create_subprocess_exec(
        *program,
        *("--web", "127.0.0.1:0", "--json", "--journal", str(tmp_path / "journal.db")),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    assert process.stdin is not None
    lines = []
    while not any("/join#" in line for line in lines):
        lines.append((await asyncio.wait_for(process.stderr.readline(), 60)).decode())
    text = "".join(lines)
    host = re.search(r"(http://127\.0\.0\.1:\d+)/host#(\S+)", text)
    assert host is not None
    base, key = host.groups()
    async with httpx.AsyncClient(base_url=base, headers={"origin": base}) as client:
        assert (await client.get("/")).status_code == 200
        assert (await client.post("/api/enter", json={"door": "host", "key": key})).status_code == 200
        answer = await client.post("/api/host", json={"command": "start-game"})
        assert answer.json() == {"reason": ""}
    process.stdin.close()
    out, _ = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0
    assert '"name": "game-started"' in out.decode()
    assert "http" not in out.decode()
    assert (tmp_path / "pages.json").exists()
