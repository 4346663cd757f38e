"""The pages need the ``web`` extra."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="the web extra is not installed")
pytest.importorskip("sse_starlette", reason="the web extra is not installed")
pytest.importorskip("jinja2", reason="the web extra is not installed")
pytest.importorskip("uvicorn", reason="the web extra is not installed")
pytest.importorskip("segno", reason="the web extra is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")
