"""Setup, replay and moves at a seat; replaying changes nothing in the game.

Each follows GTP 2 draft 2 as far as a game between players allows. A command that departs from the
record raises a `Refusal`, and the cursor does not move (godaemon/README.md, "The cursor").
"""

from collections.abc import Sequence
from dataclasses import replace

from godaemon.errors import Refusal
from godaemon.rules.handicap import fixed_points, max_fixed
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Move
from gtp import argument_readers as read
from gtp.argument_readers import ILLEGAL_MOVE, format_vertex
from gtp.command_table import CommandTable
from gtp.seat import sentences
from gtp.seat.cursor import Answer, Release, SeatCursor, SeatDecision, SeatState, StepKind, Wait
from gtp.seat.seat_view import SeatView

SEAT_COMMANDS = CommandTable()
"""The commands of a seat, beside those of every session."""

OFF_RECORD = "this is not the game any more: undo your last move, or clear_board and replay"

_MAX_EXTRA_PASSES = 100
"""The limit on passes after play has stopped; programs need two or three."""


@SEAT_COMMANDS.command("boardsize", read.sides)
@SEAT_COMMANDS.command("rectangular_boardsize", read.both_sides)
def boardsize(seat: SeatState, size: tuple[int, int]) -> SeatDecision:
    """Begin a replay of the record (6.3.1).

    Arguments: int size, or int width and int height: the size of the game.
    Fails: `unacceptable size` for any other size.
    """
    if size != tuple(seat.view.size):
        raise Refusal("unacceptable size")
    return Answer(seat.cursor.cleared())


@SEAT_COMMANDS.command("clear_board")
def clear_board(seat: SeatState) -> SeatDecision:
    """Return to the start of the record (6.3.1); a pending move is taken back."""
    return Answer(seat.cursor.cleared())


@SEAT_COMMANDS.command("fixed_handicap", read.integer, exactly=True)
@SEAT_COMMANDS.command("place_free_handicap", read.integer, exactly=False)
def place_handicap(seat: SeatState, number: int, *, exactly: bool) -> SeatDecision:
    """Place the game's handicap stones (6.3.2); waits at White's seat until Black has chosen them.

    Arguments: int number of the game's stones; of free stones perhaps more.
    Fails: `board not empty`; `invalid number of stones` for any other number, and in a game that
        began from a position with white stones; with the right command, if the seat has to choose
        the stones, or if they are not on the fixed points.
    """
    cursor, view = seat
    _require_empty(cursor)
    if view.game.to_place:
        if number < view.game.to_place:
            raise Refusal("invalid number of stones")
        return _wait_for_stones(view)
    count = view.game.position.handicap_count
    fits = not exactly or (number == count <= max_fixed(view.size))
    if not count or number < count or not fits:
        raise Refusal("invalid number of stones")
    text = " ".join(map(str, view.handicap))
    if exactly and {*view.handicap} != {*fixed_points(view.size, number)}:
        raise Refusal(f"the handicap stones are elsewhere: set_free_handicap {text}")
    return Answer(cursor.with_handicap(view), text)


@SEAT_COMMANDS.command("set_free_handicap", read.stones)
def set_free_handicap(seat: SeatState, points: Sequence[Point | None]) -> SeatDecision:
    """Place the game's handicap stones (6.3.2), or choose them if Black has to.

    A choice is pending like a move (`play`); `clear_board` takes it back.

    Arguments: the vertices of the game's handicap stones, in any order.
    Fails: `board not empty`; `bad vertex list` for any other stones.
    """
    cursor, view = seat
    _require_empty(cursor)
    if view.stones_to_place:
        return _choose_handicap(seat, points)
    game = {*view.handicap} if view.game.position.handicap_count else set()
    if len(points) != len(set(points)) or not points or {*points} != game:
        departed = replace(cursor, departed=not view.game.to_place)
        return Answer(departed, "bad vertex list", ok=False)
    return Answer(cursor.with_handicap(view))


def _require_empty(cursor: SeatCursor) -> None:
    if cursor.steps or cursor.stones:
        raise Refusal("board not empty")


def _wait_for_stones(view: SeatView) -> Wait:
    """Let White wait for Black's handicap stones; raises `Refusal` for Black, who places them."""
    if view.color is Color.BLACK:
        raise Refusal(sentences.place_first_text(view))
    return Wait()


def _choose_handicap(seat: SeatState, points: Sequence[Point | None]) -> Answer:
    """Choose Black's handicap stones, to be released."""
    cursor, view = seat
    chosen = tuple(point for point in points if point is not None and view.size.has(point))
    if not len(points) == len(set(chosen)) == view.game.to_place:
        raise Refusal("bad vertex list")
    return Answer(replace(cursor, stones=chosen, commanded=True, begun=True, chosen=True))


