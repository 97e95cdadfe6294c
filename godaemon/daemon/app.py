"""The parts of a running daemon, wired together: each opened after those it needs.

Opening them raises `ConfigError` (exit 78); after that a failing part never takes the others down
unless it leaves the store in doubt.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from godaemon import __version__
from godaemon.config import Settings
from godaemon.config.reloading import needs_restart, reloaded
from godaemon.control.control_server import ControlServer
from godaemon.daemon import store_queries
from godaemon.daemon.engine_on_board import thinking_board
from godaemon.daemon.engine_roster import roster_of
from godaemon.daemon.engine_worker import EngineWorker
from godaemon.daemon.gtp_listener import GtpListeners, most_connections
from godaemon.daemon.mail_delivery import DkimSealer, delivery
from godaemon.daemon.mail_fetching import fetcher
from godaemon.daemon.mail_listeners import MailListeners
from godaemon.daemon.operations import Operations
from godaemon.daemon.saved_boards import SavedBoards
from godaemon.daemon.seat_auth import SeatAuthenticator
from godaemon.daemon.seat_service import SeatService
from godaemon.errors import GodaemonError
from godaemon.games import suspension
from godaemon.games.game_cache import GameCache
from godaemon.games.notices import Notice
from godaemon.games.ports import InboundLetter, Unit
from godaemon.games.service import AT_ONCE, Chance, DailyLimits, GameService
from godaemon.rules.points import Color
from godaemon.storage.database import Database, open_database
from godaemon.storage.unit import SqlUnit
from godaemon.storage.writer import Committed, WriterThread
from godaemon.system import log_setup
from godaemon.system.clock import Clock
from godaemon.system.signing_keys import SigningKeys
from godaemon.system.source_limits import SourceLimits
from godaemon.system.systemd import Notifier, watchdog_interval
from godaemon.system.tls import Certificate
from gtp.engines.engine_process import sweep
from gtp.server.connection import ConnectionHandler
from mailgate.delivery.outbox_worker import Delivery, OutboxWorker
from mailgate.handling.dispatcher import Dispatcher
from mailgate.handling.intake import Intake
from mailgate.letters.compose import Composer
from mailgate.letters.gtp_access import GtpAccess
from mailgate.reading.bounce import is_hard
from mailgate.receiving.imap_fetcher import ImapFetcher

PATIENCE = 10.0
"""Seconds that all letters and sessions in hand have to be finished in when we are stopped."""

_EXPIRY_EVERY = 60.0
_log = structlog.get_logger("godaemon")


def chance() -> Chance:
    """Chance from the system's generator: nobody can tell the next nonce or colour."""
    return Chance(lambda: secrets.choice(list(Color)), lambda: secrets.token_hex(8))


@dataclass(frozen=True, slots=True)
class Startup:
    """What a daemon is given from outside; `told` gets the lines for the terminal."""

    settings: Settings
    reread: Callable[[], Settings]
    """Reads the configuration again; raises `ConfigError`."""
    environ: Mapping[str, str]
    told: Callable[[str], None]
    clock: Clock


