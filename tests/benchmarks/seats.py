"""Speed of moves at seats of stored games, compared with raw SQLite.

    python -m tests.benchmarks.seats [--rounds N] [--moves N] [--games N] [--folder FOLDER]

Raw is one INSERT of a row like an event and one COMMIT (`synchronous=FULL`, WAL). A play is one
COMMIT with the event, the game's summary, the notices and the cleared pending move. A GUI's turn is
`play`, saved by one COMMIT and released by another. Measures alternate in each round; figures are
medians of the rounds. The moves are those of a real 19x19 game.
"""

import argparse
import asyncio
import sqlite3
import sys
import tempfile
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from unittest.mock import AsyncMock

import structlog

from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.games.service_calls import Caller
from godaemon.records.sgf import parse_sgf
from godaemon.rules.points import Color
from godaemon.rules.position import Move
from godaemon.storage.database import open_database, store_url
from godaemon.storage.writer import Committed, WriterThread
from gtp.argument_readers import format_vertex
from gtp.seat.seat_session import SeatSession
from gtp.seat.stored_seat import SeatService, StoredSeat
from tests.support import places
from tests.support.gateway import Gateway
from tests.support.limits import Limits

RECORD = places.DATA / "games" / "nineteen-lines.sgf"
ALICE = Caller("letter:<a>", "alice@players.example", "Alice")
BOB = Caller("letter:<b>", "bob@players.example", "Bob")
_PAYLOAD = '{"color":"black","point":"Q16"}'


@dataclass(frozen=True, slots=True)
class Figures:
    """Medians of the rounds: rates per second; `wake` in seconds."""

    raw: float
    plays: float
    turns: float
    together: float
    replays: float
    wake: float

    @property
    def ratio(self) -> float:
        """Plays per commit of raw SQLite."""
        return self.plays / self.raw


class Raw:
    """Raw SQLite."""

    def __init__(self, folder: Path) -> None:
        self._link = sqlite3.connect(
            folder / "raw.db", isolation_level=None, check_same_thread=False
        )
        self._link.execute("PRAGMA journal_mode=WAL")
        self._link.execute("PRAGMA synchronous=FULL")
        self._link.execute(
            "CREATE TABLE event (game INTEGER, number INTEGER, kind TEXT, version INTEGER,"
            " payload TEXT, at TEXT, cause TEXT, PRIMARY KEY (game, number))"
        )
        self._rows = 0

    def commits(self, count: int) -> float:
        """Commits per second."""
        started = perf_counter()
        for _ in range(count):
            self._rows += 1
            row = (1, self._rows, "moved", 1, _PAYLOAD, "2026-11-21 03:00:00", "gtp:black")
            self._link.execute("BEGIN IMMEDIATE")
            self._link.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            self._link.execute("COMMIT")
        return count / (perf_counter() - started)

    def close(self) -> None:
        self._link.close()


class Club:
    """A store with its writer and the seats of its games."""

    def __init__(self, folder: Path) -> None:
        self._database = open_database(store_url(folder))
        self._writer = WriterThread(self._database).start()
        gateway = self._office = Gateway(limits=Limits(*[10**9] * 7))
        self._writer.on_rollback.append(gateway.cache.drop)
        self.seats = SeatService(
            self._writer, gateway.games, lambda: gateway.now, AsyncMock(), AsyncMock()
        )
        loop = asyncio.get_running_loop()

        def wake(news: Committed) -> None:
            loop.call_soon_threadsafe(self.seats.wake_sessions, news.games)

        self._writer.on_commit.append(wake)

    async def game(self) -> dict[Color, StoredSeat]:
        """Start a game; returns its seats."""
        wanted = cmd.Propose(BOB.address, color=Color.BLACK)
        games = self._office.games
        new = await self._writer.run(lambda unit: games(unit).propose(wanted, ALICE, vouched=True))
        number = new.after.id
        yes = (cmd.Yes(),)
        await self._writer.run(lambda unit: games(unit).act(number, Seat.INVITED, yes, BOB))
        return {color: await self.seats.open_seat(number, color) for color in Color}

    def close(self) -> None:
        self._writer.close()
        self._database.close()


