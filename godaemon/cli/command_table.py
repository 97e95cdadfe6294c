"""The table of subcommands: their help and their arguments.

A name of two words, such as `mail queue`, is a subcommand of a subcommand. Loads only argparse; the
module of a command is loaded when the command runs.
"""

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from keyword import iskeyword
from typing import Any, NamedTuple, NoReturn

from godaemon.cli import UsageError

_LARGEST = 2**63 - 1
"""The largest number that a database can store."""


_WITHOUT_CONFIG = {"demo_game", "gtp", "help", "install_units"}
"""The modules whose commands do not read the configuration, or have options of their own."""


class Subcommand(NamedTuple):
    """A subcommand: it calls a function of this package, or sends the daemon a request.

    The command `game` with `Subcommand("Show the log of a game.", "games", "N --json")` calls
    `godaemon.cli.games.game(number, json, config)`. Without a module the last word of the command
    is the name of the request, which has the same arguments.
    """

    summary: str
    """Its description in the help."""
    module: str
    """The module of its function; "" for a request to the daemon."""
    arguments: str = ""
    """Its own arguments, by their names in `ARGUMENTS`, separated by spaces."""

    @property
    def all_arguments(self) -> list[str]:
        """The names of its own arguments, and `--config` if it reads the configuration."""
        config = [] if self.module in _WITHOUT_CONFIG else ["--config"]
        return [*self.arguments.split(), *config]


# -- converters ----------------------------------------------------------------------------------
def number_reader(noun: str, listed: str) -> Callable[[str], int]:
    """A converter for numbers; its error message names the command that lists such numbers."""

    def _read(text: str) -> int:
        if not text.isdecimal() or len(text) > 20 or not 0 < int(text) <= _LARGEST:
            message = f"“{text}” is not the number of {noun}; see: godaemon {listed}"
            raise argparse.ArgumentTypeError(message)
        return int(text)

    return _read


_game_number = number_reader("a game", "games")


def read_game(text: str) -> int | str:
    """The number of a game; or a game in Simple Go Notation, even in a URL, as text."""
    from godaemon.records.sgn import find_game

    return find_game(text)[0] or _game_number(text)


def _read_move_number(text: str) -> int:
    """The number of a move; 0 is the board before the first move."""
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"“{text}” is not the number of a move")
    return int(text)


def _require_file(text: str) -> str:
    """The path of an existing file, or "-" for standard input."""
    if text != "-" and (not os.path.exists(text) or os.path.isdir(text)):
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return text


def _read_result(text: str) -> str:
    """The result of a game in SGF's form, from an operator."""
    from godaemon.games.service import parse_result

    return str(_read_argument(parse_result, text))


def _require_name_server(text: str) -> str:
    from godaemon.daemon.doctor_dns import name_server

    _read_argument(name_server, text)
    return text


def _read_argument(read: Callable[[str], object], text: str) -> object:
    """Apply `read` to an argument; `Unreadable` becomes argparse's error."""
    from godaemon.errors import Unreadable

    try:
        return read(text)
    except Unreadable as fault:
        raise argparse.ArgumentTypeError(fault.public) from fault


def _number(noun: str, listed: str) -> dict[str, Any]:
    help_ = f"the number of {noun}"
    return {"dest": "number", "metavar": "N", "type": number_reader(noun, listed), "help": help_}


def _flag(help_: str) -> dict[str, Any]:
    return {"action": "store_true", "help": help_}


def _choice(dest: str, value: str, help_: str) -> dict[str, Any]:
    """An option that sets `dest` to a value; options with the same `dest` exclude each other."""
    return {"action": "store_const", "dest": dest, "const": value, "help": help_}


