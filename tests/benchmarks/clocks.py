"""What very many running clocks cost while nothing happens: start-up, memory, CPU in an hour.

    python -m tests.benchmarks.clocks [--clocks 100000] [--seconds 60] [--folder F]

A store of many games is made (`tests.support.many_games`), and the real daemon is started on it
three times: with hardly a game, with all games and no clock, and with all clocks running, none of
which is due. Each figure is followed by its ratio to that of the daemon without clocks.
"""

from __future__ import annotations

import argparse
import os
import socket
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path

from tests.crash.soak import memory
from tests.support.daemon import LiveDaemon
from tests.support.many_games import PLAYED, fill
from tests.support.waiting import until

_OPEN = "phase IN ('playing', 'scoring')"
_RUN = f"""
UPDATE game SET deadline = datetime('now', '+' || (10 + id % 20) || ' days') || '.000000',
 alarm = datetime('now', '+' || (2 + id % 7) || ' days') || '.000000' WHERE {_OPEN}
"""
_STOP = "UPDATE game SET deadline = NULL, alarm = NULL"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a daemon took."""

    start: float
    """Seconds from its start until it was ready."""
    rss: float
    """MB, with its children."""
    cpu: float
    """Seconds of CPU in an hour."""


def cost(folder: Path, seconds: float) -> Cost:
    """Start the daemon on a folder, and leave it alone for a while."""
    daemon = LiveDaemon(folder, "[log]\nlevel = 'warning'\n")
    began = time.monotonic()
    daemon.launch()
    until(partial(_answers, daemon.port), "it answers", 300)
    start = time.monotonic() - began
    try:
        time.sleep(3)  # what it does at its start is not what is measured
        before = _cpu(daemon.pid)
        time.sleep(seconds)
        used = _cpu(daemon.pid) - before
        return Cost(start, memory(daemon.pid), used / seconds * 3600)
    finally:
        daemon.stop()


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as line:
        line.settimeout(5)
        return line.recv(3) == b"220"
    return False


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def clocks(folder: Path, count: int) -> int:
    """Let the clocks of a store run (or stop them all, with 0); how many do."""
    with closing(sqlite3.connect(folder / "state" / "godaemon.db")) as store, store:
        store.execute(_RUN if count else _STOP)
        (found,) = store.execute("SELECT count(*) FROM game WHERE alarm IS NOT NULL").fetchone()
    return int(found)


def compare(folder: Path, count: int, seconds: float) -> list[str]:
    """The figures, a line for each daemon."""
    fill(folder / "few" / "state", PLAYED, 2)
    clocks(folder / "few", 0)
    games = count * PLAYED // 13 // PLAYED * PLAYED + PLAYED
    fill(folder / "many" / "state", games, 2)
    found = [("hardly a game", cost(folder / "few", seconds))]
    clocks(folder / "many", 0)
    found.append((f"{games} games, no clock", cost(folder / "many", seconds)))
    running = clocks(folder / "many", count)
    found.append((f"{games} games, {running} clocks", cost(folder / "many", seconds)))
    base = found[1][1]
    lines = [f"{'':32}{'ready after':>20}{'memory':>20}{'CPU an hour':>20}"]
    for name, each in found:
        figures = [
            f"{value:.1f} {unit} (x{value / max(without, 0.01):.2f})"
            for value, without, unit in zip(
                astuple(each), astuple(base), ("s", "MB", "s"), strict=True
            )
        ]
        lines.append(f"{name:32}" + "".join(f"{figure:>20}" for figure in figures))
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print."""
    parser = argparse.ArgumentParser(description="What running clocks cost when nothing happens.")
    parser.add_argument("--clocks", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=60.0, help="each daemon is left alone")
    parser.add_argument("--folder", type=Path, help="kept; else a temporary one")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as made:
        for line in compare(given.folder or Path(made), given.clocks, given.seconds):
            sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
