"""Listening sockets that systemd opens and passes at each start (sd_listen_fds(3)).

They stay open while a daemon restarts, so that connections wait instead of being refused. A
listener takes the socket at its address; the socket's name only appears in messages. Outside
systemd there are none. Raises `ConfigError` for a socket that the configuration does not use.
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
    """The passed sockets, with the names from their units (FileDescriptorName=)."""

    sockets: tuple[tuple[str, socket.socket], ...] = ()

    @classmethod
    def from_environ(cls, environ: Mapping[str, str], pid: int) -> "PassedSockets":
        """The sockets of $LISTEN_FDS, if $LISTEN_PID is our `pid`; children do not inherit them."""
        count = environ.get("LISTEN_FDS", "")
        if environ.get("LISTEN_PID") != str(pid) or not (count.isascii() and count.isdigit()):
            return cls()
        names = environ.get("LISTEN_FDNAMES", "").split(":")
        numbers = range(_FIRST, _FIRST + int(count))
        names += ["unnamed"] * (int(count) - len(names))
        return cls(tuple(zip(names, map(_take_over, numbers), strict=False)))

    def at(self, place: Place) -> socket.socket | None:
        """The passed socket at a place, or None."""
        return next((passed for _, passed in self.sockets if _is_at(passed, place)), None)

    def require_wanted(self, places: Iterable[Place]) -> None:
        """Raise `ConfigError` for a passed socket that is at none of these places."""
        used = {id(self.at(place)) for place in places}
        for name, passed in self.sockets:
            if id(passed) not in used:
                raise ConfigError(
                    f"systemd listens at {_place_of(passed)} for the daemon (socket {name}), but"
                    " the configuration has no such address. Run: godaemon install-units"
                    " --sockets && systemctl daemon-reload && systemctl restart godaemon"
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
