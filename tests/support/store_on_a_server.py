"""A pytest plugin for --store postgresql: a server for all tests."""

import contextlib
from collections.abc import Iterator

import pytest

from tests.support import stores


@pytest.hookimpl(tryfirst=True)  # before xdist starts its workers, which share the server
def pytest_sessionstart(session: pytest.Session) -> None:
    """Start the server; each test has its own database on it."""
    if not hasattr(session.config, "workerinput"):
        stack = contextlib.ExitStack()
        stack.enter_context(stores.server_for_all())
        session.config.add_cleanup(stack.close)


@pytest.fixture(autouse=True)
def _databases_dropped() -> Iterator[None]:
    """Drop the databases that a test creates on the server."""
    with stores.dropped():
        yield
