"""What a letter comes to: parsed before the transaction, acted on and answered within it.

`read` is pure; `Clerk.handle` runs on the writer's thread in one transaction with the inbox row,
the events and the notices owed. This module finds out who speaks; what they ask is done at their
`Desk`. A `Refusal` becomes a letter; anything else is our fault and is parked outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from godaemon.errors import NotAllowed, Refusal, Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.game import digest_at
from godaemon.games.model import Game, Revisions, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.reach import bounced, reached
from godaemon.games.service import Games
from godaemon.games.store import Held, Inbound, Transfer, Unit
from godaemon.games.transfers import carry_over
from mailgate import identity
from mailgate.bounces import failure
from mailgate.desk import ANSWERS, Desk, Outcome, Read
from mailgate.language import read as read_commands
from mailgate.message import Letter, read_letter
from mailgate.policy import Standing, standing, vouched
from mailgate.reply import new_text

__all__ = ["ANSWERS", "Clerk", "Outcome", "Read", "read"]


def read(inbound: Inbound) -> Read:
    """Take a letter apart and read its commands; raises `Unreadable` for what is no letter."""
    letter = read_letter(inbound.raw, sender=inbound.sender, recipient=inbound.recipient)
    if letter.automatic:
        report = "+bounce-" in letter.recipient.lower()
        return Read(inbound, letter, None, failure=failure(inbound.raw) if report else None)
    lines = () if letter.obstacle else new_text(letter.text).lines
    try:
        reading = read_commands(lines, letter.subject)
    except Refusal as refusal:
        return Read(inbound, letter, None, refusal, lines)
    if letter.obstacle and not reading.commands:
        return Read(inbound, letter, None, Unreadable(letter.obstacle), lines)
    return Read(inbound, letter, reading, None, lines)


@dataclass(frozen=True, slots=True)
class Clerk:
    """Handles letters. `games` opens the games for one transaction; `keys` signed our tokens."""

    keys: Callable[[], Sequence[bytes]] = field(repr=False)
    address: str
    games: Callable[[Unit], Games]
    nonce: Callable[[], str]
    strangers_per_sender: Callable[[], int]
    trusted_authserv_id: str = ""
    """The mail server whose word we take on who wrote a letter (RFC 8601); "" for none."""

    def handle(self, unit: Unit, read: Read, now: datetime) -> Outcome:
        """Do what a letter asks, once, and owe its answers."""
        if not unit.first_time(read.letter.fingerprint, read.letter.message_id, now):
            return Outcome("repeated")
        return self.again(unit, read, now)

    def again(self, unit: Unit, read: Read, now: datetime) -> Outcome:
        """Handle a letter that was here before and could not be handled then."""
        letter = read.letter
        posted = identity.posted_of(letter.recipient, self.address)
        if posted is not None and letter.automatic:
            return self._came_back(unit, read, posted, now)
        if letter.automatic or letter.sender is None:
            return Outcome("ignored", detail=letter.automatic or "no sender")
        desk = self._desk(unit, read, now)
        reached(desk.games, desk.sender)
        return _Door(self, desk).enter()

    def signed(self, valid: Callable[[bytes], bool]) -> bool:
        """Whether one of our keys, the present one or one that is still good, signed a token."""
        return any(valid(key) for key in self.keys())

    def _came_back(self, unit: Unit, read: Read, posted: identity.Posted, now: datetime) -> Outcome:
        """A letter to the envelope's address of one of ours: it may say that ours was refused."""
        if not self.signed(posted.valid):
            return Outcome("ignored", detail="bad-token")
        notice, told = unit.posted(posted.uid), read.failure
        if notice is None or told is None:
            return Outcome("ignored", detail="no report of a failure")
        seat = notice.seat.word if notice.seat else None
        if told.hard and not unit.came_back(posted.uid, told.said, now):
            return Outcome("repeated", notice.game, seat)
        suspended = bounced(self.games(unit), notice, told.said, hard=told.hard)
        event = "suspended" if suspended else "bounced"
        return Outcome(event, notice.game, seat, f"{notice.to}: {told.said}")

    def apologise(self, unit: Unit, letter: Letter, now: datetime) -> None:
        """Tell the sender of a parked letter that it is kept and will be looked into."""
        if letter.automatic or letter.sender is None:
            return
        if self._desk(unit, Read(_NO_LETTER, letter, None), now).too_many(of=(Kind.TROUBLE,)):
            return
        notice = Notice(Kind.TROUBLE, letter.sender.address, answers=letter.message_id)
        unit.owe(notice, now)

    def _desk(self, unit: Unit, read: Read, now: datetime) -> Desk:
        return Desk(
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


_NO_LETTER = Inbound("", "", b"")


@dataclass(frozen=True, slots=True)
class _Door:
    """Finds out as whom a letter speaks, before anything in it is done."""

    clerk: Clerk
    desk: Desk

    def enter(self) -> Outcome:
        """By the token in the address; else by the newest good one that the letter refers to."""
        letter = self.desk.read.letter
        tag = identity.token_of(letter.recipient, self.clerk.address)
        if tag is not None and identity.posted_of(letter.recipient, self.clerk.address) is None:
            return self._tagged(tag)
        for reference in letter.references:
            for token in identity.tokens_in((reference,)):
                if found := self._seat_of(token):
                    return self._with_seat(*found, token)
            for held in identity.held_in((reference,)):
                if self._held(held):
                    return self._answer_held(held)
            for moving in identity.moving_in((reference,)):
                if self._transfer(moving):
                    return self._answer_moving(moving)
        return self.desk.without_token()

    def _seat_of(self, token: identity.Token) -> tuple[Game, Seat] | None:
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

    def _tagged(self, tag: str) -> Outcome:
        if held := identity.parse_held(tag):
            return self._answer_held(held)
        if moving := identity.parse_moving(tag):
            return self._answer_moving(moving)
        token = identity.parse_token(tag)
        found = self._seat_of(token) if token else None
        if token is None or found is None:
            return self._turn_away(_NOT_OURS)
        return self._with_seat(*found, token)

    def _with_seat(self, game: Game, seat: Seat, token: identity.Token) -> Outcome:
        """A letter that answers one of ours."""
        who = standing(good_token=True, known_address=game.knows(seat, self.desk.sender))
        if who is Standing.UNKNOWN_ADDRESS:
            return self._hold(game, seat)
        desk = replace(self.desk, by=self.desk.sender)
        return desk.act(game, seat, Revisions(token.position_rev, token.marks_rev))

    def _turn_away(self, why: NotAllowed) -> Outcome:
        """A token that is not ours gets an answer without a word about any game."""
        if self.desk.read.letter.bulk or self.desk.too_many(by=""):
            return Outcome("ignored", detail="bad-token")
        self.desk.refuse(why, None, None)
        return Outcome("bad-token")

    def _hold(self, game: Game, seat: Seat) -> Outcome:
        """A good token from an address the seat does not know waits for a yes from the seat."""
        desk = self.desk
        if desk.read.letter.bulk:
            return Outcome("ignored", game.id, seat.word, "by a list")
        holder = game.player(seat).address
        if desk.too_many(holder, (Kind.CONFIRM,)):
            return Outcome("ignored", game.id, seat.word, "too many to confirm")
        nonce = self.clerk.nonce()
        side = game.side(seat).word
        number = desk.unit.hold(game.id, side, desk.sender, desk.read.inbound, nonce)
        about = {
            "held": number,
            "nonce": nonce,
            "sender": desk.sender,
            "lines": [spoken.line for spoken in desk.read.spoken],
        }
        desk.owe(Kind.CONFIRM, game, seat, to=holder, about=about, answers="")
        return Outcome("held", game.id, game.seat(seat).word)

    def _held(self, token: identity.Held) -> Held | None:
        """The letter that waits for an answer to this token; None for one we did not sign."""
        held = self.desk.unit.held(token.held)
        if held is None or not self.clerk.signed(lambda key: token.valid(key, held.nonce)):
            return None
        return held

    def _transfer(self, token: identity.Moving) -> Transfer | None:
        """The seat that waits for an answer to this token; None for one we did not sign."""
        found = self.desk.unit.transfer(token.number)
        if found is None or not self.clerk.signed(lambda key: token.valid(key, found.nonce)):
            return None
        return found

    def _answer_moving(self, token: identity.Moving) -> Outcome:
        """The answer of one of the two addresses between which a seat is to move."""
        desk, found, new = self.desk, self._transfer(token), token.end == "n"
        if found is None:
            return self._turn_away(_NOT_WAITING)
        if desk.sender.casefold() != (found.new if new else found.old).casefold():
            return self._turn_away(_NOT_OURS)
        said = [spoken.command for spoken in desk.read.spoken]
        if cmd.No() in said:
            desk.unit.end_transfer(found.id)
            return Outcome("let-go", found.game)
        if cmd.Yes() not in said:
            desk.refuse(_MOVE_OR_NOT, None, None)
            return Outcome("refused", found.game, detail="neither yes nor no")
        desk.unit.agree_transfer(found.id, new=new)
        if not (found.old_agreed if new else found.new_agreed):
            return Outcome("agreed", found.game)
        desk.unit.end_transfer(found.id)
        games = carry_over(desk.games, found, desk.caller)
        about: dict[str, object] = {
            "done": True,
            "old": found.old,
            "new": found.new,
            "all": found.game is None,
            "number": found.game,
        }
        desk.owe(Kind.MOVING, None, None, to=found.old, about=about, answers="")
        return Outcome("moved", found.game, detail=f"{len(games)} games")

    def _answer_held(self, token: identity.Held) -> Outcome:
        """The answer to our question whether a letter from an unknown address shall count."""
        desk, held = self.desk, self._held(token)
        if held is None:
            return self._turn_away(_NOT_WAITING)
        game = desk.games.game(held.game)
        seat = Seat[held.side.upper()]
        if not game.knows(seat, desk.sender):
            return self._turn_away(_NOT_OURS)
        word = game.seat(seat).word
        said = [spoken.command for spoken in desk.read.spoken]
        if cmd.No() in said:
            desk.unit.let_go(held.id)
            return Outcome("let-go", game.id, word)
        if cmd.Yes() not in said:
            desk.refuse(_YES_OR_NO, game, seat)
            return Outcome("refused", game.id, word, "neither yes nor no")
        desk.unit.let_go(held.id)
        desk.games.recognise(game.id, seat, held.sender, desk.caller)
        return self.clerk.again(desk.unit, read(held.letter), desk.now)


_NOT_OURS = NotAllowed(
    "The reply address of your letter is not one that I gave out, so I have done nothing."
    " Please answer the newest letter of the game with your mail program's reply button;"
    " if you have lost it, the list of your games says how to get a fresh one.",
    hints=("games",),
)
_NOT_WAITING = NotAllowed(
    "Nothing waits for that answer any more, so I have done nothing: the letter that I asked"
    " about has been dealt with.",
    hints=("games",),
)
_MOVE_OR_NOT = Unreadable(
    "To let the games move, answer yes; to leave everything as it is, answer no.",
    hints=("yes", "no"),
)
_YES_OR_NO = Unreadable(
    "To let the other letter count, answer yes; to throw it away, answer no.", hints=("yes", "no")
)
