"""The status of a running daemon, for `godaemon status`, systemctl and the terminal at its start.

Reads the settings and the parts, and changes nothing. Troubles that begin or end are logged and
reported to systemd.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from godaemon import installed_version
from godaemon.daemon import operations
from godaemon.daemon.core import Core
from godaemon.daemon.engine_worker import EngineWorker
from godaemon.daemon.gtp_listener import GtpListeners
from godaemon.daemon.health import Check, Severity, Trouble, find_troubles, status_line, trouble
from godaemon.daemon.mail import MailListeners
from godaemon.daemon.monitor import MEASURED_EVERY, Monitor
from godaemon.errors import Temporary
from godaemon.games.game_json import iso
from godaemon.system import log_setup
from mailgate.handling.intake import Intake
from mailgate.receiving.imap_fetcher import ImapFetcher

_log = structlog.get_logger("godaemon")


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    """The status of a daemon, read from its parts."""

    core: Core
    mail: MailListeners
    imap: ImapFetcher | None
    gtp: GtpListeners
    checks: Sequence[Check]
    engines: EngineWorker
    intake: Intake
    monitor: Monitor

    def troubles(self) -> list[Trouble]:
        return find_troubles(self.checks)

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
            "engines": self.engines.contained,
            **counts,
            "troubles": [one.as_dict() for one in troubles],
        }

    @property
    def line(self) -> str:
        """The line for `systemctl status`: troubles first, then what the daemon is doing."""
        line = f"Playing Go for {self.core.settings.mail.address}, emails in by {self._ways_in}"
        found = self.monitor.measured
        now = f"{found.clocks} clocks run, {found.due} emails wait, {self.gtp.count} Go programs"
        return status_line(f"{line}; {now}", self.troubles())

    @property
    def _ways_in(self) -> str:
        imap = self.core.settings.mail.imap.host
        places = {"SMTP at ": self.mail.smtp, "LMTP at ": self.mail.lmtp, "IMAP from ": imap}
        return ", ".join(way + place for way, place in places.items() if place) or "no way"

    def welcome_lines(self, *, newcomer: bool) -> list[str]:
        """The lines for the terminal: all addresses, and for a newcomer a first command."""
        settings = self.core.settings
        mail, gtp, metrics = settings.mail, settings.gtp, settings.metrics.listen
        out = mail.outgoing.destination + ("/ADDRESS/" if mail.outgoing.maildir else "")
        domain, home = mail.address.partition("@")[2], settings.state_directory
        begin = f"To begin:    {_own_command()} send alice@{domain} 'new 9x9 vs bob@{domain}'"
        return [
            f"godaemon {installed_version()} keeps its games in {home}; Ctrl-C stops it",
            f"Emails in:   {self._ways_in}, for {', '.join(one.address for one in mail.own)}",
            f"Emails out:  {out}",
            f"Go programs: {gtp.socket}" + (f", TCP at {self.gtp.tcp}" if self.gtp.tcp else ""),
            f"Control:     {settings.control.socket}",
            *([f"Metrics:     {metrics}"] if metrics else []),
            *([begin] if newcomer else []),
        ]


async def watch_health(status: DaemonStatus) -> None:
    """Measure periodically, and report changes to the log and to systemd."""
    core, known, line = status.core, dict[str, Trouble](), ""
    while True:
        try:
            await status.monitor.measure()
        except Exception as fault:  # noqa: BLE001 - the next round measures again
            _log.warning("health.not-measured", detail=repr(fault))
        found = {one.name: one for one in status.troubles()}
        for name in sorted(found.keys() - known.keys()):
            grave = found[name].severity is Severity.FAILURE
            level = "error" if grave else "warning"
            getattr(_log, level)("health.trouble", trouble=name, detail=found[name].sentence)
        for name in sorted(known.keys() - found.keys()):
            _log.info("health.well-again", trouble=name)
        known = found
        if (present := status.line) != line:
            line = present
            core.notifier.status(line)
        await core.clock.sleep(MEASURED_EVERY)


def _own_command() -> str:
    """The command that started us, so that hints can be pasted."""
    called = Path(sys.argv[0])
    found = Path(shutil.which("godaemon") or "")
    here = called.name != "godaemon" or called.resolve() == found.resolve()
    return "godaemon" if here else str(called)
