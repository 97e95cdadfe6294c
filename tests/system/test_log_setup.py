"""The log: one line per event, in the reader's format, without secrets."""

import io
import json
import logging
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import structlog

from godaemon.system import log_setup
from godaemon.system.lossy_stream import LossyStream
from tests.support.descriptors import full_disk

MAC = "mfrggzdfmztwq2lk"


class Terminal(io.StringIO):
    """Standard error with somebody before it, or nobody."""

    def __init__(self, *, seen: bool = False) -> None:
        super().__init__()
        self.seen = seen

    def isatty(self) -> bool:
        return self.seen


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Leave the logs of other tests as they were."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield
    structlog.reset_defaults()
    root.setLevel(level)
    root.handlers[:] = handlers


def opened(
    monkeypatch: pytest.MonkeyPatch,
    style: log_setup.Format = "json",
    level: str = "info",
    environ: dict[str, str] | None = None,
    *,
    seen: bool = False,
) -> Terminal:
    """Logs that go to the terminal that is returned."""
    terminal = Terminal(seen=seen)
    monkeypatch.setattr(sys, "stderr", terminal)
    log_setup.configure(level, style, environ or {})
    return terminal


def fail() -> None:
    """A fault in a function with a secret among its variables."""
    key = "the-signing-key"
    raise ValueError(len(key))


def test_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line is an object with the event, its level, the moment and the keys it was given."""
    terminal = opened(monkeypatch)
    structlog.get_logger().info("letter.accepted", game=7, seat="black", peer="a\nb")
    line = json.loads(terminal.getvalue())
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "letter.accepted",
        "level": "info",
        "game": 7,
        "seat": "black",
        "peer": "a\nb",
    }
    assert terminal.getvalue().count("\n") == 1


@pytest.mark.parametrize(
    ("method", "mark"),
    [("debug", "<7>"), ("info", "<6>"), ("warning", "<4>"), ("error", "<3>"), ("critical", "<2>")],
)
def test_journal(monkeypatch: pytest.MonkeyPatch, method: str, mark: str) -> None:
    """The priority that journald reads, one line an entry, without level and moment."""
    terminal = opened(monkeypatch, "journal", "debug")
    getattr(structlog.get_logger(), method)("letter.accepted", game=7, seat=None, detail="a b\nc")
    (line,) = terminal.getvalue().splitlines()
    assert line.startswith(f"{mark}event=letter.accepted ")
    assert "game=7" in line
    assert "seat" not in line


@pytest.mark.parametrize(
    ("environ", "colours"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_console(monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], colours: bool) -> None:
    """For eyes: in colours, unless somebody wants none or their terminal has none."""
    terminal = opened(monkeypatch, "console", environ=environ, seen=True)
    structlog.get_logger().info("letter.accepted", game=7)
    assert "letter.accepted" in terminal.getvalue()
    assert ("\x1b[" in terminal.getvalue()) is colours


@pytest.mark.parametrize("style", ["json", "journal", "console"])
def test_a_traceback(monkeypatch: pytest.MonkeyPatch, style: log_setup.Format) -> None:
    """It says where, not what: our key and people's letters are in those variables.

    In the journal every line of it is an error.
    """
    terminal = opened(monkeypatch, style)
    try:
        fail()
    except ValueError:
        structlog.get_logger().exception("control.failed")
    shown = terminal.getvalue().replace('key = "the-signing-key"', "")
    assert "ValueError" in shown
    assert "the-signing-key" not in shown
    assert style != "journal" or all(line.startswith("<3>") for line in shown.splitlines())


def test_log_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing below the level, which can be changed while loggers are in use.

    Of aiosmtpd, which logs every verb by the standard library, only the errors are kept.
    """
    log = structlog.get_logger()
    terminal = opened(monkeypatch, level="warning")
    log.info("daemon.ready")
    log.warning("letter.put-off")
    logging.getLogger("mail.log").info("RCPT TO")
    assert terminal.getvalue().count("\n") == 1
    terminal = opened(monkeypatch, level="debug")
    log.debug("daemon.ready")
    logging.getLogger("mail.log").error("trouble")
    assert "daemon.ready" in terminal.getvalue()
    assert "trouble" in terminal.getvalue()


