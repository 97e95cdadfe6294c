"""Frequent statements: compiled once per dialect, and run directly by the driver.

SQLAlchemy takes ten times as long for a statement as SQLite itself, and an email needs fifteen.
`python -m tests.benchmarks.letters` shows the gain. Raises SQLAlchemy's errors.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Executable
from sqlalchemy.engine import Connection, Dialect

from godaemon.storage.columns import Moment, TextColumn

Row = Sequence[Any]


class Compiled(NamedTuple):
    """A statement compiled for a driver."""

    text: str
    order: Sequence[str] | None
    """The names of the values in order; None for a driver that takes them by name."""
    fixed: Mapping[str, Any]
    """The values that never change."""
    bind: Mapping[str, Callable[[Any, Dialect], Any]]
    """The conversions of values to our column types, by name."""
    moments: Sequence[int]
    """The indexes of the result columns to convert to moments."""


class Prepared:
    """A statement; an INSERT or UPDATE without values sets the columns that `run` is given."""

    def __init__(self, statement: Executable) -> None:
        self._statement: Any = statement
        self._compiled: dict[tuple[str, ...], Compiled] = {}
        """By dialect and the names of the values."""

    def rows(self, connection: Connection, **values: object) -> Sequence[Row]:
        """All rows of a query, as the driver returns them, but with moments converted."""
        return self._run(connection, values)[0]

    def row(self, connection: Connection, **values: object) -> Row | None:
        """The first row of a query, or None."""
        found = self._run(connection, values)[0]
        return found[0] if found else None

    def run(self, connection: Connection, **values: object) -> int:
        """Run the statement; returns the number of changed rows."""
        return self._run(connection, values)[1]

    def _run(self, connection: Connection, values: dict[str, Any]) -> tuple[Sequence[Row], int]:
        dialect = connection.dialect
        made = self._compiled.get((dialect.name, *values)) or self.compile(dialect, values)
        if not connection.in_transaction():
            connection.begin()
        for name, process in made.bind.items():
            values[name] = process(values[name], dialect)
        values |= made.fixed
        given: Any = values if made.order is None else [values[name] for name in made.order]
        cursor = connection.connection.cursor()
        try:
            cursor.execute(made.text, given)
            found = cursor.fetchall() if cursor.description else []
        except Exception as fault:  # noqa: BLE001 - SQLAlchemy translates it
            connection._handle_dbapi_exception(fault, made.text, given, cursor, None)  # noqa: SLF001
        changed = cursor.rowcount
        cursor.close()
        return [_read_row(row, made.moments) for row in found] if made.moments else found, changed

    def compile(self, dialect: Dialect, names: Iterable[str]) -> Compiled:
        """Compile the statement for a dialect and values of some names, and cache it."""
        text = self._statement.compile(dialect=dialect, column_keys=[*names])
        binds = {name: bind for bind, name in text.bind_names.items()}
        types = {name: bind.type for name, bind in binds.items() if bind.required}
        columns = enumerate(getattr(self._statement, "exported_columns", ()))
        made = self._compiled[dialect.name, *names] = Compiled(
            text.string,
            text.positiontup,
            {name: bind.effective_value for name, bind in binds.items() if not bind.required},
            {
                name: kind.process_bind_param
                for name, kind in types.items()
                if isinstance(kind, TextColumn | Moment)
            },
            [place for place, column in columns if isinstance(column.type, Moment)],
        )
        return made


def _read_row(row: Row, moments: Sequence[int]) -> Row:
    cells = list(row)
    for place in moments:
        if cells[place] is not None:
            cells[place] = datetime.fromisoformat(cells[place])
    return cells
