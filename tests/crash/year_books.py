"""The books of a scripted year: checks of every game and every letter.

`Books.looked_at` checks a game, `Books.arrived` a letter; `faults` collects the failures.
`charged` is a simple clock, computed from the log alone.
"""

import hashlib
import re
from binascii import a2b_base64, a2b_qp
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from email.message import Message
from email.parser import BytesHeaderParser
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from godaemon.games import events as ev
from godaemon.games.awaited_decisions import Awaited, awaited_decision
from godaemon.games.game_clock import LATE, UNREAD
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.planned_moves import line_text
from godaemon.games.public_games import PAUSE, SEEN
from godaemon.games.state import apply, end_moment, replay
from godaemon.games.time_systems import TimeLeft
from godaemon.rules.points import Color
from tests.crash.year_people import SECRET, Secrets

_NONE = timedelta()
_HEADERS = BytesHeaderParser()
_OPEN = re.compile(rf"\b{SECRET}\b")
_ADDRESS = re.compile(r"\bp\d+@players\.example")
_PLAYER = re.compile(r"\bp\d+\b")
_WATCHING = {"watch", "public-games"}
"""Kinds of letters to spectators; they must not contain players' addresses or local parts."""
_BY_ADDRESS = {"invitation", "countered"}
"""Kinds of letters that may contain the opponent's address."""


class Told(NamedTuple):
    """A letter to a spectator about the events `since` to `until` of a game's log."""

    reader: str
    game: int
    since: int
    until: int
    begins: bool
    owed: datetime


