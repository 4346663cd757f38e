"""Fetching one file from a server that breaks off, lies, serves something else or nothing at all."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.models.server import Manners, serving
from voicehost.download import Patience, SourceFailed, fetch
from voicehost.errors import UserError

BODY = bytes(range(256)) * 4_000
DIGEST = hashlib.sha256(BODY).hexdigest()
QUICK = Patience(timeout=2.0, tries=3, pause=0.01)


@pytest.fixture
def manners() -> Manners:
    made = Manners()
    made.files["/model.bin"] = BODY
    return made


@pytest.fixture
def address(manners: Manners) -> Iterator[str]:
    with serving(manners) as base:
        yield f"{base}/model.bin"


def get(address: str, folder: Path, **changes: Any) -> Path:
    target = folder / "model.bin"
    fetch(address, target, changes.get("size", len(BODY)), changes.get("sha256", DIGEST), patience=QUICK)
    return target


def test_a_file_arrives_whole_and_leaves_no_part(address: str, tmp_path: Path) -> None:
    assert get(address, tmp_path).read_bytes() == BODY
    assert [path.name for path in tmp_path.iterdir()] == ["model.bin"]


def test_a_broken_connection_goes_on_where_it_broke(address: str, manners: Manners, tmp_path: Path) -> None:
    manners.cut_after = [300_000, 200_000]
    assert get(address, tmp_path).read_bytes() == BODY
    assert manners.ranges == [None, "bytes=300000-", "bytes=500000-"]


def test_what_an_earlier_call_left_is_not_fetched_again(address: str, manners: Manners, tmp_path: Path) -> None:
    (tmp_path / "model.bin.part").write_bytes(BODY[:1000])
    assert get(address, tmp_path).read_bytes() == BODY
    assert manners.ranges == ["bytes=1000-"]


def test_a_part_that_is_whole_is_only_checked(address: str, manners: Manners, tmp_path: Path) -> None:
    (tmp_path / "model.bin.part").write_bytes(BODY)
    assert get(address, tmp_path).read_bytes() == BODY
    assert manners.ranges == []


@pytest.mark.parametrize("manner", ["ignore_range", "wrong_range"])
def test_a_server_that_cannot_go_on_is_asked_from_the_start(
    address: str, manners: Manners, tmp_path: Path, manner: str
) -> None:
    (tmp_path / "model.bin.part").write_bytes(b"x" * 1000)
    setattr(manners, manner, True)
    if manner == "wrong_range":
        # It goes on elsewhere, which would leave a hole; nothing of it may be kept.
        with pytest.raises(SourceFailed):
            get(address, tmp_path)
        assert not (tmp_path / "model.bin").exists()
    else:
        assert get(address, tmp_path).read_bytes() == BODY


def test_a_part_of_another_file_is_thrown_away(address: str, tmp_path: Path) -> None:
    (tmp_path / "model.bin.part").write_bytes(b"x" * 1000)
    with pytest.raises(SourceFailed, match="wrong-file"):
        get(address, tmp_path)
    assert get(address, tmp_path).read_bytes() == BODY


@pytest.mark.parametrize("lie", [-1000, 1000])
def test_a_wrong_size_ends_it_before_anything_is_written(
    address: str, manners: Manners, tmp_path: Path, lie: int
) -> None:
    manners.lie_about_size = lie
    with pytest.raises(SourceFailed, match="wrong-size"):
        get(address, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_more_than_was_announced_is_not_kept(address: str, manners: Manners, tmp_path: Path) -> None:
    manners.no_length = True
    with pytest.raises(SourceFailed, match="wrong-size"):
        get(address, tmp_path, size=len(BODY) - 1)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_the_right_size_with_other_bytes_is_refused(address: str, manners: Manners, tmp_path: Path) -> None:
    manners.files["/model.bin"] = b"z" * len(BODY)
    with pytest.raises(SourceFailed, match="wrong-file"):
        get(address, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_redirections_are_followed(address: str, manners: Manners, tmp_path: Path) -> None:
    manners.redirects["/elsewhere"] = "/model.bin"
    assert get(address.replace("model.bin", "elsewhere"), tmp_path).read_bytes() == BODY


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/model.bin"])
def test_a_redirection_out_of_the_web_is_not(address: str, manners: Manners, tmp_path: Path, target: str) -> None:
    manners.redirects["/model.bin"] = target
    with pytest.raises(SourceFailed, match=r"unreachable|refused"):
        get(address, tmp_path)


def test_redirections_in_a_circle_end(address: str, manners: Manners, tmp_path: Path) -> None:
    manners.redirects["/model.bin"] = "/model.bin"
    with pytest.raises(SourceFailed, match="refused"):
        get(address, tmp_path)


def test_a_refusal_is_told_with_its_status(address: str, tmp_path: Path) -> None:
    with pytest.raises(SourceFailed) as failure:
        get(address.replace("model", "other"), tmp_path)
    assert (failure.value.why, failure.value.params["status"]) == ("refused", 404)


def test_a_server_that_is_busy_is_asked_again(address: str, manners: Manners, tmp_path: Path) -> None:
    manners.statuses = [503, 503]
    assert get(address, tmp_path).read_bytes() == BODY


def test_a_server_that_stays_busy_is_given_up(address: str, manners: Manners, tmp_path: Path) -> None:
    manners.statuses = [503] * 10
    with pytest.raises(SourceFailed, match="refused"):
        get(address, tmp_path)
    assert len(manners.ranges) == QUICK.tries


def test_silence_is_a_broken_connection(address: str, manners: Manners, tmp_path: Path) -> None:
    manners.wait = 1.0
    with pytest.raises(SourceFailed, match="unreachable"):
        fetch(address, tmp_path / "f", len(BODY), DIGEST, patience=Patience(timeout=0.1, tries=2, pause=0.01))


def test_nobody_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceFailed, match="unreachable"):
        get("http://127.0.0.1:9/model.bin", tmp_path)


def test_a_full_disk_is_told_before_anything_is_fetched(
    address: str, manners: Manners, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=1_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(UserError) as failure:
        get(address, tmp_path)
    assert failure.value.key == "models.no-space"
    assert manners.ranges == []


def test_progress_grows_to_the_whole_size(address: str, manners: Manners, tmp_path: Path) -> None:
    manners.cut_after = [300_000]
    told: list[tuple[str, int, int]] = []
    fetch(address, tmp_path / "model.bin", len(BODY), DIGEST, lambda *step: told.append(step), QUICK)
    done = [step[1] for step in told]
    assert done == sorted(done)
    assert told[0] == ("model.bin", 0, len(BODY))
    assert told[-1] == ("model.bin", len(BODY), len(BODY))
