"""`godaemon prune`: let go what has been done with for long, as the daemon does once a day."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import typer

from godaemon.cli.common import Config, own_store, settings

if TYPE_CHECKING:  # --help loads no database
    from godaemon.config.settings import Settings
    from godaemon.storage.database import Database

_PATIENCE = 86400.0


def prune(config: Config = None) -> None:
    """Forget that old emails were sent; where no daemon runs, make the store's file small, too."""
    from godaemon.control import control_client as control
    from godaemon.control.daemon_here import running

    found = settings(config)
    if running(found.control.socket):
        gone = control.ask(found.control.socket, "prune", patience=_PATIENCE)
    else:
        gone = _ourselves(found)
    days = found.mail.remember_days
    typer.echo(f"Rows about emails of more than {days} days ago that were let go: {gone}.")


def _ourselves(found: Settings) -> int:
    from godaemon.storage import free_pages
    from godaemon.system.clock import SystemClock

    gone, before = 0, SystemClock().now() - timedelta(days=found.mail.remember_days)
    with own_store(found) as database:
        while done := _step(database, before):
            gone += done
        _pack(database, before)
        if database.file is not None:
            database.engine.dispose()
            free_pages.rebuild(database.file)
    return gone


def _pack(database: Database, before: datetime) -> None:
    from godaemon.storage import old_logs

    after: int | None = 0
    while after is not None:
        with database.connect() as connection, connection.begin():
            _, after = old_logs.pack_some(connection, before, after)


def _step(database: Database, before: datetime) -> int:
    from godaemon.storage import retention

    with database.connect() as connection, connection.begin():
        return retention.prune(connection, before)
