"""One daemon for each database of a server, wherever the second one runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from godaemon.errors import Busy, Temporary
from godaemon.storage.connections import connect, read_url
from godaemon.storage.server_lock import ServerLock
from tests.support import stores
from tests.support.daemon import LiveDaemon

pytestmark = pytest.mark.peer("postgresql")
END_OTHERS = (
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
    " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server of our own."""
    with stores.postgresql() as url:
        yield url


def test_only_one_has_it(url: str) -> None:
    """The second is told so, and has it once the first has let go."""
    with ServerLock(url) as lock:
        lock.hold()
        with pytest.raises(Busy, match="Another godaemon is using the database postgres"):
            ServerLock(url)
    with ServerLock(url):
        pass


def test_a_connection_that_was_lost(url: str) -> None:
    """It is taken again; where another was quicker, the one that had it is told."""
    engine = connect(read_url(url))
    with ServerLock(url) as first:
        for _ in range(2):
            with engine.connect() as connection:
                connection.exec_driver_sql(END_OTHERS)
            first.hold()
        with engine.connect() as connection:
            connection.exec_driver_sql(END_OTHERS)
        with ServerLock(url), pytest.raises(Busy):
            first.hold()
        first.hold()
    engine.dispose()


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    """It may come back."""
    with pytest.raises(Temporary, match="does not answer"):
        ServerLock(f"postgresql+psycopg://godaemon@/games?host={tmp_path}")


def test_a_second_daemon_is_refused(url: str, tmp_path: Path) -> None:
    """With another state folder on the same database: exit 75, and the first one plays on."""
    first, second = (_on(url, tmp_path / name) for name in ("first", "second"))
    first.start()
    try:
        refused = second.command("serve", check=False)
        assert refused.returncode == 75
        assert "Another godaemon is using the database postgres" in refused.stderr
        looked = second.command("games", check=False)
        assert looked.returncode == 75
        assert "There are no games" in first.command("games").stdout
    finally:
        assert first.stop() == 0


def _on(url: str, folder: Path) -> LiveDaemon:
    """A daemon with a folder of its own, on a database of the server."""
    folder.mkdir()
    daemon = LiveDaemon(folder)
    daemon.config.write_text(f'database_url = "{url}"\n' + daemon.config.read_text())
    return daemon
