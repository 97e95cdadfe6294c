"""Cost of a thousand sessions: memory, idle CPU, and latency of moves.

    python -m tests.benchmarks.sessions [--sessions N] [--idle SECONDS] [--plays N] [--tls]

A real daemon has one game for two sessions. Each session connects by TCP with its seat key, and
asks for the opponent's move; White's waits. Two programs play another game before and after the
sessions connect: measured are the time from `play` to `=`, and from the `genmove` that releases the
move to the opponent's program.
"""

import argparse
import asyncio
import os
import resource
import secrets
import ssl
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep

from godaemon.games import commands as cmd
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Seat
from godaemon.games.seat_keys import issue_keys, sign_key
from godaemon.games.service import Chance, GameService
from godaemon.games.service_calls import Caller
from godaemon.rules.points import Color, Size
from godaemon.storage.database import open_database, store_url
from godaemon.storage.unit_of_work import Unit
from godaemon.system.signing_keys import make_key
from tests.support.certificate import make_certificate
from tests.support.daemon import LiveDaemon, free_port
from tests.support.limits import Limits
from tests.support.stores import NOW

PATIENCE = 60.0
MANY = Limits(10**6, 10**6, 10**6)
VERTICES = [f"{letter}{row}" for row in range(1, 20) for letter in "ABCDEFGHJKLMNOPQRST"]


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures; memory in bytes, times in seconds."""

    sessions: int
    memory: float
    """Memory per session."""
    base: int
    """Memory of the daemon before the sessions."""
    cpu: float
    """CPU seconds per second while all sessions wait."""
    play: dict[str, list[float]]
    release: dict[str, list[float]]
    """Latencies, alone and beside all sessions."""
    opening: float
    """Seconds to connect a session."""


class Wire:
    """A connection of a Go program."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer = reader, writer

    def send(self, line: str) -> None:
        self.writer.write(f"{line}\n".encode())

    async def answer(self) -> str:
        frame = await asyncio.wait_for(self._reader.readuntil(b"\n\n"), PATIENCE)
        return frame.decode().strip()

    async def close(self) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()

    async def ask(self, line: str) -> str:
        self.send(line)
        return await self.answer()


def prepare(state: Path, count: int) -> list[dict[Color, str]]:
    """Make a store with `count` games; returns their seat keys."""
    state.mkdir(mode=0o700, parents=True)
    secret, found = make_key(state), []
    database = open_database(store_url(state))
    for start in range(0, count, 100):
        with database.connect() as connection:
            unit = Unit(connection)
            chance = Chance(lambda: Color.BLACK, lambda: secrets.token_hex(8))
            games = GameService(unit, GameCache(), NOW, chance, MANY)
            found += [_game(games, secret) for _ in range(min(100, count - start))]
            # Composing thousands of letters would be measured too.
            connection.exec_driver_sql("DELETE FROM outbox")
            connection.commit()
    database.close()
    return found


def _game(games: GameService, secret: bytes) -> dict[Color, str]:
    alice = Caller("benchmark", "alice@players.example", "Alice")
    wanted = cmd.Propose("bob@players.example", Size(19, 19), color=Color.BLACK)
    number = games.propose(wanted, alice, vouched=True).after.id
    bob = Caller("benchmark", "bob@players.example", "Bob")
    game = games.act(number, Seat.INVITED, (cmd.Yes(),), bob).after
    lent = {
        **issue_keys(games.unit, game, Seat.BLACK, on=True),
        **issue_keys(games.unit, game, Seat.WHITE, on=True),
    }
    return {color: sign_key(secret, game, color, lent[color.word]) for color in Color}


@contextmanager
def serving(folder: Path, games: int, *, tls: bool) -> "Iterator[tuple[LiveDaemon, Entrance]]":
    """Run a daemon with `games` games."""
    port, context, extra = free_port(), None, ""
    if tls:
        certificate, key = make_certificate(folder)
        extra = f'tls_certificate = {{ file = "{certificate}" }}\n'
        extra += f'tls_key = {{ file = "{key}" }}\n'
        context = ssl.create_default_context(cafile=str(certificate))
    keys = prepare(folder / "state", games)
    gtp = f'listen = "127.0.0.1:{port}"\nconnections_per_source = 100000\n{extra}'
    daemon = LiveDaemon(folder, '[log]\nlevel = "warning"\n', gtp=gtp)
    daemon.start()
    try:
        yield daemon, Entrance(port, context, keys)
    finally:
        daemon.stop()


