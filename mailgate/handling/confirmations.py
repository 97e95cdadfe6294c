"""What waits for somebody's yes: a letter from an unknown address, and a seat that is to move.

For a letter in hand at its `LetterContext`; `Dispatcher` signs and knows the keys. What is asked
was written down with a nonce, and the token that answers it is good for that alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from godaemon.errors import NotAllowed, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.model import Game, Seat
from godaemon.games.notices import Kind
from godaemon.games.ports import HeldLetter, Transfer
from godaemon.games.transfers import carry_over
from mailgate import tokens
from mailgate.handling.handler import LetterContext, LetterOutcome
from mailgate.handling.rate_limits import DAY

if TYPE_CHECKING:
    from mailgate.handling.dispatcher import Dispatcher

__all__ = ["MOST_HELD", "NOT_OURS", "NOT_WAITING", "Confirmations"]

MOST_HELD = 10
"""How many letters from one unknown address wait for one seat; more are let go."""

NOT_OURS = NotAllowed(
    "The reply address of your letter is not one that I gave out, so I have done nothing."
    " Please answer the newest letter of the game with your mail program's reply button;"
    " if you have lost it, the list of your games says how to get a fresh one.",
    hints=("games",),
    detail="bad-token",
)
NOT_WAITING = NotAllowed(
    "Nothing waits for that answer any more, so I have done nothing: the letter that I asked"
    " about has been dealt with.",
    hints=("games",),
    detail="not-waiting",
)
_MOVE_OR_NOT = Unreadable(
    "To let the games move, answer yes; to leave everything as it is, answer no.",
    hints=("yes", "no"),
)
_NOTHING_MOVES = NotAllowed(
    "No open game is left that could move, so everything is as it was.", hints=("games",)
)
_YES_OR_NO = Unreadable(
    "To let the other letter count, answer yes; to throw it away, answer no.", hints=("yes", "no")
)


class Confirmations:
    """The letter at `desk`, as far as it makes something wait or answers what does."""

    def __init__(self, clerk: Dispatcher, desk: LetterContext) -> None:
        self._clerk, self._desk = clerk, desk

    # -- letters from unknown addresses --------------------------------------------------------
    def hold(self, game: Game, seat: Seat) -> LetterOutcome:
        """A good token from an address that the seat does not know waits for a yes from the seat.

        The seat is asked once a day for each address; what comes from there meanwhile waits along.
        """
        desk, word, side = self._desk, game.seat(seat).word, game.side(seat).word
        if desk.read.letter.bulk:
            return LetterOutcome("ignored", game.id, word, "by a list")
        holder = game.player(seat).address
        waiting = desk.unit.held_from(game.id, side, desk.sender)
        asked = desk.unit.owed_about(Kind.CONFIRM, desk.now - DAY, to=holder, by="")
        asked_already = {about.get("held") for about in asked} & {held.id for held in waiting}
        enough = desk.too_many(holder, (Kind.CONFIRM,)) and not asked_already
        if enough or len(waiting) >= MOST_HELD:
            return LetterOutcome("ignored", game.id, word, "too many to confirm")
        nonce = self._clerk.nonce()
        number = desk.unit.hold(game.id, side, desk.sender, desk.read.inbound, nonce)
        about = {
            "held": number,
            "nonce": nonce,
            "sender": desk.sender,
            "lines": [spoken.line for spoken in desk.read.commands],
        }
        if not asked_already:
            desk.owe(Kind.CONFIRM, game, seat, to=holder, about=about, answers="")
        return LetterOutcome("held", game.id, word)

    def held(self, token: tokens.HeldToken) -> HeldLetter | None:
        """The letter that waits for an answer to this token; None for one we did not sign."""
        held = self._desk.unit.held(token.held)
        if held is None or not self._clerk.signed(lambda key: token.valid(key, held.nonce)):
            return None
        return held

    def answer_held(self, held: HeldLetter) -> LetterOutcome:
        """The answer to our question whether letters from an unknown address shall count."""
        desk = self._desk
        game = desk.games.game(held.game)
        seat = Seat[held.side.upper()]
        if not game.knows(seat, desk.sender):
            return desk.wrong_token(NOT_OURS)
        word = game.seat(seat).word
        said = [spoken.command for spoken in desk.read.commands]
        waiting = desk.unit.held_from(held.game, held.side, held.sender)
        if cmd.No() not in said and cmd.Yes() not in said:
            replace(desk, by=desk.sender).refuse(_YES_OR_NO, game, seat)
            return LetterOutcome("refused", game.id, word, "neither yes nor no")
        for one in waiting:
            desk.unit.let_go(one.id)
        if cmd.No() in said:
            return LetterOutcome("let-go", game.id, word)
        desk.games.recognise(game.id, seat, held.sender, desk.caller)
        outcomes = [self._clerk.once_more(desk.unit, one.letter, desk.now) for one in waiting]
        return outcomes[0]

    # -- seats that move -----------------------------------------------------------------------
    def transfer(self, token: tokens.TransferToken) -> Transfer | None:
        """The seat that waits for an answer to this token; None for one we did not sign."""
        found = self._desk.unit.transfer(token.number)
        if found is None or not self._clerk.signed(lambda key: token.valid(key, found.nonce)):
            return None
        return found

    def answer_moving(self, found: Transfer, *, new: bool) -> LetterOutcome:
        """The answer of one of the two addresses between which a seat is to move."""
        desk = self._desk
        if desk.sender.casefold() != (found.new if new else found.old).casefold():
            return desk.wrong_token(NOT_OURS)
        said = [spoken.command for spoken in desk.read.commands]
        if cmd.No() in said:
            desk.unit.end_transfer(found.id)
            return LetterOutcome("let-go", found.game)
        if cmd.Yes() not in said:
            replace(desk, by=desk.sender).refuse(_MOVE_OR_NOT, None, None)
            return LetterOutcome("refused", found.game, detail="neither yes nor no")
        desk.unit.agree_transfer(found.id, new=new)
        if not (found.old_agreed if new else found.new_agreed):
            return LetterOutcome("agreed", found.game)
        return self._move(found)

    def _move(self, found: Transfer) -> LetterOutcome:
        desk = self._desk
        desk.unit.end_transfer(found.id)
        games = carry_over(desk.games, found, desk.caller)
        if not games:
            replace(desk, by=desk.sender).refuse(_NOTHING_MOVES, None, None)
            return LetterOutcome("refused", found.game, detail="0 games")
        about: dict[str, object] = {
            "done": True,
            "old": found.old,
            "new": found.new,
            "all": found.game is None,
            "number": found.game,
        }
        desk.owe(Kind.MOVING, None, None, to=found.old, about=about, answers="")
        return LetterOutcome("moved", found.game, detail=f"{len(games)} games")
