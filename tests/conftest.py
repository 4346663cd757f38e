"""What all tests share: which tests run one at a time, and whether a missing component may be skipped."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

REQUIRE_ALL = os.environ.get("VOICEHOST_REQUIRE") == "all"
"""With ``VOICEHOST_REQUIRE=all`` a test that skips because something is not installed is a failure."""

OTHER_SYSTEM = "only on "
"""How the reason of a skip begins that is right everywhere but on one operating system."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put all tests that use the sound card on one worker of a parallel run (``-n 2 --dist loadgroup``)."""
    for item in items:
        if item.get_closest_marker("live"):
            item.add_marker(pytest.mark.xdist_group("live"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure where everything must be there."""
    report = yield
    if not REQUIRE_ALL or not report.skipped or hasattr(report, "wasxfail"):
        return report
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = reason.removeprefix("Skipped: ")
    if reason.startswith(OTHER_SYSTEM):
        return report
    report.outcome = "failed"
    report.longrepr = f"{item.nodeid}: skipped, but VOICEHOST_REQUIRE=all forbids it: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Do the same for a whole module that skips itself (``pytest.importorskip``)."""
    report = yield
    if REQUIRE_ALL and report.outcome == "skipped":
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid}: skipped, but VOICEHOST_REQUIRE=all forbids it: {report.longrepr}"
    return report