@dataclass(frozen=True, slots=True)
class Entrance:
    """The daemon's port for Go programs, and the seat keys."""

    port: int
    context: ssl.SSLContext | None
    keys: list[dict[Color, str]]

    async def sit(self, game: int, color: Color) -> Wire:
        """Connect a program to a seat."""
        streams = await asyncio.open_connection("localhost", self.port, ssl=self.context)
        wire = Wire(*streams)
        session = f"benchmark-{game}-{color.word}"
        for line in (f"godaemon-key {self.keys[game][color]} {session}", "1 boardsize 19"):
            answer = await wire.ask(line)
            if not answer.startswith("="):
                raise AssertionError(answer)
        return wire


def resident(pid: int) -> int:
    """The private memory of a process in bytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def volley(
    wires: dict[Color, Wire], vertices: Sequence[str]
) -> tuple[list[float], list[float]]:
    """Two programs alternate; returns the seconds to `=`, and to the other program."""
    plays, releases = [], []
    color = Color.BLACK
    wires[Color.WHITE].send("genmove black")
    for vertex in vertices:
        mover, other = wires[color], wires[color.opponent]
        began = perf_counter()
        await mover.ask(f"play {color.word} {vertex}")
        played = perf_counter()
        mover.send(f"genmove {color.opponent.word}")
        if vertex not in await other.answer():
            raise AssertionError(vertex)
        plays.append(played - began)
        releases.append(perf_counter() - played)
        color = color.opponent
    wires[color.opponent].send("# interrupt")
    await wires[color.opponent].answer()
    return plays, releases


async def measure(pid: int, entrance: Entrance, sessions: int, idle: float, plays: int) -> Figures:
    """Measure everything on a fresh daemon."""
    last = len(entrance.keys) - 1
    pair = {color: await entrance.sit(last, color) for color in Color}
    await volley(pair, VERTICES[:20])  # warm up
    alone = await volley(pair, VERTICES[20 : 20 + plays])
    base = resident(pid)
    began = perf_counter()
    seats = [(number // 2, list(Color)[number % 2]) for number in range(sessions)]
    wires = []
    for game, color in seats:
        wire = await entrance.sit(game, color)
        wire.send(f"2 genmove {color.opponent.word}")
        wires.append(wire)
        if color is Color.BLACK:
            await wire.answer()  # an error: it is Black's turn
    opening = (perf_counter() - began) / sessions
    memory = (resident(pid) - base) / sessions
    used = processor(pid)
    await asyncio.sleep(idle)
    cpu = (processor(pid) - used) / idle
    # Black is to move: an even number of vertices has been played.
    beside = await volley(pair, VERTICES[20 + plays : 20 + 2 * plays])
    await asyncio.gather(*(wire.close() for wire in (*wires, *pair.values())))
    return Figures(
        sessions,
        memory,
        base,
        cpu,
        {"alone": alone[0], "beside": beside[0]},
        {"alone": alone[1], "beside": beside[1]},
        opening,
    )


def report(figures: Figures) -> Iterator[str]:
    yield f"{figures.sessions} sessions, let in at {figures.opening * 1e3:.1f} ms each"
    before = f"{figures.base / 2**20:.0f} MiB before"
    yield f"memory: {figures.memory / 1024:.1f} KiB a session, {before}"
    yield f"idle:   {figures.cpu * 100:.2f} % of one processor"
    for what, times in (("play to =", figures.play), ("release to the other", figures.release)):
        for when, seconds in times.items():
            p95 = quantiles(seconds, n=20)[-1]
            yield f"{what}, {when}: {median(seconds) * 1e3:.1f} ms, 95 % below {p95 * 1e3:.1f} ms"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--idle", type=float, default=20.0)
    parser.add_argument("--plays", type=int, default=100)
    parser.add_argument("--tls", action="store_true")
    options = parser.parse_args(arguments)
    files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files[1], files[1]))
    with tempfile.TemporaryDirectory(prefix="godaemon-sessions-") as name:
        games = options.sessions // 2 + 2
        with serving(Path(name), games, tls=options.tls) as (daemon, entrance):
            sleep(1)  # let its first tasks finish
            work = measure(daemon.pid, entrance, options.sessions, options.idle, options.plays)
            for line in report(asyncio.run(work)):
                print(line)  # noqa: T201 - the output


if __name__ == "__main__":
    main()
