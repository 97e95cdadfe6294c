"""A daemon that has no file left to open: it goes on with what it has, and is well afterwards."""

from __future__ import annotations

import resource
import smtplib
import socket
from contextlib import ExitStack
from pathlib import Path

from tests.support.daemon import LiveDaemon
from tests.support.waiting import until


def opened(daemon: LiveDaemon) -> int:
    """How many files it has open."""
    return len(list(Path(f"/proc/{daemon.pid}/fd").iterdir()))


def test_a_flood_that_takes_all_files(tmp_path: Path) -> None:
    """A session that is open is served to its end; once the flood goes, all else is again.

    No letter that was owed meanwhile is lost.
    """
    with LiveDaemon(tmp_path, outgoing="retry_first = 0.5\nretry_limit = 1\n") as daemon:
        alice = daemon.person("Alice")
        with ExitStack() as flood, smtplib.SMTP("127.0.0.1", daemon.port, timeout=30) as open_line:
            open_line.ehlo("x.example")
            _, most = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
            few = opened(daemon) + 5
            resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (few, most))
            for _ in range(20):
                flood.enter_context(socket.create_connection(("127.0.0.1", daemon.port), 5))
            until(lambda: opened(daemon) == few, "all its files are in use")
            letter = alice._letter("help", "go@localhost")
            open_line.send_message(letter, alice.address, ["go@localhost"])
        until(lambda: opened(daemon) < few, "the flood is gone")
        alice.expect("help")
        alice.write("games")
        alice.expect("games")
        assert daemon.ask("status")["letters"]["undeliverable"] == 0
    assert daemon.log().count("\n") < 500
