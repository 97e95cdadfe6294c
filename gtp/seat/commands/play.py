"""The commands by which a controller sets up and replays a seat's game, and moves at its end.

The contract of each follows GTP 2 draft 2 as far as a game that others play too can: nothing
that a controller replays changes it (godaemon/README.md, "The cursor"). Pure.
"""

from __future__ import annotations

from godaemon.errors import Refusal
from godaemon.rules.position import Move
from gtp import argument_readers
from gtp.client.syntax import Arguments
from gtp.seat import cursor_steps
from gtp.seat.commands.table import SEAT
from gtp.seat.cursor import Answer, SeatCursor, SeatDecision
from gtp.seat.seat_view import SeatView


@SEAT.command()
def boardsize(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Begin a replay of the record (6.3.1).

    Arguments: int size, or int width and int height: those of the game.
    Fails: `unacceptable size` for any other, `syntax error`.
    Example: `boardsize 9` -> `=`
    """
    return cursor.resize(view, *argument_readers.sides(arguments))


@SEAT.command()
def rectangular_boardsize(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Begin a replay of the record (KataGo's extension).

    Arguments: int width, int height: those of the game.
    Fails: `unacceptable size` for any others, `syntax error`.
    Example: `rectangular_boardsize 9 13` -> `=`
    """
    return cursor.resize(
        view, argument_readers.integer(arguments, 0), argument_readers.integer(arguments, 1)
    )


@SEAT.command()
def clear_board(cursor: SeatCursor, _: SeatView, __: Arguments) -> SeatDecision:
    """Go back to the start of the record (6.3.1); a pending move is taken back.

    Example: `clear_board` -> `=`
    """
    return cursor.clear()


@SEAT.command()
def fixed_handicap(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Place the game's handicap stones (6.3.2).

    Arguments: int number of stones: the game's.
    Fails: `board not empty`, `invalid number of stones` for any other, and in a game that began
        from a position with stones of White's; with what to do, where the seat is to choose them
        and where they do not stand on the fixed points; `syntax error`.
    Returns: the vertices.
    Example: `fixed_handicap 2` -> `= D4 Q16`
    """
    return cursor.place(view, argument_readers.integer(arguments, 0), exactly=True)


@SEAT.command()
def place_free_handicap(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Place the game's handicap stones (6.3.2); while Black chooses them, White waits for them.

    Arguments: int number of stones: the game's, or more.
    Fails: as `fixed_handicap`, but for more.
    Returns: the vertices.
    Example: `place_free_handicap 2` -> `= D4 Q16`
    """
    return cursor.place(view, argument_readers.integer(arguments, 0), exactly=False)


@SEAT.command()
def set_free_handicap(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Place the game's handicap stones (6.3.2); where Black is to choose them, that is the choice.

    It is pending as a move is (`play`), and may be made anew after `clear_board`.

    Arguments: the vertices of the game's handicap stones, in any order.
    Fails: `board not empty`, `bad vertex list` for any others.
    Example: `set_free_handicap D4 Q16` -> `=`
    """
    return cursor.set_stones(view, argument_readers.stones(arguments))


@SEAT.command()
def play(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Replay a recorded move or handicap stone of either colour; at the head, move (6.3.3).

    Where Black is to choose handicap stones, so many of Black's moves are the choice, which is
    pending as a move is.

    At the head, on the seat's turn, the move is pending: it is written down, and released by
    `genmove` for the opponent, by a few quiet seconds, by `quit` or the end of input; a pass that
    ends the play, by asking for the count too. Until then another move of the seat's own takes its
    place. A move of the other colour upon it is refused and takes it back: it is another game that
    is replayed, and none of its moves is taken before `undo` or `clear_board`.

    Arguments: color, vertex.
    Fails: `illegal move` for what departs from the record; with the pending move of another
        program at the same seat; with the command that resigns, for `resign`; `illegal move` and
        the result after the end; `syntax error`.
    Example: `play white E5` -> `=`
    """
    color = argument_readers.color(arguments, 0)
    if argument_readers.word(arguments, 1).lower() == "resign":
        raise Refusal("resign is no move: godaemon-resign gives the game up")
    return cursor.play(view, Move(color, argument_readers.vertex(arguments, 1)))


@SEAT.command()
def genmove(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Give the next recorded move of a colour; at the head wait for the opponent's (6.3.3).

    The wait ends at once with `# interrupt`, any other command, or the end of input. While the
    game is being scored, and after that, the opponent's move is pass; resign if they gave up.

    Arguments: color.
    Fails: `interrupted`; with the reason where no such move is to come, because a seat never
        invents a move, or the game has ended otherwise, as by time; `syntax error`.
    Returns: a vertex, pass or resign.
    Example: `genmove black` -> `= D4`
    """
    return cursor.genmove(view, argument_readers.color(arguments, 0))


@SEAT.command()
def undo(cursor: SeatCursor, _: SeatView, __: Arguments) -> SeatDecision:
    """Go one move back on the record, or take a pending move back (6.3.3).

    Fails: `cannot undo` at the start.
    Example: `undo` -> `=`
    """
    return cursor.undo()


@SEAT.command("gg-undo")
def undo_several(cursor: SeatCursor, _: SeatView, arguments: Arguments) -> SeatDecision:
    """Go several moves back on the record at once, or none (GNU Go's extension, for GoGui).

    Arguments: int number of moves; 1 where it is left out.
    Fails: `cannot undo` where there are not so many, `syntax error`.
    Example: `gg-undo 3` -> `=`
    """
    return cursor_steps.back(cursor, argument_readers.integer(arguments, 0) if arguments else 1)


@SEAT.command("gogui-play_sequence")
def play_sequence(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Replay several moves at once, or none of them (GoGui's extension).

    The last one may be the seat's own next move, which is then pending as after `play`.

    Arguments: color and vertex of each move.
    Fails: `illegal move` where one departs from the record, and then the cursor stays, but for a
        pending move of another record's; `syntax error`.
    Example: `gogui-play_sequence b D4 w E5` -> `=`
    """
    return cursor_steps.sequence(cursor, view, argument_readers.moves(arguments))


@SEAT.command("gogui-setup")
def setup(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Set the stones up with which the game began; Black chooses handicap stones so, too (GoGui's).

    Arguments: color and vertex of each stone.
    Fails: `board not empty`; with what can be set up, for any others; `syntax error`.
    Example: `gogui-setup b D4 b Q16` -> `=`
    """
    return cursor_steps.set_up(cursor, view, argument_readers.moves(arguments))


@SEAT.command("gogui-setup_player")
def setup_player(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Say who is to move after a set-up (GoGui's extension): whoever is, at the cursor.

    Arguments: color.
    Fails: with the colour that is to move, for the other; `syntax error`.
    Example: `gogui-setup_player w` -> `=`
    """
    return cursor_steps.set_player(cursor, view, argument_readers.color(arguments, 0))


@SEAT.command()
def komi(cursor: SeatCursor, _: SeatView, arguments: Arguments) -> SeatDecision:
    """Accept a komi; the game keeps its own (6.3.1).

    Arguments: float komi.
    Fails: `syntax error`.
    Example: `komi 6.5` -> `=`
    """
    argument_readers.decimal(arguments, 0)
    return Answer(cursor)


@SEAT.command("time_settings")
@SEAT.command("time_left")
@SEAT.command("kgs-time_settings")
@SEAT.command("kata-time_settings")
@SEAT.command("kgs-rules")
@SEAT.command("kgs-game_over")
@SEAT.command("clear_cache")
@SEAT.command("kata-set-rules")
@SEAT.command("kata-set-rule")
def accepted(cursor: SeatCursor, _: SeatView, __: Arguments) -> SeatDecision:
    """Accept times (6.3.4), rules and what is said for engines alone; the game keeps its own.

    `godaemon-clock` tells its times.

    Arguments: any.
    Example: `kgs-rules japanese` -> `=`
    """
    return Answer(cursor)
