"""The column types, and the base class of all tables. Imports SQLModel only.

Columns have SQLite's STRICT types (https://sqlite.org/stricttables.html), which PostgreSQL has too:
text, integers, floats, bytes. Binding a naive moment raises `ValueError`: it is a bug of ours.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import declared_attr
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel, col

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Every constraint has a name, so that a migration can drop it."""

_Values = Mapping[str, object]
STRICT: dict[str, Any] = {"sqlite_strict": True}
NUMBERED: dict[str, Any] = {"sqlite_strict": True, "sqlite_autoincrement": True}
"""Options of tables with numbers that people see: numbers of deleted rows are never reused."""


DOUBLE: sa.types.TypeEngine[Any] = sa.Double().with_variant(sa.REAL(), "sqlite")
"""A float of Python's precision; PostgreSQL's REAL has half of it."""


def clean_text(text: str) -> str:
    """Text for any database: NUL and lone surrogates (undecodable bytes) become backslash escapes.

    Inside JSON these escapes are read as the original characters.
    """
    if "\x00" in text:
        text = text.replace("\x00", "\\x00")
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class TextColumn(TypeDecorator[str]):
    """Text of any length and content (`clean_text`)."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        return None if value is None else clean_text(value)


class Moment(TypeDecorator[datetime]):
    """An aware moment as ISO 8601 text in UTC; all have the same width, so they sort by time."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> str | None:
        return None if value is None else timestamp(value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> datetime | None:
        return None if value is None else datetime.fromisoformat(value)


def timestamp(moment: datetime) -> str:
    """ISO 8601 in UTC with six decimals: "2026-11-21T03:23:16.000000+00:00"."""
    if moment.tzinfo is None:
        raise ValueError("A moment without a time zone cannot be stored.")
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    return moment.isoformat(timespec="microseconds")


class Row(SQLModel):
    """The base class of all tables; `GameAddressRow` is a row of the table `game_address`.

    Table models do not validate.
    """

    model_config = {"defer_build": True}  # no table needs a validator

    metadata: ClassVar[sa.MetaData] = METADATA
    __table_args__: ClassVar[Any] = STRICT

    @declared_attr.directive
    def __tablename__(cls) -> str:  # noqa: N805 - SQLAlchemy calls it with the class
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__.removesuffix("Row")).lower()


def text_column(**options: Any) -> Any:  # noqa: ANN401 - the type is the annotated field's
    return Field(sa_type=TextColumn, **options)


def moment_column(**options: Any) -> Any:  # noqa: ANN401 - the type is the annotated field's
    return Field(sa_type=Moment, **options)


def number_key(**options: Any) -> Any:  # noqa: ANN401 - the type is the annotated field's
    """A number in a primary key that the database does not assign."""
    return Field(primary_key=True, sa_column_kwargs={"autoincrement": False}, **options)


def stored_as(column: str, field: str) -> dict[str, str]:
    """The options of a field whose column has another name in the database."""
    return {"name": column, "key": field}


def columns(row: type[Row], names: Iterable[str]) -> tuple[Any, ...]:
    """The columns of a table with these names."""
    return tuple(col(getattr(row, name)) for name in names)


def one_of(column: str, *values: str) -> sa.CheckConstraint:
    """A CHECK that a column holds one of these words, or NULL."""
    listed = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{column} IN ({listed})", name=column)


def not_negative(column: str) -> sa.CheckConstraint:
    """A CHECK that a column holds no negative number."""
    return sa.CheckConstraint(f"{column} >= 0", name=column)


def yes_or_no(column: str) -> sa.CheckConstraint:
    """A CHECK that a column holds 1, 0 or NULL."""
    return sa.CheckConstraint(f"{column} IN (0, 1)", name=column)


def insert_numbered(connection: sa.Connection, statement: sa.Insert) -> int:
    """Insert one row; returns its new number."""
    key = connection.execute(statement).inserted_primary_key
    if key is None:
        raise AssertionError(statement)
    return int(key[0])


def put(link: sa.Connection, table: type[Row], key: _Values, row: _Values) -> None:
    """Insert a row; it replaces a row with the same key."""
    link.execute(sa.delete(table).filter_by(**key))
    link.execute(sa.insert(table), {**row, **key})