@dataclass(slots=True)
class Books:
    """The records and checks of a year."""

    secrets: Secrets
    games: dict[int, Game] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    delivered: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The number of arrivals and the digest of each letter, by its unique id."""
    cut: set[str] = field(default_factory=set)
    """Letters that may be repeated, as the daemon died before recording their delivery."""
    over: dict[int, datetime] = field(default_factory=dict)
    """The end of each game, from its log."""
    lost: set[str] = field(default_factory=set)
    """Letters that were accepted, but bounced later."""
    kinds: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    planned: dict[tuple[int, Color], set[str]] = field(default_factory=dict)
    typed: set[tuple[str, str]] = field(default_factory=set)
    """Pairs (reader, address) where the reader typed the address or got it by invitation."""
    doubtful: list[tuple[str, str, str]] = field(default_factory=list)
    """Secrets in letters to others, who may read them if a game is over."""
    checks: Counter[str] = field(default_factory=Counter)

    foreign: list[tuple[str, int, str, str]] = field(default_factory=list)
    """Others' plans in letters, unless the reader has planned the same."""
    watchers: dict[int, set[str]] = field(default_factory=dict)
    """The spectators of each game who get letters; for a finished game those at its end."""
    left: set[tuple[str, int]] = field(default_factory=set)
    """Pairs (spectator, game) that ended by unwatch."""
    seen: dict[int, list[int]] = field(default_factory=dict)
    """The numbers of a game's events that are visible on the board."""
    shut: dict[int, list[datetime]] = field(default_factory=dict)
    """The times at which a game became private."""

    def wrong(self, fault: str) -> None:
        if len(self.faults) < 200:
            self.faults.append(fault)

    # -- games ---------------------------------------------------------------------------------
    def looked_at(self, game: Game) -> None:
        self.games[game.id] = game
        for color, lines in game.plans.items():
            pairs = {
                line_text(line[at : at + 2]) for line in lines for at in range(0, len(line), 2)
            }
            self.planned.setdefault((game.id, color), set()).update(pairs)
        self.checks["states"] += 1
        if fault := waits_wrongly(game):
            self.wrong(f"game {game.id} after {game.length} events: {fault}")

    def ended(self, game: Game, log: Sequence[ev.LogEntry]) -> None:
        """Check that a log replays to the game, and its clocks."""
        self.checks["replays"] += 1
        if at := end_moment(log):
            self.over[game.id] = at
        if replay(game.id, log) != game:
            self.wrong(f"game {game.id} does not replay to what it is")
        if not game.spec.estimable and any(isinstance(one.event, ev.Estimated) for one in log):
            self.wrong(f"somebody had an estimate in game {game.id}, without the other's word")
        self.seen[game.id] = [at for at, one in enumerate(log) if isinstance(one.event, SEEN)]
        opened = [(one.at, one.event) for one in log if isinstance(one.event, ev.Opened)]
        self.shut[game.id] = [at for at, event in opened if not event.wanted]
        self.clocks(game, log)

    def watched_by(self, game: Game, readers: set[str]) -> None:
        """Record the spectators of a game that is not over."""
        if not game.phase.over:
            self.watchers[game.id] = readers

    def told_no_more(self, game: Game, is_untold: Callable[[str], bool]) -> None:
        """Remove spectators of a finished game who need not be told of its end."""
        if game.phase.over and (readers := self.watchers.get(game.id)):
            self.watchers[game.id] = {reader for reader in readers if not is_untold(reader)}

    def spectated(self, letters: Iterable[Told]) -> None:
        """Check that spectators get each event once, an hour apart, and the end at once."""
        last, ends = dict[tuple[str, int], Told](), set[tuple[str, int]]()
        for one in letters:
            self.checks["watched"] += 1
            before, last[one[:2]] = last.get(one[:2]), one
            if one.owed in (self.over.get(one.game), *self.shut.get(one.game, ())):
                ends.add(one[:2])
            if one.begins:
                continue
            if before is None or one.since < before.until:
                self.wrong(f"{one} tells what {before} has told")
            elif any(before.until <= at < one.since for at in self.seen[one.game]):
                self.wrong(f"{one} leaves out what came after {before}")
            elif one[:2] not in ends and _soon(before, one):
                self.wrong(f"{one} comes soon after {before}")
        for number, readers in self.watchers.items():
            if left := {
                reader for reader in readers if not {(reader, number)} & (ends | self.left)
            }:
                self.wrong(f"{left} watched game {number}, and were not told of its end")

    def clocks(self, game: Game, log: Sequence[ev.LogEntry]) -> None:
        """Compare a game's clock with the simple clock."""
        if game.clock is None:
            return
        self.checks["clocks"] += 1
        left = charged(game.id, log)
        for color in Color:
            if left[color] != game.clock.left[color]:
                stored, expected = game.clock.left[color], left[color]
                self.wrong(f"game {game.id}: {color.word} has {stored}, and should have {expected}")

    def settled(self) -> None:
        """Check the collected secrets and plans, once all games are up to date."""
        for reader, word, kind in self.doubtful:
            if reader not in self._may_read(word):
                self.wrong(f"{reader} was sent {word} in a letter of kind {kind}")
        self.doubtful.clear()
        for reader, number, line, kind in self.foreign:
            if line not in self._plans_of(reader, number)[0]:
                self.wrong(f"{reader} was sent “{line}” in a letter of kind {kind}, game {number}")
        self.foreign.clear()

    # -- letters -------------------------------------------------------------------------------
    def arrived(self, recipient: str, letter: Message, text: str, raw: bytes, uid: str) -> None:
        """Check a letter that arrived."""
        digest = hashlib.sha256(raw).hexdigest()
        times, before = self.delivered.get(uid, (0, digest))
        self.delivered[uid] = (times + 1, digest)
        if before != digest or (times and uid not in self.cut):
            self.wrong(f"letter {uid} to {recipient} came again, or was written twice")
        self.cut.discard(uid)
        kind = str(letter["X-Godaemon-Notice"])
        self.kinds[kind] += 1
        for word in set(_OPEN.findall(text) if "zq" in text else ()):
            if recipient not in self.secrets.owners.get(word, ()):
                self.doubtful.append((recipient, word, kind))
        watches = kind in _WATCHING
        if watches and (known := {*_PLAYER.findall(text)} - {recipient.partition("@")[0]}):
            self.wrong(f"{recipient} was told of {known} in a letter of kind {kind}")
        for address in set(_ADDRESS.findall(text)) - {recipient}:
            if kind in _BY_ADDRESS:
                self.typed.add((recipient, address))
            elif (recipient, address) not in self.typed:
                self.wrong(f"{recipient} was sent {address} in a letter of kind {kind}")
        number = str(letter["X-Godaemon-Game"] or "")
        if number and kind not in {"help", "refused"}:
            self._plans(recipient, int(number), text, kind)

    def _may_read(self, word: str) -> frozenset[str]:
        owners, shown = self.secrets.owners.get(word, frozenset()), self.secrets.shown.get(word)
        game = self.games.get(shown or 0)
        if game is None or not game.phase.over:
            return owners
        return owners | {game.spec.proposer.address, game.spec.invited.address}

    def _plans(self, reader: str, number: int, text: str, kind: str) -> None:
        mine, theirs = self._plans_of(reader, number)
        self.foreign += [(reader, number, line, kind) for line in theirs - mine if line in text]

    def _plans_of(self, reader: str, number: int) -> tuple[set[str], set[str]]:
        """The reader's plans in a game, and those of others."""
        game = self.games.get(number)
        seat = game.seat_held_by(reader) if game else None
        color = game.color_of(seat) if game and seat else None
        theirs = set().union(
            *(self.planned.get((number, one), ()) for one in Color if one is not color)
        )
        mine = self.planned.get((number, color), set()) if color else set()
        return mine, theirs


