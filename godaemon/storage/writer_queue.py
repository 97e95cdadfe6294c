"""The queue of units of work for the writer's thread, and their grouping into commits.

Work for Go programs goes before a crowd of letters, and work that is not begun in time is left to
the next transaction, so that no move waits for many letters. Patient work waits a moment for other
work, to share its COMMIT.
"""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy.engine import Connection

from godaemon.storage.unit_of_work import Unit

MAX_GROUP = 64
"""Maximum number of units in one commit, so that the first one does not wait too long."""
MAX_SMALL_GROUP = 8
"""The same while a Go program waits; units for programs may exceed it."""
MAX_GROUP_TIME = 0.05
"""Seconds after which the rest of a group is left to the next commit."""
PATIENCE = 0.05
"""Seconds that patient work waits for other work."""
Priority = Literal["ahead", "usual", "patient"]
"""The priority of a unit: "ahead" for Go programs, "patient" for work that can wait."""


@dataclass(slots=True)
class Job:
    """A unit of work and its outcome."""

    work: Callable[[Unit], Any]
    priority: Priority = "usual"
    waiting: Future[Any] = field(default_factory=Future)
    unit: Unit | None = None
    result: Any = None
    fault: BaseException | None = None

    def run(self, connection: Connection, holder: int | None) -> None:
        self.unit = Unit(connection, holder)
        self.result = self.work(self.unit)

    def claim(self) -> bool:
        """Mark the job as running; False if its caller has cancelled it."""
        return self.waiting.running() or self.waiting.set_running_or_notify_cancel()

    def answer(self) -> None:
        """Give the caller the result or the fault."""
        if isinstance(self.fault, StopIteration):  # asyncio's futures reject it
            self.waiting.set_exception(RuntimeError("a unit of work raised StopIteration"))
        elif self.fault is not None:
            self.waiting.set_exception(self.fault)
        else:
            self.waiting.set_result(self.result)


class WorkQueue:
    """The waiting jobs; any thread adds them, and the writer's thread takes them."""

    def __init__(self) -> None:
        self._waiting: deque[Job] = deque()
        self._ahead: deque[Job] = deque()
        self._ended = False
        self._changed = threading.Condition()

    def put(self, job: Job) -> bool:
        """Add a job; False if the queue has ended."""
        with self._changed:
            if not self._ended:
                (self._ahead if job.priority == "ahead" else self._waiting).append(job)
                self._changed.notify()
            return not self._ended

    def end(self) -> None:
        """Take no more jobs; those in the queue are still run."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def put_back(self, jobs: list[Job]) -> None:
        """Put jobs that were not begun back, at the front of the queue."""
        with self._changed:
            self._waiting.extendleft(reversed(jobs))

    @property
    def finished(self) -> bool:
        return self._ended and not (self._waiting or self._ahead)

    def take_group(self, begun: Callable[[], None]) -> list[Job]:
        """Wait for a job, call `begun`, and take the other waiting jobs."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ahead or self._ended)
            self._changed.wait_for(lambda: self._ended or not self._all_patient(), PATIENCE)
            begun()
            limit = MAX_SMALL_GROUP if self._ahead else MAX_GROUP
            jobs = [self._waiting.popleft()] if self._waiting else []  # letters make progress too
            jobs += self._ahead
            self._ahead.clear()
            while self._waiting and len(jobs) < limit:
                jobs.append(self._waiting.popleft())
            return jobs

    def _all_patient(self) -> bool:
        return not self._ahead and all(job.priority == "patient" for job in self._waiting)
