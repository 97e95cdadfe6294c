"""A soak of several daemons on one PostgreSQL.

    python -m tests.crash.several --daemons 3 --games 1000 --kill-every 5 --minutes 10

Pairs of players use mail (`pairs.py`), or Go programs after agreeing by mail; each connection goes
to a random daemon. Daemons are killed or restarted, database connections are cut, and the database
crashes. Then the database is copied to SQLite, and the books must balance (`books.py`). No letter
may be sent twice unless something died.

With `--before PYTHON` all daemons start as the older godaemon of that interpreter, and are upgraded
half-way.
"""

import argparse
import asyncio
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic

import sqlalchemy as sa

from godaemon.games import commands as cmd
from godaemon.games.model import Game
from godaemon.games.notices import Kind
from godaemon.rules.points import Size
from godaemon.storage.backup import verify
from godaemon.storage.columns import METADATA
from godaemon.storage.connections import connect, read_url
from godaemon.storage.database import open_database, store_url
from tests.crash.hops import FailureRates, MailPort
from tests.crash.pairs import Over, Pair, Terms
from tests.crash.soak import EXTRA, RETRIES, Options, Soak, tell, to_the_end
from tests.support.daemon import LiveDaemon
from tests.support.site import SHARED, cut_all, member, start_all
from tests.support.stores import Postgresql, postgresql_server

MOVES = 40
"""Moves of each game at Go programs."""
AT_PROGRAMS = 0.2
"""Share of games at Go programs."""
POINTS = (
    "SELECT json_extract(payload, '$.point') FROM event WHERE game = ? AND kind = 'moved'"
    " ORDER BY number"
)
"""The moves of a game."""


class BrokenConversation(Exception):
    """A Go program's session failed; it must reconnect."""


