"""Messages to the service manager on a real datagram socket."""

import os
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from godaemon.system.systemd import notify, watchdog_interval
from tests.support.waiting import PATIENCE


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, socket.socket]]:
    """A listening service manager: the value of $NOTIFY_SOCKET and its socket."""
    if request.param == "path":
        address = bound = str(tmp_path / "notify")
    else:
        name = f"godaemon-test-{uuid.uuid4()}"
        address, bound = "@" + name, "\0" + name
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.settimeout(PATIENCE)
        receiver.bind(bound)
        yield address, receiver


def test_messages_to_systemd(manager: tuple[str, socket.socket]) -> None:
    """Each is one datagram of the fields of sd_notify(3); no value can begin another field."""
    address, receiver = manager
    notify(address, READY=1, STATUS="2 games")
    notify(address, STATUS="3 games,\nWATCHDOG=trigger")
    assert [receiver.recv(4096).decode() for _ in range(2)] == [
        "READY=1\nSTATUS=2 games",
        "STATUS=3 games, WATCHDOG=trigger",
    ]


@pytest.mark.parametrize("address", ["", "/nowhere/at/all"])
def test_without_a_service_manager_nothing_fails(address: str) -> None:
    """Nor with one that is dead."""
    notify(address, READY=1)


@pytest.mark.parametrize(
    ("environ", "interval"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
    ],
)
def test_watchdog_interval(environ: dict[str, str], interval: float | None) -> None:
    """Half of systemd's timeout, if it is for this process."""
    assert watchdog_interval(environ, os.getpid()) == interval
