"""Durable files: complete or unchanged after a power failure, owned by the folder's owner."""

import errno
import os
from pathlib import Path

import pytest

from godaemon.system.durable_files import give_to_owner, write_file
from godaemon.system.outages_and_pauses import TimeSeen
from tests.support.gateway import START

BEFORE, AFTER = b"before\n", b"after\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that somebody relies on."""
    file = tmp_path / "clock"
    write_file(file, BEFORE)
    return file


def test_a_file_is_synced_before_its_rename(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First what it says, then its name; until then the old one is there."""
    synced: list[tuple[Path, bytes]] = []

    def fsync(handle: int) -> None:
        synced.append((Path(f"/proc/self/fd/{handle}").readlink(), file.read_bytes()))

    monkeypatch.setattr(os, "fsync", fsync)
    write_file(file, AFTER)
    assert synced == [(file.with_name("clock.new"), BEFORE), (file.parent, AFTER)]
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_full_disk_keeps_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next attempt is not blocked."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            write_file(file, AFTER)
    assert file.read_bytes() == BEFORE
    write_file(file, AFTER)
    assert file.read_bytes() == AFTER


def test_a_pause_survives_a_power_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: a pause was lost after a power failure, as the file was empty."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    seen = TimeSeen(tmp_path / "clock")
    assert not seen.is_in_grace(START)
    synced.clear()
    seen.pause(START, "a move of house")
    assert len(synced) == 2


@pytest.mark.parametrize(("user", "calls"), [(0, [(123, 45)]), (1000, [])])
def test_root_hands_files_over_to_the_folders_owner(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, user: int, calls: list[tuple[int, int]]
) -> None:
    """Root gives a file to the owner of the folder; anybody else has nothing to give."""
    given: list[tuple[int, int]] = []
    state = os.stat_result((0o40700, 1, 1, 1, 123, 45, 0, 0, 0, 0))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(os, "chown", lambda _, uid, gid: given.append((uid, gid)))
    monkeypatch.setattr(Path, "stat", lambda _: state)
    give_to_owner(tmp_path / "godaemon.db", tmp_path)
    assert given == calls
