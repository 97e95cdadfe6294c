"""A scripted year of many kinds of games and players on a virtual clock.

    python -m tests.crash.year --players 200 --games 2000 --seed 1 --folder /dev/shm/year

Players answer, fall silent, go away, take back, plan and count (`year_people.py`). The daemon
(`year_house.py`) restarts, crashes, is down for days, and has a wrong clock. `year_books.py` checks
every state and letter. At the end every game must have ended, and replay from its log: exit
status 0.
"""

import argparse
import asyncio
import heapq
import logging
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.utils import parseaddr
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic, process_time

import structlog

from godaemon.errors import NotAllowed, PutOff, Undeliverable
from godaemon.games import events as ev
from godaemon.games.awaited_decisions import Awaited, awaited_decision
from godaemon.games.commands import EmailLevel
from godaemon.games.events import LogEntry, Paused
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.people import has_block
from godaemon.games.uncounted_time import days_off_event
from godaemon.games.views import summary_of
from godaemon.games.wanted_emails import effective_preferences
from godaemon.storage.unit_of_work import Unit
from mailgate.reading.inbound_letter import InboundLetter
from tests.crash.year_books import Books, Told, opened
from tests.crash.year_house import ADDRESS, House, Machine, brought, rows
from tests.crash.year_people import (
    AWAITED,
    CLOCKS,
    WHIMS,
    Player,
    Scene,
    Secrets,
    chosen,
    population,
    settings,
    terms,
    watching,
)
from tests.support import delivery_report

BEGIN = datetime(2027, 1, 1, 6, 0, tzinfo=UTC)
DAY = timedelta(days=1)
_WATCHED = (
    "SELECT recipient, game, since, until, about LIKE '%begins%', owed_at FROM outbox"
    " WHERE kind = 'watch' ORDER BY id"
)
_LEFT = (
    "SELECT recipient, json_extract(about, '$.ended') AS number FROM outbox AS told"
    " WHERE kind = 'public-games' AND number AND NOT EXISTS (SELECT * FROM outbox AS later WHERE"
    " later.kind = 'watch' AND later.recipient = told.recipient AND later.game = number"
    " AND later.id > told.id)"
)
_OFFERS = {"challenges": "take", "public-games": "watch"}
"""The command that answers each kind of list, with a game's number."""
LIMIT = 420 * DAY
"""Time after the last letter in which every game must end, even without a clock."""
_RETRIED = timedelta(hours=4)
"""Maximum time until a deferred letter is retried."""
_RIGHTED = timedelta(hours=7)
"""Maximum time after a clock correction until all games have been checked."""


@dataclass(frozen=True, slots=True)
class Options:
    """The size of a run."""

    players: int = 200
    games: int = 2000
    seed: int = 1
    days: float = 240.0
    """Days in which games are started."""
    troubles: int = 30
    """Number of troubles of the daemon."""
    clocks: Sequence[str] = CLOCKS
    tell: bool = False


