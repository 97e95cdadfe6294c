"""The commands of a seat at a stored game: each reads its arguments and asks the cursor.

The contract of each follows GTP 2 draft 2 as far as a game that others play too can (design,
section 6): nothing that a controller replays changes it. Pure.
"""

from __future__ import annotations

from collections.abc import Callable

from godaemon.errors import Refusal, Unreadable
from godaemon.games.model import Phase
from godaemon.rules import scoring
from godaemon.rules.position import Move
from gtp import syntax
from gtp.commands.game import chain_lines, status
from gtp.commands.registry import Registry
from gtp.seat import Answer, Decision, SeatCursor
from gtp.seatview import SeatView
from gtp.syntax import Arguments, Reply

SEAT: Registry[Callable[[SeatCursor, SeatView, Arguments], Decision]] = Registry()
"""The commands of a seat, beside the administrative ones."""


@SEAT.command()
def boardsize(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> Decision:
    """Begin a replay of the record (6.3.1).

    Arguments: int size, or int width and int height: those of the game.
    Fails: `unacceptable size` for any other, `syntax error`.
    Returns: nothing.
    Example: `boardsize 9` -> `=`
    """
    width = height = syntax.integer(arguments, 0)
    if len(arguments) > 1 and arguments[1].isdecimal():
        height = syntax.integer(arguments, 1)
    return cursor.resize(view, width, height)


@SEAT.command()
def rectangular_boardsize(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> Decision:
    """Begin a replay of the record (KataGo's extension).

    Arguments: int width, int height: those of the game.
    Fails: `unacceptable size` for any others, `syntax error`.
    Returns: nothing.
    Example: `rectangular_boardsize 9 13` -> `=`
    """
    return cursor.resize(view, syntax.integer(arguments, 0), syntax.integer(arguments, 1))


@SEAT.command()
def clear_board(cursor: SeatCursor, _: SeatView, __: Arguments) -> Decision:
    """Go back to the start of the record (6.3.1); a pending move is taken back.

    Arguments: none.
    Fails: never.
    Returns: nothing.
    Example: `clear_board` -> `=`
    """
    return cursor.clear()


@SEAT.command()
def fixed_handicap(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> Decision:
    """Place the game's handicap stones (6.3.2).

    Arguments: int number of stones: the game's.
    Fails: `board not empty`, `invalid number of stones` for any other, `syntax error`.
    Returns: the vertices.
    Example: `fixed_handicap 2` -> `= D4 Q16`
    """
    return cursor.place(view, syntax.integer(arguments, 0), exactly=True)


@SEAT.command()
def place_free_handicap(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> Decision:
    """Place the game's handicap stones (6.3.2).

    Arguments: int number of stones: the game's, or more.
    Fails: `board not empty`, `invalid number of stones` for fewer, `syntax error`.
    Returns: the vertices.
    Example: `place_free_handicap 2` -> `= D4 Q16`
    """
    return cursor.place(view, syntax.integer(arguments, 0), exactly=False)


@SEAT.command()
def set_free_handicap(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> Decision:
    """Place the game's handicap stones (6.3.2).

    Arguments: the vertices of the game's handicap stones, in any order.
    Fails: `board not empty`, `bad vertex list` for any others.
    Returns: nothing.
    Example: `set_free_handicap D4 Q16` -> `=`
    """
    try:
        points = [syntax.vertex(arguments, at) for at in range(len(arguments))]
    except Unreadable as refusal:
        raise Refusal("bad vertex list") from refusal
    return cursor.set_stones(view, points)


@SEAT.command()
def play(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> Decision:
    """Replay a recorded move or handicap stone of either colour; at the head, move (6.3.3).

    At the head, on the seat's turn, the move is pending: it is written down, and released by
    `genmove` for the opponent, by a few quiet seconds, by `quit` or the end of input.

    Arguments: color, vertex.
    Fails: `illegal move` for what departs from the record, `syntax error`.
    Returns: nothing.
    Example: `play white E5` -> `=`
    """
    color = syntax.color(arguments, 0)
    return cursor.play(view, Move(color, syntax.vertex(arguments, 1)))


@SEAT.command()
def genmove(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> Decision:
    """Give the next recorded move of a colour; at the head wait for the opponent's (6.3.3).

    The wait ends at once with `# interrupt`, any other command, or the end of input. While the
    game is being scored, and after its end, the opponent's move is pass; resign if they gave up.

    Arguments: color.
    Fails: `interrupted`; with the reason where no such move is to come, because a seat never
        invents a move; `syntax error`.
    Returns: a vertex, pass or resign.
    Example: `genmove black` -> `= D4`
    """
    return cursor.genmove(view, syntax.color(arguments, 0))


@SEAT.command()
def undo(cursor: SeatCursor, _: SeatView, __: Arguments) -> Decision:
    """Go one move back on the record, or take a pending move back (6.3.3).

    Arguments: none.
    Fails: `cannot undo` at the start.
    Returns: nothing.
    Example: `undo` -> `=`
    """
    return cursor.undo()


@SEAT.command()
def komi(cursor: SeatCursor, _: SeatView, arguments: Arguments) -> Decision:
    """Accept a komi; the game keeps its own (6.3.1).

    Arguments: float komi.
    Fails: `syntax error`.
    Returns: nothing.
    Example: `komi 6.5` -> `=`
    """
    syntax.decimal(arguments, 0)
    return Answer(cursor)


@SEAT.command("time_settings")
@SEAT.command("time_left")
@SEAT.command("kgs-time_settings")
@SEAT.command("kgs-rules")
@SEAT.command("kata-set-rules")
@SEAT.command("kata-set-rule")
def accepted(cursor: SeatCursor, _: SeatView, __: Arguments) -> Decision:
    """Accept times or rules; the game keeps its own (6.3.4).

    Arguments: any.
    Fails: never.
    Returns: nothing.
    Example: `time_settings 300 30 5` -> `=`
    """
    return Answer(cursor)


@SEAT.command()
def final_score(cursor: SeatCursor, view: SeatView, _: Arguments) -> Decision:
    """The game's result, or its count by the marks as they are while it is being scored (6.3.5).

    Arguments: none.
    Fails: `cannot score` while stones are being played.
    Returns: W+ or B+ and the points or R, or 0 for a tie.
    Example: `final_score` -> `= W+3.5`
    """
    game = view.game
    if game.phase is Phase.SCORING:
        return Answer(cursor, Reply(ok=True, text=game.score().result))
    if game.phase is not Phase.FINISHED or game.result is None:
        raise Refusal("cannot score")
    return Answer(cursor, Reply(ok=True, text=game.result))


@SEAT.command()
def final_status_list(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> Decision:
    """The stones of a status by the players' marks (6.3.5).

    Arguments: alive, seki or dead; a stone is in one of the lists.
    Fails: `syntax error`.
    Returns: one chain a line, its vertices in a row.
    Example: `final_status_list dead` -> `= C3 C4`
    """
    board = view.game.position.board
    chosen = scoring.of_status(board, view.game.dead, status(arguments))
    return Answer(cursor, Reply(ok=True, text=chain_lines(scoring.chains(board, chosen))))


@SEAT.command()
def showboard(cursor: SeatCursor, view: SeatView, _: Arguments) -> Decision:
    """Draw the game's board as it is now, for people (6.3.8), and say what it waits for.

    Arguments: none.
    Fails: never.
    Returns: the board with its coordinates, and how things stand.
    Example: `showboard` -> a drawing
    """
    return Answer(cursor, Reply(ok=True, text=_drawing(cursor, view)))


def _drawing(cursor: SeatCursor, view: SeatView) -> str:
    from godaemon.diagrams.text import text_board  # noqa: PLC0415 - programs never ask for it

    game = view.game
    last = game.position.last.point if game.position.last else None
    taken = ", ".join(f"{color.word} {count}" for color, count in game.position.prisoners.items())
    lines = [
        text_board(game.rows(), last=last),
        f"Prisoners: {taken}. Komi {game.spec.komi:g}, {game.spec.rules} rules.",
        f"Game {game.id}, move {game.move_number}: {_standing(view)} You are {view.color.word}.",
    ]
    if cursor.pending is not None:
        lines.append(f"Your move {syntax.written(cursor.pending.point)} is about to be sent.")
    elif cursor.off_record(view) or len(cursor.followed()) < len(view.moves):
        lines.append(f"Your program has followed {len(cursor.followed())} of its moves.")
    return "\n" + "\n".join(lines)


def _standing(view: SeatView) -> str:
    game = view.game
    if game.to_move is not None:
        return f"{game.to_move.word} to move."
    return "being scored." if game.phase is Phase.SCORING else f"over, {game.result}."