@SEAT_COMMANDS.command("gogui-setup", read.moves)
def gogui_setup(seat: SeatState, setup: Sequence[Move]) -> SeatDecision:
    """Set up the stones with which the game began, or choose Black's handicap stones (GoGui's).

    Fails: `board not empty`; for any other stones, with the right command.
    Example: `gogui-setup b D4 b Q16` -> `=`
    """
    cursor, view = seat
    _require_empty(cursor)
    if view.stones_to_place and all(stone.color is Color.BLACK for stone in setup):
        return _choose_handicap(seat, [stone.point for stone in setup])
    if len(setup) != len({*setup}) or {*setup} != {*map(view.setup_stone, view.handicap)}:
        return Answer(replace(cursor, departed=True), _set_up_advice(view), ok=False)
    return Answer(cursor.with_handicap(view))


def _set_up_advice(view: SeatView) -> str:
    if not view.handicap:
        return "this game began with an empty board: replay its moves instead"
    kind = "the game's first" if view.game.spec.opening else "the handicap"
    return f"only {kind} stones can be set up: {sentences.set_up_command(view)}"


@SEAT_COMMANDS.command("gogui-setup_player", read.color)
def gogui_setup_player(seat: SeatState, side: Color) -> None:
    """Confirm the colour to move at the cursor, after stones were set up (GoGui's extension).

    Fails: for the other colour, with the right one.
    """
    if side is not seat.to_move:
        raise Refusal(f"{seat.to_move.word} is to move here")


@SEAT_COMMANDS.command("play", read.color, read.word)
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
    return _play(seat, Move(side, read.vertex((text,), 0)))


def _play(seat: SeatState, move: Move) -> Answer:
    """Accept a move of the controller: the recorded one, or a pending one at the head."""
    cursor, view = seat
    if view.game.to_place:
        return _choose_stone(seat, move)
    if cursor.is_off_record(view):
        raise Refusal(sentences.too_late_text(view) if cursor.came_too_late(view) else ILLEGAL_MOVE)
    if missing := _missing_stones(seat):
        if move.point in missing and move == view.setup_stone(move.point):
            return Answer(replace(cursor, stones=(*cursor.stones, move.point), begun=True))
        raise Refusal(ILLEGAL_MOVE)
    at = len(cursor.followed_moves())
    if at < len(view.moves):
        if move != view.moves[at]:
            raise Refusal(ILLEGAL_MOVE)
        return Answer(cursor.with_step(move, StepKind.RECORDED))
    return _play_at_head(seat, move)


def _missing_stones(seat: SeatState) -> tuple[Point, ...]:
    """The handicap stones that are not on the controller's board yet."""
    return tuple(point for point in seat.view.handicap if point not in seat.cursor.stones)


def _choose_stone(seat: SeatState, move: Move) -> Answer:
    """Place one of the handicap stones that Black chooses; the last completes the choice."""
    cursor, view = seat
    white = move.color is Color.WHITE
    if white and view.stones_to_place and cursor.stones:  # it replays another game
        return Answer(cursor.with_stones_released(kept=False), ILLEGAL_MOVE, ok=False)
    if white or not view.stones_to_place or move.point is None:
        raise Refusal(f"{ILLEGAL_MOVE}: {sentences.place_first_text(view)}")
    closed = cursor.chosen or cursor.departed
    if closed or move.point in cursor.stones or not view.size.has(move.point):
        raise Refusal(ILLEGAL_MOVE)
    placed = (*cursor.stones, move.point)
    chosen = len(placed) == view.stones_to_place
    return Answer(replace(cursor, stones=placed, begun=True, chosen=chosen))


def _play_at_head(seat: SeatState, move: Move) -> Answer:
    cursor, view = seat
    if not view.playing and move.point is None:
        if len(cursor.steps) >= len(view.moves) + _MAX_EXTRA_PASSES:
            raise Refusal(ILLEGAL_MOVE)
        return Answer(cursor.with_step(move, StepKind.EXTRA))
    before = cursor if cursor.pending is None else replace(cursor, steps=cursor.steps[:-1])
    if cursor.pending is not None and move.color is not view.color:
        # It replays past the head, so it has another game on its screen.
        unsent = sentences.unsent_text(cursor.pending)
        return Answer(replace(before, departed=True), unsent, ok=False)
    if view.game.phase.over:
        raise Refusal(sentences.too_late_text(view))
    if move.color is not view.color or not view.my_turn or move == cursor.pending:
        raise Refusal(ILLEGAL_MOVE)
    if move.point is not None and not view.game.position.is_legal(move.color, move.point):
        raise Refusal(ILLEGAL_MOVE)
    return Answer(before.with_step(move, StepKind.PENDING))


