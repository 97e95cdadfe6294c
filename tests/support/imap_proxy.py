"""A proxy on loopback that stands still at a word of the client's: to break off at that moment."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self


class ImapProxy:
    """Passes everything on to `port`, until the client says `stall_at`: that is held back."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.stall_at = b""
        self.stalled = threading.Event()
        self._lines: list[socket.socket] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for line in [self._listener, *self._lines]:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self._target))
                except OSError:
                    client.close()
                    continue
                self._lines += [client, server]
                for pair in ((client, server, True), (server, client, False)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, from_client: bool) -> None:
        with contextlib.suppress(OSError):
            while said := source.recv(65536):
                if from_client and self.stall_at and self.stall_at in said:
                    self.stalled.set()
                    continue
                sink.sendall(said)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)
