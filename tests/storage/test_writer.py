"""The writer thread: groups, rollbacks, failed COMMITs, hooks and shutdown."""

import asyncio
import math
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator, MutableMapping
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import event
from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError

from godaemon.errors import Stale, Temporary
from godaemon.games.notices import Kind, Notice
from godaemon.storage import writer as writers
from godaemon.storage import writer_queue
from godaemon.storage.database import Database
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import Committed, PriorityWriter, WriterThread
from godaemon.storage.writer_queue import MAX_GROUP
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.stores import LETTER, NOW, busy, move
from tests.support.waiting import PATIENCE

HELP = Notice(Kind.HELP, "alice@a.example")


@pytest.fixture(autouse=True)
def log() -> Iterator[list[MutableMapping[str, Any]]]:
    with structlog.testing.capture_logs() as entries:
        yield entries


@pytest.fixture(autouse=True)
def unlimited_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """No group takes too long on a slow machine."""
    monkeypatch.setattr(writers, "MAX_GROUP_TIME", math.inf)


@contextmanager
def on_each_commit(database: Database, act: Callable[[Connection], None]) -> Iterator[None]:
    """Call `act` at each COMMIT."""
    event.listen(database.engine, "commit", act)
    try:
        yield
    finally:
        event.remove(database.engine, "commit", act)


def quarantine(text: bytes) -> Callable[[Unit], int]:
    """Work that leaves a letter in quarantine."""
    return lambda unit: unit.inbox.quarantine_letter(
        InboundLetter("go@x", "a@x", text), "fault", NOW
    )


def quarantined(writer: WriterThread) -> list[bytes]:
    return [
        one.letter.raw for one in writer.run_sync(lambda unit: unit.inbox.quarantined_letters())
    ]


def outcomes(futures: list[Future[Any]]) -> list[object]:
    """The result of each, or the class of its exception."""
    return [
        type(future.exception()) if future.exception(PATIENCE) else future.result()
        for future in futures
    ]


def test_a_group_is_one_commit(writer: WriterThread, database: Database) -> None:
    """Waiting work is committed together in its order."""
    seen: list[Connection] = []
    with on_each_commit(database, seen.append):
        with busy(writer):
            futures = [writer.submit(quarantine(bytes([number]))) for number in range(MAX_GROUP)]
        assert outcomes(futures) == list(range(1, MAX_GROUP + 1))
    assert len(seen) == 2, "one for the unit that kept it busy, one for the group"
    assert quarantined(writer) == [bytes([number]) for number in range(MAX_GROUP)]


