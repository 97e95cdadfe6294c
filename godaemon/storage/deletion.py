"""Deletes old rows about emails, and all rows about a person who is to be forgotten.

Runs on the writer's thread, inside its transaction. An address can be anywhere in the text of an
email, so all rows of emails are read. `games.forgetting` removes a person from the games;
`packed_logs` packs old logs.
"""

import json
import re
from collections.abc import Collection, Iterator
from datetime import datetime
from hashlib import blake2b
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.games.model import FORMER_NAME
from godaemon.games.notices import Kind
from godaemon.storage.columns import Row
from godaemon.storage.mail_tables import (
    AnsweredFromRow,
    BouncingRow,
    HeldRow,
    InboxRow,
    OldInboxRow,
    OutboxRow,
    QuarantineRow,
    QuotaRow,
)
from godaemon.storage.tables import (
    BlockRow,
    GameAddressRow,
    PlayerRow,
    ProfileRow,
    RatedGameRow,
    TransferRow,
    WatcherRow,
)

_KEY_COLUMNS: tuple[tuple[type[Row], str], ...] = (
    *((table, "address") for table in (PlayerRow, ProfileRow, BouncingRow, GameAddressRow)),
    (AnsweredFromRow, "address"),
    *((RatedGameRow, "address"), (WatcherRow, "key"), (OutboxRow, "recipient_key")),
)
"""Indexed columns with the casefolded address of a row's owner."""
_SPELLED_COLUMNS: tuple[tuple[type[Row], str], ...] = (
    *((BlockRow, "address"), (BlockRow, "other"), (TransferRow, "old"), (TransferRow, "new")),
    *((HeldRow, "sender"), (QuarantineRow, "envelope_sender")),
)
"""Columns of small tables with addresses in their original spelling."""


def as_json(value: Any) -> str:  # noqa: ANN401 - JSON
    """A value as JSON without ASCII escapes and without the outer quotes or brackets."""
    return json.dumps(value, ensure_ascii=False)[1:-1]


def address_pattern(address: str) -> re.Pattern[str]:
    """A pattern that finds an address in a text, but not as a part of a longer address."""
    return re.compile(rf"(?<![\w.+=-]){re.escape(address)}(?![\w-]|\.\w)", re.IGNORECASE)


