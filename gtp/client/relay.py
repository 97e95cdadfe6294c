"""Relay between a Go program, on standard input and output, and a daemon.

A free board ends with its connection. A seat outlives it: a thread of its own dials again, and
standard input is read on; what must be asked again is `gtp.client.resend`'s business. Nothing is
ever written to standard output but answers; why we gave up goes to standard error.
"""

from __future__ import annotations

import os
import select
import socket
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import BinaryIO

from gtp.client.connect import Address, ConnectionRefused, NotNow, dial, pending
from gtp.client.handshake import ByBoard, Greeting
from gtp.client.resend import Broken, Conversation

OK, REFUSED, UNAVAILABLE, INTERRUPTED = 0, 1, 69, 130
"""Exit statuses; 69 is EX_UNAVAILABLE of sysexits.h."""

ENDING_SECONDS = 10.0
"""How long we try to reach a daemon that is away once the controller has ended."""

File = int | socket.socket
"""What `select` waits for."""

_CHUNK = 2**16
_QUEUE = 1024  # commands that are read ahead while nobody answers
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 15.0


def run(
    address: Address, greeting: Greeting | ByBoard | None, stdin: BinaryIO, stdout: BinaryIO
) -> int:
    """Serve a controller until it ends; returns the exit status.

    Without a greeting it has a new free board. A seat's greeting needs no session: one is made up.
    Both streams must be real files, and nothing may have been read from `stdin` yet.
    """
    talk: Conversation | _Passage
    if isinstance(greeting, ByBoard | None):
        talk = _Passage()
    else:
        talk, greeting = Conversation(), replace(greeting, session=os.urandom(12).hex())
    first = greeting.line() if greeting else b""
    relay = _Relay(address, first, stdin.fileno(), stdout.fileno(), talk)
    try:
        return relay.run()
    except BrokenPipeError:  # the controller reads no more
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        relay.part()


class _Passage:
    """The conversation with a free board: bytes pass as they are, over one connection."""

    ended = over = False
    waiting = True
    length = _QUEUE  # nothing can be kept until there is a connection
    _tail = b""

    @property
    def done(self) -> bool:
        """True where the end of the connection is no surprise."""
        return self.ended or any(b"quit" in line.split() for line in self._tail.splitlines())

    def from_controller(self, data: bytes) -> bytes:
        """Take in what the controller says."""
        self._tail = (self._tail + data)[-256:]
        return data

    def end(self) -> bytes:
        """The controller has ended."""
        self.ended = True
        return b""

    def from_daemon(self, data: bytes) -> bytes:
        """Take in what the daemon says."""
        return data

    def resend(self) -> bytes:
        """Nothing was said before."""
        return b""

    def give_up_waiting(self) -> bytes:
        """Nobody waits without a connection."""
        return b""

    def refuse(self, _: str) -> bytes:
        """No command is known that could be answered."""
        return b""


class _Dial(threading.Thread):
    """One attempt to reach the daemon; `wake` becomes readable when it is over."""

    def __init__(self, address: Address, greeting: bytes) -> None:
        super().__init__(daemon=True)
        self._address, self._greeting = address, greeting
        self.wake, self._done = os.pipe()
        self.link: socket.socket | None = None
        self.fault: Exception | None = None

    def run(self) -> None:
        """Dial."""
        try:
            self.link = dial(self._address, self._greeting)
        except (OSError, ConnectionRefused) as fault:
            self.fault = fault
        finally:
            os.close(self._done)


