"""Setup, replay and moves at a seat; replaying changes nothing in the game.

Pure. Each follows GTP 2 draft 2 as far as a game between players allows; `seat.cursor` decides what
happens to a move (godaemon/README.md, "The cursor").
"""

from collections.abc import Sequence

from godaemon.errors import Refusal
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Move
from gtp.argument_readers import (
    both_sides,
    color,
    decimal,
    integer,
    moves,
    optional,
    sides,
    stones,
    vertex,
    word,
)
from gtp.seat.seat_decision import SeatDecision
from gtp.seat.seat_state import SEAT, SeatState


@SEAT.command("boardsize", sides)
@SEAT.command("rectangular_boardsize", both_sides)
def boardsize(seat: SeatState, size: tuple[int, int]) -> SeatDecision:
    """Begin a replay of the record (6.3.1).

    Arguments: int size, or int width and int height: the size of the game.
    Fails: `unacceptable size` for any other size.
    """
    return seat.cursor.resize(seat.view, *size)


@SEAT.command("clear_board")
def clear_board(seat: SeatState) -> SeatDecision:
    """Return to the start of the record (6.3.1); a pending move is taken back."""
    return seat.cursor.clear()


@SEAT.command("fixed_handicap", integer, exactly=True)
@SEAT.command("place_free_handicap", integer, exactly=False)
def place_handicap(seat: SeatState, number: int, *, exactly: bool) -> SeatDecision:
    """Place the game's handicap stones (6.3.2); waits at White's seat until Black has chosen them.

    Arguments: int number of the game's stones; of free stones perhaps more.
    Fails: `board not empty`; `invalid number of stones` for any other number, and in a game that
        began from a position with white stones; with the right command, if the seat has to choose
        the stones, or if they are not on the fixed points.
    """
    return seat.cursor.place_handicap(seat.view, number, exactly=exactly)


@SEAT.command("set_free_handicap", stones)
def set_free_handicap(seat: SeatState, points: Sequence[Point | None]) -> SeatDecision:
    """Place the game's handicap stones (6.3.2), or choose them if Black has to.

    A choice is pending like a move (`play`); `clear_board` takes it back.

    Arguments: the vertices of the game's handicap stones, in any order.
    Fails: `board not empty`; `bad vertex list` for any other stones.
    """
    return seat.cursor.set_handicap(seat.view, points)


@SEAT.command("gogui-setup", moves)
def gogui_setup(seat: SeatState, setup: Sequence[Move]) -> SeatDecision:
    """Set up the stones with which the game began, or choose Black's handicap stones (GoGui's).

    Fails: `board not empty`; for any other stones, with the right command.
    Example: `gogui-setup b D4 b Q16` -> `=`
    """
    return seat.set_up(setup)


@SEAT.command("gogui-setup_player", color)
def gogui_setup_player(seat: SeatState, side: Color) -> None:
    """Confirm the colour to move at the cursor, after stones were set up (GoGui's extension).

    Fails: for the other colour, with the right one.
    """
    if side is not seat.to_move:
        raise Refusal(f"{seat.to_move.word} is to move here")


@SEAT.command("play", color, word)
def play(seat: SeatState, side: Color, text: str) -> SeatDecision:
    """Replay a recorded move or handicap stone of either colour; at the head, move (6.3.3).

    If Black has to choose handicap stones, Black's first moves are the choice, which is pending
    like a move.

    A move at the head, on the seat's turn, is pending: it is stored, but not sent. `genmove` for
    the opponent, a few quiet seconds, `quit` or the end of input release it; commands of the
    counting also release a pass that ends play. Until then another move of the seat replaces it. A
    move of the other colour is refused and takes it back, because the program replays another game;
    all further moves are refused until `undo` or `clear_board`.

    Arguments: color, vertex.
    Fails: `illegal move` if it departs from the record; `illegal move` and the result after the
        end; with a pending move from another connection; for `resign`, with the command that
        resigns.
    Example: `play white E5` -> `=`
    """
    if text.lower() == "resign":
        raise Refusal("resign is no move: godaemon-resign gives the game up")
    return seat.cursor.play(seat.view, Move(side, vertex((text,), 0)))


@SEAT.command("gogui-play_sequence", moves)
def gogui_play_sequence(seat: SeatState, sequence: Sequence[Move]) -> SeatDecision:
    """Replay several moves at once, or none of them (GoGui's extension).

    The last one may be the seat's own next move, which is then pending as after `play`.

    Fails: `illegal move` if one departs from the record; the cursor then stays, except that a
        pending move of another record is taken back.
    """
    return seat.play_all(sequence)


@SEAT.command("genmove", color)
def genmove(seat: SeatState, side: Color) -> SeatDecision:
    """Return the next recorded move of a colour; at the head wait for the opponent's (6.3.3).

    `# interrupt`, any other command, or the end of input ends the wait. During and after scoring
    the opponent's move is pass, or resign if they have resigned.

    Fails: `interrupted`; with the reason if no such move will come: a seat chooses no moves of its
        own, and the game may have ended, for example by time.
    Returns: a vertex, pass or resign.
    Example: `genmove black` -> `= D4`
    """
    return seat.cursor.genmove(seat.view, side)


@SEAT.command("undo")
def undo(seat: SeatState) -> SeatDecision:
    """Go back one move in the record, or take back a pending move (6.3.3).

    Fails: `cannot undo` at the start.
    """
    return seat.cursor.undo()


@SEAT.command("gg-undo", optional(integer))
def gg_undo(seat: SeatState, number: int | None) -> SeatDecision:
    """Go back several moves in the record, or none (GNU Go's extension, for GoGui).

    Fails: `cannot undo` if there are fewer.
    """
    return seat.go_back(1 if number is None else number)


@SEAT.command("komi", decimal)
def komi(_: SeatState, __: float) -> None:
    """Accept a komi; the game keeps its own (6.3.1).

    Arguments: float komi.
    """


@SEAT.command("time_settings")
@SEAT.command("time_left")
@SEAT.command("kgs-time_settings")
@SEAT.command("kata-time_settings")
@SEAT.command("kgs-rules")
@SEAT.command("clear_cache")
@SEAT.command("kata-set-rules")
@SEAT.command("kata-set-rule")
def accept_setting(_: SeatState) -> None:
    """Accept times (6.3.4), rules and engine settings; the game keeps its own.

    `godaemon-clock` shows the game's times.

    Arguments: any.
    Fails: never.
    Example: `kgs-rules japanese` -> `=`
    """
