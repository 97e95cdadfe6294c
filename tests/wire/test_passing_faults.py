"""A daemon whose machine has too little of something for a while: every letter goes out, once."""

from __future__ import annotations

import smtplib
import sys
from collections.abc import Iterator

import pytest

from godaemon.control.control_client import ask
from tests.support import places
from tests.support.daemon import LiveDaemon
from tests.support.waiting import until

CROWD = 12
FAULTY = """
import errno, os, subprocess, sys, threading
sys.path.insert(0, sys.argv.pop(1))
flag = sys.argv.pop(1)

import uvloop

from godaemon.cli import main
from godaemon.errors import Temporary
from godaemon.storage.outbox_store import SqlOutbox
from mailgate.letters.compose import Composer

def failing(owner, name, fault):
    real = getattr(owner, name)
    def act(*arguments, **keys):
        if os.path.exists(flag) and name in open(flag).read().split():
            raise fault
        return real(*arguments, **keys)
    setattr(owner, name, act)

failing(threading.Thread, "start", RuntimeError("can't start new thread"))
failing(subprocess, "Popen", BlockingIOError(errno.EAGAIN, "fork"))
failing(uvloop.Loop, "subprocess_exec", BlockingIOError(errno.EAGAIN, "fork"))
failing(Composer, "compose", MemoryError())
failing(SqlOutbox, "sent", Temporary("The disk is full."))
main()
"""
PROGRAM = """#!/bin/sh
for who; do :; done
cat > /dev/null && echo "$who" >> "$(dirname "$0")/sent"
"""


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """A daemon that sends by a program, and lacks what stands in the file `flag`."""
    folder = tmp_path_factory.mktemp("faults")
    program = folder / "sendmail"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    live = LiveDaemon(folder, "[mail.limits]\nletters_per_stranger = 999\n")
    way = f'command = ["{program}"]\nretry_first = 0.1\nretry_limit = 0.4'
    config = live.config.read_text().replace(f'maildir = "{live.mail}"', way)
    live.config.write_text(config)
    live.program = (sys.executable, "-c", FAULTY, str(places.ROOT), str(folder / "flag"))
    live.start()
    yield live
    live.kill()


@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        ("start Popen subprocess_exec compose", "cannot be written: MemoryError()"),
        ("start Popen subprocess_exec", "sendmail: fork"),
        ("sent", "outbox.not-noted"),
    ],
    ids=["memory", "processes", "disk"],
)
def test_what_passes_costs_no_letter(daemon: LiveDaemon, lacking: str, told: str) -> None:
    """No letter is undeliverable for it, waits for a restart, or goes out twice."""
    flag, sent = daemon.folder / "flag", daemon.folder / "sent"
    flag.write_text(lacking)
    crowd = {f"{lacking.replace(' ', '-').lower()}{n}@players.example" for n in range(CROWD)}
    with smtplib.SMTP("127.0.0.1", daemon.port, timeout=20) as line:
        for who in crowd:
            letter = f"From: {who}\nTo: go@localhost\nMessage-ID: <{who}>\n\nhelp\n"
            assert line.sendmail(who, ["go@localhost"], letter) == {}
    until(lambda: daemon.log().count(told) >= CROWD, "each letter has met the fault")
    flag.unlink()

    def letters() -> dict[str, int]:
        found: dict[str, int] = ask(daemon.folder / "control.sock", "status")["letters"]
        return found

    until(lambda: letters()["waiting"] == 0, "all are sent", 100)
    assert letters()["undeliverable"] == 0
    assert sorted(crowd & set(sent.read_text().split())) == sorted(crowd)
    assert len(sent.read_text().split()) == len(set(sent.read_text().split()))
