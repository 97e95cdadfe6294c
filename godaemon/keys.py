"""The secret that signs our tokens: a file beside the database, never inside it.

Whoever has it can write letters as any player, so only its owner may read it. Raises
`ConfigError` where it cannot be read or made.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from godaemon.errors import ConfigError

FILE = "token.key"
"""The name of the key file in the state folder; a backup holds it too."""

_BYTES = 32


def load_key(state: Path) -> bytes:
    """The key of a state folder, made on first use."""
    path = state / FILE
    try:
        if not path.exists():
            _make(path)
        key = path.read_bytes()
    except OSError as fault:
        raise ConfigError(f"The key {path} cannot be read: {fault.strerror}.") from fault
    if len(key) < _BYTES:
        raise ConfigError(
            f"The key {path} is damaged: restore it from a backup. A new one would make every"
            " letter that players still have worthless."
        )
    return key


def _make(path: Path) -> None:
    """Write a new key so that it is there whole or not at all, even after a power cut."""
    fresh = path.with_suffix(".new")
    with contextlib.suppress(FileNotFoundError):
        fresh.unlink()
    handle = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        os.write(handle, secrets.token_bytes(_BYTES))
        os.fsync(handle)
    finally:
        os.close(handle)
    fresh.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
