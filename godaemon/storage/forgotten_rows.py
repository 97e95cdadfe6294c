"""The rows beside the logs of games in which an address stands: deleted, for one who leaves.

Runs on the writer's thread, inside its transaction. Each statement looks at all of its table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.games.model import FORMER_NAME
from godaemon.games.notices import Kind
from godaemon.storage.columns import Row
from godaemon.storage.tables import (
    BlockRow,
    BouncingRow,
    FetchedRow,
    GameAddressRow,
    HeldRow,
    InboxRow,
    OutboxRow,
    PlayerRow,
    ProfileRow,
    QuarantineRow,
    QuotaRow,
    TransferRow,
)

_WHOSE: tuple[tuple[type[Row], str], ...] = (
    *((table, "address") for table in (PlayerRow, ProfileRow, BouncingRow, GameAddressRow)),
    *((BlockRow, "address"), (BlockRow, "other"), (TransferRow, "old"), (TransferRow, "new")),
    *((HeldRow, "sender"), (QuarantineRow, "envelope_sender"), (OutboxRow, "recipient_key")),
)
"""The columns that say whose a row is."""


def naming(address: str) -> re.Pattern[str]:
    """Finds an address in a text, and no longer one that ends or begins like it."""
    return re.compile(rf"(?<![\w.+=-]){re.escape(address)}(?![\w-]|\.\w)", re.IGNORECASE)


def without_names(told: Any, names: Collection[str]) -> Any:  # noqa: ANN401 - JSON
    """What is told with a former player where it names one; a name is whole words of it.

    >>> without_names({"said": ["Al agrees.", "Also Bob."]}, {"Al", ""})
    {'said': ['a former player agrees.', 'Also Bob.']}
    """
    if isinstance(told, dict):
        return {key: without_names(value, names) for key, value in told.items()}
    if isinstance(told, list):
        return [without_names(value, names) for value in told]
    if isinstance(told, str):
        for name in filter(None, names):
            told = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", FORMER_NAME, told)
    return told


def forget_rows(connection: Connection, address: str, counted: Collection[str]) -> None:
    """Delete an address (casefolded) everywhere; `counted` are its names in quotas."""
    _unlist(connection, address)
    for table, whose in _WHOSE:
        mine = func.lower(col(getattr(table, whose))) == address
        connection.execute(delete(table).where(mine))
    for name in counted:
        connection.execute(delete(QuotaRow).where(col(QuotaRow.name).endswith(f" {name}")))
        behalf = col(OutboxRow.behalf_key)
        theirs = (behalf == name) | behalf.startswith(f"{name} (", autoescape=True)
        gone = update(OutboxRow).where(theirs)
        connection.execute(gone.values(behalf="", behalf_key=""))
    for number in _told(connection, address):
        connection.execute(delete(OutboxRow).where(col(OutboxRow.id) == number))
    for number in _written(connection, address):
        connection.execute(delete(QuarantineRow).where(col(QuarantineRow.id) == number))
    # That a letter was here before is known by its fingerprint.
    for seen in (InboxRow, FetchedRow):
        named = _has(seen.message_id, address)
        connection.execute(update(seen).where(named).values(message_id=""))


def _unlist(connection: Connection, address: str) -> None:
    """Take them out of the lists of players; of a list that has gone out no name is needed."""
    mine = func.lower(col(ProfileRow.address)) == address
    named = set(connection.execute(select(col(ProfileRow.listed)).where(mine)).scalars())
    lists = col(OutboxRow.kind) == Kind.PLAYERS.value
    rows = select(col(OutboxRow.id), col(OutboxRow.about), col(OutboxRow.status)).where(lists)
    for number, about, status in connection.execute(rows).all():
        told = json.loads(about) if status == "waiting" else {}
        others = [one for one in told.get("players", ()) if one[0] not in named]
        left = json.dumps({**told, "players": others}) if told else "{}"
        row = update(OutboxRow).where(col(OutboxRow.id) == number)
        connection.execute(row.values(about=left, letter=None))


def _told(connection: Connection, address: str) -> Iterator[int | None]:
    """Notices to others that tell of it."""
    text = json.dumps(address)[1:-1]
    rows = select(col(OutboxRow.id), col(OutboxRow.about)).where(_has(OutboxRow.about, text))
    for number, about in connection.execute(rows).all():
        if naming(text).search(about):
            yield number


def _written(connection: Connection, address: str) -> Iterator[int | None]:
    """Letters in quarantine whose head has it, whatever their envelope said."""
    for number, raw in connection.execute(select(col(QuarantineRow.id), col(QuarantineRow.raw))):
        head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0].decode(errors="replace")
        if naming(address).search(head):
            yield number


def _has(column: Any, text: str) -> Any:  # noqa: ANN401 - of any table
    return func.lower(col(column)).contains(text, autoescape=True)
