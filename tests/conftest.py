"""The tiers of the tests, the cheap ones first; tests whose peer is missing are deselected."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from functools import cache
from pathlib import Path

import hypothesis
import pytest

from tests.support import leftovers, peers, stores

# No deadlines: how long an example takes depends on the load. pytest-timeout ends what hangs.
for _profile, _examples in (("ci", 40), ("quick", 10)):
    hypothesis.settings.register_profile(
        _profile,
        max_examples=_examples,
        deadline=None,
        print_blob=True,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# Path prefixes of each tier: the longest prefix of a test's path decides its tier.
TIERS = {
    "unit": (
        *("config", "diagrams", "games", "records", "rules", "gtp/test_argument_readers.py"),
        *("mailgate/language", "mailgate/reading"),
        *("mailgate/test_tokens.py", "test_doctests.py"),
    ),
    "room": ("", "mailgate/reading/test_reply_letters.py"),
    "wire": ("cli", "wire", "test_readme.py"),
    "benchmark": ("benchmarks",),
    "crash": ("crash",),
    "system": ("systemd",),
}
# As in .ci/run: each worker, and hundreds of programs, would compile all of it again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# A background job ignores Ctrl-C, and all that it starts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Collecting makes a million objects that all stay alive: garbage collection would be a waste.
gc.disable()

LONG_NAME = 500
"""Longer texts (in characters; a large board is shorter) do not go into the name of a test."""
LONG = ("benchmark", "crash", "system")
"""Tiers that run only with --all, or if their folder or a marker is named."""
LEFT_OUT = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --store, the kind of store for every test, and --all, which also runs long tests."""
    kinds = ("sqlite", "postgresql")
    parser.addoption("--store", choices=kinds, default="sqlite", help="the store of every test")
    parser.addoption("--all", action="store_true", help="the tests that take long, too")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """1.5 processes per core, as many tests wait for daemons; units do not; none for one file."""
    files = [arg.partition("::")[0].endswith(".py") for arg in config.args]
    if all(files) and config.args_source is pytest.Config.ArgsSource.ARGS:
        return 0
    cores = len(os.sched_getaffinity(0))
    return cores if config.option.markexpr == "unit" else cores * 3 // 2


@pytest.hookimpl(tryfirst=True)  # before xdist starts its workers, which use the same server
def pytest_sessionstart(session: pytest.Session) -> None:
    """Start the PostgreSQL server for --store; each test has its own database on it."""
    config = session.config
    if config.option.store == "postgresql" and not hasattr(config, "workerinput"):
        stack = contextlib.ExitStack()
        stack.enter_context(stores.server_for_all())
        config.add_cleanup(stack.close)


@pytest.fixture(autouse=True)
def _databases_dropped() -> Iterator[None]:
    """Drop the databases that a test has made on the server."""
    with stores.dropped():
        yield


def pytest_configure(config: pytest.Config) -> None:
    """Start the watcher that kills leftovers, once: not in the workers of xdist."""
    if not hasattr(config, "workerinput"):
        leftovers.watch()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Turn garbage collection on again, without the collected tests; check the xdist groups."""
    if getattr(session.config.option, "loadgroup", False):
        alone = [item for item in session.items if item.get_closest_marker("xdist_group")]
        assert all("@" in item.nodeid for item in alone), "xdist would boot two boxes at a time"
    gc.enable()
    gc.freeze()


@cache
def _tier_of_path(path: Path) -> str:
    """The tier of a file of tests."""
    place = path.relative_to(Path(__file__).parent).as_posix()
    _, tier = max(
        (len(folder), tier)
        for tier, folders in TIERS.items()
        for folder in folders
        if place.startswith(folder)
    )
    return tier


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With -m unit no other file is imported, as that alone would take as long as the units do."""
    wanted = config.option.markexpr
    if collection_path.suffix != ".py" or wanted not in TIERS:
        return None
    tier = _tier_of_path(collection_path)
    return None if tier == wanted or (tier, wanted) == ("unit", "room") else True


