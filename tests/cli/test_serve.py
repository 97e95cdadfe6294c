"""The messages of `godaemon serve` at its start, by way of receiving email."""

import contextlib
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import stores
from tests.support.daemon import LiveDaemon, free_port
from tests.support.waiting import until

SMTP = '[mail.smtp]\nlisten = "127.0.0.1:0"\n'
IMAP = """[mail.imap]
host = "127.0.0.1"
port = 1
security = "none"
user = "go"
password = {{ file = "{0}/p" }}
"""


@pytest.fixture
def lmtp(tmp_path: Path) -> Iterator[LiveDaemon]:
    """A daemon that takes emails by LMTP and from a mailbox, with every other listener there is."""
    (tmp_path / "p").write_text("secret")
    (tmp_path / "p").chmod(0o600)
    live = LiveDaemon(tmp_path, gtp=f'listen = "127.0.0.1:{free_port()}"\n')
    smtp = f'[mail.smtp]\nlisten = "127.0.0.1:{live.port}"\n'
    text = live.config.read_text().replace(
        smtp, f'[mail.lmtp]\nlisten = "unix:{tmp_path}/l.sock"\n{IMAP.format(tmp_path)}'
    )
    live.config.write_text(f'{text}[metrics]\nlisten = "unix:{tmp_path}/m.sock"\n')
    live.launch()
    until(lambda: "daemon.ready" in live.log() or live.ended, "it has started")
    try:
        yield live
    finally:
        live.stop()


def test_it_names_every_listener_and_no_other(lmtp: LiveDaemon) -> None:
    """At its start and in its status; SMTP is none of them where LMTP brings the emails."""
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


def test_an_email_is_sent_to_it_by_lmtp(lmtp: LiveDaemon) -> None:
    """`godaemon send` takes the door that there is."""
    output = lmtp.command("send", "alice@localhost", "new 9x9 vs bob@localhost").stdout
    assert "Sent to go@localhost." in output
    assert "alice@localhost reads: " in output


def test_where_only_a_mailbox_is_watched_send_says_so(tmp_path: Path) -> None:
    """It has nobody to bring the email to."""
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
def test_it_says_how_to_begin_to_a_newcomer_at_a_terminal(
    tmp_path: Path, terminal: bool, configured: bool, hint: bool
) -> None:
    """And to nobody who has a configuration, nor to a log."""
    home = tmp_path / "h"
    stores.create(home / "godaemon")
    environ = {**os.environ, "XDG_STATE_HOME": str(home)}
    environ.pop("GODAEMON_CONFIG", None)
    program = (
        "import sys\n"
        "from godaemon.cli.operating import serve\n"
        "from godaemon.config import config_file, loading\n"
        "from godaemon.daemon import main\n"
        f"config_file.SYSTEM_FILE = {str(tmp_path / 'none')!r}\n"
        f"main.load = lambda _, environ: loading.parse({SMTP!r}, '', environ)\n"
        "serve(sys.argv[1] if sys.argv[1:] else None)"
    )
    words = [str(tmp_path / "g.toml")] if configured else []
    ours, theirs = pty.openpty() if terminal else os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", program, *words],
        env=environ,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    ) as daemon:
        os.close(theirs)
        output = b""
        while b"games:" not in output and (data := os.read(ours, 4096)):
            output += data
        daemon.terminate()
        with contextlib.suppress(OSError):  # a terminal whose program has ended
            while data := os.read(ours, 4096):
                output += data
        os.close(ours)
    assert (b"To begin:" in output) is hint, output
