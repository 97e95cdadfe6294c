"""What an operator can ask of the store, in one transaction each.

The control socket answers with these in a running daemon, and the command line with the very same
where none runs. Everything returned is JSON.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from godaemon.errors import Unknown
from godaemon.games.service import GameService
from godaemon.games.views import record, row, snapshot
from godaemon.records.sgf import write
from godaemon.storage.unit import SqlUnit

PAGE = 200
"""How many games are listed in one transaction: all who write wait for it."""


def games(
    unit: SqlUnit, before: int | None = None, most: int | None = None
) -> list[dict[str, Any]]:
    """The newest games, of those with lower numbers than `before` if told; `most` of them."""
    return [row(summary) for summary in unit.page(before, most)]


def show(open_games: GameService, number: int) -> dict[str, Any]:
    """One game; raises `Unknown`."""
    return snapshot(open_games.game(number))


def sgf(open_games: GameService, number: int) -> str:
    """One game's record as SGF; raises `Unknown`."""
    log = open_games.unit.log(number)
    return write(record(open_games.game(number), date=_days(log[0].at, log[-1].at)))


def _days(first: datetime, last: datetime) -> str:
    """The first and the last day as SGF's DT has them."""
    one, other = first.date().isoformat(), last.date().isoformat()
    return one if one == other else f"{one},{other}"


def boards(unit: SqlUnit) -> list[dict[str, Any]]:
    """The free boards, the one last played on first."""
    return [
        {
            **row._asdict(),
            "opened": row.opened.isoformat(timespec="seconds"),
            "updated": row.updated.isoformat(timespec="seconds"),
        }
        for row in unit.boards()
    ]


def quarantine(unit: SqlUnit) -> list[dict[str, Any]]:
    """The letters that a fault of ours kept from being handled."""
    return [
        {
            "id": parked.id,
            "at": parked.at.isoformat(timespec="seconds"),
            "from": parked.letter.sender,
            "to": parked.letter.recipient,
            "fault": parked.fault,
        }
        for parked in unit.quarantined()
    ]


def queue(unit: SqlUnit) -> list[dict[str, Any]]:
    """The letters of ours that have not gone out, and why."""
    return [
        {**troubled._asdict(), "due_at": troubled.due_at.isoformat(timespec="seconds")}
        for troubled in unit.troubled()
    ]


def mailboxes(unit: SqlUnit) -> list[dict[str, Any]]:
    """The addresses from which letters of ours came back."""
    return [
        {
            "address": box.address,
            "score": round(box.score, 2),
            "at": box.at.isoformat(timespec="seconds"),
            "error": box.error,
            "suspended": box.suspended.isoformat(timespec="seconds") if box.suspended else None,
        }
        for box in unit.all_bouncing()
    ]


def known_mailbox(unit: SqlUnit, address: str) -> None:
    """Raise `Unknown` where nothing has come back from an address."""
    if unit.bouncing(address) is None:
        raise Unknown(f"No letter to {address} has come back, or they are forgotten already.")


def counts(unit: SqlUnit) -> dict[str, Any]:
    """Games by phase, letters out by status, and letters in quarantine."""
    return {
        "games": unit.phases(),
        "letters": unit.tally(),
        "quarantine": unit.quarantined_count(),
        "suspended": unit.suspended_count(),
    }
