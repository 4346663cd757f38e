"""Tests in real time disturb each other, so a parallel run must keep them on one worker."""

from __future__ import annotations

import pytest


@pytest.mark.live
def test_a_live_test_is_kept_with_the_others(request: pytest.FixtureRequest) -> None:
    together = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@live") == together
