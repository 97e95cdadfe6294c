"""What a seat does beside moves: counting, giving up, taking back, plans and words.

Pure. Each command goes through the same door as emails do, and the opponent hears of it just so.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import planned_moves
from godaemon.games.decisions import check_estimate
from godaemon.games.model import Chat, Game, Phase, Remark
from godaemon.records.printable import printable
from godaemon.rules import scoring, turn_order
from godaemon.rules.points import Color
from gtp.argument_readers import (
    SYNTAX_ERROR,
    format_chains,
    optional,
    status,
    vertex,
    vertices,
    word,
    words,
)
from gtp.client.syntax import Arguments, Reply
from gtp.seat import sentences
from gtp.seat.cursor import NEVER
from gtp.seat.seat_decision import Act, ActEffect, Answer, AskEstimate, Release, SeatDecision
from gtp.seat.seat_state import SEAT, SeatState
from gtp.seat.seat_view import outcome

LOOK_FIRST = "look at the marks as they are now before you say done: godaemon-status shows them"
RESUMED = "the game has been played on since you looked: godaemon-status shows it as it is now"
ELSEWHERE = "first follow the record to its end, where it is your turn"
LONGEST_WORDS = 4000
"""Characters that are taken at once."""
SAID_AT_ONE_MOVE = 10
"""How often a player's words are taken before the next move."""
_EXTENTS = {extent.value: extent for extent in cmd.Extent}


@SEAT.command("final_score")
def final_score(seat: SeatState) -> SeatDecision:
    """The game's result, or its count by the marks as they are while it is being scored (6.3.5).

    A pending pass that ends the play is released first, here and for all commands of the counting.

    Fails: `cannot score` while stones are being played, and where the game has no result.
    Returns: W+ or B+ and the points, R or T, or 0 for a tie.
    """
    game = seat.view.game
    if pending := ending_pass(seat):
        return pending
    if game.phase is Phase.SCORING:
        return seat.answer_with_marks(game.score().result)
    if game.result == "Void":
        raise Refusal(f"cannot score: over, {outcome(game)}")
    if game.phase is not Phase.FINISHED or game.result is None:
        raise Refusal("cannot score")
    return seat.answer_with_marks(game.result)


@SEAT.command("estimate_score")
def estimate_score(seat: SeatState) -> SeatDecision:
    """An estimate of how the game stands (GNU Go's), while stones are being played; then its count.

    The opponent is told that it was looked at.

    Fails: as `score` in emails, where the game was not agreed on with estimates and no program
        plays; where our player gives no answer; as `final_score`.
    Returns: W+ or B+ and the points; and the bounds of what White may win by.
    Example: `estimate_score` -> `= W+3.5 (upper bound: 9.5, lower: -2.5)`
    """
    if not seat.view.playing:
        return final_score(seat)
    check_estimate(seat.view.game, seat.view.color)
    return AskEstimate(seat.view.game.revisions)


@SEAT.command("final_status_list", status)
def final_status_list(seat: SeatState, wanted: scoring.Status) -> SeatDecision:
    """The stones of a status by the players' marks (6.3.5).

    Arguments: alive, seki or dead; a stone is in one of the lists.
    Returns: one chain a line, its vertices in a row.
    """
    game = seat.view.game
    if pending := ending_pass(seat):
        return pending
    chosen = scoring.stones_of_status(game.position.board, game.dead, wanted)
    return seat.answer_with_marks(format_chains(scoring.chains(game.position.board, chosen)))


@SEAT.command("godaemon-dead", words, dead=True)
@SEAT.command("godaemon-alive", words, dead=False)
def mark(seat: SeatState, marked: Arguments, *, dead: bool) -> Act | Release:
    """Mark groups dead, or alive again, while the game is being counted, as emails do.

    Arguments: vertices of stones, and perhaps `only` for the one chain at each, `joined` for those
        that cannot be parted from it, or `all` where no live stone of the colour would be left.
    Fails: with the reason, and the choice there is.
    Returns: the chains that are marked otherwise now, one a line.
    Example: `godaemon-dead D4` -> `= D4 D5`
    """
    extent = _EXTENTS.get(marked[-1].lower() if marked else "")
    found = vertices(marked if extent is None else marked[:-1])
    points = tuple(point for point in found if point is not None)
    if not points or len(points) < len(found):
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


