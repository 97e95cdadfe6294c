"""Words at a seat: for the opponent, for oneself, and all that was said so far. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games.model import Chat, Remark
from godaemon.records.printable import printable
from godaemon.rules.points import Color
from gtp import argument_readers
from gtp.client.syntax import Arguments
from gtp.seat import sentences
from gtp.seat.commands.table import SEAT, answer
from gtp.seat.cursor import Act, SeatCursor, SeatDecision
from gtp.seat.seat_view import SeatView

LONGEST_WORDS = 4000
"""Characters that are taken at once."""
SAID_AT_ONE_MOVE = 10
"""So often a player's words are taken before the next move."""


@SEAT.command("godaemon-say")
def say(_: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Say something to the opponent, in a letter and in the record, at the game's last move.

    Arguments: the words; a `#` would end them, as it begins a comment.
    Fails: where they are too many, or not UTF-8; after ten times at one move, as each is an email;
        `syntax error` where there are none.
    Example: `godaemon-say Good game!` -> `=`
    """
    words = _words(view, arguments, view.game.chat)
    return Act(cmd.Say(words), view.game.revisions, lambda _: "")


@SEAT.command("godaemon-note")
def note(_: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Keep a note for yourself: nobody else sees it, and your own record of the game has it.

    Arguments: as for `godaemon-say`.
    Fails: as `godaemon-say`.
    Example: `godaemon-note the corner is still open` -> `=`
    """
    words = _words(view, arguments, view.game.remarks)
    return Act(cmd.Note(words), view.game.revisions, lambda _: "")


@SEAT.command("godaemon-hidden")
def hidden(_: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Keep a note that your opponent sees too, once the game is over.

    Arguments: as for `godaemon-say`.
    Fails: as `godaemon-say`.
    Example: `godaemon-hidden I hope nobody sees C3` -> `=`
    """
    words = _words(view, arguments, view.game.remarks)
    return Act(cmd.Note(words, hidden=True), view.game.revisions, lambda _: "")


@SEAT.command("godaemon-history")
def history(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """All that was said in the game, and your own notes, for people; the moves are on the board.

    Returns: one line each, with the move after which it was said.
    Example: `godaemon-history` -> `= move 12, Bob: Good game so far!` and more lines
    """
    return answer(cursor, "\n".join(_said(view)))


def _said(view: SeatView) -> Iterator[str]:
    game = view.game
    notes = game.notes_for(view.color)
    kinds = (
        *((game.chat, ":"), (game.undone, " took back:"), (notes, " noted:")),
        (game.estimates, " asked for"),
    )
    found = [(one, verb) for said, verb in kinds for one in said]
    for one, verb in sorted(found, key=lambda each: each[0].move_number):
        who = sentences.name(game, one.color)
        yield f"move {one.move_number}, {who}{verb} {sentences.one_line(one.text)}"


def _words(view: SeatView, arguments: Arguments, said: Iterable[Chat | Remark]) -> str:
    """The words of a line; raises a `Refusal`."""
    try:
        shown = tuple(printable(" ".join(arguments).encode().decode()).split())
    except UnicodeEncodeError as fault:
        raise Refusal("words must be UTF-8") from fault
    argument_readers.word(shown, 0)
    words = " ".join(shown)
    if len(words) > LONGEST_WORDS:
        raise Refusal(f"too many words: at most {LONGEST_WORDS} characters are taken at once")
    here: tuple[Color, int] = (view.color, view.game.move_number)
    if sum((one.color, one.move_number) == here for one in said) >= SAID_AT_ONE_MOVE:
        raise Refusal("you have said enough at this move: say more after the next, or by email")
    return words
