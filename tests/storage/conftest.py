"""A PostgreSQL server for the tests of the storage."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support import stores


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a server of our own, on which each has databases of its own."""
    with stores.postgresql() as url:
        yield url