def _soon(before: Told, one: Told) -> bool:
    """True for two letters within an hour, unless the second is a daily one."""
    return _NONE <= one.owed - before.owed < PAUSE and bool(one.owed.microsecond)


def opened(raw: bytes) -> tuple[Message, str]:
    """The header of one of our letters, and all its text with attachments; faster than `email`."""
    head, _, body = raw.partition(b"\r\n\r\n")
    letter = _HEADERS.parsebytes(head)
    return letter, "\n".join([str(letter["Subject"]), *_texts(letter, body)])


def _texts(head: Message, body: bytes) -> Iterator[str]:
    if head.is_multipart() or head.get_content_maintype() == "multipart":
        for part in body.split(f"--{head.get_boundary()}".encode())[1:-1]:
            its_head, _, its_body = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
            yield from _texts(_HEADERS.parsebytes(its_head), its_body)
    elif head.get_content_maintype() != "image":
        coding = str(head["Content-Transfer-Encoding"]).lower()
        plain = a2b_qp(body) if coding == "quoted-printable" else body
        plain = a2b_base64(body) if coding == "base64" else plain
        yield plain.decode(errors="replace")


def waits_wrongly(game: Game) -> str:  # noqa: PLR0911 - a line for each phase
    """The fault in whom a game awaits; "" if there is none."""
    waits = {seat: found for seat in game.seats if (found := awaited_decision(game, seat))}
    clock, turn = game.clock, None if game.clock is None else game.clock.turn
    if game.phase.over:
        running = clock is not None and clock.since is not None
        return f"it is over, and waits: {waits}" if waits or running else ""
    if game.spec.teaching:
        return ""
    if game.phase is Phase.PROPOSED:
        return "" if len(waits) == 1 else f"it waits for {waits}"
    if clock is not None and clock.since is None:
        return "no clock runs"
    if game.phase is Phase.PLAYING:
        movers = [seat for seat, found in waits.items() if found is Awaited.TURN]
        mover = game.to_move
        right = mover is not None and movers == [Seat.of(mover)] and turn in (None, mover)
        return "" if right else f"{mover} is to move, and it waits for {waits}, the clock of {turn}"
    if turn is not None and (turn in game.agreed or Seat.of(turn) not in waits):
        return f"the clock of {turn} runs, who has agreed already"
    return "" if waits else "it waits for nobody"


@dataclass(slots=True)
class _Turn:
    """A turn on the simple clock."""

    begun: datetime
    read: datetime | None = None
    taken: timedelta = _NONE

    def runs_from(self) -> datetime:
        limit = self.begun + UNREAD
        return min(self.read or limit, limit)

    def used(self, now: datetime, away: Sequence[tuple[datetime, datetime]]) -> timedelta:
        """The time used since the player got the letter, without days off."""
        begin, used = self.runs_from(), _NONE
        for start, end in _gaps(begin, now, away):
            used += end - start
        return self.taken + used


