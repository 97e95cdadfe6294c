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
    """Standard error; a terminal if `seen`."""

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


def configured(
    monkeypatch: pytest.MonkeyPatch,
    style: log_setup.Format = "json",
    level: str = "info",
    environ: dict[str, str] | None = None,
    *,
    seen: bool = False,
) -> Terminal:
    """Configure logging to a new terminal, and return it."""
    terminal = Terminal(seen=seen)
    monkeypatch.setattr(sys, "stderr", terminal)
    log_setup.configure(level, style, environ or {})
    return terminal


def fail() -> None:
    """A fault in a function with a secret among its variables."""
    key = "the-signing-key"
    raise ValueError(len(key))


def test_json_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line is an object with the event, its level, the time and its keys."""
    terminal = configured(monkeypatch)
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
def test_journal_lines_have_priorities(
    monkeypatch: pytest.MonkeyPatch, method: str, mark: str
) -> None:
    """One line an entry, without level and time."""
    terminal = configured(monkeypatch, "journal", "debug")
    getattr(structlog.get_logger(), method)("letter.accepted", game=7, seat=None, detail="a b\nc")
    (line,) = terminal.getvalue().splitlines()
    assert line.startswith(f"{mark}event=letter.accepted ")
    assert "game=7" in line
    assert "seat" not in line


@pytest.mark.parametrize(
    ("environ", "colours"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_console_lines_are_coloured(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], colours: bool
) -> None:
    """Unless NO_COLOR is set or the terminal has no colours."""
    terminal = configured(monkeypatch, "console", environ=environ, seen=True)
    structlog.get_logger().info("letter.accepted", game=7)
    assert "letter.accepted" in terminal.getvalue()
    assert ("\x1b[" in terminal.getvalue()) is colours


@pytest.mark.parametrize("style", ["json", "journal", "console"])
def test_tracebacks_have_no_values(
    monkeypatch: pytest.MonkeyPatch, style: log_setup.Format
) -> None:
    """Variables may hold our key or people's letters."""
    terminal = configured(monkeypatch, style)
    try:
        fail()
    except ValueError:
        structlog.get_logger().exception("control.failed")
    shown = terminal.getvalue().replace('key = "the-signing-key"', "")
    assert "ValueError" in shown
    assert "the-signing-key" not in shown
    assert style != "journal" or all(line.startswith("<3>") for line in shown.splitlines())


def test_the_level_applies_to_loggers_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of aiosmtpd, which logs every verb, only errors are kept."""
    log = structlog.get_logger()
    terminal = configured(monkeypatch, level="warning")
    log.info("daemon.ready")
    log.warning("letter.put-off")
    logging.getLogger("mail.log").info("RCPT TO")
    assert terminal.getvalue().count("\n") == 1
    terminal = configured(monkeypatch, level="debug")
    log.debug("daemon.ready")
    logging.getLogger("mail.log").error("trouble")
    assert "daemon.ready" in terminal.getvalue()
    assert "trouble" in terminal.getvalue()


@pytest.mark.parametrize("style", ["json", "journal", "console"])
def test_tokens_are_removed(monkeypatch: pytest.MonkeyPatch, style: log_setup.Format) -> None:
    """Whoever reads the log cannot play for anybody."""
    terminal = configured(monkeypatch, style)
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
def test_auto_chooses_the_style(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], seen: bool, first: str
) -> None:
    """By whether standard error is the journal, a terminal or a file."""
    terminal = configured(monkeypatch, "auto", environ=environ, seen=seen)
    structlog.get_logger().info("daemon.ready")
    assert terminal.getvalue().startswith(first)
    assert ("\x1b[" in terminal.getvalue()) is seen


class Unprintable:
    """A value whose str() and repr() fail."""

    def __str__(self) -> str:
        raise RecursionError

    __repr__ = __str__


@pytest.mark.parametrize("style", ["json", "journal", "console"])
def test_a_value_that_cannot_be_formatted_raises_nothing(
    monkeypatch: pytest.MonkeyPatch, style: log_setup.Format
) -> None:
    """The caller's work must not be undone for it."""
    terminal = configured(monkeypatch, style)
    structlog.get_logger().info("letter.accepted", game=Unprintable())
    assert "letter.accepted" in terminal.getvalue()
    assert "RecursionError" in terminal.getvalue()


def test_lost_lines_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those of the standard library's logging."""
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


def test_keys_are_journal_fields(journald: socket.socket) -> None:
    """`journalctl GAME=34` finds all about a game; no value can forge a field."""
    structlog.get_logger().warning(
        "letter.accepted", game=34, seat=None, message_id="<a@b>", peer="alice@x", detail="a b"
    )
    fields = fields_of(journald.recv(9999))
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
    fields = fields_of(journald.recv(9999))
    assert fields["DETAIL"] == "a\nGAME=1"
    assert "GAME" not in fields


def fields_of(entry: bytes) -> dict[str, str]:
    """The fields of a journal entry: name, line end, length (64 bits), value, line end."""
    fields = {}
    while entry:
        name, _, rest = entry.partition(b"\n")
        end = 8 + int.from_bytes(rest[:8], "little")
        fields[name.decode()] = rest[8:end].decode()
        assert rest[end : end + 1] == b"\n"
        entry = rest[end + 1 :]
    return fields


def test_without_journald_lines_go_to_stderr(
    journald: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With their priority."""
    (tmp_path / "socket").unlink()
    stderr = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    as_a_service()
    structlog.get_logger().error("letter.quarantined", game=3)
    assert stderr.getvalue() == "<3>event=letter.quarantined game=3\n"
