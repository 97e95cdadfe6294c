"""The keys that sign our tokens: files beside the database, never inside it.

    token.key        the current key
    token.key.old    replaced keys, each with the time of its replacement

Anyone with a key can act as any player, so only its owner may read the file. A replaced key stays
valid for a grace period, because players still have emails signed with it. Raises `ConfigError` if
a key cannot be read or written.
"""

import contextlib
import errno
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from godaemon.errors import ConfigError, Temporary
from godaemon.system.durable_files import write_file

KEY_FILE = "token.key"
"""The name of the key file in a state folder and in a backup."""
OLD_KEYS_FILE = "token.key.old"
"""The name of the file with replaced keys in a state folder and in a backup."""

_BYTES = 32
_log = structlog.get_logger("godaemon")


@dataclass(frozen=True, slots=True)
class ReplacedKey:
    """A replaced key, and the time of its replacement."""

    key: bytes = field(repr=False)
    since: datetime


class SigningKeys:
    """The keys of a state folder: the signing key, and replaced keys.

    `now` returns the present time, `grace` the time for which a replaced key stays valid.
    """

    def __init__(
        self, state: Path, now: Callable[[], datetime], grace: Callable[[], timedelta]
    ) -> None:
        self._state, self._now, self.grace = state, now, grace
        self.signing = load_key(state)
        """The key that signs tokens."""
        self._replaced = _load_replaced(state)

    def valid_keys(self) -> tuple[bytes, ...]:
        """The keys whose tokens are valid now, the signing key first."""
        oldest = self._now() - self.grace()
        return (self.signing, *(one.key for one in self._replaced if one.since > oldest))

    def restore_file(self) -> None:
        """Write the key file again if it was removed, and log that."""
        if not (self._state / KEY_FILE).exists():
            with contextlib.suppress(ConfigError):  # the folder may be missing
                make_key(self._state, self.signing)
                _log.warning("store.key-written-again", detail="Its file had been removed.")

    def rotate(self) -> None:
        """Replace the signing key by a new one; raises `ConfigError`."""
        rotate_key(self._state, self._now(), self.grace())
        self.signing, self._replaced = load_key(self._state), _load_replaced(self._state)


def make_key(state: Path, key: bytes = b"") -> bytes:
    """Write `key`, or a new key, to a state folder in place of any other; returns it."""
    _write_key(state / KEY_FILE, key or secrets.token_bytes(_BYTES))
    return load_key(state)


def _write_key(file: Path, content: bytes) -> None:
    try:
        write_file(file, content)
    except OSError as fault:
        kind = Temporary if fault.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO) else ConfigError
        raise kind(f"No key can be written in {file.parent}: {fault.strerror}.") from fault


def all_keys(state: Path) -> tuple[bytes, ...]:
    """The key of a folder, if any, and the replaced ones, newest first; raises `ConfigError`."""
    if not (state / KEY_FILE).exists():
        return ()
    return (load_key(state), *(one.key for one in reversed(_load_replaced(state))))


def require_private(path: Path) -> None:
    """Raise `ConfigError` for a file that anyone but its owner may read or write."""
    with contextlib.suppress(FileNotFoundError):
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise ConfigError(
                f"Other users of this machine may read the key {path}; run: chmod 600 {path}"
            )


def read_key(path: Path) -> bytes:
    """The key in a file of the operator; raises `ConfigError`."""
    key = _read_bytes(path)
    if len(key) < _BYTES:
        raise ConfigError(f"The key {path} is too short: make one by `openssl rand {_BYTES}`.")
    return key


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise ConfigError(f"The key {path} cannot be read: {fault.strerror}.") from fault


def load_key(state: Path) -> bytes:
    """The key of a state folder; raises `ConfigError` if it is missing, damaged or not private."""
    path = state / KEY_FILE
    key = _read_bytes(path)
    if len(key) < _BYTES:
        raise ConfigError(
            f"The key {path} is damaged. From a backup: `cp BACKUP/{KEY_FILE} {path}`. If none"
            f" has it: `rm {path}`, then `godaemon rotate-key --lost`; earlier emails"
            " cannot be answered then."
        )
    require_private(path)
    return key


def rotate_key(state: Path, now: datetime, grace: timedelta) -> None:
    """Replace the key by a new one; keep it with the replaced keys, and drop expired ones.

    The replaced keys are written first, so that a crash loses no key.
    """
    current = load_key(state)
    kept = [one for one in _load_replaced(state) if one.since > now - grace and one.key != current]
    lines = [
        f"{one.since.isoformat()} {one.key.hex()}\n" for one in (*kept, ReplacedKey(current, now))
    ]
    _write_key(state / OLD_KEYS_FILE, "".join(lines).encode("ascii"))
    _write_key(state / KEY_FILE, secrets.token_bytes(_BYTES))


def _load_replaced(state: Path) -> tuple[ReplacedKey, ...]:
    path = state / OLD_KEYS_FILE
    try:
        require_private(path)
        rows = map(str.split, path.read_text(encoding="ascii").splitlines())
        return tuple(
            ReplacedKey(bytes.fromhex(key), datetime.fromisoformat(since)) for since, key in rows
        )
    except FileNotFoundError:
        return ()
    except OSError as fault:
        raise ConfigError(f"The keys {path} cannot be read: {fault.strerror}.") from fault
    except ValueError as fault:
        raise ConfigError(
            f"The keys in {path} are damaged: restore the file from a backup, or remove it;"
            " players cannot answer emails from before the last change of keys then."
        ) from fault
