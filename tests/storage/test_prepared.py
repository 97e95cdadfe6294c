"""Prepared statements give the same results as SQLAlchemy."""

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from godaemon.storage.database import Database
from godaemon.storage.mail_tables import InboxRow
from godaemon.storage.prepared import Prepared
from tests.support.stores import NOW

_WRITE = Prepared(sa.insert(InboxRow))
_READ = Prepared(
    sa.select(col(InboxRow.message_id), col(InboxRow.at)).where(
        col(InboxRow.fingerprint) == sa.bindparam("of_letter")
    )
)


def test_prepared_statements_write_and_read(database: Database) -> None:
    """By the types of its columns, and in a transaction that begins by itself.

    A value that is missing is our bug: no NULL takes its place. What fails is what SQLAlchemy says,
    so that one place tells what it means, and no value stands in it.
    """
    with database.connect() as connection:
        assert _WRITE.run(connection, fingerprint="one", message_id="a\x00b", at=NOW) == 1
        assert connection.in_transaction()
        assert list(_READ.row(connection, of_letter="one") or ()) == ["a\\x00b", NOW]
        assert _READ.row(connection, of_letter="another") is None
        assert _READ.rows(connection, of_letter="another") == []
        with pytest.raises(KeyError, match="of_letter"):
            _READ.row(connection)
        with pytest.raises(IntegrityError, match=r"(?i)unique constraint") as fault:
            _WRITE.run(connection, fingerprint="one", message_id="<secret@x>", at=NOW)
        assert "secret" not in str(fault.value)
    with database.connect() as connection:
        assert _READ.row(connection, of_letter="one") is None
