"""Listening sockets that systemd opens and passes at each start (sd_listen_fds(3)).

They stay open while a daemon restarts, so that connections wait instead of being refused. A
listener takes the socket at its address. Outside systemd there are none. Raises `ConfigError` for a
socket that the configuration does not use.
"""

import os
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from godaemon.errors import ConfigError

Place = Path | tuple[str, int]
"""A place to listen at: the path of a Unix socket, or a host and a port."""

_FIRST = 3  # SD_LISTEN_FDS_START


@dataclass(frozen=True, slots=True)
class PassedSockets:
    """The passed sockets."""

    sockets: tuple[socket.socket, ...] = ()

    @classmethod
    def from_environ(cls, environ: Mapping[str, str], pid: int) -> "PassedSockets":
        """The sockets of $LISTEN_FDS, if $LISTEN_PID is our `pid`; children do not inherit them."""
        is_ours = environ.get("LISTEN_PID") == str(pid)
        count = int(environ.get("LISTEN_FDS") or "0") if is_ours else 0
        return cls(tuple(map(_take_over, range(_FIRST, _FIRST + count))))

    def at(self, place: Place) -> socket.socket | None:
        """The passed socket at a place, or None."""
        return next((passed for passed in self.sockets if _is_at(passed, place)), None)

    def require_wanted(self, places: Iterable[Place]) -> None:
        """Raise `ConfigError` for a passed socket that is at none of these places."""
        used = {*map(self.at, places)}
        for passed in self.sockets:
            if passed not in used:
                raise ConfigError(
                    f"systemd listens at {_place_of(passed)} for the daemon, but the configuration"
                    " has no such address. Run: godaemon install-units --sockets && systemctl"
                    " daemon-reload && systemctl stop godaemon && systemctl start godaemon"
                )


NONE_PASSED = PassedSockets()


def _take_over(number: int) -> socket.socket:
    try:
        passed = socket.socket(fileno=number)
    except OSError as fault:
        raise ConfigError(
            f"systemd passes descriptor {number}, which is not a socket: see the .socket units."
        ) from fault
    passed.set_inheritable(False)
    passed.setblocking(False)  # noqa: FBT003 - its only argument
    return passed


def _is_at(passed: socket.socket, place: Place) -> bool:
    if passed.type != socket.SOCK_STREAM:
        return False
    name = passed.getsockname()
    if isinstance(place, Path):
        return passed.family == socket.AF_UNIX and os.path.realpath(name) == os.path.realpath(place)
    if passed.family == socket.AF_UNIX or name[1] != place[1]:
        return False
    try:
        addresses = socket.getaddrinfo(*place, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError:
        return False
    return any(address[:2] == name[:2] for *_, address in addresses)


def _place_of(passed: socket.socket) -> str:
    name = passed.getsockname()
    return str(name) if passed.family == socket.AF_UNIX else format_host_port(*name[:2])


def format_host_port(host: str, port: int) -> str:
    """HOST:PORT, with brackets around an IPv6 host."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
