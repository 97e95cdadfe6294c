"""A backup is brought back, all of it or one game.

All of it in one step, whatever ends us within it: everything is made ready in a folder beside, and
the rename of that folder decides. Before, the old state stands; after it, whoever takes the state
folder next finishes what is left, which is renames alone. Raises `Refusal`, `Busy`, `Temporary`,
`Corrupt`, `ConfigError`.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import URL

from godaemon.errors import ConfigError, Corrupt, Damaged, Refusal, Temporary, Unknown
from godaemon.games.events import Credited, LogEntry
from godaemon.games.game_clock import WRONG
from godaemon.games.state import replay
from godaemon.storage import server_copy, write_ahead_log
from godaemon.storage.backup import RESTORING, Backup, copy_file, of_contents, read_log, verify
from godaemon.storage.connections import read_url
from godaemon.storage.contents import Contents
from godaemon.storage.database import FILE, open_database, store_url
from godaemon.storage.event_chain import ChainHead, StoredEvent
from godaemon.storage.game_store import SqlGames
from godaemon.storage.identity import FILE as ID
from godaemon.storage.identity import fingerprint
from godaemon.storage.lock import StateLock
from godaemon.storage.sqlite_copy import copy_database
from godaemon.system.clock import FILE as CLOCK
from godaemon.system.clock import TimeSeen
from godaemon.system.durable_files import sync
from godaemon.system.file_ownership import hand_over
from godaemon.system.signing_keys import FILE as KEY
from godaemon.system.signing_keys import OLD as OLD_KEYS
from godaemon.system.signing_keys import all_keys

_STATE = (FILE, f"{FILE}-wal", f"{FILE}-shm", KEY, OLD_KEYS, ID, CLOCK)
"""All that belongs together in a state folder."""
_READY, _PLACING = RESTORING
_ASIDE = "aside"
"""The file with the name of the folder to which the old state is moved; empty for nowhere."""
_OF_GAME = ("game_address", "event", "old_log", "rated_game")
"""What is brought back beside the row of a game."""
_MEANWHILE = ("pencil", "kept")
"""What a seat was about to do in the game as it was."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The contents brought back, and where the store that they replaced is now."""

    backup: Backup
    replaced: Path | None


def hold_here(url: str, state: Path) -> None:
    """Raise `ConfigError` where the configured SQLite store is not the one of the state folder."""
    if read_url(url).get_backend_name() != "sqlite":
        raise ConfigError(
            "One game alone is brought back into a SQLite store, and these games are on a server:"
            " restore the backup into a database of its own, and look at the game there."
        )
    if read_url(url) != read_url(store_url(state)):
        raise ConfigError(
            f"Backups are restored into {state / FILE}, but the configuration keeps the games"
            " elsewhere (database_url)."
        )


def restore(
    source: Path, state: Path, now: datetime, *, move_aside: bool = False, url: str = ""
) -> Restored:
    """Bring a backup back into a state folder whose daemon is not running.

    It is refused to restore over a store that is there, unless `move_aside` has it moved to
    `STATE/replaced-DATE` first. Mail that was already filed stays where it is. That of a server
    goes into the database at `url`, which must be empty, and the keys into the folder.
    """
    place = read_url(url or store_url(state))
    on_server = place.get_backend_name() != "sqlite"
    if on_server != (source / server_copy.FILE).is_file():
        _hold_of_kind(source, on_server=on_server)
    found = None if on_server else verify(source)
    if found is not None:
        _hold_undamaged(found)
    with StateLock(state):
        finish(state)
        old = [name for name in _STATE if (state / name).exists()]
        if old and not move_aside:
            raise Refusal(
                f"There is a store in {state} already. With --move-aside it is kept beside"
                " the one that is restored."
            )
        aside = _name_aside(now) if old else ""
        try:
            if found is None:
                found = _to_server(place, source, state, aside)
            else:
                make_ready(found, state, aside)
            finish(state)
        except OSError as fault:
            raise Temporary(f"The backup could not be restored: {fault.strerror}.") from fault
        return Restored(found, state / aside if aside else None)


def _to_server(place: URL, source: Path, state: Path, aside: str) -> Backup:
    """Restore a server's database, and have the rest ready; or neither."""

    def _ready(contents: Contents) -> Backup:
        found = of_contents(source, contents)
        _hold_undamaged(found)
        make_ready(found, state, aside)
        return found

    return server_copy.restore(place, source, _ready)


