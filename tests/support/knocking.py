"""People at the SMTP port of a daemon that restarts: half an email, streams of connections."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from typing import Self

KNOCKING = 4
BEGUN = b"EHLO x.example\r\nMAIL FROM:<a@x.example>\r\nRCPT TO:<go@localhost>\r\nDATA\r\n"


def begin(port: int) -> socket.socket:
    """A letter whose end has not come."""
    line = socket.create_connection(("127.0.0.1", port), timeout=30)
    line.sendall(BEGUN)
    said = b""
    while b"\r\n354 " not in said:
        said += line.recv(4096)
    return line


class Stream:
    """Connections, as many as there can be, until the `with` block ends; `became` counts them."""

    def __init__(self, port: int) -> None:
        self.port, self.became = port, Counter[str]()
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
            self.became[self.knock()] += 1

    def knock(self) -> str:
        """What becomes of one connection."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=30) as line:
                return "greeted" if line.recv(3) == b"220" else "cut"
        except ConnectionRefusedError:
            return "refused"
        except OSError:
            return "cut"
