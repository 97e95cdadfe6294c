"""What a controller can ask of the stored game, as it is now, wherever its cursor stands. Pure."""

from __future__ import annotations

from godaemon.errors import Refusal
from godaemon.games import views
from godaemon.games.model import Phase, Seat
from godaemon.records import sgf
from godaemon.rules.points import Color
from gtp.client.syntax import Arguments
from gtp.inspection import query_boardsize
from gtp.seat import clock_words, sentences
from gtp.seat.commands.table import SEAT, answer, counted
from gtp.seat.cursor import ListGames, SeatCursor, SeatDecision
from gtp.seat.cursor_steps import position_at, rows_at
from gtp.seat.seat_view import SeatView


@SEAT.command()
def showboard(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """Draw the board that the controller has, for people (6.3.8), and say how the game stands.

    Before the controller has set one up, it is the game's as it is now: for all commands that look.

    Returns: the board with its coordinates, and how things stand.
    Example: `showboard` -> a drawing
    """
    return counted(cursor, view, _drawing(cursor, view))


@SEAT.command("gogui-rules_board_size")
def rules_board_size(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """The size of the game's board, to which GoGui then sets its own (GoGui's extension).

    Returns: the size; width and height where they differ.
    Example: `gogui-rules_board_size` -> `= 9`
    """
    return answer(cursor, query_boardsize(view.game.position, ()))


@SEAT.command()
def get_komi(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """The game's komi, whatever the controller has said (GNU Go's extension).

    Returns: float komi.
    Example: `get_komi` -> `= 6.5`
    """
    return answer(cursor, f"{view.game.spec.komi:g}")


@SEAT.command()
def get_handicap(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """How many handicap stones the game began with (GNU Go's extension).

    Returns: the number, 0 for none; also where it began from a position with stones of White's.
    Example: `get_handicap` -> `= 2`
    """
    return answer(cursor, str(view.game.position.handicap_count))


@SEAT.command()
def cputime(cursor: SeatCursor, _: SeatView, __: Arguments) -> SeatDecision:
    """The processor time that a seat has used to find its moves: none, since it finds no moves.

    Returns: 0.000 seconds.
    Example: `cputime` -> `= 0.000`
    """
    return answer(cursor, "0.000")


@SEAT.command()
def printsgf(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """The record of the whole game as it is now, to be loaded elsewhere (GNU Go's extension).

    Arguments: none, or `-`; nothing is written to files here.
    Fails: `cannot write file` for any other.
    Returns: an SGF file.
    Example: `printsgf` -> `= (;FF[4]GM[1]SZ[9]` and so on
    """
    if arguments and arguments[0] != "-":
        raise Refusal("cannot write file")
    return answer(cursor, sgf.write(views.record(view.game, reader=view.color)).strip())


@SEAT.command("gogui-title")
def title(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """What GoGui's window is to be called: the game and its players (GoGui's extension).

    Returns: one line.
    Example: `gogui-title` -> `= Game 7: Alice (black) against Bob (white)`
    """
    black, white = (sentences.name(view.game, color) for color in (Color.BLACK, Color.WHITE))
    return answer(cursor, f"Game {view.game.id}: {black} (black) against {white} (white)")


@SEAT.command("gomill-describe_engine")
def describe_engine(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """Who sits where, for the logs of tournaments (gomill's extension).

    Returns: a few lines.
    Example: `gomill-describe_engine` -> `= godaemon: the black seat of game 7` and more lines
    """
    seat = f"godaemon: the {view.color.word} seat of game {view.game.id}"
    other = view.color.opponent
    return answer(cursor, f"{seat}\n{sentences.name(view.game, other)} plays {other.word}.")


@SEAT.command("gomill-explain_last_move")
def explain_last_move(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """What the opponent has said at the last move of the game (gomill's extension).

    Returns: the opponent's words; nothing where there are none.
    Example: `gomill-explain_last_move` -> `= Good game so far!`
    """
    game = view.game
    words = [
        said.text
        for said in game.chat
        if said.color is not view.color and said.move_number == game.move_number
    ]
    return answer(cursor, "\n".join(words))


@SEAT.command("godaemon-status")
def status(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """How the game stands, for people: players, last move, marks, count, and the last words.

    Returns: one thing a line.
    Example: `godaemon-status` -> `= Game: 7, 9x9, japanese rules, komi 6.5` and more lines
    """
    return counted(cursor, view, sentences.status(cursor, view))


@SEAT.command("godaemon-clock")
def clock(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """The game's clock, which counts whatever clock the controller runs.

    Returns: the time settings, and for each side what is left and whether its clock runs; until
        when, where one does; one thing a line.
    Example: `godaemon-clock` -> `= Time: 3 days a move` and more lines
    """
    return answer(cursor, clock_words.clock_lines(view))


@SEAT.command("godaemon-games")
def games(_cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """The games of the seat's player, the newest first, for people.

    Returns: one game a line, with its number, its players, and what it waits for.
    Example: `godaemon-games` -> `= 7 9x9 ... move 12: your move`
    """
    address = view.game.player(Seat.of(view.color)).address
    return ListGames(lambda headlines: sentences.games(headlines, address))


@SEAT.command("godaemon-describe")
def describe(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """The board at the cursor in sentences, made to be read aloud.

    Arguments: none for all of it; or near or group and a vertex, row and its number, column and
        its letter.
    Fails: `invalid coordinate` off the board, `syntax error`.
    Returns: one sentence a line.
    Example: `godaemon-describe row 4` -> `= Row 4, from left to right: empty A4 to C4; Black D4.`
    """
    from gtp import board_in_words  # noqa: PLC0415 - programs never ask for it

    return answer(cursor, board_in_words.describe(rows_at(cursor, view), arguments))


def _drawing(cursor: SeatCursor, view: SeatView) -> str:
    from gtp import board_in_words  # noqa: PLC0415 - programs never ask for it

    game, rows, position = view.game, rows_at(cursor, view), position_at(cursor, view)
    lines = [
        board_in_words.drawn(rows, position, game.spec.komi, game.spec.rules),
        f"{sentences.headed(game)} You are {view.color.word}.",
    ]
    if game.phase is Phase.SCORING:
        lines.append(f"Count: {sentences.counting(game)}.")
    if left := clock_words.clocks(view):
        lines.append(f"Time: {left}.")
    if where := sentences.position_of(cursor, view):
        lines.append(where)
    return "\n".join(lines)
