"""The part of a transaction that counts what was spent of the quotas, by the hour.

Runs on the writer's thread, inside its transaction. Each of several daemons counts in rows of its
own, and all of them are added up: were there one row for all, each letter to a stranger would fail
wherever another daemon's came between.
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
    .where(
        _NAMED,
        col(QuotaRow.hour) == bindparam("at_hour"),
        col(QuotaRow.holder) == bindparam("by_holder"),
    )
    .values(spent=col(QuotaRow.spent) + 1)
)


class SqlQuotas:
    """Counters by names and hours, in one transaction."""

    def __init__(self, connection: Connection, holder: int | None = None) -> None:
        self._connection, self._holder = connection, holder or 0

    def spent(self, name: str, after: int, until: int) -> int:
        """How much was spent in those hours, both of them included."""
        found = _SPENT.row(self._connection, of_name=name, first=after, last=until)
        return int(found[0]) if found else 0

    def spend(self, name: str, hour: int) -> None:
        """Count one more; what is older than two days is forgotten."""
        if not _MORE.run(self._connection, of_name=name, at_hour=hour, by_holder=self._holder):
            self._insert(name, hour)
            old = col(QuotaRow.hour) < hour - _REMEMBERED
            self._connection.execute(delete(QuotaRow).where(old))

    def keep(self, name: str, until: int) -> None:
        """Count one for an hour to come, if there is none: it is not forgotten before that."""
        if not self.spent(name, until, until):
            self._insert(name, until)

    def _insert(self, name: str, hour: int) -> None:
        row = {"name": name, "hour": hour, "holder": self._holder, "spent": 1}
        self._connection.execute(insert(QuotaRow).values(**row))
