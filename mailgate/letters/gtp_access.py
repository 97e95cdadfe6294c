"""The way by which Go programs reach this server, and the line that they start for it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from godaemon.rules.points import Color

CLIENT = "godaemon-gtp.txt"
"""A name that mail providers let through: many hold back .py, .pyz and .zip."""

_LOOPBACK = ("localhost", "127.", "[::1]")


@dataclass(frozen=True, slots=True)
class GtpAccess:
    """The way by which Go programs come here: over TCP where `tcp` is set, else by a shell."""

    tcp: str = ""
    """HOST:PORT as the players' computers know it; empty where there is none."""
    tls: bool = True
    ssh: str = ""
    """The host that players log in to; empty where nobody said."""
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The reader's keys by the colours' words."""
    client: bytes = field(default=b"", repr=False)
    """The program for the players' computers, which goes along with the line that starts it."""

    def line(self, game: int, color: Color) -> str:
        """What a Go program is to start."""
        if self.tcp:
            local = self.tcp.startswith(_LOOPBACK)
            said = "" if self.tls is not local else " --tls" if self.tls else " --no-tls"
            words = f"--connect {self.tcp}{said} --key {self.keys[color.word]}"
            return f"python3 Downloads/{CLIENT} {words}"
        seat = f"godaemon gtp --game {game} --as {color.word}"
        return f"ssh {self.ssh} {seat}" if self.ssh else seat
