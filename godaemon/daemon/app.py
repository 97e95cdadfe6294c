"""The composition root: `open_daemon` creates and opens every part, each after those it needs.

May import every room but the command line. Opening raises `ConfigError` (exit 78). After that a
part that fails never takes the others down, unless it leaves the store in doubt.
"""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from godaemon.control.control_server import ControlServer
from godaemon.daemon import timers
from godaemon.daemon.core import Core, Deadline, Startup, call_soon, open_core, run_beside
from godaemon.daemon.engine_pool import EnginePool
from godaemon.daemon.engine_worker import EngineWorker
from godaemon.daemon.free_boards import FreeBoards
from godaemon.daemon.gtp_listener import GtpListeners, max_connections
from godaemon.daemon.health import Monitor
from godaemon.daemon.mail import (
    LetterSigner,
    MailListeners,
    WatchedDelivery,
    count_lost_letter,
    delivery,
    mailbox,
)
from godaemon.daemon.operations import Operations
from godaemon.daemon.other_daemons import OtherDaemons, run_duties
from godaemon.daemon.reload import Reload
from godaemon.daemon.status import DaemonStatus, watch_health
from godaemon.errors import GodaemonError
from godaemon.games.running_clocks import start_clocks
from godaemon.storage.backup import rescue_files
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import BeforeCommit, Committed, PriorityWriter
from godaemon.system.source_limits import SourceLimits
from gtp.client_file import client_file
from gtp.engines.engine_program import remove_tree
from gtp.seat.stored_seat import SeatService
from gtp.server import ConnectionHandler, SeatAuthenticator
from mailgate.delivery.composing_thread import ComposingThread
from mailgate.delivery.outbox_worker import OutboxWorker
from mailgate.handling.dispatcher import Dispatcher
from mailgate.handling.intake import Intake
from mailgate.letters.compose import Composer
from mailgate.letters.letter_view import GtpAccess
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.imap_fetcher import ImapFetcher

TAKEOVER_TIMEOUT = 10.0
"""Grace period in seconds for work in progress when a newer daemon takes over."""


async def open_daemon(startup: Startup, stack: AsyncExitStack, deadline: Deadline) -> DaemonStatus:
    """Open the parts in this order; `stack` closes them in reverse order."""
    core = await open_core(startup, stack, deadline)
    parts = _Parts(core)
    await parts.open_actors()
    await parts.open_way_out()
    await parts.connect_commit_hooks()
    await parts.open_ways_in()
    await parts.open_control()
    await parts.open_metrics()
    await parts.start_timers()
    return parts.status