def _value(metavar: str, help_: str, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - argparse's
    return {"metavar": metavar, "help": help_, **options}


ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "N": _number("a game", "games"),
    "[BOARD]": {**_number("a board", "boards"), "nargs": "?"},
    "QUEUED": _number("an email", "mail queue"),
    "UNSENT": _number("an email", "mail queue --all"),
    "QUARANTINED": _number("an email", "mail quarantine"),
    "GAME": _value("N", "the game's number, or 19x19,Q16b,D4w ...", type=read_game, dest="game"),
    "N|FILE": _value(
        "N|FILE", "the same, or the SGF file of any program (-: standard input)", dest="source"
    ),
    "ADDRESS": _value("ADDRESS", "the player's address"),
    "LINE": _value("LINE", "the lines of the email", nargs="+", dest="lines"),
    "RESULT": _value("RESULT", "B+3.5, W+R, B+T ...; 0 or draw (a tie); void", type=_read_result),
    "[REASON]": _value("REASON", "a few words for the players", nargs="?", default=""),
    "DEST": _value("DEST", "a folder that does not exist yet"),
    "SOURCE": _value("SOURCE", "a folder that backup created"),
    "NEW-ARCHIVE": _value("FILE", "the tar archive to write"),
    "ARCHIVE": _value("FILE", "a file that export wrote", type=_require_file),
    "EMAIL": _value("FILE", "the email (-: standard input)", type=_require_file),
    "[COMMAND]": _value("COMMAND", "the command to explain", nargs="*"),
    "SHELL": _value("SHELL", "bash, fish or zsh", choices=("bash", "fish", "zsh")),
    "--all": {**_flag("include emails that were not tried yet"), "dest": "every"},
    "--attach": _value("FILE", "a record (SGF) to attach", type=_require_file),
    "--dns": _value("SERVER", "ask this name server, HOST or HOST:PORT", type=_require_name_server),
    "--effective": _flag("include the defaults"),
    "--from": _value("ADDRESS", "the sender of its envelope", dest="sender"),
    "--kifu": _flag("draw figures with numbered moves"),
    "--lost": _flag("the key is lost, and in no backup: emails signed with it are refused"),
    "--move": _value("M", "the board after move M", type=_read_move_number),
    "--move-aside": _flag("keep the present store under another name"),
    "--moves": _value("A-B", "with --kifu: from move A to move B", default=""),
    "--out": _value("FILE", "the file to write (else standard output)"),
    "--prefix": _value("DIR", "where to install (packages: /usr)", default="/usr/local"),
    "--quarantine": _choice("what", "letter", "the email in quarantine"),
    "--queue": _choice("what", "notice", "the email in the queue"),
    "--remove": _choice("only", "remove", "remove everything that this command installed"),
    "--reply": _flag("answer the newest email in the player's Maildir"),
    "--root": _value("DIR", "the root of another system, or of a package", default="/"),
    "--sgn": _flag("on one line instead: 19x19 Q16b D4w (Simple Go Notation)"),
    "--sockets": _choice(
        "only", "sockets", "only the socket units, after an address in the configuration changed"
    ),
    "--to": _value("ADDRESS", "the recipient of its envelope"),
    "--unicode": _flag("draw stones and lines in Unicode"),
    "--json": _flag("answer in JSON"),
    "--config": _value(
        "FILE", "the configuration (else $GODAEMON_CONFIG, else /etc/godaemon/godaemon.toml)"
    ),
}
"""The parameters of `add_argument` for each argument, by its name in `Subcommand.arguments`.

A name in capitals is a positional argument, optional if in brackets; a name with dashes is an
option. The command's function has a parameter named `dest`, or else `metavar` in lower case.
"""
_PLACE = "--quarantine --queue"

