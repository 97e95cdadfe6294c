"""The daemon's side of a GTP connection: a free board, or a seat in a game.

Who may connect, and whose seat a key opens, come in from outside. Whom we do not know is answered
one line, which must be a greeting with a good key (`gtp.client.handshake`), and is closed. Input is
always read, also while a command waits or thinks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from godaemon.errors import GodaemonError, NotAllowed, Temporary, Unknown
from godaemon.rules.points import Color
from gtp.board.board_session import BoardSession
from gtp.board.free_board import FreeBoard
from gtp.client.framing import LONGEST, Reply, Request, encode
from gtp.client.handshake import AGAIN, ByBoard, ByKey, BySeat, Greeting, read_greeting
from gtp.lines import ConnectionLines, first_of
from gtp.seat.seat_session import SeatGame, SeatSession, converse
from gtp.server.resumable_sessions import NamedSession, ResumableSession, ResumableSessions
from gtp.syntax import UNKNOWN_COMMAND

GREETING_SECONDS = 10.0
"""How long somebody whom we do not know has for their first line."""

LONGEST_OF_STRANGERS = 256
"""Bytes in that line."""

_CHUNK = 2**16
_log = structlog.get_logger("godaemon.gtp")


@dataclass(frozen=True, slots=True)
class Peer:
    """Who is at the other end: `peer` names them in the log, `source` is counted for the limits.

    One who is `known` needs no key.
    """

    peer: str = "unix"
    source: str = "unix"
    known: bool = True


@dataclass(frozen=True, slots=True)
class FoundSeat:
    """A seat that was found: whose it is, and the table to sit down at."""

    game: int
    color: Color
    table: SeatGame


class Authenticator(Protocol):
    """What a connection needs of the daemon."""

    async def by_seat(self, game: int, color: Color) -> FoundSeat:
        """The seat of a colour in a game; raises `Refusal` where nobody can sit there."""

    async def by_key(self, key: str, guest: Peer) -> FoundSeat:
        """The seat that a key opens; raises `NotAllowed`, in its own time, where it opens none."""

    async def good(self, key: str) -> bool:
        """Whether a key that opened a seat still does."""


class OpenBoard(Protocol):
    """A free board, and whoever keeps it for another day."""

    @property
    def board(self) -> FreeBoard:
        """The board."""

    def touched(self) -> None:
        """It may have changed."""

    async def close(self) -> None:
        """Its session has ended."""


@dataclass(frozen=True, slots=True)
class UnsavedBoard:
    """A free board that nobody keeps."""

    board: FreeBoard = field(default_factory=FreeBoard)

    def touched(self) -> None:
        """Nothing follows from it."""

    async def close(self) -> None:
        """It is gone."""


async def unsaved_board(number: int | None) -> OpenBoard:
    """A new board; raises `Unknown` for one that was left, because none is kept."""
    if number is not None:
        raise Unknown(f"there is no board {number}")
    return UnsavedBoard()


@dataclass(slots=True, eq=False)
class Connection:
    """One connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    guest: Peer
    lines: ConnectionLines
    greeting: Greeting | ByBoard | None = None
    talk: asyncio.Task[None] | None = None
    place: FoundSeat | None = None
    _broken: asyncio.Event = field(default_factory=asyncio.Event)
    _mute: bool = False

    @property
    def session(self) -> str:
        """The name under which its session can be taken up; empty for one that cannot be."""
        return "" if isinstance(self.greeting, ByBoard | None) else self.greeting.session

    async def send(self, data: bytes) -> None:
        """Send a response; where the connection is broken, its program asks again by another."""
        if self._mute:
            return
        try:
            self.writer.write(data)
            await self.writer.drain()
        except OSError as fault:
            if not self.session:
                raise ConnectionError from fault
            self.mute()

    def mute(self) -> None:
        """Say nothing more."""
        self._mute = True

    async def close(self) -> None:
        """Hang up."""
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()


