"""A real daemon and two players who use it by mail."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import LiveDaemon
from tests.support.players import MailPlayer


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[LiveDaemon]:
    """A running daemon for one test; its log must have no errors."""
    with LiveDaemon(tmp_path) as live:
        yield live
    assert '"level": "error"' not in live.log()


@pytest.fixture
def alice(daemon: LiveDaemon) -> MailPlayer:
    return daemon.person("Alice")


@pytest.fixture
def bob(daemon: LiveDaemon) -> MailPlayer:
    return daemon.person("Bob")
