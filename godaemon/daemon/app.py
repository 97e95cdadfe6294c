"""The composition root: `open_daemon` makes and opens every part, each after those it needs.

May import every room but the command line. Opening raises `ConfigError` (exit 78); after that a
part that fails never takes the others down, unless it leaves the store in doubt.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from godaemon.config.settings import Settings
from godaemon.control.control_server import ControlServer
from godaemon.daemon.commit_hook import commit_hook
from godaemon.daemon.engine_roster import roster_of
from godaemon.daemon.engine_worker import EngineWorker
from godaemon.daemon.free_board_engine import engine_board
from godaemon.daemon.gtp_listener import GtpListeners, most_connections
from godaemon.daemon.health import Trouble, certificate_bad, engines_at_large
from godaemon.daemon.mail_delivery import LetterSigner, WatchedDelivery, count_lost_letter, delivery
from godaemon.daemon.mail_listeners import MailListeners, imap_fetcher
from godaemon.daemon.operations import Operations
from godaemon.daemon.reload import LiveSettings, Reload
from godaemon.daemon.saved_boards import SavedBoards
from godaemon.daemon.seat_auth import SeatAuthenticator
from godaemon.daemon.seat_service import SeatService
from godaemon.daemon.status import DaemonStatus
from godaemon.daemon.timers import (
    Deadline,
    expire_proposals,
    feed_watchdog,
    keep_lock,
    ring_clocks,
    send_daily,
    tell_of_passes,
)
from godaemon.daemon.vitals import Vitals, health_of, watch_health
from godaemon.games.game_cache import GameCache
from godaemon.games.service import Chance, GameService
from godaemon.games.store_protocols import Unit
from godaemon.rules.points import Color
from godaemon.storage.identity import open_store, sign_with
from godaemon.storage.lost_files import rescued
from godaemon.storage.server_lock import ServerLock
from godaemon.storage.writer import WriterThread
from godaemon.system.clock import FILE as CLOCK
from godaemon.system.clock import Clock, TimeSeen
from godaemon.system.signing_keys import SigningKeys
from godaemon.system.source_limits import SourceLimits
from godaemon.system.systemd import Notifier
from godaemon.system.tls import Certificate
from gtp.client_file import client_file
from gtp.engines.engine_process import sweep
from gtp.server.connection import ConnectionHandler
from mailgate.delivery.outbox_worker import OutboxWorker
from mailgate.handling.daily_digests import send_digests
from mailgate.handling.dispatcher import Dispatcher
from mailgate.handling.intake import Intake
from mailgate.letters.compose import Composer
from mailgate.letters.gtp_access import GtpAccess
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.imap_fetcher import ImapFetcher


@dataclass(frozen=True, slots=True)
class Startup:
    """The outside of a daemon: its settings, its environment, its clock."""

    settings: Settings
    reread: Callable[[], Settings]
    """Reads the configuration again; raises `ConfigError`."""
    environ: Mapping[str, str]
    clock: Clock


@dataclass(frozen=True, slots=True)
class Daemon:
    """A daemon whose every part is open."""

    status: DaemonStatus
    notifier: Notifier


async def open_daemon(startup: Startup, stack: AsyncExitStack, deadline: Deadline) -> Daemon:
    """Open the parts in the order in which they stand here; `stack` closes them in the reverse."""
    loop, environ, clock = asyncio.get_running_loop(), startup.environ, startup.clock
    settings, state = startup.settings, startup.settings.state_directory
    mail, gtp, began, seen = settings.mail, settings.gtp, clock.now(), TimeSeen(state / CLOCK)
    live, cache, draw = LiveSettings(settings), GameCache(), chance()
    engines = roster_of(settings.engines, environ, state)
    notifier = Notifier.from_environ(environ)

    def games(unit: Unit) -> GameService:
        """The games as one transaction sees them, at this moment and within today's limits."""
        return GameService(
            unit,
            cache,
            clock.now(),
            draw,
            live.settings.mail.limits,
            engines.roster,
            seats.watched,
            seen.lost,
        )

    # The store, and the one thread that writes to it.
    writer = await stack.enter_async_context(_writing(settings, cache, clock))
    keys = SigningKeys(state, clock.now, lambda: timedelta(days=live.settings.mail.key_grace_days))
    await writer.run(lambda unit: unit.outbox.end_leases(clock.now()))

    # Who acts on games: the players at GTP seats, the letters, the engines.
    dispatcher = Dispatcher(
        keys.good,
        mail.address,
        games,
        lambda: live.settings.mail.limits.strangers_per_sender,
        trusted_authserv_id=mail.trusted_authserv_id or "",
    )
    intake = Intake(writer, dispatcher, clock.now)
    await asyncio.to_thread(sweep, state / "engines")  # what a killed daemon left
    engine_worker = EngineWorker(
        writer,
        games,
        engines.programs,
        state / "engines",
        opinion=settings.engines.opinion,
        known=cache.known,
    )
    stack.push_async_callback(engine_worker.close)
    seats = SeatService(writer, games, clock.now, engine_worker)

    # Letters out.
    signer = LetterSigner(mail, environ)
    composer = Composer(
        keys.signing,
        mail.address,
        mail.name,
        invitation_days=mail.invitation_days,
        gtp_access=GtpAccess(
            *gtp.reached_at(mail.address.partition("@")[2]),
            gtp.ssh or "",
            client=client_file() if gtp.listen else b"",
        ),
        plus_addressing=mail.plus_addressing,
    )
    way_out = WatchedDelivery(delivery(mail, environ), clock.now)
    outbox_worker = OutboxWorker(
        writer,
        composer,
        way_out,
        clock,
        retry=mail.outgoing,
        opinion=engine_worker.opinion,
        review=engine_worker.review,
        sign=signer,
        on_lost=partial(count_lost_letter, games),
        on_sent=lambda unit, notice: games(unit).sent(notice),
        verp=mail.outgoing.verp,
        cache=cache,
        in_grace=seen.in_grace,
    )
    await stack.enter_async_context(_beside(outbox_worker.run()))
    stack.push_async_callback(deadline.hold, outbox_worker.close)

    # News of each COMMIT. Nothing was committed before this that anybody waits for.
    sources = SourceLimits(gtp.connections_per_source, most_connections(), loop.time)
    boards = SavedBoards(writer, clock, partial(engine_board, engine_worker, loop, gtp.engine))
    connections = ConnectionHandler(
        SeatAuthenticator(keys.good, writer, games, seats.seat, sources),
        gtp.quiet_seconds,
        open_board=boards.open,
    )
    gtp_listeners = GtpListeners(connections, sources)
    writer.on_commit.append(commit_hook(loop, outbox_worker, seats, gtp_listeners, engine_worker))
    await seats.release_left()
    await engine_worker.resume()

    # Letters in.
    async def _deliver(inbound: InboundLetter) -> bool:
        return not (await intake.take(inbound)).wrong_token

    vitals = Vitals(
        *(writer, state, writer.file, clock, mail.outgoing.backlog_limit),
        lambda: live.settings.mail.limits.strangers_in_all,
    )
    mail_listeners = MailListeners(settings, environ, _deliver, vitals.overloaded)
    stack.push_async_callback(deadline.hold, mail_listeners.close)
    await mail_listeners.open()
    fetcher = imap_fetcher(
        mail.imap, mail.address, environ, intake.take, writer, clock, vitals.overloaded
    )
    if fetcher is not None:
        await stack.enter_async_context(_beside(fetcher.run()))

    # Go programs.
    stack.push_async_callback(deadline.hold, gtp_listeners.close)
    await gtp_listeners.open(gtp, environ)

    # The operator.
    status = DaemonStatus(
        settings,
        began,
        writer,
        mail_listeners,
        fetcher,
        gtp_listeners,
        health_of(
            *(vitals, clock, seen, mail.outgoing.destination, way_out, fetcher),
            lambda: engines_at_large(settings.engines.untrusted, engine_worker.contained),
            partial(_shown, mail_listeners.certificate),
            partial(_shown, gtp_listeners.certificate),
        ),
        engine_worker.contained,
        intake,
    )
    reload = Reload(
        live,
        startup.reread,
        environ,
        notifier,
        lambda: status.line,
        (mail_listeners.certificate, gtp_listeners.certificate),
        signer,
    )
    loop.add_signal_handler(signal.SIGHUP, reload.on_hangup)
    stack.callback(loop.remove_signal_handler, signal.SIGHUP)
    operations = Operations(
        writer, games, intake, outbox_worker, composer, keys, clock, partial(_sign_with, writer)
    )
    control = ControlServer(
        {
            **operations.requests(),
            "rescue": lambda: rescued(writer, keys.signing),
            "status": status.report,
            "reload": reload.reload,
        }
    )
    await control.open(settings.control.socket)
    stack.push_async_callback(control.close)

    # What goes on by itself.
    for timer in (
        expire_proposals(
            writer, games, lambda: live.settings.mail.invitation_days, clock, seen.in_grace
        ),
        ring_clocks(writer, games, clock, seen, partial(_receiving, vitals, fetcher)),
        send_daily(writer, lambda unit: send_digests(games(unit)), clock, seen.in_grace),
        tell_of_passes(writer, games, clock),
        feed_watchdog(environ, notifier, writer, clock),
        watch_health(vitals, status, notifier, clock),
    ):
        await stack.enter_async_context(_beside(timer))
    return Daemon(status, notifier)


