"""Rows that are let go in time: that we wrote, and of a letter that came all but its fingerprint.

Runs on the writer's thread, inside its transaction; so that nobody waits for long, a transaction
takes some rows, and the next ones take the others.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import blake2b

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.storage.tables import InboxRow, OldInboxRow, OutboxRow, TransferRow

AT_ONCE = 200
"""So many rows of a table are taken in one transaction."""


def short(fingerprint: str) -> int:
    """The 64 bits by which a letter that came long ago is known."""
    return int.from_bytes(blake2b(fingerprint.encode(), digest_size=16).digest()[:8], signed=True)


def prune(connection: Connection, before: datetime) -> int:
    """Let go what is done with since before a moment; returns how many rows that were.

    Of letters that came long ago the fingerprints stay, for ever: a mailbox that is read again
    from its beginning brings them again.
    """
    return _ours(connection, before) + _theirs(connection, before) + _asked(connection, before)


def _ours(connection: Connection, before: datetime) -> int:
    done = col(OutboxRow.status).in_(("sent", "undeliverable"))
    old = select(col(OutboxRow.id)).where(done, col(OutboxRow.due_at) < before).limit(AT_ONCE)
    found = connection.execute(old.with_for_update(skip_locked=True)).scalars().all()
    connection.execute(delete(OutboxRow).where(col(OutboxRow.id).in_(found)))
    return len(found)


def _asked(connection: Connection, before: datetime) -> int:
    """Questions of long ago whether seats shall move, or somebody be forgotten, that had no yes."""
    leaving = (col(TransferRow.new) == "") & (col(TransferRow.old_agreed) == 1)
    old = delete(TransferRow).where(col(TransferRow.begun_at) < before, ~leaving)
    return connection.execute(old).rowcount


def _theirs(connection: Connection, before: datetime) -> int:
    old = select(col(InboxRow.fingerprint)).where(col(InboxRow.at) < before).limit(AT_ONCE)
    found = connection.execute(old.with_for_update(skip_locked=True)).scalars().all()
    if found:
        connection.execute(
            insert(OldInboxRow), [{"fingerprint": one} for one in set(map(short, found))]
        )
    connection.execute(delete(InboxRow).where(col(InboxRow.fingerprint).in_(found)))
    return len(found)
