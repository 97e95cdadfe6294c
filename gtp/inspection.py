"""Commands that look at a position and ask nothing else: GNU Go's, GoGui's and KataGo's. Pure.

They are of every session: on a free board of its position, in a seat of the one at the cursor,
pending move and all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from godaemon.errors import Refusal
from godaemon.rules.points import Point
from godaemon.rules.position import Position
from gtp import argument_readers
from gtp.argument_readers import written
from gtp.client.syntax import Arguments
from gtp.registry import Registry

LOOKS: Registry[Callable[[Position, Arguments], str]] = Registry()
"""The commands that need to know a position and nothing else."""


@LOOKS.command()
def list_stones(position: Position, arguments: Arguments) -> str:
    """The stones of a colour.

    Arguments: color.
    Fails: `syntax error`.
    Returns: their vertices in one row; nothing where there are none.
    Example: `list_stones black` -> `= D4 Q16`
    """
    board = position.board
    return _row(board.points_at(board.stones(argument_readers.color(arguments, 0))))


@LOOKS.command()
def color(position: Position, arguments: Arguments) -> str:
    """What stands on a vertex.

    Arguments: vertex.
    Fails: `invalid coordinate` off the board and for pass, `syntax error`.
    Returns: black, white or empty.
    Example: `color D4` -> `= black`
    """
    stone = position.board.color(_point(position, arguments))
    return stone.word if stone is not None else "empty"


@LOOKS.command()
def is_legal(position: Position, arguments: Arguments) -> str:
    """Whether the rules let a colour play on a vertex now; it may always pass.

    Arguments: color, vertex.
    Fails: `syntax error`.
    Returns: 1 or 0.
    Example: `is_legal black D4` -> `= 1`
    """
    mover, point = argument_readers.color(arguments, 0), argument_readers.vertex(arguments, 1)
    return "1" if point is None or position.is_legal(mover, point) else "0"


@LOOKS.command()
def all_legal(position: Position, arguments: Arguments) -> str:
    """Where the rules let a colour play now.

    Arguments: color.
    Fails: `syntax error`.
    Returns: the vertices in one row, without pass.
    Example: `all_legal black` -> `= A1 B1` and so on
    """
    return _row(position.legal_moves(argument_readers.color(arguments, 0)))


@LOOKS.command()
def captures(position: Position, arguments: Arguments) -> str:
    """How many stones a colour has captured.

    Arguments: color.
    Fails: `syntax error`.
    Returns: the number.
    Example: `captures black` -> `= 3`
    """
    return str(position.prisoners[argument_readers.color(arguments, 0)])


@LOOKS.command()
def countlib(position: Position, arguments: Arguments) -> str:
    """How many liberties the chain on a vertex has.

    Arguments: vertex.
    Fails: `vertex must not be empty`, `invalid coordinate` off the board and for pass,
        `syntax error`.
    Returns: the number.
    Example: `countlib D4` -> `= 4`
    """
    return str(len(_liberties(position, arguments)))


@LOOKS.command()
def findlib(position: Position, arguments: Arguments) -> str:
    """The liberties of the chain on a vertex.

    Arguments: vertex.
    Fails: `vertex must not be empty`, `invalid coordinate` off the board and for pass,
        `syntax error`.
    Returns: their vertices in one row.
    Example: `findlib D4` -> `= C4 D3 D5 E4`
    """
    return _row(sorted(_liberties(position, arguments)))


@LOOKS.command()
def last_move(position: Position, _: Arguments) -> str:
    """The last move or pass.

    Fails: `no previous move known`.
    Returns: its colour and vertex.
    Example: `last_move` -> `= white D4`
    """
    if position.last is None:
        raise Refusal("no previous move known")
    return f"{position.last.color.word} {written(position.last.point)}"


@LOOKS.command()
def move_history(position: Position, _: Arguments) -> str:
    """All moves and passes, the last one first; stones that were set up are none.

    Returns: colour and vertex, one move a line.
    Example: `move_history` -> `= white D4` and so on, line by line
    """
    return "\n".join(f"{one.color.word} {written(one.point)}" for one in reversed(position.moves))


@LOOKS.command()
def query_boardsize(position: Position, _: Arguments) -> str:
    """The size of the board.

    Returns: its side; its width and height where they differ.
    Example: `query_boardsize` -> `= 19`
    """
    width, height = position.size
    return str(width) if width == height else f"{width} {height}"


@LOOKS.command("kata-get-rules")
def kata_get_rules(position: Position, _: Arguments) -> str:
    """The rules that moves and counts go by, as far as KataGo's seven keys can tell them.

    Returns: a JSON object in one line.
    Example: `kata-get-rules` -> `= {"friendlyPassOk":true,"hasButton":false,"ko":"POSITIONAL"` ...
    """
    from godaemon.rules import kata_rules  # noqa: PLC0415 - few sessions ask

    return kata_rules.as_json(position.ruleset)


@LOOKS.command("gogui-rules_game_id")
def gogui_rules_game_id(_: Position, __: Arguments) -> str:
    """The game that the rules are those of, in the letters by which GoGui knows it.

    Returns: Go.
    Example: `gogui-rules_game_id` -> `= Go`
    """
    return "Go"


@LOOKS.command("gogui-interrupt")
def gogui_interrupt(_: Position, __: Arguments) -> str:
    """Tell that the comment `# interrupt` ends a command that thinks or waits.

    Example: `gogui-interrupt` -> `=`
    """
    return ""


def _liberties(position: Position, arguments: Arguments) -> frozenset[Point]:
    found = position.liberties(_point(position, arguments))
    if not found:  # a stone on the board has at least one
        raise Refusal("vertex must not be empty")
    return found


def _point(position: Position, arguments: Arguments) -> Point:
    """The point of the board that the first argument names."""
    point = argument_readers.vertex(arguments, 0)
    if point is None or not position.size.has(point):
        raise Refusal("invalid coordinate")
    return point


def _row(points: Iterable[Point]) -> str:
    return " ".join(map(str, points))
