"""Months of games on a virtual clock, with days off, wrong clocks and times without a daemon.

    python -m tests.crash.year --players 100 --games 500 --seed 1

Players answer, fall silent, go away, take back, plan and count. The daemon restarts, dies, is down
for days, and has a wrong clock; it prunes and packs. At the end every game must have
ended, and replay from its log: exit status 0.
"""

import argparse
import asyncio
import heapq
import logging
import random
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path

import structlog

from godaemon.games import events as ev
from godaemon.games.awaited_decisions import Awaited, awaited_decision
from godaemon.games.commands import EmailLevel
from godaemon.games.events import LogEntry
from godaemon.games.model import Game, Seat
from godaemon.games.state import replay
from godaemon.games.wanted_emails import effective_preferences
from godaemon.rules.points import Point
from godaemon.storage.unit_of_work import Unit
from tests.crash.hops import ReceivedLetter, parse_received
from tests.crash.virtual_daemon import ADDRESS, VirtualDaemon
from tests.support.game_checks import awaited_fault, remaining_time

BEGIN = datetime(2027, 1, 1, 6, 0, tzinfo=UTC)
DAY = timedelta(days=1)
LIMIT = 420 * DAY
"""Time after the last letter in which every game must end, even without a clock."""
PRUNED_AFTER = 40 * DAY
"""Time after the last game in which old rows are deleted and logs are packed."""
ZONES = ("Pacific/Chatham", "America/St_Johns", "Europe/Berlin", "Australia/Lord_Howe")
CLOCKS = (
    *("", "", "3 days per move", "36 hours per move", "4d+12h", "1d+6h max 3d", "5d+3x1d"),
    *("4d+5/3d", "20d each", "9d each", "2d+2x12h", "time none"),
)
Weighted = Mapping[str, int]
"""Lines of a letter with their weights; {} stands for a point, stone, secret or name."""
AWAITED: Mapping[Awaited, Weighted] = {
    Awaited.CONFIRMATION: {"yes": 30, "no": 1},
    Awaited.INVITATION: {
        "accept": 40,
        "accept but 7x7": 3,
        "accept but 3 days per move": 3,
        "no": 2,
    },
    Awaited.TURN: {"{move}": 90, "{move}\nnote {secret}": 5, "resign": 2, "void": 1, "resing": 1},
    Awaited.COUNT: {"done": 60, "dead {stone}": 18, "resume": 4, "propose": 2},
    Awaited.VOID: {"void": 1, "no": 1},
}
WHIMS: Weighted = {
    "undo": 3,
    "if {point} then {point}": 3,
    "note {secret}": 3,
    "vacation 3 days": 2,
    "vacation 14 days": 2,
    "vacation from 3 March for 2 weeks": 1,
    "vacation automatic": 1,
    "back": 1,
    "weekends off": 2,
    "weekends on": 1,
    "timezone {zone}": 2,
    "emails daily at 5": 1,
    "emails all": 2,
    "cancel": 1,
    "show": 1,
}


@dataclass(frozen=True, slots=True)
class Options:
    """The size of a run."""

    players: int = 100
    games: int = 500
    seed: int = 1
    days: float = 120.0
    """Days in which games are started."""
    troubles: int = 30
    clocks: Sequence[str] = CLOCKS


@dataclass(eq=False, slots=True)
class Player:
    """A player with a mail program."""

    address: str
    pace: timedelta
    """Mean time to answer."""
    faithless: float
    """Probability to fall silent in a game, per answer."""
    newest: dict[int, ReceivedLetter] = field(default_factory=dict)
    silent: set[int] = field(default_factory=set)
    busy: set[int] = field(default_factory=set)
    """Games with a scheduled answer."""
    away: datetime = BEGIN

    @property
    def secret(self) -> str:
        """A word that only this player may read."""
        return f"zq{self.address.partition('@')[0]}qz"


