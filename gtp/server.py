"""The daemon's side of a GTP connection: a seat in a game, or a request about a free board.

`SeatAuthenticator` decides which seat a key opens. The first line of an unknown peer must be a
greeting with a valid key (`gtp.client.syntax`), or the connection is closed. Input is read all the
time, even while a command waits or thinks.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from godaemon.errors import GodaemonError, NotAllowed, Temporary
from godaemon.games.seat_keys import key_is_valid, parse_key
from godaemon.games.service import GameService
from godaemon.games.stored_values import Unit, Writer
from godaemon.rules.points import Color
from godaemon.system.source_limits import SourceLimits
from gtp.client.syntax import (
    AGAIN,
    MAX_LINE,
    BoardRequest,
    KeyGreeting,
    Reply,
    SeatGreeting,
    encode,
    read_greeting,
)
from gtp.read_ahead import ConnectionLines, first_of
from gtp.seat.seat_session import SeatSession
from gtp.seat.stored_seat import StoredSeat

GREETING_SECONDS = 10.0
"""Timeout of an unknown peer's first line, in seconds."""

MAX_STRANGERS_LINE = 256
"""Maximum bytes in the first line of an unknown peer."""

_CHUNK = 2**16
_log = structlog.get_logger("godaemon.gtp")


@dataclass(frozen=True, slots=True)
class Peer:
    """The program at the other end: its `name` for the log, its `source` for the limits.

    A `known` peer needs no key.
    """

    name: str = "unix"
    source: str = "unix"
    known: bool = True


@dataclass(frozen=True, slots=True)
class SeatAuthenticator:
    """Checks seat keys; `secrets` returns the keys that may have signed them."""

    secrets: Callable[[], Sequence[bytes]] = field(repr=False)
    writer: Writer
    games: Callable[[Unit], GameService]
    open_seat: Callable[[int, Color], Awaitable[StoredSeat]]
    sources: SourceLimits
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def open_seat_by_key(self, key: str, peer: Peer) -> StoredSeat:
        """The seat of a key; for a wrong key logs it, waits, and raises `NotAllowed`."""
        found = parse_key(key)
        if found is None or not await self.is_valid_key(key):
            count, wait = self.sources.count_wrong_key(peer.source)
            _log.warning("gtp.wrong-key", peer=peer.name, count=count)
            await self.sleep(wait)
            raise NotAllowed(
                "this key opens no seat (any more): answer an email of your game with gui, and"
                " paste the line from the answer"
            )
        return await self.open_seat(found.game, found.color)

    async def is_valid_key(self, key: str) -> bool:
        if (found := parse_key(key)) is None:
            return False

        def _work(unit: Unit) -> bool:
            games = self.games(unit)
            return any(key_is_valid(unit, games.game, secret, found) for secret in self.secrets())

        return await self.writer.run(_work)


