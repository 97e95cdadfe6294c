"""`godaemon gtp`: what a GUI starts as its engine, for each game anew, and waits for.

It reads its words itself, because the command line's library takes several times as long to load as
all that a free board or a seat needs. Words that it cannot follow are answered with exit status 2,
and options that do not go together with 64, before anything is read or opened.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from godaemon.cli import EXIT_UNAVAILABLE, EXIT_USAGE

if TYPE_CHECKING:  # a free board of our own needs no client
    from gtp.client.connect import Address, Tcp
    from gtp.client.handshake import ByBoard, Greeting

KEY = "GODAEMON_KEY"
"""Where the key can stand, so that it is in no list of processes."""

HELP = f"""\
Usage: godaemon gtp [OPTIONS]

  Speak GTP on standard input and output: an engine on a free board, or a seat
  in a game.

  A seat is kept when the connection breaks: it is taken up again where it
  was.

Options:
  --game N             Sit down at this game.  [x>=1]
  --as <black|white>   The seat to take in it.
  --connect HOST:PORT  Reach a godaemon elsewhere.
  --key KEY            The key to a seat (else ${KEY}).
  --key-file FILE      A file with the key in it.
  --tls / --no-tls     Encrypt (default: unless it is this machine).
  --ca FILE            Whom to believe who it is (else all usual).
  --level N            Our player's, without a daemon.  [1<=x<=10]
  --kgs-chat           Know the command kgs-chat, without a daemon.
  --board N            Take up this board (godaemon boards).  [x>=1]
  --config FILE        The configuration (else $GODAEMON_CONFIG, else
                       /etc/godaemon/godaemon.toml).
  --help               Show this message and exit.
