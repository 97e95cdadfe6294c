"""A seat's acts other than moves: counting, resigning, taking back, plans and words.

Each command has the effect of the same command in an email; the opponent gets an email.
"""

from collections.abc import Iterable
from functools import partial

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import planned_moves
from godaemon.games.decisions import check_estimate
from godaemon.games.model import Game, Phase, Remark
from godaemon.records.printable import printable
from godaemon.rules import scoring
from godaemon.rules.points import Color
from gtp import argument_readers as read
from gtp.argument_readers import SYNTAX_ERROR, format_chains, format_vertex
from gtp.client.syntax import Arguments
from gtp.seat import sentences
from gtp.seat.commands.play import SEAT_COMMANDS
from gtp.seat.cursor import (
    NEVER,
    Act,
    ActEffect,
    Answer,
    AskEstimate,
    Release,
    SeatDecision,
    SeatState,
)

LOOK_FIRST = "look at the marks as they are now before you say done: godaemon-status shows them"
RESUMED = "the game has been played on since you looked: godaemon-status shows it as it is now"
ELSEWHERE = "first follow the record to its end, where it is your turn"
MAX_WORDS = 4000
"""The limit on the characters of a message."""
MAX_MESSAGES_PER_MOVE = 10
"""The limit on a player's messages before the next move."""
_EXTENTS = {extent.value: extent for extent in cmd.Extent}


@SEAT_COMMANDS.command("final_score")
def final_score(seat: SeatState) -> SeatDecision:
    """The game's result or, during scoring, its count by the current marks (6.3.5).

    This and all other commands of the counting first release a pending pass that ends play.

    Fails: `cannot score` during play, and if the game has no result.
    Returns: W+ or B+ and the points, R or T, or 0 for a tie.
    """
    game = seat.view.game
    if pending := ending_pass(seat):
        return pending
    if game.phase is Phase.SCORING:
        return seat.answer_with_marks(game.score().result)
    if game.result == "Void":
        raise Refusal(f"cannot score: over, {sentences.result_of(game)}")
    if game.phase is not Phase.FINISHED or game.result is None:
        raise Refusal("cannot score")
    return seat.answer_with_marks(game.result)


@SEAT_COMMANDS.command("estimate_score")
def estimate_score(seat: SeatState) -> SeatDecision:
    """An estimate of the score during play (GNU Go's); later the count.

    The opponent is told of it.

    Fails: like `score` in emails, unless the game allows estimates or a program plays; if our
        player gives no answer; as `final_score`.
    """
    if not seat.view.playing:
        return final_score(seat)
    check_estimate(seat.view.game, seat.view.color)
    return AskEstimate(seat.view.game.revisions)


@SEAT_COMMANDS.command("final_status_list", read.status)
def final_status_list(seat: SeatState, wanted: scoring.Status) -> SeatDecision:
    """The stones of a status by the players' marks (6.3.5).

    Until somebody marks stones, no stone is dead here, nor in `final_score`: `godaemon-done` agrees
    to what these commands show. The dead stones that an email proposes are only a proposal.

    Arguments: alive, seki or dead: each stone has one status.
    Returns: one chain per line.
    """
    game = seat.view.game
    if pending := ending_pass(seat):
        return pending
    chosen = scoring.stones_of_status(game.position.board, game.dead, wanted)
    return seat.answer_with_marks(format_chains(scoring.chains(game.position.board, chosen)))


@SEAT_COMMANDS.command("godaemon-dead", read.words, dead=True)
@SEAT_COMMANDS.command("godaemon-alive", read.words, dead=False)
def mark(seat: SeatState, arguments: Arguments, *, dead: bool) -> Act | Release:
    """Mark groups dead, or alive again, during the counting, as emails do.

    Arguments: vertices of stones; then optionally `only` for the single chain at each, `joined` for
        the chains that cannot be separated from it, or `all` to leave the colour without live
        stones.
    Fails: with the reason and the choices.
    Returns: the chains whose marks have changed, one per line.
    Example: `godaemon-dead D4` -> `= D4 D5`
    """
    extent = _EXTENTS.get(arguments[-1].lower() if arguments else "")
    stones = read.vertices(arguments if extent is None else arguments[:-1])
    points = tuple(point for point in stones if point is not None)
    if not points or len(points) < len(stones):
        raise Unreadable(SYNTAX_ERROR)
    if pending := ending_pass(seat):
        return pending
    seen = seat.view.game.revisions
    if seat.view.game.phase is Phase.SCORING and seat.cursor.marks_seen:
        seen = seat.cursor.marks_seen
    command = cmd.Mark(points, dead=dead, extent=extent or cmd.Extent.GROUP)
    return Act(command, seen, _changed_chains, RESUMED)


