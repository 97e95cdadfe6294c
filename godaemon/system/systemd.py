"""The messages of a service to systemd: ready, status, reloading, stopping, alive.

Implements the sd_notify(3) protocol: one datagram of KEY=VALUE lines to the socket named in
$NOTIFY_SOCKET. Imports nothing of ours. Every method returns False if the message cannot be sent,
and outside systemd.
"""

import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notifier:
    """The socket of the service manager; None outside systemd.

    An address that begins with "@" is an abstract socket (unix(7)).
    """

    address: str | None

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> "Notifier":
        """The service manager named by $NOTIFY_SOCKET."""
        return cls(environ.get("NOTIFY_SOCKET") or None)

    def ready(self, status: str) -> bool:
        """Report the end of a start or reload; `status` is a line for `systemctl status`."""
        return self._send("READY=1", _status_field(status))

    def status(self, status: str) -> bool:
        """Replace the line in `systemctl status`."""
        return self._send(_status_field(status))

    def reloading(self) -> bool:
        """Report the start of a reload; `ready` ends it."""
        now_usec = time.monotonic_ns() // 1000
        return self._send("RELOADING=1", f"MONOTONIC_USEC={now_usec}")

    def stopping(self, status: str) -> bool:
        """Report that the service is stopping; `status` is its last line."""
        return self._send("STOPPING=1", _status_field(status))

    def alive(self) -> bool:
        """Reset the watchdog; due at least every WatchdogSec."""
        return self._send("WATCHDOG=1")

    def _send(self, *fields: str) -> bool:
        if self.address is None:
            return False
        path = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.connect(path)
                sender.sendall("\n".join(fields).encode())
        except OSError:
            return False
        return True


def watchdog_interval(environ: Mapping[str, str], pid: int) -> float | None:
    """Seconds between two watchdog messages, or None without a watchdog.

    Half of $WATCHDOG_USEC, as sd_watchdog_enabled(3) advises; $WATCHDOG_PID, if set, must be our
    own `pid`.
    """
    usec, owner = environ.get("WATCHDOG_USEC", ""), environ.get("WATCHDOG_PID", str(pid))
    if not usec.isascii() or not usec.isdigit() or int(usec) == 0 or owner != str(pid):
        return None
    return int(usec) / 2_000_000


def _status_field(text: str) -> str:
    """A STATUS field on one line, because a line break would begin another field."""
    return "STATUS=" + " ".join(text.split())
