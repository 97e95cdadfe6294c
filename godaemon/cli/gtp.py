"""`godaemon gtp`: the program that a GUI starts as its engine for each game.

Options are parsed by hand, because argparse takes several times as long to load as a free board or
a seat. Wrong options are reported before anything is opened.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from godaemon.cli import EXIT_UNAVAILABLE, EXIT_USAGE, daemon_socket, status_of
from godaemon.errors import GodaemonError
from gtp.board import stdio
from gtp.client.options import KEY, OptionError, options_of, read_key, read_options
from gtp.client.syntax import KeyGreeting, SeatGreeting

TYPE_CHECKING = False  # `typing` takes a tenth of the start
if TYPE_CHECKING:
    from godaemon.rules.ruleset import Ruleset
    from gtp.board.board_session import BoardSession

HELP = f"""\
Usage: godaemon gtp [OPTIONS]

  Speak GTP on standard input and output: an engine on a free board, or a seat
  in a game.

  If the connection to a seat breaks, the session continues where it was.

Options:
  --game N             Sit down at this game.  [x>=1]
  --as <black|white>   The seat to take in it.
  --connect HOST:PORT  Connect to a godaemon on another machine.
  --key KEY            The key to a seat (else ${KEY}).
  --key-file FILE      A file with the key.
  --tls / --no-tls     Encrypt (default: except to this machine).
  --ca FILE            Certificates to trust (default: the system's).
  --level N            Our player's level, without a daemon.  [1<=x<=10]
  --network FILE       The neural network of our player (KataGo's format).
  --rules NAME         The rules to begin with (for CGOS tromp-taylor).
  --board N            Continue on this board (godaemon boards).  [x>=1]
  --config FILE        The configuration (else $GODAEMON_CONFIG, else
                       /etc/godaemon/godaemon.toml).
  -h, --help           Show this message and exit.
"""


def main(words: list[str]) -> int:
    """Run a GTP session with the options after `gtp`; returns the exit status."""
    try:
        options = read_options(words, options_of(HELP))
        if "--help" in options:
            sys.stdout.write(HELP)
            return 0
        return _serve(options)
    except OptionError as misused:
        _refuse(str(misused), "\nTry 'godaemon gtp --help' for help.")
        return EXIT_USAGE


def _refuse(reason: str, hint: str = "") -> None:
    """Report on standard error, and in GTP, because a GUI may show only answers."""
    from gtp.client.program import refuse

    refuse(f"godaemon gtp: {reason}{hint}", reason)


def _serve(options: Mapping[str, str]) -> int:
    """Serve a free board or a seat; raises `OptionError` for options that exclude each other."""
    game, board = _read_number(options, "--game"), _read_number(options, "--board")
    level = _read_number(options, "--level", largest=10)
    color, connect, key = options.get("--as", ""), options.get("--connect"), read_key(options)
    if "--as" in options and color.lower() not in {"black", "white"}:
        raise OptionError(f"Invalid value for '--as': write black or white, not {color!r}.")
    _check_misuse(options, has_key=bool(key or connect))
    if level is not None:
        network, ruleset = options.get("--network"), _read_ruleset(options.get("--rules"))
        return stdio.run(lambda: _own_board(level, network, ruleset))
    if connect is not None:
        from gtp.client import relay
        from gtp.client.program import read_remote

        return relay.run(read_remote(options, key), KeyGreeting(key))
    config = options.get("--config")
    if not key and game is None and board is None:
        return stdio.run(lambda: _new_board(config))
    socket = daemon_socket("gtp", config)
    if socket is None:
        missing = "no game to sit down at" if board is None else "no board to continue on"
        _refuse(f"no daemon runs here, so there is {missing}; start one with `godaemon serve`.")
        return EXIT_UNAVAILABLE
    if board is not None:
        return _resume_board(socket, board)
    from gtp.client import relay

    greeting = KeyGreeting(key) if game is None else SeatGreeting(game, color.lower())
    return relay.run(socket, greeting)


def _check_misuse(options: Mapping[str, str], *, has_key: bool) -> None:
    """Raise `OptionError` for options that exclude each other."""
    in_game, on_board = "--game" in options, "--board" in options
    misuse: dict[str, object] = {
        "--game N and --as black|white go together.": in_game != ("--as" in options),
        "--game and --as are for the godaemon of this machine; --key replaces them elsewhere.": (
            in_game and has_key
        ),
        "--level is for a board without a game.": "--level" in options and (in_game or has_key),
        "--network FILE and --rules NAME go with --level N.": (
            "--level" not in options and options.keys() & {"--network", "--rules"}
        ),
        "--board N stands alone.": on_board and len(options.keys() - {"--config"}) > 1,
        "--tls and --ca are for --connect HOST:PORT.": (
            "--connect" not in options and options.keys() & {"--tls", "--no-tls", "--ca"}
        ),
    }
    for sentence, is_misuse in misuse.items():
        if is_misuse:
            raise OptionError(sentence)


def _read_number(options: Mapping[str, str], option: str, largest: int = 10**18) -> int | None:
    """The number of an option, from 1 on; raises `OptionError`."""
    if option not in options:
        return None
    text = options[option]
    if text.isascii() and text.isdecimal() and len(text) < 20 and 1 <= int(text) <= largest:
        return int(text)
    limit = f"to {largest}" if largest < 100 else "on"
    raise OptionError(f"Invalid value for '{option}': write a number from 1 {limit}, not {text!r}.")


def _new_board(config: str | None) -> BoardSession:
    """A free board; a daemon on this machine, if one runs, saves it."""
    socket = daemon_socket("gtp", config)
    return _own_board() if socket is None else _kept_board(socket)


def _kept_board(socket: str, number: int = 0) -> BoardSession:
    from gtp.board.kept_board import KeptBoard

    return KeptBoard(socket, number)


def _resume_board(socket: str, number: int) -> int:
    """Serve a saved board; a refusal is the answer to the first command."""
    try:
        session = _kept_board(socket, number)
    except GodaemonError as refusal:
        _refuse(refusal.public)
        return status_of(refusal)
    return stdio.run(lambda: session)


def _read_ruleset(name: str | None) -> Ruleset | None:
    if name is None:
        return None
    from godaemon.errors import Refusal
    from godaemon.rules.named_rulesets import parse_ruleset

    try:
        return parse_ruleset(name)
    except Refusal as refusal:
        raise OptionError(refusal.public) from refusal


def _own_board(
    level: int | None = None, network: str | None = None, ruleset: Ruleset | None = None
) -> BoardSession:
    from gtp.board.board_session import BoardSession
    from gtp.board.free_board import DEFAULT_LEVEL, DEFAULT_RULES, FreeBoard

    board = FreeBoard(ruleset or DEFAULT_RULES, level=DEFAULT_LEVEL if level is None else level)
    if network:
        from pathlib import Path

        board.network = Path(network)
    return BoardSession(board)


def client(out: str | None) -> None:
    from godaemon.cli.common import write_out
    from gtp.client_file import client_file

    write_out(out, client_file())