def test_a_slow_group_is_split(
    writer: WriterThread, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is committed with what comes next, in its order."""
    monkeypatch.setattr(writers, "MAX_GROUP_TIME", 0.0)
    seen: list[Connection] = []
    with on_each_commit(database, seen.append):
        with busy(writer):
            futures = [writer.submit(quarantine(bytes([number]))) for number in range(4)]
        outcomes(futures)
    assert len(seen) == 5
    assert quarantined(writer) == [bytes([number]) for number in range(4)]


async def test_patient_work_shares_the_next_commit(
    writer: WriterThread, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is answered after that like other work."""
    monkeypatch.setattr(writer_queue, "PATIENCE", 60.0)
    seen: list[Connection] = []
    with on_each_commit(database, seen.append):
        patient = asyncio.create_task(PriorityWriter(writer, "patient").run(quarantine(b"later")))
        await asyncio.sleep(0)
        assert await writer.run(quarantine(b"now")) == 2
        assert await patient == 1
    assert len(seen) == 1


def test_a_failed_unit_loses_only_its_own_changes(writer: WriterThread) -> None:
    """Each unit of a group runs once.

    The same for a statement that the database refuses, and for two that append to one log.
    """
    game, ran = writer.run_sync(lambda unit: unit.games.create()), list[str]()

    def write_and_fail(unit: Unit) -> None:
        ran.append("bad")
        quarantine(b"two")(unit)
        raise ZeroDivisionError

    with busy(writer):
        futures: list[Future[Any]] = [
            writer.submit(quarantine(b"one")),
            writer.submit(write_and_fail),
            writer.submit(lambda unit: unit.games.append(game, 0, [move("D4")])),
            writer.submit(lambda unit: unit.games.append(game, 0, [move("Q16")])),
            writer.submit(lambda unit: unit.inbox.hold_letter(99, "invited", "a@x", LETTER, "n")),
            writer.submit(lambda _: ran.append("good")),
            writer.submit(quarantine(b"three")),
        ]
    kinds = outcomes(futures)
    assert kinds[1:4] == [ZeroDivisionError, None, Stale]
    assert kinds[4] is not Temporary
    assert ran == ["bad", "good"]
    assert quarantined(writer) == [b"one", b"three"]
    assert list(writer.run_sync(lambda unit: unit.games.log(game))) == [move("D4")]


def fail(_connection: Connection) -> None:
    """A COMMIT that the disk refuses."""
    fault = sqlite3.OperationalError("disk I/O error")
    fault.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
    raise OperationalError("COMMIT", None, fault)


def test_a_failed_commit_is_temporary_for_all(
    writer: WriterThread, database: Database, log: list[MutableMapping[str, Any]]
) -> None:
    """Each caller gets its own exception, nothing has changed, and later work succeeds."""
    reports: list[Committed] = []
    forgotten: list[Collection[int]] = []
    game = writer.run_sync(lambda unit: unit.games.create())
    writer.on_commit.append(reports.append)
    writer.on_rollback.append(forgotten.append)
    with on_each_commit(database, fail):
        with busy(writer, lost=True):
            futures: list[Future[Any]] = [writer.submit(quarantine(b"lost")) for _ in range(2)]
            futures.append(writer.submit(lambda unit: unit.games.append(game, 0, [move("D4")])))
        assert outcomes(futures) == [Temporary] * 3
        one, two = (future.exception() for future in futures[:2])
    assert one is not two
    assert isinstance(one, Temporary)
    assert "disk reported an error, or is full" in one.public
    assert reports == []
    assert forgotten == [{game}]
    assert {entry["event"] for entry in log} == {"store.not-committed"}
    assert quarantined(writer) == []
    writer.run_sync(quarantine(b"kept"))
    assert quarantined(writer) == [b"kept"]


def fill(unit: Unit) -> None:
    """Run into a full disk."""
    connection = unit.connection
    pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 1}")
    unit.inbox.quarantine_letter(InboundLetter("go@x", "a@x", bytes(100_000)), "fault", NOW)


def make_room(writer: WriterThread) -> None:
    """Lift the limit of `fill`."""
    writer.run_sync(lambda unit: unit.connection.exec_driver_sql("PRAGMA max_page_count=1000000"))


@pytest.mark.sqlite("its full disk")
def test_a_swallowed_full_disk_fails_the_unit(writer: WriterThread) -> None:
    """SQLite has rolled it back."""

    def hide(unit: Unit) -> None:
        with suppress(OperationalError):
            fill(unit)

    with pytest.raises(Temporary, match="disk is full"):
        writer.run_sync(fill)
    with pytest.raises(Temporary):
        writer.run_sync(hide)
    make_room(writer)
    assert quarantined(writer) == []


@pytest.mark.sqlite("its full disk")
def test_a_renamed_full_disk_fails_the_group(writer: WriterThread) -> None:
    """The unit keeps its own error; its neighbours are Temporary."""

    def rename(unit: Unit) -> None:
        try:
            fill(unit)
        except OperationalError as fault:
            raise LookupError from fault

    with busy(writer):
        work: list[Callable[[Unit], Any]] = [quarantine(b"one"), rename, quarantine(b"three")]
        futures = [writer.submit(one) for one in work]
    assert outcomes(futures) == [Temporary, LookupError, Temporary]
    make_room(writer)
    assert quarantined(writer) == []


