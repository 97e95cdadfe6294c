"""The client of the control socket, for the command line. Synchronous.

Other imports are inside functions, because `godaemon gtp` uses this module and must start fast.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys

from godaemon import errors
from godaemon.errors import NotPermitted, Temporary

TYPE_CHECKING = False  # `typing` takes a tenth of the start
if TYPE_CHECKING:
    from typing import Any

File = str | os.PathLike[str]


def is_running(path: File) -> bool:
    """True if a daemon accepts connections at a socket; raises `NotPermitted`."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(5)
        try:
            probe.connect(os.fspath(path))
        except PermissionError as fault:
            raise NotPermitted(
                f"Whether a godaemon runs here cannot be seen: you may not open {path}."
                f" Try: {sudo_command(path)}"
            ) from fault
        except OSError:
            return False
    return True


def sudo_command(path: File) -> str:
    """This command line for the owner of a path, or of its nearest folder that we can see."""
    import pwd  # noqa: PLC0415
    import shlex  # noqa: PLC0415

    place = os.path.abspath(path)
    while not os.path.lexists(place):
        place = os.path.dirname(place)
    owner, name = os.lstat(place).st_uid, ""
    if owner not in {0, os.geteuid()}:
        with contextlib.suppress(KeyError):  # a user of another machine or container
            name = f"-u {pwd.getpwuid(owner).pw_name} "
    return f"sudo {name}godaemon {shlex.join(sys.argv[1:])}"


def ask(path: File, request: str, *, patience: float = 30, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
    """Send a request, with a timeout in seconds; raises the daemon's error, or `Temporary`."""
    import json  # noqa: PLC0415

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
