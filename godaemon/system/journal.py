"""The journal's own protocol: an entry is one datagram of fields, to the socket of journald.

A few lines of https://systemd.io/JOURNAL_NATIVE_PROTOCOL; imports nothing of ours. Nobody waits and
nobody fails: what cannot be sent is for the caller to write elsewhere.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

SOCKET = "/run/systemd/journal/socket"


def is_journal(environ: Mapping[str, str]) -> bool:
    """True where standard error is the stream that $JOURNAL_STREAM tells of (systemd.exec(5))."""
    try:
        found = os.fstat(2)
    except OSError:
        return False
    return environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def sent(fields: Mapping[str, str]) -> bool:
    """Send an entry; names are of capitals, digits and _ (systemd.journal-fields(7))."""
    entry = b"".join(_field(name.encode(), value) for name, value in fields.items())
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(entry, socket.MSG_DONTWAIT, SOCKET)
    except OSError:  # it is too long, or nobody reads
        return False
    return True


def _field(name: bytes, value: str) -> bytes:
    data = value.encode("utf-8", "backslashreplace")
    if b"\n" in data:
        return name + b"\n" + len(data).to_bytes(8, "little") + data + b"\n"
    return name + b"=" + data + b"\n"
