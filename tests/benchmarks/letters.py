"""Throughput of letters through godaemon, compared with a bare aiosmtpd that only stores them.

    python -m tests.benchmarks.letters [--letters N] [--connections 1 10 50] [--folder FOLDER]
                                       [--moves N]

Bare is aiosmtpd with a handler that INSERTs and COMMITs each letter with the same SQLite settings
(WAL, synchronous=FULL). Both servers get the same letters, each a move in its own game. `taken` is
the rate until the last 250, `through` until the last turn letter is at the sink. The goal is half
of bare's rate.

Client, sink and servers share the cores, so CPU milliseconds per letter are shown too. Then follow
the latency of single letters, from MAIL to the turn letter at the sink, and the CPU time of each
step in this process. The latter is the figure to compare, as it hardly depends on other load.
`--moves` sets the moves already made in each game.
"""

import argparse
import asyncio
import contextlib
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import TypeVar

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session

from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.games.notices import Notice
from godaemon.games.player_settings import Preferences
from godaemon.games.running_clocks import start_clocks
from godaemon.games.service_calls import Caller
from godaemon.rules.points import Color, Point
from godaemon.storage.database import open_database, store_url
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from godaemon.system.signing_keys import make_key
from mailgate import tokens
from mailgate.handling.dispatcher import Dispatcher
from mailgate.handling.parsed_letter import ParsedLetter, parse_letter
from mailgate.letters.compose import Composer
from mailgate.letters.headers import SenderIdentity
from mailgate.letters.letter_data import LetterData, load_letter_data
from mailgate.reading.inbound_letter import InboundLetter
from tests.crash.hops import Job, Line, MailPort
from tests.support.daemon import LiveDaemon, free_port
from tests.support.gateway import Gateway
from tests.support.limits import Limits
from tests.support.waiting import until

T = TypeVar("T")
ALICE = Caller("letter:<a>", "alice@players.example", "Alice")
ADDRESS = "go@localhost"
GOAL = 0.5
"""Goal as a share of bare's rate."""
_OPENING = [Point(x, y) for x in range(0, 19, 2) for y in range(19) if (x, y) != (3, 3)]
"""Moves without captures, in pairs."""
_QUOTED = "".join(f"> line {number} of what was written before\r\n" for number in range(30))


def cpu_milliseconds(pid: int) -> float:
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) * 1000 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Row:
    """The rates for a number of connections, in letters per second."""

    connections: int
    bare: float
    taken: float
    through: float
    cost: float
    """CPU milliseconds of bare per letter."""
    ours: float
    """CPU milliseconds of godaemon per letter."""


# -- the bare server, in its own process -----------------------------------------------------------
class Store:
    """Stores each letter with one INSERT and one COMMIT."""

    def __init__(self, folder: Path) -> None:
        self._link = sqlite3.connect(folder / "bare.db", isolation_level=None)
        self._link.execute("PRAGMA journal_mode=WAL")
        self._link.execute("PRAGMA synchronous=FULL")
        self._link.execute("CREATE TABLE IF NOT EXISTS letter (sender TEXT, to_ TEXT, raw BLOB)")

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        row = (envelope.mail_from, envelope.rcpt_tos[0], envelope.content)
        self._link.execute("BEGIN IMMEDIATE")
        self._link.execute("INSERT INTO letter VALUES (?, ?, ?)", row)
        self._link.execute("COMMIT")
        return "250 OK"


async def serve_bare(folder: Path, port: int) -> None:
    """Listen until terminated."""
    store, loop = Store(folder), asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(store, hostname="bare"), "127.0.0.1", port)
    await server.serve_forever()


@contextlib.contextmanager
def bare_server(folder: Path) -> Iterator[tuple[int, int]]:
    """Run the bare server; yields its port and pid."""
    port = free_port()
    command = [sys.executable, "-m", "tests.benchmarks.letters", "--bare", str(port)]
    process = subprocess.Popen([*command, "--folder", str(folder)])
    try:
        until(lambda: _listens(port), "the bare server listens")
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(15)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


