"""What a seat does beside moves: counting with its opponent, giving up, undo and plans.

Each goes through the same door as letters do, and the opponent hears of it in the same way. Pure:
the command is only made here.
"""

from __future__ import annotations

from functools import partial

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import plans
from godaemon.games.decisions import check_estimate
from godaemon.games.model import Game, Phase
from godaemon.rules import scoring, turn_order
from godaemon.rules.points import Color, Point
from gtp import argument_readers
from gtp.client.syntax import Arguments
from gtp.seat import sentences
from gtp.seat.commands.table import SEAT, answer, counted
from gtp.seat.cursor import NEVER, Act, ActEffect, AskEstimate, Release, SeatCursor, SeatDecision
from gtp.seat.cursor_steps import at_head
from gtp.seat.seat_view import SeatView, outcome

LOOK_FIRST = "look at the marks as they are now before you say done: godaemon-status shows them"
RESUMED = "the game has been played on since you looked: godaemon-status shows it as it is now"
ELSEWHERE = "first follow the record to its end, where it is your turn"
_EXTENTS = {extent.value: extent for extent in cmd.Extent}


@SEAT.command()
def final_score(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """The game's result, or its count by the marks as they are while it is being scored (6.3.5).

    A pending pass that ends the play is released first, here and for all commands of the counting.

    Fails: `cannot score` while stones are being played, and where the game has no result.
    Returns: W+ or B+ and the points, R or T, or 0 for a tie.
    Example: `final_score` -> `= W+3.5`
    """
    game = view.game
    if pending := ending_pass(cursor, view):
        return pending
    if game.phase is Phase.SCORING:
        return counted(cursor, view, game.score().result)
    if game.result == "Void":
        raise Refusal(f"cannot score: over, {outcome(game)}")
    if game.phase is not Phase.FINISHED or game.result is None:
        raise Refusal("cannot score")
    return counted(cursor, view, game.result)


@SEAT.command()
def estimate_score(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """An estimate of how the game stands (GNU Go's), while stones are being played; then its count.

    The opponent is told that it was looked at.

    Fails: as `score` in letters, where the game was not agreed on with estimates and no program
        plays; where our player gives no answer; as `final_score`.
    Returns: W+ or B+ and the points; and the bounds of what White may win by.
    Example: `estimate_score` -> `= W+3.5 (upper bound: 9.5, lower: -2.5)`
    """
    if not view.playing:
        return final_score(cursor, view, arguments)
    check_estimate(view.game, view.color)
    return AskEstimate(view.game.revisions)


@SEAT.command()
def final_status_list(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """The stones of a status by the players' marks (6.3.5).

    Arguments: alive, seki or dead; a stone is in one of the lists.
    Fails: `syntax error`.
    Returns: one chain a line, its vertices in a row.
    Example: `final_status_list dead` -> `= C3 C4`
    """
    if pending := ending_pass(cursor, view):
        return pending
    board = view.game.position.board
    chosen = scoring.of_status(board, view.game.dead, argument_readers.status(arguments, 0))
    return counted(cursor, view, argument_readers.written_chains(scoring.chains(board, chosen)))


@SEAT.command("godaemon-dead")
def dead(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Mark groups dead while the game is being counted, as `dead` does in a letter.

    Arguments: vertices of stones, and perhaps `only` for the one chain at each, `joined` for those
        that cannot be parted from it, or `all` where no live stone of the colour would be left.
    Fails: with the reason, and the choice there is; `syntax error`.
    Returns: the chains that are marked otherwise now, one a line.
    Example: `godaemon-dead D4` -> `= D4 D5`
    """
    return mark(cursor, view, arguments, dead=True)


@SEAT.command("godaemon-alive")
def alive(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Mark groups alive again while the game is being counted, as `alive` does in a letter.

    Arguments: vertices of stones, and perhaps `only`, `joined` or `all`, as for `godaemon-dead`.
    Fails: with the reason, `syntax error`.
    Returns: the chains that are marked otherwise now, one a line.
    Example: `godaemon-alive D4` -> `= D4 D5`
    """
    return mark(cursor, view, arguments, dead=False)


@SEAT.command("godaemon-done")
def done(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """Agree to the marks as this session last showed them.

    They are shown by `godaemon-status`, `godaemon-gfx`, `showboard`, `final_status_list` and
    `final_score`; what the seat then marks itself is known without looking again.

    Fails: where somebody has marked something since; while the game is not being counted.
    Returns: who has said done, or how the game has ended, for people.
    Example: `godaemon-done` -> `= black has said done, white has not`
    """
    if pending := ending_pass(cursor, view):
        return pending
    seen = cursor.counted or NEVER
    if view.game.phase is not Phase.SCORING:  # then that is what there is to say
        seen = view.game.revisions
    return Act(cmd.Done(), seen, sentences.agreed, LOOK_FIRST)


@SEAT.command("godaemon-resume")
def resume(_: SeatCursor, view: SeatView, __: Arguments) -> SeatDecision:
    """Take the game from counting back to playing; the rules say who moves first.

    Fails: while the game is not being counted.
    Returns: whose move it is, for people.
    Example: `godaemon-resume` -> `= the game is being played again: white to move.`
    """
    return Act(cmd.Resume(), view.game.revisions, sentences.resumed)


@SEAT.command("godaemon-pass")
def pass_(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """Pass at once, without a wait; `play` or `genmove` of one's own colour then follows it.

    Fails: where the controller has not followed the whole record; where it is not one's turn.
    Returns: how the game stands, for people.
    Example: `godaemon-pass` -> `= you have passed; the game is now being scored.`
    """
    mine = view.my_turn or not view.game.spec.teaching  # there one person has both colours
    there = not view.playing or (mine and at_head(cursor, view))
    seen = view.game.revisions if there else NEVER
    return Act(cmd.Pass(), seen, sentences.passed, ELSEWHERE)


@SEAT.command("godaemon-resign")
def resign(_: SeatCursor, view: SeatView, __: Arguments) -> SeatDecision:
    """Give the game up, whoever is to move: a program cannot be asked whether it means that.

    Fails: where the game is over.
    Returns: the result, for people.
    Example: `godaemon-resign` -> `= the game is over: W+R`
    """
    return Act(cmd.Resign(), view.game.revisions, sentences.ended)


@SEAT.command("godaemon-undo")
def take_back(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Ask for the seat's last move back, once it is sent, or answer the opponent who asks.

    A program agrees at once, and its own answer goes too; as many `undo` as are told, and another
    move, may follow then. A move that is not sent yet is taken back at once.

    Arguments: none to ask; `yes` or `no` to answer.
    Fails: where there is no such move, or the opponent has moved since; where nobody asks.
    Returns: how things stand, for people.
    Example: `godaemon-undo` -> `= your opponent is asked`
    """
    answers: dict[str, cmd.Action] = {"": cmd.Undo(), "yes": cmd.Yes(), "no": cmd.No()}
    command = answers.get(arguments[0].lower() if arguments else "")
    if command is None:
        raise Unreadable(argument_readers.SYNTAX_ERROR)
    if not arguments and cursor.pending is not None:
        return answer(cursor.lost(), sentences.unsent(cursor.pending, view.game))
    if arguments and view.game.undo_asked in {None, view.color}:
        raise Refusal("nobody asks you for a move back")
    return Act(command, view.game.revisions, partial(sentences.undone, pending=cursor.pending))


@SEAT.command("godaemon-if")
def plan(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Plan the seat's answer for when the opponent has made a move; nobody else sees it.

    Arguments: vertices, the opponent's and one's own by turns (`any` is any stone of theirs);
        none to see what is planned; `cancel` to forget it.
    Fails: where it is the seat's turn, a move could not be played, or branches differ.
    Returns: all that is planned, one pair of moves a line.
    Example: `godaemon-if D4 E5 C3 D3` -> `= if D4 then E5` and more lines
    """
    words = [one.lower() for one in arguments]
    if not words:
        return answer(cursor, _plans(view.game, view.color))
    command: cmd.Action = cmd.CancelIfs()
    if words != ["cancel"]:
        pairs = [plans.ANY if one == plans.ANY else _planned(one) for one in words]
        if len(pairs) % 2:
            raise Unreadable(argument_readers.SYNTAX_ERROR)
        command = cmd.If(tuple(pairs))
    return Act(command, view.game.revisions, lambda done: _plans(done.after, view.color))


def _planned(word: str) -> str:
    point = argument_readers.vertex((word,), 0)
    return plans.PASS if point is None else str(point)


def _plans(game: Game, color: Color) -> str:
    return "\n".join(plans.tree(game.plans.get(color, ())))


@SEAT.command("godaemon-cancel")
def cancel(_: SeatCursor, view: SeatView, __: Arguments) -> SeatDecision:
    """Call the game off before both players have moved; later as `godaemon-void` does.

    Fails: where the game is over; later, as `godaemon-void`.
    Returns: whether the opponent has to agree still, for people.
    Example: `godaemon-cancel` -> `= the game is over, without a result`
    """
    return Act(cmd.Withdraw(), view.game.revisions, sentences.ended)


@SEAT.command("godaemon-void")
def void(_: SeatCursor, view: SeatView, __: Arguments) -> SeatDecision:
    """End the game without a result (`void` in letters).

    Fails: where the opponent is a program, unless the board has stood so twice before.
    Returns: whether the opponent has to agree still, for people.
    Example: `godaemon-void` -> `= the game ends without a result when your opponent asks too`
    """
    return Act(cmd.Void(), view.game.revisions, sentences.ended)


def ending_pass(cursor: SeatCursor, view: SeatView) -> Release | None:
    """The release of a pending pass that would stop play: whoever asks for the count means it."""
    move = cursor.pending
    if move is None or move.point is not None:
        return None
    after = view.game.position.copy()
    after.pass_(move.color)
    return Release(move) if turn_order.stopped(after) else None


def mark(cursor: SeatCursor, view: SeatView, arguments: Arguments, *, dead: bool) -> Act | Release:
    """A mark as it was asked for; its answer lists the chains that are marked otherwise now."""
    points, extent = _marked(arguments)
    if pending := ending_pass(cursor, view):
        return pending
    seen = view.game.revisions
    if view.game.phase is Phase.SCORING and cursor.counted:
        seen = cursor.counted
    return Act(cmd.Mark(points, dead=dead, extent=extent), seen, _changed, RESUMED)


def _marked(arguments: Arguments) -> tuple[tuple[Point, ...], cmd.Extent]:
    """The points, and how far the mark reaches from them; raises `Unreadable`."""
    last = arguments[-1].lower() if arguments else ""
    extent = _EXTENTS.get(last)
    vertices = arguments if extent is None else arguments[:-1]
    found = argument_readers.vertices(vertices)
    points = tuple(point for point in found if point is not None)
    if not points or len(points) < len(found):
        raise Unreadable(argument_readers.SYNTAX_ERROR)
    return points, extent or cmd.Extent.GROUP


def _changed(outcome: ActEffect) -> str:
    board = outcome.after.position.board
    stones = outcome.before.dead ^ outcome.after.dead
    return argument_readers.written_chains(scoring.chains(board, stones))
