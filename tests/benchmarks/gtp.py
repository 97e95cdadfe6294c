"""Speed of a free board, compared with GNU Go on the same real games.

    python -m tests.benchmarks.gtp [--rounds N] [--times N] [--engine NAME=COMMAND ...] FILE...

Each file is a game in SGF. Engines alternate in each round, so that noise affects all. Ratios are
medians over the rounds of godaemon's rate over the engine's. Measured are pipelined commands,
single round trips of `play`, `showboard` and `undo`, and the time from start to the first answer
and to the first move.
"""

import argparse
import gc
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from godaemon.records.record import Record
from gtp.argument_readers import format_vertex
from tests.benchmarks.rules import games, playable
from tests.support import peers

OURS = "godaemon"
Figures = dict[str, dict[str, list[float]]]
"""Seconds per command or start in each round, by measure and engine."""


class Engine:
    """A running program with a minimal client, which adds little to the measured time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError
        self._to, self._from = self._process.stdin, self._process.stdout

    def ask(self, line: bytes) -> bytes:
        """Send a command; returns the first line of its answer."""
        self._to.write(line)
        self._to.flush()
        return self._answer()

    def ask_all(self, lines: Sequence[bytes]) -> None:
        """Send all commands without waiting; none may be refused."""
        sending = threading.Thread(target=self._send, args=(b"".join(lines),))
        sending.start()
        assert not sum(self._answer().startswith(b"?") for _ in lines)
        sending.join()

    def stop(self) -> None:
        """Send quit, and wait for the end."""
        self._process.communicate(b"quit\n", timeout=30)

    def _send(self, data: bytes) -> None:
        self._to.write(data)
        self._to.flush()

    def _answer(self) -> bytes:
        first = self._from.readline()
        while self._from.readline() not in {b"\n", b"\r\n", b""}:
            pass
        return first


@contextmanager
def running(command: Sequence[str], first: bytes = b"clear_board\n") -> Iterator[Engine]:
    """Start an engine, and wait for its answer to the first command."""
    engine = Engine(command)
    try:
        engine.ask(first)
        yield engine
    finally:
        engine.stop()


Lines = list[list[bytes]]


def scripts(records: Iterable[Record]) -> Lines:
    """The commands of each game: size, clearing, komi, handicap and moves."""
    found = []
    for record in records:
        lines = [f"boardsize {record.size.width}", "clear_board", f"komi {record.komi:g}"]
        lines += [f"play b {point}" for point in record.setup_black]
        lines += [f"play w {point}" for point in record.setup_white]
        lines += [f"play {move.color.word} {format_vertex(move.point)}" for move in record.moves]
        found.append([line.encode() + b"\n" for line in lines])
    return found


def start(command: Sequence[str], _: Lines) -> float:
    """Seconds from start to the answer to `name`."""
    began = perf_counter()
    with running(command, b"name\n"):
        return perf_counter() - began


def first_move(command: Sequence[str], _: Lines) -> float:
    """Seconds from start to the answer to a move."""
    began = perf_counter()
    with running(command, b"play b D4\n"):
        return perf_counter() - began


def pipelined(command: Sequence[str], lines: Lines) -> float:
    """Seconds per command when all are sent at once."""
    every = [line for game in lines for line in game]
    with running(command) as engine:
        began = perf_counter()
        engine.ask_all(every)
        return (perf_counter() - began) / len(every)


def play(command: Sequence[str], lines: Lines) -> float:
    """Median seconds per command when sent one by one."""
    with running(command) as engine:
        return median(_timed(engine, line) for game in lines for line in game)


def showboard(command: Sequence[str], lines: Lines) -> float:
    """Median seconds to draw a full board."""
    return _at_the_end(command, lines, b"showboard\n", 100)


def undo(command: Sequence[str], lines: Lines) -> float:
    """Median seconds to undo a move."""
    return _at_the_end(command, lines, b"undo\n", len(lines[0]) // 2)


def _at_the_end(command: Sequence[str], lines: Lines, line: bytes, times: int) -> float:
    with running(command) as engine:
        for game in lines[:1]:
            engine.ask_all(game)
        return median(_timed(engine, line) for _ in range(times))


def _timed(engine: Engine, line: bytes) -> float:
    began = perf_counter()
    engine.ask(line)
    return perf_counter() - began


MEASURES: dict[str, Callable[[Sequence[str], Lines], float]] = {
    "pipelined play": pipelined,
    "lock-step play": play,
    "showboard": showboard,
    "undo": undo,
    "start to first answer": start,
    "start to first move": first_move,
}


def measure(engines: dict[str, list[str]], lines: Lines, rounds: int) -> Figures:
    """Run all measures, with alternating engines, in rounds."""
    figures: Figures = {kind: {name: [] for name in engines} for kind in MEASURES}
    for _ in range(rounds):
        for kind, work in MEASURES.items():
            for name, command in engines.items():
                gc.collect()
                figures[kind][name].append(work(command, lines))
    return figures


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Median over the rounds of our speed over another's."""
    return median(other / mine for mine, other in zip(ours, theirs, strict=True))


def table(figures: Figures) -> str:
    """A table with the best round of each engine, and the ratios."""
    names = list(figures["undo"])
    head = f"{'':24}" + "".join(f"{name:>26}" for name in names) + f"{'ratio':>8}"
    lines = [head]
    for kind, found in figures.items():
        cells = "".join(f"{_cell(min(found[name])):>26}" for name in names)
        ratios = "".join(f"{ratio(found[OURS], found[name]):8.2f}" for name in names[1:])
        lines.append(f"{kind:24}{cells}{ratios}")
    return "\n".join(lines)


def _cell(seconds: float) -> str:
    return f"{1e6 * seconds:,.1f} us ({1 / seconds:,.0f}/s)"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.gtp", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--times", type=int, default=10, help="how often each game is played")
    parser.add_argument("--engine", action="append", default=[], metavar="NAME=COMMAND")
    options = parser.parse_args(arguments)
    named = dict(text.split("=", 1) for text in options.engine)
    if not named and peers.find("gnugo"):
        named["GNU Go"] = f"{peers.find('gnugo')} --mode gtp"
    others = {name: shlex.split(command) for name, command in named.items()}
    records = [record for record in playable(games(options.files)) if record.size.width <= 19]
    lines = scripts(records) * options.times
    count = sum(map(len, lines))
    sys.stdout.write(f"{len(records)} games {options.times} times, {count} commands a round\n")
    ours = [sys.executable, "-m", "godaemon", "gtp", "--level", "3"]
    sys.stdout.write(table(measure({OURS: ours, **others}, lines, options.rounds)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
