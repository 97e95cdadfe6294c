"""Run godaemon, and record its SQL statements.

    python -m tests.support.sql_statements FILE serve --config CONFIG

FILE gets a line of JSON for each distinct statement: its text and its number of values.
"""

import json
import sqlite3
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Dialect, Engine, event

from godaemon.cli import main
from godaemon.storage.prepared import Compiled, Prepared


def listen(file: Path) -> None:
    """Record the statements of all SQLAlchemy engines of this process from now on."""
    known: set[str] = set()

    def write(statement: str, count: int) -> None:
        if statement not in known:
            known.add(statement)
            with file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps([statement, count]) + "\n")

    def record(
        _connection: object,
        _cursor: object,
        statement: str,
        values: Any,  # noqa: ANN401 - of one row or of many
        _context: object,
        many: bool,
    ) -> None:
        write(statement, len(values[0] if many else values))

    def compiled(prepared: Prepared, dialect: Dialect, names: Iterable[str]) -> Compiled:
        made = compile_(prepared, dialect, names)
        write(made.text, len(made.order or ()))
        return made

    compile_ = Prepared.compile
    setattr(Prepared, "compile", compiled)  # noqa: B010 - mypy knows methods by their classes
    event.listen(Engine, "before_cursor_execute", record)


def statements(file: Path) -> list[tuple[str, int]]:
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [(statement, count) for statement, count in found]


def scans(store: Path, recorded: Iterable[tuple[str, int]]) -> dict[str, Sequence[str]]:
    """The full table scans of each statement that has any."""
    found: dict[str, Sequence[str]] = {}
    with closing(sqlite3.connect(store)) as link:
        for statement, count in recorded:
            if not statement.lstrip().upper().startswith(("SELECT", "UPDATE", "DELETE", "INSERT")):
                continue
            plan = link.execute(f"EXPLAIN QUERY PLAN {statement}", [None] * count).fetchall()
            read = [detail for *_, detail in plan if detail.startswith("SCAN ")]
            # `SCAN 1 CONSTANT ROW` and lists of values are no tables.
            tables = [detail.split()[1] for detail in read if "CONSTANT" not in detail]
            if tables:
                found[statement] = tables
    return found


if __name__ == "__main__":
    listen(Path(sys.argv.pop(1)))
    main()
