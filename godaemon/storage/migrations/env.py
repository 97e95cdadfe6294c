"""Alembic's way to the store: over the connection that `migrate` opened, in its transaction."""

from __future__ import annotations

from alembic import context

from godaemon.storage import tables  # noqa: F401 - fills the metadata
from godaemon.storage.columns import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
