"""Listening sockets, and the process at the other end of a Unix socket.

Raises `ConfigError` for a place where we can never listen, `Temporary` for one that is in use or
absent now. A Unix socket never appears without its final mode and group.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import grp
import os
import socket
import struct
from dataclasses import dataclass
from pathlib import Path

from godaemon.errors import ConfigError, GodaemonError, Temporary
from godaemon.system.acceptor import Acceptor, Session, stream_handler
from godaemon.system.passed_sockets import NONE_PASSED, PassedSockets, format_host_port

_BACKLOG = 128
_SO_PEERGROUPS = 59  # linux/socket.h; Python has no name for it
_MOST_GROUPS = 256  # Python asks for no more
_NO_SUCH_ADDRESS = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}
"""Errors ignored if another address of a host works: `localhost` has ::1 even without IPv6."""
_NEVER = {
    errno.EACCES,
    errno.EPERM,
    errno.EEXIST,
    errno.ENOTDIR,
    errno.ENAMETOOLONG,
    socket.EAI_NONAME,
}


def listen_error(sentence: str, fault: OSError) -> GodaemonError:
    """The error for a place to listen at: temporary if an address is absent or in use."""
    kind = ConfigError if fault.errno in _NEVER else Temporary
    number = fault.errno or 0
    why = os.strerror(number) if number > 0 else fault.strerror or str(fault)
    taken = " Stop what listens there, which `ss -ltnxp` names, or write another place."
    unknown = " Write a name that this machine knows, or an address of its own."
    remedy = unknown if number < 0 else taken if number == errno.EADDRINUSE else ""
    return kind(f"{sentence}: {why}.{remedy}")


def open_socket(
    session: Session,
    path: Path,
    *,
    mode: int,
    group: str | None = None,
    passed: PassedSockets = NONE_PASSED,
) -> Acceptor:
    """Listen on a Unix socket, and serve each connection as a stream.

    A passed socket keeps the mode and group of its unit.
    """
    listener = passed.at(path) or listening_socket(path, mode=mode, group=group)
    return Acceptor([listener], stream_handler(session))


def listening_socket(path: Path, *, mode: int, group: str | None = None) -> socket.socket:
    """A listening Unix socket, in place of one that a killed daemon left behind.

    It is bound under a temporary name, gets its mode and group, and is renamed, so that nobody can
    open it too early. Raises `ConfigError`, and `listen_error` if it is in use: the lock on the
    state folder does not protect a socket elsewhere.
    """
    require_free(path)
    if _has_listener(path):
        fault = OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        raise listen_error(f"The socket {path} cannot be made", fault)
    fresh = path.with_name(path.name + ".new")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            fresh.unlink()
        before = os.umask(0o777 & ~mode)
        try:
            listener.bind(str(fresh))
        finally:
            os.umask(before)
        if group is not None:
            _give_to_group(fresh, group)
        listener.listen(_BACKLOG)
        fresh.rename(path)
    except OSError as fault:
        listener.close()
        raise listen_error(f"The socket {path} cannot be made", fault) from fault
    except ConfigError:
        listener.close()
        raise
    return listener


def _has_listener(path: Path) -> bool:
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as caller:
        caller.settimeout(0)
        try:
            caller.connect(str(path))
        except BlockingIOError:  # its queue is full, so somebody listens
            return True
        except OSError:
            return False
    return True


def require_free(path: Path) -> None:
    """Raise `ConfigError` if something other than a socket exists at the path of a socket."""
    with contextlib.suppress(OSError):  # lack of permission is reported when the socket is made
        if path.exists() and not path.is_socket():
            raise ConfigError(
                f"{path} exists, and is not a socket: name another path for the socket."
            )


def group_number(name: str) -> int:
    """The number of a group of this machine; raises `ConfigError`."""
    try:
        return grp.getgrnam(name).gr_gid
    except KeyError as fault:
        raise ConfigError(
            f"There is no group {name} on this machine: make it, as config/sysusers.d does."
        ) from fault


def _give_to_group(path: Path, group: str) -> None:
    number = group_number(group)
    if path.stat().st_gid == number:
        return
    try:
        os.chown(path, -1, number)
    except OSError as fault:
        raise ConfigError(
            f"The socket cannot be given to the group {group}: the daemon's user must be in it."
        ) from fault


async def open_tcp(
    host: str, port: int, passed: PassedSockets = NONE_PASSED, *, lacking: str
) -> list[socket.socket]:
    """Listening TCP sockets, at every address of a host, or the one that was passed.

    `lacking` begins the error message if we cannot listen, such as "Letters cannot be taken"; the
    place follows.
    """
    if given := passed.at((host, port)):
        return [given]
    try:
        return await _listen_tcp(host, port)
    except OSError as fault:
        raise listen_error(f"{lacking} at {format_host_port(host, port)}", fault) from fault


async def _listen_tcp(host: str, port: int) -> list[socket.socket]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    listeners, faults = list[socket.socket](), list[OSError]()
    for family, *_, address in found:
        try:
            listeners.append(_listen_at(family, (str(address[0]), int(address[1])), host))
        except OSError as fault:
            faults.append(fault)
    serious = [fault for fault in faults if fault.errno not in _NO_SUCH_ADDRESS]
    if serious or not listeners:
        for listener in listeners:
            listener.close()
        raise (serious or faults)[0]
    return listeners


def _listen_at(family: int, address: tuple[str, int], host: str) -> socket.socket:
    both = host == "::" and socket.has_dualstack_ipv6()  # `[::]` means everybody
    return socket.create_server(address, family=family, backlog=_BACKLOG, dualstack_ipv6=both)


def name_of(listener: socket.socket) -> str:
    """HOST:PORT of a listening socket, as people write it."""
    return format_host_port(*listener.getsockname()[:2])


@dataclass(frozen=True, slots=True)
class PeerCredentials:
    """The process at the other end of a Unix socket, as the kernel says (unix(7), SO_PEERCRED)."""

    pid: int
    uid: int
    gids: frozenset[int]

    def may_connect(self, group: int) -> bool:
        """True if the process is root's or our own user's, or in the group."""
        return self.uid in {0, os.geteuid()} or group in self.gids


def peer_of(connection: socket.socket) -> PeerCredentials:
    """The process at the other end of a connected Unix socket."""
    packed = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    pid, uid, gid = struct.unpack("3i", packed)
    return PeerCredentials(pid, uid, frozenset({gid, *_groups(connection)}))


def _groups(connection: socket.socket) -> tuple[int, ...]:
    try:
        packed = connection.getsockopt(socket.SOL_SOCKET, _SO_PEERGROUPS, 4 * _MOST_GROUPS)
    except OSError:
        return ()
    return struct.unpack(f"{len(packed) // 4}I", packed)
