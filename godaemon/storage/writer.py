"""The one thread that writes: units of work wait in a queue, and are committed in groups.

Failures:

    a unit raises       its own changes are rolled back, by a savepoint
    COMMIT fails        the whole group is rolled back; each unit raises `Temporary`
    a collision         with another daemon on the server: that unit is run again alone, up to
                        `MAX_TRIES` times; the units before and after it are run again as two groups
    a lost connection   before COMMIT: the group is run once more
"""

import asyncio
import random
import threading
import time
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

import structlog
from sqlalchemy import text
from sqlalchemy.engine import Connection

from godaemon.errors import Damaged, GodaemonError, Temporary
from godaemon.storage import sqlite_file
from godaemon.storage.connections import (
    database_error,
    is_collision,
    lost_connection,
    not_stored,
    require_open,
)
from godaemon.storage.database import Database
from godaemon.storage.prepared import Prepared
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer_queue import MAX_GROUP_TIME, Job, Priority, WorkQueue

T = TypeVar("T")
MAX_TRIES = 8
"""Maximum times that a unit is run again after collisions with other daemons."""
_SAVEPOINT = Prepared(text("SAVEPOINT unit"))
_ROLLBACK = Prepared(text("ROLLBACK TO SAVEPOINT unit"))
_RELEASE = Prepared(text("RELEASE SAVEPOINT unit"))
_PAUSE = 0.005
"""The longest pause before the second try, in seconds; it doubles with each further try."""


@dataclass(frozen=True, slots=True)
class Committed:
    """The changes of a commit, for the commit hooks."""

    games: frozenset[int]
    """The games whose logs have grown."""
    outbox: bool
    """Whether notices were queued."""
    rekeyed: frozenset[int] = frozenset()
    """The games with new seat keys."""
    rewritten: frozenset[int] = frozenset()
    """The games whose logs were rewritten or packed."""

    @classmethod
    def of(cls, done: list[Unit]) -> "Committed":
        """The changes of several units that were committed together."""
        return cls(
            frozenset[int]().union(*(unit.games.changed_logs for unit in done)),
            any(unit.outbox.new_notices for unit in done),
            frozenset[int]().union(*(unit.seats.rekeyed for unit in done)),
            frozenset[int]().union(*(unit.games.rewritten for unit in done)),
        )


_AfterCommit = Callable[[], None]
_CommitResult = tuple[Committed, list[_AfterCommit]]
BeforeCommit = Callable[[Unit, Committed], _AfterCommit | None]
"""A hook inside the transaction; it may return a function to call right after COMMIT."""


