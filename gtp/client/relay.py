"""Relay between a Go program, on standard input and output, and a daemon.

Threads, because on Windows `select` knows sockets alone: one hears the program, one reaches the
daemon again whenever the connection has broken, and one for each connection hears the daemon. What
must be asked again is `gtp.client.resend`'s business. Nothing is ever written to standard output
but answers; why we gave up goes to standard error.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from gtp.client.connect import CHUNK, ConnectionRefused, Encrypted, Tcp, Unix, advice, dial
from gtp.client.resend import Broken, Conversation
from gtp.client.syntax import ByKey, BySeat

OK, REFUSED, UNAVAILABLE, SOFTWARE, CTRL_C = 0, 1, 69, 70, 130
"""Exit statuses; 69 and 70 are EX_UNAVAILABLE and EX_SOFTWARE of sysexits.h."""

ENDING_SECONDS = 10.0
"""Seconds to try to reach an absent daemon once the controller has ended."""

QUITTING_SECONDS = 2.0
"""Seconds to try once the controller has sent `quit`: Sabaki waits only three."""

AWAY = "the daemon is away"

FAREWELL_SECONDS = 2.0
"""Seconds that a goodbye may take."""

_STDIN, _STDOUT = 0, 1
_QUEUE = 1024  # commands that are read ahead while nobody answers
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 5.0


def run(address: Unix | Tcp, greeting: BySeat | ByKey, welcome: Callable[[], object] = bool) -> int:
    """Serve a controller in a seat until it ends; returns the exit status.

    A session is made up for the greeting. `welcome` is called once, when the daemon is reached.
    Nothing may have been read from standard input yet.
    """
    first = greeting._replace(session=os.urandom(12).hex()).line()
    return Relay(address, lambda: dial(address, first), welcome).run()


class Relay:
    """The controller, the connection while there is one, and the attempts while there is none."""

    def __init__(
        self,
        address: Unix | Tcp,
        reach: Callable[[], Encrypted | socket.socket],
        welcome: Callable[[], object] = bool,
    ) -> None:
        self._address, self._reach, self._welcome = address, reach, welcome
        self._talk = Conversation()
        self._changed = threading.Condition()
        """Guards the conversation and all fields below; lock order: `_sending` first."""
        self._sending = threading.Lock()
        self._link: Encrypted | socket.socket | None = None
        self._known = False
        """Whether the daemon has ever admitted us; from then on only a refusal ends us."""
        self._heard = 0
        self._deadline = float("inf")
        self._status: int | None = None

    def run(self) -> int:
        """Serve the controller to its end; returns the exit status."""
        self._start_thread(self._listen)
        self._start_thread(self._keep_connected)
        try:
            with self._changed:
                while self._status is None:
                    left = self._deadline - time.monotonic()
                    if left <= 0:
                        self._write(self._talk.refuse(AWAY))
                        return UNAVAILABLE
                    self._changed.wait(min(left, threading.TIMEOUT_MAX))
                return self._status
        except KeyboardInterrupt:
            return CTRL_C
        finally:
            self._say_goodbye()

    def _start_thread(self, work: Callable[[], None]) -> threading.Thread:
        def _run_guarded() -> None:
            try:
                work()
            except BaseException:
                self._finish(SOFTWARE)
                raise

        thread = threading.Thread(target=_run_guarded, daemon=True)
        thread.start()
        return thread

    def _finish(self, status: int) -> None:
        """End with a status, unless another one has been set."""
        with self._changed:
            if self._status is None:
                self._status = status
            self._changed.notify_all()

    def _say_goodbye(self) -> None:
        """Say goodbye to a connected daemon, so that it releases a pending move at once."""
        link = self._link
        if link is None or not self._sending.acquire(timeout=FAREWELL_SECONDS):
            return
        if not self._talk.ended:
            self._send(link, self._talk.end())
        link.close()

    # -- the controller ------------------------------------------------------------------------
    def _listen(self) -> None:
        data = b"begin"
        while data:
            with self._changed:
                self._changed.wait_for(lambda: self._link or self._talk.unanswered_count < _QUEUE)
            data = _read()
            self._pass_on(data)

    def _pass_on(self, data: bytes) -> None:
        """Pass on the controller's data; b"" means that it has ended."""
        with self._sending:
            with self._changed:
                sent = self._talk.from_controller(data) if data else self._talk.end()
                link = self._link
                if link is None:
                    self._handle_disconnection()
            if link is not None:
                self._send(link, sent)

    def _write(self, data: bytes) -> None:
        """Answer the controller; end if it reads no more."""
        try:
            while data:
                data = data[os.write(_STDOUT, data) :]
        except OSError:
            self._finish(OK)

    # -- the daemon ----------------------------------------------------------------------------
    def _keep_connected(self) -> None:
        tries = 0
        while self._status is None:
            progress = self._talk.progress
            try:
                link = self._reach()
            except ConnectionRefused as refusal:
                self._give_up(str(refusal), REFUSED)
            except OSError as fault:
                if not self._known:
                    self._give_up(advice(fault, self._address), UNAVAILABLE)
            else:
                if not self._known:
                    self._welcome()
                self._known, heard = True, self._heard
                self._use_link(link)
                tries = 0 if self._heard > heard else tries
                progress = self._talk.progress
            self._pause(tries, progress)
            tries += 1

    def _use_link(self, link: Encrypted | socket.socket) -> None:
        """Carry the conversation over a new connection until that breaks."""
        with self._sending:
            with self._changed:
                sent = self._talk.resend()
                self._link, self._deadline = link, float("inf")
                self._changed.notify_all()
            hearing = self._start_thread(lambda: self._hear(link))
            self._send(link, sent)
        hearing.join()

    def _hear(self, link: Encrypted | socket.socket) -> None:
        """Pass on the daemon's data until the connection ends."""
        try:
            while not self._talk.over and (data := link.recv(CHUNK)):
                with self._changed:
                    answers = self._talk.from_daemon(data)
                    self._heard += len(answers)
                self._write(answers)
        except (OSError, Broken):
            pass
        hang_up(link)
        with self._changed:
            self._link = None
            self._handle_disconnection()
        link.close()

    def _handle_disconnection(self) -> None:
        """Without a connection: answer commands that need none, set the deadline, end.

        The caller holds `_changed`.
        """
        self._write(self._talk.give_up_waiting())
        if (
            self._talk.ended and self._talk.unanswered_count > self._talk.quits
        ):  # a move may be among them
            self._deadline = time.monotonic() + ENDING_SECONDS
        elif self._talk.quits:
            self._deadline = min(self._deadline, time.monotonic() + QUITTING_SECONDS)
        if self._talk.over or (self._talk.done and self._known):
            self._finish(OK)
        self._changed.notify_all()

    @staticmethod
    def _send(link: Encrypted | socket.socket, data: bytes) -> None:
        """Send; on failure shut the connection down, which ends the thread that reads it."""
        try:
            link.sendall(data)
        except OSError:
            hang_up(link)

    def _pause(self, tries: int, progress: tuple[int, bool]) -> None:
        """Wait before the next attempt, briefly at first, or until the controller sends a line."""
        wait = min(_FIRST_WAIT * 2.0 ** min(tries, 20), _LONGEST_WAIT)
        chance = os.urandom(1)[0] / 255  # jitter: clients must not all reconnect at once
        with self._changed:
            self._changed.wait_for(
                lambda: self._talk.progress != progress, wait * (0.5 + chance / 2)
            )

    def _give_up(self, reason: str, status: int) -> None:
        """Report the reason on standard error and as an answer, then end."""
        if sys.stderr is not None:
            sys.stderr.write(f"godaemon gtp: {reason}\n")
            sys.stderr.flush()
        with self._changed:
            if not os.isatty(_STDIN):
                self._changed.wait_for(lambda: self._talk.unanswered_count or self._talk.ended)
            self._write(self._talk.refuse(" ".join(reason.split())))
        self._finish(status)


def _read() -> bytes:
    """Bytes from the controller; b"" once it has ended."""
    try:
        return os.read(_STDIN, CHUNK)
    except OSError:
        return b""


def hang_up(link: Encrypted | socket.socket) -> None:
    """End a connection for both threads that use it."""
    with suppress(OSError):
        link.shutdown(socket.SHUT_RDWR)
