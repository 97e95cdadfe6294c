"""Listening sockets: mode, group, and the peer's identity."""

import errno
import grp
import os
import socket
from pathlib import Path

import pytest

from godaemon.errors import ConfigError, GodaemonError, Temporary
from godaemon.system.sockets import (
    listen,
    listen_error,
    listening_socket,
    may_connect,
    name_of,
    peer_of,
    require_free,
)


async def test_a_socket_has_the_configured_group(tmp_path: Path) -> None:
    """By default the daemon's own; an unknown or foreign group is an error."""
    with pytest.raises(ConfigError, match="no group no-such-group"):
        await listen(tmp_path / "s", group="no-such-group")
    assert not (tmp_path / "s").exists()
    own = grp.getgrgid(os.getegid()).gr_name
    for group in (None, own):
        (made,) = await listen(tmp_path / "s", group=group)
        found = (tmp_path / "s").stat()
        assert (found.st_mode & 0o777, found.st_gid) == (0o660, os.getegid())
        made.close()


async def test_bug_a_second_daemon_took_the_socket_of_the_first(tmp_path: Path) -> None:
    """A socket in use is left alone; a killed daemon's is replaced."""
    (first,) = await listen(tmp_path / "s")
    with pytest.raises(Temporary, match="Stop the program that listens there"):
        listening_socket(tmp_path / "s", mode=0o600)
    first.close()
    gone = socket.socket(socket.AF_UNIX)
    gone.bind(str(tmp_path / "left"))
    gone.close()
    listening_socket(tmp_path / "left", mode=0o600).close()


def test_an_unreadable_file_blocks_a_socket(tmp_path: Path) -> None:
    """The error names it."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    user = os.geteuid()
    os.seteuid(user or 65534)
    try:
        require_free(closed / "s")
        with pytest.raises(GodaemonError, match=f"The socket {closed}/s cannot be made"):
            listening_socket(closed / "s", mode=0o600)
    finally:
        os.seteuid(user)


WHY = "Nobody is let in"
"""How the sentence begins for an operator."""


async def test_an_unavailable_address_is_temporary() -> None:
    """A foreign host or a taken port may become available later."""
    with pytest.raises(Temporary, match=r"let in at 192\.0\.2\.1:7000: Cannot assign"):
        await listen(("192.0.2.1", 7000), failure=WHY)
    (taken,) = await listen(("127.0.0.1", 0), failure=WHY)
    with taken, pytest.raises(Temporary, match="Address already in use"):
        await listen(("127.0.0.1", taken.getsockname()[1]), failure=WHY)


@pytest.mark.parametrize("lacking", [errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT])
async def test_addresses_that_the_machine_lacks_are_skipped(
    monkeypatch: pytest.MonkeyPatch, lacking: int
) -> None:
    """`localhost` is ::1 too, even on a machine without IPv6."""
    found = [
        (family, socket.SOCK_STREAM, 6, "", (host, 0))
        for family, host in ((socket.AF_INET6, "::1"), (socket.AF_INET, "127.0.0.1"))
    ]
    create = socket.create_server

    def without(
        address: tuple[str, int], *, family: int, backlog: int, dualstack_ipv6: bool
    ) -> socket.socket:
        if ":" in address[0]:
            raise OSError(lacking, os.strerror(lacking))
        return create(address, family=family, backlog=backlog, dualstack_ipv6=dualstack_ipv6)

    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(socket, "create_server", without)
    (one,) = await listen(("localhost", 0), failure=WHY)
    with one:
        assert one.getsockname()[0] == "127.0.0.1"


async def test_all_addresses_of_a_name_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the port is taken at one address, nothing listens at the other."""
    # Addresses of this process: elsewhere another could take the port once it is free.
    process = f"{os.getpid() >> 8 & 127}.{os.getpid() & 255}"
    hosts = (f"127.71.{process}", f"127.72.{process}")
    (taken,) = await listen((hosts[1], 0), failure=WHY)
    port = taken.getsockname()[1]
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port)) for host in hosts]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with taken, pytest.raises(Temporary, match="Address already in use"):
        await listen(("go.example", port), failure=WHY)
    both = await listen(("go.example", port), failure=WHY)
    assert [name_of(one) for one in both] == [f"{host}:{port}" for host in hosts]
    for one in both:
        one.close()


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (OSError(errno.EADDRINUSE, "Address already in use"), Temporary),
        (OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address"), Temporary),
        (OSError("could not bind on any address out of []"), Temporary),
        (OSError(errno.ENOSPC, "No space left on device"), Temporary),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"), Temporary),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), ConfigError),
        (OSError(errno.EACCES, "Permission denied"), ConfigError),
        (OSError(errno.ENOTDIR, "Not a directory"), ConfigError),
    ],
)
def test_only_permanent_errors_are_configuration_errors(
    fault: OSError, kind: type[GodaemonError]
) -> None:
    """The unit starts a daemon again after all else."""
    assert type(listen_error("Nobody can listen there", fault)) is kind


def test_who_may_connect() -> None:
    """Root, the daemon's own user, and members of the group, primary or not."""
    one, other = socket.socketpair()
    with one, other:
        assert peer_of(one) == (os.geteuid(), {os.getegid(), *os.getgroups()})
    assert may_connect(0, (), 7)
    assert may_connect(os.geteuid(), (), 7)
    assert may_connect(4242, (5, 7), 7)
    assert not may_connect(4242, (5,), 7)