def chance() -> Chance:
    """Chance from the system's generator: nobody can tell the next nonce or colour."""
    return Chance(lambda: secrets.choice(list(Color)), lambda: secrets.token_hex(8))


@asynccontextmanager
async def _writing(
    settings: Settings, cache: GameCache, clock: Clock
) -> AsyncIterator[WriterThread]:
    """The store, and its one writer; what was remembered of work that was undone is forgotten."""
    url, state = settings.database_url, settings.state_directory
    with (
        await asyncio.to_thread(ServerLock, url) as lock,
        contextlib.closing(await asyncio.to_thread(open_store, url, state)) as database,
    ):
        writer = WriterThread(database).start()
        writer.on_rollback.append(cache.clear)
        try:
            async with _beside(keep_lock(lock, clock)):
                yield writer
        finally:
            await asyncio.to_thread(writer.close)


def _receiving(vitals: Vitals, fetcher: ImapFetcher | None) -> bool:
    return not vitals.overloaded() and (fetcher is None or fetcher.trouble is None)


def _shown(certificate: Certificate | None) -> Iterator[Trouble]:
    return certificate_bad(certificate.refresh() if certificate is not None else "")


async def _sign_with(writer: WriterThread, key: bytes) -> None:
    await writer.run(lambda unit: sign_with(unit.connection, key))


@asynccontextmanager
async def _beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
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
