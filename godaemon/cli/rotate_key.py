"""`godaemon rotate-key`: sign letters with a new key from now on."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import typer

from godaemon.cli.common import Config, hold_begun, settings
from godaemon.errors import Refusal


def rotate_key(
    lost: Annotated[
        bool,
        typer.Option("--lost", help="The key is gone, and in no backup: emails of it are refused."),
    ] = False,
    config: Config = None,
) -> None:
    """Sign letters with a new key; the present one stays good for [mail] key_grace_days."""
    from godaemon.control import control_client as control
    from godaemon.control.daemon_here import running
    from godaemon.storage.identity import open_store
    from godaemon.storage.lock import StateLock
    from godaemon.storage.restore import finish
    from godaemon.storage.server_copy import no_daemon
    from godaemon.system.clock import SystemClock
    from godaemon.system.signing_keys import FILE, all_keys
    from godaemon.system.signing_keys import rotate_key as rotate

    found = settings(config)
    days, state, url = found.mail.key_grace_days, found.state_directory, found.database_url
    if not lost and running(found.control.socket):
        days = control.ask(found.control.socket, "rotate-key")["days"]
    else:
        hold_begun(found)
        with StateLock(state), no_daemon(url):
            finish(state)
            if lost and all_keys(state):
                raise Refusal(
                    f"There is a {FILE} in {state}, so it is not lost, and all is as it was. To"
                    " sign with a new key, leave out --lost; where the present one may be in wrong"
                    " hands, move it out of that folder first."
                )
            open_store(url, state, key_is_lost=lost).close()
            if not lost:
                rotate(state, SystemClock().now(), timedelta(days=days))
                open_store(url, state).close()
    if lost:
        typer.echo("Letters are signed with a new key from now on. Make a backup.")
        return
    typer.echo(
        "Letters are signed with a new key from now on. Those that players have stay good for"
        f" {days} {'day' if days == 1 else 'days'}. Make a backup: the last one lacks the new key."
    )
