"""Run work in child processes that strace kills at a chosen system call.

This module is also the server program: for each input line it forks a child, which stops until it
is traced and then does the work. The server prints the child's pid, its acknowledgement and its
exit status. Forking avoids the imports: a test may kill a hundred children.
"""

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from godaemon.games.notices import Kind, Notice
from godaemon.storage.database import open_database, store_url
from godaemon.storage.restore import restore
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.places import ROOT
from tests.support.stores import NOW, move, summary

WRITING = "pwrite64,write,fdatasync,fsync,ftruncate,unlink,openat,fcntl"
"""System calls that write, or lock and unlock."""


def serve(work: Callable[[str], None]) -> None:
    """Do the work for each line of the input, each in its own child."""
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            os.kill(os.getpid(), signal.SIGSTOP)
            work(line.rstrip("\n"))
            os._exit(0)
        os.waitpid(pid, os.WUNTRACED)
        os.write(1, f"{pid}\n".encode())
        _, status = os.waitpid(pid, 0)
        os.write(1, f"end {status}\n".encode())


@dataclass
class Server:
    """A running server."""

    process: subprocess.Popen[str]

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def handle(self, work: object, *tracing: str) -> tuple[bool, bool]:
        """Run work under strace; returns whether it was acknowledged, and whether killed."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{work}\n")
        self.process.stdin.flush()
        child = self.line()
        tracer = subprocess.Popen(
            ["strace", "-f", "-p", child, "-e", "trace=" + WRITING, *tracing],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert tracer.stderr is not None
        for line in tracer.stderr:
            if "attached" in line:
                break
        subprocess.run(["kill", "-CONT", child], check=True)
        answers = [self.line()]
        while not answers[-1].startswith("end"):
            answers.append(self.line())
        tracer.stderr.read()
        tracer.stderr.close()
        tracer.wait()
        return "ACK" in answers, answers[-1] == f"end {int(signal.SIGKILL)}"


LETTER = InboundLetter(
    "go@go.example", "alice@a.example", b"Message-ID: <1@a.example>\r\n\r\nd4\r\n"
)


def handle(unit: Unit) -> None:
    """The transaction of a letter: inbox, event, summary and two notices."""
    if unit.inbox.note_arrival("fingerprint", "<1@a.example>", NOW):
        unit.games.append(1, 0, [move("D4")])
        unit.games.set_summary(summary(1), ["alice@a.example", "bob@b.example"])
        for to in ("alice@a.example", "bob@b.example"):
            unit.outbox.queue(Notice(Kind.YOUR_TURN, to, game=1), NOW)


def take_letter(state: str) -> None:
    """Commit a letter, then acknowledge it."""
    database = open_database(store_url(Path(state)))
    with WriterThread(database) as writer:
        writer.run_sync(handle)
        os.write(1, b"ACK\n")
    database.close()


def restore_backup(line: str) -> None:
    """Restore a backup over a state folder, given as `BACKUP STATE`."""
    source, state = map(Path, line.split())
    restore(source, state, NOW, move_aside=True)
    os.write(1, b"ACK\n")


@contextmanager
def serving(work: Callable[[str], None]) -> Iterator[Server]:
    """Run a server for a function of this module."""
    with subprocess.Popen(
        [sys.executable, __file__, work.__name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        start_new_session=True,
    ) as process:
        try:
            yield Server(process)
        finally:
            # Also kills the children: after a failed test one may still be stopped.
            os.killpg(process.pid, signal.SIGKILL)


def crash_points(trace: str) -> list[tuple[str, int]]:
    """All (name, n) in a trace: the nth system call of that name in a thread."""
    seen: Counter[tuple[str, str]] = Counter()
    points: dict[tuple[str, int], None] = {}
    for thread, name in re.findall(r"^(\d+) +([a-z0-9_]+)\(", trace, re.MULTILINE):
        seen[thread, name] += 1
        points[name, seen[thread, name]] = None
    return list(points)


if __name__ == "__main__":
    serve({work.__name__: work for work in (take_letter, restore_backup)}[sys.argv[1]])