@pytest.mark.sqlite("one writer at a time")
def test_a_locked_store_is_temporary(
    writer: WriterThread, database: Database, tmp_path: Path
) -> None:
    """Work succeeds once the other program has finished."""
    event.listen(database.engine, "checkout", lambda c, _r, _p: c.execute("PRAGMA busy_timeout=50"))
    with closing(sqlite3.connect(tmp_path / "godaemon.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Temporary, match="another program"):
            writer.run_sync(quarantine(b""))
        other.execute("ROLLBACK")
    assert writer.run_sync(quarantine(b"")) == 1


def test_hooks_get_the_news_of_a_commit(writer: WriterThread) -> None:
    """The changed games and whether letters are queued, before the caller returns."""
    reports: list[tuple[Committed, str]] = []
    writer.on_commit.append(lambda news: reports.append((news, threading.current_thread().name)))
    games = writer.run_sync(lambda unit: [unit.games.create(), unit.games.create()])

    def play(unit: Unit) -> None:
        unit.games.append(games[0], 0, [move("D4")])
        unit.games.append(games[1], 0, [])
        unit.outbox.queue(HELP, NOW)

    writer.run_sync(play)
    assert reports == [
        (Committed(frozenset(), outbox=False), "writer"),
        (Committed(frozenset(games[:1]), outbox=True), "writer"),
    ]


def test_failed_units_are_no_news(writer: WriterThread) -> None:
    """Caches drop their games."""
    reports: list[Committed] = []
    forgotten: list[tuple[Collection[int], int]] = []
    game = writer.run_sync(lambda unit: unit.games.create())
    writer.on_commit.append(reports.append)
    writer.on_rollback.append(lambda games: forgotten.append((games, len(reports))))

    def write_and_fail(unit: Unit) -> None:
        unit.games.append(game, 0, [move("D4")])
        unit.outbox.queue(HELP, NOW)
        raise ZeroDivisionError

    with busy(writer):
        futures: list[Future[Any]] = [writer.submit(write_and_fail), writer.submit(quarantine(b""))]
    outcomes(futures)
    assert reports[-1] == Committed(frozenset(), outbox=False)
    assert forgotten
    assert all(one == ({game}, 1) for one in forgotten), "before the rest of the group is told"
    forgotten.clear()
    with pytest.raises(ZeroDivisionError):
        writer.run_sync(lambda _unit: 1 // 0)
    assert forgotten == [], "where no log had grown there is nothing to forget"


def test_a_failing_hook_changes_nothing(writer: WriterThread) -> None:
    """The commit is kept, and the writer continues."""
    reports: list[Committed] = []

    def broken(_news: Committed) -> None:
        raise ZeroDivisionError

    writer.on_commit += [broken, reports.append]
    assert writer.run_sync(quarantine(b"one")) == 1
    assert writer.run_sync(quarantine(b"two")) == 2
    assert len(reports) == 2


def test_hooks_join_the_transaction(writer: WriterThread) -> None:
    """Their result is called after COMMIT; a failing or rolled back one changes nothing."""
    reports: list[str] = []

    def part(unit: Unit, _: Committed) -> Callable[[], None]:
        reports.append(f"before {unit.inbox.count_quarantined()}")
        return lambda: reports.append("after")

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    writer.before_commit += [broken, part]
    assert writer.run_sync(quarantine(b"one")) == 1
    assert reports == ["before 1", "after"]
    with pytest.raises(ZeroDivisionError):
        writer.run_sync(broken)
    assert reports == ["before 1", "after"]


def test_faults_after_commit_do_not_change_the_answer(
    writer: WriterThread, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the connection or of the news."""
    real, faults = writer._announce_commit, [MemoryError(), RuntimeError("can't start new thread")]

    def announce(news: Committed, then: list[Callable[[], None]]) -> None:
        real(news, then)
        raise faults.pop()

    def refuse(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(writer, "_announce_commit", announce)
    event.listen(database.engine, "checkin", refuse)
    try:
        assert writer.run_sync(quarantine(b"one")) == 1
        assert writer.run_sync(quarantine(b"two")) == 2
    finally:
        event.remove(database.engine, "checkin", refuse)
    assert faults == []
    monkeypatch.undo()
    assert quarantined(writer) == [b"one", b"two"]


async def test_stop_iteration_does_not_block_its_caller(writer: WriterThread) -> None:
    with pytest.raises(RuntimeError, match="StopIteration"):
        await asyncio.wait_for(writer.run(lambda _: next(iter(()))), 20)


async def test_cancelled_work_is_skipped(writer: WriterThread) -> None:
    """If it was cancelled before it began."""
    with busy(writer):
        task = asyncio.create_task(writer.run(quarantine(b"never")))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert quarantined(writer) == []


def test_close_finishes_the_queue(database: Database) -> None:
    """Then the writer takes no more."""
    writer = WriterThread(database).start()
    with busy(writer):
        futures = [writer.submit(quarantine(b"")) for _ in range(3)]
        closer = threading.Thread(target=writer.close)
        closer.start()
    closer.join(PATIENCE)
    assert outcomes(futures) == [1, 2, 3]
    with pytest.raises(Temporary, match="stopping"):
        writer.run_sync(quarantine(b""))
    assert not writer.is_alive(PATIENCE)
    writer.close()


def test_a_stuck_writer_is_not_alive(writer: WriterThread, database: Database) -> None:
    """An idle one is."""
    writer.run_sync(quarantine(b""))
    assert writer.is_alive(PATIENCE)
    with busy(writer):
        assert writer.is_alive(PATIENCE)
        assert not writer.is_alive(-1)
    assert not WriterThread(database).is_alive(PATIENCE), "it was never started"