@pytest.mark.parametrize("style", ["json", "journal", "console"])
def test_no_token(monkeypatch: pytest.MonkeyPatch, style: log_setup.Format) -> None:
    """Whoever reads the log cannot play for anybody."""
    terminal = opened(monkeypatch, style)
    structlog.get_logger().info(
        "letter.accepted", message_id=f"<34-b-57-2-{MAC}.0@x>", peer=f"go+h12-{MAC.upper()}@x"
    )
    for token in (f"m3o-{MAC}", f"m12N-{MAC.upper()}", f"bounce-0123456789abcdef-{MAC}"):
        structlog.get_logger().info("outbox.sent", message_id=f"<{token}.0@x>")
    assert MAC not in terminal.getvalue().lower()
    assert "34-b-57-2-" in terminal.getvalue()


@pytest.mark.parametrize(
    ("environ", "seen", "first"),
    [({"JOURNAL_STREAM": "8:1"}, False, "<6>"), ({}, False, "{"), ({}, True, "")],
)
def test_auto(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], seen: bool, first: str
) -> None:
    """The style goes by where standard error does."""
    terminal = opened(monkeypatch, "auto", environ=environ, seen=seen)
    structlog.get_logger().info("daemon.ready")
    assert terminal.getvalue().startswith(first)
    assert ("\x1b[" in terminal.getvalue()) is seen


class Sly:
    """Nobody can say what it is."""

    def __str__(self) -> str:
        raise RecursionError

    __repr__ = __str__


@pytest.mark.parametrize("style", ["json", "journal", "console"])
def test_what_cannot_be_put_into_a_line(
    monkeypatch: pytest.MonkeyPatch, style: log_setup.Format
) -> None:
    """Costs its line alone: whoever logs has done something that must not be undone for it."""
    terminal = opened(monkeypatch, style)
    structlog.get_logger().info("letter.accepted", game=Sly())
    assert "letter.accepted" in terminal.getvalue()
    assert "RecursionError" in terminal.getvalue()


def test_lines_that_are_lost_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours, and those of the standard library's logging."""
    with ExitStack() as stack:
        stream = LossyStream(full_disk(stack))
        monkeypatch.setattr(sys, "stderr", stream)
        log_setup.configure("info", "auto", {})
        structlog.get_logger().info("letter.accepted")
        logging.getLogger("sqlalchemy.pool").error("trouble")
        stream.drain(10)
        assert log_setup.lost_lines() == 2
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert log_setup.lost_lines() == 0


def as_a_service() -> None:
    """Log as what systemd starts."""
    found = os.fstat(2)
    log_setup.configure("info", "auto", {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"})


@pytest.fixture
def journald(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A socket in the place of journald's, and standard error that is its stream."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "socket"))
        listener.setblocking(False)
        monkeypatch.setattr(log_setup, "SOCKET", str(tmp_path / "socket"))
        as_a_service()
        yield listener


def test_each_key_is_a_field(journald: socket.socket) -> None:
    """So that `journalctl GAME=34` finds all about a game; the line is as it ever was.

    A value of several lines has its length before it: nobody's words begin a field of their own.
    """
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
    structlog.get_logger().info("letter.accepted", detail="a\nGAME=1")
    assert b"DETAIL\n" + (8).to_bytes(8, "little") + b"a\nGAME=1\n" in journald.recv(9999)


def test_what_cannot_be_sent_is_written(
    journald: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its priority, to the stream that the journal reads."""
    (tmp_path / "socket").unlink()
    stderr = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    as_a_service()
    structlog.get_logger().error("letter.quarantined", game=3)
    assert stderr.getvalue() == "<3>event=letter.quarantined game=3\n"