@dataclass(slots=True)
class Program:
    """A Go program at a seat, which reconnects to any daemon."""

    site: "Several"
    game: Game
    color: str
    moves: Sequence[str]
    seen: int = 0
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def play(self) -> None:
        """Play all moves; after a failure reconnect and replay."""
        while self.seen < len(self.moves):
            try:
                await self._turn()
            except (OSError, EOFError, BrokenConversation):
                await self._leave()
                await asyncio.sleep(0.2)
        await self._leave()

    async def _turn(self) -> None:
        if self._streams is None:
            await self._sit_down()
        other = "white" if self.color == "black" else "black"
        number, vertex = self.seen, self.moves[self.seen]
        if (number % 2 == 0) == (self.color == "black"):
            await self.site.world().think()
            await self._ask(f"play {self.color} {vertex}")
        else:
            found = await self._ask(f"genmove {other}")
            if found.upper() != vertex:
                self.site.books.fault(f"game {self.game.id}: {found!r} is seen, not {vertex}")
        self.seen += 1

    async def _sit_down(self) -> None:
        daemon = self.site.luck.choice(self.site.daemons)
        self._streams = await asyncio.open_unix_connection(daemon.folder / "gtp.sock")
        await self._ask(f"godaemon-seat {self.game.id} {self.color}")
        await self._ask(f"boardsize {self.game.spec.size.width}")
        await self._ask("clear_board")
        for number, vertex in enumerate(self.moves[: self.seen]):
            await self._ask(f"play {'white' if number % 2 else 'black'} {vertex}")

    async def _ask(self, line: str) -> str:
        assert self._streams is not None
        reader, writer = self._streams
        writer.write(f"{line}\n".encode())
        answer = (await reader.readuntil(b"\n\n")).decode().strip()
        if not answer.startswith("="):
            self.site.refused[f"{line.partition(' ')[0]} {answer[:60]}"] += 1
            raise BrokenConversation
        return answer.removeprefix("=").strip()

    async def _leave(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            with suppress(OSError):
                await self._streams[1].wait_closed()
            self._streams = None


class SeatedPair(Pair):
    """A pair that agrees on a game by mail, and plays it at Go programs."""

    def __init__(self, number: int, site: "Several") -> None:
        super().__init__(number, site.world())
        self.site = site

    async def play_on(self) -> None:
        with suppress(Over):
            await self._play(Terms(Size(9, 9), "chinese", 7.0))
            self.finished += 1
        for person in (self.alice, self.bob):
            del self.world.hop.boxes[person.address]

    async def _play(self, terms: Terms) -> None:
        await self._propose(terms)
        self.site.seated.add(self.game.id)
        await self._act(self.bob, (cmd.Yes(),), "accept")
        for person in (self.alice, self.bob):
            await person.expect(Kind.STARTED, self.game.id)
        points = [f"{column}{row}" for row in range(1, 10, 2) for column in "ABCDEFGHJ"]
        moves = points[:MOVES]
        await asyncio.gather(
            *(Program(self.site, self.game, color, moves).play() for color in ("black", "white"))
        )
        self.site.played[self.game.id] = moves


class Several(Soak):
    """One run."""

    def __init__(
        self,
        folder: Path,
        options: Options,
        server: Postgresql,
        count: int,
        database_every: float,
        before: Path | None = None,
    ) -> None:
        super().__init__(folder, options)
        self.server, self.count, self._database_every = server, count, database_every
        self._before = before
        """The interpreter of the older godaemon."""
        self.refused: Counter[str] = Counter()
        """Refused GTP commands."""
        self.seated: set[int] = set()
        self.played: dict[int, Sequence[str]] = {}
        self.trouble_counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    def make_daemon(self, smarthost: str) -> LiveDaemon:
        """Make all daemons; returns the first."""
        self.daemons = [
            member(
                *(self.server.url, self.folder / f"host{number}", EXTRA, smarthost),
                outgoing=RETRIES if number else "",
            )
            for number in range(self.count)
        ]
        if self._before:
            for daemon in self.daemons:
                daemon.program = (str(self._before), "-I", "-m", "godaemon")
        return self.daemons[0]

    def mail_ports(self) -> Sequence[MailPort]:
        """Start the others; returns the ports of all."""
        start_all(self.daemons, running=True)
        return [MailPort(daemon.port) for daemon in self.daemons]

    def has_played(self) -> bool:
        """True once games by mail have begun, and one at programs is over."""
        return super().has_played() and bool(self.played)

    def pair(self, number: int) -> Pair:
        """A pair by mail or at Go programs."""
        seated = self.luck.random() < AT_PROGRAMS
        return SeatedPair(number, self) if seated else Pair(number, self.world())

    async def cause_troubles(self) -> None:
        """Kill or restart daemons; at intervals cut connections or crash the database."""
        database = monotonic() + self._database_every
        half_way = monotonic() + self.options.seconds / 2
        while True:
            await asyncio.sleep(self.fate.expovariate(1 / self.options.every))
            if self._before and not self.trouble_counts["upgraded"] and monotonic() > half_way:
                await self._upgrade_all()
                continue
            if monotonic() > database:
                await to_the_end(self._trouble_database)
                database = monotonic() + self._database_every
                continue
            await to_the_end(partial(self._trouble_daemon, self.fate.choice(self.daemons)))
            self.note_restart()

    async def _upgrade_all(self) -> None:
        """Stop each old daemon and start it as the new version, which may end the others."""
        for daemon in self.daemons:
            if not daemon.ended:
                await asyncio.to_thread(daemon.stop)
            daemon.program = (sys.executable, "-m", "godaemon")
            daemon.launch()
            await asyncio.to_thread(daemon.ready)
            self.trouble_counts["upgraded"] += 1
            self.note_restart()

    def _trouble_database(self) -> None:
        if self.trouble_counts["cuts"] <= self.trouble_counts["database"]:
            self.trouble_counts["cuts"] += 1
            cut_all(self.server.url)
            return
        self.trouble_counts["database"] += 1
        self.server.stop()
        self.server.start()

    def _trouble_daemon(self, daemon: LiveDaemon) -> None:
        if daemon.ended:
            self._start_again(daemon)
            return
        politely = self.fate.random() < 0.2
        self.trouble_counts["restarts" if politely else "kills"] += 1
        try:
            status = daemon.stop() if politely else 0
        except subprocess.TimeoutExpired:
            self.trouble_counts["slow ends"] += 1
            politely = False
        else:
            if status not in {0, -signal.SIGTERM}:  # the second during its start
                self.wrong.append(f"a daemon that was stopped ended with {status}")
        if not politely:
            daemon.kill()
        daemon.launch()

    def _start_again(self, daemon: LiveDaemon) -> None:
        """Restart a daemon that has exited; only exit status 75 (no database) is allowed."""
        self.trouble_counts["put off"] += 1
        if daemon.status != 75:
            self.wrong.append(f"a daemon ended by itself: {daemon.status} {daemon.log()[-500:]}")
        daemon.launch()

    async def recover(self) -> None:
        """Start those again that ended, perhaps while they started, for want of the database."""
        for daemon in self.daemons:
            with suppress(AssertionError):
                await asyncio.to_thread(daemon.ready)
            if daemon.ended:
                self._start_again(daemon)
            await asyncio.to_thread(daemon.ready)

    async def _end(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        for daemon in self.daemons[1:]:
            await asyncio.to_thread(daemon.stop)
        await super()._end(tasks)
        await asyncio.to_thread(self._take_home)

    def _take_home(self) -> None:
        """Copy the store to SQLite, check it, and remove the games at programs for the books."""
        state = self.folder / "state"
        copy(self.server.url, state)
        for name in SHARED:
            shutil.copy2(self.daemons[0].folder / "state" / name, state / name)
        self.wrong += self._programs_wrong(state)
        leave_out(self.seated, state, self.books.file)

    def _programs_wrong(self, state: Path) -> Sequence[str]:
        """The faults in the games at programs."""
        verify(state)
        found, deaths = list[str](), ("kills", "database", "cuts")
        if self.books.copies and not any(self.trouble_counts[death] for death in deaths):
            found.append(f"{self.books.copies} letters were sent twice, and nobody had died")
        with closing(sqlite3.connect(state / "godaemon.db")) as store:
            for game, moves in self.played.items():
                points = [point for (point,) in store.execute(POINTS, (game,))]
                if points != moves:
                    found.append(f"game {game} holds {len(points)} moves of {len(moves)}: {points}")
        return found

    def report(self, wrong: Sequence[str]) -> str:
        trouble_counts = ", ".join(
            f"{what}: {count}" for what, count in sorted(self.trouble_counts.items())
        )
        programs = f"{len(self.played)} games at programs, which were refused {dict(self.refused)}"
        daemons = f"{len(self.daemons)} daemons; {trouble_counts}"
        return "\n".join((daemons, programs, super().report(wrong)))

    def _errors(self) -> int:
        logs = (daemon.log().splitlines() for daemon in self.daemons)
        return sum('"level":"error"' in line.replace(" ", "") for log in logs for line in log)


def copy(url: str, state: Path) -> None:
    """Copy a server's database to a new SQLite store."""
    state.mkdir(mode=0o700)
    database, server = open_database(store_url(state)), connect(read_url(url))
    with server.connect() as source, database.connect() as target, target.begin():
        for table in METADATA.sorted_tables:
            names, rows = table.columns.keys(), source.execute(sa.select(table))
            for part in rows.partitions(1000):
                copied = [dict(zip(names, row, strict=True)) for row in part]
                target.execute(sa.insert(table), copied)
    server.dispose()
    database.close()


def leave_out(games: set[int], state: Path, books: Path) -> None:
    """Remove games from a store and the books, as their notices cannot be predicted."""
    numbers = ",".join(map(str, games)) or "0"
    with closing(sqlite3.connect(state / "godaemon.db")) as store:
        store.execute("ATTACH ? AS books", (str(books),))
        theirs = f"(SELECT message_id FROM outbox WHERE game IN ({numbers}))"
        store.execute(f"DELETE FROM books.delivered WHERE message_id IN {theirs}")
        for table in ("books.happened", "books.expected", "books.stands"):
            store.execute(f"DELETE FROM {table} WHERE game IN ({numbers})")
        for table in reversed(METADATA.sorted_tables):
            if "game" in table.columns:
                store.execute(f"DELETE FROM {table.name} WHERE game IN ({numbers})")
        store.execute(f"DELETE FROM game WHERE id IN ({numbers})")
        store.commit()


def several(
    folder: Path, options: Options, count: int, database_every: float, before: Path | None = None
) -> tuple[Several, list[str]]:
    """Run; returns the run and the faults in its books."""
    with postgresql_server() as server:
        run = Several(folder, options, server, count, database_every, before)
        wrong = asyncio.run(run.run())
        return run, [*run.wrong, *wrong]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Daemons on one PostgreSQL; do the books.")
    parser.add_argument("--daemons", type=int, default=2)
    parser.add_argument("--games", type=int, default=20, help="at one time")
    parser.add_argument("--minutes", type=float, default=0.5)
    parser.add_argument("--kill-every", type=float, default=5.0, help="seconds between two deaths")
    parser.add_argument("--database-every", type=float, default=20.0, help="the same of its own")
    parser.add_argument(
        "--thinking", type=float, default=0.25, help="seconds that an answer takes, on average"
    )
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--before", type=Path, help="the Python of an older godaemon to upgrade")
    parser.add_argument("--folder", type=Path, help="kept; else a temporary one")
    given = parser.parse_args(arguments)
    options = Options(
        *(given.minutes * 60, given.kill_every, given.games),
        seed=given.seed,
        thinking=given.thinking,
        failure_rates=FailureRates(hangs_up=0.0),
    )
    with tempfile.TemporaryDirectory() as made:
        folder = given.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        run, wrong = several(folder, options, given.daemons, given.database_every, given.before)
        tell(f"seed {given.seed}\n{run.report(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
