"""One letter in hand, once it is known who speaks: what it asks is decided, done and answered.

Runs inside the transaction. It translates only: what a command may do is decided by
`godaemon.games`. Everything a letter asks is looked at before anything is written, so that its
commands all take effect or none does; a `Refusal` becomes a letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from godaemon.errors import NotAllowed, Refusal, Unreadable
from godaemon.games.model import Game, Revisions, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.ports import Unit
from godaemon.games.service import Caller, Decision, GameService
from mailgate.address import leads_elsewhere
from mailgate.handling import line_results
from mailgate.handling.actions import actions, acts, opponent, opponent_name, possible, verbs
from mailgate.handling.parsed_letter import ParsedLetter
from mailgate.handling.queries import Answer, answers, no_game
from mailgate.handling.rate_limits import ANSWERS, LOOP, RateLimits, reason_of
from mailgate.language.parser import ParsedCommand, ParsedText, read
from mailgate.tokens import without_tags

__all__ = ["LetterContext", "LetterOutcome"]

_NO_ECHO = (Kind.REFUSED, Kind.CONFIRM, Kind.TROUBLE, Kind.MOVING)
"""Answers that have lines of their own, or say themselves what was asked."""

_TALKATIVE = "enough words for today"
_ONCE = (_TALKATIVE, "not-started")
"""What is said once a day, though the token is good: who does not heed it may be a program."""
_QUOTED = re.compile(r"“(.*)”")
_UNREPEATED = "I could not understand your letter, so I have done nothing."


@dataclass(frozen=True, slots=True)
class LetterOutcome:
    """What became of a letter, for the log: an event's name and what it was about."""

    event: str
    game: int | None = None
    seat: str | None = None
    detail: str = ""
    wrong_token: bool = False
    """Whether it came with a token that we never gave out, and with no good one."""


