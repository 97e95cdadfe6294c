"""Listening sockets, and who is at the other end of one.

Raises `ConfigError` for a place where nobody can ever listen, `Temporary` for one that is taken or
absent at this moment. A Unix socket has the right mode and group from its first moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import grp
import os
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from godaemon.errors import ConfigError, GodaemonError, Temporary
from godaemon.system.passed_sockets import NONE_PASSED, PassedSockets

Session = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

_LINE_LIMIT = 16 * 1024 * 1024
_BACKLOG = 128
_SO_PEERGROUPS = 59  # linux/socket.h; Python has no name for it
_MOST_GROUPS = 256  # Python asks for no more
_NEVER = {
    errno.EACCES,
    errno.EPERM,
    errno.EEXIST,
    errno.ENOTDIR,
    errno.ENAMETOOLONG,
    socket.EAI_NONAME,
}


def cannot_listen(sentence: str, fault: OSError) -> GodaemonError:
    """The error for a place to listen at: an address may come, or become free; a right may not."""
    kind = ConfigError if fault.errno in _NEVER else Temporary
    return kind(f"{sentence}: {fault.strerror or fault}.")


async def open_socket(
    session: Session,
    path: Path,
    *,
    mode: int,
    group: str | None = None,
    passed: PassedSockets = NONE_PASSED,
) -> asyncio.Server:
    """Listen on a Unix socket, and serve each connection as a stream.

    One that was passed has the mode and the group that its unit gave it.
    """
    listener = passed.at(path) or listening_socket(path, mode=mode, group=group)
    return await asyncio.start_server(session, sock=listener, limit=_LINE_LIMIT)


def listening_socket(path: Path, *, mode: int, group: str | None = None) -> socket.socket:
    """A Unix socket that listens; one that a killed daemon left behind is replaced.

    The daemon's lock says that nobody else uses it. It is bound under a name of its own with its
    mode and group set, and renamed, so that nobody can open it too early.
    """
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
            _hand_to(fresh, group)
        listener.listen(_BACKLOG)
        listener.setblocking(False)  # noqa: FBT003 - its only argument
        fresh.rename(path)
    except OSError as fault:
        listener.close()
        raise cannot_listen(f"The socket {path} cannot be made", fault) from fault
    except ConfigError:
        listener.close()
        raise
    return listener


def _hand_to(path: Path, group: str) -> None:
    """Give a socket to a group, unless it has it already."""
    try:
        number = grp.getgrnam(group).gr_gid
    except KeyError as fault:
        raise ConfigError(
            f"There is no group {group} on this machine: make it, as config/sysusers.d does."
        ) from fault
    if path.stat().st_gid == number:
        return
    try:
        os.chown(path, -1, number)
    except OSError as fault:
        raise ConfigError(
            f"The socket cannot be given to the group {group}: the daemon's user must be in it."
        ) from fault


async def open_tcp(host: str, port: int, passed: PassedSockets = NONE_PASSED) -> socket.socket:
    """A listening TCP socket, which gives what it accepts no time to block."""
    if given := passed.at((host, port)):
        return given
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = found[0]
        both = host == "::" and socket.has_dualstack_ipv6()  # `[::]` means everybody
        listener = socket.create_server(
            address[:2], family=family, backlog=_BACKLOG, dualstack_ipv6=both
        )
    except OSError as fault:
        raise cannot_listen(f"Go programs cannot be let in at {host}:{port}", fault) from fault
    listener.setblocking(False)  # noqa: FBT003 - its only argument
    return listener


@dataclass(frozen=True, slots=True)
class PeerCredentials:
    """The process at the other end of a Unix socket, as the kernel says (unix(7), SO_PEERCRED)."""

    pid: int
    uid: int
    gids: frozenset[int]

    def may(self, group: int) -> bool:
        """True where it is root's, our own user's, or in a group."""
        return self.uid in {0, os.geteuid()} or group in self.gids


def peer_of(connection: socket.socket) -> PeerCredentials:
    """The process at the other end of a connected Unix socket."""
    packed = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    pid, uid, gid = struct.unpack("3i", packed)
    return PeerCredentials(pid, uid, frozenset({gid, *_groups(connection)}))


def _groups(connection: socket.socket) -> tuple[int, ...]:
    """Its other groups; none where the kernel does not tell."""
    try:
        packed = connection.getsockopt(socket.SOL_SOCKET, _SO_PEERGROUPS, 4 * _MOST_GROUPS)
    except OSError:
        return ()
    return struct.unpack(f"{len(packed) // 4}I", packed)