def _hold_undamaged(found: Backup) -> None:
    if found.damaged:
        named = ", ".join(f"{game} ({why})" for game, why in found.damaged)
        raise Corrupt(f"The backup itself was damaged since, in game {named}. Take another one.")


def _hold_of_kind(source: Path, *, on_server: bool) -> None:
    """Raise `Unknown` where there is no backup, `Refusal` where it is not of the store's kind."""
    if not (source / (FILE if on_server else server_copy.FILE)).is_file():
        raise Unknown(f"{source} is not a backup: there is no {FILE} in it.")
    own, other = ("PostgreSQL", "SQLite") if on_server else ("SQLite", "PostgreSQL")
    raise Refusal(
        f"{source} is a backup of {other}, and the configuration's database_url is of {own}."
        " Restore it there; `godaemon export` and `import` go from one to the other."
    )


def hold_new(state: Path) -> None:
    """Raise `Refusal` for a state folder in which there is a store, or a part of one."""
    if any((state / name).exists() for name in _STATE):
        raise Refusal(
            f"There is a store in {state} already. Name a folder that is new, or move it away."
        )


def make_ready(found: Backup, state: Path, aside: str = "") -> None:
    """Have what belongs into a state folder ready beside; from here on `finish` places it."""
    keys = found.folder if found.key else _own_keys(found, state)
    rough = state / f"{_READY}.new"
    shutil.rmtree(rough, ignore_errors=True)
    rough.mkdir(mode=0o700)
    hand_over(rough, state)
    for path in (found.folder / FILE, keys / KEY, keys / OLD_KEYS, found.folder / CLOCK):
        if path.exists():
            copy_file(path, rough / path.name)
    (rough / _ASIDE).write_text(aside, encoding="ascii")
    hand_over(rough / _ASIDE, state)
    sync(rough / _ASIDE)
    sync(rough)
    rough.rename(state / _READY)
    sync(state)


def _own_keys(found: Backup, state: Path) -> Path:
    """The folder whose keys stay where a backup has none; raises `Refusal` for another store's."""
    keys = all_keys(state)
    if keys and found.signed not in {None, *map(fingerprint, keys)}:
        raise Refusal(
            f"There is no key in {found.folder}, and the one in {state} is another store's. Put the"
            f" right {KEY} into {found.folder} first: without it nobody could answer an email."
        )
    return state


def finish(state: Path) -> None:
    """Finish a restore that was cut short, if there is one; to be called by who has the lock."""
    ready, placing = state / _READY, state / _PLACING
    shutil.rmtree(state / f"{_READY}.new", ignore_errors=True)
    if ready.is_dir():
        aside = (ready / _ASIDE).read_text(encoding="ascii")
        if aside:
            _set_aside(state, state / aside)
        ready.rename(placing)
        sync(state)
    if placing.is_dir():
        for name in _STATE:
            if (placing / name).exists():
                (placing / name).rename(state / name)
        sync(state)
        shutil.rmtree(placing)


def _set_aside(state: Path, aside: Path) -> None:
    if (state / FILE).exists():
        write_ahead_log.fold(state / FILE)
    aside.mkdir(mode=0o700, exist_ok=True)
    hand_over(aside, state)
    for name in _STATE:
        if (state / name).exists():
            (state / name).rename(aside / name)
    sync(aside)
    sync(state)


def restore_game(
    source: Path, state: Path, game: int, now: datetime, *, move_aside: bool = False
) -> tuple[int, Path | None]:
    """Bring one game back as a backup has it; how many events that is. The others stay.

    Where it is whole here, and has more than the backup, that is refused unless `move_aside` has a
    copy of the store made first: then it is said where that is.
    """
    if not (source / FILE).is_file():
        raise Unknown(f"{source} is not a backup: there is no {FILE} in it.")
    with StateLock(state), tempfile.TemporaryDirectory(prefix="godaemon-") as name:
        finish(state)
        # As this program's tables have it.
        copy_database(source / FILE, Path(name, FILE))
        open_database(store_url(Path(name))).close()
        open_database(store_url(state)).close()
        with (
            closing(sqlite3.connect(Path(name, FILE))) as old,
            closing(sqlite3.connect(state / FILE)) as new,
            new,
        ):
            kept, aside = _kept_log(old, new, game), None
            if move_aside:
                aside = _copied_aside(state, now)
            else:
                _hold_nothing_lost(new, game, kept)
            new.execute("BEGIN IMMEDIATE")
            _replace_game(old, new, game, len(kept))
        _give_back(state, game, TimeSeen(source / CLOCK).last, now)
        return len(kept), aside


