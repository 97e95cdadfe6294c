"""The commands about the store: backup, restore, export, import, keys, pruning."""

import os
import shlex
import sys
from base64 import b64decode
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from godaemon.cli import EXIT_DAMAGED, daemon_socket
from godaemon.cli.common import format_count, load_settings, own_store, require_begun
from godaemon.config.config_file import File
from godaemon.config.settings import Settings
from godaemon.control import control_client
from godaemon.errors import Corrupt, Refusal
from godaemon.storage import deletion, packed_logs, sqlite_file
from godaemon.storage.backup import Backup
from godaemon.storage.backup import backup as write_backup
from godaemon.storage.connections import read_url, sqlite_path
from godaemon.storage.identity import open_store
from godaemon.storage.locks import keep_daemons_off, server_lock, state_lock
from godaemon.storage.restore import export_site, finish_restore, import_site
from godaemon.storage.restore import restore as restore_backup
from godaemon.system import signing_keys
from godaemon.system.clock import Clock
from godaemon.system.signing_keys import KEY_FILE, all_keys

_NICE = 10
"""The nice value of backups, so that games come first; the timer's unit sets it too."""
_PRUNE_TIMEOUT = 86400.0
"""The timeout of pruning, in seconds."""


def _contents_text(report: Backup) -> str:
    return f"{format_count(report.games, 'game')}, {format_count(report.events, 'event')}"


def _print_damaged(damaged: Sequence[tuple[int, str]]) -> None:
    for game, reason in damaged:
        print(f"Game {game} is damaged, and set aside: {reason}.", file=sys.stderr)


def backup(dest: str, config: File | None) -> int:
    """Write a verified backup to a new folder; returns 65 if a part is damaged or missing."""
    settings = load_settings(config)
    with suppress(PermissionError):  # the unit has set it, and forbids this call
        os.nice(_NICE)
    url, state = settings.database_url, settings.state_directory
    report = write_backup(url, state, Path(dest), _rescued_files(config))
    print(f"{dest} holds {_contents_text(report)}, verified.")
    if not report.has_key and report.key_fingerprint is None:
        print("There is no key yet, because no email was sent.")
    return _print_faults(report, Path(dest))


def _rescued_files(config: File | None) -> dict[str, bytes]:
    """The files that a running daemon still has open, if its store was removed."""
    with suppress(Corrupt):  # the file exists, but is damaged; the backup salvages it
        if (socket := daemon_socket("control", config)) is not None:
            files = control_client.ask(socket, "rescue", patience=300)
            return {name: b64decode(content) for name, content in files.items()}
    return {}


def restore(source: str, move_aside: bool, config: File | None) -> int:
    settings, folder = load_settings(config), Path(source)
    state, url = settings.state_directory, settings.database_url
    report, replaced = restore_backup(folder, state, Clock().now(), move_aside=move_aside, url=url)
    print(f"{state} has {format_count(report.games, 'game')} again.")
    if replaced:
        print(f"The replaced store is in {replaced}.")
    return _print_faults(report, folder, state if all_keys(state) else None)


def _print_faults(report: Backup, folder: Path, keys: Path | None = None) -> int:
    """Print the damaged or missing parts of a backup, and the remedy; returns the exit status.

    `keys` is the folder whose key stays if the backup has none.
    """
    folder = folder.resolve()  # the printed commands may be run from any folder
    if report.lost_rows is not None:
        rows = ", ".join(f"{count} of {table}" for table, count in report.lost_rows.items())
        print(
            "The database itself is damaged. The backup has everything that can be read"
            + (f"; lost rows: {rows}" if rows else "")
            + ". To continue from it, stop the daemon, and run: godaemon restore"
            f" {shlex.quote(str(folder))} --move-aside",
            file=sys.stderr,
        )
    _print_damaged(report.set_aside)
    if report.set_aside:
        print(
            "All other games go on. To return to an earlier, undamaged backup, stop the daemon, and"
            " run: godaemon restore BACKUP --move-aside",
            file=sys.stderr,
        )
    lacks_key = report.key_fingerprint is not None and not report.has_key
    if lacks_key:
        remedy = (
            f"the one in {keys} stays, and signs for these games. Copy it into the backup."
            if keys
            else "keep one beside it. Without the key, players cannot answer the emails they have."
        )
        print(f"There is no key in {folder}: {remedy}", file=sys.stderr)
    return EXIT_DAMAGED if report.lost_rows is not None or report.set_aside or lacks_key else 0


def export(file: str, config: File | None) -> None:
    settings = load_settings(config)
    require_begun(settings)
    contents = export_site(settings.database_url, settings.state_directory, Path(file))
    print(f"{file} holds {_contents_text(contents)}.")
    _print_damaged(contents.set_aside)


def import_(file: str, config: File | None) -> None:
    settings = load_settings(config)
    state, url = settings.state_directory, read_url(settings.database_url)
    contents = import_site(Path(file), settings.database_url, state, Clock().now())
    place = state if sqlite_path(url) else url.render_as_string()  # hides a password
    print(f"{place} holds {_contents_text(contents)}, verified.")


def rotate_key(lost: bool, config: File | None) -> None:
    settings = load_settings(config)
    state, url, days = settings.state_directory, settings.database_url, settings.mail.key_grace_days
    if not lost and (socket := daemon_socket("control", config)) is not None:
        days = control_client.ask(socket, "rotate-key")["days"]
    else:
        require_begun(settings)
        with state_lock(state), server_lock(url, keep_daemons_off):
            finish_restore(state)
            if lost and all_keys(state):
                raise Refusal(
                    f"There is a {KEY_FILE} in {state}, so it is not lost, and nothing was changed."
                    " To sign with a new key, leave out --lost. If somebody else may have the"
                    " present key, move it out of that folder first."
                )
            open_store(url, state, key_is_lost=lost).close()
            if not lost:
                signing_keys.rotate_key(state, Clock().now(), timedelta(days=days))
                open_store(url, state).close()
    print(
        "Emails are signed with a new key from now on. Make a backup: earlier ones lack this key."
    )
    if not lost:
        print(f"Earlier emails can be answered for {format_count(days, 'day')}.")


def prune(config: File | None) -> None:
    settings = load_settings(config)
    if (socket := daemon_socket("control", config)) is not None:
        count = control_client.ask(socket, "prune", patience=_PRUNE_TIMEOUT)
    else:
        count = _prune_here(settings)
    days = settings.mail.remember_days
    print(f"Deleted rows about emails more than {days} days old: {count}.")


def _prune_here(settings: Settings) -> int:
    count, limit = 0, Clock().now() - timedelta(days=settings.mail.remember_days)
    with own_store(settings) as database:
        deleted: int = 1
        position: int | None = 0
        while deleted:
            with database.connect() as connection, connection.begin():
                deleted = deletion.prune(connection, limit)
            count += deleted
        while position is not None:
            with database.connect() as connection, connection.begin():
                _, position = packed_logs.pack_some(connection, limit, position)
        if database.file is not None:
            database.engine.dispose()
            sqlite_file.rebuild(database.file)
    return count
