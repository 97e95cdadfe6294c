"""`godaemon gtp --connect` and `--game` at once: programs wait for it, here and over ssh.

The command line's library takes several times as long to load as all that a seat needs. Whatever
is wrong, missing or unusual is left to `godaemon.cli.gtp`, which says so.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_VALUES = frozenset(["connect", "key", "key-file", "ca", "game", "as", "config"])
_FLAGS = frozenset(["tls", "no-tls"])
_ELSEWHERE = frozenset(["connect", "key", "key-file", "ca", *_FLAGS])
_HERE = frozenset(["game", "as", "config"])


def seat(words: Sequence[str]) -> int | None:
    """Sit down where the words after `gtp` plainly say: the exit status.

    None, and nothing has been read or written, where the whole command line must be looked at.
    """
    given = _options(words)
    if given is None:
        return None
    if "connect" in given and given.keys() <= _ELSEWHERE:
        return _elsewhere(given)
    if {"game", "as"} <= given.keys() <= _HERE:
        return _here(given)
    return None


def _options(words: Sequence[str]) -> dict[str, str] | None:
    """The options by their names; None for any that we do not know, or one given twice."""
    given: dict[str, str] = {}
    left = list(words)
    while left:
        name, equals, value = left.pop(0).removeprefix("--").partition("=")
        known = name in _VALUES or (name in _FLAGS and not equals)
        if not known or name in given or (name in _VALUES and not equals and not left):
            return None
        given[name] = value if equals or name in _FLAGS else left.pop(0)
    return given


def _elsewhere(given: Mapping[str, str]) -> int | None:
    from gtp.client.connect import Tcp, is_local, read_address

    key = _key(given)
    ca = given.get("ca")
    if key is None or given.keys() >= _FLAGS or (ca is not None and not Path(ca).is_file()):
        return None
    try:
        host, port = read_address(given["connect"])
    except ValueError:
        return None
    tls = "tls" in given or ("no-tls" not in given and not is_local(host))
    from gtp.client import relay
    from gtp.client.handshake import ByKey

    address = Tcp(host, port, tls=tls, ca=ca)
    return relay.run(address, ByKey(key), sys.stdin.buffer, sys.stdout.buffer)


def _key(given: Mapping[str, str]) -> str | None:
    """The key, from its one place; None where there are none or two."""
    if "key" in given and "key-file" in given:
        return None
    if "key-file" in given:
        try:
            return Path(given["key-file"]).read_text(encoding="utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            return None
    return given.get("key", os.environ.get("GODAEMON_KEY", "")).strip() or None


def _here(given: Mapping[str, str]) -> int | None:
    from godaemon.config.config_file import gtp_socket
    from godaemon.control import control_client as control
    from godaemon.errors import Busy

    color, game = given["as"].lower(), given["game"]
    plain = game.isascii() and game.isdecimal() and len(game) < 10 and int(game) > 0
    socket = gtp_socket(Path(given["config"]) if "config" in given else None, os.environ)
    try:
        there = socket is not None and control.running(socket)
    except Busy:
        there = False
    if socket is None or not (there and plain and color in {"black", "white"}):
        return None
    from gtp.client import relay
    from gtp.client.connect import Unix
    from gtp.client.handshake import BySeat

    wanted = BySeat(int(game), color)
    return relay.run(Unix(socket), wanted, sys.stdin.buffer, sys.stdout.buffer)
