"""The process in which a real daemon has letters written when there are many of them."""

from __future__ import annotations

import os
import signal
import smtplib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import LiveDaemon
from tests.support.waiting import until

CROWD = 60
EXTRA = "[mail.limits]\nletters_per_stranger = 999\n" + "".join(
    f"strangers_{each} = 999\n" for each in ("per_domain", "per_network", "in_all")
)


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[LiveDaemon]:
    """A daemon that files its letters in Maildirs."""
    live = LiveDaemon(tmp_path, EXTRA)
    live.start()
    yield live
    live.kill()


def ask(live: LiveDaemon, who: str) -> None:
    """A crowd asks for help, each from an address of their own."""
    with smtplib.SMTP("127.0.0.1", live.port) as line:
        for number in range(CROWD):
            sender = f"{who}{number}@players.example"
            letter = f"From: {sender}\nTo: go@localhost\nMessage-ID: <{sender}>\n\nhelp\n"
            line.sendmail(sender, ["go@localhost"], letter)


def answers(live: LiveDaemon) -> int:
    """How many letters went out."""
    return len(list(live.mail.glob("*/new/*")))


def children(live: LiveDaemon) -> list[int]:
    """The daemon's processes."""
    listed = (path.read_text() for path in Path(f"/proc/{live.pid}/task").glob("*/children"))
    return [int(number) for number in "".join(listed).split()]


def composing(live: LiveDaemon) -> int:
    """The process that writes, once it does."""
    until(lambda: len(children(live)) == 1, "the burst has started a process")
    return children(live)[0]


def test_a_killed_process_costs_no_letter(daemon: LiveDaemon) -> None:
    """Every letter goes out once, whoever writes it; the next burst starts another process."""
    if len(os.sched_getaffinity(0)) > 1:
        ask(daemon, "alice")
        first = composing(daemon)
        os.kill(first, signal.SIGKILL)
        ask(daemon, "bob")
        until(lambda: answers(daemon) == 2 * CROWD, "all are answered")
        assert "Traceback" not in daemon.log()
        ask(daemon, "carol")
        assert composing(daemon) != first
    else:  # there is room for none
        ask(daemon, "alice")
        until(lambda: answers(daemon) == CROWD, "all are answered")
        assert children(daemon) == []


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_none_outlives_the_daemon(daemon: LiveDaemon, how: str) -> None:
    """However it ends."""
    ask(daemon, "alice")
    if len(os.sched_getaffinity(0)) == 1:
        return
    process = composing(daemon)
    until(lambda: answers(daemon) == CROWD, "all are answered")
    getattr(daemon, how)()
    until(lambda: not Path(f"/proc/{process}").exists(), "the process has ended too")
