"""The part of a transaction that counts what was spent of the quotas, by the hour.

Runs on the writer's thread, inside its transaction.
"""

from __future__ import annotations

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.storage.prepared import Prepared
from godaemon.storage.tables import QuotaRow

_REMEMBERED = 48
_NAMED = col(QuotaRow.name) == bindparam("of_name")
_SPENT = Prepared(
    select(func.coalesce(func.sum(col(QuotaRow.spent)), 0)).where(
        _NAMED, col(QuotaRow.hour).between(bindparam("first"), bindparam("last"))
    )
)
_MORE = Prepared(
    update(QuotaRow)
    .where(_NAMED, col(QuotaRow.hour) == bindparam("at_hour"))
    .values(spent=col(QuotaRow.spent) + 1)
)


class SqlQuotas:
    """Counters by names and hours, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def spent(self, name: str, after: int, until: int) -> int:
        """How much was spent in those hours, both of them included."""
        found = _SPENT.row(self._connection, of_name=name, first=after, last=until)
        return int(found[0]) if found else 0

    def spend(self, name: str, hour: int) -> None:
        """Count one more; what is older than two days is forgotten."""
        if not _MORE.run(self._connection, of_name=name, at_hour=hour):
            self._insert(name, hour)
            old = col(QuotaRow.hour) < hour - _REMEMBERED
            self._connection.execute(delete(QuotaRow).where(old))

    def keep(self, name: str, until: int) -> None:
        """Count one for an hour to come, if there is none: it is not forgotten before that."""
        if not self.spent(name, until, until):
            self._insert(name, until)

    def _insert(self, name: str, hour: int) -> None:
        self._connection.execute(insert(QuotaRow).values(name=name, hour=hour, spent=1))
