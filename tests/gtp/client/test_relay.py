"""How long a controller waits for a daemon that is away."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gtp.client.connect import Unix
from gtp.client.relay import ENDING_SECONDS, QUITTING_SECONDS, Relay
from gtp.client.resend import Conversation


@pytest.mark.parametrize(
    ("said", "seconds"), [(b"quit\n", QUITTING_SECONDS), (b"play b D4\nquit\n", ENDING_SECONDS)]
)
def test_quit_and_the_end_of_input(tmp_path: Path, said: bytes, seconds: float) -> None:
    """After `quit` alone there is nothing to wait for; a move before it is worth some tries."""
    relay = Relay(Conversation(), Unix(str(tmp_path)), pytest.fail)
    for data in (said, b""):
        relay._take(data)
    left = relay._deadline - time.monotonic()
    assert seconds - 1 < left <= seconds
