"""The commands of kgsGtp, the program through which other programs play on KGS."""

from __future__ import annotations

from godaemon.errors import Unreadable
from godaemon.rules.points import Color, Point
from godaemon.rules.rulesets import RULESETS, parse_ruleset
from gtp import argument_readers
from gtp.board.commands.table import FREE, FreeHost
from gtp.board.time_settings import TimeLimits
from gtp.client.syntax import Arguments

CHAT = "kgs-chat"
"""The option that sessions on KGS may want: some versions of kgsGtp stumble over the command."""


@FREE.command("kgs-rules")
def kgs_rules(host: FreeHost, arguments: Arguments) -> str:
    """Choose the rules; stones, moves, prisoners and komi stay as they are.

    Arguments: japanese, chinese, aga or new_zealand. Chinese is with superko, as KGS plays it.
    Fails: for rules that are not known, with those that are; `syntax error`.
    Example: `kgs-rules japanese` -> `=`
    """
    name = argument_readers.word(arguments, 0)
    chinese = name.casefold() == "chinese"
    host.board.rule(RULESETS["chinese-superko"] if chinese else parse_ruleset(name))
    return ""


@FREE.command("kata-list_time_settings")
def kata_list_time_settings(_: FreeHost, __: Arguments) -> str:
    """The kinds of time limits that we keep (KataGo's extension).

    Returns: their names.
    Example: `kata-list_time_settings` -> `= none absolute canadian byoyomi fischer`
    """
    return "none absolute canadian byoyomi fischer"


@FREE.command("kgs-time_settings")
@FREE.command("kata-time_settings")
def kgs_time_settings(host: FreeHost, arguments: Arguments) -> str:
    """Set the time limits, which our moves keep.

    Arguments: none; or absolute and seconds; or canadian, main time, byo-yomi time and stones; or
        byoyomi, main time, byo-yomi time and periods, which `time_left` then has as stones; or
        fischer, main time and what each move adds.
    Fails: `syntax error`.
    Example: `kgs-time_settings byoyomi 300 30 5` -> `=`
    """
    host.board.time.limit(_limits(arguments))
    return ""


@FREE.command("kgs-genmove_cleanup", slow=True)
def kgs_genmove_cleanup(host: FreeHost, arguments: Arguments) -> str:
    """Choose and play a move as `genmove` does, but take dead stones off before passing.

    Players who do not agree on what is dead go on until all that is dead has been captured.

    Arguments: color.
    Fails: `syntax error`; never for a good colour.
    Returns: a vertex or pass.
    Example: `kgs-genmove_cleanup white` -> `= D4`
    """
    color = argument_readers.color(arguments, 0)
    choice = host.board.genmove(color, host.stop)
    point = choice.point
    if point is None:
        point = _capturing(host, color)
    host.board.play(color, point)
    return argument_readers.written(point)


@FREE.command("kgs-game_over")
def kgs_game_over(_: FreeHost, __: Arguments) -> str:
    """Hear that the game is over, or put off until later: the board stays as it is.

    Example: `kgs-game_over` -> `=`
    """
    return ""


@FREE.command(CHAT, option=CHAT)
def kgs_chat(_: FreeHost, arguments: Arguments) -> str:
    """Answer what somebody says. Only where the option `--kgs-chat` asks for the command.

    Arguments: game or private, the name of who speaks, and the words.
    Fails: `syntax error`.
    Returns: our words.
    Example: `kgs-chat game somebody hello` -> `= I am a program ...`
    """
    if argument_readers.word(arguments, 0) not in {"game", "private"}:
        raise Unreadable(argument_readers.SYNTAX_ERROR)
    argument_readers.word(arguments, 1)
    return "I am a program, godaemon, and do not understand what is said. Have a good game!"


def _limits(arguments: Arguments) -> TimeLimits | None:
    """The time system of the arguments; raises `Unreadable`."""
    kind = argument_readers.word(arguments, 0)
    if kind == "none":
        return None
    if kind == "absolute":
        return TimeLimits(argument_readers.decimal(arguments, 1))
    if kind not in {"canadian", "byoyomi", "fischer"}:
        raise Unreadable(argument_readers.SYNTAX_ERROR)
    main, overtime = argument_readers.decimal(arguments, 1), argument_readers.decimal(arguments, 2)
    if kind == "fischer":
        return TimeLimits(main, added=overtime)
    return TimeLimits(
        main, overtime, argument_readers.integer(arguments, 3), periods=kind == "byoyomi"
    )


def _capturing(host: FreeHost, color: Color) -> Point | None:
    """A move that takes dead stones of the opponent off or comes nearer to it; None to pass."""
    position = host.board.position
    board = position.board
    gone = {one for one in host.board.dead() if board.color(one) is color.opponent}
    best: tuple[int, Point] | None = None
    for one in gone:
        free = position.liberties(one)
        for point in free:
            if position.is_legal(color, point) and _safe(host, color, point):
                best = min(best or (len(free), point), (len(free), point))
    return best[1] if best else None


def _safe(host: FreeHost, color: Color, point: Point) -> bool:
    """True where a stone there takes something, or is not in atari itself."""
    trial = host.board.position.copy()
    return bool(trial.play(color, point)) or len(trial.liberties(point)) > 1
