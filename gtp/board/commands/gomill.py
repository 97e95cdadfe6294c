"""gomill's extensions on a free board (gomill's documentation, "GTP extensions")."""

from __future__ import annotations

from godaemon import installed_version
from godaemon.rules.rulesets import format_ruleset
from gtp.board.commands.table import FREE, FreeHost
from gtp.client.syntax import Arguments


@FREE.command("gomill-describe_engine")
def describe_engine(host: FreeHost, _: Arguments) -> str:
    """What plays here, for the comment of a game's record.

    Returns: name and version, what plays, and rules, each on a line.
    Example: `gomill-describe_engine` -> `= godaemon 1.0.0` and so on
    """
    board = host.board
    player = board.plays or f"its own player, level {board.level}"
    return f"godaemon {installed_version()}\n{player}\n{format_ruleset(board.ruleset)} rules"


@FREE.command("gomill-cpu_time")
def cpu_time(host: FreeHost, _: Arguments) -> str:
    """The processor time that all moves so far have taken us to find.

    Returns: seconds.
    Example: `gomill-cpu_time` -> `= 2.125`
    """
    return f"{host.board.cpu_seconds:.3f}"
