"""The keys that sign our tokens: files beside the database, never inside it.

    token.key        the key that signs now
    token.key.old    replaced keys, each with the moment when it was replaced

With a key one can act as any player, so only its owner may read the file. A replaced key stays
valid for a grace period, for emails that players still have. Raises `ConfigError` if keys cannot be
read or made.
"""

from __future__ import annotations

import contextlib
import errno
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from godaemon.errors import ConfigError, Temporary
from godaemon.system.durable_files import write_file

KEY_FILE = "token.key"
"""The name of the key file in the state folder; a backup holds it too."""
OLD_KEYS_FILE = "token.key.old"
"""The name of the file with the keys that were replaced; a backup holds it too."""

_BYTES = 32


@dataclass(frozen=True, slots=True)
class ReplacedKey:
    """A replaced key, and when it was replaced."""

    key: bytes = field(repr=False)
    since: datetime


class SigningKeys:
    """The keys of a state folder: the signing key, and replaced ones still accepted.

    `now` returns the time, `grace` how long a replaced key stays valid.
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
        since = self._now() - self.grace()
        return (self.signing, *(one.key for one in self._replaced if one.since > since))

    def restore_file(self) -> bool:
        """Write the signing key's file again if it was removed; returns whether it was.

        Raises `ConfigError`.
        """
        if (self._state / KEY_FILE).exists():
            return False
        make_key(self._state, self.signing)
        return True

    def rotate(self) -> None:
        """Sign with a new key from now on; raises `ConfigError`."""
        rotate_key(self._state, self._now(), self.grace())
        self.signing, self._replaced = load_key(self._state), _load_replaced(self._state)


def make_key(state: Path, given: bytes = b"") -> bytes:
    """Write a new key, or the `given` one, to a state folder, replacing any other; returns it."""
    _write_key(state / KEY_FILE, given or secrets.token_bytes(_BYTES))
    return load_key(state)


def _write_key(file: Path, content: bytes) -> None:
    try:
        write_file(file, content)
    except OSError as fault:
        kind = Temporary if fault.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO) else ConfigError
        raise kind(f"No key can be written in {file.parent}: {fault.strerror}.") from fault


def all_keys(state: Path) -> tuple[bytes, ...]:
    """The key of a folder and the replaced ones, the newest first; empty if there is no key.

    Raises `ConfigError`.
    """
    if not (state / KEY_FILE).exists():
        return ()
    return (load_key(state), *(one.key for one in reversed(_load_replaced(state))))


def require_private(path: Path) -> None:
    """Raise `ConfigError` for a file that others than its owner may read or write."""
    with contextlib.suppress(FileNotFoundError):
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise ConfigError(
                f"Others on this machine may read the key {path}; run: chmod 600 {path}"
            )


def read_key(path: Path) -> bytes:
    """The key in a file that somebody else made; raises `ConfigError`."""
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
            f"The key {path} is damaged. From a backup: `cp BACKUP/{KEY_FILE} {path}`. Lost for"
            f" good: `rm {path}`, then `godaemon rotate-key --lost`; emails that players have"
            " cannot be answered then."
        )
    require_private(path)
    return key


def rotate_key(state: Path, now: datetime, grace: timedelta) -> None:
    """Replace the key by a new one, keep it among the replaced ones, and drop expired ones.

    The list of replaced keys is written first, so that a crash in between loses no key.
    """
    present = load_key(state)
    kept = [one for one in _load_replaced(state) if one.since > now - grace and one.key != present]
    lines = [
        f"{one.since.isoformat()} {one.key.hex()}\n" for one in (*kept, ReplacedKey(present, now))
    ]
    _write_key(state / OLD_KEYS_FILE, "".join(lines).encode("ascii"))
    _write_key(state / KEY_FILE, secrets.token_bytes(_BYTES))


def _load_replaced(state: Path) -> tuple[ReplacedKey, ...]:
    path = state / OLD_KEYS_FILE
    try:
        require_private(path)
        text = path.read_text(encoding="ascii")
        return tuple(_parse_replaced(line) for line in text.splitlines())
    except FileNotFoundError:
        return ()
    except OSError as fault:
        raise ConfigError(f"The keys {path} cannot be read: {fault.strerror}.") from fault
    except ValueError as fault:
        raise ConfigError(
            f"The keys in {path} are damaged: restore the file from a backup, or remove it if no"
            " email from before the last change of keys need be answered."
        ) from fault


def _parse_replaced(line: str) -> ReplacedKey:
    since, _, key = line.partition(" ")
    return ReplacedKey(bytes.fromhex(key), datetime.fromisoformat(since))
