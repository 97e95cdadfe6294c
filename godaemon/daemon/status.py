"""The status of a running daemon, for `godaemon status`, `godaemon serve` and systemctl.

Reads the settings and the parts, and changes nothing. Each check examines one part. Troubles that
begin or end are logged and reported to systemd.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog

from godaemon import installed_version
from godaemon.config.checks import check_own_address
from godaemon.daemon import health, operations
from godaemon.daemon.core import Core
from godaemon.daemon.engine_worker import EngineWorker
from godaemon.daemon.gtp_listener import GtpListeners
from godaemon.daemon.health import Check, Monitor, Severity, Trouble, trouble, trouble_if, utc
from godaemon.daemon.mail import MailListeners, WatchedDelivery
from godaemon.errors import Temporary
from godaemon.games.views import iso
from godaemon.system import log_setup
from godaemon.system.outages_and_pauses import GRACE, MIN_GAP
from mailgate.handling.intake import Intake
from mailgate.receiving.imap_fetcher import ImapFetcher
from mailgate.receiving.postmaster import MAX_UNREAD

REJECTIONS_REPORTED = 3
"""The number of consecutive rejections of emails that is reported."""
_log = structlog.get_logger("godaemon")


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    """The status of a daemon, read from its parts."""

    core: Core
    mail: MailListeners
    imap: ImapFetcher | None
    gtp: GtpListeners
    delivery: WatchedDelivery
    engines: EngineWorker
    intake: Intake
    monitor: Monitor

    def troubles(self) -> list[Trouble]:
        """The present troubles, the worst first."""
        return health.find_troubles(self._checks())

    def _checks(self) -> Iterator[Check]:
        core, lost = self.core, log_setup.lost_lines()
        yield lambda: health.measured_troubles(self.monitor.measured)
        yield lambda: health.way_in_troubles(core.settings.mail)
        yield from (self._mailbox, self._way_out)
        yield lambda: trouble_if(core.reload_refused, "reload-refused", why=core.reload_refused)
        yield lambda: trouble_if(lost, "log-lost", count=lost)
        yield from (self._clocks, self._rejections)
        yield lambda: trouble_if(not core.holder.holds_locks, "not-held")
        yield from (self._engines, self._postmaster, self._certificates)

    def _mailbox(self) -> list[Trouble]:
        why = self.imap.trouble if self.imap else None
        return trouble_if(why is not None, "mailbox-unreachable", why=why)

    def _way_out(self) -> Iterator[Trouble]:
        if since := self.delivery.blocked_since:
            place = self.core.settings.mail.outgoing.destination
            yield trouble("way-out-blocked", place=place, since=utc(since))

    def _clocks(self) -> Iterator[Trouble]:
        clock, seen = self.core.clock, self.core.seen
        now = clock.now()  # detects a jump
        if (ended := seen.gap_ended) is not None and now - ended < MIN_GAP:
            yield trouble("clock-gap", ended=utc(ended), grace=utc(ended + GRACE))
        way = "forward" if clock.jump > timedelta() else "back"
        distance = timedelta(seconds=round(abs(clock.jump).total_seconds()))
        yield from trouble_if(clock.jump, "clock-jumped", way=way, distance=distance)
        if (pause := seen.current_pause(now)) is not None:
            why = f" ({pause.reason})" if pause.reason else ""
            yield trouble("clocks-paused", begin=utc(pause.begin), why=why, end=utc(pause.end))

    def _rejections(self) -> list[Trouble]:
        count, answer, why = self.mail.handler.rejections
        key = "address-unknown" if answer.startswith("5") else "emails-not-kept"
        about = {"count": count, "answer": answer, "why": why, "if_ours": _own_address_hint(why)}
        return trouble_if(count >= REJECTIONS_REPORTED, key, **about)

    def _engines(self) -> Iterator[Trouble]:
        engines = self.core.settings.engines.named
        names = ", ".join(name for name, engine in engines.items() if engine.contained)
        contained = self.engines.pool.contained
        missing = " and no ".join(word for word in ("landlock", "seccomp") if not contained[word])
        yield from trouble_if(
            names and missing, "engines-not-contained", names=names, missing=missing
        )
        for name, why in sorted(self.engines.absent.items()):
            yield trouble("engine-absent", name=name, why=why)

    def _postmaster(self) -> list[Trouble]:
        mailbox = self.mail.postmaster
        count = mailbox.count_unread()
        full = count >= MAX_UNREAD
        return trouble_if(full, "postmaster-full", count=count, folder=mailbox.folder)

    def _certificates(self) -> Iterator[Trouble]:
        """The certificates whose files would now make a restart fail."""
        for certificate in filter(None, (self.mail.certificate, self.gtp.certificate)):
            why = certificate.refresh()
            yield from trouble_if(why, "certificate-bad", why=why)

    async def report(self) -> dict[str, Any]:
        """The status as JSON; if the store cannot be read, its counts are None."""
        troubles, settings = self.troubles(), self.core.settings
        try:
            counts = await self.core.writer.run(operations.counts)
        except Temporary as fault:
            counts = operations.UNCOUNTED
            if all(one.name != "store-unusable" for one in troubles):
                troubles.insert(0, trouble("store-unusable", why=fault.public))
        return {
            "version": installed_version(),
            "pid": os.getpid(),
            "since": iso(self.core.began),
            "state": str(settings.state_directory),
            "smtp": self.mail.smtp,
            "lmtp": self.mail.lmtp,
            "imap": self.imap.status() if self.imap else None,
            "address": settings.mail.address,
            "addresses": list(self.core.addresses()),
            "outgoing": settings.mail.outgoing.destination,
            "gtp": str(settings.gtp.socket),
            "gtp_tcp": self.gtp.tcp,
            "metrics": settings.metrics.listen,
            "gtp_connections": self.gtp.count,
            "forged": self.intake.counts["forged"],
            "log_lost": log_setup.lost_lines(),
            "engines": self.engines.pool.contained,
            **counts,
            "troubles": [one.as_dict() for one in troubles],
        }

    @property
    def line(self) -> str:
        """The line for `systemctl status`: troubles first, then what the daemon is doing."""
        mail = self.core.settings.mail
        places = {
            "SMTP at ": self.mail.smtp,
            "LMTP at ": self.mail.lmtp,
            "IMAP from ": mail.imap.host,
        }
        ways = ", ".join(way + place for way, place in places.items() if place) or "no way"
        line = f"Playing Go for {mail.address}, emails in by {ways}"
        found = self.monitor.measured
        now = f"{found.clocks} clocks run, {found.due} emails wait, {self.gtp.count} Go programs"
        return health.status_line(f"{line}; {now}", self.troubles())


async def watch_health(status: DaemonStatus) -> None:
    """Measure periodically, and report changes to the log and to systemd."""
    core = status.core
    known = dict[str, Trouble]()
    line = ""
    while True:
        try:
            await status.monitor.measure()
        except Exception as fault:  # noqa: BLE001 - the next round measures again
            _log.warning("health.not-measured", detail=repr(fault))
        found = {one.name: one for one in status.troubles()}
        for name in sorted(found.keys() - known.keys()):
            log = _log.error if found[name].severity is Severity.FAILURE else _log.warning
            log("health.trouble", trouble=name, detail=found[name].sentence)
        for name in sorted(known.keys() - found.keys()):
            _log.info("health.recovered", trouble=name)
        known = found
        if (present := status.line) != line:
            line = present
            core.notify(STATUS=line)
        await core.clock.sleep(health.MEASURE_INTERVAL)


def _own_address_hint(address: str) -> str:
    """A hint on the option that makes an address ours; "" if it cannot be ours."""
    try:
        check_own_address(address)
    except ValueError:
        return ""
    return (
        f' If that is an address of yours, write address = "{address}" in [mail], or in a section'
        " [[mail.addresses]]."
    )
