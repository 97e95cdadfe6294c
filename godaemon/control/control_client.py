"""The client of the control socket, for the command line; `daemon_here` finds the daemon.

Synchronous. Raises the daemon's error, and `Temporary` if it does not answer.
"""

import json
import os
import socket
from typing import Any

from godaemon import errors
from godaemon.control.daemon_here import File
from godaemon.errors import Temporary


def ask(path: File, request: str, *, patience: float = 30, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
    """Send a request, with a timeout in seconds; raises the daemon's error, or `Temporary`."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(patience)
        try:
            connection.connect(os.fspath(path))
            connection.sendall(json.dumps({"do": request, **arguments}).encode() + b"\n")
            with connection.makefile("rb") as reader:
                answer = reader.readline()
        except OSError as fault:
            raise Temporary(f"The daemon at {path} does not answer.", detail=str(fault)) from fault
    if not answer:
        raise Temporary(f"The daemon at {path} closed the connection before it answered.")
    reply = json.loads(answer)
    if "ok" in reply:
        return reply["ok"]
    kind = getattr(errors, reply["kind"], Temporary)  # of a newer daemon
    raise (errors.Unknown if kind is errors.IllegalMove else kind)(reply["error"])
