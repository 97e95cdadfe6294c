"""The troubles of a machine, brought upon a running daemon one after the other: `Troubles.go_on`.

It is killed, stopped for a while, refused system calls (strace injects the errors), left without a
log that can be written, and its clock is set forward and back (libfaketime); beside that an
operator asks for status, backups and reloads. Which, when and how long is a matter of a seed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.support.daemon import LiveDaemon
from tests.support.peers import FAKETIME

CALLS = (
    ("fsync,fdatasync", "EIO"),
    # Not at write: the one by which libuv wakes its loop never fails so, and it aborts.
    ("pwrite64", "ENOSPC"),
    ("pread64", "EIO"),
    ("openat", "EMFILE"),
    ("accept4,accept", "EMFILE"),
    ("clone,clone3", "EAGAIN"),
    ("sendto,sendmsg", "EAGAIN"),
    ("connect", "ECONNREFUSED"),
    ("mmap", "ENOMEM"),
    ("unlink,rename,ftruncate", "EIO"),
)
"""System calls, and the error that some of them get for a while."""

NEVER_AGAIN = (0, 78)
"""The exit statuses with which systemd would not start it again (its unit says so of 78)."""

STARTS_WITHIN = 30.0
"""Seconds; a daemon of that age has begun its work."""

RESTARTED_AFTER = 1.0
"""Seconds after which one that ended by itself is started again, as systemd would."""

JUMPS = ("+1h", "+30d", "-2h", "+400d")


class Troubles:
    """All that befalls one daemon; `restarted` is called when it lives anew."""

    def __init__(
        self,
        daemon: LiveDaemon,
        fate: random.Random,
        restarted: Callable[[], object],
        fault: Callable[[str], object],
    ) -> None:
        self.daemon, self.counts = daemon, Counter[str]()
        self._fate, self._restarted, self._fault = fate, restarted, fault
        self._clock = daemon.folder / "clock"
        self._clock.write_text("+0\n")
        # Its threads wait for each other at every look at such a clock: not in every life.
        self._false_clock = {
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock),
            # Seconds; without one each look at the clock opens the file.
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        self._ends: list[int] = []
        self._had_false_clocks: list[int] = []
        """The processes with them."""
        self._born = time.monotonic()

    async def go_on(self, every: float) -> None:
        """One trouble after the other, so many seconds apart on average, until cancelled."""
        kinds: dict[Callable[[], Awaitable[None]], int] = {
            self._kill: 5,
            self._stop: 3,
            self._refuse_calls: 6,
            self._jump: 2 if FAKETIME.exists() else 0,
            self._operate: 4,
        }
        try:
            while True:
                await self._live(self._fate.expovariate(1 / every))
                (kind,) = self._fate.choices(list(kinds), list(kinds.values()))
                await kind()
                self._note("and over")
        finally:
            await self._calm()

    async def _live(self, seconds: float) -> None:
        """So long it is left alone, and started again where it ends by itself."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, RESTARTED_AFTER))
            if self.daemon.ended:
                await self._again()

    def _note(self, what: str) -> None:
        """Write down when what happened, for whoever wonders afterwards."""
        with (self.daemon.folder / "troubles").open("a", encoding="utf-8") as diary:
            diary.write(f"{time.strftime('%H:%M:%S')} {what}\n")

    def _count(self, what: str) -> None:
        self.counts[what] += 1
        self._note(what)

    async def _calm(self) -> None:
        """As it should be: it runs, with a log and a good clock."""
        self._clock.write_text("+0\n")
        with contextlib.suppress(AssertionError, OSError):
            os.kill(self.daemon.pid, signal.SIGCONT)
        await asyncio.to_thread(self.daemon.kill)
        self._forget_ends()
        self.daemon.says_to = None
        self.daemon.launch()
        self._restarted()
        self._forget_clocks()

    def _forget_clocks(self) -> None:
        """Remove what libfaketime has left in the shared memory: it does not know that it died."""
        for pid in self._had_false_clocks:
            for name in (f"faketime_shm_{pid}", f"sem.faketime_sem_{pid}"):
                Path("/dev/shm", name).unlink(missing_ok=True)

    async def _again(self) -> None:
        """It has ended by itself: it may where it could not start, and would be started again."""
        status = self.daemon.status
        self._count(f"ended with {status}")
        if status in NEVER_AGAIN or time.monotonic() - self._born > STARTS_WITHIN:
            said = self.daemon.log()[-1500:]
            self._fault(f"the daemon ended by itself with {status}: {said}")
        self._launch()

    async def _kill(self, *, false_clock: bool = False) -> None:
        await asyncio.to_thread(self.daemon.kill)
        self._count("killed")
        self._launch(false_clock=false_clock)

    def _launch(self, *, false_clock: bool = False) -> None:
        """Start it with a log of one kind or another."""
        self._forget_ends()
        self.daemon.environ = self._false_clock if false_clock else {}
        kind = self._fate.choice(("file", "file", "dead pipe", "pipe that nobody reads", "full"))
        self.daemon.says_to, self._born = self._log(kind), time.monotonic()
        if kind != "file":
            self._count(f"log: {kind}")
        self.daemon.launch()
        if false_clock:
            self._had_false_clocks.append(self.daemon.pid)
        self._restarted()

    def _log(self, kind: str) -> int | None:
        if kind == "file":
            return None
        if kind == "full":
            end = os.open("/dev/full", os.O_WRONLY)
        else:
            read, end = os.pipe()
            if kind == "dead pipe":
                os.close(read)
            else:
                self._ends.append(read)
        self._ends.append(end)
        return end

    def _forget_ends(self) -> None:
        for end in self._ends:
            os.close(end)
        self._ends.clear()

    async def _stop(self) -> None:
        """It stands still for some seconds, and sometimes dies then."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.daemon.pid, signal.SIGSTOP)
            self._count("stopped")
            await asyncio.sleep(min(self._fate.expovariate(1 / 2), 10))
            if self._fate.random() < 0.2:
                await self._kill(false_clock=bool(self.daemon.environ))
            else:
                os.kill(self.daemon.pid, signal.SIGCONT)

    async def _refuse_calls(self) -> None:
        calls, error = self._fate.choice(CALLS)
        step = self._fate.choice((1, 3, 10))
        self._note(f"{error} at each {step}. of {calls}")
        tracer = await asyncio.create_subprocess_exec(
            *("strace", "-f", "-qq", "-o", "/dev/null", "-p", str(self.daemon.pid)),
            *("-e", f"trace={calls}", "-e", f"inject={calls}:error={error}:when=2+{step}"),
            stderr=subprocess.DEVNULL,
        )
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._fate.uniform(0.3, 4)):
                await tracer.wait()
        with contextlib.suppress(ProcessLookupError):
            tracer.kill()  # it takes no hint while a process that it follows is being made
        await tracer.wait()
        self._count(f"{error} at {calls}")

    async def _jump(self) -> None:
        """The clock is wrong for some seconds; sometimes it dies in that time."""
        if not self.daemon.environ:
            await self._kill(false_clock=True)
            await asyncio.sleep(self._fate.uniform(0, 10))
        jump = self._fate.choice(JUMPS)
        self._clock.write_text(f"{jump}\n")
        self._count(f"clock {jump}")
        await asyncio.sleep(self._fate.uniform(0.5, 6))
        if self._fate.random() < 0.3:
            await self._kill(false_clock=True)
            await asyncio.sleep(self._fate.uniform(0.5, 4))
        self._clock.write_text("+0\n")

    async def _operate(self) -> None:
        """An operator at work; what they ask may fail now, and must be answered."""
        wanted = self._fate.choice(
            (("status",), ("reload",), ("games",), ("backup", str(self.daemon.folder / "backup")))
        )
        self._note(f"the operator asks for {wanted[0]}")
        done = await asyncio.to_thread(self.daemon.command, *wanted, check=False, patience=120)
        self._count(f"{wanted[0]}: exit {done.returncode}")
        if "Traceback" in done.stderr:
            self._fault(f"godaemon {wanted[0]}: {done.stderr[-1000:]}")
