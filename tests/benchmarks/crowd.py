"""How latencies and memory depend on the number of games in the store.

    python -m tests.benchmarks.crowd [--games 100 10000 100000] [--old N] [--letters N] [--idle N]
                                     [--folder F]

For each number of games it fills a store (`tests.support.many_games`) and measures a daemon:
- moves by letter in random games, not in memory: time to `250`, and to the turn letter at the sink;
- moves of two Go programs: time to `=`, and until the other program has the move;
- status, the list of all games, a player's list by letter, prune and backup, each with the slowest
  letter meanwhile;
- export and import of the site.
Each figure has its ratio to that of the smallest store. --old adds finished and pruned games. With
--idle all clocks run, and the daemon first idles for that many seconds.
"""

import argparse
import asyncio
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, perf_counter

import structlog

from godaemon.control import control_client as control
from godaemon.rules.points import Color
from tests.benchmarks.sessions import VERTICES, Entrance, processor, volley
from tests.crash.hops import Door, Hop, Job, Line, Moods, arrived
from tests.crash.soak import memory
from tests.support.daemon import LiveDaemon, free_port
from tests.support.many_games import ADDRESS, Moves, Turn, fill, keys, letter

PATIENCE = 60.0
PAUSE = 0.05
"""Seconds between letters during other work."""
SLOW = 7200.0
"""Timeout in seconds to list, prune or back up a million games."""
_CLOCKS_RUN = """
UPDATE game SET deadline = datetime('now', '+' || (10 + id % 20) || ' days') || '.000000',
 alarm = datetime('now', '+' || (2 + id % 7) || ' days') || '.000000'
 WHERE phase IN ('playing', 'scoring')
"""
_AGED = (
    "UPDATE outbox SET due_at = '2001-01-01T00:00:00.000000+00:00' WHERE game % 10 = 0",
    "UPDATE inbox SET at = '2001-01-01T00:00:00.000000+00:00' WHERE rowid % 10 = 0",
    (
        "UPDATE game SET updated = '2001-01-01T00:00:00.000000+00:00'"
        " WHERE id % 10 = 3 AND phase = 'finished' AND updated > '2026'"
    ),
)


@dataclass(slots=True)
class Arrivals:
    """Arrival times of awaited letters by recipient, game and kind; a `Ledger`."""

    waited: dict[tuple[str, int, str], asyncio.Future[float]] = field(default_factory=dict)

    def delivered(self, _message_id: str, recipient: str, kind: str, raw: bytes) -> bool:
        """Resolve the future of an awaited letter."""
        waits = self.waited.pop((recipient, arrived(raw).game, kind), None)
        if waits is not None:
            waits.set_result(perf_counter())
        return True

    def expect(self, recipient: str, game: int, kind: str) -> asyncio.Future[float]:
        """A future for the arrival time of the next such letter."""
        future = asyncio.get_running_loop().create_future()
        self.waited[recipient, game, kind] = future
        return future


@dataclass(slots=True)
class Bench:
    """A daemon on one store, and its figures."""

    daemon: LiveDaemon
    arrivals: Arrivals
    made: Moves
    figures: dict[str, float]

    async def moves(self, count: int) -> None:
        """Send moves one by one; wait for each turn letter."""
        line = await Line.open(Door(self.daemon.port))
        taken, through = [], []
        for turn in islice(self.made, count):
            there = self.arrivals.expect(turn.other, turn.game, "your-turn")
            began = perf_counter()
            await _send(line, turn)
            taken.append(perf_counter() - began)
            through.append(await asyncio.wait_for(there, PATIENCE) - began)
        await line.close()
        self._note("move by letter, to 250", taken)
        self._note("until the turn letter has arrived", through)

    async def beside(self, name: str, work: Awaitable[object]) -> None:
        """Measure the duration of some work, and the slowest letter meanwhile."""
        task = asyncio.ensure_future(work)
        began, waits = perf_counter(), list[float]()
        line = await Line.open(Door(self.daemon.port))
        while not task.done() or not waits:
            turn = next(self.made)
            sent = perf_counter()
            await _send(line, turn)
            waits.append(perf_counter() - sent)
            await asyncio.sleep(PAUSE)
            if task.done() and name not in self.figures:
                self.figures[name] = (perf_counter() - began) * 1000
        await task
        await line.close()
        self.figures.setdefault(name, (perf_counter() - began) * 1000)
        self.figures[f"{name}: slowest letter"] = max(waits) * 1000

    def _note(self, name: str, seconds: Sequence[float]) -> None:
        self.figures[name] = median(seconds) * 1000
        self.figures[f"{name}, 95 % below"] = quantiles([*seconds, seconds[-1]], n=20)[-1] * 1000


async def _send(line: Line, turn: Turn) -> None:
    code = await line.hand_over(Job(turn.sender, turn.to, turn.raw), patient=True)
    if not code.startswith(b"250"):
        raise AssertionError(code)


