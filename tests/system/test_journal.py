"""Entries of the journal by its own protocol: a field for each key, and nothing lost without it."""

from __future__ import annotations

import io
import logging
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from godaemon.system import log_setup


def as_a_service() -> None:
    """Log as what systemd starts."""
    found = os.fstat(2)
    log_setup.configure("info", "auto", {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"})


@pytest.fixture
def journald(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A socket in the place of journald's, and standard error that is its stream."""
    root = logging.getLogger()
    handlers = root.handlers[:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "socket"))
        listener.setblocking(False)
        monkeypatch.setattr(log_setup, "SOCKET", str(tmp_path / "socket"))
        as_a_service()
        yield listener
        structlog.reset_defaults()
        root.handlers[:] = handlers


def test_each_key_is_a_field(journald: socket.socket) -> None:
    """So that `journalctl GAME=34` finds all about a game; the line is as it ever was."""
    structlog.get_logger().warning(
        "letter.accepted", game=34, seat=None, message_id="<a@b>", peer="alice@x", detail="a b"
    )
    fields = dict(line.split("=", 1) for line in journald.recv(9999).decode().splitlines())
    assert fields.pop("MESSAGE").startswith("event=letter.accepted ")
    assert fields == {
        "PRIORITY": "4",
        "SYSLOG_IDENTIFIER": "godaemon",
        "EVENT": "letter.accepted",
        "GAME": "34",
        "MESSAGE_ID": "<a@b>",
        "PEER": "alice@x",
        "DETAIL": "a b",
    }


def test_a_value_of_several_lines_is_one_field(journald: socket.socket) -> None:
    """With its length before it: nobody's words begin a field of their own."""
    structlog.get_logger().info("letter.accepted", detail="a\nGAME=1")
    assert b"DETAIL\n" + (8).to_bytes(8, "little") + b"a\nGAME=1\n" in journald.recv(9999)


def test_what_cannot_be_sent_is_written(
    journald: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its priority, to the stream that the journal reads."""
    (tmp_path / "socket").unlink()
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    as_a_service()
    structlog.get_logger().error("letter.quarantined", game=3)
    assert said.getvalue() == "<3>event=letter.quarantined game=3\n"
