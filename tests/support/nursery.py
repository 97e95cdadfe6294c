"""A process that has already imported godaemon, and forks a child for each command or daemon.

Importing takes most of a command's time, a second of CPU on a slow machine, and the tests start
hundreds. A child has its own environment, files and exit status, but in /proc it shows the command
line and environment of the nursery. The nursery starts with the first test that needs it.

This file is also the program: `python -m tests.support.nursery DESCRIPTOR`.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import NoReturn

_MOST = 2**20
"""The most bytes of a message; each is JSON in one packet."""


class Born:
    """A process that the nursery has forked, with what the tests use of `subprocess.Popen`."""

    def __init__(self, nursery: Nursery, pid: int, words: Sequence[str]) -> None:
        self.pid, self.args = pid, [*words]
        self._nursery = nursery

    @property
    def returncode(self) -> int | None:
        """Its exit status as far as it is known; minus the signal that has ended it."""
        return self._nursery.ended.get(self.pid)

    def poll(self) -> int | None:
        self._nursery.hear(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The same, waited for; raises `subprocess.TimeoutExpired`."""
        until = None if timeout is None else monotonic() + timeout
        while (status := self.poll()) is None:
            left = None if until is None else until - monotonic()
            if timeout is not None and left is not None and left <= 0:
                raise subprocess.TimeoutExpired(self.args, timeout)
            self._nursery.hear(left)
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # ended, and not told yet
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Nursery:
    """This process's end of a nursery."""

    def __init__(self) -> None:
        self.ended: dict[int, int] = {}
        """The exit statuses that have been told."""
        self._born = 0
        self._lock = threading.RLock()
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.nursery", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        atexit.register(self.close)

    def bear(
        self, words: Sequence[str], *, stdout: int, stderr: int, env: Mapping[str, str]
    ) -> Born:
        """Run `godaemon` with some words in a process of its own; its input is empty."""
        request = {"words": [*words], "env": {**env}, "cwd": str(Path.cwd())}
        with self._lock:
            told = [json.dumps(request).encode()]
            socket.send_fds(self._line, told, [stdout, stderr])
            while self._born == 0:
                self.hear(None)
            pid, self._born = self._born, 0
        return Born(self, pid, ["godaemon", *words])

    def hear(self, seconds: float | None) -> None:
        """Take in what the nursery tells of births and ends; wait so long for the first of it."""
        with self._lock:
            while select.select([self._line], [], [], seconds)[0]:
                told = self._line.recv(_MOST)
                if not told:
                    raise AssertionError("the nursery has ended")
                pid, status = json.loads(told)
                if status is None:
                    self.ended.pop(pid, None)
                    self._born = pid
                else:
                    self.ended[pid] = status
                seconds = 0

    def close(self) -> None:
        """End the nursery, which ends nobody that it has borne."""
        self._line.close()
        self._process.wait(15)


@functools.cache
def nursery() -> Nursery:
    """The one of this process of the tests."""
    return Nursery()


def run(
    words: Sequence[str], *, check: bool = True, patience: float = 60.0
) -> subprocess.CompletedProcess[str]:
    """`godaemon` with some words, as `subprocess.run` runs it with `capture_output` and `text`."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        born = nursery().bear(words, stdout=out.fileno(), stderr=err.fileno(), env=os.environ)
        try:
            status = born.wait(patience)
        finally:
            born.kill()
        said = [os.pread(file.fileno(), _MOST * 64, 0).decode() for file in (out, err)]
    if check and status:
        raise subprocess.CalledProcessError(status, born.args, *said)
    return subprocess.CompletedProcess(born.args, status, *said)


# -- the nursery itself ----------------------------------------------------------------------------
def _main(line: socket.socket) -> None:
    """Fork a child per request and report exits, until the other end closes the socket."""
    import godaemon.cli.command_table
    import godaemon.daemon.main  # noqa: F401 - what each of them would load

    gc.collect()
    gc.freeze()
    woken, wakes = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        ready = select.select([line.fileno(), woken], [], [])[0]
        if woken in ready:
            os.read(woken, 4096)
            for pid, status in _ended():
                with contextlib.suppress(OSError):
                    line.send(json.dumps([pid, os.waitstatus_to_exitcode(status)]).encode())
        if line.fileno() in ready:
            told, files, _, _ = socket.recv_fds(line, _MOST, 2)
            if not told:
                return
            if (pid := os.fork()) == 0:
                _be(json.loads(told), files)
            for file in files:
                os.close(file)
            line.send(json.dumps([pid, None]).encode())


def _ended() -> Iterator[tuple[int, int]]:
    """The pid and wait status of each child that has ended."""
    with contextlib.suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            yield found


def _be(asked: Mapping[str, object], files: Sequence[int]) -> NoReturn:
    """Turn this child into the requested command; never returns."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for descriptor, file in enumerate(files, start=1):
        os.dup2(file, descriptor)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.environ.clear()
    os.environ.update(asked["env"])  # type: ignore[call-overload]
    os.chdir(str(asked["cwd"]))
    sys.argv = ["godaemon", *asked["words"]]  # type: ignore[misc]
    for descriptor, name, errors in ((1, "stdout", "strict"), (2, "stderr", "backslashreplace")):
        stream = os.fdopen(descriptor, "w", 1, encoding="utf-8", errors=errors, closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    status = 1
    try:
        from godaemon.cli import main

        main()
        status = 0
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as an interpreter does at its end
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(status)


if __name__ == "__main__":
    _main(socket.socket(fileno=int(sys.argv[1])))
