"""Relay between a Go program, on standard input and output, and a daemon.

It uses threads, because on Windows `select` supports only sockets. One thread reads from the
program, one reconnects to the daemon, and one per connection reads from the daemon.
`gtp.client.resend` remembers what to send again. Only answers are written to standard output; the
reason for giving up goes to standard error.
"""

import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from gtp.client.connect import CHUNK, ConnectionRefused, Tcp, TlsSocket, advice, dial
from gtp.client.resend import BrokenConversation, Conversation
from gtp.client.syntax import KeyGreeting, SeatGreeting

OK, REFUSED, UNAVAILABLE, SOFTWARE, CTRL_C = 0, 1, 69, 70, 130
"""Exit statuses; 69 and 70 are EX_UNAVAILABLE and EX_SOFTWARE of sysexits.h."""

ENDING_SECONDS = 10.0
"""Seconds to try to reconnect after the controller has ended."""

QUITTING_SECONDS = 2.0
"""Seconds to try to reconnect after `quit`: Sabaki waits only three."""

AWAY = "cannot reach the daemon"

SHUTDOWN_TIMEOUT = 2.0
"""Timeout of the goodbye to the daemon, in seconds."""

_STDIN, _STDOUT = 0, 1
_QUEUE = 1024  # the limit on commands read ahead without a connection
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 5.0


def run(
    address: str | Tcp,
    greeting: SeatGreeting | KeyGreeting,
    welcome: Callable[[], object] = lambda: None,
) -> int:
    """Serve a controller in a seat until it ends; returns the exit status.

    An address that is a string is the path of a Unix socket. The greeting gets a random session
    name. `welcome` is called once, after the first connection. Nothing may have been read from
    standard input before.
    """
    first = greeting._replace(session=os.urandom(12).hex()).line()
    return Relay(address, first, welcome).run()


