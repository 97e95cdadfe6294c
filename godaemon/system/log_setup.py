"""The daemon's log: one line per event on standard error, by structlog.

Lines are plain text on a terminal, and JSON elsewhere. Under systemd they are journal entries with
a field for each key, or lines with the journal's `<N>` priority. Events are named
THING.WHAT-HAPPENED (LOG in godaemon(1) lists the things), and share a few keys: game, seat, detail,
message_id, peer. Logging never raises. The journal's own protocol is a datagram of fields
(https://systemd.io/JOURNAL_NATIVE_PROTOCOL).
"""

import logging
import os
import re
import socket
import sys
from collections.abc import Mapping
from typing import Any, Literal, cast

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from godaemon.system.lossy_stream import LossyStream

Format = Literal["auto", "console", "json", "journal"]

_MAC = re.compile(r"(?:(?<=[0-9a-f])|(?<=[0-9][on]))-[a-z2-7]{16}(?![a-z2-7])", re.IGNORECASE)
_PRIORITY = {"critical": 2, "error": 3, "warning": 4, "info": 6, "debug": 7}


def configure(level: str, style: Format, environ: Mapping[str, str] = os.environ) -> None:
    """Log from `level` on; the style `auto` depends on the target of standard error."""
    if style == "auto":
        style = "console" if sys.stderr.isatty() else "json"
        style = "journal" if "JOURNAL_STREAM" in environ else style
    structlog.configure(
        processors=[_failsafe(_processors(style, environ))],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    # aiosmtpd logs every command of every session through the standard library.
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, force=True)
    # flufl.bounce logs every report format that an email does not match.
    logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)


def lost_lines() -> int:
    """The number of lines that were lost because standard error is closed, stuck or full."""
    return sys.stderr.lost if isinstance(sys.stderr, LossyStream) else 0


def _failsafe(processors: list[Processor]) -> Processor:
    """A processor that runs others in order; if one fails, it returns a short line instead."""

    def _line(logger: WrappedLogger, method: str, event: EventDict) -> Any:  # noqa: ANN401 - as theirs
        name, result = event.get("event"), event
        try:
            for processor in processors:
                result = cast("EventDict", processor(logger, method, result))
        except Exception as fault:  # noqa: BLE001 - logging must never raise
            return f"{name}: no line could be made of it: {type(fault).__name__}"
        return result

    return _line


def _processors(style: Format, environ: Mapping[str, str]) -> list[Processor]:
    """The steps to a line; no local variables, which may contain our key or people's emails."""
    start: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        _remove_secrets,
    ]
    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True)
    if style == "journal":
        send = _send_entry if is_journal(environ) else _logfmt
        faults = structlog.processors.format_exc_info
        return [*start, faults, _make_plain, send, _add_priority]
    if style == "console":
        is_plain = environ.get("NO_COLOR") or environ.get("TERM") == "dumb"  # no-color.org
        console = structlog.dev.ConsoleRenderer(
            colors=not is_plain and sys.stderr.isatty(),
            exception_formatter=structlog.dev.plain_traceback,
        )
        return [*start, stamp, console]
    traces = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    tracebacks = structlog.processors.ExceptionRenderer(traces)
    return [*start, stamp, tracebacks, structlog.processors.JSONRenderer(default=str)]


def _remove_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Remove the MACs of tokens: anyone with a whole token can play for its owner."""
    return {
        key: _MAC.sub("-...", value) if isinstance(value, str) else value
        for key, value in event.items()
    }


def _make_plain(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Drop the level, which becomes the journal's priority, and turn all values into text."""
    event.pop("level", None)
    return {key: str(value) for key, value in event.items() if value is not None}


_logfmt = structlog.processors.LogfmtRenderer(key_order=["event"], bool_as_flag=False)


def _send_entry(logger: WrappedLogger, method: str, event: EventDict) -> str:
    """Send a journal entry; if that fails, return the line for standard error."""
    fields = {name.upper(): value for name, value in event.items()}
    line = _logfmt(logger, method, event)
    common = {"PRIORITY": str(_PRIORITY.get(method, 6)), "SYSLOG_IDENTIFIER": "godaemon"}
    if send_to_journal({"MESSAGE": line, **common, **fields}):
        raise structlog.DropEvent
    return line


def _add_priority(_logger: WrappedLogger, method: str, line: Any) -> str:  # noqa: ANN401 - a processor
    """Begin each line with the priority that journald reads (sd-daemon(3))."""
    prefix = f"<{_PRIORITY.get(method, 6)}>"
    return "\n".join(prefix + text for text in line.splitlines() or [""])


SOCKET = "/run/systemd/journal/socket"


def is_journal(environ: Mapping[str, str]) -> bool:
    """True if standard error is the stream that $JOURNAL_STREAM names (systemd.exec(5))."""
    try:
        status = os.fstat(2)
    except OSError:
        return False
    return environ.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"


def send_to_journal(fields: Mapping[str, str]) -> bool:
    """Send an entry with fields as in systemd.journal-fields(7); returns False if that fails."""
    entry = b""
    for name, value in fields.items():
        data = value.encode("utf-8", "backslashreplace")
        entry += name.encode() + b"\n" + len(data).to_bytes(8, "little") + data + b"\n"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(entry, socket.MSG_DONTWAIT, SOCKET)
    except OSError:  # it is too long, or nobody reads
        return False
    return True