def replace_names(value: Any, names: Collection[str]) -> Any:  # noqa: ANN401 - JSON
    """A JSON value in which "a former player" replaces the names; only whole words match.

    >>> replace_names({"said": ["Al agrees.", "Also Bob."]}, {"Al", ""})
    {'said': ['a former player agrees.', 'Also Bob.']}
    """
    if isinstance(value, dict):
        return {key: replace_names(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [replace_names(part, names) for part in value]
    if isinstance(value, str):
        for name in filter(None, names):
            value = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", FORMER_NAME, value)
    return value


def forget_rows(connection: Connection, address: str, counted: Collection[str]) -> None:
    """Delete a casefolded address from all rows; `counted` are its spellings in counters."""
    _forget_notices(connection, address, counted)
    # The fingerprint is enough to recognise an email. A Message-ID has the sender's domain, which
    # identifies a person who has a domain of their own.
    named = _contains(InboxRow.message_id, f"@{address.rpartition('@')[2]}")
    named |= _contains(InboxRow.message_id, address)
    connection.execute(update(InboxRow).where(named).values(message_id=""))
    for table, name in _KEY_COLUMNS:
        connection.execute(delete(table).where(col(getattr(table, name)) == address))
    for table, name in _SPELLED_COLUMNS:
        column = col(getattr(table, name))
        # In Python, because SQLite's lower() knows only ASCII letters.
        spellings = connection.execute(select(column).distinct()).scalars()
        mine = [spelling for spelling in spellings if spelling.casefold() == address]
        connection.execute(delete(table).where(column.in_(mine)))
    for name in counted:
        quotas = col(QuotaRow.name).endswith(f" {name}", autoescape=True)
        connection.execute(delete(QuotaRow).where(quotas))
    quarantined = list(_find_quarantined(connection, address))
    connection.execute(delete(QuarantineRow).where(col(QuarantineRow.id).in_(quarantined)))


def _forget_notices(connection: Connection, address: str, counted: Collection[str]) -> None:
    _remove_from_lists(connection, address)
    behalf = col(OutboxRow.behalf_key)
    for name in counted:
        named = (behalf == name) | behalf.startswith(f"{name} (", autoescape=True)
        gone = update(OutboxRow).where(named)
        connection.execute(gone.values(behalf="", behalf_key=""))
    numbers = list(_find_notices(connection, address))
    connection.execute(delete(OutboxRow).where(col(OutboxRow.id).in_(numbers)))


def _remove_from_lists(connection: Connection, address: str) -> None:
    """Remove a player from unsent lists of players; lists already sent lose all names."""
    mine = col(ProfileRow.address) == address
    named = set(connection.execute(select(col(ProfileRow.listed)).where(mine)).scalars())
    lists = col(OutboxRow.kind) == Kind.PLAYERS.value
    rows = select(col(OutboxRow.id), col(OutboxRow.about), col(OutboxRow.status))
    for number, about, status in connection.execute(rows.where(lists)).all():
        facts = json.loads(about) if status == "waiting" else {}
        others = [player for player in facts.get("players", ()) if player[0] not in named]
        left = json.dumps({**facts, "players": others}) if facts else "{}"
        row = update(OutboxRow).where(col(OutboxRow.id) == number)
        connection.execute(row.values(about=left, letter=None))


def _find_notices(connection: Connection, address: str) -> Iterator[int | None]:
    rows = select(col(OutboxRow.id), col(OutboxRow.about))
    if address.isascii():
        rows = rows.where(_contains(OutboxRow.about, json.dumps(address)[1:-1]))
    for number, about in connection.execute(rows).all():
        if address_pattern(as_json(address)).search(as_json(json.loads(about))):
            yield number


def _find_quarantined(connection: Connection, address: str) -> Iterator[int | None]:
    for number, raw in connection.execute(select(col(QuarantineRow.id), col(QuarantineRow.raw))):
        head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0].decode(errors="replace")
        if address_pattern(address).search(head):
            yield number


def _contains(column: Any, text: str) -> Any:  # noqa: ANN401 - of any table
    return func.lower(col(column)).contains(text, autoescape=True)


PRUNE_BATCH = 200
"""The limit on rows of a table that one transaction prunes."""


def short_fingerprint(fingerprint: str) -> int:
    """A signed 64-bit hash of a letter's fingerprint; it is stored, so it must not change."""
    return int.from_bytes(blake2b(fingerprint.encode(), digest_size=16).digest()[:8], signed=True)


def prune(connection: Connection, before: datetime) -> int:
    """Delete a batch of rows that were finished before a moment; returns their number.

    The short fingerprints of old letters are never deleted, because a mailbox that is read again
    from its beginning delivers them again.
    """
    steps = (_prune_outbox, _prune_inbox, _prune_transfers)
    return sum(step(connection, before) for step in steps)


def _prune_outbox(connection: Connection, before: datetime) -> int:
    done = col(OutboxRow.status).in_(("sent", "undeliverable"))
    old = select(col(OutboxRow.id)).where(done, col(OutboxRow.due_at) < before).limit(PRUNE_BATCH)
    found = connection.execute(old.with_for_update(skip_locked=True)).scalars().all()
    connection.execute(delete(OutboxRow).where(col(OutboxRow.id).in_(found)))
    return len(found)


def _prune_transfers(connection: Connection, before: datetime) -> int:
    """Delete old transfers; requests to be forgotten only if they were not confirmed."""
    leaving = (col(TransferRow.new) == "") & (col(TransferRow.old_agreed) == 1)
    old = delete(TransferRow).where(col(TransferRow.begun_at) < before, ~leaving)
    return connection.execute(old).rowcount


def _prune_inbox(connection: Connection, before: datetime) -> int:
    old = select(col(InboxRow.fingerprint)).where(col(InboxRow.at) < before).limit(PRUNE_BATCH)
    found = connection.execute(old.with_for_update(skip_locked=True)).scalars().all()
    if found:
        connection.execute(
            insert(OldInboxRow),
            [{"fingerprint": one} for one in set(map(short_fingerprint, found))],
        )
    connection.execute(delete(InboxRow).where(col(InboxRow.fingerprint).in_(found)))
    return len(found)