@SEAT.command("godaemon-done")
def done(seat: SeatState) -> SeatDecision:
    """Agree to the marks as this session last showed them.

    They are shown by `godaemon-status`, `godaemon-gfx`, `showboard`, `final_status_list` and
    `final_score`; what the seat then marks itself is known without looking again.

    Fails: where somebody has marked something since; while the game is not being counted.
    Returns: who has said done, or how the game has ended, for people.
    Example: `godaemon-done` -> `= black has said done, white has not`
    """
    if pending := ending_pass(seat):
        return pending
    seen = seat.cursor.marks_seen or NEVER
    if seat.view.game.phase is not Phase.SCORING:  # then that is what there is to say
        seen = seat.view.game.revisions
    return Act(cmd.Done(), seen, sentences.done_outcome, LOOK_FIRST)


@SEAT.command("godaemon-resume")
def resume(seat: SeatState) -> SeatDecision:
    """Take the game from counting back to playing; the rules say who moves first.

    Fails: while the game is not being counted.
    Returns: whose move it is, for people.
    Example: `godaemon-resume` -> `= the game is being played again: white to move.`
    """
    return Act(cmd.Resume(), seat.view.game.revisions, sentences.resume_outcome)


@SEAT.command("godaemon-pass")
def pass_(seat: SeatState) -> SeatDecision:
    """Pass at once, without a wait; `play` or `genmove` of one's own colour then follows it.

    Fails: where the controller has not followed the whole record; where it is not one's turn.
    Returns: how the game stands, for people.
    Example: `godaemon-pass` -> `= you have passed; the game is now being scored.`
    """
    view = seat.view
    mine = view.my_turn or not view.game.spec.teaching  # there one person has both colours
    there = not view.playing or (mine and seat.at_head)
    seen = view.game.revisions if there else NEVER
    return Act(cmd.Pass(), seen, sentences.pass_outcome, ELSEWHERE)


@SEAT.command("godaemon-resign")
def resign(seat: SeatState) -> SeatDecision:
    """Give the game up, whoever is to move: a program cannot be asked whether it means that.

    Fails: where the game is over.
    Returns: the result, for people.
    Example: `godaemon-resign` -> `= the game is over: W+R`
    """
    return Act(cmd.Resign(), seat.view.game.revisions, sentences.end_outcome)


@SEAT.command("godaemon-undo", optional(word))
def take_back(seat: SeatState, answer: str | None) -> SeatDecision:
    """Ask for the seat's last move back, once it is sent, or answer the opponent who asks.

    A program agrees at once, and its own answer goes too; as many `undo` as are told, and another
    move, may follow then. A move that is not sent yet is taken back at once.

    Arguments: none to ask; `yes` or `no` to answer.
    Fails: where there is no such move, or the opponent has moved since; where nobody asks.
    Returns: how things stand, for people.
    Example: `godaemon-undo` -> `= your opponent is asked`
    """
    cursor, game = seat.cursor, seat.view.game
    answers: dict[str, cmd.Action] = {"": cmd.Undo(), "yes": cmd.Yes(), "no": cmd.No()}
    command = answers.get((answer or "").lower())
    if command is None:
        raise Unreadable(SYNTAX_ERROR)
    if not answer and cursor.pending is not None:
        text = sentences.unsent_outcome(cursor.pending, game)
        return Answer(cursor.with_pending_lost(), Reply(ok=True, text=text))
    if answer and game.undo_asked in {None, seat.view.color}:
        raise Refusal("nobody asks you for a move back")
    return Act(command, game.revisions, partial(sentences.undo_outcome, pending=cursor.pending))


