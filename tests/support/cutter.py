"""A proxy between a program and a daemon that breaks connections at a chosen byte.

with Cutter(("127.0.0.1", 7000)) as cutter:
    cutter.cut()            now
    cutter.cut_upstream(3)        after three more bytes to the daemon
    cutter.cut_downstream(0)      at the daemon's next answer, of which no byte arrives
    cutter.hold_back = b"STORE"     while set, drop data to the daemon that contains it
"""

import contextlib
import socket
import struct
import threading
from pathlib import Path
from typing import Self

from tests.support.waiting import PATIENCE

End = tuple[str, int] | Path
"""A TCP address, or the path of a Unix socket."""


class _Pair:
    """A client's connection, and the connection to the daemon that it is forwarded to."""

    def __init__(self, cutter: "Cutter", below: socket.socket, above: socket.socket) -> None:
        self._cutter, self._ends = cutter, (below, above)
        self._gate = threading.Lock()
        self.open = True
        threads = [
            threading.Thread(target=self._pump, args=(below, above, "up"), daemon=True),
            threading.Thread(target=self._pump, args=(above, below, "down"), daemon=True),
        ]
        for thread in threads:
            thread.start()

    def _pump(self, source: socket.socket, sink: socket.socket, direction: str) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if direction == "up" and self._cutter.holds(data):
                    continue
                allowed = self._cutter.allowed(direction, len(data))
                sink.sendall(data[:allowed])
                if allowed < len(data):
                    self.cut()
                    return
            sink.shutdown(socket.SHUT_WR)
            return
        self.cut()

    def cut(self) -> None:
        """Reset both connections."""
        with self._gate:
            if not self.open:
                return
            self.open = False
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


class Cutter:
    """Forwards connections to a daemon; listens on a free port or at a socket path."""

    def __init__(self, daemon: End, path: Path | None = None) -> None:
        self._daemon = daemon
        self._listener = socket.socket(socket.AF_INET if path is None else socket.AF_UNIX)
        self._listener.bind(("127.0.0.1", 0) if path is None else str(path))
        self._listener.listen()
        self.port = 0 if path else int(self._listener.getsockname()[1])
        self.count = 0
        """Number of connections so far."""
        self.hold_back = b""
        self.held = threading.Event()
        """Set once data was held back."""
        self._pairs: list[_Pair] = []
        self._left: dict[str, int] = {}
        self._gate = threading.Lock()
        self._thread = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        self._thread.join(PATIENCE)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                below, _ = self._listener.accept()
                above = socket.socket(
                    socket.AF_UNIX if isinstance(self._daemon, Path) else socket.AF_INET
                )
                try:
                    target = self._daemon
                    above.connect(str(target) if isinstance(target, Path) else target)
                except OSError:
                    above.close()
                    below.close()
                    continue
                self.count += 1
                self._pairs.append(_Pair(self, below, above))

    def allowed(self, direction: str, length: int) -> int:
        """Number of bytes, of `length`, to forward before a cut."""
        with self._gate:
            left = self._left.get(direction)
            if left is None:
                return length
            if left >= length:
                self._left[direction] = left - length
                return length
            del self._left[direction]
            return left

    def holds(self, data: bytes) -> bool:
        """True if these bytes are to be held back."""
        if found := self.hold_back and self.hold_back in data:
            self.held.set()
        return bool(found)

    def cut(self) -> None:
        for pair in self._pairs:
            pair.cut()
        self._pairs.clear()

    def cut_upstream(self, after: int) -> None:
        """Cut once the program has sent more than `after` bytes."""
        self._left["up"] = after

    def cut_downstream(self, after: int) -> None:
        """Cut once the daemon has sent more than `after` bytes."""
        self._left["down"] = after
