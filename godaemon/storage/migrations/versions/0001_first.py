"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import NUMBERED, STRICT, not_negative, one_of
from godaemon.storage.migrations.steps import of_games, texts

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables of games, letters and players."""
    _games()
    _events()
    _outbox()
    _letters()
    _players()


def _games() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer, primary_key=True),
        *texts("phase size rules black white black_name white_name", nullable=True),
        sa.Column("move_number", sa.Integer),
        *texts("to_move result updated", nullable=True),
        *of_games(),
        **NUMBERED,
    )
    op.create_index("ix_game_phase_updated", "game", ["phase", "updated"])
    op.create_table(
        "game_address",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
        **STRICT,
    )
    op.create_index("ix_game_address_game", "game_address", ["game"])


def _events() -> None:
    op.create_table(
        "event",
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        *texts("payload cause at"),
        not_negative("number"),
        sa.CheckConstraint("version >= 1", name="version"),
        **STRICT,
    )


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uid", sa.Text, nullable=False, unique=True),
        *texts("kind recipient recipient_key behalf behalf_key"),
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id")),
        sa.Column("seat", sa.Text),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer, nullable=False),
        *texts("answers about owed_at due_at"),
        sa.Column("lease", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("message_id", sa.Text),
        sa.Column("letter", sa.LargeBinary),
        *texts("last_error sent_at", nullable=True),
        one_of("status", "waiting", "sent", "undeliverable"),
        one_of("seat", "b", "w", "p", "i"),
        not_negative("attempts"),
        sa.CheckConstraint("(letter IS NULL) OR (message_id IS NOT NULL)", name="letter"),
        sa.CheckConstraint("(status = 'waiting') OR (lease IS NULL)", name="lease"),
        **NUMBERED,
    )
    op.create_index("ix_outbox_status_due_at", "outbox", ["status", "due_at"])
    for key in ("recipient_key", "behalf_key"):
        op.create_index(f"ix_outbox_{key}_kind_owed_at", "outbox", [key, "kind", "owed_at"])


def _letters() -> None:
    op.create_table(
        "inbox",
        sa.Column("fingerprint", sa.Text, primary_key=True),
        *texts("message_id at"),
        **STRICT,
    )
    op.create_table(
        "held",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), nullable=False),
        *texts("side sender nonce envelope_recipient envelope_sender"),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        one_of("side", "proposer", "invited"),
        **NUMBERED,
    )
    op.create_table(
        "quarantine",
        sa.Column("id", sa.Integer, primary_key=True),
        *texts("envelope_recipient envelope_sender"),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        *texts("fault at"),
        **NUMBERED,
    )


def _players() -> None:
    op.create_table(
        "player",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("receipts", sa.Integer),
        sa.Column("receipts_sent", sa.Integer, nullable=False),
        sa.CheckConstraint("receipts IN (0, 1)", name="receipts"),
        not_negative("receipts_sent"),
        **STRICT,
    )
    op.create_table(
        "pencil",
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("color", sa.Text, primary_key=True),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("position_rev", sa.Integer, nullable=False),
        one_of("color", "black", "white"),
        **STRICT,
    )
