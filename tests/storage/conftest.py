"""Transactions of a new store, and a PostgreSQL server, for the storage tests."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from tests.support import stores


@pytest.fixture
def run(writer: WriterThread) -> Callable[[Callable[[Unit], Any]], Any]:
    """Runs work in a transaction."""
    return writer.run_sync


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL server; each test creates its own databases on it."""
    with stores.postgresql_server() as server:
        yield server.url
