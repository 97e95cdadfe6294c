"""The part of a transaction that counts what was spent of the quotas, by the hour.

Runs on the writer's thread, inside its transaction.
"""

from __future__ import annotations

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.storage.tables import QuotaRow

_REMEMBERED = 48


class SqlQuotas:
    """Counters by names and hours, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def spent(self, name: str, after: int, until: int) -> int:
        """How much was spent in those hours, both of them included."""
        query = select(func.coalesce(func.sum(col(QuotaRow.spent)), 0)).where(
            col(QuotaRow.name) == name, col(QuotaRow.hour).between(after, until)
        )
        return int(self._connection.execute(query).scalar_one())

    def spend(self, name: str, hour: int) -> None:
        """Count one more; what is older than two days is forgotten."""
        this = (col(QuotaRow.name) == name, col(QuotaRow.hour) == hour)
        more = update(QuotaRow).where(*this).values(spent=col(QuotaRow.spent) + 1)
        if not self._connection.execute(more).rowcount:
            self._insert(name, hour)
            old = col(QuotaRow.hour) < hour - _REMEMBERED
            self._connection.execute(delete(QuotaRow).where(old))

    def keep(self, name: str, until: int) -> None:
        """Count one for an hour to come, if there is none: it is not forgotten before that."""
        if not self.spent(name, until, until):
            self._insert(name, until)

    def _insert(self, name: str, hour: int) -> None:
        self._connection.execute(insert(QuotaRow).values(name=name, hour=hour, spent=1))
