"""The cost of a thousand sessions to one daemon: memory, idle CPU, and how long a play takes then.

    python -m tests.benchmarks.sessions [--sessions N] [--idle SECONDS] [--plays N] [--tls]

A real daemon holds one game for every two sessions. Each session sits down by TCP with its key,
starts a record, and asks for the opponent's move; Black's is told that it is its own turn, White's
waits. One more game is played by two programs before and after they have come: the time from
`play` to its `=`, and from the `genmove` that releases it to the opponent's waiting program.
"""

from __future__ import annotations

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
    """The outcome; memory in bytes, times in seconds."""

    sessions: int
    memory: float
    """Of one session."""
    base: int
    """Of the daemon before any session."""
    cpu: float
    """Of one second, while all sessions wait."""
    play: dict[str, list[float]]
    release: dict[str, list[float]]
    """Each alone, and beside all sessions."""
    opening: float
    """How long it took to let one in."""


class Wire:
    """A program's connection."""

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
    """A store with so many games, and the keys to their seats."""
    state.mkdir(mode=0o700, parents=True)
    secret, found = make_key(state), []
    database = open_database(store_url(state))
    for start in range(0, count, 100):
        with database.connect() as connection:
            unit = Unit(connection)
            chance = Chance(lambda: Color.BLACK, lambda: secrets.token_hex(8))
            games = GameService(unit, GameCache(), NOW, chance, MANY)
            found += [_game(games, secret) for _ in range(min(100, count - start))]
            # Nobody reads letters here, and writing thousands would be measured too.
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
def serving(folder: Path, games: int, *, tls: bool) -> Iterator[tuple[LiveDaemon, Entrance]]:
    """A daemon with those games, and its entrance."""
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
    """The address at which programs come in, and the keys that they have."""

    port: int
    context: ssl.SSLContext | None
    keys: list[dict[Color, str]]

    async def sit(self, game: int, color: Color) -> Wire:
        """A program in a seat."""
        streams = await asyncio.open_connection("localhost", self.port, ssl=self.context)
        wire = Wire(*streams)
        session = f"benchmark-{game}-{color.word}"
        for line in (f"godaemon-key {self.keys[game][color]} {session}", "1 boardsize 19"):
            answer = await wire.ask(line)
            if not answer.startswith("="):
                raise AssertionError(answer)
        return wire


def resident(pid: int) -> int:
    """The memory of a process that no other has, in bytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def volley(
    wires: dict[Color, Wire], vertices: Sequence[str]
) -> tuple[list[float], list[float]]:
    """Two programs play those vertices by turns: seconds to `=`, and to the other's program."""
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
    """All of it, on a daemon that nobody has used yet."""
    last = len(entrance.keys) - 1
    pair = {color: await entrance.sit(last, color) for color in Color}
    await volley(pair, VERTICES[:20])  # what is loaded or remembered only once is not counted
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
            await wire.answer()  # it is its own turn
    opening = (perf_counter() - began) / sessions
    memory = (resident(pid) - base) / sessions
    used = processor(pid)
    await asyncio.sleep(idle)
    cpu = (processor(pid) - used) / idle
    # Black begins: an even number of vertices has been played.
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


def told(figures: Figures) -> Iterator[str]:
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
    wanted = parser.parse_args(arguments)
    files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files[1], files[1]))
    with tempfile.TemporaryDirectory(prefix="godaemon-sessions-") as name:
        games = wanted.sessions // 2 + 2
        with serving(Path(name), games, tls=wanted.tls) as (daemon, entrance):
            sleep(1)  # its first tasks are done
            work = measure(daemon.pid, entrance, wanted.sessions, wanted.idle, wanted.plays)
            for line in told(asyncio.run(work)):
                print(line)  # noqa: T201 - what this is for


if __name__ == "__main__":
    main()
