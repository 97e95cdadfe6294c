"""A PostgreSQL server for the storage tests."""

from collections.abc import Iterator

import pytest

from tests.support import stores


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL server; each test creates its own databases on it."""
    with stores.postgresql() as url:
        yield url
