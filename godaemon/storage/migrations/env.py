"""Alembic's way to the store: the connection and transaction of `run_steps` or `create_tables`."""

from __future__ import annotations

from alembic import context

from godaemon.storage.columns import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,  # steps use its naming convention
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
