"""Brings one file here: resumed where it broke off, never longer than it should be, and only if its checksum fits."""

from __future__ import annotations

import hashlib
import http.client
import os
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import urlsplit

from voicehost import __version__
from voicehost.errors import UserError

Progress = Callable[[str, int, int], None]
"""Told what is being fetched, how many bytes of it are here, and of how many."""

_CHUNK = 256 * 1024
_SPARE = 50_000_000
"""Bytes of the disk that are left alone."""


class SourceFailed(Exception):
    """A source could not give what was asked for; another one may.

    ``why`` names a sentence of the messages file ``models``, ``params`` fill it.
    """

    def __init__(self, why: str, **params: object) -> None:
        super().__init__(why, params)
        self.why = why
        self.params = params


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to try."""

    timeout: float = 30.0
    """Seconds without a byte after which a connection counts as broken."""
    tries: int = 4
    """Connections in a row that bring nothing new before a source is given up."""
    pause: float = 1.0
    """Seconds before the second try; doubled for each further one."""


def fetch(
    address: str,
    target: Path,
    size: int,
    sha256: str,
    progress: Progress = lambda what, done, total: None,
    patience: Patience | None = None,
) -> None:
    """Fetch a file; what is here of it already (``NAME.part``) is not fetched again.

    The part stays when the connection breaks, so that a later call goes on; ``target`` appears only whole.

    Raises:
        SourceFailed: ``unreachable``, ``refused`` (status), ``wrong-size`` or ``wrong-file``.
        UserError: ``models.no-space`` or ``models.unwritable``.
    """
    patience = patience or Patience()
    part = target.with_name(target.name + ".part")
    here = part.stat().st_size if part.exists() else 0
    if here > size:
        part.unlink()
        here = 0
    check_space(target.parent, size - here)
    failures = 0
    while here < size:
        progress(target.name, here, size)
        reason: SourceFailed
        try:
            before, here = here, _receive(address, part, here, size, target.name, progress, patience.timeout)
            reason = SourceFailed("unreachable", address=address, detail=f"{here} / {size}")
        except SourceFailed:
            part.unlink(missing_ok=True)
            raise
        except urllib.error.HTTPError as error:
            error.close()
            if error.code < 500 and error.code not in {408, 429}:
                raise SourceFailed("refused", address=address, status=error.code) from error
            before, reason = here, SourceFailed("refused", address=address, status=error.code)
        except (OSError, http.client.HTTPException, ValueError) as error:
            _raise_if_local(error, part)
            before, here = here, part.stat().st_size if part.exists() else 0
            reason = SourceFailed("unreachable", address=address, detail=_told(error))
        if here >= size:
            break
        failures = 0 if here > before else failures + 1
        if failures >= patience.tries:
            raise reason
        sleep(patience.pause * 2 ** max(0, failures - 1))
    if size == 0:
        part.touch()
    if here > size:
        part.unlink()
        raise SourceFailed("wrong-size", address=address, size=here, wanted=size)
    if checksum(part) != sha256:
        part.unlink()
        raise SourceFailed("wrong-file", address=address)
    progress(target.name, size, size)
    os.replace(part, target)


def checksum(path: Path) -> str:
    """The sha256 of a file, in small hexadecimal letters."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while data := file.read(_CHUNK):
            digest.update(data)
    return digest.hexdigest()


def check_space(folder: Path, needed: int) -> None:
    """See that a folder's disk has room.

    Raises:
        UserError: ``models.no-space``.
    """
    free = shutil.disk_usage(folder).free
    if free < needed + _SPARE:
        raise UserError("models.no-space", folder=folder, needed=(needed + _SPARE) // 1_000_000, free=free // 1_000_000)


class _OnlyWeb(urllib.request.HTTPRedirectHandler):
    """Follows redirections to other web addresses only, and not from an encrypted to an open one."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        """Return the request to go on with."""
        schemes = urlsplit(req.full_url).scheme, urlsplit(newurl).scheme
        if schemes[1] not in {"http", "https"} or schemes == ("https", "http"):
            raise SourceFailed("unreachable", address=req.full_url, detail=newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _receive(address: str, part: Path, here: int, size: int, name: str, progress: Progress, timeout: float) -> int:
    """Receive what one connection gives; return how much is here then. Sizes that cannot be right end it at once."""
    headers = {"User-Agent": f"voicehost/{__version__}", "Accept-Encoding": "identity"}
    if here:
        headers["Range"] = f"bytes={here}-"
    opener = urllib.request.build_opener(_OnlyWeb)
    with opener.open(urllib.request.Request(address, headers=headers), timeout=timeout) as answer:
        resumed = answer.status == 206 and _begins_at(answer.headers.get("Content-Range", ""), here)
        if here and not resumed:
            here = 0
        length = answer.headers.get("Content-Length")
        if length is not None and length.isdecimal() and here + int(length) != size:
            raise SourceFailed("wrong-size", address=address, size=here + int(length), wanted=size)
        with part.open("ab" if here else "wb") as file:
            while data := answer.read(_CHUNK):
                here += len(data)
                if here > size:
                    raise SourceFailed("wrong-size", address=address, size=here, wanted=size)
                file.write(data)
                progress(name, here, size)
    return here


def _begins_at(content_range: str, here: int) -> bool:
    """Whether an answer goes on exactly where it should: ``bytes 100-199/200``."""
    unit, _, span = content_range.partition(" ")
    return unit == "bytes" and span.partition("-")[0] == str(here)


def _raise_if_local(error: Exception, part: Path) -> None:
    """Tell a full or closed disk from a broken connection."""
    import errno

    if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EDQUOT}:
        raise UserError("models.unwritable", folder=part.parent, detail=error.strerror) from error


def _told(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    return " ".join(str(reason).split()) or type(error).__name__
