"""Listening sockets, and the process at the other end of a Unix socket.

Raises `ConfigError` for an address where we can never listen, `Temporary` for one that is in use or
missing now. A Unix socket never appears without its final mode and group.
"""

import asyncio
import contextlib
import errno
import grp
import os
import socket
import struct
from collections.abc import Container
from pathlib import Path

from godaemon.errors import ConfigError, GodaemonError, Temporary
from godaemon.system.passed_sockets import NONE_PASSED, PassedSockets, Place, format_host_port

_BACKLOG = 128
_SO_PEERGROUPS = 59  # linux/socket.h; Python has no name for it
_MAX_GROUPS = 256  # Python returns no more
NO_SUCH_ADDRESS = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}
"""Errors to ignore if another address of a host works: `localhost` has ::1 even without IPv6."""
_NEVER = {
    errno.EACCES,
    errno.EPERM,
    errno.EEXIST,
    errno.ENOTDIR,
    errno.ENAMETOOLONG,
    socket.EAI_NONAME,
}


def listen_error(sentence: str, fault: OSError) -> GodaemonError:
    """The error for an address to listen at: `Temporary` if it is missing or in use."""
    kind = ConfigError if fault.errno in _NEVER else Temporary
    number = fault.errno or 0
    reason = os.strerror(number) if number > 0 else fault.strerror or str(fault)
    remedy = ""
    if number < 0:
        remedy = " Write a name that this machine can resolve, or one of its addresses."
    elif number in NO_SUCH_ADDRESS:
        remedy = " This machine has no such address (see `ip address`): write one that it has."
    elif number == errno.EADDRINUSE:
        remedy = " Stop the program that listens there (see `ss -ltnxp`), or write another one."
    return kind(f"{sentence}: {reason}.{remedy}")


def listening_socket(path: Path, *, mode: int, group: str | None = None) -> socket.socket:
    """A listening Unix socket, in place of one that a killed daemon has left.

    It is bound under a temporary name, gets its mode and group, and is renamed, so that nobody can
    open it too early. Raises `ConfigError`, or `listen_error` if another daemon listens there: the
    lock on the state folder does not protect a socket elsewhere.
    """
    require_free(path)
    if _has_listener(path):
        fault = OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        raise listen_error(f"The socket {path} cannot be made", fault)
    temporary = path.with_name(path.name + ".new")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)
        umask = os.umask(0o777 & ~mode)
        try:
            listener.bind(str(temporary))
        finally:
            os.umask(umask)
        if group is not None:
            _give_to_group(temporary, group)
        listener.listen(_BACKLOG)
        temporary.rename(path)
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
        except BlockingIOError:  # the queue of a listener is full
            return True
        except OSError:
            return False
    return True


def require_free(path: Path) -> None:
    """Raise `ConfigError` if something other than a socket exists at the path of a socket."""
    with contextlib.suppress(OSError):  # lack of permission is reported when the socket is made
        if path.exists() and not path.is_socket():
            raise ConfigError(f"{path} exists, and is not a socket: write another path.")


def group_number(name: str) -> int:
    """The number of a group of this machine; raises `ConfigError`."""
    try:
        return grp.getgrnam(name).gr_gid
    except KeyError as fault:
        raise ConfigError(
            f"There is no group {name} on this machine: create it, as config/sysusers.d does."
        ) from fault


def _give_to_group(path: Path, group: str) -> None:
    number = group_number(group)
    if path.stat().st_gid == number:
        return  # the service's filter of system calls forbids chown
    try:
        os.chown(path, -1, number)
    except OSError as fault:
        raise ConfigError(
            f"The socket cannot be given to the group {group}: the daemon's user must be in it."
        ) from fault


async def listen(
    place: Place,
    passed: PassedSockets = NONE_PASSED,
    *,
    failure: str = "",
    mode: int = 0o660,
    group: str | None = None,
) -> list[socket.socket]:
    """Listening sockets: a Unix socket, or TCP at every address of a host; or the passed socket.

    A Unix socket is open to our user and its group; a passed one keeps its mode and group.
    `failure` begins the error message for TCP, such as "Emails cannot be accepted"; the address
    follows. Raises `ConfigError` or `Temporary`.
    """
    if passed_socket := passed.at(place):
        return [passed_socket]
    if isinstance(place, Path):
        return [listening_socket(place, mode=mode, group=group)]
    try:
        return await _listen_tcp(*place)
    except OSError as fault:
        raise listen_error(f"{failure} at {format_host_port(*place)}", fault) from fault


async def _listen_tcp(host: str, port: int) -> list[socket.socket]:
    loop = asyncio.get_running_loop()
    addresses = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    listeners, faults = list[socket.socket](), list[OSError]()
    dual = host == "::" and socket.has_dualstack_ipv6()  # `[::]` includes IPv4
    for family, *_, at in addresses:
        try:
            listeners.append(
                socket.create_server(at, family=family, backlog=_BACKLOG, dualstack_ipv6=dual)
            )
        except OSError as fault:
            faults.append(fault)
    serious = [fault for fault in faults if fault.errno not in NO_SUCH_ADDRESS]
    if serious or not listeners:
        for listener in listeners:
            listener.close()
        raise (serious or faults)[0]
    return listeners


def name_of(listener: socket.socket) -> str:
    """HOST:PORT of a listening socket."""
    return format_host_port(*listener.getsockname()[:2])


def peer_of(connection: socket.socket) -> tuple[int, set[int]]:
    """The user and the groups at the other end of a Unix socket (unix(7), SO_PEERCRED)."""
    packed = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, group = struct.unpack("3i", packed)
    groups = {group}
    with contextlib.suppress(OSError):
        packed = connection.getsockopt(socket.SOL_SOCKET, _SO_PEERGROUPS, 4 * _MAX_GROUPS)
        groups.update(struct.unpack(f"{len(packed) // 4}I", packed))
    return user, groups


def may_connect(user: int, groups: Container[int], group: int) -> bool:
    """True for root, for our own user, and for members of the group."""
    return user in {0, os.geteuid()} or group in groups
