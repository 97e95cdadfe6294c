"""The identity of a store: a database and a state folder that belong together.

The database has a random id and the fingerprint of its signing key; the folder has the key, and the
id in a file. If a part is missing, empty or another store's, the daemon refuses to start and says
what to do. It never replaces a part: with another key it would refuse all replies to emails that
players have. It creates a store only if all parts are missing. Raises `ConfigError`, and `Corrupt`
for a damaged database.

If several daemons serve one database, each has the key in its own folder. The key can be changed
only while at most one daemon uses the database.
"""

import hashlib
import secrets
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.errors import Busy, ConfigError, Corrupt
from godaemon.games.model import OPEN_PHASES
from godaemon.storage.connections import explain_errors, read_url, session, sqlite_path
from godaemon.storage.database import DATABASE_FILE, Database, open_database, require_usable
from godaemon.storage.mail_tables import OutboxRow
from godaemon.storage.migrations import read_revision, require_known, wait_long
from godaemon.storage.tables import SCHEMA, GameRow, IdentityRow
from godaemon.system.durable_files import write_file
from godaemon.system.signing_keys import KEY_FILE, all_keys, make_key

ID_FILE = "store.id"
"""The name of the file with the id, in the state folder."""
_ELSEWHERE = (
    " Where several godaemons serve this database, it is in the state folder of each: copy it from"
    " one of them."
)
_RESTORE = "`godaemon restore BACKUP --move-aside` brings all of it back from a backup."


class Identity(NamedTuple):
    """The identity in the database."""

    id: str
    key: str
    """The fingerprint of the signing key."""


def fingerprint(key: bytes) -> str:
    """A hash that identifies a key without revealing it."""
    return hashlib.sha256(b"godaemon token.key\n" + key).hexdigest()[:32]


def store_was_made(state: Path) -> bool:
    """True if a state folder has any part of a store."""
    return any((state / name).exists() for name in (DATABASE_FILE, KEY_FILE, ID_FILE))


def open_store(
    url: str, state: Path, *, key_is_lost: bool = False, first_key: bytes = b""
) -> Database:
    """Open the store of a state folder; creates or migrates it if necessary.

    `key_is_lost` makes a new key for it; `first_key` is the key for a folder without one.
    """
    try:
        keys = require_all_parts(url, state)
        database = open_database(url)
    except Corrupt as fault:
        raise Corrupt(
            f"The store of {state} is damaged or cut short. `godaemon backup NEW` saves what can be"
            f" read of it as a backup, and names what cannot. {_RESTORE}",
            detail=fault.detail,
        ) from fault
    try:
        with explain_errors():
            _establish(database, state, keys, first_key, key_is_lost=key_is_lost)
    except BaseException:
        database.close()
        raise
    return database


def require_all_parts(url: str, state: Path) -> tuple[bytes, ...]:
    """Raise `ConfigError` if a part of a store is missing; returns the state folder's keys.

    Creates nothing, and does not check that the keys are the store's (`require_signed`).
    """
    keys = all_keys(state)
    if is_blank(url) and (keys or (state / ID_FILE).exists()):
        raise ConfigError(
            f"There is a {KEY_FILE if keys else ID_FILE} in {state}, but the database is missing or"
            f" empty. {_RESTORE} To begin anew instead, move {KEY_FILE} and {ID_FILE} out of that"
            " folder: emails that players have cannot be answered then."
        )
    return keys


def require_signed(url: str, state: Path, keys: tuple[bytes, ...]) -> None:
    """Raise `ConfigError` if none of these keys signs for a store.

    Changes nothing; a store with older tables is not checked.
    """
    if is_blank(url) or migration_hint(url):
        return
    with session(read_url(url)) as connection:
        _require_signed(connection, state, keys, _read_identity(connection))


def other_domain(url: str, domains: Collection[str]) -> str:
    """The domain of our last email about an open game from none of these domains, or "".

    Changes nothing; a store with older tables is not checked.
    """
    if stored_revision(url) != SCHEMA:
        return ""
    message_id = col(OutboxRow.message_id)
    query = (
        sa.select(message_id)
        .join(GameRow, col(GameRow.id) == col(OutboxRow.game))
        .where(col(GameRow.phase).in_(sorted(OPEN_PHASES)))
        .where(*(~message_id.endswith(f"@{domain}>") for domain in domains))
        .order_by(col(OutboxRow.id).desc())
    )
    with session(read_url(url)) as connection:
        found = connection.scalar(query.limit(1))
    return (found or "").rpartition("@")[2].rstrip(">")