async def release_all(seats: dict[Color, StoredSeat], moves: Sequence[Move]) -> None:
    """Play moves, each after the COMMIT of the one before."""
    revision = (await seats[Color.BLACK].view()).revision
    for made, move in enumerate(moves):
        await seats[move.color].release(move.point, revision + made)


async def take_turns(
    seats: dict[Color, StoredSeat], moves: Sequence[Move], waits: list[float]
) -> None:
    """Two sessions play a game; appends the latency of each move to the other's `genmove`."""
    sessions = {color: SeatSession(seats[color], _never, _never, _unheard) for color in Color}
    for move in moves:
        color, point = move
        mover, other = sessions[color], sessions[color.opponent]
        waiting = asyncio.create_task(other.handle(f"genmove {color.word}".encode()))
        await mover.handle(f"play {color.word} {format_vertex(point)}".encode())
        released = perf_counter()
        settling = asyncio.create_task(mover.release_pending())
        answer = await waiting
        waits.append(perf_counter() - released)
        await settling
        if answer != f"= {format_vertex(point)}\n\n".encode():
            raise AssertionError(answer)


async def replay(seats: dict[Color, StoredSeat], moves: Sequence[Move], times: int) -> None:
    """A session replays a played game, as GUIs do when they browse."""
    session = SeatSession(seats[Color.BLACK], _never, _never, _unheard)
    lines = [f"play {color.word} {format_vertex(point)}".encode() for color, point in moves]
    for _ in range(times):
        for line in [b"clear_board", *lines]:
            if await session.handle(line) != b"= \n\n":
                raise AssertionError(line)


async def _unheard(_: bytes) -> None:
    raise AssertionError


async def _never() -> None:
    await asyncio.Event().wait()


async def play_together(many: Sequence[dict[Color, StoredSeat]], moves: Sequence[Move]) -> None:
    """Play the same moves in several games at once."""
    await asyncio.gather(*(release_all(seats, moves) for seats in many))


async def rate(count: int, work: Awaitable[object]) -> float:
    """The rate per second of work that does something `count` times."""
    started = perf_counter()
    await work
    return count / (perf_counter() - started)


async def measure(folder: Path, *, rounds: int, moves: int, games: int) -> Figures:
    """Measure with stores in a folder."""
    record = [move for move in parse_sgf(RECORD.read_bytes()).moves if move.point is not None][
        :moves
    ]
    count = len(record)
    raw, club = Raw(folder), Club(folder / "state")
    names = ("raw", "plays", "turns", "together", "replays")
    rates: dict[str, list[float]] = {name: [] for name in names}
    waits: list[float] = []
    try:
        for _ in range(rounds):
            rates["raw"].append(await asyncio.to_thread(raw.commits, count))
            seats = await club.game()
            rates["plays"].append(await rate(count, release_all(seats, record)))
            rates["turns"].append(await rate(count, take_turns(await club.game(), record, waits)))
            rates["replays"].append(await rate(10 * (count + 1), replay(seats, record, 10)))
            many = [await club.game() for _ in range(games)]
            rates["together"].append(await rate(games * count, play_together(many, record)))
    finally:
        raw.close()
        await asyncio.to_thread(club.close)
    middle = {name: median(figures) for name, figures in rates.items()}
    return Figures(**middle, wake=median(waits))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Plays at stored games, against raw SQLite.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--games", type=int, default=16)
    parser.add_argument(
        "--folder", type=Path, help="where to keep the stores; else a temporary one"
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        figures = asyncio.run(
            measure(Path(folder), rounds=options.rounds, moves=options.moves, games=options.games)
        )
    sys.stdout.write(
        f"raw SQLite, one INSERT a COMMIT:      {figures.raw:7.0f} commits/s\n"
        f"plays at a game, one COMMIT each:     {figures.plays:7.0f} plays/s"
        f"   ratio to raw {figures.ratio:.2f}\n"
        f"a GUI's turns, saved and released:    {figures.turns:7.0f} turns/s\n"
        f"plays at {options.games} games at once:          {figures.together:7.0f} plays/s"
        f"   ratio to raw {figures.together / figures.raw:.2f}\n"
        f"commands of a GUI that replays:       {figures.replays:7.0f} commands/s\n"
        f"a released move is at the opponent's genmove {figures.wake * 1000:.2f} ms later, COMMIT"
        " and all\n"
    )
    return 0


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    sys.exit(main())
