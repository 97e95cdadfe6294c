"""A player with a real neomutt, which opens the mailbox, quotes, composes and sends.

It runs on a pty; failures show its screen. Its editor is a script that writes the player's text
above the quotation. If the mailbox cannot be opened, neomutt is restarted; if a letter cannot be
sent, the player presses the key again.
"""

import contextlib
import email
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable
from email.message import EmailMessage, Message
from pathlib import Path

from tests.support.dovecot import PASSWORD, Dovecot
from tests.support.mailboxes import MailboxPlayer
from tests.support.postfix import ADDRESS, Postfix
from tests.support.waiting import PATIENCE, until

_CONFIG = """
set spoolfile = "imap://{user}@127.0.0.1:{imap}/INBOX" folder = "{home}"
set imap_pass = '{password}' imap_authenticators = "login"
set ssl_starttls = no ssl_force_tls = no
set smtp_url = "smtp://127.0.0.1:{smtp}/" use_envelope_from = yes
set from = "{address}" realname = "{name}" hostname = "players.example"
set editor = "{home}/editor" tmpdir = "{home}" record = "{home}/sent" mbox_type = Maildir
set include = yes reply_to = yes fast_reply = yes edit_headers = no autoedit = no
set abort_unmodified = no abort_nosubject = no postpone = no
set confirmcreate = no confirmappend = no wait_key = no beep = no quit = yes
set sort = mailbox-order strict_threads = yes move = no delete = no
set crypt_use_gpgme = no net_inc = 0 read_inc = 0 write_inc = 0 sleep_time = 0
"""
_EDITOR = """#!/bin/sh
{ cat "%(home)s/words"; echo; cat "$1"; } >"$1.new" && cat "$1.new" >"$1" && rm "$1.new"
touch "%(home)s/edited"
"""
_STUCK = 10.0
"""Seconds without a letter in the editor after which neomutt is restarted."""
_CODES = re.compile(rb"\x1b(?:\[[0-9;?]*[a-zA-Z]|[()][A-Z0-9]|[=>])")
_TROUBLE = re.compile(r"uld not|[Ff]ailed|[Ee]rror|refused|[Cc]losed|No mailbox|not found")
"""Messages of neomutt about an unreachable server (the screen shows only changed parts)."""


class Terminal:
    """A running neomutt and its screen output."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            ["neomutt", "-F", str(home / "muttrc"), *arguments],
            cwd=home,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={
                "HOME": str(home),
                "PATH": os.environ["PATH"],
                "TERM": "xterm",
                "LC_ALL": "C.UTF-8",
                "LINES": "30",
                "COLUMNS": "150",
            },
        )
        os.close(slave)
        self._output = b""

    def screen(self) -> str:
        """All output so far, without control codes."""
        while select.select([self._master], [], [], 0)[0]:
            try:
                piece = os.read(self._master, 65536)
            except OSError:
                break  # it has ended
            if not piece:
                break
            self._output += piece
        return _CODES.sub(b" ", self._output).decode("utf-8", "replace")

    def trouble(self, since: int = 0) -> bool:
        """True if its output shows an error after the first `since` characters."""
        return _TROUBLE.search(self.screen()[since:]) is not None

    def until(self, true: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
        """Wait for a condition; the error after a timeout shows the screen."""
        try:
            until(true, what, seconds)
        except AssertionError as fault:
            raise AssertionError(f"{fault}; neomutt shows: {self.screen()[-3000:]}") from None

    def press(self, keys: str) -> None:
        with contextlib.suppress(OSError):
            os.write(self._master, keys.encode())

    def ended(self) -> bool:
        """True if it has exited; also reads its output."""
        self.screen()
        return self._process.poll() is not None

    def close(self, patience: float = 0.0) -> None:
        """Stop it: with `patience` by its quit key first, then by SIGKILL."""
        if patience:
            self.press("q")
            with contextlib.suppress(AssertionError):
                until(self.ended, "neomutt ends", patience)
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
        self._process.wait(PATIENCE)
        os.close(self._master)


class NeomuttPlayer(MailboxPlayer):
    """Reads and writes with neomutt; the mailbox is polled to know when to start it."""

    def __init__(
        self, address: str, name: str, postfix: Postfix, dovecot: Dovecot, home: Path
    ) -> None:
        super().__init__(address, name, postfix, dovecot)
        self.home = home
        self.sent: list[Message] = []
        """The sent letters as neomutt stores them."""
        home.mkdir()
        user = address.partition("@")[0]
        settings = {"home": home, "user": user, "address": address, "name": name}
        ports = {"imap": dovecot.port, "smtp": postfix.port, "password": PASSWORD}
        (home / "muttrc").write_text(_CONFIG.format(**settings, **ports))
        (home / "editor").write_text(_EDITOR % settings)
        (home / "editor").chmod(0o755)

    def write(self, text: str, to: str = ADDRESS) -> None:
        self._send(text, "-s", "A game of Go", to)

    def reply(self, text: str, to: EmailMessage | None = None, *, quote: bool = True) -> None:
        """Answer a letter, by default the newest; neomutt finds it by Message-ID and quotes it."""
        answered = to or self.newest
        assert answered is not None
        assert quote, "neomutt always quotes"
        identifier = str(answered["Message-ID"]).strip("<>")  # these would be keys for neomutt
        select = f'<limit>~i "{identifier}"<enter><last-entry>'
        self._send(text, "-e", f"push '{select}<reply>'")

    def _send(self, text: str, *arguments: str) -> None:
        (self.home / "words").write_text(text + "\n")
        (self.home / "edited").unlink(missing_ok=True)
        before = set(_files(self.home / "sent"))
        limit = time.monotonic() + PATIENCE
        while not (self.home / "edited").exists():
            assert time.monotonic() < limit, "neomutt could not read"
            terminal = Terminal(self.home, *arguments)
            try:
                self._sent(terminal, before)
            finally:
                terminal.close(5)

    def _sent(self, terminal: Terminal, before: set[Path]) -> None:
        """Wait until neomutt has sent the letter; returns early if it cannot read the mailbox."""
        edited = self.home / "edited"
        with contextlib.suppress(AssertionError):
            until(lambda: edited.exists() or terminal.trouble(), "the letter is written", _STUCK)
        if not edited.exists():
            return
        terminal.until(lambda: "y:Send" in terminal.screen(), "the menu with the letter")
        terminal.press("y")
        length, pressed = len(terminal.screen()), time.monotonic()

        def sent() -> bool:
            nonlocal length, pressed
            if set(_files(self.home / "sent")) > before:
                return True
            waited = time.monotonic() - pressed
            if waited > _STUCK or (waited > 0.3 and terminal.trouble(length)):
                length, pressed = len(terminal.screen()), time.monotonic()
                terminal.press("y")
            return False

        terminal.until(sent, "neomutt has sent")
        (path,) = set(_files(self.home / "sent")) - before
        letter = email.message_from_bytes(path.read_bytes())
        self.sent.append(letter)
        self.posted.append(str(letter["Message-ID"]))


def _files(folder: Path) -> list[Path]:
    return [*folder.glob("new/*"), *folder.glob("cur/*")]
