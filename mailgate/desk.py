"""One letter in hand, once it is known who speaks: what it asks is decided, done and answered.

Runs inside the transaction. It translates only: what a command may do is decided by
`godaemon.games`. Everything a letter asks is looked at before anything is written, so that its
commands all take effect or none does; a `Refusal` becomes a letter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from godaemon.errors import Refusal, Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.decisions import check_counting
from godaemon.games.lending import check_lending, lend
from godaemon.games.model import Game, Phase, Revisions, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.service import Caller, Decision, Games
from godaemon.games.store import Inbound, Unit
from godaemon.rules.points import parse_point
from mailgate import echo, mailboxes
from mailgate.bounces import Failure
from mailgate.language import Reading, Spoken, read
from mailgate.message import Letter
from mailgate.policy import untagged, within

ANSWERS = (Kind.REFUSED, Kind.HELP, Kind.SHOW, Kind.SGF, Kind.KIFU, Kind.GAMES, Kind.RECEIPTS)
"""What a letter without a good token can make us write; limited a day for each address."""

LOOP = 200
"""How many refusals a day end what can only be two programs that answer each other."""

_NO_ECHO = (Kind.REFUSED, Kind.CONFIRM, Kind.TROUBLE, Kind.MOVING)
"""Answers that have lines of their own, or say themselves what was asked."""

_DAY = timedelta(days=1)
_ACTIONS = (
    *(cmd.Play, cmd.Place, cmd.Pass, cmd.Resign, cmd.Done, cmd.Resume, cmd.Void),
    *(cmd.Yes, cmd.No, cmd.Withdraw, cmd.Mark, cmd.Say),
)
_Answer = Callable[[], object]
"""Writes down an answer that has been looked at: it cannot be refused any more."""


@dataclass(frozen=True, slots=True)
class Read:
    """A letter and what was read in it: either its commands, or why they could not be read."""

    inbound: Inbound
    letter: Letter
    reading: Reading | None
    refusal: Refusal | None = None
    lines: tuple[str, ...] = ()
    """The new text, as it was read."""
    failure: Failure | None = None
    """Why a letter of ours came back, where this letter says so."""

    @property
    def spoken(self) -> tuple[Spoken, ...]:
        """Its commands; none where they could not be read."""
        return self.reading.commands if self.reading else ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a letter, for the log: an event's name and what it was about."""

    event: str
    game: int | None = None
    seat: str | None = None
    detail: str = ""

    @property
    def wrong_token(self) -> bool:
        """Whether the letter came to an address that we never gave out."""
        return "bad-token" in (self.event, self.detail)


