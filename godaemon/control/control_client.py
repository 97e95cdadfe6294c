"""The command line's side of the control socket: finds a daemon, and asks it.

Plain and blocking. `godaemon gtp` looks here first and is to be there at once, so what it does not
need is imported late. Raises what the daemon raised, `Temporary` where it does
not answer, and `Busy` where its socket is not ours to open.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from typing import Any

from godaemon import errors
from godaemon.errors import Busy, GodaemonError, Temporary, Unknown

FIRST_PERSON, LAST_PERSON = 1000, 60000
"""The numbers of people's accounts; others are of services, some only while they run."""

File = str | os.PathLike[str]


def running(path: File) -> bool:
    """True where a daemon answers at a control socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(5)
        try:
            probe.connect(os.fspath(path))
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            return False
        except PermissionError as fault:
            raise Busy(
                f"A godaemon runs here, but {path} is not yours to open. Try: {as_owner(path)}"
            ) from fault
        except OSError:
            return False
    return True


def as_owner(path: File) -> str:
    """The line that was given, for whoever may open it: a person whose daemon it is, or root."""
    import pwd  # noqa: PLC0415
    import shlex  # noqa: PLC0415

    try:
        owner = pwd.getpwuid(os.stat(path).st_uid)
    except (OSError, KeyError):
        owner = None
    who = f" -u {owner.pw_name}" if owner and FIRST_PERSON <= owner.pw_uid < LAST_PERSON else ""
    return f"sudo{who} {shlex.join(['godaemon', *sys.argv[1:]])}"


def ask(path: File, request: str, *, patience: float = 30, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
    """Ask a running daemon; raises what it raised, or `Temporary` where it does not answer."""
    import json  # noqa: PLC0415

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(patience)
        try:
            line.connect(os.fspath(path))
            line.sendall(json.dumps({"do": request, **arguments}).encode() + b"\n")
            with line.makefile("rb") as reader:
                answer = reader.readline()
        except OSError as fault:
            raise Temporary(f"The daemon at {path} does not answer.", detail=str(fault)) from fault
    if not answer:
        raise Temporary(f"The daemon at {path} went away before it had answered.")
    said = json.loads(answer)
    if "ok" in said:
        return said["ok"]
    raise _as_raised(said)


def _as_raised(said: Mapping[str, str]) -> GodaemonError:
    kind = getattr(errors, said.get("kind", ""), Temporary)
    known = isinstance(kind, type) and issubclass(kind, GodaemonError)
    plain = known and kind is not errors.IllegalMove
    return kind(said["error"]) if plain else Unknown(said["error"])