def _tier(item: pytest.Item) -> str:
    """The tier of a test's file; a slow one, or one with a peer, is no unit."""
    tier = _tier_of_path(item.path)
    heavy = any(item.get_closest_marker(name) for name in ("slow", "peer"))
    return "room" if tier == "unit" and heavy else tier


def _needed(item: pytest.Item) -> list[str]:
    """The peers that a test names: @pytest.mark.peer("gnugo"); systemd, of its tier."""
    named = [str(name) for mark in item.iter_markers("peer") for name in mark.args]
    return [*named, "systemd"] if item.get_closest_marker("system") else named


def _group(item: pytest.Item, tier: str) -> str:
    """The xdist group of a test; "" if any worker may run it.

    Crash and system tests run one at a time. Tests that share a module fixture stay on one worker.
    """
    if tier in ("crash", "system"):
        return tier
    known = item._fixtureinfo.name2fixturedefs if isinstance(item, pytest.Function) else {}
    shared = any(found[-1].scope == "module" for found in known.values())
    return item.nodeid.partition("::")[0] if shared else ""


@pytest.hookimpl(tryfirst=True)  # so that -m knows the tiers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark each test with its tier, and put the cheap ones first; then see to the peers."""
    tiers = {item: _tier(item) for item in items}
    for item, tier in tiers.items():
        item.add_marker(tier)
        if (group := _group(item, tier)) and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(group))
    order = list(TIERS)
    items.sort(key=lambda item: order.index(tiers[item]))
    _leave_out(config, items)
    if not _wants_all(config):
        _leave_out_long(config, items, tiers)
    if config.option.store != "sqlite":
        _leave_out_sqlite(config, items)
    if hasattr(config, "workerinput") and getattr(config.option, "loadgroup", False):
        _mix(items, tiers)


def _mix(items: list[pytest.Item], tiers: Mapping[pytest.Item, str]) -> None:
    """Mix tests that wait for daemons with tests that compute, so that workers do not idle.

    Only with --dist loadgroup: otherwise module fixtures would be set up again and again.
    """
    many, seen = Counter(tiers[item] for item in items), Counter[str]()
    place = {}
    for item in items:
        tier = tiers[item]
        seen[tier] += 1
        place[item] = seen[tier] / many[tier] * (0.8 if tier == "wire" else 1)
    items.sort(key=place.__getitem__)


def _leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect and report the tests whose peers are missing; in CI stop instead."""
    needed = {name for item in items for name in _needed(item)}
    lacking = {name: lack for name in sorted(needed) if (lack := peers.PEERS[name].missing())}
    out = [item for item in items if lacking.keys() & set(_needed(item))] if lacking else []
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


def _wants_all(config: pytest.Config) -> bool:
    """True if tests were chosen or --all was given; a plain `pytest` takes five minutes at most."""
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    return bool(config.option.all or config.option.markexpr or config.option.keyword or named)


def _leave_out_long(
    config: pytest.Config, items: list[pytest.Item], tiers: Mapping[pytest.Item, str]
) -> None:
    """Leave out what takes long: whole tiers, and @pytest.mark.slow."""
    long = {item for item in items if tiers[item] in LONG or item.get_closest_marker("slow")}
    items[:] = [item for item in items if item not in long]
    config.hook.pytest_deselected(items=[*long])
    config.stash[LEFT_OUT] += [f"left out {len(long)} that take long (to run them: --all)"]


def _leave_out_sqlite(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that are about SQLite itself: @pytest.mark.sqlite("its files")."""
    matters = {item: mark.args[0] for item in items if (mark := item.get_closest_marker("sqlite"))}
    items[:] = [item for item in items if item not in matters]
    config.hook.pytest_deselected(items=list(matters))
    config.stash[LEFT_OUT] += [
        f"left out {count} that are about SQLite: {matter}"
        for matter, count in Counter(matters.values()).items()
    ]


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    """Say what was left out, and how to have it run."""
    return config.stash.get(LEFT_OUT, [])


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Keep long texts out of test names, which xdist sends with every report."""
    if not isinstance(val, str | bytes) or len(val) <= LONG_NAME:
        return None
    return f"{argname} of {len(val)}"


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
