"""Database and state folder belong together, or nothing starts."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import delete

from godaemon.errors import ConfigError, Corrupt
from godaemon.storage.connections import connect, read_url
from godaemon.storage.database import open_database, store_url
from godaemon.storage.identity import open_store
from godaemon.storage.tables import IdentityRow
from godaemon.storage.writer import WriterThread
from godaemon.system.signing_keys import load_key, rotate_key
from tests.support.stores import NOW, new_database

pytestmark = pytest.mark.sqlite("a file beside its key")
GRACE = timedelta(days=60)
NO_KEY, NO_STORE = r"token\.key is missing", "database is missing or empty"
RESTORE = "godaemon restore BACKUP"


def used(state: Path) -> Path:
    """A state folder with a store in which there is a game."""
    state.mkdir()
    _play(state)
    return state


def _play(state: Path) -> None:
    with closing(open_store(store_url(state), state)) as database, WriterThread(database) as writer:
        writer.run_sync(lambda unit: unit.games.create())


def _contents(state: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(state.iterdir())}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return used(tmp_path / "state")


def test_a_new_store_gets_an_identity(state: Path, tmp_path: Path) -> None:
    """Each store its own, the same at each start."""
    assert set(_contents(state)) == {"godaemon.db", "store.id", "token.key"}
    assert (state / "store.id").stat().st_mode & 0o777 == 0o600
    before = (state / "store.id").read_bytes(), load_key(state)
    _play(state)
    assert ((state / "store.id").read_bytes(), load_key(state)) == before
    other = used(tmp_path / "other")
    assert (other / "store.id").read_bytes() != before[0]


def _without(names: str, state: Path) -> None:
    for name in names.split():
        (state / name).unlink()


def _cut(size: int, state: Path) -> None:
    """Truncate the database to that many bytes."""
    (state / "godaemon.db").write_bytes((state / "godaemon.db").read_bytes()[:size])


def _of_another(names: str, state: Path) -> None:
    """Take some files of another store."""
    other = used(state.with_name("other"))
    for name in names.split():
        shutil.copy(other / name, state)


def _fresh(state: Path) -> None:
    (state / "godaemon.db").unlink()
    open_database(store_url(state)).close()


def _fresh_but_without_id(state: Path) -> None:
    _fresh(state)
    with closing(sqlite3.connect(state / "godaemon.db", isolation_level=None)) as connection:
        connection.execute("DROP TABLE alembic_version")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (partial(_without, "token.key"), rf"{NO_KEY}.*\(mode 600\)\. If .*rotate-key --lost"),
        (partial(_without, "token.key store.id"), NO_KEY),
        (partial(_without, "godaemon.db"), f"{NO_STORE}.*{RESTORE}"),
        (partial(_without, "godaemon.db store.id"), NO_STORE),
        (partial(_without, "godaemon.db token.key"), rf"a store\.id in .* {NO_STORE}"),
        (partial(_cut, 0), f"{NO_STORE}.*{RESTORE}"),
        (partial(_cut, 4096 * 5), f"damaged or cut short.*{RESTORE}"),
        (partial(_cut, 1000), f"damaged or cut short.*{RESTORE}"),
        (_fresh, f"not the one that belongs.*{RESTORE}"),
        (_fresh_but_without_id, NO_STORE),
        (partial(_of_another, "token.key"), r"token\.key is another store's.*from a backup"),
        (partial(_of_another, "godaemon.db"), "not the one that belongs"),
        (partial(_of_another, "godaemon.db token.key"), "not the one that belongs"),
    ],
)
def test_mismatched_parts_are_refused(
    state: Path, damage: Callable[[Path], None], words: str
) -> None:
    """With advice, every time; nothing is changed or created."""
    damage(state)
    before = _contents(state)
    for _ in range(2):
        with pytest.raises(Corrupt if "damaged" in words else ConfigError, match=words):
            open_store(store_url(state), state)
    after = _contents(state)
    for name in ("token.key", "store.id"):
        assert after.get(name) == before.get(name)
    assert ("godaemon.db" in after) == ("godaemon.db" in before)


def test_a_store_without_an_identity_adopts_its_key(state: Path) -> None:
    """Stores of older versions, at the first start."""
    key = load_key(state)
    database = open_database(store_url(state))
    with database.connect() as connection:
        connection.execute(delete(IdentityRow))
        connection.commit()
    database.close()
    (state / "store.id").unlink()
    _play(state)
    assert load_key(state) == key
    (state / "token.key").unlink()
    with pytest.raises(ConfigError, match="is missing"):
        open_store(store_url(state), state)


def test_an_interrupted_first_start_is_repeated(tmp_path: Path) -> None:
    """Tables without a key and games are no store yet, nor is an empty file."""
    open_database(store_url(tmp_path)).close()
    _play(tmp_path)
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "godaemon.db").touch()
    _play(tmp_path / "half")


def test_an_interrupted_key_rotation_is_completed(state: Path) -> None:
    """The database learns the new key at the next start, if the old one is at hand.

    Without the old keys it would be another store's.
    """
    rotate_key(state, NOW, GRACE)
    shutil.copytree(state, state.with_name("copy"))
    _play(state)
    (state / "token.key.old").unlink()
    _play(state)
    (state.with_name("copy") / "token.key.old").unlink()
    with pytest.raises(ConfigError, match="another store's"):
        _play(state.with_name("copy"))


def test_a_lost_key_is_replaced_on_request(state: Path) -> None:
    """The operator says so, and a new one is made."""
    lost = load_key(state)
    (state / "token.key").unlink()
    open_store(store_url(state), state, key_is_lost=True).close()
    assert load_key(state) != lost
    _play(state)


@pytest.mark.parametrize("lost", [False, True])
def test_a_given_first_key_is_used(tmp_path: Path, lost: bool) -> None:
    """Unless it is lost for good."""
    open_store(store_url(tmp_path), tmp_path, first_key=b"f" * 32, key_is_lost=lost).close()
    assert (load_key(tmp_path) == b"f" * 32) is not lost


@pytest.mark.peer("postgresql")
def test_identities_on_a_server(server: str, tmp_path: Path) -> None:
    """An empty database beside a key, or one beside another's key, is refused."""
    state, other = tmp_path / "state", used(tmp_path / "other")
    state.mkdir()
    url = new_database(server)
    with pytest.raises(ConfigError, match="database is missing or empty"):
        open_store(url, other)
    for _ in range(2):
        open_store(url, state).close()
    with pytest.raises(ConfigError, match="not the one that belongs"):
        open_store(url, other)
    (state / "token.key").rename(state / "away")
    engine = connect(read_url(url))
    with engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM identity").scalar_one() == 1
    engine.dispose()
    with pytest.raises(ConfigError, match=r"is missing.*copy it from one of them"):
        open_store(url, state)
