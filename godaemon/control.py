"""The control socket: how the command line speaks to a running daemon.

One JSON object a line each way: `{"do": NAME, ...}` is answered by `{"ok": VALUE}` or
`{"error": SENTENCE, "kind": CLASS}`. The socket is its owner's alone (mode 0600); whoever can
open it is the operator. Imports no database and no mail.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import structlog

from godaemon import errors
from godaemon.errors import Busy, GodaemonError, Temporary, Unknown
from godaemon.sockets import open_socket

Handler = Callable[..., Awaitable[Any]]
"""Does one thing; its keyword arguments are the request's, its answer is JSON."""

_log = structlog.get_logger("godaemon.control")


class ControlServer:
    """Answers requests with the handlers it was given, by name."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self._handlers = handlers
        self._server: asyncio.Server | None = None

    async def open(self, path: Path) -> None:
        """Listen on a Unix socket that only our own user may open."""
        self._server = await open_socket(self._session, path, mode=0o600)

    async def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _session(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # ValueError: a line without an end, longer than any request of ours.
            with contextlib.suppress(ConnectionError, ValueError):
                while line := await reader.readline():
                    answer = await self._answer(line)
                    writer.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
                    await writer.drain()
        finally:
            writer.close()

    async def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            name = request.pop("do")
            handler = self._handlers[name]
        except (ValueError, KeyError, AttributeError, TypeError):
            return {"error": "The daemon does not know that request.", "kind": "Unknown"}
        try:
            value = await handler(**request)
        except GodaemonError as refusal:
            return {"error": refusal.public, "kind": type(refusal).__name__}
        except Exception:  # noqa: BLE001 - the operator is told; the daemon goes on
            _log.exception("control.failed", request=name)
            return {"error": "The daemon failed at that; its log says why.", "kind": "Temporary"}
        return {"ok": value}


def running(path: Path) -> bool:
    """Whether a daemon answers at a control socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(5)
        try:
            probe.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            return False
        except PermissionError as fault:
            raise Busy(
                f"A godaemon runs here, but {path} is not yours to open: ask as its own user."
            ) from fault
        except OSError:
            return False
    return True


def ask(path: Path, request: str, *, patience: float = 30, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
    """Ask a running daemon; raises what it raised, or `Temporary` where it does not answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(patience)
        try:
            line.connect(str(path))
            line.sendall(json.dumps({"do": request, **arguments}).encode() + b"\n")
            with line.makefile("rb") as reader:
                answer = reader.readline()
        except OSError as fault:
            raise Temporary(f"The daemon at {path} does not answer.", detail=str(fault)) from fault
    if not answer:
        raise Temporary(f"The daemon at {path} went away before it had answered.")
    said = json.loads(answer)
    if "ok" in said:
        return said["ok"]
    raise _as_raised(said)


def _as_raised(said: Mapping[str, str]) -> GodaemonError:
    kind = getattr(errors, said.get("kind", ""), Temporary)
    known = isinstance(kind, type) and issubclass(kind, GodaemonError)
    plain = known and kind is not errors.IllegalMove
    return kind(said["error"]) if plain else Unknown(said["error"])