@dataclass(frozen=True, slots=True)
class Desk:
    """A letter, the transaction and the moment at hand; `limit` is a stranger's answers a day."""

    address: str
    unit: Unit
    games: Games
    read: Read
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
    def caller(self) -> Caller:
        """As whom its commands are given."""
        letter = self.read.letter
        name = letter.sender.name if letter.sender else ""
        cause = f"letter:{letter.message_id}"
        return Caller(cause, self.sender, name, answers=letter.message_id)

    # -- what is asked -------------------------------------------------------------------------
    def act(self, game: Game, seat: Seat, seen: Revisions) -> Outcome:
        """Do what a seat asks; a refusal is answered with the game as it is."""
        word = game.seat(seat).word
        try:
            reading = self._reading(game)
            echo.check_colors(reading.commands, game, seat)
            decided, answers = self._decide(reading, game, seat, seen)
        except Refusal as refusal:
            self.refuse(refusal, game, seat, seen)
            return Outcome("refused", game.id, word, refusal.detail or type(refusal).__name__)
        self.games.carry_out(decided)
        for answer in answers:
            answer()
        self._note_words_only(reading, decided.after, seat)
        return Outcome("accepted", game.id, word, _verbs(reading))

    def _decide(
        self, reading: Reading, game: Game, seat: Seat, seen: Revisions
    ) -> tuple[Decision, list[_Answer]]:
        actions = _actions(reading, game)
        decided = self.games.decide(game.id, seat, actions, self.caller, seen=seen)
        return decided, self._answers(reading, decided.after, seat)

    def without_token(self) -> Outcome:
        """A letter that answers nothing of ours: it acts for its sender only."""
        if self.read.letter.bulk or self.too_many(by=""):
            return Outcome("ignored", detail="bulk or too many")
        try:
            reading = self._reading()
            acts = any(isinstance(spoken.command, _ACTIONS) for spoken in reading.commands)
            if acts or not reading.commands:
                raise _no_game()
            answers = self._answers(reading, None, None)
        except Refusal as refusal:
            self.refuse(refusal, None, None)
            return Outcome("refused", detail=refusal.detail or type(refusal).__name__)
        for answer in answers:
            answer()
        return Outcome("accepted", detail=_verbs(reading))

    def _reading(self, game: Game | None = None) -> Reading:
        """What the letter says; raises what kept it from being read, in points of that board."""
        if self.read.refusal is not None:
            if game is not None and self.read.lines:
                read(self.read.lines, self.read.letter.subject, size=game.spec.size)
            raise self.read.refusal
        reading = self.read.reading
        if reading is None or not (reading.commands or reading.message):
            raise Unreadable(
                "I found nothing to do in your letter. What you want goes on its first line,"
                " above anything quoted.",
                hints=("help",),
            )
        return reading

    def _answers(self, reading: Reading, game: Game | None, seat: Seat | None) -> list[_Answer]:
        """The answers to all that is asked besides; raises a `Refusal` before any is given."""
        found = (self._answer(spoken.command, game, seat) for spoken in reading.commands)
        return [answer for answer in found if answer is not None]

    def _answer(self, command: cmd.Command, game: Game | None, seat: Seat | None) -> _Answer | None:
        """Answer a question, or set what only concerns its sender, or propose a game."""
        match command:
            case cmd.Propose():
                return self._propose(command, vouched=game is not None or self.vouched)
            case cmd.Help() | cmd.Games():
                kind = Kind.HELP if isinstance(command, cmd.Help) else Kind.GAMES
                about: dict[str, object] = {"engines": self.games.engines.told}
                return partial(self.owe, kind, None, None, about=about)
            case cmd.Receipts() | cmd.Block() | cmd.Unblock() | cmd.Relocate():
                return self._own(command, game, seat)
            case cmd.Show(number, move):
                return self._show(number, move, game, seat)
            case cmd.Sgf() | cmd.Kifu() | cmd.Estimate() | cmd.Gui():
                return self._of_game(command, game, seat)
            case _:
                return None

    def _own(
        self,
        command: cmd.Receipts | cmd.Block | cmd.Unblock | cmd.Relocate,
        game: Game | None,
        seat: Seat | None,
    ) -> _Answer:
        """What only concerns its sender."""
        if isinstance(command, cmd.Receipts):
            return partial(self._receipts, wanted=command.wanted)
        return mailboxes.asked(self, command, game, seat)

    def _propose(self, wanted: cmd.Propose, *, vouched: bool) -> _Answer:
        """A good token, or a mail server we trust, shows that the letter is its sender's own."""
        if untagged(wanted.opponent).casefold() == self.address.casefold():
            engines = tuple(f"new {wanted.size} vs {name}" for name in self.games.engines.names)
            raise Unknown(
                "That is my own address: I keep the board and the count, but I do not play."
                " Please name somebody to play with, or yourself to play both sides.",
                hints=("new 9x9 vs bob@example.org", *engines[:1]),
            )
        self.games.check_proposal(wanted, self.caller, vouched=vouched)
        return partial(self.games.propose, wanted, self.caller, vouched=vouched)

    def _of_game(
        self,
        command: cmd.Sgf | cmd.Kifu | cmd.Estimate | cmd.Gui,
        game: Game | None,
        seat: Seat | None,
    ) -> _Answer:
        """The record, or a key; or an opinion on dead stones, formed as its letter is written."""
        if isinstance(command, cmd.Gui):
            return self._gui(game, seat, on=command.on)
        if isinstance(command, cmd.Sgf | cmd.Kifu):
            kind = Kind.SGF if isinstance(command, cmd.Sgf) else Kind.KIFU
            return partial(self.owe, kind, *self._which(command.game, game, seat))
        asked, asker = self._which(None, game, seat)
        check_counting(asked, asker)
        return partial(self.owe, Kind.ESTIMATE, asked, asker)

    def _gui(self, game: Game | None, seat: Seat | None, *, on: bool) -> _Answer:
        """The key to a seat goes only to who answers a letter of that game."""
        if game is None or seat is None:
            raise Unreadable(
                "A Go program sits down in one game, and I cannot tell in which. Please answer a"
                " letter of that game, on its first line, with: gui",
                hints=("games",),
            )
        check_lending(game, on=on)
        return partial(self._lend, game, seat, on=on)

    def _lend(self, game: Game, seat: Seat, *, on: bool) -> None:
        lent = lend(self.games, game, seat, on=on)
        self.owe(Kind.GUI, game, seat, about={"on": on, "lent": lent if on else {}})

    def _receipts(self, *, wanted: bool) -> None:
        self.games.receipts(self.sender, wanted=wanted)
        self.owe(Kind.RECEIPTS, None, None, about={"wanted": wanted})

    def _show(
        self, number: int | None, move: int | None, game: Game | None, seat: Seat | None
    ) -> _Answer:
        """The board; in a letter about no game, `show 34` means the game of that number."""
        if game is None and number is None:
            number, move = move, None
        shown, seat = self._which(number, game, seat)
        if move is None:
            return partial(self.owe, Kind.SHOW, shown, seat)
        self.games.check_move(shown, move)
        return partial(self._show_past, shown.id, move, seat)

    def _show_past(self, number: int, move: int, seat: Seat) -> None:
        self.owe(Kind.SHOW, self.games.at_move(number, move), seat, about={"move": move})

    def _which(self, number: int | None, game: Game | None, seat: Seat | None) -> tuple[Game, Seat]:
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
        if self.too_many(most=LOOP):
            return
        lines = echo.unread(self.read.lines, refusal.public)
        if self.read.spoken:
            lines = echo.not_done(self.read.spoken, self._reason(game, seat, seen))
        about: dict[str, object] = {
            "reason": refusal.public,
            "hints": [hint for hint in refusal.hints if _possible(hint, game)],
            "lines": [line for line, _ in lines],
            "results": [result for _, result in lines],
        }
        self.owe(Kind.REFUSED, game, seat, about=about)

    def _reason(
        self, game: Game | None, seat: Seat | None, seen: Revisions | None
    ) -> Spoken | None:
        """The command for which a letter was refused: the first without which it would not be."""
        if game is None or seat is None or seen is None:
            return None
        for count, last in enumerate(self.read.spoken, start=1):
            part = Reading(self.read.spoken[:count], "")
            try:
                echo.check_colors(part.commands, game, seat)
                self._decide(part, game, seat, seen)
            except Refusal:
                return last
        return None

    def too_many(
        self,
        address: str = "",
        of: tuple[Kind, ...] = ANSWERS,
        *,
        most: int | None = None,
        by: str | None = None,
    ) -> bool:
        """Whether an address (the sender's) has been sent enough of those kinds today.

        With `by` empty only what letters without a good token made us write counts.
        """
        count = self.unit.owed_since(of, self.now - _DAY, to=address or self.sender, by=by)
        return not within(count, self.limit if most is None else most)

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
        reading = self.read.reading
        if kind in _NO_ECHO or reading is None or not reading.commands:
            return {}
        lines = echo.done(reading, _other(game, seat))
        if len(lines) < 2:
            return {}
        return {"lines": [line for line, _ in lines], "results": [result for _, result in lines]}


