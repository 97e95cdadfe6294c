"""Order the tests by tier, cheapest first; deselect tests whose peer program is missing."""

import contextlib
import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import hypothesis
import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck

from tests.support import leftovers

if TYPE_CHECKING:  # importing the store would take longer than pytest and Hypothesis together
    from godaemon.storage.database import Database
    from godaemon.storage.writer import WriterThread

# No deadlines: the time of an example depends on the load. pytest-timeout stops hanging tests.
# In CI examples are always the same: a run must fail only for the change that is tested.
BY_CHANCE = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
"""What Hypothesis reports depending on load and luck."""
for _profile, _examples in (("ci", 40), ("quick", 10)):
    hypothesis.settings.register_profile(
        _profile,
        max_examples=_examples,
        deadline=None,
        derandomize=_profile == "ci",
        print_blob=True,
        suppress_health_check=BY_CHANCE,
    )
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# Path prefixes of each tier. The longest matching prefix decides.
TIERS = {
    "unit": (
        *("config", "diagrams", "games", "records", "rules", "gtp/test_argument_readers.py"),
        *("mailgate/language", "mailgate/reading"),
        *("mailgate/test_tokens.py", "test_doctests.py"),
    ),
    "room": (
        *("", "mailgate/reading/test_reply_letters.py", "config/test_man_pages.py"),
        *("mailgate/language/test_closings.py", "mailgate/language/test_forms.py"),
        *("games/test_any_game.py", "games/test_bouncing_addresses.py", "games/test_game_cache.py"),
        *("games/test_forged_letters.py", "games/test_ratings.py", "games/test_service.py"),
        "games/test_stranger_limits.py",
    ),
    "wire": ("cli", "wire", "test_readme.py"),
    "benchmark": ("benchmarks",),
    "crash": ("crash",),
    "system": ("systemd",),
}
# As in .ci/run: without bytecode each worker and program would compile all modules again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# A background job ignores Ctrl-C; its children would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Collecting allocates a million live objects: garbage collection would only cost time.
gc.disable()

ROWS = 16
"""Rows of a table that one worker runs in a row: each group of tests costs messages and time."""
STARTS = {"system": 0.0, "crash": 0.4, "wire": 0.8}
"""The place of a tier in a run of all tiers, as a factor: the longest groups start early."""
SLOW = 0.9
"""The same for slow tests: none begins when the other workers have nothing left."""
TOLD = 0.1
"""A setup or teardown of at least so many seconds is reported, for --durations."""
LONG_NAME = 500
"""Maximum length of a text in a test's name, in characters; enough for a large board."""
LONG = ("benchmark", "crash", "system")
"""Tiers that run only with --all, or if a path or marker was given."""
LEFT_OUT = pytest.StashKey[list[str]]()
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --store (the kind of store for every test) and --all (run long tests too)."""
    kinds = ("sqlite", "postgresql")
    parser.addoption("--store", choices=kinds, default="sqlite", help="the store of every test")
    parser.addoption("--all", action="store_true", help="run long tests too")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """1.5 workers per core, as tests wait for daemons; 1 per core for units; 0 for single files."""
    files = [arg.partition("::")[0].endswith(".py") for arg in config.args]
    if all(files) and config.args_source is pytest.Config.ArgsSource.ARGS:
        return 0
    cores = len(os.sched_getaffinity(0))
    return cores if config.option.markexpr == "unit" else cores * 3 // 2


@pytest.fixture
def database(tmp_path: Path) -> Iterator["Database"]:
    """A new store in `tmp_path`."""
    from tests.support import stores

    with contextlib.closing(stores.fresh(tmp_path)) as database:
        yield database


@pytest.fixture
def writer(database: "Database") -> Iterator["WriterThread"]:
    """The writer of a new store."""
    from godaemon.storage.writer import WriterThread

    with WriterThread(database) as writer:
        yield writer


def pytest_configure(config: pytest.Config) -> None:
    """Start the watcher that kills leftover processes, not in xdist workers; prepare --store."""
    if not hasattr(config, "workerinput"):
        leftovers.watch()
    if config.option.store == "postgresql":
        config.pluginmanager.import_plugin("tests.support.store_on_a_server")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Enable garbage collection again, freezing the collected tests; check the xdist groups."""
    if getattr(session.config.option, "loadgroup", False):
        alone = [item for item in session.items if item.get_closest_marker("xdist_group")]
        assert all("@" in item.nodeid for item in alone), "xdist would boot two boxes at a time"
    gc.enable()
    gc.freeze()


