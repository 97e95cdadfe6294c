"""Options that subcommands share, and their question to a daemon or, where none runs, the store."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from godaemon.errors import NotRunning, Unreadable

if TYPE_CHECKING:  # --help loads no database and no mail stack
    from godaemon.config.settings import Settings
    from godaemon.storage.database import Database

Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="The configuration (else $GODAEMON_CONFIG, else /etc/godaemon/godaemon.toml).",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Row = dict[str, Any]
"""One of a list, by its keys in JSON."""
MOST_READ = 10 * 2**20
"""Bytes: what is sent to us, and what a daemon is asked about, is shorter."""


def contents(games: int, events: int) -> str:
    """`1 game, 12 events`."""
    counted = [(games, "game"), (events, "event")]
    return ", ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counted)


_NUMBERS = 2**63
"""Below this a database can count."""


def number_of(what: str, listed: str) -> Callable[[str], int]:
    """A reader of numbers, which says where such numbers are to be seen."""

    def _read(said: str) -> int:
        if not said.isdecimal() or len(said) > 20 or not 0 < int(said) < _NUMBERS:
            wrong = f"“{said}” is not the number of a {what}; see: godaemon {listed}"
            raise typer.BadParameter(wrong)

        return int(said)

    return _read


Number = Annotated[
    int,
    typer.Argument(metavar="N", help="The game's number.", parser=number_of("game", "games")),
]


def game_or_line(said: str) -> int | str:
    """A game's number; or a game on one line, perhaps in a URL, as it is (Simple Go Notation)."""
    from godaemon.records.sgn import cut

    return cut(said)[0] or number_of("game", "games")(said)


GameOrLine = Annotated[
    Any,
    typer.Argument(
        metavar="N", help="The game's number, or 19x19,Q16b,D4w ...", parser=game_or_line
    ),
]


def record_of(config: Path | None, game: int | str) -> str:
    """The record of a game as SGF."""
    if isinstance(game, int):
        return str(ask(config, "sgf", number=game))
    from godaemon.records import sgf, sgn

    return sgf.write(sgn.read(game))


def settings(config: Path | None) -> Settings:
    """The configuration; raises `ConfigError`."""
    from godaemon.config.loading import load

    return load(config, os.environ)


def ask(config: Path | None, request: str, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
    """Ask the running daemon; where none runs, look into the store ourselves.

    Raises `NotAllowed` for a store of an older version, which looking would change.
    """
    from godaemon.control import control_client as control
    from godaemon.control.daemon_here import running

    found = settings(config)
    if running(found.control.socket):
        return control.ask(found.control.socket, request, **arguments)
    from godaemon.daemon.operations import QUESTIONS
    from godaemon.errors import NotAllowed
    from godaemon.storage.identity import older
    from godaemon.storage.unit_of_work import SqlUnit

    if why := older(found.database_url):
        raise NotAllowed(why)
    with own_store(found) as database, database.connect() as connection:
        return QUESTIONS[request](SqlUnit(connection), **arguments)


def pages(config: Path | None, request: str, place: str, key: str) -> Iterator[Row]:
    """Ask for a list a page after the other, so that a daemon has time for its players between.

    A page is what comes past a `place`: the `key` of the last row before. Where no daemon runs the
    first one may have all.
    """
    past: dict[str, Any] = {}
    while rows := ask(config, request, **past):
        yield from rows
        past = {place: rows[-1][key]}


def hold_begun(found: Settings) -> None:
    """Raise `Unknown` where no store was ever begun, so that none is made by a wrong path."""
    from godaemon.errors import Unknown
    from godaemon.storage.identity import begun, blank

    state = found.state_directory
    if not begun(state) and blank(found.database_url):
        raise Unknown(f"There are no games in {state} yet: `godaemon serve` begins there.")


@contextmanager
def own_store(found: Settings) -> Iterator[Database]:
    """The store, while no daemon runs and none can start; raises `Unknown` where there is none."""
    from godaemon.storage.identity import open_store
    from godaemon.storage.lock import StateLock
    from godaemon.storage.restore import finish
    from godaemon.storage.server_lock import ServerLock

    hold_begun(found)
    state = found.state_directory
    with StateLock(state):
        finish(state)
        with (
            closing(open_store(found.database_url, state)) as database,
            ServerLock(found.database_url),
        ):
            yield database


def ask_daemon(config: Path | None, request: str, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
    """Ask the running daemon; raises `NotRunning` where none runs."""
    from godaemon.control import control_client as control

    found = _settings_or_defaults(config)
    hold_running(found)
    return control.ask(found.control.socket, request, **arguments)


def _settings_or_defaults(config: Path | None) -> Settings:
    """The configuration; where it is wrong, the usual one, if a daemon runs by that."""
    from godaemon.config.loading import parse
    from godaemon.control.daemon_here import running
    from godaemon.errors import ConfigError

    try:
        return settings(config)
    except ConfigError as fault:
        usual = parse("", "", os.environ)
        if config is not None or not running(usual.control.socket):
            raise
        typer.echo(f"{fault.public}\nThe daemon runs by what it has read before.", err=True)
        return usual


def whole(file: BinaryIO | Path) -> bytes:
    """All that is in a file; raises `Unreadable` where that is more than anybody would send."""
    with file.open("rb") if isinstance(file, Path) else nullcontext(file) as opened:
        content = opened.read(MOST_READ + 1)
    if len(content) > MOST_READ:
        raise Unreadable(f"{file.name} has more than {MOST_READ // 2**20} MB, and is not read.")
    return content


def write_out(path: Path, content: bytes) -> None:
    """Write a file that was asked for; raises `OSError` for a link, which may lead anywhere."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o666)
    with os.fdopen(handle, "wb") as file:
        file.write(content)


def hold_running(found: Settings) -> None:
    """Raise `NotRunning` where no daemon runs."""
    from godaemon.control.daemon_here import running

    if not running(found.control.socket):
        raise NotRunning(how_to_start(found))


def how_to_start(found: Settings) -> str:
    """That no daemon runs, and what starts one."""
    return (
        f"No godaemon runs for {found.state_directory}: start it by `godaemon serve`, or where it"
        " is a service by `systemctl start godaemon` (what ended that: `journalctl -u godaemon`)."
    )


def tell(value: Any, *, as_json: bool, lines: Callable[[Any], Iterator[str]]) -> None:  # noqa: ANN401
    """Print a value as JSON, or in lines for a person."""
    if as_json:
        typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
        return
    for line in lines(value):
        typer.echo(line)


def tell_rows(
    rows: Iterable[Row], *, as_json: bool, shown: Callable[[Row], str], none: str = ""
) -> None:
    """Print rows as JSON, or each as it is `shown` to a person; or the sentence for `none`."""

    def _lines(rows: Iterable[Row]) -> Iterator[str]:
        row = None
        for row in rows:
            yield shown(row)
        if row is None:
            yield none

    tell(list(rows) if as_json else rows, as_json=as_json, lines=_lines)