def _changed_chains(outcome: ActEffect) -> str:
    board = outcome.after.position.board
    stones = outcome.before.dead ^ outcome.after.dead
    return format_chains(scoring.chains(board, stones))


@SEAT_COMMANDS.command("godaemon-done")
def done(seat: SeatState) -> SeatDecision:
    """Agree to the marks that this session showed last.

    `godaemon-status`, `godaemon-gfx`, `showboard`, `final_status_list` and `final_score` show them.
    The seat's own marks need not be shown.

    Fails: if marks have changed since; unless the game is being counted.
    Returns: who has said done, or the result, for people.
    Example: `godaemon-done` -> `= black has said done, white has not`
    """
    if pending := ending_pass(seat):
        return pending
    seen = seat.cursor.marks_seen or NEVER
    if seat.view.game.phase is not Phase.SCORING:  # the refusal must name the phase
        seen = seat.view.game.revisions
    return Act(cmd.Done(), seen, sentences.done_outcome, LOOK_FIRST)


@SEAT_COMMANDS.command("godaemon-resume")
def resume(seat: SeatState) -> SeatDecision:
    """Return from counting to play; the rules decide who moves first.

    Fails: unless the game is being counted.
    Returns: the colour to move, for people.
    Example: `godaemon-resume` -> `= the game is being played again: white to move.`
    """
    return Act(cmd.Resume(), seat.view.game.revisions, sentences.resume_outcome)


@SEAT_COMMANDS.command("godaemon-pass")
def pass_(seat: SeatState) -> SeatDecision:
    """Pass without quiet seconds; `play` or `genmove` of the seat's colour then follows the pass.

    Fails: unless the controller has followed the whole record; unless it is the seat's turn; with a
        pending move.
    Returns: the state of the game, for people.
    Example: `godaemon-pass` -> `= you have passed. Game 1, move 8: being scored.`
    """
    view, pending = seat.view, seat.cursor.pending
    if pending is not None:
        raise Refusal(f"{format_vertex(pending.point)} is not sent yet: undo it first")
    mine = view.my_turn or not view.game.spec.teaching  # in a lesson one person has both colours
    allowed = not view.playing or (mine and seat.at_head)
    seen = view.game.revisions if allowed else NEVER
    return Act(cmd.Pass(), seen, sentences.pass_outcome, ELSEWHERE)


@SEAT_COMMANDS.command("godaemon-resign")
def resign(seat: SeatState) -> SeatDecision:
    """Resign, on either side's turn and without confirmation.

    Fails: if the game is over.
    Returns: the result, for people.
    Example: `godaemon-resign` -> `= the game is over: W+R`
    """
    return Act(cmd.Resign(), seat.view.game.revisions, sentences.end_outcome)


@SEAT_COMMANDS.command("godaemon-undo", read.optional(read.word))
def take_back(seat: SeatState, answer: str | None) -> SeatDecision:
    """Ask to take back the seat's last move, or answer the opponent's request.

    A program agrees at once, and its own answer is taken back, too. Then send as many `undo` as the
    answer says: one for each of these moves that this session has followed. A move that is not sent
    yet is taken back at once.

    Arguments: none to ask; `yes` or `no` to answer.
    Fails: if there is no such move, or the opponent has moved since; if nobody has asked.
    Returns: the state of the request, for people.
    Example: `godaemon-undo` -> `= your opponent is asked`
    """
    cursor, game = seat.cursor, seat.view.game
    answers: dict[str, cmd.Action] = {"": cmd.Undo(), "yes": cmd.Yes(), "no": cmd.No()}
    command = answers.get((answer or "").lower())
    if command is None:
        raise Unreadable(SYNTAX_ERROR)
    if not answer and cursor.pending is not None:
        unsent, next_text = format_vertex(cursor.pending.point), sentences.standing_text(game)
        text = f"{unsent} was not sent: undo, then {next_text}"
        return Answer(cursor.with_pending_lost(), text)
    if answer and game.undo_asked in {None, seat.view.color}:
        raise Refusal("your opponent does not ask to take a move back")
    return Act(command, game.revisions, partial(sentences.undo_outcome, cursor=cursor))


