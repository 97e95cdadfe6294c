"""The stored form of a notice: a row of the outbox; the composed email is compressed."""

import json
import zlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from godaemon.errors import Corrupt
from godaemon.games.model import Seat
from godaemon.games.notices import DueNotice, Kind, Notice

COPIED_COLUMNS = ("game", "since", "until", "answers")
"""Columns copied unchanged from the notice."""
_TRY = ("attempts", "owed_at", "message_id", "letter")
_FAST = 1
"""zlib's compression level; an email with a board shrinks to a twelfth in 0.1 ms."""
COLUMNS = (
    "id",
    "uid",
    "kind",
    "recipient",
    "behalf",
    "seat",
    "about",
    "ours",
    *COPIED_COLUMNS,
    *_TRY,
)
"""The columns that `read_due` and `read_notice` read."""


def notice_row(uid: str, notice: Notice, now: datetime) -> dict[str, object]:
    """The row of a new notice, due now."""
    return {
        "uid": uid,
        "kind": notice.kind.value,
        "recipient": notice.to,
        "recipient_key": notice.to.casefold(),
        "behalf": notice.by,
        "behalf_key": notice.by.casefold(),
        **{name: getattr(notice, name) for name in COPIED_COLUMNS},
        "seat": None if notice.seat is None else notice.seat.value,
        "about": json.dumps(dict(notice.about), sort_keys=True),
        "owed_at": now,
        "due_at": now,
        "attempts": 0,
        "status": "waiting",
        "our_address": notice.ours,
        "of_player": notice.to.casefold(),
        "of_game": notice.game or 0,
    }


def read_due(row: Mapping[str, Any]) -> DueNotice:
    """The notice of a claimed row; raises `ValueError` for a kind of a newer version."""
    attempts, owed_at, message_id, letter = (row[name] for name in _TRY)
    letter = unpack_letter(letter)
    return DueNotice(
        row["id"], row["uid"], read_notice(row), attempts - 1, owed_at, message_id, letter
    )


def pack_letter(letter: bytes) -> bytes:
    return zlib.compress(letter, _FAST)


def unpack_letter(letter: bytes | None) -> bytes | None:
    """The email as it was composed; raises `Corrupt`."""
    try:
        return None if letter is None else zlib.decompress(letter)
    except zlib.error as fault:
        raise Corrupt("That email is damaged in the store.", detail=str(fault)) from fault


def read_notice(row: Mapping[str, Any]) -> Notice:
    """The notice of a row; raises `ValueError` for a kind of a newer version."""
    return Notice(
        kind=Kind(row["kind"]),
        to=row["recipient"],
        by=row["behalf"],
        seat=None if row["seat"] is None else Seat(row["seat"]),
        about=json.loads(row["about"]),
        ours=row["ours"],
        **{name: row[name] for name in COPIED_COLUMNS},
    )
