"""Setup and moves on a free board (GTP 2 draft 2, 6.3.1 to 6.3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from godaemon.errors import IllegalMove, Refusal
from godaemon.rules import handicap
from godaemon.rules.points import LARGEST, Color, Point, Size
from godaemon.rules.position import Move, Position
from gtp import argument_readers as read
from gtp.argument_readers import format_vertex
from gtp.client.syntax import Arguments
from gtp.command_table import CommandTable

if TYPE_CHECKING:  # a session without genmove needs no player
    from godaemon.engine import Choice
    from gtp.board.board_session import BoardSession


BOARD_COMMANDS = CommandTable()
"""The commands of a free board, beside those of every session."""


@BOARD_COMMANDS.command("boardsize", read.sides)
@BOARD_COMMANDS.command("rectangular_boardsize", read.both_sides)
def boardsize(session: BoardSession, size: tuple[int, int]) -> None:
    """Begin with an empty board of a new size (6.3.1); the komi stays.

    Arguments: int size, from 1 to 52; or int width and int height, as in KataGo, Sabaki and q5Go,
        which `rectangular_boardsize` requires. Columns beyond Z are AA, AB ...
    Fails: `unacceptable size`; the board then stays unchanged.
    Example: `boardsize 19` -> `=`
    """
    width, height = size
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        raise Refusal("unacceptable size")
    session.board.begin_game(Size(width, height))


@BOARD_COMMANDS.command("clear_board")
def clear_board(session: BoardSession) -> None:
    """Remove all stones, prisoners and moves (6.3.1); size and komi stay."""
    session.board.begin_game(session.board.size)


@BOARD_COMMANDS.command("komi", read.decimal)
def komi(session: BoardSession, points: float) -> None:
    """Set the komi, however ridiculous (6.3.1).

    Arguments: float komi, in points to White.
    Example: `komi 6.5` -> `=`
    """
    session.board.komi = points + 0.0  # never -0.0


@BOARD_COMMANDS.command("fixed_handicap", read.integer, fixed=True)
@BOARD_COMMANDS.command("place_free_handicap", read.integer, fixed=False)
def place_handicap(session: BoardSession, number: int, *, fixed: bool) -> str:
    """Place handicap stones, which cannot be undone (6.3.2).

    Fixed stones are on the points of 4.1.1. Our player chooses the points of free ones, and may
    place fewer.

    Arguments: int number of stones: fixed ones from 2 to 9 on boards with odd sides from 9, to 4 on
        others from 7; free ones at least 2, and fewer than the points of the board.
    Fails: `board not empty`, `invalid number of stones`.
    Returns: the vertices.
    Example: `fixed_handicap 2` -> `= D4 Q16`
    """
    size = session.board.size
    session.board.require_empty()
    if not 2 <= number <= (handicap.max_fixed(size) if fixed else size.points - 1):
        raise Refusal("invalid number of stones")
    points = (handicap.fixed_points if fixed else handicap.free_points)(size, number)
    session.board.begin_game(size, points)
    return " ".join(map(str, points))


@BOARD_COMMANDS.command("set_free_handicap", read.stones)
def set_free_handicap(session: BoardSession, points: Sequence[Point | None]) -> None:
    """Place handicap stones on chosen points (6.3.2).

    Arguments: at least 2 different vertices, fewer than the points of the board, and no pass.
    Fails: `board not empty`, `bad vertex list`; no stone is then placed.
    Example: `set_free_handicap D4 Q16` -> `=`
    """
    size = session.board.size
    session.board.require_empty()
    chosen = _require_on_board(size, points)
    if not 2 <= len(chosen) < size.points:
        raise Refusal("bad vertex list")
    session.board.begin_game(size, tuple(chosen))


def _require_on_board(size: Size, points: Sequence[Point | None]) -> set[Point]:
    """The points as a set; raises `Refusal`: bad vertex list."""
    found = {point for point in points if point is not None and size.has(point)}
    if len(found) < len(points):
        raise Refusal("bad vertex list")
    return found


@BOARD_COMMANDS.command("gogui-setup", read.moves, replace=False)
@BOARD_COMMANDS.command("set_position", read.moves, replace=True)
def set_up(session: BoardSession, setup: Sequence[Move], *, replace: bool) -> None:
    """Set up stones, without moves; Black is to move (GoGui's and KataGo's extensions).

    `gogui-setup` requires an empty board; `set_position` replaces the current one.

    Arguments: pairs of color and vertex.
    Fails: for gogui-setup if there are stones; `bad vertex list` for a pass, off the board, for
        the same vertex twice or a stone without liberties; the board then stays unchanged.
    Example: `gogui-setup b D4 w E5` -> `=`
    """
    board = session.board
    if not replace:
        board.require_empty()
    _require_on_board(board.size, [point for _, point in setup])
    black, white = ([point for color, point in setup if color is side and point] for side in Color)
    position = Position(board.size, board.ruleset, black, set_up_white=white)
    if not all(position.all_liberties().values()):
        raise Refusal("bad vertex list")
    position.give_turn(Color.BLACK)
    board.set_position(position)


@BOARD_COMMANDS.command("gogui-setup_player", read.color)
def gogui_setup_player(session: BoardSession, side: Color) -> None:
    """Set the colour to move after stones were set up (GoGui's extension).

    Example: `gogui-setup_player w` -> `=`
    """
    session.board.position.give_turn(side)


@BOARD_COMMANDS.command("loadsgf", read.words)
def loadsgf(session: BoardSession, arguments: Arguments) -> str:
    """Take a position from an SGF file (6.3.6): its size, komi, rules, stones and moves.

    A komi or rules that it does not state stay as they are.

    Arguments: a file name, quoted if it has blanks; optional int move number, for the position
        before that move.
    Fails: `syntax error`; with the reason if the file cannot be loaded; the board then stays
        unchanged.
    Returns: the colour to move, as in GNU Go; below it, in sentences, the parts of the file that
        are unreadable, not in its main line, or after an illegal move.
    Example: `loadsgf game.sgf 120` -> `= white`
    """
    from gtp.board.game_file import read_file  # noqa: PLC0415 - few sessions load a file

    name, rest = read.file_name(arguments)
    before = read.optional(read.integer)(rest, 0)
    left_out = session.board.load(read_file(name), before)
    return "\n".join([session.board.position.to_move.word, *left_out])


@BOARD_COMMANDS.command("play", read.color, read.vertex)
def play(session: BoardSession, side: Color, point: Point | None) -> None:
    """Play a stone or pass, for either colour at any time (6.3.3).

    Fails: `illegal move` if the rules forbid it, or off the board.
    Example: `play black Q16` -> `=`
    """
    session.board.play(side, point)


@BOARD_COMMANDS.command("gogui-play_sequence", read.moves)
def gogui_play_sequence(session: BoardSession, sequence: Sequence[Move]) -> None:
    """Play several moves (GoGui's extension).

    Arguments: any number of pairs of color and vertex.
    Fails: `illegal move` if one of them is; none is then played.
    Example: `gogui-play_sequence b D4 w Q16 b pass` -> `=`
    """
    before = session.board.position.move_number
    try:
        session.board.position.play_all(sequence)
    except IllegalMove:
        session.board.undo(session.board.position.move_number - before)
        raise


@BOARD_COMMANDS.command("genmove", read.color, slow=True)
@BOARD_COMMANDS.command("reg_genmove", read.color, slow=True, plays=False)
def genmove(session: BoardSession, side: Color, *, plays: bool = True) -> str:
    """Choose a move for either colour at any time, and play it (6.3.3).

    `reg_genmove` leaves the board unchanged (6.3.7). `# interrupt` ends the thinking with the best
    move so far. The move keeps the time limits.

    Returns: a vertex, pass, or resign, which leaves the board unchanged.
    Example: `genmove white` -> `= D4`
    """
    return apply_choice(session, side, session.board.genmove(side, session.stop), plays=plays)


def apply_choice(session: BoardSession, side: Color, choice: Choice, *, plays: bool) -> str:
    """The answer for our player's choice; also plays it if `plays`."""
    if choice.resigns:
        return "resign"
    if plays:
        session.board.play(side, choice.point)
    return format_vertex(choice.point)


@BOARD_COMMANDS.command("kgs-genmove_cleanup", read.color, slow=True)
def kgs_genmove_cleanup(session: BoardSession, side: Color) -> str:
    """Choose and play a move as `genmove` does, but capture dead stones before passing.

    Players who disagree on dead stones play on until all of them are captured. Our player plays
    its best move, at every level.

    Returns: a vertex or pass.
    Example: `kgs-genmove_cleanup white` -> `= D4`
    """
    choice = session.board.genmove(side, session.stop, cleanup=True)
    return apply_choice(session, side, choice, plays=True)


@BOARD_COMMANDS.command("undo")
def undo(session: BoardSession) -> None:
    """Take back the last move or pass (6.3.3).

    Fails: `cannot undo` if no move is left; handicap stones stay.
    """
    session.board.undo()


@BOARD_COMMANDS.command("gg-undo", read.optional(read.integer))
def gg_undo(session: BoardSession, number: int | None) -> None:
    """Take back several moves (GNU Go's extension, for GoGui).

    Arguments: optional int number of moves, by default one.
    Fails: `cannot undo` if there are fewer; none is then taken back.
    Example: `gg-undo 2` -> `=`
    """
    session.board.undo(1 if number is None else number)
