"""What subcommands share: their question to a daemon or, where none runs, to the store."""

from __future__ import annotations

import json as js
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, BinaryIO

from godaemon.config.config_file import File, socket_of
from godaemon.control import control_client
from godaemon.control.daemon_here import running
from godaemon.errors import NotAllowed, NotRunning, Unknown, Unreadable

if TYPE_CHECKING:  # what talks to a daemon loads no configuration and no database
    from godaemon.config.settings import Settings
    from godaemon.storage.database import Database

Row = dict[str, Any]
"""One of a list, by its keys in JSON."""
MOST_READ = 10 * 2**20
"""Bytes: what is sent to us, and what a daemon is asked about, is shorter."""


def counted(count: int, noun: str) -> str:
    """`1 game`, `12 games`."""
    return f"{count} {noun}{'s' * (count != 1)}"


def settings(config: File | None) -> Settings:
    """The configuration; raises `ConfigError`."""
    from godaemon.config.loading import load

    return load(config, os.environ)


def daemon_of(config: File | None) -> str | None:
    """The control socket of the daemon that runs by a configuration; None where none runs.

    The file is not checked for that: a slip in it hides no daemon that runs.
    """
    socket = socket_of("control", config, os.environ)
    if socket is None:  # no plain file: it is read as the daemon reads it
        socket = str(settings(config).control.socket)
    return socket if running(socket) else None


def ask(config: File | None, request: str, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
    """Ask the running daemon; where none runs, look into the store ourselves.

    Raises `NotAllowed` for a store of an older version, which looking would change.
    """
    if (daemon := daemon_of(config)) is not None:
        return control_client.ask(daemon, request, **arguments)
    from godaemon.daemon.operations import QUESTIONS
    from godaemon.storage.identity import older
    from godaemon.storage.unit_of_work import SqlUnit

    found = settings(config)
    if why := older(found.database_url):
        raise NotAllowed(why)
    with own_store(found) as database, database.connect() as connection:
        return QUESTIONS[request](SqlUnit(connection), **arguments)


def ask_daemon(config: File | None, request: str, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
    """Ask the running daemon; raises `NotRunning` where none runs."""
    if (daemon := daemon_of(config)) is None:
        raise NotRunning(how_to_start(settings(config)))
    return control_client.ask(daemon, request, **arguments)


def how_to_start(found: Settings) -> str:
    """Say that no daemon runs, and what starts one."""
    return (
        f"No godaemon runs for {found.state_directory}: start it by `godaemon serve`, or where it"
        " is a service by `systemctl start godaemon` (what ended that: `journalctl -u godaemon`)."
    )


def pages(config: File | None, request: str, place: str, key: str) -> Iterator[Row]:
    """Ask for a list page by page, so that a daemon has time for its players between.

    A page is what comes past a `place`: the `key` of the last row before. Where no daemon runs the
    first one may have all.
    """
    past: dict[str, Any] = {}
    while rows := ask(config, request, **past):
        yield from rows
        past = {place: rows[-1][key]}


def hold_begun(found: Settings) -> None:
    """Raise `Unknown` where no store was ever begun, so that none is made by a wrong path."""
    from godaemon.storage.identity import begun, blank

    state = found.state_directory
    if not begun(state) and blank(found.database_url):
        raise Unknown(f"There are no games in {state} yet: `godaemon serve` begins there.")


@contextmanager
def own_store(found: Settings) -> Iterator[Database]:
    """The store, while no daemon runs and none can start; raises `Unknown` where there is none."""
    from godaemon.storage.identity import open_store
    from godaemon.storage.locks import ServerLock, StateLock
    from godaemon.storage.restore import finish

    hold_begun(found)
    state = found.state_directory
    with StateLock(state):
        finish(state)
        with (
            closing(open_store(found.database_url, state)) as database,
            ServerLock(found.database_url),
        ):
            yield database


def whole(file: str) -> bytes:
    """All that is in a file ("-" is standard input); raises `Unreadable` for more than we take."""
    opened: BinaryIO
    with nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as opened:
        content = opened.read(MOST_READ + 1)
    if len(content) > MOST_READ:
        raise Unreadable(f"{file} has more than {MOST_READ // 2**20} MB, and is not read.")
    return content


def write_out(file: str | None, content: bytes) -> None:
    """Write a file that was asked for, or to standard output.

    Raises `OSError` for a link, which may lead anywhere.
    """
    if file is None:
        sys.stdout.buffer.write(content)
        return
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o666)
    with os.fdopen(handle, "wb") as opened:
        opened.write(content)


def tell(value: Any, lines: Callable[[Any], Iterable[str]], *, json: bool) -> None:  # noqa: ANN401
    """Print a value as JSON, or in lines for a person."""
    if json:
        print(js.dumps(value, ensure_ascii=False, indent=2))
        return
    for line in lines(value):
        print(line)


def tell_rows(
    rows: Iterable[Row], shown: Callable[[Row], str], *, json: bool, none: str = ""
) -> None:
    """Print rows as JSON, or a line or two of each; or the sentence for `none`."""

    def _lines(rows: Iterable[Row]) -> Iterator[str]:
        row = None
        for row in rows:
            yield shown(row)
        if row is None and none:
            yield none

    tell(list(rows) if json else rows, _lines, json=json)
