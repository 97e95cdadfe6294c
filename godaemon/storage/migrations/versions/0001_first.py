"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

STRICT = {"sqlite_strict": True}
NUMBERED = {"sqlite_strict": True, "sqlite_autoincrement": True}


def upgrade() -> None:
    _games()
    _events()
    _outbox()
    _letters()
    _players()


def _games() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("phase", sa.Text),
        sa.Column("size", sa.Text),
        sa.Column("rules", sa.Text),
        sa.Column("black", sa.Text),
        sa.Column("white", sa.Text),
        sa.Column("black_name", sa.Text),
        sa.Column("white_name", sa.Text),
        sa.Column("move_number", sa.Integer),
        sa.Column("to_move", sa.Text),
        sa.Column("result", sa.Text),
        sa.Column("updated", sa.Text),
        sa.CheckConstraint(
            "phase IN ('proposed', 'playing', 'scoring', 'finished', 'declined', 'withdrawn',"
            " 'expired')",
            name="phase",
        ),
        sa.CheckConstraint("to_move IN ('black', 'white')", name="to_move"),
        sa.CheckConstraint("move_number >= 0", name="move_number"),
        sa.CheckConstraint(
            "phase IS NULL OR (size IS NOT NULL AND rules IS NOT NULL AND black IS NOT NULL"
            " AND white IS NOT NULL AND move_number IS NOT NULL AND updated IS NOT NULL)",
            name="headline",
        ),
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
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("cause", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.CheckConstraint("number >= 0", name="number"),
        sa.CheckConstraint("version >= 1", name="version"),
        **STRICT,
    )


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uid", sa.Text, nullable=False, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("recipient", sa.Text, nullable=False),
        sa.Column("recipient_key", sa.Text, nullable=False),
        sa.Column("behalf", sa.Text, nullable=False),
        sa.Column("behalf_key", sa.Text, nullable=False),
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id")),
        sa.Column("seat", sa.Text),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer, nullable=False),
        sa.Column("answers", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("owed_at", sa.Text, nullable=False),
        sa.Column("due_at", sa.Text, nullable=False),
        sa.Column("lease", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("message_id", sa.Text),
        sa.Column("letter", sa.LargeBinary),
        sa.Column("last_error", sa.Text),
        sa.Column("sent_at", sa.Text),
        sa.CheckConstraint("status IN ('waiting', 'sent', 'undeliverable')", name="status"),
        sa.CheckConstraint("seat IN ('b', 'w', 'p', 'i')", name="seat"),
        sa.CheckConstraint("attempts >= 0", name="attempts"),
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
        sa.Column("message_id", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        **STRICT,
    )
    op.create_table(
        "held",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("sender", sa.Text, nullable=False),
        sa.Column("nonce", sa.Text, nullable=False),
        sa.Column("envelope_recipient", sa.Text, nullable=False),
        sa.Column("envelope_sender", sa.Text, nullable=False),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        sa.CheckConstraint("side IN ('proposer', 'invited')", name="side"),
        **NUMBERED,
    )
    op.create_table(
        "quarantine",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("envelope_recipient", sa.Text, nullable=False),
        sa.Column("envelope_sender", sa.Text, nullable=False),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        sa.Column("fault", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        **NUMBERED,
    )


def _players() -> None:
    op.create_table(
        "player",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("receipts", sa.Integer),
        sa.Column("receipts_sent", sa.Integer, nullable=False),
        sa.CheckConstraint("receipts IN (0, 1)", name="receipts"),
        sa.CheckConstraint("receipts_sent >= 0", name="receipts_sent"),
        **STRICT,
    )
    op.create_table(
        "pencil",
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("color", sa.Text, primary_key=True),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("position_rev", sa.Integer, nullable=False),
        sa.CheckConstraint("color IN ('black', 'white')", name="color"),
        **STRICT,
    )
