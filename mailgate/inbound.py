"""What a letter comes to: parsed before the transaction, acted on and answered within it.

`read` is pure; `Clerk.handle` runs on the writer's thread in one transaction with the inbox row,
the events and the notices owed. It translates only: what a command may do is decided by
`godaemon.games`. A `Refusal` becomes a letter; anything else is our fault and is parked outside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from godaemon.errors import NotAllowed, Refusal, Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.game import digest_at
from godaemon.games.model import Game, Phase, Revisions, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.service import Caller, Games
from godaemon.games.store import Inbound, Unit
from mailgate import identity
from mailgate.language import Reading
from mailgate.language import read as read_commands
from mailgate.message import Letter, read_letter
from mailgate.policy import Standing, standing, within
from mailgate.reply import new_text

ANSWERS = (Kind.REFUSED, Kind.HELP, Kind.SHOW, Kind.SGF, Kind.GAMES, Kind.RECEIPTS)
"""What a letter without a good token can make us write; limited a day for each address."""

_DAY = timedelta(days=1)
_ACTIONS = (
    *(cmd.Play, cmd.Pass, cmd.Resign, cmd.Done, cmd.Resume, cmd.Yes, cmd.No, cmd.Withdraw),
    *(cmd.Mark, cmd.Say),
)


@dataclass(frozen=True, slots=True)
class Read:
    """A letter and what was read in it: either its commands, or why they could not be read."""

    inbound: Inbound
    letter: Letter
    reading: Reading | None
    refusal: Refusal | None = None


def read(inbound: Inbound) -> Read:
    """Take a letter apart and read its commands; raises `Unreadable` for what is no letter."""
    letter = read_letter(inbound.raw, sender=inbound.sender, recipient=inbound.recipient)
    if letter.automatic:
        return Read(inbound, letter, None)
    try:
        text = new_text(letter.text)
        reading = read_commands(text.lines, letter.subject)
    except Refusal as refusal:
        return Read(inbound, letter, None, refusal)
    return Read(inbound, letter, reading)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a letter, for the log: an event's name and what it was about."""

    event: str
    game: int | None = None
    seat: str | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Clerk:
    """Handles letters. `games` opens the games for one transaction; `key` signs our tokens."""

    key: bytes
    address: str
    games: Callable[[Unit], Games]
    nonce: Callable[[], str]
    strangers_per_sender: Callable[[], int]

    def handle(self, unit: Unit, read: Read, now: datetime) -> Outcome:
        """Do what a letter asks, once, and owe its answers."""
        letter = read.letter
        if not unit.first_time(letter.fingerprint, letter.message_id, now):
            return Outcome("repeated")
        return self._first(unit, read, now)

    def again(self, unit: Unit, read: Read, now: datetime) -> Outcome:
        """Handle a letter that was here before and could not be handled then."""
        return self._first(unit, read, now)

    def apologise(self, unit: Unit, inbound: Inbound, now: datetime) -> None:
        """Tell the sender of a parked letter that it is kept and will be looked into."""
        try:
            letter = read_letter(inbound.raw, sender=inbound.sender, recipient=inbound.recipient)
        except Unreadable:
            return
        if letter.automatic or letter.sender is None:
            return
        if self._too_many(unit, letter.sender.address, now, (Kind.TROUBLE,)):
            return
        unit.owe(Notice(Kind.TROUBLE, letter.sender.address, answers=letter.message_id), now)

    def _first(self, unit: Unit, read: Read, now: datetime) -> Outcome:
        letter = read.letter
        if letter.automatic or letter.sender is None:
            return Outcome("ignored", detail=letter.automatic or "no sender")
        desk = _Desk(self, unit, self.games(unit), read, now)
        tag = identity.token_of(letter.recipient, self.address)
        held = identity.parse_held(tag or "") or _first_of(identity.held_in(letter.references))
        if held is not None and (tag is None or identity.parse_held(tag)):
            return desk.answer_held(held)
        if tag is not None:
            return desk.with_token(identity.parse_token(tag))
        for token in identity.tokens_in(letter.references):
            if desk.seat_of(token) is not None:
                return desk.with_token(token)
        return desk.without_token()

    def _too_many(
        self, unit: Unit, address: str, now: datetime, of: tuple[Kind, ...] = ANSWERS
    ) -> bool:
        count = unit.owed_since(of, now - _DAY, to=address)
        return not within(count, self.strangers_per_sender())


def _first_of(held: tuple[identity.Held, ...]) -> identity.Held | None:
    return held[0] if held else None


