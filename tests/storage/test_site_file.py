"""A whole site in one file: a compressed backup."""

import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from godaemon.errors import Busy, Refusal
from godaemon.storage.database import store_url
from godaemon.storage.identity import open_store
from godaemon.storage.locks import state_lock
from godaemon.storage.restore import export_site, import_site
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from godaemon.system.signing_keys import all_keys
from tests.support.stores import NOW, move

pytestmark = pytest.mark.sqlite("a file that is imported into a folder")


def play(unit: Unit) -> None:
    unit.games.append(unit.games.create(), 0, [move("D4"), move("Q16")])


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The state folder of a store with a game."""
    state = tmp_path / "state"
    with closing(open_store(store_url(state), state)) as database, WriterThread(database) as writer:
        writer.run_sync(play)
    return state


@pytest.fixture
def file(state: Path, tmp_path: Path) -> Path:
    export_site(store_url(state), state, tmp_path / "site")
    return tmp_path / "site"


def test_an_export_is_imported(state: Path, file: Path, tmp_path: Path) -> None:
    """Games and keys; the file is readable for its owner only, and nothing else is written."""
    there = tmp_path / "there"
    made = import_site(file, store_url(there), there, NOW)
    assert (made.games, made.events, made.has_key) == (1, 2, True)
    assert all_keys(there) == all_keys(state)
    assert file.stat().st_mode & 0o777 == 0o600
    assert {path.name for path in there.iterdir()} == {"godaemon.db", "token.key", "daemon.lock"}
    assert {path.name for path in tmp_path.iterdir()} == {"state", "site", "there"}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: content[:-1],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-40] + bytes([content[-40] ^ 1]) + content[-39:],
        lambda content: content[:300] + content[310:],
    ],
    ids=["cut by a byte", "cut to half", "a bit flipped", "some bytes missing"],
)
def test_an_incomplete_file_is_refused(
    file: Path, tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    """Nothing is imported."""
    file.write_bytes(spoil(file.read_bytes()))
    with pytest.raises(Refusal, match=r"cut short or changed.*Nothing was imported"):
        import_site(file, store_url(tmp_path / "new"), tmp_path / "new", NOW)
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("name", ["../../elsewhere", "/elsewhere", "token.keys", "daemon.lock"])
def test_only_files_of_a_site_are_written(tmp_path: Path, name: str) -> None:
    """Whoever made the archive."""
    (tmp_path / "content").write_bytes(b"k" * 32)
    with tarfile.open(tmp_path / "site", "w:gz") as tar:
        tar.add(tmp_path / "content", name)
    with pytest.raises(Refusal, match="not part of a backup"):
        import_site(tmp_path / "site", store_url(tmp_path / "new"), tmp_path / "new", NOW)
    assert not list(tmp_path.rglob("elsewhere"))


def test_a_second_export_is_refused(state: Path, tmp_path: Path) -> None:
    """It deletes no file of the first."""
    with state_lock(state), pytest.raises(Busy):
        export_site(store_url(state), state, tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_import_needs_an_export_and_an_empty_folder(state: Path, file: Path) -> None:
    """Existing files stay."""
    with pytest.raises(Refusal, match="There is a store"):
        import_site(file, store_url(state), state, NOW)
    with pytest.raises(Refusal, match="already exists"):
        export_site(store_url(state), state, file)
    file.write_text("These are my notes about go.\n", encoding="ascii")
    with pytest.raises(Refusal, match="was not written by `godaemon export`"):
        import_site(file, store_url(file.parent / "new"), file.parent / "new", NOW)