# -- the sink, in this process ---------------------------------------------------------------------
class Sink:
    """A minimal mail server that counts letters."""

    def __init__(self) -> None:
        self.taken = 0
        self.wanted = 0
        self.all = asyncio.Event()

    async def session(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 sink\r\n")
        while line := await reader.readline():
            verb = line[:4].upper()
            if verb == b"EHLO":
                writer.write(b"250-sink\r\n250-8BITMIME\r\n250 PIPELINING\r\n")
            elif verb == b"DATA":
                writer.write(b"354 go on\r\n")
                await reader.readuntil(b"\r\n.\r\n")
                writer.write(b"250 OK\r\n")
                self._count()
            elif verb == b"QUIT":
                break
            else:
                writer.write(b"250 OK\r\n")
        writer.close()

    def _count(self) -> None:
        self.taken += 1
        if self.taken >= self.wanted:
            self.all.set()

    def expect(self, count: int) -> None:
        self.taken, self.wanted = 0, count
        self.all.clear()


# -- the client ------------------------------------------------------------------------------------
async def send_all(port: int, letters: Sequence[Job], connections: int) -> None:
    """Send letters over several connections, one at a time on each."""
    waiting = iter(letters)

    async def one() -> None:
        line = await Line.open(MailPort(port))
        for letter in waiting:
            await send(line, letter)
        await line.close()

    await asyncio.gather(*(one() for _ in range(connections)))


async def send(line: Line, letter: Job) -> None:
    answer = await line.hand_over(letter, patient=True)
    assert answer.startswith(b"250"), answer


# -- the games -------------------------------------------------------------------------------------
class Club:
    """A store of games with Alice to move, made without letters."""

    def __init__(self, state: Path, moves: int = 0) -> None:
        """Each game has `moves` moves."""
        state.mkdir(parents=True, exist_ok=True)
        self._moves = moves
        self.key = make_key(state)
        self._database = open_database(store_url(state))
        self.writer = WriterThread(self._database).start()
        self.gateway = Gateway(limits=Limits(*[10**9] * len(fields(Limits))))

    def game(self, number: int) -> Job:
        """Start a game; returns the letter with Alice's next move."""
        # Letters to one person go out in sequence, so each game has its own opponent.
        bob = Caller("letter:<b>", f"bob{number}@players.example", f"Bob{number}")
        wanted = cmd.Propose(bob.address, color=Color.BLACK)

        def begin(unit: Unit) -> str:
            games = self.gateway.games(unit)
            new = games.propose(wanted, ALICE, vouched=True).after
            game = games.act(new.id, Seat.INVITED, (cmd.Yes(),), bob).after
            for turn, point in enumerate(_OPENING[: self._moves]):
                caller = bob if turn % 2 else ALICE
                seat = Seat.of(game.to_move or Color.BLACK)
                game = games.act(game.id, seat, (cmd.Play(point),), caller).after
            return SenderIdentity(self.key, ADDRESS, "Go").seat_token(game, Seat.BLACK)

        token = self.writer.run_sync(begin)
        return Job(ALICE.address, tokens.reply_address(ADDRESS, token), letter(number))

    def silence(self) -> None:
        """Mark all letters as sent, and turn off receipts."""

        def work(unit: Unit) -> None:
            unit.players.set_preferences(ALICE.address, Preferences(receipts=False))
            while due := unit.outbox.claim(self.gateway.now, 1.0, 500):
                for one in due:
                    unit.outbox.mark_sent(one.id, self.gateway.now)

        self.writer.run_sync(work)

    def close(self) -> None:
        self.writer.close()
        self._database.close()


def letter(number: int) -> bytes:
    """A letter with a move and a quotation."""
    return (
        "From: Alice <alice@players.example>\r\nTo: go@localhost\r\nSubject: Re: Go game\r\n"
        f"Message-ID: <{number}@players.example>\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n\r\nD4\r\n\r\n"
        f"On Sat, 21 Nov 2026 at 10:00, Go by mail wrote:\r\n{_QUOTED}"
    ).encode()


# -- measuring -------------------------------------------------------------------------------------
async def measure(
    folder: Path, counts: Sequence[int], each: int, moves: int
) -> tuple[list[Row], list[float]]:
    """The rates of `each` letters for each number of connections; the latency of single letters."""
    sink = Sink()
    listener = await asyncio.start_server(sink.session, "127.0.0.1", 0, limit=2**22)
    smarthost = f"smtp://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    home = folder / "daemon"
    batches = await asyncio.to_thread(_batches, home / "state", len(counts) + 1, each, moves)
    daemon, rows = LiveDaemon(home, smarthost=smarthost), list[Row]()
    with bare_server(folder) as (port, pid):
        await asyncio.to_thread(daemon.start)
        try:
            for connections, letters in zip(counts, batches, strict=False):
                cost, started = cpu_milliseconds(pid), perf_counter()
                await send_all(port, letters, connections)
                stored = perf_counter() - started
                cost = cpu_milliseconds(pid) - cost
                ours = cpu_milliseconds(daemon.pid)
                taken, through = await _through(daemon.port, letters, connections, sink)
                ours = cpu_milliseconds(daemon.pid) - ours
                rates = each / stored, each / taken, each / through
                rows.append(Row(connections, *rates, cost / each, ours / each))
            alone = await _one_by_one(daemon.port, batches[-1], sink)
        finally:
            await asyncio.to_thread(daemon.stop)
    listener.close()
    return rows, alone


async def _through(
    port: int, letters: Sequence[Job], connections: int, sink: Sink
) -> tuple[float, float]:
    """Seconds until all letters are taken, and until all resulting letters have arrived."""
    sink.expect(len(letters))
    started = perf_counter()
    await send_all(port, letters, connections)
    taken = perf_counter() - started
    async with asyncio.timeout(600):
        await sink.all.wait()
    return taken, perf_counter() - started


async def _one_by_one(port: int, letters: Sequence[Job], sink: Sink) -> list[float]:
    """The latency of each letter, sent one by one."""
    line, spent = await Line.open(MailPort(port)), []
    for letter in letters:
        sink.expect(1)
        begun = perf_counter()
        await send(line, letter)
        await sink.all.wait()
        spent.append(perf_counter() - begun)
    await line.close()
    return spent


def _batches(state: Path, count: int, each: int, moves: int) -> list[list[Job]]:
    club = Club(state, moves)
    try:
        made = [club.game(number) for number in range(count * each)]
        club.silence()
    finally:
        club.close()
    return [made[begin : begin + each] for begin in range(0, len(made), each)]


def steps(folder: Path, count: int, moves: int = 0) -> dict[str, float]:
    """Median CPU milliseconds of each step of a letter, in this process and without SMTP."""
    club = Club(folder, moves)
    now, writer = club.gateway.now, club.writer
    composer = Composer(club.key, ADDRESS, "Go by mail", invitation_days=14)
    dispatcher = Dispatcher(lambda: (club.key,), lambda: (ADDRESS,), club.gateway.games, lambda: 20)
    cache = club.gateway.cache
    spent: dict[str, list[float]] = {}

    def step(name: str, work: Callable[[], T]) -> T:
        begun = process_time()
        found = work()
        spent.setdefault(name, []).append(process_time() - begun)
        return found

    def handle(unit: Unit, parsed: ParsedLetter) -> tuple[int, LetterData]:
        dispatcher.handle_once(unit, parsed, now)
        (due,) = unit.outbox.claim(now, 1e6, 1)
        return due.id, load_letter_data(unit, due, cache)

    def sent(unit: Unit, number: int, notice: Notice) -> None:
        unit.outbox.mark_sent(number, now)
        start_clocks(club.gateway.games(unit), notice)

    def one(job: Job) -> None:
        inbound = InboundLetter(job.to, job.sender, job.raw)
        parsed = step("read", lambda: parse_letter(inbound))
        work = partial(handle, parsed=parsed)
        number, data = step("handle", lambda: writer.run_sync(work))
        letter = step("compose", lambda: composer.compose(data))
        keep = (number, letter.message_id, letter.raw)
        step("keep", lambda: writer.run_sync(lambda unit: unit.outbox.store_letter(*keep)))
        step("sent", lambda: writer.run_sync(partial(sent, number=number, notice=data.notice)))

    try:
        made = [club.game(number) for number in range(count)]
        club.silence()
        for job in made:
            one(job)
    finally:
        club.close()
    return {name: median(seconds) * 1000 for name, seconds in spent.items()}


def report(rows: Sequence[Row], seconds: Sequence[float], spent: dict[str, float]) -> str:
    head = "connections   bare/s  taken/s  ratio  through/s  ratio   ms CPU: bare  daemon"
    lines = [head, *map(_line, rows)]
    for name in ("taken", "through"):
        missed = [str(row.connections) for row in rows if getattr(row, name) < row.bare * GOAL]
        verdict = f"not at {', '.join(missed)} connections" if missed else "yes"
        lines.append(f"{name} at half of bare's rate, on {os.cpu_count()} cores: {verdict}")
    alone = ", ".join(
        f"{1000 * one:.1f}" for one in quantiles(seconds, n=20, method="inclusive")[::9]
    )
    lines.append(f"alone, from MAIL to the sink, in ms (5, 50, 95 %): {alone}")
    parts = ", ".join(f"{name} {cost:.2f}" for name, cost in spent.items())
    return "\n".join([*lines, f"one letter by steps, in ms of CPU: {parts}"])


def _line(row: Row) -> str:
    return (
        f"{row.connections:11}{row.bare:9.0f}{row.taken:9.0f}{row.taken / row.bare:7.2f}"
        f"{row.through:11.0f}{row.through / row.bare:7.2f}"
        f"{row.cost:15.1f}{row.ours:8.1f}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Letters through godaemon and a bare aiosmtpd.")
    parser.add_argument("--letters", type=int, default=500)
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 10, 50])
    parser.add_argument(
        "--folder", type=Path, help="where to keep the stores; else a temporary one"
    )
    parser.add_argument("--bare", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--moves", type=int, default=0, help="that each game has had; even")
    options = parser.parse_args(arguments)
    if options.bare:
        asyncio.run(serve_bare(options.folder, options.bare))
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder, letters, moves = Path(name), options.letters, options.moves
        rows, alone = asyncio.run(measure(folder, options.connections, letters, moves))
        spent = steps(folder / "steps", min(letters, 200), moves)
    sys.stdout.write(report(rows, alone, spent) + "\n")
    return 0


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    sys.exit(main())