@dataclass(slots=True, eq=False)
class Connection:
    """One connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    peer: Peer
    lines: ConnectionLines
    greeting: SeatGreeting | KeyGreeting | BoardRequest | None = None
    seat: StoredSeat | None = None
    session: SeatSession | None = None
    conversation: asyncio.Task[None] | None = None
    """The task that serves the session."""
    previous: SeatSession | None = None
    """The session of that name on a broken connection."""
    mute: bool = False
    """True if we send nothing more."""

    @property
    def name(self) -> str:
        """The name by which its session can be resumed; "" if it cannot."""
        return "" if isinstance(self.greeting, BoardRequest | None) else self.greeting.session

    @property
    def current(self) -> SeatSession | None:
        """The session with the pending move: its own once that has caught up."""
        return self.session if self.session and self.session.caught_up else self.previous

    async def send(self, data: bytes) -> None:
        """Send a response; after a break the client asks again on a new connection."""
        if self.mute:
            return
        try:
            self.writer.write(data)
            await self.writer.drain()
        except OSError as fault:
            if not self.name:
                raise ConnectionError from fault
            self.mute = True

    async def end_conversation(self) -> None:
        """End the conversation; a pending move stays pending."""
        if self.conversation is not None:
            self.conversation.cancel()
            await asyncio.wait({self.conversation})


@dataclass(slots=True)
class ConnectionHandler:
    """Serves connections, and holds the state that they share."""

    authenticator: SeatAuthenticator
    quiet_seconds: float
    answer_board_request: Callable[[BoardRequest], Awaitable[str]]
    """Returns the answer to a request about a free board; raises `GodaemonError`."""
    greeting_seconds: float = GREETING_SECONDS
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Ends each connection when set; pending moves are released."""
    _seated: dict[Hashable, Connection] = field(default_factory=dict)
    """The connections in seats, by seat and session name; without a name, by themselves."""

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, peer: Peer
    ) -> None:
        """Serve one connection to its end, and close it."""
        longest = MAX_LINE if peer.known else MAX_STRANGERS_LINE
        connection = Connection(reader, writer, peer, ConnectionLines(longest))
        reading = asyncio.create_task(self._read_lines(connection))
        try:
            with suppress(ConnectionError):
                await self._answer_greeting(connection)
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def end_revoked_sessions(self, games: frozenset[int] | None) -> None:
        """End sessions whose keys to these games are no longer valid, and drop pending moves.

        None means all games.
        """
        for connection in list(self._seated.values()):
            seat, greeting = connection.seat, connection.greeting
            if seat is None or (games and seat.number not in games):
                continue
            if not isinstance(greeting, KeyGreeting):
                continue
            if not await self.authenticator.is_valid_key(greeting.key):
                connection.mute = True
                await connection.end_conversation()
                await seat.save_pending(None, 0)
                _log.info("gtp.key-revoked", peer=connection.peer.name, game=seat.number)

    # -- the first line ------------------------------------------------------------------------
    async def _answer_greeting(self, connection: Connection) -> None:
        timeout = None if connection.peer.known else self.greeting_seconds
        line = None
        with suppress(TimeoutError):
            line = await asyncio.wait_for(connection.lines.take(), timeout)
        connection.greeting = read_greeting(line or b"")
        connection.lines.buffer.longest = MAX_LINE
        try:
            if connection.peer.known and isinstance(connection.greeting, BoardRequest):
                await self._answer_board_request(connection, connection.greeting)
                return
            connection.seat = await self._open_seat(connection)
        except GodaemonError as refusal:
            prefix = f"{AGAIN}: " if isinstance(refusal, Temporary) else ""
            await connection.send(encode(Reply(ok=False, text=prefix + refusal.public)))
            return
        async with connection.seat.occupy():
            await connection.send(encode(Reply(ok=True, text="")))
            await self._converse(connection, connection.seat)

    async def _answer_board_request(self, connection: Connection, request: BoardRequest) -> None:
        """Answer a request, unless its program goes away first; raises `GodaemonError`."""
        answering = asyncio.ensure_future(self.answer_board_request(request))
        if await first_of(answering, connection.lines.line_ready.wait()) == 0:
            await connection.send(encode(Reply(ok=True, text=answering.result())))

    async def _open_seat(self, connection: Connection) -> StoredSeat:
        match connection.greeting:
            case KeyGreeting(key):
                return await self.authenticator.open_seat_by_key(key, connection.peer)
            case SeatGreeting(game, color) if connection.peer.known:
                return await self.authenticator.open_seat(game, Color.named(color))
        if connection.peer.known:
            raise NotAllowed("no seat is named: run godaemon gtp, which is a free board itself")
        raise NotAllowed("a seat needs its key here: write godaemon-key and the key")

    # -- a seat --------------------------------------------------------------------------------
    async def _converse(self, connection: Connection, seat: StoredSeat) -> None:
        """Start the conversation, or resume it after a broken connection."""
        key = (seat.number, seat.color, connection.name) if connection.name else connection
        connection.previous = await self._take_over(key)
        lines, name, peer = connection.lines, connection.name, connection.peer.name
        session = SeatSession(seat, lines, connection.send, name=name, peer=peer)
        connection.session = session
        conversation = asyncio.create_task(session.converse(self.quiet_seconds))
        connection.conversation, self._seated[key] = conversation, connection
        try:
            await asyncio.gather(conversation, return_exceptions=True)
        finally:
            is_last = self._seated.get(key) is connection
            if is_last:
                del self._seated[key]
        if conversation.cancelled():
            return
        conversation.result()
        if is_last and (current := connection.current) and current is not session:
            await current.release_pending()

    async def _take_over(self, key: Hashable) -> SeatSession | None:
        """Stop the session of a broken connection; returns the one with the pending move.

        The old connection's unanswered commands are dropped, so that none of them takes effect
        after a command of the new connection. The client sends them again.
        """
        current = None
        while (old := self._seated.get(key)) is not None:
            await old.end_conversation()
            current = old.current
            if self._seated.get(key) is old:
                del self._seated[key]
        return current

    # -- input ---------------------------------------------------------------------------------
    async def _read_lines(self, connection: Connection) -> None:
        """Feed the lines until the controller ends or the daemon stops.

        If a resumable session loses its connection, its lines end only after the quiet seconds:
        the controller may reconnect and take a pending move back.
        """
        stopped = await first_of(_feed(connection.reader, connection.lines), self.stopping.wait())
        if connection.name and not connection.lines.said_goodbye:
            connection.mute = True  # the client will ask again
            if not stopped:
                await first_of(self.stopping.wait(), asyncio.sleep(self.quiet_seconds))
        connection.lines.end()


async def _feed(reader: asyncio.StreamReader, lines: ConnectionLines) -> None:
    with suppress(OSError):
        while not lines.said_goodbye and (data := await reader.read(_CHUNK)):
            lines.feed(data)
            await lines.has_room.wait()
