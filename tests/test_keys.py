"""The key that signs our tokens: made once, kept for its owner, never made anew by mistake."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from godaemon.errors import ConfigError
from godaemon.keys import FILE, load_key


def test_made_once(tmp_path: Path) -> None:
    """The first daemon makes it, all others read it."""
    key = load_key(tmp_path)
    assert len(key) == 32
    assert load_key(tmp_path) == key
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_each_folder_has_its_own(tmp_path: Path) -> None:
    """Two daemons cannot sign for each other."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    assert load_key(tmp_path / "one") != load_key(tmp_path / "other")


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    """Whoever has it can write letters as any player."""
    load_key(tmp_path)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_half_made_key_is_made_again(tmp_path: Path) -> None:
    """A power cut while it was being made leaves nothing that anybody has used."""
    half = tmp_path / f"{Path(FILE).stem}.new"
    half.write_bytes(b"half")
    assert len(load_key(tmp_path)) == 32
    assert not half.exists()


@pytest.mark.parametrize("content", [b"", b"short", b"k" * 31])
def test_damaged_key_is_not_replaced(tmp_path: Path, content: bytes) -> None:
    """A new one would make every letter worthless that players still have."""
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(ConfigError, match="restore it from a backup"):
        load_key(tmp_path)
    assert (tmp_path / FILE).read_bytes() == content


def test_no_such_folder(tmp_path: Path) -> None:
    """The operator is told which file, and why."""
    with pytest.raises(ConfigError, match=r"token\.key cannot be read: No such file"):
        load_key(tmp_path / "nowhere")


def test_no_file(tmp_path: Path) -> None:
    """A folder in its place is no key."""
    (tmp_path / FILE).mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        load_key(tmp_path)
