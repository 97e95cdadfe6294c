"""Finds a running daemon on this machine by its socket.

Other imports are inside functions, because `godaemon gtp` uses this module and must start fast.
Raises `Busy` if we may not open the socket.
"""

import os
import socket
import sys

from godaemon.errors import Busy

FIRST_PERSON, LAST_PERSON = 1000, 60000
"""The range of user ids of people; other ids belong to services."""

File = str | os.PathLike[str]


def is_running(path: File) -> bool:
    """True if a daemon accepts connections at a control socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(5)
        try:
            probe.connect(os.fspath(path))
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            return False
        except PermissionError as fault:
            raise Busy(
                f"Whether a godaemon runs here cannot be seen: you may not open {path}."
                f" Try: {sudo_command(path)}"
            ) from fault
        except OSError:
            return False
    return True


def sudo_command(path: File) -> str:
    """Our own command line with sudo, as the owner of a path if that is a person, else as root."""
    import pwd  # noqa: PLC0415
    import shlex  # noqa: PLC0415

    try:
        owner = pwd.getpwuid(os.stat(path).st_uid)
    except (OSError, KeyError):
        owner = None
    user = f" -u {owner.pw_name}" if owner and FIRST_PERSON <= owner.pw_uid < LAST_PERSON else ""
    return f"sudo{user} {shlex.join(['godaemon', *sys.argv[1:]])}"
