"""A soak: many games by letters at full rate while the daemon is killed, and the books after it.

    python -m tests.crash.soak --minutes 60 --kill-every 20 --steady 10 --folder /var/tmp/soak

A real daemon, as installed, is killed with SIGKILL at random moments (exponential, so many seconds
apart on average; also while it opens) and started again, for so many minutes; then, with --steady,
it is left alive for so many more. Pairs of people (`pairs.py`) play games on several boards over
several SMTP connections, which send each letter until it is acknowledged and some of them again;
the letters out go to a server that now and then says 4xx or hangs up (`hops.py`). At the end all
is drained, the daemon stopped, and every letter, event and notice compared (`books.py`). Exit
status 0 means that the books balance.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from tests.crash.books import Books, balance
from tests.crash.hops import Door, Hop, Moods, Post
from tests.crash.pairs import Pair, World
from tests.support.daemon import LiveDaemon

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
    """How long and how hard; times in seconds."""

    killing: float
    steady: float
    kill_every: float
    pairs: int = 100
    connections: int = 16
    seed: int = 1
    tell_every: float = 60.0
    sample_every: float = 5.0
    patience: float = 180.0
    """In which all that is owed must have gone out at the end."""
    moods: Moods = field(default_factory=Moods)
    thinking: float = 0.0
    """Seconds that a person takes to answer, on average."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The daemon's memory at a moment, in MB."""

    at: float
    phase: str
    life: int
    """How many letters it had answered since its start."""
    age: float
    """For how many seconds it had lived."""
    rss: float


class Soak:
    """One run."""

    def __init__(self, folder: Path, options: Options) -> None:
        self.options = options
        self.folder = folder
        self.luck = random.Random(options.seed)
        self.books = Books(folder / "books.db")
        self.hop = Hop(self.books, self.luck, options.moods)
        self.kills = self.games = 0
        self.fate = random.Random(options.seed)
        self.phase = "killing"
        self.samples: list[Sample] = []
        self.seconds = dict.fromkeys(("killing", "steady"), 0.0)
        self.letters = dict.fromkeys(("killing", "steady"), 0)
        self.playing: set[Pair] = set()
        self._number = 0
        self._going = True
        self._life = (0, 0.0)

    def make_daemon(self, smarthost: str) -> LiveDaemon:
        return LiveDaemon(self.folder, EXTRA, smarthost=smarthost)

    def doors(self) -> Sequence[Door]:
        """The ways for letters into it, by turns."""
        return (Door(self.daemon.port),)

    def world(self) -> World:
        shared = (self.post, self.hop, self.books, self.luck, lambda: self._going)
        return World(*shared, thinking=self.options.thinking)

    def pair(self, number: int) -> Pair:
        return Pair(number, self.world())

    async def run(self) -> list[str]:
        """Soak, drain, and compare; what does not agree."""
        options = self.options
        url = await self.hop.open()
        self.daemon = self.make_daemon(url)
        text = self.daemon.config.read_text(encoding="utf-8")
        text = text.replace("[mail.outgoing]\n", f"[mail.outgoing]\n{RETRIES}")
        self.daemon.config.write_text(text, encoding="utf-8")
        await asyncio.to_thread(self.daemon.start)
        self.post = Post(self.doors(), self.books, self.luck)
        self.post.open(options.connections)
        self._began = monotonic()
        self._life = (0, self._began)
        pairs = [asyncio.create_task(self._keep_playing()) for _ in range(options.pairs)]
        watches = [asyncio.create_task(work) for work in (self._sample(), self._tell())]
        try:
            await self._phase("killing", options.killing, self.befall())
            await asyncio.to_thread(self.daemon.ready)
            await self._phase("steady", options.steady, asyncio.sleep(options.steady))
            for task in watches:
                task.cancel()
            await self._drain(pairs)
        finally:
            await self._end([*watches, *pairs])
        return await asyncio.to_thread(balance, self.books.file, self.folder / "state")

    async def _phase(self, name: str, seconds: float, work: object) -> None:
        """One part of the run; whoever has failed by then ends it."""
        assert asyncio.iscoroutine(work)
        self.phase, before, began = name, self.post.acknowledged, monotonic()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await work
        self.seconds[name] = monotonic() - began
        self.letters[name] = self.post.acknowledged - before

    async def _keep_playing(self) -> None:
        """A pair after the other at one place."""
        while self._going:
            self._number += 1
            pair = self.pair(self._number)
            self.playing.add(pair)
            await pair.play_on()
            self.playing.discard(pair)
            self.games += pair.finished

    async def befall(self) -> None:
        """What happens to it, until cancelled: it is killed again and again."""
        while True:
            await asyncio.sleep(self.fate.expovariate(1 / self.options.kill_every))
            if self.daemon.ended:
                self.books.fault("the daemon ended by itself")
            await asyncio.to_thread(self.daemon.kill)
            self.daemon.launch()
            self.born()

    def born(self) -> None:
        """It was started once more."""
        self.kills += 1
        self._life = (self.post.acknowledged, monotonic())

    async def _drain(self, pairs: Sequence[asyncio.Task[None]]) -> None:
        """Nobody writes any more; what is on its way arrives."""
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
                while (await self._status())["letters"]["waiting"]:  # noqa: ASYNC110 - it is elsewhere
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
        await self.hop.close()
        self.books.close()

    # -- figures -------------------------------------------------------------------------------
    async def _sample(self) -> None:
        while True:
            await asyncio.sleep(self.options.sample_every)
            before, since = self._life
            now = monotonic()
            with suppress(OSError, AssertionError):
                rss = memory(self.daemon.pid)
                life = self.post.acknowledged - before
                sample = Sample(now - self._began, self.phase, life, now - since, rss)
                self.samples.append(sample)

    async def _tell(self) -> None:
        seen = delivered = 0
        while True:
            await asyncio.sleep(self.options.tell_every)
            letters, seen = self.post.acknowledged - seen, self.post.acknowledged
            out, delivered = self.hop.taken - delivered, self.hop.taken
            rss = self.samples[-1].rss if self.samples else 0.0
            every = self.options.tell_every
            tell(
                f"{(monotonic() - self._began) / 60:6.1f} min  {self.phase}:"
                f" {letters / every:.1f} letters/s in, {out / every:.1f} out, {self.kills} kills,"
                f" {self._number} pairs, RSS {rss:.0f} MB, database {self._size():.0f} MB,"
                f" driver {resident(os.getpid()):.0f} MB"
            )

    def _size(self) -> float:
        """The database's size in MB, with its log of changes."""
        return sum(each.stat().st_size for each in (self.folder / "state").glob("*.db*")) / 1e6

    def report(self, wrong: Sequence[str]) -> str:
        """The figures, to paste."""
        post, hop, books = self.post, self.hop, Path(self.books.file)
        lines = [f"{self.kills} kills in {self.seconds['killing'] / 60:.1f} minutes"]
        lines += [
            f"{name}: {self.letters[name]} letters in {seconds / 60:.1f} minutes,"
            f" {self.letters[name] / seconds:.1f} a second"
            for name, seconds in self.seconds.items()
            if seconds > 1
        ]
        lines += [
            (
                f"{post.acknowledged} letters acknowledged; {post.resent} tries that were not,"
                f" {post.repeated} sent again after they were"
            ),
            (
                f"{hop.taken} deliveries of {hop.taken - self.books.copies} notices,"
                f" {self.books.copies} of them the same letter again; the hop"
                f" said {', '.join(f'{word}: {count}' for word, count in sorted(hop.said.items()))}"
            ),
            (
                f"{self.games} games played to their end or more, of"
                f" {sum(self.status['games'].values())} begun; database {self._size():.0f} MB,"
                f" our own books {books.stat().st_size / 1e6:.0f} MB"
            ),
            *remembered(self.samples),
            f"log: {self._errors()} errors",
        ]
        lines += [f"WRONG: {each}" for each in wrong] or ["the books balance"]
        return "\n".join(lines)

    def _errors(self) -> int:
        with (self.folder / "log").open(encoding="utf-8", errors="replace") as log:
            return sum('"level":"error"' in line.replace(" ", "") for line in log)