def _require_signed(
    connection: Connection, state: Path, keys: tuple[bytes, ...], found: Identity | None
) -> None:
    elsewhere = "" if connection.dialect.name == "sqlite" else _ELSEWHERE
    if not keys and (found is not None or _is_used(connection)):
        raise ConfigError(
            f"The key {state / KEY_FILE} is missing, with which all emails that players have were"
            " signed. Copy it there from a backup, for the owner of that folder alone (mode 600)."
            f"{elsewhere} If it is lost for good: `godaemon rotate-key --lost`."
        )
    if keys and found is not None and found.key not in map(fingerprint, keys):
        raise ConfigError(
            f"The key {state / KEY_FILE} is another store's: emails that players have were not"
            f" signed with it. Copy the right one there from a backup.{elsewhere} Or {_RESTORE}"
        )


def is_blank(url: str) -> bool:
    """True if the database has no tables; creates no file."""
    return stored_revision(url) is None


def migration_hint(url: str) -> str:
    """Advice if the tables are older than this program, else ""; migrates nothing."""
    found = stored_revision(url)
    require_known(found)
    if found in {None, SCHEMA}:
        return ""
    return (
        f"The store's tables are of an older godaemon ({found}; this one has {SCHEMA}), so its"
        " games were not looked at: start the daemon, which brings them up to date."
    )


def stored_revision(url: str) -> str | None:
    """The revision of the tables, or None if there are none; creates no file."""
    place = read_url(url)
    if (file := sqlite_path(place)) is not None:
        if not file.exists() or not file.stat().st_size:
            return None
        require_usable(file)
    with session(place) as connection:
        return read_revision(connection)


def _establish(
    database: Database, state: Path, keys: tuple[bytes, ...], first: bytes, *, key_is_lost: bool
) -> None:
    with database.connect() as connection, connection.begin():
        wait_long(connection)
        if connection.dialect.name != "sqlite":  # two daemons may start at the same time
            connection.exec_driver_sql("LOCK TABLE identity IN EXCLUSIVE MODE")
        found, own_id = _read_identity(connection), _read_id_file(state)
        if own_id is not None and (found is None or found.id != own_id):
            raise ConfigError(
                f"The database is not the one that belongs to {state}: it is another store's, or"
                f" was emptied. {_RESTORE}"
            )
        present = keys or ((first,) if first and not key_is_lost else ())
        if present or not key_is_lost:
            _require_signed(connection, state, present, found)
        if not keys:
            keys = (make_key(state, *present),)
        identity = _update_identity(connection, found, keys)
    if own_id is None:
        write_file(state / ID_FILE, f"{identity.id}\n".encode("ascii"))


def _update_identity(
    connection: Connection, found: Identity | None, keys: Sequence[bytes]
) -> Identity:
    """The identity, updated to the newest of the folder's keys, which is the first one."""
    own = {fingerprint(key): key for key in keys}
    newest = fingerprint(keys[0])
    if found is None or found.key not in map(fingerprint, keys):
        found = Identity(found.id if found else secrets.token_hex(16), newest)
        connection.execute(sa.delete(IdentityRow))
        connection.execute(sa.insert(IdentityRow).values(**found._asdict()))
    elif found.key in own and found.key != newest:
        # A change of keys was interrupted before the database was updated.
        sign_with(connection, own[found.key], keys[0])
    return found


def _is_used(connection: Connection) -> bool:
    tables = (GameRow, OutboxRow)
    return any(connection.scalar(sa.select(sa.exists(sa.select(table)))) for table in tables)


def _read_id_file(state: Path) -> str | None:
    file = state / ID_FILE
    try:
        return file.read_text(encoding="ascii").strip() if file.exists() else None
    except (OSError, ValueError) as fault:
        raise ConfigError(f"{file} cannot be read. {_RESTORE}", detail=str(fault)) from fault


def _read_identity(connection: Connection) -> Identity | None:
    row = connection.execute(sa.select(col(IdentityRow.id), col(IdentityRow.key))).first()
    return Identity(*row) if row else None


def sign_with(connection: Connection, old: bytes, new: bytes) -> None:
    """Record a new signing key; raises `Busy` if `old` is no longer the signing key."""
    signs = sa.update(IdentityRow).where(col(IdentityRow.key) == fingerprint(old))
    if not connection.execute(signs.values(key=fingerprint(new))).rowcount:
        raise Busy("Another godaemon has just changed the key.")