class WriterThread:
    """The one `Writer`: runs units of work in transactions, one after the other.

    Its hooks are called on the writer's thread:
    `before_commit` inside the transaction.
    `on_commit` after COMMIT, before the callers are answered.
    `on_rollback` before any other work, with the games whose changes were undone: caches drop them.
    `on_doubt` after a COMMIT with an unknown outcome.
    """

    def __init__(self, database: Database, holder: int | None = None) -> None:
        """`holder` is this daemon's number, None on SQLite (`several_daemons`)."""
        self._database, self._holder = database, holder
        self._queue = WorkQueue()
        self._thread = threading.Thread(target=self._loop, name="writer", daemon=True)
        self._busy_since: float | None = None
        self._connection: Connection | None = None
        """The connection, used until a transaction fails."""
        self._checkpointer = sqlite_file.Checkpointer(database.file) if database.file else None
        self._committing = False
        """Whether COMMIT has begun: if the connection is lost now, its outcome is unknown."""
        self._log = structlog.get_logger("storage")
        self.on_commit: list[Callable[[Committed], None]] = []
        self.on_rollback: list[Callable[[Collection[int]], None]] = []
        self.before_commit: list[BeforeCommit] = []
        self.on_doubt: list[Callable[[], None]] = []
        self.on_commit_timed: Callable[[float], None] = lambda _: None
        """Called with the duration of each COMMIT, in seconds."""

    @property
    def file(self) -> Path | None:
        """The SQLite file; None for a server."""
        return self._database.file

    def start(self) -> Self:
        if self._checkpointer is not None:
            self._checkpointer.start()
        self._thread.start()
        return self

    def close(self, timeout: float | None = None) -> None:
        """Finish the queued work, and end the thread; waits at most `timeout` seconds."""
        self._queue.end()
        self._thread.join(timeout)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def is_alive(self, seconds: float) -> bool:
        """True if the thread runs, and its present work has taken at most `seconds` seconds."""
        since = self._busy_since
        return self._thread.is_alive() and (since is None or time.monotonic() - since <= seconds)

    async def run(self, work: Callable[[Unit], T], priority: Priority = "usual") -> T:
        """Run `work` in a transaction; returns its result after COMMIT.

        If `work` raises, its changes are rolled back, and the exception is raised here. If COMMIT
        fails, nothing has changed, and `Temporary` is raised. Work that has begun is committed even
        if the waiting task is cancelled.
        """
        return await asyncio.wrap_future(self.submit(work, priority))

    def run_sync(self, work: Callable[[Unit], T]) -> T:
        """Like `run`, for callers without an event loop."""
        return self.submit(work).result()

    def submit(self, work: Callable[[Unit], T], priority: Priority = "usual") -> Future[T]:
        """Queue work; the future is done after COMMIT."""
        job = Job(work, priority)
        if not self._queue.put(job):
            raise not_stored("godaemon is stopping", "writer is closed")
        return job.waiting

    # -- on the writer's thread --------------------------------------------------------------
    def _loop(self) -> None:
        while not self._queue.finished:
            waiting = [job for job in self._queue.take_group(self._note_progress) if job.claim()]
            if waiting:
                self._run_jobs(waiting)
            self._busy_since = None
        if self._checkpointer is not None:
            self._checkpointer.close()
        if self._connection is not None:
            self._call_hook(self._connection.close)

    def _note_progress(self) -> None:
        self._busy_since = time.monotonic()

    def _run_jobs(self, jobs: list[Job], tries: int = MAX_TRIES) -> None:
        """Run jobs, retry collisions, and answer the callers in any case."""
        try:
            done = self._run_transaction(jobs)
        except BaseException as fault:  # noqa: BLE001 - the callers must be answered
            if tries and is_collision(fault):
                self._run_in_parts(jobs, tries)
                return
            if tries == MAX_TRIES and lost_connection(fault) and not self._committing:
                self._reset_jobs(jobs)
                self._run_jobs(jobs, tries - 1)
                return
            self._fail_jobs(jobs, fault)
        else:
            if done is not None:  # committed, even if a hook fails
                self._call_hook(self._announce_commit, *done)
        for job in jobs:
            if isinstance(job.fault, Damaged):
                self._set_aside(job.fault)
        for job in jobs:
            job.answer()

    def _run_in_parts(self, jobs: list[Job], tries: int) -> None:
        """Run the unit that collided, the last one begun, alone; retry the others in two groups."""
        at = max(0, sum(job.unit is not None for job in jobs) - 1)
        self._reset_jobs(jobs)
        if len(jobs) == 1:
            time.sleep(random.random() * _PAUSE * 2.0 ** (MAX_TRIES - tries))  # noqa: S311 - no secret
        parts = ((jobs[:at], tries), (jobs[at : at + 1], tries - 1), (jobs[at + 1 :], tries))
        for part, left in parts:
            if part:
                self._run_jobs(part, left)

    def _reset_jobs(self, jobs: list[Job]) -> None:
        """Prepare jobs that were rolled back to run again."""
        self._announce_rollback(jobs)
        for job in jobs:
            job.unit = job.fault = None

    def _set_aside(self, fault: Damaged) -> None:
        """Set a game with a damaged log aside, so that all others go on."""
        self._log.error("game.damaged", game=fault.game, detail=fault.detail)
        try:
            with self._database.connect() as connection, connection.begin():
                Unit(connection).games.set_aside(fault.game, fault.detail)
        except Exception as error:  # noqa: BLE001 - the next reader will find the damage too
            self._log.error("game.not-set-aside", game=fault.game, exc_info=error)

    def _run_transaction(self, jobs: list[Job]) -> _CommitResult | None:
        """Run all jobs in one transaction; raises only if nothing was committed.

        Returns the changes and the functions to call now, or None if all jobs failed.
        """
        self._committing = False
        self._connection = connection = self._connection or self._database.connect()
        try:
            return self._run_and_commit(connection, jobs)
        except BaseException:
            # After a failed COMMIT the connection's state is unknown.
            self._connection = None
            with connection:
                connection.invalidate()
            raise

    def _run_and_commit(self, connection: Connection, jobs: list[Job]) -> _CommitResult | None:
        connection.begin()
        # A single unit needs no savepoint: if it raises, the whole transaction is rolled back.
        began, savepoints = time.monotonic(), len(jobs) > 1
        for number, job in enumerate(jobs):
            self._note_progress()
            if number and time.monotonic() - began > MAX_GROUP_TIME:
                self._queue.put_back(jobs[number:])
                del jobs[number:]
                break
            self._run_job(connection, job, savepoint=savepoints)
        self._note_progress()
        done = [job.unit for job in jobs if job.unit is not None and not job.fault]
        if not done:
            connection.rollback()
            return None
        news = Committed.of(done)
        # A single unit has read already what the hooks need.
        unit = Unit(connection, self._holder) if len(done) > 1 else done[0]
        parts = [self._call_before_commit(hook, unit, news) for hook in self.before_commit]
        began = time.monotonic()
        self._committing = True
        if self._checkpointer is None:
            connection.commit()
        else:
            self._checkpointer.commit_units(connection, len(done))
        self.on_commit_timed(time.monotonic() - began)
        return news, [after for after in parts if after is not None]

    def _call_before_commit(
        self, hook: BeforeCommit, unit: Unit, news: Committed
    ) -> _AfterCommit | None:
        """Call a hook inside the transaction; a bug of the hook does not undo the transaction."""
        try:
            return hook(unit, news)
        except Exception as fault:
            if database_error(fault) is not None:
                raise
            self._log.error("store.fault", exc_info=fault)
            return None

    def _run_job(self, connection: Connection, job: Job, *, savepoint: bool) -> None:
        """Run one unit and store its exception; raises only faults of the database itself."""
        if savepoint:
            _SAVEPOINT.run(connection)
        try:
            job.run(connection, self._holder)
        except BaseException as fault:  # raised to the unit's caller
            if database_error(fault) is not None:
                raise
            job.fault = fault
            self._announce_rollback([job])
            if savepoint:
                _ROLLBACK.run(connection)
                require_open(connection)
        if savepoint:
            _RELEASE.run(connection)

    def _fail_jobs(self, jobs: list[Job], fault: BaseException) -> None:
        self._log.error("store.not-committed", units=len(jobs), exc_info=fault)
        for job in jobs:
            if job.fault is None:
                job.fault = _error_for_callers(fault)
        self._announce_rollback(jobs)
        for hook in self.on_doubt if self._committing else ():
            self._call_hook(hook)

    def _announce_rollback(self, jobs: Iterable[Job]) -> None:
        units = [job.unit for job in jobs if job.unit is not None]
        games = set[int]().union(*(one.games.changed_logs | one.games.rewritten for one in units))
        for hook in self.on_rollback if games else ():
            self._call_hook(hook, games)

    def _announce_commit(self, news: Committed, then: list[_AfterCommit]) -> None:
        for after in then:
            self._call_hook(after)
        for hook in self.on_commit:
            self._call_hook(hook, news)

    def _call_hook(self, hook: Callable[..., None], *values: object) -> None:
        try:
            hook(*values)
        except Exception as fault:  # noqa: BLE001 - the callers are answered all the same
            self._log.error("store.fault", exc_info=fault)


@dataclass(frozen=True, slots=True)
class PriorityWriter:
    """A `Writer` whose work has another priority than usual."""

    writer: WriterThread
    priority: Priority

    async def run(self, work: Callable[[Unit], T]) -> T:
        return await self.writer.run(work, self.priority)


def _error_for_callers(fault: BaseException) -> GodaemonError:
    if isinstance(fault, Temporary):
        return type(fault)(fault.public, detail=fault.detail)
    return database_error(fault) or not_stored("it rejected the changes", repr(fault))
