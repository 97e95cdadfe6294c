"""The daemon's side of the control socket: answers requests by handlers.

The socket is open to its owner (mode 0600), or also to a group (0660). Everyone who can open it is
an operator, and may use all handlers. A handler's `GodaemonError` is sent as its sentence and
class; another exception is logged, and the answer says that the daemon failed.
"""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import structlog

from godaemon.errors import GodaemonError
from godaemon.system.acceptor import Acceptor, stream_handler
from godaemon.system.passed_sockets import NONE_PASSED, PassedSockets
from godaemon.system.sockets import listen

Handler = Callable[..., Awaitable[Any]]
"""Handles one kind of request: takes its keyword arguments, and returns a JSON value."""

_log = structlog.get_logger("godaemon.control")


class ControlServer:
    """Answers requests; `handlers` are the functions by the names of requests."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self._handlers = handlers

    async def open(
        self, path: Path, group: str | None = None, passed: PassedSockets = NONE_PASSED
    ) -> Acceptor:
        """Listen on a Unix socket for our own user, and for a group if given."""
        sockets = await listen(path, passed, mode=0o660 if group else 0o600, group=group)
        return Acceptor(sockets, stream_handler(self._serve))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
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
            return {"error": "The daemon failed to do that; its log says why.", "kind": "Temporary"}
        return {"ok": value}
