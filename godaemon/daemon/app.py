"""The composition root: `open_daemon` makes and opens every part, each after those it needs.

May import every room but the command line. Opening raises `ConfigError` (exit 78); after that a
part that fails never takes the others down, unless it leaves the store in doubt.
"""

from __future__ import annotations

import asyncio
import signal
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial

from godaemon.config.settings import Control
from godaemon.control.control_server import ControlServer
from godaemon.daemon.commit_hook import Elsewhere, claim_hook, commit_hook
from godaemon.daemon.engine_worker import EngineWorker
from godaemon.daemon.free_board_engine import engine_board
from godaemon.daemon.ground import Ground, Startup, beside, open_ground
from godaemon.daemon.gtp_listener import GtpListeners, most_connections
from godaemon.daemon.health import (
    Trouble,
    emails_turned_away,
    engines_absent,
    engines_at_large,
    group_not_in_force,
    postmaster_full,
    trouble_if,
)
from godaemon.daemon.mail_delivery import LetterSigner, WatchedDelivery, count_lost_letter, delivery
from godaemon.daemon.mail_listeners import MailListeners, imap_fetcher
from godaemon.daemon.operations import Operations
from godaemon.daemon.pruning import Pruning
from godaemon.daemon.reload import Reload
from godaemon.daemon.saved_boards import SavedBoards
from godaemon.daemon.seat_auth import SeatAuthenticator
from godaemon.daemon.seat_service import SeatService
from godaemon.daemon.status import DaemonStatus
from godaemon.daemon.take_over import TakeOver, on_duty
from godaemon.daemon.timers import (
    Deadline,
    expire_proposals,
    feed_watchdog,
    forget_players,
    ring_clocks,
    send_daily,
    tell_of_passes,
)
from godaemon.daemon.vitals import Vitals, health_of, watch_health
from godaemon.errors import GodaemonError
from godaemon.games.running_clocks import RunningClocks
from godaemon.storage.backup import rescued
from godaemon.storage.holder import Lock
from godaemon.storage.server_news import ServerNews
from godaemon.system.source_limits import SourceLimits
from godaemon.system.systemd import Notifier
from godaemon.system.tls import Certificate
from gtp.client_file import client_file
from gtp.engines.engine_process import sweep
from gtp.server.connection import ConnectionHandler
from mailgate.delivery.outbox_worker import OutboxWorker
from mailgate.handling.dispatcher import Dispatcher
from mailgate.handling.intake import Intake
from mailgate.handling.player_games import send_digests
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import with_engine_opinion, with_estimate, with_review
from mailgate.letters.letter_view import GtpAccess
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.imap_fetcher import ImapFetcher
from mailgate.receiving.smtp_handler import MOST_UNREAD

LEAVING = 10.0
"""Seconds that all in hand have to be finished in when a newer daemon needs the store."""


@dataclass(frozen=True, slots=True)
class Daemon:
    """A daemon whose every part is open."""

    status: DaemonStatus
    notifier: Notifier


async def open_daemon(startup: Startup, stack: AsyncExitStack, deadline: Deadline) -> Daemon:
    """Open the parts in the order in which they stand here; `stack` closes them in the reverse."""
    ground = await open_ground(startup, stack, deadline)
    actors = await _open_actors(ground)
    way_out = await _open_letters_out(ground, actors.engines)
    programs = await _hear_of_commits(ground, actors, way_out.worker)
    way_in = await _open_letters_in(ground, actors.intake)
    stack.push_async_callback(deadline.hold, programs.close)
    await programs.open(ground.settings.gtp, startup.environ, startup.passed)
    status = await _open_control(ground, actors, way_out, way_in, programs)
    await _open_metrics(ground, status, actors.engines)
    await _start_timers(ground, way_in, status)
    others = TakeOver(
        *(ground.holder, ground.writer, ground.clock, actors.seats, actors.engines, way_out.worker)
    )
    await stack.enter_async_context(beside(others.run()))
    return Daemon(status, ground.notifier)


@dataclass(frozen=True, slots=True)
class _Actors:
    """Who acts on games: the players at GTP seats, the letters, the engines."""

    intake: Intake
    engines: EngineWorker
    seats: SeatService


@dataclass(frozen=True, slots=True)
class _WayOut:
    """Letters out."""

    signer: LetterSigner
    composer: Composer
    delivery: WatchedDelivery
    worker: OutboxWorker


@dataclass(frozen=True, slots=True)
class _WayIn:
    """Letters in."""

    vitals: Vitals
    listeners: MailListeners
    fetcher: ImapFetcher | None


async def _open_actors(ground: Ground) -> _Actors:
    settings, state = ground.settings, ground.state
    dispatcher = Dispatcher(
        ground.keys.good,
        settings.mail.address,
        ground.games,
        lambda: ground.live.settings.mail.limits.strangers_per_sender,
        trusted_authserv_id=settings.mail.trusted_authserv_id or "",
        others=ground.others,
    )
    intake = Intake(ground.writer, dispatcher, ground.clock.now)
    await asyncio.to_thread(sweep, state / "engines")  # what a killed daemon left
    engines = EngineWorker(
        ground.writer,
        ground.games,
        ground.engines.programs,
        state / "engines",
        opinion=settings.engines.opinion,
        known=ground.cache.known,
        alone=partial(ground.holder.alone, Lock.GAME),
    )
    ground.stack.push_async_callback(engines.close)
    seats = SeatService(
        ground.writer.ahead, ground.games, ground.clock.now, engines, ground.seen.paused
    )
    ground.watched = seats.watched
    return _Actors(intake, engines, seats)


