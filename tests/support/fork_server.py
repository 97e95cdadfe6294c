"""A process that has imported godaemon and forks a child for each command or daemon.

The imports take most of a command's time: up to a second of CPU, for hundreds of commands. What the
first letters load (the lexicon, public suffixes, patterns, a language) takes most of a daemon's
start. A child has its own environment, files and exit status, but /proc shows the server's command
line and environment for it. The server starts on first use:
`python -m tests.support.fork_server SOCKET`.
"""

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

from structlog.testing import capture_logs

from tests.support.waiting import PATIENCE

_MOST = 2**20
"""Maximum size of a message in bytes; each is JSON in one packet."""


class ForkedProcess:
    """A child of the server; has the methods of `subprocess.Popen` that the tests use."""

    def __init__(self, server: "ForkServer", pid: int, words: Sequence[str]) -> None:
        self.pid, self.args = pid, [*words]
        self._server = server

    @property
    def returncode(self) -> int | None:
        """The exit status, or minus the signal that killed it; None while it runs."""
        return self._server.statuses.get(self.pid)

    def poll(self) -> int | None:
        self._server.read_reports(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit status; raises `subprocess.TimeoutExpired`."""
        until = None if timeout is None else monotonic() + timeout
        while (status := self.poll()) is None:
            if timeout is not None and until is not None and until < monotonic():
                raise subprocess.TimeoutExpired(self.args, timeout)
            self._server.read_reports(0.1)  # no longer: other threads wait for the lock
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # ended, but not reported yet
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """The client side of the server."""

    def __init__(self) -> None:
        self.statuses: dict[int, int] = {}
        """Reported exit statuses by pid."""
        self._new_pid = 0
        self._lock = threading.RLock()
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.fork_server", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        atexit.register(self.close)

    def fork(
        self, words: Sequence[str], *, stdout: int, stderr: int, env: Mapping[str, str]
    ) -> ForkedProcess:
        """Run `godaemon` with these arguments in a child process; its standard input is empty."""
        request = {"words": [*words], "env": {**env}, "cwd": str(Path.cwd())}
        with self._lock:
            message = [json.dumps(request).encode()]
            socket.send_fds(self._line, message, [stdout, stderr])
            while self._new_pid == 0:
                self.read_reports(None)
            pid, self._new_pid = self._new_pid, 0
        return ForkedProcess(self, pid, ["godaemon", *words])

    def read_reports(self, seconds: float | None) -> None:
        """Read the server's reports of starts and exits; wait up to `seconds` for the first."""
        with self._lock:
            while select.select([self._line], [], [], seconds)[0]:
                message = self._line.recv(_MOST)
                if not message:
                    raise AssertionError("the fork server has ended")
                pid, status = json.loads(message)
                if status is None:
                    self.statuses.pop(pid, None)
                    self._new_pid = pid
                else:
                    self.statuses[pid] = status
                seconds = 0

    def close(self) -> None:
        """Stop the server; its children go on running."""
        self._line.close()
        self._process.wait(PATIENCE)


@functools.cache
def fork_server() -> ForkServer:
    """The server of this test process."""
    return ForkServer()


def run(
    words: Sequence[str], *, check: bool = True, patience: float = PATIENCE
) -> subprocess.CompletedProcess[str]:
    """Run `godaemon` like `subprocess.run(..., capture_output=True, text=True)`."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = fork_server().fork(words, stdout=out.fileno(), stderr=err.fileno(), env=os.environ)
        try:
            status = child.wait(patience)
        finally:
            child.kill()
        output = [os.pread(file.fileno(), _MOST * 64, 0).decode() for file in (out, err)]
    if check and status:
        raise subprocess.CalledProcessError(status, child.args, *output)
    return subprocess.CompletedProcess(child.args, status, *output)


# -- the server ------------------------------------------------------------------------------------
def _main(line: socket.socket) -> None:
    """Fork a child per request and report exits, until the other end closes the socket."""
    import godaemon.cli.command_table
    import godaemon.daemon.main  # noqa: F401 - every child needs it
    from godaemon.system.counts import COUNTS
    from tests.support.gateway import started

    with capture_logs():
        _, alice, _ = started()
        alice.read()
    COUNTS.clear()
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
            for pid, status in _exits():
                with contextlib.suppress(OSError):
                    line.send(json.dumps([pid, os.waitstatus_to_exitcode(status)]).encode())
        if line.fileno() in ready:
            message, files, _, _ = socket.recv_fds(line, _MOST, 2)
            if not message:
                return
            if (pid := os.fork()) == 0:
                _run_child(json.loads(message), files)
            for file in files:
                os.close(file)
            line.send(json.dumps([pid, None]).encode())


def _exits() -> Iterator[tuple[int, int]]:
    """The pid and wait status of each child that has ended."""
    with contextlib.suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            yield found


def _run_child(request: Mapping[str, object], files: Sequence[int]) -> NoReturn:
    """Run the requested command in this child, and exit."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for descriptor, file in enumerate(files, start=1):
        os.dup2(file, descriptor)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.environ.clear()
    os.environ.update(request["env"])  # type: ignore[call-overload]
    os.chdir(str(request["cwd"]))
    sys.argv = ["godaemon", *request["words"]]  # type: ignore[misc]
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
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(status)


if __name__ == "__main__":
    _main(socket.socket(fileno=int(sys.argv[1])))