class Year:
    """One run; `faults` collects what is wrong."""

    def __init__(self, folder: Path, options: Options) -> None:
        self.options, self.luck = options, random.Random(options.seed)
        self.daemon = VirtualDaemon(folder, BEGIN, self._deliver)
        self.people = {
            address: Player(
                address,
                timedelta(hours=self.luck.choice([0.2, 1, 4, 10, 24])),
                self.luck.choice([0.002, 0.006, 0.04]),
            )
            for address in (f"p{number}@players.example" for number in range(options.players))
        }
        self.games: dict[int, Game] = {}
        self.letters: dict[str, bytes] = {}
        """The letters that arrived, by Message-ID."""
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self._script: list[tuple[datetime, int, Callable[[], Awaitable[None]]]] = []
        self._order = count()
        self._last_letter = BEGIN

    def at(self, moment: datetime, work: Callable[[], Awaitable[None]]) -> None:
        heapq.heappush(self._script, (moment, next(self._order), work))

    def schedule(self, mean: timedelta, work: Callable[[], Awaitable[None]]) -> None:
        self.at(self.daemon.now + mean * self.luck.expovariate(1.0), work)

    # -- the run -------------------------------------------------------------------------------
    async def run(self) -> None:
        """Run the script until the last game has ended, and old logs are packed."""
        span = self.options.days * DAY
        for _ in range(self.options.games):
            self.at(BEGIN + span * self.luck.random(), self._propose)
        for _ in range(self.options.troubles):
            self.at(BEGIN + span * self.luck.random(), self._trouble)
        await self.daemon.open()
        while self._script or (self._going() and self.daemon.now < self._last_letter + LIMIT):
            if not self._script:
                self.at(self.daemon.now + DAY, self._settle)
            moment, _, work = heapq.heappop(self._script)
            await self.daemon.live_until(moment)
            await work()
            await self._settle()
        await self._end()

    def _going(self) -> list[int]:
        return [game.id for game in self.games.values() if not game.phase.over]

    async def _settle(self) -> None:
        """Wait until nothing is due, then check all changed games."""
        daemon = self.daemon
        if not daemon.is_open:
            return
        await daemon.quiet()
        while daemon.changed:
            number = daemon.changed.pop()
            await daemon.look(partial(self._check, number))

    def _check(self, number: int, unit: Unit) -> None:
        game = self.games[number] = self.daemon.core.games(unit).game(number)
        if fault := awaited_fault(game) or _missing_letter(unit, game):
            self.faults.append(f"game {number} after {game.length} events: {fault}")
        if game.phase.over or self.luck.random() < 0.02:
            self._check_log(game, unit.games.log(number))

    def _check_log(self, game: Game, log: Sequence[LogEntry]) -> None:
        """Compare a game with its log, and its clock with a simple clock."""
        self.counts["logs"] += 1
        if replay(game.id, log) != game:
            self.faults.append(f"game {game.id} differs from its log")
        if game.clock and (simple := remaining_time(game.id, log)) != game.clock.left:
            self.faults.append(f"game {game.id}: clocks {game.clock.left}, not {simple}")

    async def _end(self) -> None:
        if left := self._going():
            self.faults.append(f"{len(left)} games have not ended: {left[:9]}")
        await self.daemon.live_until(self.daemon.now + PRUNED_AFTER)
        await self._settle()
        await self.daemon.look(self._check_end)
        await self.daemon.close()
        with closing(sqlite3.connect(self.daemon.folder / "godaemon.db")) as store:
            for message_id, status in store.execute("SELECT message_id, status FROM outbox"):
                if status != "sent" or message_id not in self.letters:
                    self.faults.append(f"letter {message_id} is {status}, or did not arrive")
            self.faults += [
                f"quarantine: {row}" for row in store.execute("SELECT * FROM quarantine")
            ]
            (self.counts["packed"],) = store.execute("SELECT count(*) FROM old_log").fetchone()

    def _check_end(self, unit: Unit) -> None:
        for game in self.games.values():
            log = unit.games.log(game.id)
            self._check_log(game, log)
            self.counts.update(ev.name(entry.event) for entry in log)

    # -- troubles ------------------------------------------------------------------------------
    async def _trouble(self) -> None:
        """Restart or kill the daemon, keep it down, or set its clock wrong."""
        daemon = self.daemon
        if not daemon.is_open or daemon.wrong:
            return
        trouble = self._chosen({"restart": 4, "death": 4, "down": 3, "wrong clock": 2})
        self.counts[trouble] += 1
        if trouble == "wrong clock":
            daemon.set_error(self.luck.choice([40, -3, 2]) * DAY)
            self.schedule(timedelta(hours=8), self._correct_clock)
        else:
            await daemon.close(abruptly=trouble == "death")
            hours = self.luck.choice([0.3, 3, 20, 70, 200]) if trouble == "down" else 0
            self.at(daemon.now + timedelta(hours=hours), daemon.open)

    async def _correct_clock(self) -> None:
        self.daemon.set_error(timedelta())

    # -- letters -------------------------------------------------------------------------------
    async def _deliver(self, recipient: str, raw: bytes) -> None:
        """Deliver our letter to a player, who answers it later."""
        letter, me = parse_received(raw), self.people[recipient]
        if self.letters.setdefault(letter.message_id, raw) != raw:
            self.faults.append(f"letter {letter.message_id} came again with other bytes")
        for other in self.people.values():
            if other is not me and other.secret.encode() in raw:
                self.faults.append(f"{recipient} was sent a note of {other.address}")
        me.newest[letter.game] = letter
        self._schedule_answer(me, letter.game, me.pace)

    def _schedule_answer(self, me: Player, number: int, pace: timedelta) -> None:
        if number and number not in me.busy:
            me.busy.add(number)
            self.schedule(pace, partial(self._answer, me, number))

    async def _answer(self, me: Player, number: int) -> None:
        """Let a player answer a game's newest letter, or not."""
        if self.daemon.now < me.away:
            self.at(me.away, partial(self._answer, me, number))
            return
        me.busy.discard(number)
        game = self.games.get(number)
        seat = game.seat_held_by(me.address) if game else None
        if game is None or seat is None or number in me.silent:
            return
        if self.luck.random() < me.faithless:
            me.silent.add(number)
            return
        awaited = awaited_decision(game, seat)
        if game.phase.over or (awaited is None and self.luck.random() < 0.7):
            return
        line = self._line(me, game, awaited)
        if line.startswith("vacation"):
            me.away = self.daemon.now + self.luck.choice([1, 5, 12]) * DAY
        await self._write(me, line, me.newest[number])
        if self.luck.random() < 0.15:
            self._schedule_answer(me, number, me.pace / 4)

    def _chosen(self, lines: Weighted) -> str:
        return self.luck.choices([*lines], [*lines.values()])[0]

    def _line(self, me: Player, game: Game, awaited: Awaited | None) -> str:
        """The lines that a player writes about a game: an awaited decision, or a whim."""
        is_whim = awaited is None or self.luck.random() < 0.04
        lines = WHIMS if is_whim or awaited is None else AWAITED[awaited]
        board = game.position.board
        stones = [board.point(index) for index, cell in enumerate(board.cells) if cell]
        return self._chosen(lines).format(
            move=self._move(game),
            point=self._point(game),
            stone=self.luck.choice(stones) if stones else "A1",
            secret=me.secret,
            zone=self.luck.choice(ZONES),
        )

    def _point(self, game: Game) -> Point:
        size = game.spec.size
        return Point(self.luck.randrange(size.width), self.luck.randrange(size.height))

    def _move(self, game: Game) -> str:
        """A random legal move, or a pass after some moves."""
        if game.to_place:
            return "place stars"
        moves = random.Random(game.id).choice([1, 3, 6, 10, 14, 20])
        point = self._point(game)
        is_legal = game.to_move is not None and game.position.is_legal(game.to_move, point)
        return str(point) if is_legal and game.move_number < moves else "pass"

    async def _propose(self) -> None:
        me, other = self.luck.sample([*self.people.values()], k=2)
        size, handicap = self.luck.choice(["5x5", "7x7", "9x9", "9x9 handicap 3 as black"]), ""
        terms = f"{size} {handicap} {self.luck.choice(self.options.clocks)}"
        await self._write(me, f"new {terms} vs {other.address}")

    async def _write(self, me: Player, text: str, to: ReceivedLetter | None = None) -> None:
        """Send a letter; 2 % arrive twice."""
        self._last_letter = self.daemon.now
        recipient = to.reply_to if to else ADDRESS
        head = (
            f"From: {me.address}\r\nTo: {recipient}\r\nSubject: Re: Go\r\n"
            f"Message-ID: <{next(self._order)}@players.example>\r\n"
        )
        head += f"In-Reply-To: {to.message_id}\r\n" if to else ""
        post = partial(self._post, me.address, recipient, f"{head}\r\n{text}\r\n".encode())
        await post()
        if self.luck.random() < 0.02:
            self.schedule(timedelta(hours=2), post)

    async def _post(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send a letter now, or again in an hour or so."""
        if self.daemon.is_open and await self.daemon.take(sender, recipient, raw):
            self.counts["letters in"] += 1
        else:
            self.schedule(timedelta(hours=1), partial(self._post, sender, recipient, raw))


def _missing_letter(unit: Unit, game: Game) -> str:
    """The awaited player who wants a letter and has none; "" for nobody."""
    if game.clock is None or not game.clock.waits:
        return ""
    address = game.player(Seat.of(game.clock.turn)).address
    level = effective_preferences(unit, address, game.id).emails
    return "" if level is EmailLevel.DAILY else f"{address} has no letter"


def live(folder: Path, options: Options) -> Year:
    async def _live() -> Year:
        year = Year(folder, options)
        await year.run()
        return year

    return asyncio.run(_live())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="A year of games on a virtual clock.")
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = Options(**vars(parser.parse_args(arguments)))
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as folder:
        year = live(Path(folder), options)
    sys.stdout.write(f"{(year.daemon.now - BEGIN).days} days; {dict(year.counts.most_common())}\n")
    sys.stdout.write("".join(f"WRONG: {one}\n" for one in year.faults))
    return 1 if year.faults else 0


if __name__ == "__main__":
    sys.exit(main())