def remembered(samples: Sequence[Sample]) -> list[str]:
    """What the samples of memory say: by letters handled in a life, and by the clock."""
    lines = []
    killed = [each for each in samples if each.phase == "killing"]
    edges = (0, 100, 300, 1000, 3000, 10_000, 10**9)
    parts = [
        f"{low}+: {mean(of):.0f} ({len(of)})"
        for low, high in itertools.pairwise(edges)
        if (of := [each.rss for each in killed if low <= each.life < high])
    ]
    lines.append("RSS in MB by letters since a start (samples): " + ", ".join(parts))
    grown = [each for each in killed if 10 <= each.age < 30]
    if len(grown) >= 8:
        quarter = len(grown) // 4
        first, last = grown[:quarter], grown[-quarter:]
        lines.append(
            f"RSS 10 to 30 s after a start, first quarter of the run {mean_rss(first):.1f} MB,"
            f" last quarter {mean_rss(last):.1f} MB"
        )
    steady = [each for each in samples if each.phase == "steady"]
    if len(steady) >= 8:
        warm = steady[len(steady) // 4 :]
        third = len(warm) // 3
        first, last = warm[:third], warm[-third:]
        letters = mean([each.life for each in last]) - mean([each.life for each in first])
        lines.append(
            f"RSS steady, after warming up: {mean_rss(first):.1f} MB, at the end"
            f" {mean_rss(last):.1f} MB, {letters:.0f} letters later; the most"
            f" {max(each.rss for each in steady):.1f} MB"
        )
    return lines


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def mean_rss(samples: Sequence[Sample]) -> float:
    return mean([each.rss for each in samples])


def memory(pid: int) -> float:
    """The resident memory of a process and of those it has started, in MB.

    Raises `OSError` where it is gone.
    """
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text("ascii").split()]
    return resident(pid) + sum(map(memory, children))


def resident(pid: int) -> float:
    """The resident memory of one process in MB; raises `OSError` where it is gone."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ProcessLookupError(pid)


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def soak(folder: Path, options: Options) -> tuple[Soak, list[str]]:
    """Run; the run and what is wrong with its books."""
    run = Soak(folder, options)
    return run, asyncio.run(run.run())


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, and print the figures."""
    parser = argparse.ArgumentParser(description="Kill a busy daemon for an hour; do the books.")
    parser.add_argument("--minutes", type=float, default=60.0, help="with kills")
    parser.add_argument("--steady", type=float, default=0.0, help="minutes without, after them")
    parser.add_argument("--kill-every", type=float, default=20.0, help="seconds, on average")
    parser.add_argument("--pairs", type=int, default=100, help="of people, playing at one time")
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="kept; else a temporary one")
    given = parser.parse_args(arguments)
    options = Options(
        given.minutes * 60,
        given.steady * 60,
        given.kill_every,
        pairs=given.pairs,
        connections=given.connections,
        seed=given.seed,
    )
    with tempfile.TemporaryDirectory() as made:
        folder = given.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        run, wrong = soak(folder, options)
        tell(run.report(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
