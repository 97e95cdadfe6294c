"""Commands of every session: administration (GTP 2 draft 2, 6.1) and questions about a position.

The position is a free board's, or a seat's at the cursor with its pending move.
"""

from collections.abc import Callable, Iterable

from godaemon import installed_version
from godaemon.errors import Refusal
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from gtp import argument_readers as read
from gtp.argument_readers import format_vertex
from gtp.client.syntax import Arguments
from gtp.command_table import CommandTable, Session

SESSION_COMMANDS = CommandTable()
"""The administrative commands, which never fail."""

POSITION_COMMANDS = CommandTable()
"""The commands of GNU Go, GoGui and KataGo that are called with a position; all others are not."""


@SESSION_COMMANDS.command("protocol_version")
def protocol_version(_: Session) -> str:
    """The version of the protocol (6.1).

    Returns: 2.
    Example: `protocol_version` -> `= 2`
    """
    return "2"


@SESSION_COMMANDS.command("name")
def name(_: Session) -> str:
    """The program's name, without its version (6.1).

    Returns: godaemon.
    Example: `name` -> `= godaemon`
    """
    return "godaemon"


@SESSION_COMMANDS.command("version")
def version(_: Session) -> str:
    """The program's version (6.1).

    Returns: the version's number.
    Example: `version` -> `= 1.0.0`
    """
    return installed_version()


@SESSION_COMMANDS.command("known_command", read.words)
def known_command(session: Session, arguments: Arguments) -> str:
    """Whether a command is known (6.1).

    Arguments: a command's name; without one the answer is false.
    Fails: never.
    Returns: true or false.
    Example: `known_command genmove` -> `= true`
    """
    return "true" if arguments and session.knows(arguments[0]) else "false"


@SESSION_COMMANDS.command("list_commands")
def list_commands(session: Session) -> str:
    """All known commands (6.1).

    Returns: one name per line.
    Example: `list_commands` -> `= protocol_version` and so on, line by line
    """
    return "\n".join(session.names())


@SESSION_COMMANDS.command("quit")
def quit_(session: Session) -> None:
    """Answer, then end the session and the program (6.1)."""
    session.over = True


@POSITION_COMMANDS.command("list_stones", read.color)
def list_stones(position: Position, side: Color) -> str:
    """The stones of a colour.

    Returns: their vertices on one line; nothing if there are none.
    Example: `list_stones black` -> `= D4 Q16`
    """
    board = position.board
    return _vertex_row(board.points_at(board.stones(side)))


@POSITION_COMMANDS.command("color", read.vertex)
def color_at(position: Position, point: Point | None) -> str:
    """The colour of a vertex.

    Fails: `invalid coordinate` off the board and for pass.
    Returns: black, white or empty.
    Example: `color D4` -> `= black`
    """
    stone = position.board.color(_require_on_board(position, point))
    return stone.word if stone is not None else "empty"


@POSITION_COMMANDS.command("is_legal", read.color, read.vertex)
def is_legal(position: Position, side: Color, point: Point | None) -> str:
    """Whether the rules let a colour play on a vertex now; a pass is always legal.

    Returns: 1 or 0.
    Example: `is_legal black D4` -> `= 1`
    """
    return "1" if point is None or position.is_legal(side, point) else "0"


@POSITION_COMMANDS.command("all_legal", read.color)
def all_legal(position: Position, side: Color) -> str:
    """All legal moves of a colour.

    Returns: the vertices on one line, without pass.
    Example: `all_legal black` -> `= A1 B1` and so on
    """
    return _vertex_row(position.legal_moves(side))


@POSITION_COMMANDS.command("captures", read.color)
def captures(position: Position, side: Color) -> str:
    """The number of stones that a colour has captured.

    Returns: the number.
    Example: `captures black` -> `= 3`
    """
    return str(position.prisoners[side])


@POSITION_COMMANDS.command("countlib", read.vertex, form=len)
@POSITION_COMMANDS.command("findlib", read.vertex, form=lambda points: _vertex_row(sorted(points)))
def liberties(
    position: Position, point: Point | None, form: Callable[[frozenset[Point]], object]
) -> str:
    """The liberties of the chain on a vertex: their number, or their vertices.

    Fails: `vertex must not be empty`, `invalid coordinate` off the board and for pass.
    Returns: the number; their vertices on one line.
    Example: `findlib D4` -> `= C4 D3 D5 E4`
    """
    points = position.liberties(_require_on_board(position, point))
    if not points:  # every stone on the board has at least one
        raise Refusal("vertex must not be empty")
    return str(form(points))


@POSITION_COMMANDS.command("last_move")
def last_move(position: Position) -> str:
    """The last move or pass.

    Fails: `no previous move known`.
    Returns: its colour and vertex.
    Example: `last_move` -> `= white D4`
    """
    if position.last is None:
        raise Refusal("no previous move known")
    return f"{position.last.color.word} {format_vertex(position.last.point)}"


@POSITION_COMMANDS.command("move_history")
def move_history(position: Position) -> str:
    """All moves and passes, the last one first, without stones that were set up.

    Returns: colour and vertex, one move per line.
    Example: `move_history` -> `= white D4` and so on, line by line
    """
    return "\n".join(
        f"{one.color.word} {format_vertex(one.point)}" for one in reversed(position.moves)
    )


@POSITION_COMMANDS.command("query_boardsize")
def query_boardsize(position: Position) -> str:
    """The size of the board.

    Returns: its side; its width and height if they differ.
    Example: `query_boardsize` -> `= 19`
    """
    width, height = position.size
    return str(width) if width == height else f"{width} {height}"


@POSITION_COMMANDS.command("kata-get-rules")
def kata_get_rules(position: Position) -> str:
    """The rules, as far as KataGo's seven keys can express them.

    Returns: a JSON object on one line.
    Example: `kata-get-rules` -> `= {"friendlyPassOk":true,"hasButton":false,"ko":"POSITIONAL"` ...
    """
    from godaemon.rules import kata_rules  # noqa: PLC0415 - few sessions ask

    return kata_rules.as_json(position.ruleset)


@POSITION_COMMANDS.command("kata-list_time_settings")
def kata_list_time_settings(_: Position) -> str:
    """The kinds of time limits that `kata-time_settings` takes (KataGo's extension).

    Returns: their names.
    Example: `kata-list_time_settings` -> `= none absolute canadian byoyomi fischer fischer-capped`
    """
    return "none absolute canadian byoyomi fischer fischer-capped"


@POSITION_COMMANDS.command("gogui-rules_game_id")
def gogui_rules_game_id(_: Position) -> str:
    """The name of the game that is played (GoGui's extension).

    Returns: Go.
    Example: `gogui-rules_game_id` -> `= Go`
    """
    return "Go"


@POSITION_COMMANDS.command("gogui-interrupt")
def gogui_interrupt(_: Position) -> str:
    """Announce that `# interrupt` ends a command that thinks or waits (GoGui's extension)."""
    return ""


def _require_on_board(position: Position, point: Point | None) -> Point:
    if point is None or not position.size.has(point):
        raise Refusal("invalid coordinate")
    return point


def _vertex_row(points: Iterable[Point]) -> str:
    return " ".join(map(str, points))
