"""A soak: a busy daemon is killed repeatedly, and must neither lose nor repeat anything.

The kills are exponentially distributed, and can hit a starting daemon. Pairs of players
(`pairs.py`) send letters by SMTP; the daemon's letters go to a server that sometimes fails
(`hops.py`). At the end every letter, event and notice is compared (`books.py`). `chaos.py` and
`several.py` are soaks with more entrances, troubles and daemons.
"""

import asyncio
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.books import Books, balance
from tests.crash.hops import FailureRates, Hop, MailPort, Post
from tests.crash.pairs import Pair, World
from tests.support.daemon import LiveDaemon
from tests.support.waiting import come

EXTRA = """
[mail.limits]
confirmations_per_sender = 100000
invitations_per_sender = 100000
invitations_per_address = 100000
strangers_per_sender = 100000
letters_per_stranger = 100000
strangers_per_domain = 100000
strangers_in_all = 100000
[log]
level = "warning"
format = "json"
"""
RETRIES = "retry_first = 0.3\nretry_limit = 5\n"


@dataclass(frozen=True, slots=True)
class Options:
    """Duration and load; times in seconds."""

    seconds: float
    every: float
    """Mean time between two troubles."""
    pairs: int = 100
    connections: int = 16
    seed: int = 1
    tell_every: float = 60.0
    patience: float = 180.0
    """Time at the end in which all letters must go out."""
    failure_rates: FailureRates = field(default_factory=FailureRates)
    thinking: float = 0.0
    """Mean time to answer."""


