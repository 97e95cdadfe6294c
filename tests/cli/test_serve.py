"""The messages of `godaemon serve` at its start, by way of receiving email."""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from godaemon.cli.operating import serve
from godaemon.config import config_file
from godaemon.daemon import main
from tests.support.daemon import LiveDaemon, free_port
from tests.support.waiting import until

IMAP = """[mail.imap]
host = "127.0.0.1"
port = 1
security = "none"
user = "go"
password = {{ file = "{0}/p" }}
"""


@pytest.fixture(scope="module")
def lmtp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """A daemon that takes emails by LMTP and from a mailbox, with every other listener there is."""
    folder = tmp_path_factory.mktemp("lmtp")
    (folder / "p").write_text("secret")
    (folder / "p").chmod(0o600)
    live = LiveDaemon(folder, gtp=f'listen = "127.0.0.1:{free_port()}"\n')
    smtp = f'[mail.smtp]\nlisten = "127.0.0.1:{live.port}"\n'
    text = live.config.read_text().replace(
        smtp, f'[mail.lmtp]\nlisten = "unix:{folder}/l.sock"\n{IMAP.format(folder)}'
    )
    live.config.write_text(f'{text}[metrics]\nlisten = "unix:{folder}/m.sock"\n')
    live.launch()
    until(lambda: "daemon.ready" in live.log() or live.ended, "it has started")
    try:
        yield live
    finally:
        live.stop()


def test_the_log_and_the_status_name_every_listener(lmtp: LiveDaemon) -> None:
    """And no other: SMTP is not among them if LMTP brings the emails."""
    folder, status = lmtp.folder, lmtp.ask("status")
    log, shown = lmtp.log(), lmtp.command("status", check=False).stdout
    for place in (
        *(f"go@localhost by LMTP at unix:{folder}/l.sock", "127.0.0.1", f"{folder}/gtp.sock"),
        *(status["gtp_tcp"], f"unix:{folder}/m.sock"),
    ):
        assert place in log
        assert place in shown
    assert "by SMTP" not in log
    assert "To begin" not in log
    assert status["smtp"] is None


def test_metrics_are_served_on_a_unix_socket(lmtp: LiveDaemon) -> None:
    """Only the user and group of the daemon can connect."""
    path = lmtp.folder / "m.sock"
    assert path.stat().st_mode & 0o777 == 0o660
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(path))
        line.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b"".join(iter(lambda: line.recv(2**16), b""))
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\ngodaemon_build_info{" in answer


def test_send_uses_lmtp_if_there_is_no_smtp(lmtp: LiveDaemon) -> None:
    """`godaemon send` takes the door that there is."""
    output = lmtp.command("send", "alice@localhost", "new 9x9 vs bob@localhost").stdout
    assert "Sent to go@localhost." in output
    assert "alice@localhost reads: " in output


def test_send_fails_if_only_a_mailbox_is_watched(tmp_path: Path) -> None:
    """No listener takes the email."""
    live = LiveDaemon(tmp_path)
    live.config.write_text(live.config.read_text().replace(f"127.0.0.1:{live.port}", ""))
    live.launch()
    until(lambda: "daemon.ready" in live.log() or live.ended, "it has started")
    try:
        done = live.command("send", "alice@localhost", "help", check=False)
    finally:
        live.stop()
    assert (done.returncode, "[mail.smtp]" in done.stderr) == (1, True), done.stderr


@pytest.mark.parametrize(
    ("terminal", "configured", "hint"),
    [(True, False, True), (False, False, False), (True, True, False)],
)
def test_a_beginner_is_told_how_to_begin(
    lmtp: LiveDaemon, monkeypatch: pytest.MonkeyPatch, terminal: bool, configured: bool, hint: bool
) -> None:
    """At a terminal without a configuration; not in a log."""
    shown = list[str]()
    status = lmtp.ask("status")
    monkeypatch.setattr(main, "serve", lambda _, lines: shown.extend(lines(status)))
    monkeypatch.setattr(config_file, "SYSTEM_FILE", "/nowhere/godaemon.toml")
    monkeypatch.delenv("GODAEMON_CONFIG", raising=False)
    monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    serve(lmtp.config if configured else None)
    assert any(line.startswith("To begin: ") for line in shown) is hint