GROUPS: Mapping[str, Mapping[str, Subcommand]] = {
    "Run": {
        "serve": Subcommand("Run the daemon until Ctrl-C or SIGTERM.", "operating"),
        "demo": Subcommand("Play a whole game by email on a daemon of its own.", "demo_game"),
        "install-units": Subcommand(
            "Install systemd units, manual pages and a configuration.",
            "install_units",
            "--root --prefix --remove --sockets",
        ),
        "completion": Subcommand("Write the completion script of a shell.", "help", "SHELL"),
        "check-config": Subcommand(
            "Check the configuration and its files (exit 78).", "check_config"
        ),
        "config": Subcommand(
            "Show the options and their lines in the file.", "check_config", "--effective --json"
        ),
        "reload": Subcommand("Make the daemon read its configuration again.", ""),
        "pause": Subcommand("Stop the clocks of all games; moves are accepted.", "", "[REASON]"),
        "resume": Subcommand("Start the clocks of all games again.", ""),
        "rotate-key": Subcommand("Sign emails with a new key.", "storing", "--lost"),
        "prune": Subcommand("Delete data about old emails, and shrink the store.", "storing"),
        "backup": Subcommand("Write a verified backup (exit 65 for damage).", "storing", "DEST"),
        "restore": Subcommand("Restore a backup.", "storing", "SOURCE --move-aside"),
        "export": Subcommand("Write the whole site to a file.", "storing", "NEW-ARCHIVE"),
        "import": Subcommand("Create a store from a file that export wrote.", "storing", "ARCHIVE"),
    },
    "Play": {
        "gtp": Subcommand("Speak GTP: an engine on a free board, or a seat in a game.", "gtp"),
        "client": Subcommand(
            "Write the file that Go programs on other machines need.", "gtp", "--out"
        ),
        "send": Subcommand(
            "Send the daemon an email as ADDRESS, and show the answer.",
            "mail",
            "ADDRESS LINE --reply --attach --json",
        ),
    },
    "Look": {
        "help": Subcommand("Show this list, or the help for a command.", "help", "[COMMAND]"),
        "status": Subcommand(
            "Show the state of the daemon (exit 1, 2 or 69).", "operating", "--json"
        ),
        "games": Subcommand("List the games, the newest first.", "games", "--json"),
        "game": Subcommand("Show the log of a game, event by event.", "games", "N --json"),
        "show": Subcommand(
            "Show a game: its board, its players and its state.",
            "games",
            "N --move --unicode --json",
        ),
        "sgf": Subcommand(
            "Write the record of a game, or of a file, as SGF.", "games", "N|FILE --sgn --json"
        ),
        "picture": Subcommand(
            "Draw a game's board, or its moves, as SVG or PNG.",
            "games",
            "GAME --move --kifu --moves --out",
        ),
        "boards": Subcommand(
            "List the free boards of Go programs, or write one as SGF.", "games", "[BOARD] --json"
        ),
        "players": Subcommand("List the players by address.", "games", "--json"),
    },
    "Repair": {
        "doctor": Subcommand("Run all checks (exit 1, 2 or 69).", "doctor", "--dns --json"),
        "adjudicate": Subcommand(
            "End a game or change its result; both players are notified.", "", "N RESULT --json"
        ),
        "unrate": Subcommand("Take a game out of the ratings.", "", "N --json"),
        "forget": Subcommand("Forget a player: end their games, delete their data.", "", "ADDRESS"),
        "mail queue": Subcommand(
            "List our emails that were not delivered yet.", "mail", "--all --json"
        ),
        "mail quarantine": Subcommand("List emails that we failed to handle.", "mail", "--json"),
        "mail show": Subcommand(
            "Show an email of the queue or the quarantine.", "mail", f"QUEUED {_PLACE} --json"
        ),
        "mail retry": Subcommand(
            "Handle a quarantined email again, or send a queued one.", "", f"QUARANTINED {_PLACE}"
        ),
        "mail hold": Subcommand("Hold an email until mail retry.", "", "UNSENT"),
        "mail drop": Subcommand("Delete an email; nobody is notified.", "", f"QUEUED {_PLACE}"),
        "mail explain": Subcommand(
            "Show what an email would do, and why.", "mail", "EMAIL --from --to --json"
        ),
        "mail bounces": Subcommand("List addresses with bounced emails.", "mail", "--json"),
        "mail revive": Subcommand("Send emails to a suspended address again.", "", "ADDRESS"),
    },
}
"""The subcommands by their headings in `godaemon help`."""
COMMANDS: Mapping[str, Subcommand] = {
    name: command for group in GROUPS.values() for name, command in group.items()
}


# -- reading ---------------------------------------------------------------------------------------
class _Parser(argparse.ArgumentParser):
    """A parser that raises `UsageError`, and begins its usage with a capital letter."""

    def error(self, message: str) -> NoReturn:
        usage = self.format_usage()
        self._print_message(usage, sys.stderr)
        if "[REASON]" in usage and message.startswith("unrecognized"):
            message += "; put several words between quotes"
        raise UsageError(message)

    def format_usage(self) -> str:
        return super().format_usage().replace("usage:", "Usage:", 1)

    def format_help(self) -> str:
        return super().format_help().replace("usage:", "Usage:", 1)


def build_parser(name: str) -> argparse.ArgumentParser:
    """The parser of a subcommand's arguments; it raises `UsageError` if they are wrong."""
    command = COMMANDS[name]
    parser = _Parser(f"godaemon {name}", description=command.summary, allow_abbrev=False)
    groups = defaultdict[str, Any](parser.add_mutually_exclusive_group)
    for word in command.all_arguments:
        flag, parameters = word, dict(ARGUMENTS[word])
        if not word.startswith("-"):
            flag = parameters.pop("dest", parameters["metavar"].lower())
        group = groups[parameters["dest"]] if "const" in parameters else parser
        group.add_argument(flag, **parameters)
    return parser


def load_function(name: str) -> Callable[..., int | None]:
    """The function of a subcommand; it returns the exit status."""
    word = name.rsplit(maxsplit=1)[-1].replace("-", "_")
    if not COMMANDS[name].module:
        from godaemon.cli.common import run_request

        return partial(run_request, word)
    module = import_module(f"godaemon.cli.{COMMANDS[name].module}")
    function: Callable[..., int | None] = getattr(module, f"{word}_" if iskeyword(word) else word)
    return function


def match_subcommand(words: Sequence[str]) -> str | None:
    """The subcommand at the start of a command line, or None."""
    return next((one for one in (" ".join(words[:2]), *words[:1]) if one in COMMANDS), None)