async def _open_letters_out(ground: Ground, engines: EngineWorker) -> _WayOut:
    mail, environ = ground.settings.mail, ground.startup.environ
    signer, composer = LetterSigner(mail, environ), _composer(ground)
    way_out = WatchedDelivery(delivery(mail, environ), ground.clock.now)
    worker = OutboxWorker(
        ground.writer,
        composer,
        way_out,
        ground.clock,
        retry=mail.outgoing,
        additions=(
            partial(with_engine_opinion, opinion=engines.opinion),
            partial(with_review, review=engines.review),
            partial(with_estimate, estimate=engines.estimate),
        ),
        sign=signer,
        on_lost=partial(count_lost_letter, ground.games),
        on_sent=lambda unit, notice: RunningClocks(ground.games(unit)).sent(notice),
        verp=mail.outgoing.verp,
        cache=ground.cache,
        in_grace=ground.seen.in_grace,
        paused=ground.seen.paused,
        held=lambda: ground.holder.held,
    )
    await ground.stack.enter_async_context(beside(worker.run()))
    ground.stack.push_async_callback(ground.deadline.hold, worker.close)
    return _WayOut(signer, composer, way_out, worker)


def _composer(ground: Ground) -> Composer:
    mail, gtp = ground.settings.mail, ground.settings.gtp
    return Composer(
        ground.keys.signing,
        mail.address,
        mail.name,
        invitation_days=mail.invitation_days,
        gtp_access=GtpAccess(
            *gtp.reached_at(mail.address.partition("@")[2]),
            gtp.ssh or "",
            client=client_file() if gtp.listen else b"",
        ),
        plus_addressing=mail.plus_addressing,
        others=mail.names,
    )


async def _hear_of_commits(ground: Ground, actors: _Actors, outbox: OutboxWorker) -> GtpListeners:
    """News of each COMMIT; nothing was committed before this that anybody waits for."""
    gtp, writer, engines = ground.settings.gtp, ground.writer, actors.engines
    loop = asyncio.get_running_loop()
    sources = SourceLimits(gtp.connections_per_source, most_connections(), loop.time)
    boards = SavedBoards(writer, ground.clock, partial(engine_board, engines, loop, gtp.engine))
    connections = ConnectionHandler(
        SeatAuthenticator(ground.keys.good, writer, ground.games, actors.seats.seat, sources),
        gtp.quiet_seconds,
        open_board=boards.open,
    )
    programs = GtpListeners(connections, sources)
    hook = commit_hook(loop, actors.seats, programs, engines)
    writer.on_commit.append(hook)
    writer.before_commit.append(claim_hook(loop, outbox))
    if ground.lock.on_server:
        parts = (writer, ground.cache, outbox, actors.seats, programs, engines)
        others = _hear_of_others(ground, Elsewhere(loop, hook, *parts))
        await ground.stack.enter_async_context(beside(others))
    await actors.seats.release_left(await writer.run(lambda unit: unit.seats.left_by(None)))
    await engines.resume()
    return programs


async def _hear_of_others(ground: Ground, elsewhere: Elsewhere) -> None:
    """News of what other daemons on the same server commit, and ours for them."""
    news = ServerNews(ground.lock, ground.clock)
    ground.writer.before_commit.append(news.tell)
    ground.writer.on_doubt.append(elsewhere.in_doubt)
    try:
        await news.listen(elsewhere)
    except GodaemonError:  # this daemon has to leave, in good order
        ground.deadline.set(LEAVING)
        raise


async def _open_letters_in(ground: Ground, intake: Intake) -> _WayIn:
    settings, environ, writer = ground.settings, ground.startup.environ, ground.writer

    async def _deliver(inbound: InboundLetter) -> bool:
        return not (await intake.take(inbound)).wrong_token

    mail, clock = settings.mail, ground.clock
    vitals = Vitals(
        *(writer, ground.state, writer.file, clock, mail.outgoing.backlog_limit),
        lambda: ground.live.settings.mail.limits.strangers_in_all,
        ground.keys.keep,
    )
    listeners = MailListeners(settings, environ, _deliver, vitals.overloaded, ground.others)
    ground.stack.push_async_callback(ground.deadline.hold, listeners.close)
    await listeners.open(ground.startup.passed)
    parts = (mail, environ, intake.take, writer, clock)
    fetcher = imap_fetcher(*parts, vitals.overloaded, ground.others)
    return _WayIn(vitals, listeners, fetcher)


