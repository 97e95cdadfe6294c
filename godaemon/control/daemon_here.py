"""Finds a running daemon on this machine by its socket.

Other imports are inside functions, because `godaemon gtp` uses this module and must start fast.
Raises `Busy` if we may not open the socket.
"""

import os
import socket
import sys

from godaemon.errors import Busy

File = str | os.PathLike[str]


def is_running(path: File) -> bool:
    """True if a daemon accepts connections at a control socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(5)
        try:
            probe.connect(os.fspath(path))
        except PermissionError as fault:
            raise Busy(
                f"Whether a godaemon runs here cannot be seen: you may not open {path}."
                f" Try: {sudo_command()}"
            ) from fault
        except OSError:
            return False
    return True


def sudo_command() -> str:
    """Our own command line with sudo."""
    import shlex  # noqa: PLC0415

    return f"sudo godaemon {shlex.join(sys.argv[1:])}"