async def measure(
    folder: Path, count: int, letters: int, moves: int, old: int = 0, idle: float = 0.0
) -> dict[str, float]:
    """All figures for `count` games, in milliseconds and MB."""
    state, figures = folder / "state", dict[str, float]()
    began = monotonic()
    many = await asyncio.to_thread(fill, state, count, moves, old)
    figures["making the store, s"] = monotonic() - began
    figures["database, MB"] = (state / "godaemon.db").stat().st_size / 1e6
    figures["rows to prune"] = await asyncio.to_thread(_change, state, _AGED)
    if idle:
        figures["running clocks"] = await asyncio.to_thread(_change, state, (_CLOCKS_RUN,))
    seats = await asyncio.to_thread(keys, state, many.begun[len(many.begun) // 2])
    games = random.Random(1).sample(many.going, min(len(many.going), 2 * letters))
    made = await asyncio.to_thread(Moves, state, games)
    arrivals = Arrivals()
    hop = Hop(arrivals, random.Random(1), Moods(0, 0, 0))
    await hop.start()
    port = free_port()
    daemon = LiveDaemon(
        folder,
        '[log]\nlevel = "warning"\n',
        smarthost=f"smtp://127.0.0.1:{hop.port}",
        gtp=f'listen = "127.0.0.1:{port}"\n',
    )
    bench = Bench(daemon, arrivals, made, figures)
    began = perf_counter()
    daemon.launch()
    await asyncio.to_thread(daemon.ready)
    figures["start until ready"] = (perf_counter() - began) * 1000
    figures["memory when ready, MB"] = memory(daemon.pid)
    try:
        if idle:
            before = processor(daemon.pid)
            await asyncio.sleep(idle)
            figures["CPU of an idle hour, s"] = (processor(daemon.pid) - before) / idle * 3600
        await _all(bench, Entrance(port, None, [seats]), letters)
        figures["memory at the end, MB"] = memory(daemon.pid)
    finally:
        began = perf_counter()
        await asyncio.to_thread(daemon.stop)
        figures["stop"] = (perf_counter() - began) * 1000
        await hop.stop()
    await asyncio.to_thread(_move, bench, state)
    return figures


def _change(state: Path, statements: Sequence[str]) -> int:
    """Run SQL on a store; returns the number of changed rows."""
    with closing(sqlite3.connect(state / "godaemon.db")) as store, store:
        return sum(store.execute(statement).rowcount for statement in statements)


def _move(bench: Bench, state: Path) -> None:
    """Time export and import of the site."""
    site = state.with_name("site")
    for command in ("export", "import"):
        began = monotonic()
        bench.daemon.command(command, str(site), patience=SLOW)
        bench.figures[f"{command}, s"] = monotonic() - began
        if command == "export":
            state.rename(state.with_name("moved"))
    bench.figures["exported, kB"] = site.stat().st_size / 1e3


async def _all(bench: Bench, entrance: Entrance, letters: int) -> None:
    figures, daemon = bench.figures, bench.daemon
    await bench.moves(letters)
    pair = {color: await entrance.sit(0, color) for color in Color}
    plays, releases = await volley(pair, VERTICES[: min(60, letters)])
    for wire in pair.values():
        await wire.close()
    figures["Go program, play to ="] = median(plays) * 1000
    figures["until the other program has it"] = median(releases) * 1000
    socket = daemon.folder / "control.sock"
    await bench.beside("status", asyncio.to_thread(control.ask, socket, "status"))
    every = asyncio.to_thread(daemon.command, "games", "--json", patience=SLOW)
    await bench.beside("list of all games", every)
    await bench.beside("a player's games, by letter", _games_by_letter(bench))
    await bench.beside("prune", asyncio.to_thread(daemon.command, "prune", patience=SLOW))
    await bench.beside("backup", asyncio.to_thread(_backup, daemon))


async def _games_by_letter(bench: Bench) -> None:
    """Request a player's list by letter, and wait for it."""
    address = "alice@players.example"
    raw = letter(address, "Alice", "games", "<games@players.example>")
    line = await Line.open(Door(bench.daemon.port))
    there = bench.arrivals.expect(address, 0, "games")
    await line.hand_over(Job(address, ADDRESS, raw), patient=True)
    await asyncio.wait_for(there, PATIENCE)
    await line.close()


def _backup(daemon: LiveDaemon) -> None:
    """Make a backup with low CPU and disk priority, as the timer does."""
    backup = ["backup", str(daemon.folder / "backup"), "--config", str(daemon.config)]
    command = ["nice", "-n", "10", "ionice", "-c", "3", sys.executable, "-m", "godaemon", *backup]
    subprocess.run(command, check=True, capture_output=True, timeout=SLOW)


def report(rows: dict[int, dict[str, float]]) -> str:
    """A table with a column for each number of games, and ratios to the first column."""
    counts = list(rows)
    first = rows[counts[0]]
    lines = [f"{'games':46}" + "".join(f"{count:>18,}" for count in counts)]
    for name in first:
        cells = [f"{first[name]:>18,.1f}"]
        for count in counts[1:]:
            value = rows[count].get(name, float("nan"))
            cells.append(f"{value:>11,.1f} {value / first[name] if first[name] else 0:>5.1f}x")
        lines.append(f"{name:46}" + "".join(cells))
    return "\n".join([*lines, "in milliseconds where nothing else is said"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, nargs="+", default=[100, 10_000, 100_000])
    parser.add_argument("--old", type=int, default=0, help="games that are long over, besides")
    parser.add_argument("--letters", type=int, default=200)
    parser.add_argument("--moves", type=int, default=50, help="in most of the games")
    parser.add_argument("--idle", type=float, default=0, help="seconds with all clocks running")
    parser.add_argument(
        "--folder", type=Path, help="where to make the stores; else a temporary one"
    )
    options = parser.parse_args(arguments)
    rows = {}
    for count in options.games:
        with tempfile.TemporaryDirectory(dir=options.folder, prefix="crowd-") as made:
            sizes = (options.letters, options.moves, options.old, options.idle)
            work = measure(Path(made), count, *sizes)
            rows[count] = asyncio.run(work)
        sys.stdout.write(report(rows) + "\n\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    sys.exit(main())
