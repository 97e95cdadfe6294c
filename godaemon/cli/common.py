"""Options that subcommands share, and their question to a daemon or, where none runs, the store."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:  # --help loads no database and no mail stack
    from godaemon.config.settings import Settings
    from godaemon.games.service import GameService
    from godaemon.storage.unit import SqlUnit

Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="The configuration (else $GODAEMON_CONFIG, else /etc/godaemon/godaemon.toml).",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Number = Annotated[int, typer.Argument(metavar="N", help="The game's number.", min=1)]


def settings(config: Path | None) -> Settings:
    """The configuration; raises `ConfigError`."""
    from godaemon.config.loading import load

    return load(config, os.environ)


def ask(
    config: Path | None,
    request: str,
    work: Callable[[GameService], Any],
    **arguments: Any,  # noqa: ANN401 - JSON
) -> Any:  # noqa: ANN401 - JSON
    """Ask the running daemon about games; where none runs, look into the store ourselves."""

    def look(unit: SqlUnit, games: Callable[[SqlUnit], GameService]) -> Any:  # noqa: ANN401
        return work(games(unit))

    return _answered(config, request, look, arguments)


def ask_store(
    config: Path | None,
    request: str,
    work: Callable[[SqlUnit], Any],
    **arguments: Any,  # noqa: ANN401 - JSON
) -> Any:  # noqa: ANN401 - JSON
    """The same about what is not a game."""
    return _answered(config, request, lambda unit, _: work(unit), arguments)


def _answered(
    config: Path | None,
    request: str,
    look: Callable[[SqlUnit, Callable[[SqlUnit], GameService]], Any],
    arguments: dict[str, Any],
) -> Any:  # noqa: ANN401 - JSON
    from godaemon.control import control_client as control

    found = settings(config)
    if control.running(found.control.socket):
        return control.ask(found.control.socket, request, **arguments)
    with opened(found) as (unit, games):
        return look(unit, games)


@contextmanager
def opened(found: Settings) -> Iterator[tuple[SqlUnit, Callable[[SqlUnit], GameService]]]:
    """The store, opened by ourselves while no daemon runs, for one transaction that only reads."""
    from godaemon.daemon.app import chance
    from godaemon.errors import Unknown
    from godaemon.games.game_cache import GameCache
    from godaemon.games.service import GameService
    from godaemon.storage.database import FILE, open_database
    from godaemon.storage.lock import StateLock
    from godaemon.storage.unit import SqlUnit
    from godaemon.system.clock import SystemClock

    state = found.state_directory
    if found.database_url.startswith("sqlite") and not (state / FILE).exists():
        raise Unknown(f"There are no games in {state} yet: `godaemon serve` begins there.")

    def games(unit: SqlUnit) -> GameService:
        return GameService(unit, GameCache(), SystemClock().now(), chance(), found.mail.limits)

    with StateLock(state):
        database = open_database(found.database_url)
        try:
            with database.connect() as connection:
                yield SqlUnit(connection), games
        finally:
            database.close()


def tell(value: Any, *, as_json: bool, lines: Callable[[Any], Iterator[str]]) -> None:  # noqa: ANN401
    """Print a value as JSON, or in lines for a person."""
    if as_json:
        typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
        return
    for line in lines(value):
        typer.echo(line)
