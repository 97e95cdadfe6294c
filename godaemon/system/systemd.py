"""The messages of a service to systemd: ready, status, reloading, stopping, alive.

Implements the sd_notify(3) protocol: one datagram of KEY=VALUE lines to the socket named in
$NOTIFY_SOCKET. Imports nothing of ours. A message that cannot be sent is lost.
"""

import socket
from collections.abc import Mapping
from contextlib import suppress


def notify(address: str, **fields: str | int) -> None:
    """Send fields of sd_notify(3); STATUS is the line in `systemctl status`.

    The address is that of $NOTIFY_SOCKET: "" outside systemd; with "@" at its start it is an
    abstract socket (unix(7)).
    """
    path = "\0" + address[1:] if address.startswith("@") else address
    # On one line each, because a line break would begin another field.
    lines = [f"{name}={' '.join(str(value).split())}" for name, value in fields.items()]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.connect(path)
        sender.sendall("\n".join(lines).encode())


def watchdog_interval(environ: Mapping[str, str], pid: int) -> float | None:
    """Seconds between two watchdog messages, or None without a watchdog.

    Half of $WATCHDOG_USEC, as sd_watchdog_enabled(3) advises; $WATCHDOG_PID, if set, must be our
    own `pid`.
    """
    usec = int(environ.get("WATCHDOG_USEC") or "0")
    is_ours = environ.get("WATCHDOG_PID", str(pid)) == str(pid)
    return usec / 2_000_000 if usec and is_ours else None
