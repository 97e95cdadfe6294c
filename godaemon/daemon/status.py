"""The status of a running daemon, for `godaemon status`, systemctl and the terminal at its start.

Reads the settings and the parts that have something to tell, and changes nothing.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from godaemon import installed_version
from godaemon.config.settings import Settings
from godaemon.daemon import operations
from godaemon.daemon.gtp_listener import GtpListeners
from godaemon.daemon.health import Health, Measured, status_line, trouble
from godaemon.daemon.mail import MailListeners
from godaemon.errors import Temporary
from godaemon.games.views import iso
from godaemon.storage.writer import WriterThread
from godaemon.system import log_setup
from mailgate.handling.intake import Intake
from mailgate.receiving.imap_fetcher import ImapFetcher


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    """Makes the status of a daemon from its parts."""

    settings: Settings
    began: datetime
    writer: WriterThread
    mail: MailListeners
    imap: ImapFetcher | None
    gtp: GtpListeners
    health: Health
    contained: Mapping[str, Any]
    """The kernel's means of containing engines, and which are in force."""
    intake: Intake
    measured: Callable[[], Measured]
    """The numbers of a moment ago."""
    other_addresses: Callable[[], tuple[str, ...]]
    """Our addresses beside the main one, at present."""

    async def report(self) -> dict[str, Any]:
        troubles = self.health.troubles()
        try:
            counts = await self.writer.run(operations.counts)
        except Temporary as fault:
            counts = operations.UNCOUNTED
            if all(one.name != "store-unusable" for one in troubles):
                troubles.insert(0, trouble("store-unusable", why=fault.public))
        return {
            "version": installed_version(),
            "pid": os.getpid(),
            "since": iso(self.began),
            "state": str(self.settings.state_directory),
            "smtp": self.mail.smtp,
            "lmtp": self.mail.lmtp,
            "imap": self.imap.status() if self.imap else None,
            "address": self.settings.mail.address,
            "addresses": [self.settings.mail.address, *self.other_addresses()],
            "outgoing": self.settings.mail.outgoing.destination,
            "gtp": str(self.settings.gtp.socket),
            "gtp_tcp": self.gtp.tcp,
            "metrics": self.settings.metrics.listen,
            "gtp_connections": self.gtp.count,
            "forged": self.intake.counts["forged"],
            "log_lost": log_setup.lost_lines(),
            "engines": self.contained,
            **counts,
            "troubles": [one.as_dict() for one in troubles],
        }

    @property
    def line(self) -> str:
        """The line for `systemctl status`: troubles first, then what the daemon is doing."""
        line = f"Playing Go for {self.settings.mail.address}, emails in by {self._ways_in}"
        found = self.measured()
        now = f"{found.clocks} clocks run, {found.due} emails wait, {self.gtp.count} Go programs"
        return status_line(f"{line}; {now}", self.health.troubles())

    @property
    def _ways_in(self) -> str:
        imap = self.settings.mail.imap.host
        places = {"SMTP at ": self.mail.smtp, "LMTP at ": self.mail.lmtp, "IMAP from ": imap}
        return ", ".join(way + place for way, place in places.items() if place) or "no way"

    def welcome_lines(self, *, newcomer: bool) -> list[str]:
        """Some lines for the terminal: where everything is; to a newcomer, how to begin."""
        mail, gtp, metrics = self.settings.mail, self.settings.gtp, self.settings.metrics.listen
        out = mail.outgoing.destination + ("/ADDRESS/" if mail.outgoing.maildir else "")
        domain, home = mail.address.partition("@")[2], self.settings.state_directory
        begin = f"To begin:    {_own_command()} send alice@{domain} 'new 9x9 vs bob@{domain}'"
        return [
            f"godaemon {installed_version()} keeps its games in {home}; Ctrl-C stops it",
            f"Emails in:   {self._ways_in}, for {', '.join(one.address for one in mail.own)}",
            f"Emails out:  {out}",
            f"Go programs: {gtp.socket}" + (f", TCP at {self.gtp.tcp}" if self.gtp.tcp else ""),
            f"Control:     {self.settings.control.socket}",
            *([f"Metrics:     {metrics}"] if metrics else []),
            *([begin] if newcomer else []),
        ]


def _own_command() -> str:
    """The command we were started as, so that our hints can be pasted."""
    called = Path(sys.argv[0])
    found = Path(shutil.which("godaemon") or "")
    here = called.name != "godaemon" or called.resolve() == found.resolve()
    return "godaemon" if here else str(called)