@SEAT_COMMANDS.command("gogui-play_sequence", read.moves)
def gogui_play_sequence(seat: SeatState, sequence: Sequence[Move]) -> SeatDecision:
    """Replay several moves at once, or none of them (GoGui's extension).

    The last one may be the seat's own next move, which is then pending as after `play`.

    Fails: `illegal move` if one departs from the record; the cursor then stays, except that a
        pending move of another record is taken back.
    """
    cursor = seat.cursor
    for move in sequence:
        if cursor.unreleased is not None and cursor is not seat.cursor:
            raise Refusal(ILLEGAL_MOVE)
        answer = _play(seat._replace(cursor=cursor), move)
        if not answer.ok:
            return answer
        cursor = answer.cursor
    return Answer(cursor)


@SEAT_COMMANDS.command("genmove", read.color)
def genmove(seat: SeatState, side: Color) -> SeatDecision:
    """Return the next recorded move of a colour; at the head wait for the opponent's (6.3.3).

    `# interrupt`, any other command, or the end of input ends the wait. During and after scoring
    the opponent's move is pass, or resign if they have resigned.

    The player gets no email about a move that the program waits for. The email is sent if the
    program goes away, or leaves the move unanswered for 15 minutes, or a pass for two.

    Fails: `interrupted`; with the reason if no such move will come: a seat chooses no moves of its
        own, and the game may have ended, for example by time.
    Returns: a vertex, pass or resign.
    Example: `genmove black` -> `= D4`
    """
    cursor, view = seat
    if cursor.is_off_record(view):
        if view.opponent_resigned and side is not view.color:
            return Answer(cursor, "resign")
        raise Refusal(sentences.end_text(view) if cursor.came_too_late(view) else OFF_RECORD)
    if cursor.chosen and side is Color.WHITE:
        return Release(cursor.stones)
    if view.game.to_place and side is Color.BLACK:
        return _wait_for_stones(view)
    if missing := _missing_stones(seat):
        return _answer_stone(seat, side, missing[0])
    at = len(cursor.followed_moves())
    if at < len(view.moves):
        move = view.moves[at]
        if move.color is not side:
            mover = move.color.word
            raise Refusal(f"the next move of the record is {mover}'s: genmove {mover} gives it")
        return _answer_move(cursor, move, StepKind.RECORDED)
    if side is view.color:
        raise Refusal(sentences.no_move_reason(view))
    return _answer_opponents_move(seat, side)


def _answer_stone(seat: SeatState, side: Color, stone: Point) -> Answer:
    cursor, view = seat
    if view.game.position.set_up_white:
        raise Refusal(f"the game began with other stones: {sentences.set_up_command(view)}")
    if side is Color.WHITE:
        points = " ".join(map(str, view.handicap))
        raise Refusal(f"the handicap stones come first: set_free_handicap {points}")
    placed = replace(cursor, stones=(*cursor.stones, stone), begun=True)
    return Answer(placed, str(stone))


def _answer_opponents_move(seat: SeatState, side: Color) -> SeatDecision:
    cursor, view = seat
    if cursor.pending is not None:
        return Release(cursor.pending)
    if view.opponent_resigned:
        return Answer(cursor, "resign")
    if view.uncounted:
        raise Refusal(sentences.end_text(view))
    if not view.playing:
        return _answer_move(cursor, Move(side, None), StepKind.EXTRA)
    if view.my_turn:
        raise Refusal(sentences.no_move_reason(view))
    return Wait()


def _answer_move(cursor: SeatCursor, move: Move, kind: StepKind) -> Answer:
    return Answer(cursor.with_step(move, kind), format_vertex(move.point))


@SEAT_COMMANDS.command("undo")
def undo(seat: SeatState) -> SeatDecision:
    """Go back one move in the record, or take back a pending move (6.3.3).

    Fails: `cannot undo` at the start.
    """
    return Answer(seat.cursor.undone())


@SEAT_COMMANDS.command("gg-undo", read.optional(read.integer))
def gg_undo(seat: SeatState, number: int | None) -> SeatDecision:
    """Go back several moves in the record, or none (GNU Go's extension, for GoGui).

    Fails: `cannot undo` if there are fewer.
    """
    cursor = seat.cursor
    for _ in range(1 if number is None else number):
        cursor = cursor.undone()
    return Answer(cursor)


@SEAT_COMMANDS.command("komi", read.decimal)
def komi(_: SeatState, __: float) -> None:
    """Accept a komi; the game keeps its own (6.3.1).

    Arguments: float komi.
    """


@SEAT_COMMANDS.command("time_settings")
@SEAT_COMMANDS.command("time_left")
@SEAT_COMMANDS.command("kgs-time_settings")
@SEAT_COMMANDS.command("kata-time_settings")
@SEAT_COMMANDS.command("kgs-rules")
@SEAT_COMMANDS.command("clear_cache")
@SEAT_COMMANDS.command("kata-set-rules")
@SEAT_COMMANDS.command("kata-set-rule")
def accept_setting(_: SeatState) -> None:
    """Accept times (6.3.4), rules and engine settings; the game keeps its own.

    `godaemon-clock` shows the game's times.

    Arguments: any.
    Fails: never.
    Example: `kgs-rules japanese` -> `=`
    """