class Soak:
    """One run."""

    def __init__(self, folder: Path, options: Options) -> None:
        self.options = options
        self.folder = folder
        self.luck = random.Random(options.seed)
        self.books = Books(folder / "books.db")
        self.hop = Hop(self.books, self.luck, options.failure_rates)
        self.kills = self.games = 0
        self.fate = random.Random(options.seed)
        self.playing: set[Pair] = set()
        self._number = 0
        self._going = True

    def make_daemon(self, smarthost: str) -> LiveDaemon:
        return LiveDaemon(self.folder, EXTRA, smarthost=smarthost)

    def mail_ports(self) -> Sequence[MailPort]:
        """The ports for letters; connections use them in turn."""
        return (MailPort(self.daemon.port),)

    def world(self) -> World:
        shared = (self.post, self.hop, self.books, self.luck, lambda: self._going)
        return World(*shared, thinking=self.options.thinking)

    def pair(self, number: int) -> Pair:
        return Pair(number, self.world())

    async def run(self) -> list[str]:
        """Soak, drain, and compare; returns the differences."""
        options = self.options
        await self.hop.start()
        self.daemon = self.make_daemon(f"smtp://127.0.0.1:{self.hop.port}")
        text = self.daemon.config.read_text(encoding="utf-8")
        text = text.replace("[mail.outgoing]\n", f"[mail.outgoing]\n{RETRIES}")
        self.daemon.config.write_text(text, encoding="utf-8")
        await asyncio.to_thread(self.daemon.start)
        self.post = Post(self.mail_ports(), self.books, self.luck)
        self.post.open(options.connections)
        pairs = [asyncio.create_task(self._keep_playing()) for _ in range(options.pairs)]
        progress = asyncio.create_task(self._tell())
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(options.seconds):
                    await self.cause_troubles()
            await self.recover()
            await come(self.has_played)
            await self._drain(pairs)
        finally:
            await self._end([progress, *pairs])
        return await asyncio.to_thread(balance, self.books.file, self.folder / "state")

    async def recover(self) -> None:
        """Wait until the daemon takes letters after its last trouble."""
        await asyncio.to_thread(self.daemon.ready)

    def has_played(self) -> bool:
        """True once games have begun, which on a slow machine takes more than the given time."""
        return self.post.acknowledged > 4 * self.options.pairs

    async def _keep_playing(self) -> None:
        """Let one pair after the other play."""
        while self._going:
            self._number += 1
            pair = self.pair(self._number)
            self.playing.add(pair)
            await pair.play_on()
            self.playing.discard(pair)
            self.games += pair.finished

    async def cause_troubles(self) -> None:
        """Kill and restart the daemon repeatedly, until cancelled."""
        while True:
            await asyncio.sleep(self.fate.expovariate(1 / self.options.every))
            if self.daemon.ended:
                self.books.fault("the daemon ended by itself")
            await to_the_end(self._restart)
            self.note_restart()

    def _restart(self) -> None:
        self.daemon.kill()
        self.daemon.launch()

    def note_restart(self) -> None:
        self.kills += 1

    async def _drain(self, pairs: Sequence[asyncio.Task[None]]) -> None:
        """Stop writing, and wait until all letters have arrived."""
        self._going = False
        options = self.options
        _, waiting = await asyncio.wait(pairs, timeout=options.patience)
        if waiting:
            at = [person.waits for pair in self.playing for person in (pair.alice, pair.bob)]
            self.books.fault(f"{len(waiting)} pairs wait: {[each for each in at if each]}")
        for task in pairs:
            if task.done() and not task.cancelled() and (fault := task.exception()):
                raise fault
        if left := await self.post.drained(options.patience):
            self.books.fault(f"letters that are not taken: {left}")
        with suppress(TimeoutError):
            async with asyncio.timeout(options.patience):
                while (await self._status())["letters"]["waiting"]:  # noqa: ASYNC110 - in another process
                    await asyncio.sleep(0.2)
        self.status = await self._status()

    async def _status(self) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = await asyncio.to_thread(self.daemon.json, "status")
        return found

    async def _end(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.post.close()
        status = await asyncio.to_thread(self.daemon.stop)
        if status:
            self.books.fault(f"SIGTERM was answered with exit status {status}")
        await self.hop.stop()
        self.books.close()

    # -- figures -------------------------------------------------------------------------------
    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(self.options.tell_every)
            tell(
                f"{self.post.acknowledged} letters in, {self.hop.deliveries} out,"
                f" {self.kills} kills, {self._number} pairs, database {self._size():.0f} MB"
            )

    def _size(self) -> float:
        """The size of the database and its write-ahead log in MB."""
        return sum(each.stat().st_size for each in (self.folder / "state").glob("*.db*")) / 1e6

    def report(self, wrong: Sequence[str]) -> str:
        post, hop, books = self.post, self.hop, Path(self.books.file)
        lines = [f"{self.kills} kills in {self.options.seconds / 60:.1f} minutes"]
        lines += [
            (
                f"{post.acknowledged} letters acknowledged; {post.resent} tries that were not,"
                f" {post.repeated} sent again after they were"
            ),
            (
                f"{hop.deliveries} deliveries of {hop.deliveries - self.books.copies} notices,"
                f" {self.books.copies} of them repetitions; hop"
                f" {', '.join(f'{word}: {count}' for word, count in sorted(hop.replies.items()))}"
            ),
            (
                f"{self.games} games played to their end or more, of"
                f" {sum(self.status['games'].values())} begun; database {self._size():.0f} MB,"
                f" our own books {books.stat().st_size / 1e6:.0f} MB"
            ),
            f"log: {self._errors()} errors",
        ]
        lines += [f"WRONG: {each}" for each in wrong] or ["the books balance"]
        return "\n".join(lines)

    def _errors(self) -> int:
        with (self.folder / "log").open(encoding="utf-8", errors="replace") as log:
            return sum('"level":"error"' in line.replace(" ", "") for line in log)


async def to_the_end(work: Callable[[], object]) -> None:
    """Run work in a thread; a cancelled caller waits for its end, which a thread has anyway."""
    running = asyncio.create_task(asyncio.to_thread(work))
    try:
        await asyncio.shield(running)
    finally:
        await running


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def soak(folder: Path, options: Options) -> tuple[Soak, list[str]]:
    """Run; returns the run and the faults in its books."""
    run = Soak(folder, options)
    return run, asyncio.run(run.run())
