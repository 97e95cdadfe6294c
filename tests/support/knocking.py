"""SMTP clients of a daemon that restarts: an unfinished letter, and a stream of connections."""

import socket
import threading
from collections import Counter
from typing import Self

from tests.support.waiting import PATIENCE

KNOCKING = 4
BEGUN = b"EHLO x.example\r\nMAIL FROM:<a@x.example>\r\nRCPT TO:<go@localhost>\r\nDATA\r\n"


def begin(port: int) -> socket.socket:
    """Start a letter; returns the connection before the end of its DATA."""
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    line.sendall(BEGUN)
    answers = b""
    while b"\r\n354 " not in answers:
        answers += line.recv(4096)
    return line


class Stream:
    """Connects repeatedly in threads until the `with` block ends; `counts` has the outcomes."""

    def __init__(self, port: int) -> None:
        self.port, self.counts = port, Counter[str]()
        self._stop = threading.Event()
        self._knocking = [threading.Thread(target=self._knock) for _ in range(KNOCKING)]

    def __enter__(self) -> Self:
        for each in self._knocking:
            each.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for each in self._knocking:
            each.join()

    def _knock(self) -> None:
        while not self._stop.is_set():
            self.counts[self.knock()] += 1

    def knock(self) -> str:
        """Connect once; returns "greeted", "refused" or "cut"."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as line:
                return "greeted" if line.recv(3) == b"220" else "cut"
        except ConnectionRefusedError:
            return "refused"
        except OSError:
            return "cut"
