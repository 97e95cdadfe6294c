"""`godaemon rotate-key`: sign letters with a new key from now on."""

from __future__ import annotations

from datetime import timedelta

import typer

from godaemon.cli.common import Config, settings


def rotate_key(config: Config = None) -> None:
    """Sign letters with a new key; the present one stays good for [mail] key_grace_days."""
    from godaemon.control import control_client as control
    from godaemon.storage.lock import StateLock
    from godaemon.system.clock import SystemClock
    from godaemon.system.signing_keys import rotate_key as rotate

    found = settings(config)
    days = found.mail.key_grace_days
    if control.running(found.control.socket):
        days = control.ask(found.control.socket, "rotate-key")["days"]
    else:
        with StateLock(found.state_directory):
            rotate(found.state_directory, SystemClock().now(), timedelta(days=days))
    typer.echo(
        "Letters are signed with a new key from now on. Those that players have stay good for"
        f" {days} {'day' if days == 1 else 'days'}. Make a backup: the last one lacks the new key."
    )
