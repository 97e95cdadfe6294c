"""A chain of digests over each game's log, a mark for games put aside, and who the store is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import NUMBERED, STRICT, not_negative
from godaemon.storage.migrations.steps import make_anew, of_games, texts

revision = "0009"
down_revision = "0008"

_SUMMARY = (
    *("phase", "size", "rules", "black", "white", "black_name", "white_name", "move_number"),
    *("to_move", "result", "updated"),
)
_AT_ONCE = 10_000


def upgrade() -> None:
    """Chain the events that there are, and give the store its name."""
    ends: dict[int, tuple[int, str]] = {}
    _chain_events(ends)
    _extend_games()
    update = "UPDATE game SET events = :events, digest = :digest WHERE id = :game"
    for game, (events, digest) in ends.items():
        op.get_bind().execute(sa.text(update), {"events": events, "digest": digest, "game": game})
    there = sa.text("damaged IS NOT NULL")
    op.create_index(
        "ix_game_damaged", "game", ["damaged"], sqlite_where=there, postgresql_where=there
    )
    op.create_table(
        "identity",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, nullable=False),
        **STRICT,
    )


def _chain_events(ends: dict[int, tuple[int, str]]) -> None:
    """Give each event its digest, and each game the end of its log as it is found.

    A log that lacks an event is given an end that it does not have, and an event that means nothing
    no digest: so they are seen to be damaged.
    """
    op.execute("CREATE TABLE old_event AS SELECT * FROM event")
    op.drop_table("event")
    event = op.create_table(
        "event",
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        *texts("payload cause at digest"),
        not_negative("number"),
        sa.CheckConstraint("version >= 1", name="version"),
        **STRICT,
    )
    query = sa.text("SELECT * FROM old_event ORDER BY game, number")
    rows = op.get_bind().execute(query.execution_options(yield_per=_AT_ONCE)).mappings()
    for some in rows.partitions():
        op.bulk_insert(event, list(_chained(some, ends)))
    op.drop_table("old_event")


def _chained(rows: Any, ends: dict[int, tuple[int, str]]) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - of any driver
    for row in rows:
        game, number = row["game"], row["number"]
        _, before = ends.get(game, (0, ""))
        lines = (before, row["kind"], row["payload"], str(number), str(row["version"]))
        text = "\n".join((*lines, row["at"], row["cause"]))
        digest = hashlib.sha256(text.encode()).hexdigest()
        ends[game] = (number + 1, digest)
        yield {**row, "digest": digest if _means_something(row) else ""}


def _means_something(row: Any) -> bool:  # noqa: ANN401 - of any driver
    try:
        datetime.fromisoformat(row["at"])
        return isinstance(json.loads(row["payload"]), dict)
    except ValueError:
        return False


def _extend_games() -> None:
    """Add the columns; SQLite has to make the table anew for that."""
    more = (
        sa.Column("events", sa.Integer, nullable=False, server_default="0"),
        sa.Column("digest", sa.Text, nullable=False, server_default=""),
        sa.Column("damaged", sa.Text),
    )
    if op.get_bind().dialect.name != "sqlite":
        for column in more:
            op.add_column("game", column)
            op.alter_column("game", column.name, server_default=None)
        op.create_check_constraint("events", "game", "events >= 0")
        return
    kept = {name: name for name in ("id", *_SUMMARY)}
    make_anew(
        "game",
        {**kept, "events": "0", "digest": "''"},
        sa.Column("id", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.Integer if name == "move_number" else sa.Text) for name in _SUMMARY),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("damaged", sa.Text),
        *of_games(),
        not_negative("events"),
        **NUMBERED,
    )
    op.create_index("ix_game_phase_updated", "game", ["phase", "updated"])
