"""Random troubles for a running daemon: `Troubles.go_on`.

It is killed, stopped for a while, gets errors from system calls (by strace), an unwritable log, and
a wrong clock (by libfaketime). An operator runs status, backup and reload. A seed decides which,
when and how long.
"""

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
    # Not `write`: libuv aborts if the write that wakes its loop fails.
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
"""System calls, and the error to inject."""

NEVER_AGAIN = (0, 78)
"""Exit statuses after which systemd does not restart the service."""

STARTS_WITHIN = 30.0
"""Seconds after which a daemon has started."""

RESTARTED_AFTER = 1.0
"""Seconds until a daemon that exited is restarted, as by systemd."""

JUMPS = ("+1h", "+30d", "-2h", "+400d")


class Troubles:
    """The troubles of one daemon; calls `restarted` after each start."""

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
        # A fake clock serialises the threads at each use, so only some starts have one.
        self._false_clock = {
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock),
            # Seconds; without a cache each use of the clock opens the file.
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        self._ends: list[int] = []
        self._had_false_clocks: list[int] = []
        """Pids of processes with a fake clock."""
        self._born = time.monotonic()

    async def go_on(self, every: float) -> None:
        """Cause troubles with a mean distance of `every` seconds, until cancelled."""
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
                self._note("over")
        finally:
            await self._calm()

    async def _live(self, seconds: float) -> None:
        """Wait; restart the daemon if it exits."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, RESTARTED_AFTER))
            if self.daemon.ended:
                await self._again()

    def _note(self, event: str) -> None:
        """Append an event to the file `troubles`."""
        with (self.daemon.folder / "troubles").open("a", encoding="utf-8") as diary:
            diary.write(f"{time.strftime('%H:%M:%S')} {event}\n")

    def _count(self, event: str) -> None:
        self.counts[event] += 1
        self._note(event)

    async def _calm(self) -> None:
        """Restart it with a log file and the right clock."""
        self._clock.write_text("+0\n")
        with contextlib.suppress(AssertionError, OSError):
            os.kill(self.daemon.pid, signal.SIGCONT)
        await asyncio.to_thread(self.daemon.kill)
        self._forget_ends()
        self.daemon.output = None
        self.daemon.launch()
        self._restarted()
        self._forget_clocks()

    def _forget_clocks(self) -> None:
        """Remove the shared memory that libfaketime leaves behind in killed processes."""
        for pid in self._had_false_clocks:
            for name in (f"faketime_shm_{pid}", f"sem.faketime_sem_{pid}"):
                Path("/dev/shm", name).unlink(missing_ok=True)

    async def _again(self) -> None:
        """Restart a daemon that has exited, which only a failed start may do."""
        status = self.daemon.status
        self._count(f"ended with {status}")
        if status in NEVER_AGAIN or time.monotonic() - self._born > STARTS_WITHIN:
            log = self.daemon.log()[-1500:]
            self._fault(f"the daemon ended by itself with {status}: {log}")
        self._launch()

    async def _kill(self, *, false_clock: bool = False) -> None:
        await asyncio.to_thread(self.daemon.kill)
        self._count("killed")
        self._launch(false_clock=false_clock)

    def _launch(self, *, false_clock: bool = False) -> None:
        """Start it with a random kind of log."""
        self._forget_ends()
        self.daemon.environ = self._false_clock if false_clock else {}
        kind = self._fate.choice(("file", "file", "dead pipe", "pipe that nobody reads", "full"))
        self.daemon.output, self._born = self._log(kind), time.monotonic()
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
        """Stop it with SIGSTOP for some seconds; sometimes kill it then."""
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
            tracer.kill()  # SIGTERM is ignored while a traced process forks
        await tracer.wait()
        self._count(f"{error} at {calls}")

    async def _jump(self) -> None:
        """Set the clock wrong for some seconds; sometimes kill it meanwhile."""
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
        """Run a command of the operator, which may fail without a traceback."""
        wanted = self._fate.choice(
            (("status",), ("reload",), ("games",), ("backup", str(self.daemon.folder / "backup")))
        )
        self._note(f"the operator asks for {wanted[0]}")
        done = await asyncio.to_thread(self.daemon.command, *wanted, check=False, patience=120)
        self._count(f"{wanted[0]}: exit {done.returncode}")
        if "Traceback" in done.stderr:
            self._fault(f"godaemon {wanted[0]}: {done.stderr[-1000:]}")