@SEAT.command("godaemon-if", words)
def plan(seat: SeatState, planned: Arguments) -> SeatDecision:
    """Plan the seat's answer for when the opponent has made a move; nobody else sees it.

    Arguments: vertices, the opponent's and one's own by turns (`any` is any stone of theirs);
        none to see what is planned; `cancel` to forget it.
    Fails: where it is the seat's turn, a move could not be played, or branches differ.
    Returns: all that is planned, one pair of moves a line.
    Example: `godaemon-if D4 E5 C3 D3` -> `= if D4 then E5` and more lines
    """
    game, color = seat.view.game, seat.view.color
    moves = [one.lower() for one in planned]
    if not moves:
        return _plans(game, color)
    command: cmd.Action = cmd.CancelIfs()
    if moves != ["cancel"]:
        if len(moves) % 2:
            raise Unreadable(SYNTAX_ERROR)
        command = cmd.If(tuple(map(_parse_planned, moves)))
    return Act(command, game.revisions, lambda done: _plans(done.after, color))


def _parse_planned(written: str) -> str:
    if written == planned_moves.ANY:
        return written
    point = vertex((written,), 0)
    return planned_moves.PASS if point is None else str(point)


def _plans(game: Game, color: Color) -> str:
    return "\n".join(planned_moves.plan_tree(game.plans.get(color, ())))


@SEAT.command("godaemon-cancel", command=cmd.Withdraw())
@SEAT.command("godaemon-void", command=cmd.Void())
def void(seat: SeatState, command: cmd.Action) -> SeatDecision:
    """End the game without a result: call it off before both have moved, or void it later.

    Fails: where the game is over; once both have moved, where the opponent is a program, unless the
        board has stood so twice before.
    Returns: whether the opponent has to agree still, for people.
    Example: `godaemon-void` -> `= the game ends without a result when your opponent asks too`
    """
    return Act(command, seat.view.game.revisions, sentences.end_outcome)


@SEAT.command("godaemon-say", words)
def say(seat: SeatState, written: Arguments) -> SeatDecision:
    """Say something to the opponent, in an email and in the record, at the game's last move.

    Arguments: the words; a `#` would end them, as it begins a comment.
    Fails: where they are too many, or not UTF-8; after ten times at one move, as each is an email;
        `syntax error` where there are none.
    Example: `godaemon-say Good game!` -> `=`
    """
    return _write(seat, cmd.Say(_parse_words(seat, written, seat.view.game.chat)))


@SEAT.command("godaemon-note", words, hidden=False)
@SEAT.command("godaemon-hidden", words, hidden=True)
def note(seat: SeatState, written: Arguments, *, hidden: bool) -> SeatDecision:
    """Keep a note for yourself, which your own record of the game has.

    Nobody else sees it; of a hidden one your opponent reads once the game is over.

    Arguments: as for `godaemon-say`.
    Fails: as `godaemon-say`.
    Example: `godaemon-note the corner is still open` -> `=`
    """
    return _write(
        seat, cmd.Note(_parse_words(seat, written, seat.view.game.remarks), hidden=hidden)
    )


def _write(seat: SeatState, command: cmd.Action) -> Act:
    return Act(command, seat.view.game.revisions, lambda _: "")


def _parse_words(seat: SeatState, written: Arguments, before: Iterable[Chat | Remark]) -> str:
    """The words of a line; raises a `Refusal`."""
    try:
        shown = tuple(printable(" ".join(written).encode().decode()).split())
    except UnicodeEncodeError as fault:
        raise Refusal("words must be UTF-8") from fault
    word(shown, 0)
    text = " ".join(shown)
    if len(text) > LONGEST_WORDS:
        raise Refusal(f"too many words: at most {LONGEST_WORDS} characters are taken at once")
    here = seat.view.color, seat.view.game.move_number
    if sum((one.color, one.move_number) == here for one in before) >= SAID_AT_ONE_MOVE:
        raise Refusal("you have said enough at this move: say more after the next, or by email")
    return text


def ending_pass(seat: SeatState) -> Release | None:
    """The release of a pending pass that would stop play: asking for the count means it."""
    move = seat.cursor.pending
    if move is None or move.point is not None:
        return None
    after = seat.view.game.position.copy()
    after.pass_(move.color)
    return Release(move) if turn_order.is_stopped(after) else None
