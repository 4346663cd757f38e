"""What all tests share: which tests run one at a time and may be tried again, and what may be skipped."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator

import pytest

from tests.components import Misheard

REQUIRE_ALL = os.environ.get("VOICEHOST_REQUIRE") == "all"
"""With ``VOICEHOST_REQUIRE=all`` a test that skips because something is not installed is a failure."""

OTHER_SYSTEM = "only on "
"""How the reason of a skip begins that is right everywhere but on one operating system."""


def pytest_configure() -> None:
    """Let Ctrl-C be tested where a shell that runs the tests in the background has it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put all tests that use the sound card on one worker of a parallel run (``-n 2 --dist loadgroup``).

    It must come first: a worker looks for the groups in the same hook.

    They run in real time, so one that fails is tried again, twice at most: a busy computer leaves gaps in the sound.
    """
    for item in items:
        if item.get_closest_marker("live"):
            item.add_marker(pytest.mark.xdist_group("live"))
            if config.pluginmanager.hasplugin("rerunfailures"):
                item.add_marker(pytest.mark.flaky(reruns=2, condition=_may_be_chance))


def _may_be_chance(error: BaseException | None) -> bool:
    """Tell whether a failure may be the busy computer's: a wrong command and a missing component are not."""
    return not isinstance(error, (Misheard, pytest.skip.Exception))


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure where everything must be there, before other plugins see it."""
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
