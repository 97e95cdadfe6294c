"""Search for a daemon that runs here, by its socket.

`godaemon gtp` looks here first and is to be there at once, so what it does not
need is imported late. Raises `Busy` where the socket is not ours to open.
"""

from __future__ import annotations

import os
import socket
import sys

from godaemon.errors import Busy

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