class _Relay:
    """The controller, the connection while there is one, and the attempt while there is none."""

    def __init__(
        self,
        address: Address,
        greeting: bytes,
        stdin: int,
        stdout: int,
        talk: Conversation | _Passage,
    ) -> None:
        self._address, self._greeting = address, greeting
        self._stdin, self._stdout = stdin, stdout
        self._talk = talk
        self._resumes = isinstance(talk, Conversation)
        self._link: socket.socket | None = None
        self._dial: _Dial | None = None
        self._out = b""
        self._known = False
        """Whether we were ever let in: then only a refusal is the end of a seat."""
        self._deaf = False
        """Whether the daemon takes no more, so that only what it has said is still to be read."""
        self._tries = 0
        self._next = 0.0
        self._deadline = float("inf")

    def run(self) -> int:
        """Serve the controller to its end; the exit status."""
        while (status := self._turn()) is None:
            pass
        return status

    def part(self) -> None:
        """Say goodbye, if anybody hears it: a pending move need not wait for us."""
        if self._link is not None:
            with suppress(OSError):
                if not self._talk.ended:
                    self._link.send(self._talk.end())
                self._link.close()

    # -- one turn ------------------------------------------------------------------------------
    def _turn(self) -> int | None:
        """Wait for something to happen and deal with it; the exit status at the end."""
        now = time.monotonic()
        if self._link is None and self._dial is None and now >= self._next:
            self._dial = _Dial(self._address, self._greeting)
            self._dial.start()
        readable = self._wait(now)
        if self._stdin in readable:
            self._hear()
        if self._dial is not None and self._dial.wake in readable:
            fault = self._dialled(self._dial)
            if isinstance(fault, ConnectionRefused):
                return self._give_up(str(fault), REFUSED)
            if fault is not None and not self._known:
                return self._unreached(fault)
        if self._link is not None:
            self._exchange(self._link, readable)
        ended = self._link is None and self._known
        if self._talk.over or (self._talk.done and ended):
            return OK
        late = time.monotonic() > self._deadline or (ended and not self._resumes)
        return UNAVAILABLE if late else None

    def _wait(self, now: float) -> list[File]:
        link, dialling = self._link, self._dial
        reads: list[File] = [link] if link is not None else []
        if dialling is not None:
            reads.append(dialling.wake)
        room = not self._out if link is not None else self._talk.length < _QUEUE
        if room and not (self._talk.ended or self._deaf):
            reads.append(self._stdin)
        until = self._deadline if link or dialling else min(self._next, self._deadline)
        timeout = None if until == float("inf") else max(0.0, until - now)
        if pending(link):
            timeout = 0.0
        writes: list[File] = [link] if link is not None and self._out else []
        readable, _, _ = select.select(reads, writes, [], timeout)
        if link is not None and pending(link) and link not in readable:
            readable.append(link)
        return readable

    # -- the controller ------------------------------------------------------------------------
    def _hear(self) -> None:
        data = os.read(self._stdin, _CHUNK)
        sent = self._talk.from_controller(data) if data else self._talk.end()
        if self._link is not None:
            self._out += sent
            return
        self._write(self._talk.give_up_waiting())
        if not data:
            self._deadline = time.monotonic() + ENDING_SECONDS

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._stdout, view) :]

    # -- the daemon ----------------------------------------------------------------------------
    def _dialled(self, attempt: _Dial) -> Exception | None:
        """An attempt is over; why it came to nothing, if it did."""
        attempt.join()
        os.close(attempt.wake)
        self._dial, self._link = None, attempt.link
        if attempt.link is None:
            self._later()
            return attempt.fault
        self._known = True
        self._deadline = float("inf")
        self._out = self._talk.resend()
        return None

    def _exchange(self, link: socket.socket, readable: list[File]) -> None:
        answers = b""
        try:
            if self._out:
                self._send(link)
            if self._talk.ended and not (self._out or self._resumes):
                with suppress(OSError):
                    link.shutdown(socket.SHUT_WR)
            if link in readable:
                answers = self._talk.from_daemon(_received(link))
        except (OSError, Broken):
            self._break(link)
        if answers:
            self._tries = 0
            self._write(answers)

    def _send(self, link: socket.socket) -> None:
        try:
            self._out = self._out[link.send(self._out) :]
        except OSError as fault:
            if _would_block(fault):
                return
            if self._resumes or not isinstance(fault, ConnectionError):
                raise
            self._out, self._deaf = b"", True

    def _break(self, link: socket.socket) -> None:
        """The connection is no more: dial again, soon at first."""
        link.close()
        self._link, self._out = None, b""
        self._write(self._talk.give_up_waiting())
        if self._talk.ended:
            self._deadline = time.monotonic() + ENDING_SECONDS
        self._later()

    def _later(self) -> None:
        wait = min(_FIRST_WAIT * 2.0 ** min(self._tries, 20), _LONGEST_WAIT)
        chance = os.urandom(1)[0] / 255  # else all programs come back in the same moment
        self._tries += 1
        self._next = time.monotonic() + wait * (0.5 + chance / 2)

    # -- the end -------------------------------------------------------------------------------
    def _unreached(self, fault: Exception) -> int:
        """The first attempt has failed, and there is no second."""
        if self._resumes:
            return self._give_up(f"{self._address} cannot be reached: {fault}", UNAVAILABLE)
        if isinstance(fault, NotNow):
            return self._give_up(str(fault), REFUSED)
        return self._give_up(
            f"the daemon cannot be reached at {self._address}: {fault}", UNAVAILABLE
        )

    def _give_up(self, reason: str, status: int) -> int:
        """Say why to whoever looks, in answer to a command too, and end."""
        sys.stderr.write(f"godaemon gtp: {reason}\n")
        sys.stderr.flush()
        if not os.isatty(self._stdin):
            while not (self._talk.waiting or self._talk.ended):
                data = os.read(self._stdin, _CHUNK)
                self._talk.from_controller(data) if data else self._talk.end()
        self._write(self._talk.refuse(" ".join(reason.split())))
        return status


def _received(link: socket.socket) -> bytes:
    """The bytes that have come, perhaps none yet; raises `Broken` at the end, and `OSError`."""
    try:
        data = link.recv(_CHUNK)
    except OSError as fault:
        if _would_block(fault):
            return b""
        raise
    if not data:
        raise Broken
    return data


def _would_block(fault: OSError) -> bool:
    """True where the socket, or TLS on it, only wants to be asked again."""
    again = isinstance(fault, BlockingIOError | InterruptedError)
    return again or type(fault).__name__ in {"SSLWantReadError", "SSLWantWriteError"}