@dataclass(slots=True)
class _Desk:
    """One letter being handled: the letter, the transaction and the moment at hand."""

    clerk: Clerk
    unit: Unit
    games: Games
    read: Read
    now: datetime
    sender: str = field(init=False)
    caller: Caller = field(init=False)

    def __post_init__(self) -> None:
        letter = self.read.letter
        author = letter.sender
        self.sender = author.address if author else ""
        name = author.name if author else ""
        self.caller = Caller(
            f"letter:{letter.message_id}", self.sender, name, answers=letter.message_id
        )

    # -- who speaks ----------------------------------------------------------------------------
    def seat_of(self, token: identity.Token) -> tuple[Game, Seat] | None:
        """The game and seat that a token truly speaks for; None for one we did not sign."""
        try:
            game = self.games.game(token.game)
        except Unknown:
            return None
        revisions = Revisions(token.position_rev, token.marks_rev)
        digest: str | None = game.digest
        if revisions != game.revisions:
            log = [entry.event for entry in self.unit.log(game.id)]
            digest = digest_at(game.id, log, revisions)
        if digest is None or not token.valid(self.clerk.key, game.spec.nonce, digest):
            return None
        return game, Seat(token.seat)

    def with_token(self, token: identity.Token | None) -> Outcome:
        """A letter that answers one of ours, or says so."""
        found = self.seat_of(token) if token else None
        if token is None or found is None:
            return self._bad_token(token)
        game, seat = found
        who = standing(good_token=True, known_address=game.knows(seat, self.sender))
        if who is Standing.UNKNOWN_ADDRESS:
            return self._hold(game, seat)
        return self._act(game, seat, Revisions(token.position_rev, token.marks_rev))

    def _bad_token(self, token: identity.Token | None) -> Outcome:
        """A token that is not ours gets an answer without a word about any game."""
        if self.read.letter.bulk or self.clerk._too_many(self.unit, self.sender, self.now):
            return Outcome("ignored", detail="bad token")
        refusal = NotAllowed(
            "The reply address of your letter is not one that I gave out, so I have done nothing."
            " Please answer the newest letter of the game with your mail program's reply button;"
            " the list of your games has a fresh letter for each.",
            hints=("games",),
        )
        self._refuse(refusal, None, None)
        return Outcome("bad-token", detail=str(token) if token else "")

    def _hold(self, game: Game, seat: Seat) -> Outcome:
        """A good token from an address the seat does not know waits for a yes from the seat."""
        if self.read.letter.bulk:
            return Outcome("ignored", game.id, seat.word, "by a list")
        holder = game.player(seat).address
        if self.clerk._too_many(self.unit, holder, self.now, (Kind.CONFIRM,)):
            return Outcome("ignored", game.id, seat.word, "too many to confirm")
        nonce = self.clerk.nonce()
        side = game.side(seat).word
        number = self.unit.hold(game.id, side, self.sender, self.read.inbound, nonce)
        reading = self.read.reading
        lines = [spoken.line for spoken in reading.commands] if reading else []
        about = {"held": number, "nonce": nonce, "sender": self.sender, "lines": lines}
        self._owe(Kind.CONFIRM, game, seat, to=holder, about=about, answers="")
        return Outcome("held", game.id, game.seat(seat).word)

    def answer_held(self, token: identity.Held) -> Outcome:
        """The answer to our question whether a letter from an unknown address shall count."""
        held = self.unit.held(token.held)
        if held is None or not token.valid(self.clerk.key, held.nonce):
            return self._bad_token(None)
        game = self.games.game(held.game)
        seat = Seat[held.side.upper()]
        if not game.knows(seat, self.sender):
            return self._bad_token(None)
        said = [spoken.command for spoken in self.read.reading.commands] if self.read.reading else []
        if cmd.No() in said:
            self.unit.let_go(held.id)
            return Outcome("let-go", game.id, game.seat(seat).word)
        if cmd.Yes() not in said:
            refusal = Unreadable(
                "To let the other letter count, answer yes; to throw it away, answer no.",
                hints=("yes", "no"),
            )
            self._refuse(refusal, game, seat)
            return Outcome("refused", game.id, game.seat(seat).word)
        self.unit.let_go(held.id)
        self.games.recognise(game.id, seat, held.sender, self.caller)
        return self.clerk._first(self.unit, read(held.letter), self.now)

    # -- what is asked -------------------------------------------------------------------------
    def _act(self, game: Game, seat: Seat, seen: Revisions) -> Outcome:
        """Do what a seat asks; a refusal is answered with the game as it is."""
        word = game.seat(seat).word
        try:
            reading = self._reading()
            actions = _actions(reading, game)
            queries = [spoken.command for spoken in reading.commands]
            if actions:
                result = self.games.act(game.id, seat, actions, self.caller, seen=seen)
                game = result.after
            for command in queries:
                self._ask(command, game, seat)
        except Refusal as refusal:
            self._refuse(refusal, game, seat)
            return Outcome("refused", game.id, word, refusal.detail or type(refusal).__name__)
        self._note_words_only(reading, game, seat)
        verbs = [type(spoken.command).__name__.lower() for spoken in reading.commands]
        return Outcome("accepted", game.id, word, ",".join(verbs) or "say")

    def without_token(self) -> Outcome:
        """A letter that answers nothing of ours: it acts for its sender only."""
        if self.read.letter.bulk or self.clerk._too_many(self.unit, self.sender, self.now):
            return Outcome("ignored", detail="bulk or too many")
        try:
            reading = self._reading()
            if not reading.commands:
                raise _no_game()
            for spoken in reading.commands:
                if isinstance(spoken.command, _ACTIONS):
                    raise _no_game()
            for spoken in reading.commands:
                self._ask(spoken.command, None, None)
        except Refusal as refusal:
            self._refuse(refusal, None, None)
            return Outcome("refused", detail=refusal.detail or type(refusal).__name__)
        verbs = [type(spoken.command).__name__.lower() for spoken in reading.commands]
        return Outcome("accepted", detail=",".join(verbs))

    def _reading(self) -> Reading:
        if self.read.refusal is not None:
            raise self.read.refusal
        if self.read.reading is None or not (
            self.read.reading.commands or self.read.reading.message
        ):
            raise Unreadable(
                "I found nothing to do in your letter. What you want goes on its first line,"
                " above anything quoted.",
                hints=("help",),
            )
        return self.read.reading

    def _ask(self, command: cmd.Command, game: Game | None, seat: Seat | None) -> None:
        """Answer a question, or set what only concerns its sender, or propose a game."""
        match command:
            case cmd.Propose():
                self.games.propose(command, self.caller, vouched=game is not None)
            case cmd.Help():
                self._owe(Kind.HELP, None, None)
            case cmd.Games():
                self._owe(Kind.GAMES, None, None)
            case cmd.Receipts(wanted):
                self.games.receipts(self.sender, wanted=wanted)
                self._owe(Kind.RECEIPTS, None, None, about={"wanted": wanted})
            case cmd.Sgf(number):
                self._owe(Kind.SGF, *self._which(number, game, seat))
            case cmd.Show(number, move):
                self._show(number, move, game, seat)
            case _:
                return

    def _show(
        self, number: int | None, move: int | None, game: Game | None, seat: Seat | None
    ) -> None:
        """The board; in a letter about no game, `show 34` means the game of that number."""
        if game is None and number is None:
            number, move = move, None
        shown, seat = self._which(number, game, seat)
        if move is None:
            self._owe(Kind.SHOW, shown, seat)
        else:
            past = self.games.at_move(shown.id, move)
            self._owe(Kind.SHOW, past, seat, about={"move": move})

    def _which(
        self, number: int | None, game: Game | None, seat: Seat | None
    ) -> tuple[Game, Seat]:
        """The game meant, and the sender's seat in it; raises `Unknown` for games not theirs."""
        if game is not None and seat is not None and number in {None, game.id}:
            return game, seat
        if number is None:
            raise _no_game()
        unknown = Unknown(f"You have no game {number}.", hints=("games",))
        try:
            other = self.games.game(number)
        except Unknown as fault:
            raise unknown from fault
        seats = other.seats_of(self.sender)
        if not seats or (seats[0] is Seat.INVITED and not other.confirmed):
            raise unknown
        return other, seats[0]

    # -- answers -------------------------------------------------------------------------------
    def _note_words_only(self, reading: Reading, game: Game, seat: Seat) -> None:
        """Who writes only words while it is their turn learns that no move was among them."""
        if reading.commands or game.phase is Phase.FINISHED:
            return
        if game.to_move is not None and game.to_move is game.color_of(seat):
            self._owe(Kind.SHOW, game, seat, about={"words_only": True})

    def _refuse(self, refusal: Refusal, game: Game | None, seat: Seat | None) -> None:
        reading = self.read.reading
        lines = [spoken.line for spoken in reading.commands] if reading else []
        about: dict[str, object] = {
            "reason": refusal.public,
            "hints": list(refusal.hints),
            "lines": lines,
        }
        self._owe(Kind.REFUSED, game, seat, about=about)

    def _owe(  # noqa: PLR0913 - a notice has these parts
        self,
        kind: Kind,
        game: Game | None,
        seat: Seat | None,
        *,
        to: str = "",
        about: dict[str, object] | None = None,
        answers: str | None = None,
    ) -> None:
        notice = Notice(
            kind=kind,
            to=to or self.sender,
            by=self.sender,
            game=game.id if game else None,
            seat=game.seat(seat) if game and seat else None,
            since=game.length if game else 0,
            until=game.length if game else 0,
            answers=self.read.letter.message_id if answers is None else answers,
            about=about or {},
        )
        self.unit.owe(notice, self.now)


def _actions(reading: Reading, game: Game) -> tuple[cmd.Action, ...]:
    """The commands that act on the game, with the words for the opponent as the last of them."""
    actions = tuple(
        spoken.command for spoken in reading.commands if isinstance(spoken.command, _ACTIONS)
    )
    told = game.phase is not Phase.PROPOSED or cmd.Yes() in actions
    if reading.message and (told or not reading.commands):
        proposing = game.phase is Phase.PROPOSED and not game.confirmed
        if not proposing or not actions:
            return (*actions, cmd.Say(reading.message))
    return actions


def _no_game() -> Unreadable:
    return Unreadable(
        "I cannot tell which game your letter is about. To move, answer a letter of that game;"
        " to begin one, write for example: new 9x9 vs bob@example.org",
        hints=("games", "help"),
    )