async def _open_control(
    ground: Ground, actors: _Actors, way_out: _WayOut, way_in: _WayIn, programs: GtpListeners
) -> DaemonStatus:
    """What the operator asks."""
    writer, keys = ground.writer, ground.keys
    status = _status(ground, actors, way_out, way_in, programs)
    reload = _reload(ground, status, way_out, way_in.listeners, programs)
    operations = Operations(
        *(writer, ground.games, actors.intake, way_out.worker, way_out.composer),
        *(keys, ground.clock, ground.seen),
    )
    control = ControlServer(
        {
            **operations.requests(),
            "rescue": lambda: rescued(writer, keys.signing),
            "status": status.report,
            "reload": reload.reload,
            "prune": _pruning(ground).prune,
        }
    )
    place = ground.settings.control
    await control.open(place.socket, place.group, ground.startup.passed)
    ground.stack.push_async_callback(control.close)
    return status


async def _open_metrics(ground: Ground, status: DaemonStatus, engines: EngineWorker) -> None:
    """What watches us, where that is wanted."""
    if (metrics := ground.settings.metrics).listen is None:
        return
    from godaemon.daemon.metrics import MetricsListener  # noqa: PLC0415 - few want it loaded

    listener = MetricsListener(status, engines, ground.clock, ground.writer)
    await listener.open(metrics, ground.startup.passed)
    ground.stack.push_async_callback(listener.close)


def _status(
    ground: Ground, actors: _Actors, way_out: _WayOut, way_in: _WayIn, programs: GtpListeners
) -> DaemonStatus:
    settings, engines = ground.settings, actors.engines
    destination, postmaster = settings.mail.outgoing.destination, way_in.listeners.postmaster
    return DaemonStatus(
        settings,
        ground.began,
        ground.writer,
        way_in.listeners,
        way_in.fetcher,
        programs,
        health_of(
            *(way_in.vitals, ground.clock, ground.seen, destination, way_out.delivery),
            way_in.fetcher,
            lambda: emails_turned_away(*way_in.listeners.turned_away),
            lambda: trouble_if(not ground.holder.held, "not-held"),
            lambda: engines_at_large(settings.engines.untrusted, engines.contained),
            lambda: engines_absent(engines.absent),
            lambda: postmaster_full(postmaster.unread(), MOST_UNREAD, postmaster.folder),
            lambda: _control_group(settings.control),
            partial(_shown, way_in.listeners.certificate),
            partial(_shown, programs.certificate),
        ),
        engines.contained,
        actors.intake,
        lambda: way_in.vitals.measured,
        ground.others,
    )


def _control_group(control: Control) -> list[Trouble]:
    found = ""
    with suppress(OSError, KeyError):
        found = control.socket.group()
    return group_not_in_force(control.socket, found, control.group or "")


def _reload(
    ground: Ground,
    status: DaemonStatus,
    way_out: _WayOut,
    listeners: MailListeners,
    programs: GtpListeners,
) -> Reload:
    """Reads the configuration again, when asked to or by SIGHUP."""
    loop, startup = asyncio.get_running_loop(), ground.startup
    reload = Reload(
        ground.live,
        startup.reread,
        startup.environ,
        ground.notifier,
        lambda: status.line,
        (listeners.certificate, programs.certificate),
        way_out.signer,
        way_out.composer,
    )
    loop.add_signal_handler(signal.SIGHUP, reload.on_hangup)
    ground.stack.callback(loop.remove_signal_handler, signal.SIGHUP)
    return reload


async def _start_timers(ground: Ground, way_in: _WayIn, status: DaemonStatus) -> None:
    """What goes on by itself."""
    writer, games, clock = ground.writer, ground.games, ground.clock
    in_grace, notifier = ground.seen.in_grace, ground.notifier
    fetcher = way_in.fetcher
    receiving = partial(_receiving, way_in.vitals, fetcher)
    duties = (
        *((fetcher.run,) if fetcher is not None else ()),
        lambda: expire_proposals(
            writer, games, lambda: ground.live.settings.mail.invitation_days, clock, in_grace
        ),
        lambda: ring_clocks(writer, games, clock, ground.seen, receiving),
        lambda: send_daily(writer, lambda unit: send_digests(games(unit)), clock, in_grace),
        lambda: tell_of_passes(writer, games, clock),
        lambda: forget_players(writer, games, clock, writer.file),
        _pruning(ground).daily,
    )
    for timer in (
        on_duty(ground.holder, *duties),
        feed_watchdog(ground.startup.environ, notifier, writer, clock),
        watch_health(way_in.vitals, status, notifier, clock),
    ):
        await ground.stack.enter_async_context(beside(timer))


def _pruning(ground: Ground) -> Pruning:
    def _days() -> int:
        return ground.live.settings.mail.remember_days

    return Pruning(ground.writer, _days, ground.clock, ground.seen.in_grace)


def _receiving(vitals: Vitals, fetcher: ImapFetcher | None) -> bool:
    return not vitals.overloaded() and (fetcher is None or fetcher.trouble is None)


def _shown(certificate: Certificate | None) -> list[Trouble]:
    """The files of a certificate, as they are now, would keep the daemon from starting."""
    why = certificate.refresh() if certificate is not None else ""
    return trouble_if(why, "certificate-bad", why=why)
