"""The signing key: private, and never replaced by mistake."""

import re
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from godaemon.errors import ConfigError
from godaemon.system.signing_keys import KEY_FILE, OLD_KEYS_FILE, SigningKeys, load_key, make_key


def test_a_key_is_made_once(tmp_path: Path) -> None:
    """Reading creates none; only its owner may read it."""
    with pytest.raises(ConfigError, match=r"token\.key cannot be read: No such file"):
        load_key(tmp_path)
    (tmp_path / f"{Path(KEY_FILE).stem}.new").write_bytes(b"half")  # as after a power cut
    key = make_key(tmp_path)
    assert len(key) == 32
    assert load_key(tmp_path) == key
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]
    (tmp_path / "other").mkdir()
    assert make_key(tmp_path / "other") != key
    TimedKeys(tmp_path).keys.rotate()
    for name in (KEY_FILE, OLD_KEYS_FILE):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


@pytest.mark.parametrize("name", [KEY_FILE, OLD_KEYS_FILE])
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o660])
def test_a_key_that_others_may_read_is_refused(tmp_path: Path, name: str, mode: int) -> None:
    """The error has the command that corrects it."""
    TimedKeys(tmp_path).keys.rotate()
    (tmp_path / name).chmod(mode)
    with pytest.raises(ConfigError, match=rf"run: chmod 600 .*/{re.escape(name)}$"):
        TimedKeys(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        *((KEY_FILE, content, f"damaged.*cp BACKUP/{KEY_FILE} ") for content in (b"", b"k" * 31)),
        (OLD_KEYS_FILE, b"nonsense", "damaged"),
        (OLD_KEYS_FILE, b"2026-11-21T00:00:00+00:00 xyz\n", "damaged"),
        (OLD_KEYS_FILE, "é".encode(), "damaged"),
    ],
)
def test_a_damaged_file_is_not_replaced(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    """Or letters that players still have would be turned away without a word."""
    make_key(tmp_path)
    (tmp_path / name).write_bytes(content)
    (tmp_path / name).chmod(0o600)
    with pytest.raises(ConfigError, match=words):
        TimedKeys(tmp_path)
    assert (tmp_path / name).read_bytes() == content


START = datetime(2026, 11, 21, tzinfo=UTC)


class TimedKeys:
    """The keys of a state folder, with a manual clock and a day of grace."""

    def __init__(self, state: Path) -> None:
        self.now = START
        if not (state / KEY_FILE).exists():
            make_key(state)
        self.keys = SigningKeys(state, lambda: self.now, lambda: timedelta(days=1))


def test_a_replaced_key_is_valid_for_the_grace_period(tmp_path: Path) -> None:
    """New letters are signed with the new key at once."""
    made = TimedKeys(tmp_path)
    first = made.keys.signing
    made.keys.rotate()
    second = made.keys.signing
    assert made.keys.valid_keys() == (second, first)
    assert load_key(tmp_path) == second != first
    assert TimedKeys(tmp_path).keys.valid_keys() == (second, first)
    made.now += timedelta(hours=23)
    made.keys.rotate()
    assert made.keys.valid_keys() == (made.keys.signing, first, second)
    made.now += timedelta(hours=2)
    assert made.keys.valid_keys() == (made.keys.signing, second)
    made.keys.rotate()
    assert first.hex() not in (tmp_path / OLD_KEYS_FILE).read_text()


def test_a_power_cut_between_two_key_files_loses_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old key is written to the list before it is replaced."""
    made = TimedKeys(tmp_path)
    first = made.keys.signing
    monkeypatch.setattr("godaemon.system.signing_keys.secrets.token_bytes", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        made.keys.rotate()
    monkeypatch.undo()
    assert first in TimedKeys(tmp_path).keys.valid_keys()
    second = TimedKeys(tmp_path)
    second.keys.rotate()
    assert second.keys.valid_keys()[1:] == (first,)