class Daemon:
    """The parts of a daemon, each opened after those it needs and closed before them."""

    def __init__(self, given: Startup) -> None:
        self._given = given
        self._settings = given.settings
        self._clock = given.clock
        self._state = given.settings.state_directory
        self._notifier = Notifier.from_environ(given.environ)
        self._cache = GameCache()
        self._chance = chance()
        self._opposition = roster_of(given.settings.engines, given.environ)
        self._began = given.clock.now()
        self._deadline = 0.0
        self._gtp: GtpListeners | None = None
        self._tcp = ""
        self._reloading: set[asyncio.Task[dict[str, Any]]] = set()

    async def serve(self, stop: asyncio.Event) -> None:
        """Open everything, say so, wait, and close everything."""
        async with AsyncExitStack() as stack:
            await self._open(stack)
            self._notifier.ready(self._status_line())
            for line in self._welcome():
                self._given.told(line)
            _log.info("daemon.ready", version=__version__, state=str(self._state))
            await stop.wait()
            self._deadline = asyncio.get_running_loop().time() + PATIENCE
            self._notifier.stopping("Finishing what is in hand")
            _log.info("daemon.stopping")
        _log.info("daemon.stopped")

    async def _open(self, stack: AsyncExitStack) -> None:
        self._keys = SigningKeys(self._state, self._clock.now, self._grace)
        self._database = stack.enter_context(
            contextlib.closing(await asyncio.to_thread(self._open_store))
        )
        self._writer = await stack.enter_async_context(self._writing())
        await self._writer.run(lambda unit: unit.end_leases(self._clock.now()))
        self._tables = SeatService(self._writer, self.games)
        self._reception = Intake(self._writer, self._clerk(), self._clock.now)
        self._opponents = await stack.enter_async_context(self._opposing())
        self._postman = await stack.enter_async_context(self._posting())
        # Nothing was committed before this that anybody waits for.
        self._writer.on_commit.append(self._news())
        await self._tables.release_left()
        await self._opponents.resume()
        self._mail_doors = await self._open_doors(stack)
        self._fetcher = self._fetching()
        if self._fetcher is not None:
            await stack.enter_async_context(_task(self._fetcher.run()))
        await self._open_gtp(stack)
        await self._open_control(stack)
        await stack.enter_async_context(_task(self._expire_forever()))
        await stack.enter_async_context(_task(self._feed_watchdog()))

    def _open_store(self) -> Database:
        return open_database(self._settings.database_url)

    def games(self, unit: Unit) -> GameService:
        """The games as one transaction sees them, at this moment and within today's limits."""
        limits = self._settings.mail.limits
        return GameService(
            unit,
            self._cache,
            self._clock.now(),
            self._chance,
            DailyLimits(
                limits.confirmations_per_sender,
                limits.invitations_per_sender,
                limits.invitations_per_address,
            ),
            self._opposition.roster,
        )

    def _grace(self) -> timedelta:
        return timedelta(days=self._settings.mail.key_grace_days)

    def _clerk(self) -> Dispatcher:
        return Dispatcher(
            self._keys.good,
            self._settings.mail.address,
            self.games,
            lambda: self._settings.mail.limits.strangers_per_sender,
            trusted_authserv_id=self._settings.mail.trusted_authserv_id or "",
        )

    # -- parts ---------------------------------------------------------------------------------
    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[WriterThread]:
        """The writer's thread; what was remembered of work that was undone is forgotten."""
        writer = WriterThread(self._database).start()
        writer.on_rollback.append(self._cache.clear)
        try:
            yield writer
        finally:
            await asyncio.to_thread(writer.close)

    def _news(self) -> Callable[[Committed], None]:
        """What the writer calls after each COMMIT, on its own thread: it tells the loop."""
        loop = asyncio.get_running_loop()

        def news(committed: Committed) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits for news
                loop.call_soon_threadsafe(self._hear, committed)

        return news

    def _hear(self, committed: Committed) -> None:
        if committed.outbox:
            self._postman.notify()
        self._tables.changed(committed.games)
        if self._gtp is not None:
            self._gtp.rekeyed(committed.rekeyed)
        self._opponents.changed(committed.games)

    @asynccontextmanager
    async def _opposing(self) -> AsyncIterator[EngineWorker]:
        """The engines at their boards; what a killed daemon left of them is ended first."""
        scratch = self._state / "engines"
        await asyncio.to_thread(sweep, scratch)
        opponents = EngineWorker(
            self._writer,
            self.games,
            self._opposition.programs,
            scratch,
            opinion=self._settings.engines.opinion,
            known=self._cache.known,
        )
        try:
            yield opponents
        finally:
            await opponents.close()

    @asynccontextmanager
    async def _posting(self) -> AsyncIterator[OutboxWorker]:
        mail = self._settings.mail
        self._seal = DkimSealer(mail, self._given.environ)
        composer = self._composer = Composer(
            self._keys.signing,
            mail.address,
            mail.name,
            invitation_days=mail.invitation_days,
            doors=self._doors(),
            plus_addressing=mail.plus_addressing,
        )
        postman = OutboxWorker(
            self._writer,
            composer,
            self._delivery(),
            self._clock,
            retry=mail.outgoing,
            opinion=self._opponents.opinion,
            seal=self._seal,
            lost=self._lost,
            verp=mail.outgoing.verp,
            cache=self._cache,
        )
        async with _task(postman.run()):
            try:
                yield postman
            finally:
                await self._in_time(postman.close)

    def _delivery(self) -> Delivery:
        return delivery(self._settings.mail.outgoing, self._given.environ)

    def _lost(self, unit: Unit, notice: Notice, error: str, status: str) -> None:
        """A letter will not arrive: count it against its address, where that refused it."""
        games, hard = self.games(unit), is_hard(status)
        if suspension.bounced(games, notice, error, hard=hard, counts=bool(status)):
            _log.warning("mailbox.suspended", address=notice.to, detail=error)

    async def _open_doors(self, stack: AsyncExitStack) -> MailListeners:
        async def take(inbound: InboundLetter) -> bool:
            outcome = await self._reception.take(inbound)
            return not outcome.wrong_token

        doors = MailListeners(self._settings, self._given.environ, take)
        stack.push_async_callback(self._in_time, doors.close)
        await doors.open()
        return doors

    def _fetching(self) -> ImapFetcher | None:
        mail, environ = self._settings.mail, self._given.environ
        take = self._reception.take
        return fetcher(mail.imap, mail.address, environ, take, self._writer, self._clock)

    async def _open_gtp(self, stack: AsyncExitStack) -> None:
        gtp, loop = self._settings.gtp, asyncio.get_running_loop()
        sources = SourceLimits(gtp.connections_per_source, most_connections(), loop.time)
        keyring = SeatAuthenticator(
            self._keys.good, self._writer, self.games, self._tables.seat, sources
        )
        boards = SavedBoards(
            self._writer, self._clock, partial(thinking_board, self._opponents, loop, gtp.engine)
        )
        porter = ConnectionHandler(keyring, gtp.quiet_seconds, open_board=boards.open)
        door = self._gtp = GtpListeners(porter, sources)
        stack.push_async_callback(self._in_time, door.close)
        await door.open(gtp.socket, gtp.group)
        if gtp.listen is not None:
            self._tcp = await door.open_tcp(*gtp.address, self._certificate())
        loop.add_signal_handler(signal.SIGHUP, self._hang_up)
        stack.callback(loop.remove_signal_handler, signal.SIGHUP)

    def _certificate(self) -> Certificate | None:
        gtp, environ = self._settings.gtp, self._given.environ
        if gtp.tls_certificate is None or gtp.tls_key is None:
            return None
        return Certificate(gtp.tls_certificate.path(environ), gtp.tls_key.path(environ))

    def _doors(self) -> GtpAccess:
        """What letters say of how Go programs reach us."""
        domain = self._settings.mail.address.partition("@")[2]
        tcp, tls = self._settings.gtp.reached_at(domain)
        return GtpAccess(tcp, tls, self._settings.gtp.ssh or "")

    async def _open_control(self, stack: AsyncExitStack) -> None:
        operations = Operations(
            self._writer,
            self.games,
            self._reception,
            self._postman,
            self._composer,
            self._keys,
            self._clock,
        )
        own = {"status": self.status, "reload": self._reload}
        server = ControlServer({**operations.requests(), **own})
        await server.open(self._settings.control.socket)
        stack.push_async_callback(server.close)

    async def _in_time(self, close: Callable[[float], Awaitable[None]]) -> None:
        """Close a part within what is left of the time that stopping may take."""
        left = self._deadline - asyncio.get_running_loop().time()
        await close(max(0.1, left))

    # -- what goes on --------------------------------------------------------------------------
    async def _expire_forever(self) -> None:
        """End proposals that nobody has answered."""
        never = asyncio.Event()
        while True:
            days = timedelta(days=self._settings.mail.invitation_days)

            def work(unit: SqlUnit, days: timedelta = days) -> int:
                return len(self.games(unit).expire(days))

            ended = 0
            try:
                ended = await self._writer.run(work)
                if ended:
                    _log.info("proposals.expired", count=ended)
            except GodaemonError as trouble:
                _log.warning("proposals.not-expired", detail=trouble.detail or trouble.public)
            await self._clock.wait(never, 0.0 if ended == AT_ONCE else _EXPIRY_EVERY)

    async def _feed_watchdog(self) -> None:
        """Say that we live while the loop turns and the writer is not stuck."""
        interval = watchdog_interval(self._given.environ, os.getpid())
        never = asyncio.Event()
        while interval is not None:
            if self._writer.alive(interval * 2):
                self._notifier.alive()
                self._notifier.status(self._status_line())
            await self._clock.wait(never, interval)

    # -- what the operator asks ----------------------------------------------------------------
    async def status(self) -> dict[str, Any]:
        """What `godaemon status` tells."""
        counts = await self._writer.run(store_queries.counts)
        return {
            "version": __version__,
            "pid": os.getpid(),
            "since": self._began.isoformat(timespec="seconds"),
            "state": str(self._state),
            "smtp": self._mail_doors.smtp,
            "lmtp": self._mail_doors.lmtp,
            "imap": self._fetcher.told() if self._fetcher else None,
            "address": self._settings.mail.address,
            "outgoing": self._outgoing(),
            "gtp": str(self._settings.gtp.socket),
            "gtp_tcp": self._tcp or None,
            "gtp_connections": self._gtp.count if self._gtp else 0,
            **counts,
        }

    async def _reload(self) -> dict[str, Any]:
        """Read the configuration again; a bad one is refused and the old one stays."""
        self._notifier.reloading()
        try:
            fresh = await asyncio.to_thread(self._given.reread)
            await asyncio.to_thread(self._seal.renew, fresh.mail, self._given.environ)
            later = needs_restart(self._settings, fresh)
            self._settings = reloaded(self._settings, fresh)
            log_setup.configure(fresh.log.level, fresh.log.format, self._given.environ)
            self._mail_doors.refresh()
            if self._gtp is not None:
                self._gtp.refresh()
            _log.info("daemon.reloaded", later=later)
        finally:
            self._notifier.ready(self._status_line())
        return {"later": later}

    def _hang_up(self) -> None:
        """SIGHUP: read the configuration again; the log says what was wrong with it."""
        task = asyncio.create_task(self._reload())
        self._reloading.add(task)
        task.add_done_callback(self._reloaded)

    def _reloaded(self, task: asyncio.Task[dict[str, Any]]) -> None:
        self._reloading.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            _log.error("daemon.not-reloaded", detail=str(fault))

    # -- words ---------------------------------------------------------------------------------
    def _outgoing(self) -> str:
        return self._settings.mail.outgoing.told

    def _status_line(self) -> str:
        address = self._settings.mail.address
        return f"Playing Go for {address}, letters in at {self._mail_doors.smtp}"

    def _welcome(self) -> list[str]:
        """Five lines for the terminal: where everything is, and how to begin."""
        mail, home = self._settings.mail, self._state
        domain = mail.address.partition("@")[2]
        return [
            f"godaemon {__version__} keeps its games in {home}; Ctrl-C stops it",
            f"Letters in:  by SMTP at {self._mail_doors.smtp}, for {mail.address}",
            f"Letters out: {self._outgoing()}" + ("/ADDRESS/" if mail.outgoing.maildir else ""),
            f"GTP socket: {self._settings.gtp.socket}   control: {self._settings.control.socket}",
            f"To begin: {_program()} send alice@{domain} 'new 9x9 vs bob@{domain}'",
        ]


@asynccontextmanager
async def _task(work: Any) -> AsyncIterator[None]:  # noqa: ANN401 - a coroutine
    """Run something beside the rest; it is cancelled at the end, and its failure is ours.

    One failure is raised as it is, so that the sentence in it is what the terminal shows.
    """
    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(work)
            yield
            task.cancel()
    except BaseExceptionGroup as several:
        if len(several.exceptions) > 1:
            raise
        raise several.exceptions[0] from several.exceptions[0].__cause__


def _program() -> str:
    """How we were called, so that what we say can be pasted."""
    called = sys.argv[0]
    return called if Path(called).name == "godaemon" else "godaemon"
