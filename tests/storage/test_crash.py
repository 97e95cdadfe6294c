"""Killed at each single system call of a transaction: a letter has had its effect, or none.

The kernel keeps what a killed process has written, so this is about the order of writes and the
moment of the acknowledgement; what a power cut does to unsynced pages is another test's matter.
"""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support import letter_server, places, stores

WRITING = "pwrite64,write,fdatasync,fsync,ftruncate,unlink,openat,fcntl"
"""The calls that change something, or that take and leave locks."""
ROOT = places.ROOT
COUNTS = """SELECT (SELECT count(*) FROM inbox), (SELECT count(*) FROM event),
    (SELECT count(*) FROM game WHERE phase = 'playing'), (SELECT count(*) FROM outbox) / 2.0"""


@dataclass
class Server:
    """The process that handles letters in children of its own."""

    process: subprocess.Popen[str]

    def line(self) -> str:
        """The next line it prints."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def handle(self, state: Path, *tracing: str) -> tuple[bool, bool]:
        """One letter, traced; whether it was acknowledged, and whether its child was killed."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{state}\n")
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
        said = [self.line()]
        while not said[-1].startswith("end"):
            said.append(self.line())
        tracer.stderr.read()
        tracer.stderr.close()
        tracer.wait()
        return "ACK" in said, said[-1] == f"end {int(signal.SIGKILL)}"


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of letters."""
    with subprocess.Popen(
        [sys.executable, letter_server.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        start_new_session=True,
    ) as process:
        try:
            yield Server(process)
        finally:
            # The children too, one of which may be stopped where a test has failed.
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def template(tmp_path: Path) -> dict[str, bytes]:
    """The files of a store with one game in it."""
    database = stores.fresh(tmp_path / "template")
    with database.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO game (events, digest) VALUES (0, '')")
    database.close()
    return {path.name: path.read_bytes() for path in (tmp_path / "template").iterdir()}


def lay(state: Path, template: dict[str, bytes]) -> Path:
    """A state folder with a store in it."""
    state.mkdir()
    for name, content in template.items():
        (state / name).write_bytes(content)
    return state


def effect(state: Path) -> int:
    """How often the letter has had its effect: 0 or 1, and wholly; the store itself is whole."""
    with closing(sqlite3.connect(state / "godaemon.db")) as connection:
        counts = set(connection.execute(COUNTS).fetchone())
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(counts) == 1, counts
    return int(counts.pop())


def crash_points(trace: str) -> list[tuple[str, int]]:
    """Each call that was made: its name, and the how manieth of its name and thread it was."""
    seen: Counter[tuple[str, str]] = Counter()
    points: dict[tuple[str, int], None] = {}
    for thread, name in re.findall(r"^(\d+) +([a-z0-9_]+)\(", trace, re.MULTILINE):
        seen[thread, name] += 1
        points[name, seen[thread, name]] = None
    return list(points)


@pytest.mark.peer("strace")
def test_killed_at_each_call(server: Server, template: dict[str, bytes], tmp_path: Path) -> None:
    """Whatever was acknowledged is there; brought again, the letter has its effect exactly once."""
    trace = tmp_path / "trace"
    assert server.handle(lay(tmp_path / "dry", template), "-o", str(trace)) == (True, False)
    points = crash_points(trace.read_text())
    assert len(points) > 20, "the transaction was traced"
    outcomes: Counter[tuple[bool, int]] = Counter()
    for name, nth in points:
        state = lay(tmp_path / f"{name}-{nth}", template)
        inject = f"inject={name}:signal=KILL:when={nth}"
        acknowledged, killed = server.handle(state, "-o", "/dev/null", "-e", inject)
        assert killed, (name, nth)
        done = effect(state)
        assert done >= acknowledged, f"acknowledged, then lost: {name} {nth}"
        outcomes[acknowledged, done] += 1
        assert server.handle(state, "-o", "/dev/null")[0], (name, nth)
        assert effect(state) == 1, (name, nth)
    assert outcomes[False, 0], outcomes
    assert outcomes[False, 1], outcomes
