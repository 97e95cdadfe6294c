"""How long the client waits for an absent daemon."""

import socket
import time
from pathlib import Path

import pytest

from gtp.client import relay as relay_module
from gtp.client.connect import Unix
from gtp.client.relay import ENDING_SECONDS, QUITTING_SECONDS, Relay
from tests.support.waiting import until


@pytest.mark.parametrize(
    ("lines", "seconds"), [(b"quit\n", QUITTING_SECONDS), (b"play b D4\nquit\n", ENDING_SECONDS)]
)
def test_the_client_waits_longer_if_a_move_came_before_quit(
    tmp_path: Path, lines: bytes, seconds: float
) -> None:
    """After `quit` alone there is nothing to deliver."""
    relay = Relay(Unix(str(tmp_path)), pytest.fail)
    before = time.monotonic()
    for data in (lines, b""):
        relay._pass_on(data)
    assert before + seconds <= relay._deadline <= time.monotonic() + seconds


def test_a_command_reconnects_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: after an outage a Go program waited up to 15 seconds more, whatever it asked."""
    assert relay_module._LONGEST_WAIT <= 5
    monkeypatch.setattr(relay_module, "_FIRST_WAIT", 600.0)
    monkeypatch.setattr(relay_module, "_LONGEST_WAIT", 600.0)
    tries: list[float] = []

    def _reach() -> socket.socket:
        tries.append(time.monotonic())
        raise ConnectionRefusedError

    relay = Relay(Unix(str(tmp_path)), _reach)
    relay._admitted = True
    relay._start_thread(relay._keep_connected)
    until(lambda: len(tries) == 1, "it is tried")
    for count in (2, 3):
        relay._pass_on(b"name\n")
        until(lambda count=count: len(tries) == count, "it is tried for a command")  # type: ignore[misc]
