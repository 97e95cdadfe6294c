"""The commands that look after the store: backup, restore, export, import, keys, pruning."""

from __future__ import annotations

import os
import shlex
import sys
from base64 import b64decode
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from godaemon.cli.common import daemon_socket, format_count, load_settings, own_store, require_begun
from godaemon.cli.exit_statuses import EXIT_DAMAGED
from godaemon.config.config_file import File
from godaemon.config.settings import Settings
from godaemon.control import control_client
from godaemon.errors import Corrupt, Refusal
from godaemon.storage import deletion, packed_logs, sqlite_file
from godaemon.storage.backup import Backup
from godaemon.storage.backup import backup as make
from godaemon.storage.identity import open_store
from godaemon.storage.locks import state_lock
from godaemon.storage.restore import export_site as write
from godaemon.storage.restore import finish_restore
from godaemon.storage.restore import import_site as take_in
from godaemon.storage.restore import restore as bring_back
from godaemon.storage.server_copy import no_daemon
from godaemon.system import signing_keys
from godaemon.system.clock import Clock
from godaemon.system.signing_keys import KEY_FILE, all_keys

_NICE = 10
"""The nice value of backups, so that games come first; the timer's unit sets it too."""
_LONG = 86400.0
"""Seconds that pruning may take."""


def _contents_text(games: int, events: int) -> str:
    return f"{format_count(games, 'game')}, {format_count(events, 'event')}"


def _tell_damaged(damaged: Sequence[tuple[int, str]]) -> None:
    for game, why in damaged:
        print(f"Game {game} is damaged, and put aside: {why}.", file=sys.stderr)


def backup(dest: str, config: File | None) -> int:
    """Write a verified backup of all games and the key to a new folder, also while a daemon runs.

    Returns 65 if something in it is damaged or missing.
    """
    found = load_settings(config)
    with suppress(PermissionError):  # the unit forbids it, and has set it itself
        os.nice(_NICE)
    made = make(found.database_url, found.state_directory, Path(dest), _rescued_files(config))
    print(f"{dest} holds {_contents_text(made.games, made.events)}, verified.")
    if not made.key and made.signed is None:
        print("There was no key to copy: no email has been written yet.")
    return _tell_faults(made, Path(dest))


def _rescued_files(config: File | None) -> dict[str, bytes]:
    """The files that a running daemon still has open, if its store was removed."""
    with suppress(Corrupt):  # the file is there but damaged, and will be salvaged
        if (socket := daemon_socket(config)) is not None:
            files = control_client.ask(socket, "rescue", patience=300)
            return {name: b64decode(content) for name, content in files.items()}
    return {}


def restore(source: str, move_aside: bool, config: File | None) -> int:
    found, folder = load_settings(config), Path(source)
    state, url = found.state_directory, found.database_url
    restored = bring_back(folder, state, Clock().now(), move_aside=move_aside, url=url)
    games = restored.backup.games
    print(f"{format_count(games, 'game')} {'is' if games == 1 else 'are'} back in {state}.")
    if restored.replaced:
        print(f"What was there before is in {restored.replaced}.")
    return _tell_faults(restored.backup, folder, state if all_keys(state) else None)


def _tell_faults(made: Backup, folder: Path, keys: Path | None = None) -> int:
    """Say what is damaged or missing in a backup, and what to do; returns the exit status.

    `keys` is the folder whose key stays where the backup has none.
    """
    folder = folder.resolve()  # the commands shown here may be run from any folder
    if made.lost is not None:
        rows = ", ".join(f"{count} of {table}" for table, count in made.lost.items())
        print(
            "The database itself is damaged. All of it that can be read is in that backup"
            + (f"; lost rows: {rows}" if rows else "")
            + ". To go on from there, stop the daemon, and run: godaemon restore"
            f" {shlex.quote(str(folder))} --move-aside",
            file=sys.stderr,
        )
    _tell_damaged(made.aside)
    if made.aside:
        print(
            "All other games go on. To go back to when all were whole, stop the daemon, and run:"
            " godaemon restore BACKUP --move-aside, with a backup made before.",
            file=sys.stderr,
        )
    keyless = made.signed is not None and not made.key
    if keyless:
        remedy = (
            f"the one in {keys} stays, and signs for these games. Copy it into the backup."
            if keys
            else "keep one beside it. Without the key, no email that players have can be answered."
        )
        print(f"There is no key in {folder}: {remedy}", file=sys.stderr)
    return EXIT_DAMAGED if made.lost is not None or made.aside or keyless else 0


def export(file: str, config: File | None) -> None:
    found = load_settings(config)
    require_begun(found)
    held = write(found.database_url, found.state_directory, Path(file))
    print(f"{file} holds {_contents_text(held.games, held.events)}.")
    _tell_damaged(held.aside)


def import_(file: str, config: File | None) -> None:
    found = load_settings(config)
    state = found.state_directory
    held = take_in(Path(file), found.database_url, state, Clock().now())
    print(f"{state} holds {_contents_text(held.games, held.events)}, verified.")


def rotate_key(lost: bool, config: File | None) -> None:
    found = load_settings(config)
    days, state, url = found.mail.key_grace_days, found.state_directory, found.database_url
    socket = None if lost else daemon_socket(config)
    if socket is not None:
        days = control_client.ask(socket, "rotate-key")["days"]
    else:
        require_begun(found)
        with state_lock(state), no_daemon(url):
            finish_restore(state)
            if lost:
                _require_lost(state)
            open_store(url, state, key_is_lost=lost).close()
            if not lost:
                signing_keys.rotate_key(state, Clock().now(), timedelta(days=days))
                open_store(url, state).close()
    if lost:
        print("Emails are signed with a new key from now on. Make a backup.")
        return
    print(
        "Emails are signed with a new key from now on. Those that players have stay good for"
        f" {format_count(days, 'day')}. Make a backup: the last one lacks the new key."
    )


def _require_lost(state: Path) -> None:
    if all_keys(state):
        raise Refusal(
            f"There is a {KEY_FILE} in {state}, so it is not lost, and nothing was changed. To sign"
            " with a new key, leave out --lost; where the present one may be in wrong hands, move"
            " it out of that folder first."
        )


def prune(config: File | None) -> None:
    found = load_settings(config)
    socket = daemon_socket(config)
    gone = (
        control_client.ask(socket, "prune", patience=_LONG)
        if socket is not None
        else _prune_here(found)
    )
    days = found.mail.remember_days
    print(f"Deleted rows about emails more than {days} days old: {gone}.")


def _prune_here(found: Settings) -> int:
    gone, before = 0, Clock().now() - timedelta(days=found.mail.remember_days)
    with own_store(found) as database:
        done: int = 1
        after: int | None = 0
        while done:
            with database.connect() as connection, connection.begin():
                done = deletion.prune(connection, before)
            gone += done
        while after is not None:
            with database.connect() as connection, connection.begin():
                _, after = packed_logs.pack_some(connection, before, after)
        if database.file is not None:
            database.engine.dispose()
            sqlite_file.rebuild(database.file)
    return gone
