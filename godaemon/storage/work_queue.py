"""The units of work that wait for the writer's thread, and which of them are committed together.

Who sits at a board goes before a crowd of letters, and what has not been begun after some time
waits for the next transaction: a move is not to wait for the letters of a minute.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from sqlalchemy.engine import Connection

from godaemon.storage.unit_of_work import SqlUnit

GROUP = 64
"""The most units in one commit: a crowd may not make the first of them wait for the last."""
SOME = 8
"""The most in one that somebody at a board waits for, but for those of others at boards."""
LONG = 0.05
"""Seconds after which no further unit of a group is begun: the next commit has those."""


@dataclass(slots=True)
class Job:
    """A unit of work that waits, and what became of it."""

    work: Callable[[SqlUnit], Any]
    waiting: asyncio.Future[Any] | Future[Any]
    """Of who waits; one of an event loop is answered there."""
    ahead: bool = False
    """Whether it goes before others' that wait."""
    unit: SqlUnit | None = None
    result: Any = None
    fault: BaseException | None = None

    def do(self, connection: Connection, holder: int | None) -> None:
        """Work, inside a transaction; what it raises passes."""
        self.unit = SqlUnit(connection, holder)
        self.result = self.work(self.unit)

    def begin(self) -> bool:
        """False where nobody waits any more."""
        if isinstance(self.waiting, Future):
            return self.waiting.running() or self.waiting.set_running_or_notify_cancel()
        return not self.waiting.cancelled()

    def answer(self) -> None:
        """Tell the one who waits, where they wait."""
        if self.waiting.done():
            return  # whoever waited on a loop was cancelled meanwhile
        if isinstance(self.fault, StopIteration):  # no loop's future takes it
            self.waiting.set_exception(RuntimeError("a unit of work raised StopIteration"))
        elif self.fault is not None:
            self.waiting.set_exception(self.fault)
        else:
            self.waiting.set_result(self.result)


class WorkQueue:
    """Jobs that wait; any thread puts them there, and the writer's takes them."""

    def __init__(self) -> None:
        self._waiting: deque[Job] = deque()
        self._ahead: deque[Job] = deque()
        """Those that go before the others."""
        self._ended = False
        self._changed = threading.Condition()

    def put(self, job: Job) -> bool:
        """Let it wait; False where the queue has been ended."""
        with self._changed:
            if not self._ended:
                (self._ahead if job.ahead else self._waiting).append(job)
                self._changed.notify()
            return not self._ended

    def end(self) -> None:
        """Take no more."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def put_back(self, jobs: list[Job]) -> None:
        """Let these, which were taken and not begun, be the next."""
        with self._changed:
            self._waiting.extendleft(reversed(jobs))

    @property
    def done(self) -> bool:
        """Whether nothing waits, and nothing will."""
        return self._ended and not (self._waiting or self._ahead)

    def group(self, begun: Callable[[], None]) -> list[Job]:
        """Wait for work, say that it has begun, and take what else is waiting."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ahead or self._ended)
            begun()
            most = SOME if self._ahead else GROUP
            jobs = [self._waiting.popleft()] if self._waiting else []  # a crowd goes on, too
            jobs += self._ahead
            self._ahead.clear()
            while self._waiting and len(jobs) < most:
                jobs.append(self._waiting.popleft())
            return jobs