"""

_VALUES = dict(re.findall(r"(--[a-z-]+)( [A-Z<]\S*)?", HELP))
"""The options that the help names, each with the value that it wants, if any."""

_USAGE = "Usage: godaemon gtp [OPTIONS]\nTry 'godaemon gtp --help' for help.\n\nError: "

_WRONG_WORDS = 2


class _Misused(Exception):
    """Words that make no sense, and the exit status that says so."""

    def __init__(self, why: str, status: int = EXIT_USAGE) -> None:
        super().__init__(f"godaemon gtp: {why}" if status == EXIT_USAGE else f"{_USAGE}{why}")
        self.status = status


def main(words: list[str]) -> int:
    """Serve whoever started us, as the words after `gtp` say; returns the exit status."""
    try:
        given = _options(words)
        if "--help" in given:
            sys.stdout.write(HELP)
            return 0
        return _serve(given)
    except _Misused as misused:
        sys.stderr.write(f"{misused}\n")
        return misused.status


def _options(words: Sequence[str]) -> dict[str, str]:
    """The options and their values, those that were given last at the end; raises `_Misused`."""
    given: dict[str, str] = {}
    extra: list[str] = []
    left = [*words]
    while left:
        word = left.pop(0)
        if word == "--":
            extra += left
            break
        if not word.startswith("-") or word == "-":
            extra.append(word)
            continue
        option, equals, value = word.partition("=")
        if option not in _VALUES:
            import difflib

            near = ", ".join(sorted(difflib.get_close_matches(option, _VALUES)))
            hint = f" (Possible options: {near})" if near else ""
            raise _Misused(f"No such option: {option}{hint}", _WRONG_WORDS)
        if equals and not _VALUES[option]:
            raise _Misused(f"Option '{option}' does not take a value.", _WRONG_WORDS)
        if _VALUES[option] and not (equals or left):
            raise _Misused(f"Option '{option}' requires an argument.", _WRONG_WORDS)
        given.pop(option, None)
        given[option] = left.pop(0) if _VALUES[option] and not equals else value
    if extra and "--help" not in given:
        raise _Misused(f"Got unexpected extra argument(s) ({' '.join(extra)})", _WRONG_WORDS)
    return given


def _serve(given: Mapping[str, str]) -> int:
    """Serve a free board or a seat; raises `_Misused` where the options do not fit together."""
    game, board = _number(given, "--game"), _number(given, "--board")
    level = _number(given, "--level", most=10)
    color, connect = _color(given), given.get("--connect")
    if (game is None) != (color is None):
        raise _Misused("--game N and --as black|white go together.")
    key = _key(given)
    keyed, ours = bool(key or connect), level is not None or "--kgs-chat" in given
    if game is not None and keyed:
        raise _Misused(
            "--game and --as are for this machine's own godaemon; --key says both elsewhere."
        )
    if ours and (game is not None or keyed):
        raise _Misused("--level and --kgs-chat are for a board without a game.")
    if board is not None and (game is not None or keyed or level is not None):
        raise _Misused("--board N stands alone.")
    if connect is None and given.keys() & {"--tls", "--no-tls", "--ca"}:
        raise _Misused("--tls and --ca are for --connect HOST:PORT.")
    if ours:
        return _own_board(level, kgs_chat="--kgs-chat" in given)
    from gtp.client.handshake import ByBoard, ByKey, BySeat

    if connect is not None:
        return _relay(_address(connect, given, key), ByKey(key))
    if key:
        return _here(given, ByKey(key))
    if game is not None and color is not None:
        return _here(given, BySeat(game, color))
    return _here(given, ByBoard(board) if board is not None else None)


def _number(given: Mapping[str, str], option: str, most: int | None = None) -> int | None:
    """The number that an option gives, from 1 on; raises `_Misused`."""
    if option not in given:
        return None
    try:
        number = int(given[option])
    except ValueError:
        wrong = "Input should be a valid integer, unable to parse string as an integer"
    else:
        if number >= 1 and (most is None or number <= most):
            return number
        limit = "greater than or equal to 1" if number < 1 else f"less than or equal to {most}"
        wrong = f"Input should be {limit}"
    raise _Misused(f"Invalid value for '{option}': {wrong}", _WRONG_WORDS)


def _color(given: Mapping[str, str]) -> str | None:
    """The colour of the seat; raises `_Misused`."""
    said = given.get("--as")
    if said is None or said.lower() in {"black", "white"}:
        return said and said.lower()
    wrong = f"Value error, '{said}' is not one of 'black', 'white'."
    raise _Misused(f"Invalid value for '--as': {wrong}", _WRONG_WORDS)


def _key(given: Mapping[str, str]) -> str:
    """The key, from wherever it is; the environment is only asked where one is needed."""
    if given.keys() >= {"--key", "--key-file"}:
        raise _Misused("--key and --key-file say the same: give one.")
    key = given.get("--key")
    if "--key-file" in given:
        file = Path(given["--key-file"])
        try:
            key = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            raise _Misused(f"the key in {file} cannot be read: {fault}.") from fault
    return (key or (os.environ.get(KEY, "") if "--connect" in given else "")).strip()


def _address(connect: str, given: Mapping[str, str], key: str) -> Tcp:
    """The daemon elsewhere; raises `_Misused`, also where we have no key for it."""
    from gtp.client.connect import Tcp, is_local, read_address

    if not key:
        raise _Misused(
            f"a seat elsewhere needs its key: --key KEY, --key-file FILE, or ${KEY}. Answer a"
            " letter of your game with gui to get one."
        )
    try:
        host, port = read_address(connect)
    except ValueError as fault:
        raise _Misused(f"{fault}; write --connect go.example.org:7000.") from fault
    ca = given.get("--ca")
    if ca is not None and not Path(ca).is_file():
        raise _Misused(f"there is no file {ca}.")
    said = [option for option in given if option in {"--tls", "--no-tls"}]
    tls = said[-1] == "--tls" if said else not is_local(host)
    return Tcp(host, port, tls=tls, ca=ca)


def _here(given: Mapping[str, str], greeting: Greeting | ByBoard | None) -> int:
    """Serve what this machine's own daemon holds; without one, a free board of our own."""
    from godaemon.config.config_file import gtp_socket
    from godaemon.control import control_client as control

    config = Path(given["--config"]) if "--config" in given else None
    socket = gtp_socket(config, os.environ)
    if socket is None:  # the file is not plain, and wants to be looked at, or complained of
        from godaemon.config.loading import load

        socket = load(config, os.environ).gtp.socket
    if control.running(socket):
        from gtp.client.connect import Unix

        return _relay(Unix(socket), greeting)
    if greeting is None:
        return _own_board()
    from gtp.client.handshake import ByBoard

    board = isinstance(greeting, ByBoard)
    what = "no board to take up" if board else "no game to sit down at"
    sys.stderr.write(
        f"godaemon gtp: no daemon runs here, so there is {what}; start one with `godaemon serve`.\n"
    )
    return EXIT_UNAVAILABLE


def _own_board(level: int | None = None, *, kgs_chat: bool = False) -> int:
    """Serve a board of this very process."""
    from gtp.board.board_session import BoardSession
    from gtp.board.free_board import DEFAULT_LEVEL, FreeBoard
    from gtp.board.stdio import run

    board = FreeBoard(level=DEFAULT_LEVEL if level is None else level)
    session = BoardSession(board, local=True, options=["kgs-chat"] if kgs_chat else [])
    return run(sys.stdin.buffer, sys.stdout.buffer, session=session)


def _relay(address: Address, greeting: Greeting | ByBoard | None) -> int:
    """Serve what a daemon holds."""
    from gtp.client import relay

    return relay.run(address, greeting, sys.stdin.buffer, sys.stdout.buffer)