class Year:
    """One run."""

    def __init__(self, folder: Path, options: Options) -> None:
        self.options = options
        self.luck = random.Random(options.seed)
        self.machine = Machine(BEGIN)
        self.secrets = Secrets(random.Random(options.seed + 1))
        self.books = Books(self.secrets)
        self.people = population(self.luck, options.players)
        self.by_address = {one.address: one for one in self.people}
        self.fate: Counter[str] = Counter()
        self._script: list[tuple[datetime, int, Callable[[], Awaitable[None]]]] = []
        self._order = count()
        self.events: Counter[str] = Counter()
        self._changed: set[int] = set()
        self.house = House(folder, self.machine, self._hand_over, self._changed.update)
        self._cutting: asyncio.Event | None = None
        self._last_letter = self._righted = BEGIN
        """Time of the last incoming letter, and of the last clock correction."""
        self._waiting: list[InboundLetter] = []
        """Letters waiting on other servers while ours is down."""

    def at(self, moment: datetime, work: Callable[[], Awaitable[None]]) -> None:
        heapq.heappush(self._script, (moment, next(self._order), work))

    def soon(self, mean: timedelta, work: Callable[[], Awaitable[None]]) -> None:
        self.at(self.machine.now + mean * self.luck.expovariate(1.0), work)

    # -- the run -------------------------------------------------------------------------------
    async def run(self) -> None:
        """Run the script until the last game has ended."""
        options = self.options
        span = options.days * DAY
        for _ in range(options.games):
            self.at(BEGIN + span * self.luck.random(), self._propose)
            self.at(BEGIN + span * self.luck.random(), self._watch)
        for _ in range(options.troubles):
            self.at(BEGIN + span * self.luck.random(), self._trouble)
        for me in self.people:
            if self.luck.random() < 0.1:
                begin = BEGIN + span * self.luck.random()
                how = self.luck.choice(["gone", "full", "full", "reports"])
                me.shut = (begin, begin + self.luck.choice([2, 9]) * DAY, how)
            if me.emails.startswith("emails none"):
                self.soon(DAY, lambda me=me: self._ask_list(me))  # type: ignore[misc]
        await self._open()
        reported = monotonic()
        while self._script or (self._going() and self.machine.now < self._last_letter + LIMIT):
            if self._script:
                moment, _, work = heapq.heappop(self._script)
                await self._live_until(moment)
                await work()
            else:
                await self._live_until(self.machine.now + DAY)
            await self._settle()
            if options.tell and monotonic() - reported > 20:
                reported = monotonic()
                sys.stderr.write(f"{self.line()}\n")
        await self._end()

    def line(self) -> str:
        """The progress in one line."""
        phases = Counter(game.phase.value for game in self.books.games.values())
        return (
            f"{self.machine.now:%Y-%m-%d} {dict(phases)} {sum(self.books.outcomes.values())} in,"
            f" {len(self.books.delivered)} out, {len(self.books.faults)} faults,"
            f" {process_time():.0f} s {' | '.join(self.books.faults[-2:])}"
        )

    def _going(self) -> list[int]:
        return [game.id for game in self.books.games.values() if not game.phase.over]

    async def _live_until(self, moment: datetime) -> None:
        if self.house.is_open:
            await self.house.live_until(moment)
        else:
            self.machine.passed = max(moment - BEGIN, self.machine.passed)

    async def _settle(self) -> None:
        """Wait until nothing is due, then check all changed games."""
        if not self.house.is_open or self._cutting:
            return
        await self.house.quiet()
        while self._changed:
            numbers = sorted(self._changed)
            self._changed.clear()
            for game, log, untold, stands in await self.house.look(partial(self._found, numbers)):
                self.books.looked_at(game)
                if (
                    stands
                    and not self.machine.wrong
                    and self._righted + _RIGHTED < self.machine.now
                ):
                    self.books.wrong(f"game {game.id} knows nothing of days off: {stands}")
                if log:
                    self.books.ended(game, log)
                if untold and not self._is_shut(untold, _RETRIED):
                    self.books.wrong(f"game {game.id} waits for {untold}, who was not told")
        self.books.settled()

    def _found(
        self, numbers: Sequence[int], unit: Unit
    ) -> list[tuple[Game, Sequence[LogEntry], str, list[Paused]]]:
        """Games, some of their logs, awaited players without a letter, and missing `Paused`."""
        now, found = (
            self.house.clock.now(),
            list[tuple[Game, Sequence[LogEntry], str, list[Paused]]](),
        )
        for number in numbers:
            game = self.house.games(unit).game(number)
            whole = game.phase.over or self.luck.random() < 0.02
            log = unit.games.log(number) if whole else ()
            self.books.watched_by(game, _watchers(unit, game))
            self.books.told_no_more(game, partial(_is_untold, unit, game))
            pauses = [
                days_off_event(unit, game, seat, now) for seat in game.seats if not game.phase.over
            ]
            found.append((game, log, _untold(unit, game), [one for one in pauses if one]))
        return found

    # -- troubles ------------------------------------------------------------------------------
    async def _open(self) -> None:
        await self.house.open()
        waiting, self._waiting = self._waiting, []
        for inbound in waiting:
            self.soon(timedelta(hours=1), lambda one=inbound: self._post(one))  # type: ignore[misc]
        await self._settle()

    async def _trouble(self) -> None:
        """Restart, kill or pause the daemon, keep it down, or set its clock wrong."""
        if not self.house.is_open or self.machine.wrong:
            return
        trouble = self.luck.choices(
            ["restart", "death", "down", "pause", "wrong clock"], [4, 4, 3, 2, 1]
        )[0]
        self.fate[trouble] += 1
        if trouble == "pause":
            with suppress(NotAllowed):
                self.house.seen.pause(self.house.clock.now(), "The disk is changed.")
            self.soon(DAY, self._resume)
            return
        if trouble == "wrong clock":
            self.machine.wrong = self.luck.choice([40, -3, 2]) * DAY
            self.soon(timedelta(hours=8), self._right_clock)
            return
        if trouble == "death":
            await self._deliver_and_die()
        await self.house.close(abruptly=trouble == "death")
        self._cutting = None
        if trouble == "down":
            down = timedelta(hours=self.luck.choice([0.3, 3, 20, 70, 200]))
            self.at(self.machine.now + down, self._open)
        else:
            await self._open()

    async def _deliver_and_die(self) -> None:
        """Deliver a letter, and die before that is recorded."""
        self._cutting = asyncio.Event()
        await self._propose()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._cutting.wait(), 5)

    async def _resume(self) -> None:
        if self.house.is_open:
            with suppress(NotAllowed):
                self.house.seen.resume(self.house.clock.now())

    async def _right_clock(self) -> None:
        self.machine.wrong, self._righted = timedelta(), self.machine.now

    # -- letters out ---------------------------------------------------------------------------
    def _is_shut(self, address: str, late: timedelta = timedelta()) -> bool:
        """True if a mailbox is shut, or was shut until `late` ago."""
        shut = self.by_address[address].shut
        return shut is not None and shut[0] <= self.machine.now < shut[1] + late

    async def _hand_over(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Deliver a letter of ours to its reader's server."""
        me = self.by_address[recipient]
        if self._is_shut(recipient) and me.shut is not None:
            if me.shut[2] == "gone":
                raise Undeliverable("There is no such mailbox.", status="5.1.1")
            if me.shut[2] == "full":
                raise PutOff("The mailbox is full.", status="4.2.2")
            self.books.lost.add(uid)
            if sender:
                report = delivery_report.report(to=sender, id=f"{next(self._order)}")
                back = InboundLetter(sender, "", report.replace(b"\n", b"\r\n"))
                self.soon(timedelta(hours=1), lambda: self._post(back))
            return
        letter, text = opened(raw)
        self.books.arrived(recipient, letter, text, raw, uid)
        self._read(me, letter, text)
        if self._cutting:
            self.books.cut.add(uid)
            self._cutting.set()
            await asyncio.Event().wait()

    def _read(self, me: Player, letter: Message, text: str) -> None:
        """Let a player read a letter, and answer it later."""
        back = parseaddr(str(letter["Reply-To"] or letter["From"]))[1]
        answer = (back.replace("\n", ""), str(letter["Message-ID"]).strip())
        if letter["X-Godaemon-Notice"] == "games":
            me.lists = answer
            self.soon(me.pace, lambda: self._answer_list(me))
            return
        number = int(str(letter["X-Godaemon-Game"] or 0))
        if verb := _OFFERS.get(str(letter["X-Godaemon-Notice"])):
            if offered := re.findall(rf"Reply with: {verb} (\d+)", text):
                line = f"{verb} {self.luck.choice(offered)}"
                self.soon(me.pace, lambda: self._write(me, line, answer))
            return
        if letter["X-Godaemon-Notice"] == "watch":
            if self.luck.random() < 0.1:
                line = watching(self.luck, me, self.secrets)
                self.soon(me.pace, lambda: self._write(me, line, answer))
            return
        if not number:
            return
        me.mail[number] = answer
        if number not in me.busy:
            me.busy.add(number)
            self.soon(me.pace, lambda: self._answer(me, number))

    # -- letters in ----------------------------------------------------------------------------
    async def _write(self, me: Player, text: str, answers: tuple[str, str] | None = None) -> None:
        """Send a letter; 2 % arrive twice."""
        to, message_id = answers or (ADDRESS, "")
        fields = [
            f"From: {me.name} <{me.address}>",
            f"To: {to}",
            "Subject: Re: Go",
            f"Message-ID: <{next(self._order)}@players.example>",
            *([f"In-Reply-To: {message_id}"] if message_id else []),
        ]
        inbound = InboundLetter(to, me.address, "\r\n".join([*fields, "", text, ""]).encode())
        self._last_letter = self.machine.now
        await self._post(inbound)
        if self.luck.random() < 0.02:
            self.soon(timedelta(hours=2), lambda: self._post(inbound))

    async def _post(self, inbound: InboundLetter) -> None:
        if not self.house.is_open:
            self._waiting.append(inbound)
            return
        outcome = await brought(self.house, inbound)
        self.books.outcomes[outcome.event if outcome else "put off"] += 1
        await self._settle()

    async def _propose(self) -> None:
        me, other = self.luck.sample(self.people, k=2)
        if self.luck.random() < 0.06:
            await self._write(me, f"new {terms(self.luck, self.options.clocks)} open")
            self.soon(DAY, lambda: self._write(other, "challenges"))
            return
        if self.luck.random() < 0.02:
            other = me  # a teaching game
        self.books.typed.add((me.address, other.address))
        await self._write(me, f"new {terms(self.luck, self.options.clocks)} vs {other.address}")

    async def _watch(self) -> None:
        await self._write(self.luck.choice(self.people), "watch")

    async def _ask_list(self, me: Player) -> None:
        """Let a player who gets no letters ask for the list of games every 2.5 days or so."""
        if self._script or self._going():
            await self._write(me, "games")
            if self.machine.now < BEGIN + (self.options.days + 60) * DAY:
                self.soon(2.5 * DAY, lambda: self._ask_list(me))

    async def _answer_list(self, me: Player) -> None:
        """Answer a list with a line for each game that awaits the player."""
        lines = list[str]()
        for game in self._mine(me):
            seat = game.seat_held_by(me.address)
            if seat is None or game.id in me.silent or awaited_decision(game, seat) is None:
                continue
            line = self._wish(me, game, seat)
            if line and "\n" not in line:
                lines.append(f"{game.id}: {line}")
        if lines and me.lists and not self._is_away(me):
            await self._write(me, "\n".join(lines), me.lists)

    def _mine(self, me: Player) -> list[Game]:
        return [self.books.games[one] for one in sorted(me.mail) if one in self.books.games]

    def _is_away(self, me: Player) -> bool:
        return me.away is not None and self.machine.now < me.away

    async def _answer(self, me: Player, number: int) -> None:
        """Let a player answer a game's newest letter, or not."""
        me.busy.discard(number)
        game = self.books.games.get(number)
        seat = game.seat_held_by(me.address) if game else None
        if game is None or seat is None or number in me.silent:
            return
        if self._is_away(me):
            me.busy.add(number)
            self.at(me.away or BEGIN, lambda: self._answer(me, number))
            return
        if self.luck.random() < me.faithless / 8:
            me.silent.add(number)
            return
        line = self._wish(me, game, seat)
        if not me.has_settings and game.phase is Phase.PLAYING:
            me.has_settings, wishes = True, settings(me)
            line = "\n".join(one for one in (line, wishes) if one)
        if line:
            if line.startswith("vacation"):
                me.away = self.machine.now + self.luck.choice([1, 5, 12]) * DAY
            await self._write(me, line, me.mail[number])
        if not game.phase.over and self.luck.random() < 0.15 and number not in me.busy:
            me.busy.add(number)
            self.soon(me.pace / 4, lambda: self._answer(me, number))

    def _wish(self, me: Player, game: Game, seat: Seat) -> str | None:
        """The line that a player writes about a game: an awaited decision, or a whim."""
        other = game.player(seat.other).address
        scene = Scene(self.luck, me, other, game, seat, self.secrets, self.people)
        waits: Awaited | None = awaited_decision(game, seat)
        if waits is None or self.luck.random() < 0.04:
            return chosen(WHIMS, scene)
        return chosen(AWAITED[waits], scene)

    # -- the end -------------------------------------------------------------------------------
    async def _end(self) -> None:
        books, house = self.books, self.house
        if left := self._going():
            books.wrong(f"{len(left)} games have not ended: {left[:9]}")
        await house.live_until(self.machine.now + DAY)
        await self._settle()
        for number, game in books.games.items():
            log = await house.look(lambda unit, number=number: unit.games.log(number))  # type: ignore[misc]
            books.ended(game, log)
            self.events.update(ev.name(entry.event) for entry in log)
        summaries = await house.look(lambda unit: unit.games.summaries())
        for row in summaries:
            if row != summary_of(books.games[row.id], row.updated):
                books.wrong(f"the row of game {row.id} is not what its log comes to: {row}")
        await house.close()
        self._end_watching()
        for number, fault in rows(house.folder, "SELECT id, fault FROM quarantine"):
            books.wrong(f"quarantined {number}: {fault[-600:]}")
        known = rows(house.folder, "SELECT uid, kind, recipient, status, last_error FROM outbox")
        for uid, *letter in known:
            if uid not in books.lost and (letter[2] == "sent") is not (uid in books.delivered):
                books.wrong(f"letter {uid} is noted as sent, or arrived, and not both: {letter}")
        waiting = rows(
            house.folder,
            "SELECT kind, recipient FROM outbox WHERE status = 'waiting' AND recipient_key NOT IN"
            " (SELECT address FROM mailbox WHERE suspended IS NOT NULL)",
        )
        if waiting:
            books.wrong(f"letters that never went out: {waiting[:5]}")

    def _end_watching(self) -> None:
        folder, books = self.house.folder, self.books
        letters = [
            Told._make([*one, datetime.fromisoformat(owed).replace(tzinfo=UTC)])
            for *one, owed in rows(folder, _WATCHED)
        ]
        books.left = {(reader, number) for reader, number in rows(folder, _LEFT)}
        books.spectated(letters)
        if left := rows(folder, "SELECT game, address FROM watcher"):
            books.wrong(f"they watch games that are over: {left}")

    def report(self) -> str:
        """The figures as text."""
        books, games = self.books, self.books.games.values()
        why = Counter(_ending(game) for game in games)
        return "\n".join(
            [
                (
                    f"{len(self.people)} people, {len(games)} games,"
                    f" {(self.machine.now - BEGIN).days} days;"
                    f" {sum(game.length for game in games)} events"
                ),
                f"letters in {sum(books.outcomes.values())}: {dict(books.outcomes.most_common())}",
                f"letters out {len(books.delivered)}: {dict(books.kinds.most_common())}",
                f"what happened in them: {dict(self.events.most_common())}",
                f"how games ended: {dict(why.most_common())}",
                f"to the daemon: {dict(self.fate)}; {self.house.starts} starts",
                f"secrets: {len(self.secrets.owners)}; checks: {dict(books.checks)}",
                *(f"WRONG: {one}" for one in books.faults),
                "all is well" if not books.faults else f"{len(books.faults)} FAULTS",
            ]
        )


def _ending(game: Game) -> str:
    """How a game ended, in a word: R, T, Void, "counted" ..."""
    if game.counted:
        return "counted"
    return (game.result or game.phase.value).partition("+")[2] or game.result or game.phase.value


def _untold(unit: Unit, game: Game) -> str:
    """Who is awaited, wants letters and can have them, and has none that says so; "" for nobody."""
    if game.clock is None or not game.clock.waits:
        return ""
    address = game.player(Seat.of(game.clock.turn)).address
    level = effective_preferences(unit, address, game.id).emails
    excused = level in {EmailLevel.DAILY, EmailLevel.NONE} or unit.players.bouncing_address(address)
    return "" if excused else address


def _watchers(unit: Unit, game: Game) -> set[str]:
    """The spectators of a game who get letters."""
    found = {one.address for one in unit.watchers.of_game(game.id)}
    return {one for one in found if not _is_untold(unit, game, one)}


def _is_untold(unit: Unit, game: Game, address: str) -> bool:
    """True for who wants no emails, gets none, or is not to meet one of the players."""
    wants_none = effective_preferences(unit, address, game.id).emails is EmailLevel.NONE
    met = (game.player(seat).address for seat in game.seats)
    return (
        wants_none
        or unit.players.bouncing_address(address) is not None
        or any(has_block(unit, one, address) for one in met)
    )


def live(folder: Path, options: Options) -> Year:
    async def _live() -> Year:
        year = Year(folder, options)
        await year.run()
        return year

    return asyncio.run(_live())


def main(arguments: Sequence[str] | None = None) -> int:
    """Live through a year, and print the figures."""
    parser = argparse.ArgumentParser(description="A year of games on a virtual clock.")
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--days", type=float, default=240.0, help="within which games begin")
    parser.add_argument("--troubles", type=int, default=30, help="that happen to the daemon")
    parser.add_argument("--folder", type=Path, help="kept; else a temporary one")
    given = parser.parse_args(arguments)
    options = Options(given.players, given.games, given.seed, given.days, given.troubles, tell=True)
    with tempfile.TemporaryDirectory() as made:
        folder = given.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
        began, busy = monotonic(), process_time()
        year = live(folder, options)
        sys.stdout.write(f"{year.report()}\n")
        sys.stdout.write(f"{monotonic() - began:.0f} s, {process_time() - busy:.0f} s of CPU\n")
        return 1 if year.books.faults else 0


if __name__ == "__main__":
    sys.exit(main())