@dataclass(frozen=True, slots=True)
class LetterContext:
    """A letter, the transaction and the moment at hand; `limit` is a stranger's answers a day."""

    address: str
    unit: Unit
    games: GameService
    read: ParsedLetter
    now: datetime
    limit: int
    by: str = ""
    """The sender's address once a good token has shown that the letter is theirs."""
    vouched: bool = False
    """Whether a mail server that we trust says that the letter is from its From."""

    @property
    def sender(self) -> str:
        """The address of its author."""
        author = self.read.letter.sender
        return author.address if author else ""

    @property
    def restraint(self) -> RateLimits:
        """What may still be written today."""
        return RateLimits(self.games, self.now, self.limit)

    @property
    def caller(self) -> Caller:
        """As whom its commands are given."""
        letter = self.read.letter
        name = letter.sender.name if letter.sender else ""
        cause = f"letter:{letter.message_id}"
        return Caller(cause, self.sender, name, answers=letter.message_id)

    # -- what is asked -------------------------------------------------------------------------
    def act(self, game: Game, seat: Seat, seen: Revisions) -> LetterOutcome:
        """Do what a seat asks; a refusal is answered with the game as it is."""
        word = game.seat(seat).word
        try:
            reading = self._reading(game)
            line_results.check_colors(reading.commands, game, seat)
            if self._says_again(reading, game, seat):
                return LetterOutcome("ignored", game.id, word, "the same words again")
            decided, owed = self._decide(reading, game, seat, seen)
        except Refusal as refusal:
            self.refuse(refusal, game, seat, seen)
            return LetterOutcome("refused", game.id, word, refusal.detail or type(refusal).__name__)
        self.games.carry_out(decided)
        for answer in owed:
            answer()
        self._note_words_only(reading, decided.after, seat)
        return LetterOutcome("accepted", game.id, word, verbs(reading))

    def _decide(
        self, reading: ParsedText, game: Game, seat: Seat, seen: Revisions
    ) -> tuple[Decision, list[Answer]]:
        decided = self.games.decide(game.id, seat, actions(reading, game), self.caller, seen=seen)
        return decided, answers(self, reading, decided.after, seat)

    def without_token(self) -> LetterOutcome:
        """A letter that answers nothing of ours: it acts for its sender only."""
        if self.read.letter.bulk or self.too_many(by=""):
            return LetterOutcome("ignored", detail="bulk or too many")
        try:
            reading = self._reading()
            if acts(reading) or not reading.commands:
                raise no_game()
            owed = answers(self, reading, None, None)
        except Refusal as refusal:
            return self.turn_away(refusal)
        for answer in owed:
            answer()
        return LetterOutcome("accepted", detail=verbs(reading))

    def _reading(self, game: Game | None = None) -> ParsedText:
        """What the letter says; raises what kept it from being read, in points of that board."""
        if self.read.refusal is not None:
            if game is not None and self.read.lines:
                read(self.read.lines, without_tags(self.read.letter.subject), size=game.spec.size)
            raise self.read.refusal
        reading = self.read.text
        if reading is None or not (reading.commands or reading.message):
            raise Unreadable(
                "I found nothing to do in your letter. What you want goes on its first line,"
                " above anything quoted.",
                hints=("help",),
            )
        return reading

    def wrong_token(self, why: Refusal) -> LetterOutcome:
        """A token that is not ours gets an answer without a word about any game."""
        if self.read.letter.bulk or self.too_many(by=""):
            return LetterOutcome("ignored", detail="bad-token", wrong_token=True)
        outcome = self.turn_away(why, "bad-token", reason=why.detail)
        return replace(outcome, wrong_token=True)

    def _says_again(self, reading: ParsedText, game: Game, seat: Seat) -> bool:
        """Whether a letter brings nothing but words that were passed on before.

        So speaks a program that answers each of our letters with one text, whatever its headers
        say. One that varies them is stopped by their number: raises `NotAllowed`.
        """
        mine, other = game.color_of(seat), opponent(game, seat)
        if reading.commands or mine is None or other is None:
            return False
        if self.restraint.repeated(self.unit.log(game.id), mine, reading.message):
            return True
        if self.restraint.talkative(self.sender, other):
            raise NotAllowed(
                "I have brought your opponent many letters of yours without a move today; this one"
                " I have not passed on. Please try again tomorrow.",
                detail=_TALKATIVE,
            )
        return False

    # -- answers -------------------------------------------------------------------------------
    def _note_words_only(self, reading: ParsedText, game: Game, seat: Seat) -> None:
        """Who writes only words while it is their turn learns that no move was among them."""
        if reading.commands or self.too_many(most=LOOP):
            return
        if game.to_move is not None and game.to_move is game.color_of(seat):
            self.owe(Kind.SHOW, game, seat, about={"words_only": True})

    def refuse(
        self,
        refusal: Refusal,
        game: Game | None,
        seat: Seat | None,
        seen: Revisions | None = None,
    ) -> None:
        """Say why nothing was done, what would work, and of each line what became of it."""
        once = refusal.detail if refusal.detail in _ONCE else ""
        if self.too_many(most=LOOP) or (
            once and self.restraint.said(self.sender, once, by=self.by)
        ):
            return
        self._refuse(refusal, game, seat, seen, once)

    def turn_away(
        self, refusal: Refusal, event: str = "refused", reason: str = ""
    ) -> LetterOutcome:
        """Refuse a letter without a good token: once a day for one reason; few strangers."""
        detail = refusal.detail or type(refusal).__name__
        why = reason or reason_of(refusal)
        if self.restraint.said(self.sender, why):
            return LetterOutcome("ignored", detail=f"said today already: {detail}")
        letter, lines = self.read.letter, self.read.lines
        if found := self.restraint.backscatter(letter, lines, vouched=self.vouched):
            return LetterOutcome("ignored", detail=found)
        self._refuse(refusal, None, None, None, why)
        return LetterOutcome(event, detail="" if event != "refused" else detail)

    def _refuse(
        self,
        refusal: Refusal,
        game: Game | None,
        seat: Seat | None,
        seen: Revisions | None,
        why: str,
    ) -> None:
        # What may be somebody else's letter is not repeated to whom it names as its author.
        sure = bool(self.by) or self.vouched
        lines = line_results.unread(self.read.lines, refusal.public) if sure else ()
        if self.read.commands and sure:
            lines = line_results.not_done(self.read.commands, self._reason(game, seat, seen))
        plain = sure or not leads_elsewhere(" ".join(_QUOTED.findall(refusal.public)))
        about: dict[str, object] = {
            "reason": refusal.public if plain else _UNREPEATED,
            "hints": [hint for hint in refusal.hints if possible(hint, game)],
            "lines": [line for line, _ in lines],
            "results": [result for _, result in lines],
            **({"why": why} if why else {}),
        }
        self.owe(Kind.REFUSED, game, seat, about=about)

    def _reason(
        self, game: Game | None, seat: Seat | None, seen: Revisions | None
    ) -> ParsedCommand | None:
        """The command for which a letter was refused: the first without which it would not be."""
        if game is None or seat is None or seen is None:
            return None
        for count, last in enumerate(self.read.commands, start=1):
            part = ParsedText(self.read.commands[:count], "")
            try:
                line_results.check_colors(part.commands, game, seat)
                self._decide(part, game, seat, seen)
            except Refusal:
                return last
        return None

    def too_many(
        self,
        address: str = "",
        of: Iterable[Kind] = ANSWERS,
        *,
        most: int | None = None,
        by: str | None = None,
    ) -> bool:
        """Whether an address (the sender's) has been sent enough of those kinds today."""
        return self.restraint.too_many(address or self.sender, of, most=most, by=by)

    def owe(
        self,
        kind: Kind,
        game: Game | None,
        seat: Seat | None,
        *,
        to: str = "",
        about: dict[str, object] | None = None,
        answers: str | None = None,
    ) -> None:
        """Owe a letter that shows the game as it is here; to the sender, in answer to theirs."""
        notice = Notice(
            kind=kind,
            to=to or self.sender,
            by=self.by,
            game=game.id if game else None,
            seat=game.seat(seat) if game and seat else None,
            since=game.length if game else 0,
            until=game.length if game else 0,
            answers=self.read.letter.message_id if answers is None else answers,
            about={**(about or {}), **self._echo(kind, game, seat)},
        )
        self.unit.owe(notice, self.now)

    def _echo(self, kind: Kind, game: Game | None, seat: Seat | None) -> dict[str, object]:
        """What became of each line, in the answer to a letter that asked more than one thing."""
        reading = self.read.text
        if kind in _NO_ECHO or reading is None or not reading.commands:
            return {}
        lines = line_results.done(reading, opponent_name(game, seat))
        if len(lines) < 2:
            return {}
        return {"lines": [line for line, _ in lines], "results": [result for _, result in lines]}
