"""Functions that subcommands share: requests to a daemon or, if none runs, to the store."""

from __future__ import annotations

import json as js
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, BinaryIO

from godaemon.cli import daemon_socket
from godaemon.config.config_file import File
from godaemon.control import control_client
from godaemon.errors import NotAllowed, NotRunning, Unknown, Unreadable

if TYPE_CHECKING:  # commands that only ask a daemon do not load the configuration
    from godaemon.config.settings import Settings
    from godaemon.storage.database import Database

Row = dict[str, Any]
"""A row of a list, as a JSON object."""
MAX_READ = 10 * 2**20
"""The limit on files that we read, in bytes; emails and records are smaller."""


def format_count(count: int, noun: str) -> str:
    """`1 game`, `12 games`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def load_settings(config: File | None) -> Settings:
    """The configuration; raises `ConfigError`."""
    from godaemon.config.loading import load

    return load(config, os.environ)


def ask(config: File | None, request: str, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
    """Ask the running daemon or, if none runs, query the store directly.

    Raises `NotAllowed` for a store of an older version, because opening would migrate it.
    """
    if (socket := daemon_socket("control", config)) is not None:
        return control_client.ask(socket, request, **arguments)
    from godaemon.daemon.operations import QUERIES
    from godaemon.storage.identity import migration_hint
    from godaemon.storage.unit_of_work import Unit

    settings = load_settings(config)
    if hint := migration_hint(settings.database_url):
        raise NotAllowed(hint)
    with own_store(settings) as database, database.connect() as connection:
        return QUERIES[request](Unit(connection), **arguments)


def ask_daemon(config: File | None, request: str, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
    """Ask the running daemon; raises `NotRunning` if there is none."""
    if (socket := daemon_socket("control", config)) is None:
        raise NotRunning(start_hint(load_settings(config)))
    return control_client.ask(socket, request, **arguments)


def run_request(
    request: str,
    *,
    config: File | None,
    json: bool = False,
    **arguments: Any,  # noqa: ANN401 - JSON
) -> None:
    """Send a request to the daemon, and print the sentence of its answer."""
    answer = ask_daemon(config, request, **arguments)
    sentence = answer.pop("sentence")
    print_value(answer, lambda _: [sentence], json=json)


def start_hint(settings: Settings) -> str:
    """A sentence that says that no daemon runs, or cannot be reached, and what helps."""
    return (
        f"No godaemon runs for {settings.state_directory}, or it does not answer at"
        f" {settings.control.socket}: start it by `godaemon serve`, or its service by `systemctl"
        " restart godaemon` (see its log: `journalctl -u godaemon`)."
    )


def pages(config: File | None, request: str, place: str, key: str) -> Iterator[Row]:
    """Request a list page by page, so that a daemon can serve players between pages.

    The argument `place` of each further request is the `key` of the last row.
    """
    position: dict[str, Any] = {}
    while rows := ask(config, request, **position):
        yield from rows
        position = {place: rows[-1][key]}


def require_begun(settings: Settings) -> None:
    """Raise `Unknown` if there is no store yet, so that a wrong path does not create one."""
    from godaemon.storage.identity import is_blank, store_was_made

    state = settings.state_directory
    if not store_was_made(state) and is_blank(settings.database_url):
        raise Unknown(f"There are no games in {state} yet; to create a store: `godaemon serve`.")


@contextmanager
def own_store(settings: Settings) -> Iterator[Database]:
    """The store, locked so that no daemon can start; raises `Unknown` if there is none."""
    from godaemon.storage.identity import open_store
    from godaemon.storage.locks import server_lock, share_tables, state_lock
    from godaemon.storage.restore import finish_restore

    require_begun(settings)
    state = settings.state_directory
    with state_lock(state):
        finish_restore(state)
        with (
            closing(open_store(settings.database_url, state)) as database,
            server_lock(settings.database_url, share_tables),
        ):
            yield database


def read_whole(file: str) -> bytes:
    """The content of a file ("-" is standard input); raises `Unreadable` if it is too large."""
    stream: BinaryIO
    with nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as stream:
        content = stream.read(MAX_READ + 1)
    if len(content) > MAX_READ:
        raise Unreadable(f"{file} is larger than {MAX_READ // 2**20} MB, which is the limit.")
    return content


def write_out(file: str | None, content: bytes) -> None:
    """Write to a file, or without one to standard output; raises `OSError` for a symbolic link."""
    if file is None:
        sys.stdout.buffer.write(content)
        return
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o666)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)


def print_value(value: Any, lines: Callable[[Any], Iterable[str]], *, json: bool) -> None:  # noqa: ANN401
    """Print a value as JSON, or as lines for people."""
    if json:
        print(js.dumps(value, ensure_ascii=False, indent=2))
        return
    for line in lines(value):
        print(line)


def print_rows(
    rows: Iterable[Row], format_row: Callable[[Row], str], *, json: bool, none: str = ""
) -> None:
    """Print rows as JSON or as text; without rows print the sentence `none`."""

    def _lines(rows: Iterable[Row]) -> Iterator[str]:
        row = None
        for row in rows:
            yield format_row(row)
        if row is None and none:
            yield none

    print_value(list(rows) if json else rows, _lines, json=json)