@dataclass(slots=True)
class ConnectionHandler:
    """Serves connections; what they share stands here, and outlives each of them."""

    doorkeeper: Authenticator
    quiet_seconds: float
    greeting_seconds: float = GREETING_SECONDS
    open_board: Callable[[int | None], Awaitable[OpenBoard]] = unsaved_board
    """Gives a new free board, or the one of a number; raises `GodaemonError`."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """When it is set each connection ends as if the controller had: a pending move is released."""
    _sittings: ResumableSessions = field(default_factory=ResumableSessions)
    _keyed: set[Connection] = field(default_factory=set)

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, guest: Peer
    ) -> None:
        """Serve one connection to its end, and close it."""
        longest = LONGEST if guest.known else LONGEST_OF_STRANGERS
        link = Connection(reader, writer, guest, ConnectionLines(longest))
        reading = asyncio.create_task(self._read(link))
        try:
            with suppress(ConnectionError):
                await self._welcome(link)
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            await link.close()

    async def rekeyed(self, games: frozenset[int]) -> None:
        """Show those out whose keys to these games are good no more; their pending moves go too."""
        for link in [one for one in self._keyed if one.place and one.place.game in games]:
            if isinstance(link.greeting, ByKey) and not await self.doorkeeper.good(
                link.greeting.key
            ):
                await self._show_out(link)

    @staticmethod
    async def _show_out(link: Connection) -> None:
        link.mute()
        if link.talk is not None and link.place is not None:
            link.talk.cancel()
            await asyncio.wait({link.talk})
            await link.place.table.write_down(None, 0)
            _log.info("gtp.shown-out", peer=link.guest.peer, game=link.place.game)

    # -- the first line ------------------------------------------------------------------------
    async def _welcome(self, link: Connection) -> None:
        first = await self._first(link)
        link.greeting = read_greeting(first or b"")
        link.lines.buffer.longest = LONGEST
        try:
            if link.guest.known and isinstance(link.greeting, ByBoard | None):
                await self._play_freely(link, first)
                return
            link.place = await self._place(link)
        except GodaemonError as refusal:
            again = f"{AGAIN}: " if isinstance(refusal, Temporary) else ""
            await link.send(encode(Reply(ok=False, text=again + refusal.public)))
            return
        await link.send(encode(Reply(ok=True, text="")))
        await self._sit(link, link.place)

    async def _play_freely(self, link: Connection, first: bytes | None) -> None:
        """Serve a free board; raises `GodaemonError` where the one that was left is not there."""
        if not isinstance(link.greeting, ByBoard):
            board = await self.open_board(None)
        else:
            board = await self.open_board(link.greeting.number)
            await link.send(encode(Reply(ok=True, text="")))
            first = await link.lines.take()
        try:
            await _free_board(board, first, link)
        finally:
            await board.close()

    async def _first(self, link: Connection) -> bytes | None:
        """The first line; whom we do not know must not keep us waiting for it."""
        if link.guest.known:
            return await link.lines.take()
        try:
            return await asyncio.wait_for(link.lines.take(), self.greeting_seconds)
        except TimeoutError:
            return None

    async def _place(self, link: Connection) -> FoundSeat:
        match link.greeting:
            case ByKey(key):
                return await self.doorkeeper.by_key(key, link.guest)
            case BySeat(game, color) if link.guest.known:
                return await self.doorkeeper.by_seat(game, Color[color.upper()])
        raise NotAllowed("a seat is taken here by its key: write godaemon-key and the key")

    # -- a seat --------------------------------------------------------------------------------
    async def _sit(self, link: Connection, place: FoundSeat) -> None:
        """Have the conversation, from wherever a broken connection had left it."""
        name = (place.game, place.color, link.session)
        left = await self._sittings.take_over(name) if link.session else None
        session = _seat_session(link, place)
        talk = converse(session, link.lines, link.send, quiet_seconds=self.quiet_seconds)
        link.talk = asyncio.create_task(talk)
        sitting = ResumableSession(session, link.talk, left)
        if link.session:
            self._sittings.begin(name, sitting)
        if isinstance(link.greeting, ByKey):
            self._keyed.add(link)
        try:
            await self._until_over(link.talk)
        finally:
            self._keyed.discard(link)
            last = not link.session or self._sittings.end(name, sitting)
        heir = sitting.heir()
        if last and not link.talk.cancelled() and heir is not None and heir is not session:
            await heir.settle()

    @staticmethod
    async def _until_over(talk: asyncio.Task[None]) -> None:
        """Return once a conversation has ended; if we are ended, so is it."""
        try:
            await asyncio.wait({talk})
        except asyncio.CancelledError:
            talk.cancel()
            await asyncio.gather(talk, return_exceptions=True)
            raise
        if not talk.cancelled():
            talk.result()

    # -- what comes in -------------------------------------------------------------------------
    async def _read(self, link: Connection) -> None:
        """Feed the lines until the controller ends or we do.

        A broken connection whose session can be taken up has some time for that: its controller
        has not left, and may still change its mind about a pending move.
        """
        stopped = await first_of(_feed(link.reader, link.lines), self.stopping.wait())
        if link.session and not link.lines.parted:
            link.mute()  # what is answered now would not arrive, and is asked again
            if not stopped:
                await first_of(self.stopping.wait(), asyncio.sleep(self.quiet_seconds))
        link.lines.end()


async def _feed(reader: asyncio.StreamReader, lines: ConnectionLines) -> None:
    with suppress(OSError):
        while not lines.parted and (data := await reader.read(_CHUNK)):
            lines.feed(data)
            await lines.room()


def _seat_session(link: Connection, place: FoundSeat) -> SeatSession:
    """A session that logs each of its commands, and our faults."""
    log = _log.bind(game=place.game, seat=place.color.word, peer=link.guest.peer)

    def note(request: Request, reply: Reply) -> None:
        # What is no command could be a key, pasted into the wrong place.
        known = reply.ok or reply.text != UNKNOWN_COMMAND
        log.info("gtp.command", command=request.name if known else "unknown", ok=reply.ok)

    def report(fault: Exception) -> None:
        log.error("gtp.fault", exc_info=fault)

    kind = NamedSession if link.session else SeatSession
    return kind(place.table, link.lines.stirred, name=link.session, report=report, note=note)


async def _free_board(kept: OpenBoard, line: bytes | None, link: Connection) -> None:
    session = BoardSession(
        kept.board, report=_report, thinking=lambda: nullcontext(link.lines.interrupted)
    )
    while line is not None:
        if session.slow(line):
            response = await asyncio.to_thread(session.answer, line)
        else:
            response = session.answer(line)
        kept.touched()
        if response:
            await link.send(response)
        if session.over:
            return
        line = await link.lines.take()


def _report(fault: Exception) -> None:
    _log.error("gtp.fault", exc_info=fault)
