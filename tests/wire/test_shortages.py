"""A daemon during a shortage of files, memory, processes or log space."""

import smtplib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from godaemon.control.control_client import ask
from tests.support import places
from tests.support.daemon import LiveDaemon
from tests.support.descriptors import full_pipe
from tests.support.waiting import PATIENCE, until

ALICE = "alice@players.example"
LETTER = f"From: {ALICE}\nTo: go@localhost\nMessage-ID: <1@players.example>\n\nhelp\n"


def test_a_daemon_works_while_nobody_reads_its_log(tmp_path: Path) -> None:
    """It handles letters, GTP and reloads; its status has the trouble."""
    with ExitStack() as stack:
        daemon = LiveDaemon(tmp_path)
        _, daemon.output = full_pipe(stack)
        daemon.start()
        stack.callback(daemon.kill)
        with smtplib.SMTP("127.0.0.1", daemon.port, timeout=PATIENCE) as line:
            assert line.sendmail(ALICE, ["go@localhost"], LETTER) == {}

        def status() -> dict[str, Any]:
            answer: dict[str, Any] = ask(tmp_path / "control.sock", "status")
            return answer

        until(lambda: status()["letters"]["sent"] == 1, "its answer is noted as sent")
        assert len(list(daemon.mail.glob("*/new/*"))) == 1
        engine = subprocess.run(
            daemon.gtp(), check=True, input=b"name\nquit\n", capture_output=True, timeout=20
        )
        assert engine.stdout == b"= godaemon\n\n= \n\n"
        assert ask(tmp_path / "control.sock", "reload")["sentence"].endswith("configuration again.")
        until(lambda: status()["log_lost"] > 2, "it knows that nobody reads its log")
        said = daemon.command("status", check=False)
        assert said.returncode == 1
        assert "warning: Lost lines of the log" in said.stdout
        assert daemon.stop() == 0


CROWD = 12
FAULTY = """
import errno, subprocess, sys, threading
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
        if name in open(flag).read().split():
            raise fault
        return real(*arguments, **keys)
    setattr(owner, name, act)

failing(threading.Thread, "start", RuntimeError("can't start new thread"))
failing(subprocess, "Popen", BlockingIOError(errno.EAGAIN, "fork"))
failing(uvloop.Loop, "subprocess_exec", BlockingIOError(errno.EAGAIN, "fork"))
failing(Composer, "compose", MemoryError())
failing(SqlOutbox, "mark_sent", Temporary("The disk is full."))
main()
"""
PROGRAM = """#!/bin/sh
for who; do :; done
cat > /dev/null && echo "$who" >> "$(dirname "$0")/sent"
"""


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """A daemon that sends by a program, with the shortage named in the file `flag`."""
    folder = tmp_path_factory.mktemp("faults")
    program = folder / "sendmail"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    live = LiveDaemon(folder, "[mail.limits]\nletters_per_stranger = 999\n")
    way = f'command = ["{program}"]\nretry_first = 0.1\nretry_limit = 0.4'
    config = live.config.read_text().replace(f'maildir = "{live.mail}"', way)
    live.config.write_text(config)
    (folder / "flag").touch()
    live.program = (sys.executable, "-c", FAULTY, str(places.ROOT), str(folder / "flag"))
    live.start()
    yield live
    live.kill()


@pytest.mark.parametrize(
    ("lacking", "trouble"),
    [
        ("start Popen subprocess_exec compose", "cannot be written: MemoryError()"),
        ("start Popen subprocess_exec", "sendmail: fork"),
        ("mark_sent", "outbox.outcome-not-saved"),
    ],
    ids=["memory", "processes", "disk"],
)
@pytest.mark.slow
def test_a_temporary_shortage_loses_no_letter(
    daemon: LiveDaemon, lacking: str, trouble: str
) -> None:
    """No letter becomes undeliverable, waits for a restart, or is sent twice."""
    flag, sent = daemon.folder / "flag", daemon.folder / "sent"
    flag.write_text(lacking)
    crowd = {f"{lacking.replace(' ', '-').lower()}{n}@players.example" for n in range(CROWD)}
    with smtplib.SMTP("127.0.0.1", daemon.port, timeout=PATIENCE) as line:
        for who in crowd:
            letter = f"From: {who}\nTo: go@localhost\nMessage-ID: <{who}>\n\nhelp\n"
            assert line.sendmail(who, ["go@localhost"], letter) == {}
    until(lambda: daemon.log().count(trouble) >= CROWD, "each letter has met the fault")
    flag.write_text("")

    def letters() -> dict[str, int]:
        found: dict[str, int] = ask(daemon.folder / "control.sock", "status")["letters"]
        return found

    until(lambda: letters()["waiting"] == 0, "all are sent")
    assert letters()["undeliverable"] == 0
    assert sorted(crowd & set(sent.read_text().split())) == sorted(crowd)
    assert len(sent.read_text().split()) == len(set(sent.read_text().split()))