def _actions(reading: Reading, game: Game) -> tuple[cmd.Action, ...]:
    """The commands that act on the game, with the words for the opponent as the last of them."""
    actions = tuple(
        spoken.command for spoken in reading.commands if isinstance(spoken.command, _ACTIONS)
    )
    if game.phase is Phase.PROPOSED and cmd.No() in actions:
        return (cmd.No(reading.message),)
    if game.phase is Phase.PROPOSED and any(
        isinstance(spoken.command, cmd.Block) for spoken in reading.commands
    ):
        return (*actions, cmd.No())
    told = game.phase is not Phase.PROPOSED or cmd.Yes() in actions
    if reading.message and (told or not reading.commands):
        proposing = game.phase is Phase.PROPOSED and not game.confirmed
        if not proposing or not actions:
            return (*actions, cmd.Say(reading.message))
    return actions


def _other(game: Game | None, seat: Seat | None) -> str:
    """What the other player is called, for a result."""
    color = game.color_of(seat) if game and seat else None
    if game is None or color is None or game.spec.teaching:
        return "the record" if game and game.spec.teaching else "your opponent"
    return game.player(Seat.of(color.opponent)).name or "your opponent"


def _possible(hint: str, game: Game | None) -> bool:
    """Whether a hint could work: it names no point that this game's board does not have."""
    return game is None or all(_on_board(word, game) for word in hint.split())


def _on_board(word: str, game: Game) -> bool:
    try:
        return game.spec.size.has(parse_point(word))
    except Unreadable:
        return True


def _verbs(reading: Reading) -> str:
    """What was done, for the log."""
    verbs = [type(spoken.command).__name__.lower() for spoken in reading.commands]
    return ",".join(verbs) or "say"


def _no_game() -> Unreadable:
    return Unreadable(
        "I cannot tell which game your letter is about. To move, answer a letter of that game;"
        " to begin one, write for example: new 9x9 vs bob@example.org",
        hints=("games", "help"),
    )