@SEAT_COMMANDS.command("godaemon-if", read.words)
def plan(seat: SeatState, arguments: Arguments) -> SeatDecision:
    """Plan the seat's answer to a move of the opponent; nobody else sees it.

    Arguments: vertices, alternately of the opponent and the seat (`any` is any other stone of the
        opponent); none to see the plans; `cancel` to drop them.
    Fails: on the seat's turn; if a move could not be played; if branches contradict each other.
    Returns: all plans, one pair of moves per line.
    Example: `godaemon-if D4 E5 C3 D3` -> `= if D4 then E5` and more lines
    """
    game, color = seat.view.game, seat.view.color
    moves = [one.lower() for one in arguments]
    if not moves:
        return _plans(game, color)
    command: cmd.Action = cmd.CancelIfs()
    if moves != ["cancel"]:
        if len(moves) % 2:
            raise Unreadable(SYNTAX_ERROR)
        command = cmd.If(tuple(map(_parse_planned, moves)))
    return Act(command, game.revisions, lambda effect: _plans(effect.after, color))


def _parse_planned(text: str) -> str:
    if text == planned_moves.ANY:
        return text
    point = read.vertex((text,), 0)
    return planned_moves.PASS if point is None else str(point)


def _plans(game: Game, color: Color) -> str:
    return "\n".join(planned_moves.plan_tree(game.plans.get(color, ())))


@SEAT_COMMANDS.command("godaemon-cancel", command=cmd.Withdraw())
@SEAT_COMMANDS.command("godaemon-void", command=cmd.Void())
def void(seat: SeatState, command: cmd.Action) -> SeatDecision:
    """End the game without a result, if the opponent asks for that, too.

    Until both have moved, `godaemon-cancel` ends the game at once, without agreement.

    Fails: if the game is over; once both have moved, against a program, unless the position has
        occurred twice before.
    Returns: whether the opponent still has to agree, for people.
    Example: `godaemon-void` -> `= the game ends without a result when your opponent asks too`
    """
    return Act(command, seat.view.game.revisions, sentences.end_outcome)


@SEAT_COMMANDS.command("godaemon-say", read.words)
def say(seat: SeatState, arguments: Arguments) -> SeatDecision:
    """Send words to the opponent, in an email and in the record, at the game's last move.

    Arguments: the words; a `#` ends them, because it begins a comment.
    Fails: if they are too long, or not UTF-8; after ten messages at one move, because each is an
        email; `syntax error` without words.
    Example: `godaemon-say Good game!` -> `=`
    """
    return _write(seat, cmd.Say(_parse_words(seat, arguments, seat.view.game.chat)))


@SEAT_COMMANDS.command("godaemon-note", read.words, hidden=False)
@SEAT_COMMANDS.command("godaemon-hidden", read.words, hidden=True)
def note(seat: SeatState, arguments: Arguments, *, hidden: bool) -> SeatDecision:
    """Keep a note for yourself, in your own record of the game.

    Nobody else sees it; with `godaemon-hidden` your opponent sees it after the game.

    Arguments: as for `godaemon-say`.
    Fails: as `godaemon-say`.
    Example: `godaemon-note the corner is still open` -> `=`
    """
    text = _parse_words(seat, arguments, seat.view.game.remarks)
    return _write(seat, cmd.Note(text, hidden=hidden))


def _write(seat: SeatState, command: cmd.Action) -> Act:
    return Act(command, seat.view.game.revisions, lambda _: "")


def _parse_words(seat: SeatState, arguments: Arguments, earlier: Iterable[Remark]) -> str:
    """The words of a message; raises a `Refusal`."""
    try:
        printed = tuple(printable(" ".join(arguments).encode().decode()).split())
    except UnicodeEncodeError as fault:
        raise Refusal("words must be UTF-8") from fault
    read.word(printed, 0)
    text = " ".join(printed)
    if len(text) > MAX_WORDS:
        raise Refusal(f"too many words: at most {MAX_WORDS} characters are taken at once")
    here = seat.view.color, seat.view.game.move_number
    if sum((one.color, one.move_number) == here for one in earlier) >= MAX_MESSAGES_PER_MOVE:
        raise Refusal("you have said enough at this move: say more after the next, or by email")
    return text


def ending_pass(seat: SeatState) -> Release | None:
    """The release of a pending pass that stops play; None if there is none."""
    move = seat.cursor.pending
    if move is None or move.point is not None:
        return None
    after = seat.view.game.position.copy()
    after.pass_(move.color)
    return Release(move) if after.is_stopped else None