@cache
def _tier_of_path(path: Path) -> str:
    place = path.relative_to(Path(__file__).parent).as_posix()
    _, tier = max(
        (len(folder), tier)
        for tier, folders in TIERS.items()
        for folder in folders
        if place.startswith(folder)
    )
    return tier


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With -m TIER, skip importing files of other tiers: it takes as long as all unit tests."""
    wanted = config.option.markexpr
    if wanted not in TIERS or (collection_path.suffix != ".py" and collection_path.is_file()):
        return None
    files = collection_path.rglob("*.py") if collection_path.is_dir() else (collection_path,)
    tiers = {_tier_of_path(file) for file in files if file.name != "conftest.py"}
    return None if wanted in tiers or (wanted == "room" and "unit" in tiers) else True


def _tier(item: pytest.Item) -> str:
    """The tier of a test: that of its file, but slow tests and tests with a peer are no units."""
    tier = _tier_of_path(item.path)
    return "room" if tier == "unit" and {"slow", "peer"} & _marks(item) else tier


def _marks(item: pytest.Item) -> set[str]:
    """The names of a test's markers: of itself, its class and its module."""
    return {mark.name for node in item.iter_parents() for mark in node.own_markers}


def _needed(item: pytest.Item, tier: str) -> list[str]:
    """The peers of a test: those of @pytest.mark.peer("gnugo"), and systemd for tier `system`."""
    named = [str(name) for mark in item.iter_markers("peer") for name in mark.args]
    return [*named, "systemd"] if tier == "system" else named


def _group(item: pytest.Item, tier: str, rows: Counter[str]) -> str:
    """The xdist group of a test; "" if any worker may run it.

    Crash and system tests run one at a time. Tests that share a module fixture stay on one worker,
    and so do `ROWS` quick rows of a table; `rows` counts them.
    """
    if tier in ("crash", "system"):
        return tier
    fixtures = item._fixtureinfo.name2fixturedefs if isinstance(item, pytest.Function) else {}
    if any(definitions[-1].scope == "module" for definitions in fixtures.values()):
        return item.nodeid.partition("::")[0]
    table, row, _ = item.nodeid.partition("[")
    if not row or tier == "wire" or "slow" in _marks(item):
        return ""
    rows[table] += 1
    return f"{table} {rows[table] // ROWS}"


@pytest.hookimpl(tryfirst=True)  # so that -m knows the tiers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark each test with its tier, sort by tier, and deselect what cannot or need not run."""
    tiers, rows = {item: _tier(item) for item in items}, Counter[str]()
    for item, tier in tiers.items():
        item.add_marker(tier)
        if (group := _group(item, tier, rows)) and "xdist_group" not in _marks(item):
            item.add_marker(pytest.mark.xdist_group(group))
    order = list(TIERS)
    items.sort(key=lambda item: order.index(tiers[item]))
    _leave_out(config, items, tiers)
    if not _wants_all(config):
        _leave_out_long(config, items, tiers)
    if config.option.store != "sqlite":
        _leave_out_sqlite(config, items)
    if hasattr(config, "workerinput") and getattr(config.option, "loadgroup", False):
        _mix(items, tiers)