def _gaps(
    begin: datetime, end: datetime, away: Sequence[tuple[datetime, datetime]]
) -> list[tuple[datetime, datetime]]:
    """The parts of a period outside of the spans `away`."""
    found, at = [], begin
    for start, until in sorted(away):
        if start > at:
            found.append((at, min(start, end)))
        at = max(at, until)
    found.append((at, end))
    return [(start, until) for start, until in found if start < until]


def charged(  # noqa: C901, PLR0912 - independent of the real clock
    number: int, log: Sequence[ev.LogEntry]
) -> Mapping[Color, TimeLeft]:
    """The time left of both colours at the beginning of the last turn."""
    game = replay(number, [log[0]])
    away: dict[Color, list[tuple[datetime, datetime]]] = {color: [] for color in Color}
    left: dict[Color, TimeLeft] = {}
    turn, mover = None, Color.BLACK
    for entry in log[1:]:
        event, at = entry.event, entry.at
        game = apply(game, event)
        settings = game.spec.time
        if settings is None:
            continue
        if isinstance(event, ev.Started):
            left = dict.fromkeys(Color, settings.full)
            turn, mover = _Turn(at), game.to_move or Color.BLACK
        if turn is None or isinstance(event, ev.Started):
            continue
        if isinstance(event, ev.Paused):
            color = Color[event.to.upper()]
            if color is mover and turn.runs_from() <= at:  # it has run
                turn = _Turn(at, at, turn.used(at, away[color]))
            away[color] = _times_off(event, at)  # replaces earlier days off
            continue
        mine = getattr(event, "to", "") == mover.word
        if isinstance(event, ev.Handed):
            if mine and turn.read is None:
                turn.read = at
        elif isinstance(event, ev.Credited):
            if mine:
                used = turn.used(at, away[mover]) - timedelta(seconds=event.seconds)
                turn = _Turn(at, at, max(used, _NONE))
        elif game.phase.over:
            turn = None
        elif (next_ := _awaited(game, event) or mover) is not mover:
            earns = not isinstance(event, ev.Undone)
            used = turn.used(at, away[mover])
            before = left[mover]
            after = (
                settings.after_move(before, used) if earns else settings.after_no_move(before, used)
            )
            left[mover] = after if settings.longest_turn(after) else after._replace(main=LATE)
            turn, mover = _Turn(at), next_
        elif isinstance(event, ev.Marked | ev.Resumed) and event.color != mover.word:
            turn = _Turn(at, None, turn.used(at, away[mover]))
    return left


def _times_off(event: ev.Paused, at: datetime) -> list[tuple[datetime, datetime]]:
    """The spans in which a clock stands: vacations, and weekends of the years around `at`."""
    spans = [(datetime.fromisoformat(one), datetime.fromisoformat(end)) for one, end in event.away]
    if event.until:
        spans = [(at, datetime.fromisoformat(event.until))]
    if event.weekends:
        day = at.date()
        spans += _weekends(event.weekends, day - timedelta(days=(day.weekday() - 5) % 7))
    return [(start, end) for start, end in spans if end > start]


@lru_cache(500)
def _weekends(zone: str, saturday: date) -> Sequence[tuple[datetime, datetime]]:
    found = []
    for week in range(-60, 105):
        day, place = saturday + timedelta(days=7 * week), ZoneInfo(zone)
        ends = (datetime.combine(day + timedelta(days=more), time(), place) for more in (0, 2))
        first, last = (one.astimezone(UTC) for one in ends)
        found.append((first, last))
    return found


def _awaited(game: Game, event: ev.Event) -> Color | None:
    """The colour awaited after an event: to move, or the other one in a count."""
    if game.to_move is not None:
        return game.to_move
    if isinstance(event, ev.Passed | ev.Marked | ev.Agreed):
        return Color[event.color.upper()].opponent
    return None
