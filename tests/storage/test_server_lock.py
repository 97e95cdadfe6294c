"""The lock on a server's database: daemons share it, migrations need it alone."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from godaemon.errors import Busy, ConfigError, Temporary
from godaemon.storage import migrations, several_daemons
from godaemon.storage.connections import connect, read_url, session
from godaemon.storage.database import open_database
from godaemon.storage.identity import open_store
from godaemon.storage.locks import server_lock, share_tables
from godaemon.storage.migrations import LEAVE, migrate, read_revision
from godaemon.storage.several_daemons import Holder
from godaemon.storage.tables import SCHEMA
from tests.support.site import cut_all
from tests.support.stores import new_database
from tests.support.waiting import PATIENCE, until

pytestmark = pytest.mark.peer("postgresql")
NEWER = "9999"
"""A revision that only a newer program knows."""


@pytest.fixture
def url(server: str) -> str:
    url = new_database(server)
    open_database(url).close()
    return url


@pytest.fixture
def newer(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Migrations are those of a newer program, which wants another revision."""

    def upgrade(connection: Connection, _found: str) -> None:
        connection.execute(sa.text("LOCK TABLE game IN ACCESS EXCLUSIVE MODE"))  # as ALTER does
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{NEWER}'"))

    monkeypatch.setattr("godaemon.storage.migrations.run_steps", upgrade)
    monkeypatch.setattr(migrations, "SCHEMA", NEWER)


def older(url: str) -> Holder:
    """A daemon of today."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "SCHEMA", SCHEMA)
        return opened(url)


def opened(url: str) -> Holder:
    daemon = Holder(url)
    try:
        daemon.open()
    except BaseException:
        daemon.close()
        raise
    return daemon


def errors_of(daemon: Holder) -> list[str]:
    connection = daemon._connection
    driver = connection and connection.connection.driver_connection
    assert driver
    return [one.payload for one in driver.notifies(timeout=PATIENCE, stop_after=1)]


def test_daemons_share_the_lock(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each holds it until it releases it or disconnects."""
    monkeypatch.setattr(several_daemons, "POLL_INTERVAL", 0.0)
    with (
        closing(opened(url)) as first,
        closing(opened(url)) as second,
        server_lock(url, share_tables),
    ):
        cut_all(url)
        for daemon in (first, second):
            with pytest.raises(Temporary):
                daemon.open()
            daemon.open()


def test_a_daemon_is_closed_while_it_reconnects(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: the connection leaked, or was closed while in use."""
    taking, go_on = threading.Event(), threading.Event()

    def require_current(_: Connection) -> None:
        taking.set()
        assert go_on.wait(PATIENCE)

    monkeypatch.setattr(several_daemons, "POLL_INTERVAL", 0.0)
    daemon = opened(url)
    cut_all(url)
    with pytest.raises(Temporary):
        daemon.open()
    monkeypatch.setattr("godaemon.storage.locks.require_current", require_current)
    with ThreadPoolExecutor(2) as threads:
        opening = threads.submit(daemon.open)
        assert taking.wait(PATIENCE)
        closed = threads.submit(daemon.close)
        go_on.set()
        opening.result(PATIENCE)
        closed.result(PATIENCE)
    assert daemon._connection is None


def test_daemons_start_together_on_an_empty_database(server: str) -> None:
    """One makes the tables; the others wait for it."""
    url = new_database(server)
    ready = threading.Barrier(4)

    def start() -> str | None:
        ready.wait(PATIENCE)
        with (
            closing(open_database(url)) as database,
            server_lock(url, share_tables),
            database.connect() as link,
        ):
            return read_revision(link)

    with ThreadPoolExecutor(4) as threads:
        found = [threads.submit(start) for _ in range(4)]
        assert [one.result(PATIENCE) for one in found] == [SCHEMA] * 4


@pytest.mark.usefixtures("newer")
@pytest.mark.parametrize(
    "held", ["identity IN EXCLUSIVE MODE", "game IN ACCESS SHARE MODE"], ids=["key", "tables"]
)
def test_a_start_waits_for_locked_tables(url: str, tmp_path: Path, held: str) -> None:
    """Another start may write its key, or a query may read."""
    waits = "SELECT count(*) FROM pg_locks WHERE clock_timestamp() - waitstart > interval '0.2 s'"
    with ThreadPoolExecutor(1) as thread, session(read_url(url)) as other:
        other.execute(sa.text(f"LOCK TABLE {held}"))
        start = thread.submit(open_store, url, tmp_path, first_key=bytes(32))
        until(lambda: start.done() or bool(other.scalar(sa.text(waits))), "it waits")
        other.rollback()
        start.result(PATIENCE).close()


@pytest.mark.usefixtures("newer")
def test_a_migration_waits_for_older_daemons(url: str) -> None:
    """They are asked to leave, and are refused afterwards."""
    place, engine = read_url(url), connect(read_url(url))
    with ThreadPoolExecutor(1) as newer, engine.connect() as connection:
        with closing(older(url)) as old:
            change = newer.submit(migrate, place, None)
            assert errors_of(old) == [LEAVE]
            assert read_revision(connection) == SCHEMA
            assert not change.done()
        change.result(PATIENCE)
    engine.dispose()
    with pytest.raises(ConfigError, match="written by a newer godaemon"):
        older(url)
    opened(url).close()


@pytest.mark.usefixtures("newer")
def test_a_migration_times_out(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If an older daemon stays; nothing is changed."""
    monkeypatch.setattr(migrations, "_LOCK_TIMEOUT", "100ms")
    with closing(older(url)), pytest.raises(Busy, match="Stop that one first"):
        migrate(read_url(url), None)
    migrate(read_url(url), None)
