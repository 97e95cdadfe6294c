"""What a letter comes to: acted on and answered within one transaction.

`Dispatcher.handle` runs on the writer's thread in one transaction with the inbox
row, the events and the notices owed. This module finds out who speaks; what they ask is done at
their `LetterContext`. A `Refusal` becomes a letter; anything else is our fault and is parked
outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from godaemon.errors import Unknown
from godaemon.games.model import Game, Revisions, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.ports import InboundLetter, Unit
from godaemon.games.service import GameService
from godaemon.games.state import digest_at
from godaemon.games.suspension import bounced, reached
from mailgate import tokens
from mailgate.handling.confirmations import NOT_OURS, NOT_WAITING, Confirmations
from mailgate.handling.handler import LetterContext, LetterOutcome
from mailgate.handling.parsed_letter import ParsedLetter, parse_letter
from mailgate.policy import Standing, aligned, standing, vouched
from mailgate.reading.message import Letter

__all__ = ["Dispatcher"]


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """Handles letters. `games` opens the games for one transaction; `keys` signed our tokens."""

    keys: Callable[[], Sequence[bytes]] = field(repr=False)
    address: str
    games: Callable[[Unit], GameService]
    nonce: Callable[[], str]
    strangers_per_sender: Callable[[], int]
    trusted_authserv_id: str = ""
    """The mail server whose word we take on who wrote a letter (RFC 8601); "" for none."""

    def handle(self, unit: Unit, read: ParsedLetter, now: datetime) -> LetterOutcome:
        """Do what a letter asks, once, and owe its answers."""
        if not unit.first_time(read.letter.fingerprint, read.letter.message_id, now):
            return LetterOutcome("repeated")
        return self.again(unit, read, now)

    def again(self, unit: Unit, read: ParsedLetter, now: datetime) -> LetterOutcome:
        """Handle a letter that was here before and could not be handled then."""
        letter = read.letter
        posted = tokens.posted_of(letter.recipient, self.address)
        if posted is not None and letter.automatic:
            if not self.signed(posted.valid):
                return LetterOutcome("ignored", detail="bad-token", wrong_token=True)
            return self._came_back(unit, read, posted.uid, now)
        if letter.automatic and read.returned:
            return self._came_back(unit, read, read.returned, now)
        if letter.automatic or letter.sender is None:
            return LetterOutcome("ignored", detail=letter.automatic or "no sender")
        desk = self._desk(unit, read, now)
        if desk.vouched or aligned(desk.sender, letter.envelope_sender):
            reached(desk.games, desk.sender)
        return _Door(self, desk).enter()

    def once_more(self, unit: Unit, inbound: InboundLetter, now: datetime) -> LetterOutcome:
        """Handle a letter that has waited."""
        return self.again(unit, parse_letter(inbound), now)

    def signed(self, valid: Callable[[bytes], bool]) -> bool:
        """Whether one of our keys, the present one or one that is still good, signed a token."""
        return any(valid(key) for key in self.keys())

    def _came_back(self, unit: Unit, read: ParsedLetter, uid: str, now: datetime) -> LetterOutcome:
        """A letter that names one of ours, by its envelope or inside: it may say it was refused."""
        notice, told = unit.posted(uid), read.failure
        if notice is None or told is None:
            return LetterOutcome("ignored", detail="no report of a failure")
        seat = notice.seat.word if notice.seat else None
        if not unit.came_back(uid, told.said, now):
            return LetterOutcome("repeated", notice.game, seat)
        suspended = bounced(self.games(unit), notice, told.said, hard=told.hard)
        event = "suspended" if suspended else "bounced"
        return LetterOutcome(event, notice.game, seat, f"{notice.to}: {told.said}")

    def apologise(self, unit: Unit, letter: Letter, now: datetime) -> None:
        """Tell the sender of a parked letter that it is kept and will be looked into."""
        if letter.automatic or letter.sender is None:
            return
        desk = self._desk(unit, ParsedLetter(_NO_LETTER, letter, None), now)
        answers_us = tokens.token_of(letter.recipient, self.address) is not None
        if desk.too_many(of=(Kind.TROUBLE,), most=None if answers_us else 1):
            return
        notice = Notice(Kind.TROUBLE, letter.sender.address, answers=letter.message_id)
        unit.owe(notice, now)

    def _desk(self, unit: Unit, read: ParsedLetter, now: datetime) -> LetterContext:
        return LetterContext(
            address=self.address,
            unit=unit,
            games=self.games(unit),
            read=read,
            now=now,
            limit=self.strangers_per_sender(),
            vouched=vouched(
                read.letter.authentication,
                self.trusted_authserv_id,
                read.letter.sender.address if read.letter.sender else "",
            ),
        )


_NO_LETTER = InboundLetter("", "", b"")


@dataclass(frozen=True, slots=True)
class _Door:
    """Finds out as whom a letter speaks, before anything in it is done."""

    clerk: Dispatcher
    desk: LetterContext

    def enter(self) -> LetterOutcome:
        """By the token in the address; else by the newest good one that the letter refers to.

        References and the subject serve where the address carries none: with providers that know
        no plus-addressing, and with programs that answer to some other address.
        """
        letter, ours = self.desk.read.letter, self.clerk.address
        tag = tokens.token_of(letter.recipient, ours)
        envelope = tag is not None and tokens.posted_of(letter.recipient, ours) is not None
        if tag is not None and not envelope:
            return self._speaks(tag) or self._turned_away(tag)
        if envelope and not self.desk.read.commands:
            return LetterOutcome("ignored", detail="only words, and to the address of an envelope")
        tags = tokens.tags_of(letter.references, letter.subject)
        for one in tags:
            if outcome := self._speaks(one):
                return outcome
        outcome = self.desk.without_token()
        return replace(outcome, wrong_token=bool(tags))

    def _speaks(self, tag: str) -> LetterOutcome | None:
        """What a letter with this token comes to; None where we did not sign it."""
        waiting = Confirmations(self.clerk, self.desk)
        if held := tokens.parse_held(tag):
            letter = waiting.held(held)
            return None if letter is None else waiting.answer_held(letter)
        if moving := tokens.parse_moving(tag):
            transfer = waiting.transfer(moving)
            if transfer is None:
                return None
            return waiting.answer_moving(transfer, new=moving.end == "n")
        token = tokens.parse_token(tag)
        found = self._seat_of(token) if token else None
        if token is None or found is None:
            return None
        return self._with_seat(*found, token)

    def _turned_away(self, tag: str) -> LetterOutcome:
        seat = tokens.parse_token(tag) is not None
        return self.desk.wrong_token(NOT_OURS if seat else NOT_WAITING)

    def _seat_of(self, token: tokens.Token) -> tuple[Game, Seat] | None:
        """The game and seat that a token truly speaks for; None for one we did not sign."""
        games, unit = self.desk.games, self.desk.unit
        try:
            game = games.game(token.game)
        except Unknown:
            return None
        revisions = Revisions(token.position_rev, token.marks_rev)
        digest: str | None = game.digest
        if revisions != game.revisions:
            log = [entry.event for entry in unit.log(game.id)]
            digest = digest_at(game.id, log, revisions)
        if digest is None:
            return None
        written = digest
        if not self.clerk.signed(lambda key: token.valid(key, game.spec.nonce, written)):
            return None
        return game, Seat(token.seat)

    def _with_seat(self, game: Game, seat: Seat, token: tokens.Token) -> LetterOutcome:
        """A letter that answers one of ours."""
        who = standing(good_token=True, known_address=game.knows(seat, self.desk.sender))
        if who is Standing.UNKNOWN_ADDRESS:
            return Confirmations(self.clerk, self.desk).hold(game, seat)
        desk = replace(self.desk, by=self.desk.sender)
        reached(desk.games, desk.sender)
        return desk.act(game, seat, Revisions(token.position_rev, token.marks_rev))