class Relay:
    """The controller, and the connection or the attempts to reconnect."""

    def __init__(
        self, address: str | Tcp, greeting: bytes, welcome: Callable[[], object] = lambda: None
    ) -> None:
        self._address, self._greeting, self._welcome = address, greeting, welcome
        self._conversation = Conversation()
        self._changed = threading.Condition()
        """Held to change the conversation, `_link`, `_deadline` or `_status`; single reads need no
        lock. Lock order: `_sending` first."""
        self._sending = threading.Lock()
        self._link: TlsSocket | socket.socket | None = None
        self._admitted = False
        """True once the daemon has admitted us; from then on only a refusal ends us. Changed by the
        thread that connects."""
        self._received = 0
        self._deadline = float("inf")
        self._status: int | None = None

    def run(self) -> int:
        """Serve the controller to its end; returns the exit status."""
        self._start_thread(self._read_controller)
        self._start_thread(self._keep_connected)
        try:
            with self._changed:
                while self._status is None:
                    left = self._deadline - time.monotonic()
                    if left <= 0:
                        self._write(self._conversation.refuse(AWAY))
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
        """Tell a connected daemon that we end, so that it releases a pending move at once."""
        link = self._link
        if link is None or not self._sending.acquire(timeout=SHUTDOWN_TIMEOUT):
            return
        if not self._conversation.ended:
            self._send(link, self._conversation.end())
        link.close()

    # -- the controller ------------------------------------------------------------------------
    def _read_controller(self) -> None:
        data = b"begin"
        while data:
            with self._changed:
                self._changed.wait_for(
                    lambda: self._link or self._conversation.unanswered_count < _QUEUE
                )
            try:
                data = os.read(_STDIN, CHUNK)
            except OSError:  # it has ended
                data = b""
            self._pass_on(data)

    def _pass_on(self, data: bytes) -> None:
        """Pass on the controller's data; b"" is its end."""
        with self._sending:
            with self._changed:
                talk = self._conversation
                output = talk.from_controller(data) if data else talk.end()
                link = self._link
                if link is None:
                    self._handle_disconnection()
            if link is not None:
                self._send(link, output)

    def _write(self, data: bytes) -> None:
        """Answer the controller; end if it no longer reads."""
        try:
            while data:
                data = data[os.write(_STDOUT, data) :]
        except OSError:
            self._finish(OK)

    # -- the daemon ----------------------------------------------------------------------------
    def _keep_connected(self) -> None:
        tries = 0
        while self._status is None:
            progress = self._conversation.progress
            try:
                link = dial(self._address, self._greeting)
            except ConnectionRefused as refusal:
                self._give_up(str(refusal), REFUSED)
                return
            except OSError as fault:
                if not self._admitted:
                    self._give_up(advice(fault, self._address), UNAVAILABLE)
                    return
            else:
                if not self._admitted:
                    self._welcome()
                self._admitted, received = True, self._received
                self._use_link(link)
                tries = 0 if self._received > received else tries
                progress = self._conversation.progress
            self._pause(tries, progress)
            tries += 1

    def _use_link(self, link: TlsSocket | socket.socket) -> None:
        """Continue the conversation over a new connection until that breaks."""
        with self._sending:
            with self._changed:
                output = self._conversation.resend()
                self._link, self._deadline = link, float("inf")
                self._changed.notify_all()
            reader = self._start_thread(lambda: self._read_daemon(link))
            self._send(link, output)
        reader.join()

    def _read_daemon(self, link: TlsSocket | socket.socket) -> None:
        """Pass on the daemon's data until the connection ends."""
        try:
            while not self._conversation.over and (data := link.recv(CHUNK)):
                with self._changed:
                    answers = self._conversation.from_daemon(data)
                    self._received += len(answers)
                self._write(answers)
        except (OSError, BrokenConversation):
            pass
        hang_up(link)
        with self._changed:
            self._link = None
            self._handle_disconnection()
        link.close()

    def _handle_disconnection(self) -> None:
        """Handle the lack of a connection: answer waiting commands, set the deadline, or end.

        The caller holds `_changed`.
        """
        self._write(self._conversation.give_up_waiting())
        # An unanswered command other than `quit` may be a move.
        may_owe_move = self._conversation.unanswered_count > self._conversation.quits
        if self._conversation.ended and may_owe_move:
            self._deadline = time.monotonic() + ENDING_SECONDS
        elif self._conversation.quits:
            self._deadline = min(self._deadline, time.monotonic() + QUITTING_SECONDS)
        if self._conversation.over or (self._conversation.done and self._admitted):
            self._finish(OK)
        self._changed.notify_all()

    @staticmethod
    def _send(link: TlsSocket | socket.socket, data: bytes) -> None:
        """Send; on failure shut the connection down, which ends the thread that reads it."""
        try:
            link.sendall(data)
        except OSError:
            hang_up(link)

    def _pause(self, tries: int, progress: tuple[int, bool]) -> None:
        """Wait before the next attempt, briefly at first, or until the controller sends a line."""
        wait = min(_FIRST_WAIT * 2.0 ** min(tries, 20), _LONGEST_WAIT)
        jitter = os.urandom(1)[0] / 255  # clients must not all reconnect at once
        with self._changed:
            self._changed.wait_for(
                lambda: self._conversation.progress != progress, wait * (0.5 + jitter / 2)
            )

    def _give_up(self, reason: str, status: int) -> None:
        """Report the reason on standard error and as an answer, then end."""
        if sys.stderr is not None:
            sys.stderr.write(f"godaemon gtp: {reason}\n")
            sys.stderr.flush()
        with self._changed:
            if not os.isatty(_STDIN):
                self._changed.wait_for(
                    lambda: self._conversation.unanswered_count or self._conversation.ended
                )
            self._write(self._conversation.refuse(" ".join(reason.split())))
        self._finish(status)


def hang_up(link: TlsSocket | socket.socket) -> None:
    """Shut a connection down, for both threads that use it."""
    with suppress(OSError):
        link.shutdown(socket.SHUT_RDWR)
