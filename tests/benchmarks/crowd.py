"""What a crowd of games costs each of them: latencies and memory with few and with very many.

    python -m tests.benchmarks.crowd [--games 100 10000 100000] [--old N] [--letters N] [--idle N]
                                     [--folder F]

For each number of games a store is made (`tests.support.many_games`) and the real daemon started.
Moves come by letter, one after the other, in games chosen all over the store, so that nothing of
them is in memory: the time to `250`, and until the turn letter has reached the sink by SMTP. Two Go
programs play: the time from `play` to its `=`, and until the other program has the move. Then an
operator asks for the status and lists all games, a player asks for theirs by letter, every tenth
game's letters are let go as old and its log is packed where it is over, and a backup is made, while
letters go on coming: how long does the slowest of them wait? Then the site is written to one file,
and another is made of that. Each figure is followed by its ratio to that of the fewest games. To
those may come old ones, which are over, and which pruning has been at. With --idle all clocks run,
none of which is due, and the daemon is left alone for so many seconds first.
"""

from __future__ import annotations

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
"""Seconds between the letters that come while something else goes on."""
SLOW = 7200.0
"""Seconds in which a million games are listed, pruned or backed up."""
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
    """When a letter was at the sink, by its recipient, game and kind; a `Ledger`."""

    waited: dict[tuple[str, int, str], asyncio.Future[float]] = field(default_factory=dict)

    def delivered(self, _message_id: str, recipient: str, kind: str, raw: bytes) -> bool:
        """Tell the one who waits."""
        waits = self.waited.pop((recipient, arrived(raw).game, kind), None)
        if waits is not None:
            waits.set_result(perf_counter())
        return True

    def expect(self, recipient: str, game: int, kind: str) -> asyncio.Future[float]:
        """The moment at which the next such letter is there."""
        future = asyncio.get_running_loop().create_future()
        self.waited[recipient, game, kind] = future
        return future


@dataclass(slots=True)
class Bench:
    """One daemon on one store."""

    daemon: LiveDaemon
    arrivals: Arrivals
    made: Moves
    figures: dict[str, float]

    async def moves(self, count: int) -> None:
        """Letters one after the other, each until the turn letter is there."""
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

    async def beside(self, what: str, work: Awaitable[object]) -> None:
        """How long something takes, and how long a letter waits meanwhile at most."""
        task = asyncio.ensure_future(work)
        began, waits = perf_counter(), list[float]()
        line = await Line.open(Door(self.daemon.port))
        while not task.done() or not waits:
            turn = next(self.made)
            sent = perf_counter()
            await _send(line, turn)
            waits.append(perf_counter() - sent)
            await asyncio.sleep(PAUSE)
            if task.done() and what not in self.figures:
                self.figures[what] = (perf_counter() - began) * 1000
        await task
        await line.close()
        self.figures.setdefault(what, (perf_counter() - began) * 1000)
        self.figures[f"{what}: slowest letter"] = max(waits) * 1000

    def _note(self, what: str, seconds: Sequence[float]) -> None:
        self.figures[what] = median(seconds) * 1000
        self.figures[f"{what}, 95 % below"] = quantiles([*seconds, seconds[-1]], n=20)[-1] * 1000


async def _send(line: Line, turn: Turn) -> None:
    code = await line.hand_over(Job(turn.sender, turn.to, turn.raw), patient=True)
    if not code.startswith(b"250"):
        raise AssertionError(code)


async def measure(
    folder: Path, count: int, letters: int, moves: int, old: int = 0, idle: float = 0.0
) -> dict[str, float]:
    """All figures for so many games, in milliseconds and MB."""
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
    """Change a store; how many rows that were."""
    with closing(sqlite3.connect(state / "godaemon.db")) as store, store:
        return sum(store.execute(statement).rowcount for statement in statements)


def _move(bench: Bench, state: Path) -> None:
    """Write the site to a file, and make another of it."""
    site = state.with_name("site")
    for what in ("export", "import"):
        began = monotonic()
        bench.daemon.command(what, str(site), patience=SLOW)
        bench.figures[f"{what}, s"] = monotonic() - began
        if what == "export":
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
    """Until the list has arrived."""
    address = "alice@players.example"
    raw = letter(address, "Alice", "games", "<games@players.example>")
    line = await Line.open(Door(bench.daemon.port))
    there = bench.arrivals.expect(address, 0, "games")
    await line.hand_over(Job(address, ADDRESS, raw), patient=True)
    await asyncio.wait_for(there, PATIENCE)
    await line.close()


def _backup(daemon: LiveDaemon) -> None:
    """As the timer has it made: when nobody else wants the processor or the disk."""
    backup = ["backup", str(daemon.folder / "backup"), "--config", str(daemon.config)]
    command = ["nice", "-n", "10", "ionice", "-c", "3", sys.executable, "-m", "godaemon", *backup]
    subprocess.run(command, check=True, capture_output=True, timeout=SLOW)


def report(rows: dict[int, dict[str, float]]) -> str:
    """A table: a column for each number of games, and how many times the first each is."""
    counts = list(rows)
    first = rows[counts[0]]
    lines = [f"{'games':46}" + "".join(f"{count:>18,}" for count in counts)]
    for what in first:
        cells = [f"{first[what]:>18,.1f}"]
        for count in counts[1:]:
            value = rows[count].get(what, float("nan"))
            cells.append(f"{value:>11,.1f} {value / first[what] if first[what] else 0:>5.1f}x")
        lines.append(f"{what:46}" + "".join(cells))
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