def _mix(items: list[pytest.Item], tiers: Mapping[pytest.Item, str]) -> None:
    """Interleave tests that wait for daemons with tests that compute, so that no worker idles.

    Only with --dist loadgroup: otherwise module fixtures would be set up repeatedly.
    """
    totals, seen = Counter(tiers[item] for item in items), Counter[str]()
    place = {}
    for item in items:
        tier = tiers[item]
        seen[tier] += 1
        early = STARTS.get(tier, 1) * (SLOW if "slow" in _marks(item) else 1)
        place[item] = seen[tier] / totals[tier] * early
    items.sort(key=place.__getitem__)


def _leave_out(
    config: pytest.Config, items: list[pytest.Item], tiers: Mapping[pytest.Item, str]
) -> None:
    """Deselect and report tests whose peers are missing; with required peers raise `UsageError`."""
    config.stash[LEFT_OUT] = []
    needed = {item: names for item in items if (names := _needed(item, tiers[item]))}
    if not needed or config.option.markexpr == "unit":
        return  # a test with a peer is no unit
    from tests.support import peers  # loads the store

    wanted = sorted({name for names in needed.values() for name in names})
    lacking = {name: lack for name in wanted if (lack := peers.PEERS[name].missing())}
    out = {item: names for item, names in needed.items() if not lacking.keys().isdisjoint(names)}
    items[:] = [item for item in items if item not in out]
    config.hook.pytest_deselected(items=[*out])
    counts = Counter(name for names in out.values() for name in names if name in lacking)
    config.stash[LEFT_OUT] = [
        f"left out {count} that need {lacking[name]} (to run them: {peers.PEERS[name].remedy})"
        for name, count in counts.items()
    ]
    if lacking and _every_test_is_required():
        message = f"not on this machine, and required: {', '.join(lacking.values())}"
        raise pytest.UsageError(message)


def _wants_all(config: pytest.Config) -> bool:
    """True if tests were selected or --all was given."""
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    return bool(config.option.all or config.option.markexpr or config.option.keyword or named)


def _leave_out_long(
    config: pytest.Config, items: list[pytest.Item], tiers: Mapping[pytest.Item, str]
) -> None:
    """Deselect the tiers `LONG` and tests marked @pytest.mark.slow."""
    long = {item for item in items if tiers[item] in LONG or "slow" in _marks(item)}
    items[:] = [item for item in items if item not in long]
    config.hook.pytest_deselected(items=[*long])
    config.stash[LEFT_OUT] += [f"left out {len(long)} that take long (to run them: --all)"]


def _leave_out_sqlite(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests about SQLite itself: @pytest.mark.sqlite("its files")."""
    topics = {item: mark.args[0] for item in items if (mark := item.get_closest_marker("sqlite"))}
    items[:] = [item for item in items if item not in topics]
    config.hook.pytest_deselected(items=list(topics))
    config.stash[LEFT_OUT] += [
        f"left out {count} that are about SQLite: {topic}"
        for topic, count in Counter(topics.values()).items()
    ]


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    """Report the deselected tests, and how to run them."""
    return config.stash.get(LEFT_OUT, [])


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Replace long texts in test names; xdist sends the name with every report."""
    if not isinstance(val, str | bytes) or len(val) <= LONG_NAME:
        return None
    return f"{argname} of {len(val)}"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """In a worker, report a test once: five messages to pytest cost more than most tests.

    Setups and teardowns are reported if they fail, skip the test or take long.
    """
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed or report.duration >= TOLD:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With required peers, a test that skips itself fails."""
    report = yield
    return report if hasattr(report, "wasxfail") else _failed_if_skipped(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """With required peers, a module that skips itself fails."""
    return _failed_if_skipped((yield))


def _every_test_is_required() -> bool:
    """True if every peer must be present, and no test may be skipped."""
    return os.environ.get("GODAEMON_REQUIRE_PEERS", "") not in {"", "0"}


def _failed_if_skipped(report: Report) -> Report:
    if report.skipped and _every_test_is_required():
        report.outcome = "failed"
        report.longrepr = f"skipped, where no test may be: {report.longrepr}"
    return report