def _kept_log(old: sqlite3.Connection, new: sqlite3.Connection, game: int) -> Sequence[StoredEvent]:
    """The log that a backup has of a game of this store; raises a `Refusal` and `Damaged`."""
    ids = [one.execute("SELECT id FROM identity").fetchone() for one in (old, new)]
    if None not in ids and ids[0] != ids[1]:
        raise Refusal("That backup is another store's: its games are other games.")
    head = old.execute("SELECT events, digest FROM game WHERE id = ?", (game,)).fetchone()
    if head is None:
        raise Unknown(f"There is no game {game} in that backup.")
    return read_log(old, game, ChainHead(*head))


def _hold_nothing_lost(new: sqlite3.Connection, game: int, kept: Sequence[StoredEvent]) -> None:
    """Raise `Refusal` for a game that is whole in the store, and has what the backup has not."""
    query = "SELECT events, digest FROM game WHERE id = ? AND damaged IS NULL"
    head = new.execute(query, (game,)).fetchone()
    try:
        here = read_log(new, game, ChainHead(*head)) if head else []
    except (sqlite3.DatabaseError, Damaged):
        return
    lost = len({one[:-1] for one in here} - {one[:-1] for one in kept})  # digests as they come
    if lost:
        raise Refusal(
            f"Game {game} is whole here, and {lost} of its events {'are' if lost > 1 else 'is'} not"
            " in that backup, and would be lost. With --move-aside a copy of the store as it is now"
            " is kept."
        )


def _copied_aside(state: Path, now: datetime) -> Path:
    """Where a copy of the store as it is now is kept, with its keys."""
    aside = state / _name_aside(now)
    aside.mkdir(mode=0o700)
    hand_over(aside, state)
    copy_database(state / FILE, aside / FILE)
    for name in (KEY, OLD_KEYS, ID, CLOCK):
        if (state / name).exists():
            copy_file(state / name, aside / name)
    hand_over(aside / FILE, aside)
    return aside


def _name_aside(now: datetime) -> str:
    return f"replaced-{now.astimezone(UTC):%Y%m%dT%H%M%S%fZ}"


def _give_back(state: Path, number: int, since: datetime | None, now: datetime) -> None:
    """Give who is awaited back what passed since the backup: what they did then is gone."""
    with closing(open_database(store_url(state))) as store, store.connect() as connection:
        games = SqlGames(connection)
        log = games.log(number) if any(row.deadline for row in games.page(number + 1, 1)) else []
        clock = replay(number, log).clock if log else None
        if clock is not None:
            lost = now - (since or log[-1].at)
            credit = LogEntry(Credited(clock.turn.word, lost.total_seconds()), now, "restore")
            games.append(number, len(log), [credit])
            clock = clock.credit(now, lost)
            games.set_alarm(number, clock.deadline, min(clock.alarm or now, now + WRONG))
            connection.commit()


def _replace_game(old: sqlite3.Connection, new: sqlite3.Connection, game: int, events: int) -> None:
    new.execute(
        "DELETE FROM outbox WHERE game = ? AND status = 'waiting' AND until > ?",
        (game, events),
    )
    for table in (*_MEANWHILE, *_OF_GAME):
        new.execute(f"DELETE FROM {table} WHERE game = ?", (game,))  # noqa: S608
    _copy_rows(old, new, f"game WHERE id = {game:d}")
    for table in _OF_GAME:
        _copy_rows(old, new, f"{table} WHERE game = {game:d}")
    new.execute("UPDATE game SET damaged = NULL WHERE id = ?", (game,))


def _copy_rows(old: sqlite3.Connection, new: sqlite3.Connection, rows: str) -> None:
    found = old.execute(f"SELECT * FROM {rows}")  # noqa: S608 - our own words
    names = ", ".join(column[0] for column in found.description)
    values = ", ".join("?" * len(found.description))
    table = rows.partition(" ")[0]
    new.executemany(f"REPLACE INTO {table} ({names}) VALUES ({values})", found)  # noqa: S608
