"""Which tests run here: those whose peers are on this machine, and in CI all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator

import hypothesis
import pytest

from tests.support import peers

# How long one example takes depends on what else the machine does; pytest-timeout ends what hangs.
hypothesis.settings.register_profile(
    "godaemon",
    deadline=None,
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("godaemon")

LEFT_OUT = pytest.StashKey[list[str]]()


def _needed(item: pytest.Item) -> list[str]:
    """The peers that a test names: @pytest.mark.peer("gnugo"), @pytest.mark.system."""
    named = [str(name) for mark in item.iter_markers("peer") for name in mark.args]
    return [*named, "systemd"] if item.get_closest_marker("system") else named


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, visibly, the tests whose peers are not here; in CI stop instead."""
    needed = {name for item in items for name in _needed(item)}
    lacking = {name: lack for name in sorted(needed) if (lack := peers.PEERS[name].missing())}
    out = [item for item in items if lacking.keys() & set(_needed(item))]
    items[:] = [item for item in items if item not in out]
    config.hook.pytest_deselected(items=out)
    counts = Counter(name for item in out for name in _needed(item) if name in lacking)
    config.stash[LEFT_OUT] = [
        f"left out {count} that need {lacking[name]} (to run them: {peers.PEERS[name].remedy})"
        for name, count in counts.items()
    ]
    if lacking and peers.required():
        message = f"not on this machine, and required: {', '.join(lacking.values())}"
        raise pytest.UsageError(message)


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    """Say what was left out, and how to have it run."""
    return config.stash.get(LEFT_OUT, [])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where every peer is required, a test that skips itself has failed."""
    report = yield
    if report.skipped and peers.required() and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, where no test may be: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a module that skips itself."""
    report = yield
    if report.skipped and peers.required():
        report.outcome = "failed"
        report.longrepr = f"skipped, where no test may be: {report.longrepr}"
    return report
