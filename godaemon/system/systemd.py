"""The messages of a service to systemd: ready, status, reloading, stopping, alive.

Implements the sd_notify(3) protocol: one datagram of KEY=VALUE lines to the socket named in
$NOTIFY_SOCKET. Imports nothing of ours. A message that cannot be sent is lost.
"""

import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notifier:
    """The service manager at the socket of $NOTIFY_SOCKET; "" outside systemd.

    An address that begins with "@" is an abstract socket (unix(7)).
    """

    address: str

    def ready(self, status: str) -> None:
        """Report the end of a start or reload; `status` is a line for `systemctl status`."""
        self._send("READY=1", _status_field(status))

    def status(self, status: str) -> None:
        """Replace the line in `systemctl status`."""
        self._send(_status_field(status))

    def reloading(self) -> None:
        """Report the start of a reload; `ready` ends it."""
        self._send("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def stopping(self, status: str) -> None:
        """Report that the service is stopping; `status` is its last line."""
        self._send("STOPPING=1", _status_field(status))

    def alive(self) -> None:
        """Reset the watchdog; due at least every WatchdogSec."""
        self._send("WATCHDOG=1")

    def _send(self, *fields: str) -> None:
        path = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.connect(path)
            sender.sendall("\n".join(fields).encode())


def watchdog_interval(environ: Mapping[str, str], pid: int) -> float | None:
    """Seconds between two watchdog messages, or None without a watchdog.

    Half of $WATCHDOG_USEC, as sd_watchdog_enabled(3) advises; $WATCHDOG_PID, if set, must be our
    own `pid`.
    """
    usec = int(environ.get("WATCHDOG_USEC", "0"))
    is_ours = environ.get("WATCHDOG_PID", str(pid)) == str(pid)
    return usec / 2_000_000 if usec and is_ours else None


def _status_field(text: str) -> str:
    """A STATUS field on one line, because a line break would begin another field."""
    return "STATUS=" + " ".join(text.split())