class _Parts:
    """The parts of a daemon, each after those that it needs."""

    def __init__(self, core: Core) -> None:
        self.core, self.stack = core, core.stack
        self.settings, self.environ = core.settings, core.startup.environ
        self.writer, self.clock, self.holder = core.writer, core.clock, core.holder
        self.loop = asyncio.get_running_loop()

    # -- the parts that act on games: emails, engines, GTP seats -------------------------------
    async def open_actors(self) -> None:
        core, scratch = self.core, self.core.state / "engines"
        dispatcher = Dispatcher(
            core.keys.valid_keys,
            core.addresses,
            core.games,
            lambda: core.live.mail.limits.strangers_per_sender,
            trusted_authserv_id=self.settings.mail.trusted_authserv_id or "",
        )
        self.intake = Intake(self.writer, dispatcher, self.clock.now)
        await asyncio.to_thread(remove_tree, scratch)  # what a killed daemon has left
        adviser = self.settings.engines.opinion
        self.pool = EnginePool(core.engines.programs, scratch, adviser)
        self.engines = EngineWorker(core, self.pool)
        self.stack.push_async_callback(self.engines.close)
        self.seats = SeatService(
            PriorityWriter(self.writer, "ahead"),
            core.games,
            self.clock.now,
            self.pool.analyze,
            self.pool.estimate,
            core.seen.current_pause,
        )
        core.is_watched = self.seats.is_watched

    # -- emails out ----------------------------------------------------------------------------
    async def open_way_out(self) -> None:
        core, mail = self.core, self.settings.mail
        self.signer, self.composer = LetterSigner(mail, self.environ), self._composer()
        self.delivery = WatchedDelivery(delivery(mail, self.environ), self.clock.now)
        outgoing, paused = mail.outgoing, lambda: core.seen.current_pause(self.clock.now())
        self.outbox = OutboxWorker(
            self.writer,
            ComposingThread(self.composer, self.signer, self.pool, paused),
            self.delivery,
            self.clock,
            PriorityWriter(self.writer, "patient"),
            retry_first=outgoing.retry_first,
            retry_limit=outgoing.retry_limit,
            give_up_days=outgoing.give_up_days,
            verp=outgoing.verp,
            in_grace=core.seen.is_in_grace,
            may_claim=lambda: self.holder.holds_locks,
            on_lost=partial(count_lost_letter, core.games),
            on_sent=lambda unit, notice: start_clocks(core.games(unit), notice),
            cache=core.cache,
        )
        await self._run(self.outbox.run())
        self.stack.push_async_callback(core.deadline.close_in_time, self.outbox.close)

    def _composer(self) -> Composer:
        mail, gtp = self.settings.mail, self.settings.gtp
        return Composer(
            self.core.keys.signing,
            mail.address,
            mail.name,
            invitation_days=mail.invitation_days,
            gtp_access=GtpAccess(
                *gtp.public_address(mail.address.partition("@")[2]),
                gtp.ssh or "",
                client=client_file() if gtp.listen else b"",
            ),
            plus_addressing=mail.plus_addressing,
            others=mail.names,
        )

    # -- news of each COMMIT -------------------------------------------------------------------
    async def connect_commit_hooks(self) -> None:
        """Connect the hooks: from now on each COMMIT is reported to the parts that wait."""
        gtp, loop, core = self.settings.gtp, self.loop, self.core
        sources = SourceLimits(gtp.connections_per_source, max_connections(), loop.time)
        boards = FreeBoards(core, self.pool.controllers)
        connections = ConnectionHandler(
            SeatAuthenticator(
                core.keys.valid_keys, self.writer, core.games, self.seats.open_seat, sources
            ),
            gtp.quiet_seconds,
            answer_board_request=boards.answer,
        )
        self.programs = GtpListeners(connections, sources)

        def _report(news: Committed) -> None:  # one call each: none stops the others by failing
            call_soon(loop, partial(self.seats.wake_sessions, news.games))
            call_soon(loop, partial(self.programs.end_revoked_sessions, news.rekeyed))
            call_soon(loop, partial(self.engines.serve_games, news.games))

        self.writer.on_commit.append(_report)
        self.writer.before_commit.append(claim_hook(loop, self.outbox))
        self.other_daemons = OtherDaemons(
            core, _report, self.outbox, self.seats, self.programs, self.engines
        )
        if self.holder.several:
            await self._run(self._follow_other_daemons())
        left = await self.writer.run(lambda unit: unit.seats.take_over(None))
        await self.seats.release_orphaned_moves(left)
        await self.engines.find_games()

    async def _follow_other_daemons(self) -> None:
        self.writer.before_commit.append(self.holder.tell)
        self.writer.on_doubt.append(partial(call_soon, self.loop, self.other_daemons.catch_up))
        try:
            await self.holder.listen(self.other_daemons)
        except GodaemonError:  # this daemon must leave, and finishes its work first
            self.core.deadline.set(TAKEOVER_TIMEOUT)
            raise

    # -- emails and Go programs in -------------------------------------------------------------
    async def open_ways_in(self) -> None:
        core, mail = self.core, self.settings.mail

        async def _deliver(inbound: InboundLetter) -> bool:
            return not (await self.intake.take(inbound)).wrong_token

        self.monitor = Monitor(core)
        ours, overloaded = core.addresses, self.monitor.overload_reason
        self.listeners = MailListeners(core.startup, _deliver, ours, overloaded)
        self.stack.push_async_callback(core.deadline.close_in_time, self.listeners.close)
        await self.listeners.open()
        self.fetcher: ImapFetcher | None = None
        if (imap := mail.imap).host is not None:
            self.fetcher = ImapFetcher(
                partial(mailbox, imap, self.environ),
                self.intake.take,
                self.writer,
                self.clock,
                addresses=ours,
                size_limit=imap.size_limit,
                poll=imap.poll,
                overloaded=overloaded,
            )
        self.stack.push_async_callback(core.deadline.close_in_time, self.programs.close)
        await self.programs.open(core.startup)

    # -- the operator --------------------------------------------------------------------------
    async def open_control(self) -> None:
        core = self.core
        self.status = DaemonStatus(
            core,
            self.listeners,
            self.fetcher,
            self.programs,
            self.delivery,
            self.engines,
            self.intake,
            self.monitor,
        )
        operations = Operations(core, self.intake, self.outbox, self.composer)
        control = ControlServer(
            {
                **operations.requests(),
                "rescue": lambda: rescue_files(self.writer, core.keys.signing),
                "status": self.status.report,
                "reload": self._reload().reload,
                "prune": partial(timers.prune, core),
            }
        )
        place = self.settings.control
        acceptor = await control.open(place.socket, place.group, core.startup.passed)
        self.stack.push_async_callback(acceptor.close)

    def _reload(self) -> Reload:
        reload = Reload(self.status, self.signer, self.composer)
        self.loop.add_signal_handler(signal.SIGHUP, reload.reload_soon)
        self.stack.callback(self.loop.remove_signal_handler, signal.SIGHUP)
        return reload

    async def open_metrics(self) -> None:
        if self.settings.metrics.listen is None:
            return
        from godaemon.daemon.metrics import MetricsListener  # noqa: PLC0415 - few configure metrics

        acceptor = await MetricsListener(self.status).open()
        self.stack.push_async_callback(acceptor.close)

    # -- background jobs -----------------------------------------------------------------------
    async def start_timers(self) -> None:
        core = self.core

        def _can_receive() -> bool:
            has_mailbox = self.fetcher is None or self.fetcher.trouble is None
            return has_mailbox and not self.monitor.overload_reason()

        duties = (
            *((self.fetcher.run,) if self.fetcher is not None else ()),
            partial(timers.expire_proposals, core),
            partial(timers.check_clocks, core, _can_receive),
            partial(timers.send_daily, core),
            partial(timers.tell_of_silent_programs, core),
            partial(timers.forget_players, core),
            partial(timers.prune_daily, core),
        )
        await self._run(run_duties(self.holder, *duties))
        await self._run(timers.feed_watchdog(core))
        await self._run(watch_health(self.status))
        await self._run(self.other_daemons.watch())

    async def _run(self, work: Coroutine[Any, Any, None]) -> None:
        await self.stack.enter_async_context(run_beside(work))


def claim_hook(loop: asyncio.AbstractEventLoop, outbox: OutboxWorker) -> BeforeCommit:
    """The hook that claims a transaction's notices before COMMIT, to send them after it."""

    def _claim_notices(unit: Unit, news: Committed) -> Callable[[], None] | None:
        return partial(call_soon, loop, outbox.claim_queued(unit)) if news.outbox else None

    return _claim_notices
