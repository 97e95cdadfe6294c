"""The one door through which every front end acts: mail, GTP, the command line and the timer.

A `Games` lives as long as one transaction. Each method decides everything first and only then
writes, so that a `Refusal` leaves the transaction as clean as it was. Imports nothing that does
I/O: the transaction, the moment and chance come in from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from godaemon.errors import NotAllowed, Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.decisions import Draw, check_fresh, decide
from godaemon.games.game import apply, at_move, begin, replay
from godaemon.games.model import Game, Phase, Player, Revisions, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.owed import kinds
from godaemon.games.shelf import Shelf
from godaemon.games.store import Headline, Unit, Wishes
from godaemon.rules.handicap import KOMI, fixed_points
from godaemon.rules.rulesets import DEFAULT, named

RECEIPTS = 3
"""How many accepted moves of a player's life are acknowledged before they have said otherwise."""

_DAY = timedelta(days=1)
_STARTED = {Phase.PLAYING, Phase.SCORING, Phase.FINISHED}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one person may make us write to others, in a day."""

    confirmations_per_sender: int = 20
    invitations_per_sender: int = 20
    invitations_per_address: int = 5
    """Counted only where the two have never played each other."""


@dataclass(frozen=True, slots=True)
class Chance:
    """What is left to chance: nigiri, and the nonce of a new game."""

    nigiri: Draw
    nonce: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who acts, and by what: `cause` goes into the log, `answers` is the letter's Message-ID."""

    cause: str
    address: str = ""
    name: str = ""
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What a call came to: the game before and after, and the events between."""

    before: Game
    after: Game
    events: tuple[ev.Event, ...]


@dataclass(slots=True)
class Games:
    """All games, within one transaction at one moment."""

    unit: Unit
    shelf: Shelf
    now: datetime
    chance: Chance
    limits: Limits = field(default_factory=Limits)
    _latest: dict[int, Game] = field(default_factory=dict)
    """What this transaction has made of games; it is not on the shelf before COMMIT."""

    def game(self, number: int) -> Game:
        """A game as it stands; raises `Unknown`."""
        latest = self._latest.get(number)
        return latest or self.shelf.load(self.unit, number)

    def as_it_was(self, number: int, length: int) -> Game:
        """A game as it stood after so many events."""
        return replay(number, [entry.event for entry in self.unit.log(number)[:length]])

    def at_move(self, number: int, move: int) -> Game:
        """A game as it stood after so many moves and passes; raises `Unknown`."""
        game = self.game(number)
        if not 0 <= move <= game.move_number or game.black is None:
            raise Unknown(
                f"Game {number} has {game.move_number} moves so far; there is no move {move}.",
                hints=("show", f"show game {move}"),
            )
        return at_move(number, [entry.event for entry in self.unit.log(number)], move)

    def propose(self, wanted: cmd.Propose, caller: Caller, *, vouched: bool) -> Result:
        """A new game. Unless `vouched`, its proposer must say yes before anybody else is written to.

        Raises `Unreadable` or `Unknown` where there is no such game, `NotAllowed` past the limits.
        """
        event = self._proposal(wanted, caller)
        if not vouched:
            self._limit(
                (Kind.CONFIRM,),
                self.limits.confirmations_per_sender,
                "You have asked for many games today; please try again tomorrow.",
                to=caller.address,
            )
        number = self.unit.create()
        game = begin(number, event)
        events: list[ev.Event] = [event]
        if vouched:
            more = self._decide(game, Seat.PROPOSER, (cmd.Yes(),), caller)
            events += more.events
        return self._commit(None, game, tuple(events), Seat.PROPOSER, (wanted,), caller)

    def act(
        self,
        number: int,
        seat: Seat,
        commands: Sequence[cmd.Action],
        caller: Caller,
        *,
        seen: Revisions | None = None,
    ) -> Result:
        """Do what a seat asks of a game: all of the commands, or none.

        `seen` are the revisions the player's letter answers (None: they see it as it is now).
        Raises a `Refusal`, after which nothing has changed.
        """
        before = self.game(number)
        check_fresh(before, commands, seen)
        decided = self._decide(before, seat, commands, caller)
        return self._commit(before, before, decided.events, seat, commands, caller)

    def recognise(self, number: int, seat: Seat, address: str, caller: Caller) -> Result:
        """Remember that a seat's player writes from another address too."""
        before = self.game(number)
        event = ev.Recognised(before.side(seat).word, address)
        return self._commit(before, before, (event,), seat, (), caller)

    def expire(self, older_than: timedelta) -> tuple[Result, ...]:
        """End the proposals that nobody has answered for so long."""
        ended = []
        for number in self.unit.proposals_before(self.now - older_than):
            game = self.game(number)
            caller = Caller("timer")
            ended.append(
                self._commit(game, game, (ev.Expired(),), Seat.PROPOSER, (), caller)
            )
        return tuple(ended)

    def headlines(self, address: str | None = None) -> Sequence[Headline]:
        """The games of an address, or all; the newest first."""
        return self.unit.headlines(address)

    def receipts(self, address: str, *, wanted: bool) -> None:
        """Whether a player's accepted moves are acknowledged from now on."""
        self.unit.wish(address, replace(self.unit.wishes(address), receipts=wanted))

    def _proposal(self, wanted: cmd.Propose, caller: Caller) -> ev.Proposed:
        """The event of a proposal whose every part has been looked at."""
        ruleset = named(wanted.rules or DEFAULT)
        komi = wanted.komi
        if wanted.handicap:
            fixed_points(wanted.size, wanted.handicap)
        if komi is None:
            komi = KOMI if wanted.handicap else ruleset.komi
        if abs(komi) > wanted.size.points or komi * 2 != int(komi * 2):
            raise Unreadable(
                f"The komi is a number of points such as 6.5, in halves; {komi:g} is not.",
                hints=("komi 6.5", "komi 0.5"),
            )
        return ev.Proposed(
            width=wanted.size.width,
            height=wanted.size.height,
            rules=ruleset.name,
            komi=komi,
            handicap=wanted.handicap,
            color=wanted.color.word if wanted.color else None,
            proposer=caller.address,
            proposer_name=caller.name or _name(caller.address),
            invited=wanted.opponent,
            invited_name=_name(wanted.opponent),
            nonce=self.chance.nonce(),
        )

    def _decide(
        self, before: Game, seat: Seat, commands: Sequence[cmd.Action], caller: Caller
    ) -> Result:
        """The events of all commands, one after the other; raises the first one's `Refusal`."""
        game, events = before, list[ev.Event]()
        for command in commands:
            for event in decide(game, seat, command, self.chance.nigiri):
                named_event = _named(event, game, seat, caller)
                if isinstance(event, ev.Confirmed) and not game.spec.teaching:
                    self._limit_invitations(game)
                events.append(named_event)
                game = apply(game, named_event)
        return Result(before, game, tuple(events))

    def _commit(  # noqa: PLR0913 - what happened, by whom, and from where
        self,
        before: Game | None,
        start: Game,
        events: tuple[ev.Event, ...],
        actor: Seat,
        commands: Sequence[cmd.Command],
        caller: Caller,
    ) -> Result:
        """Write the events, the row for lists and the notices that they make us owe."""
        after = start
        for event in events[1:] if before is None else events:
            after = apply(after, event)
        self._latest[after.id] = after
        known = before.length if before else 0
        if events:
            entries = [ev.Entry(event, self.now, caller.cause) for event in events]
            self.unit.append(after.id, known, entries)
            self.unit.headline(_headline(after, self.now), _addresses(after))
        for seat, kind in kinds(after, events, actor, commands).items():
            self._owe(kind, after, seat, known, caller, mine=after.seat(actor) == seat)
        return Result(before or start, after, events)

    def _owe(  # noqa: PLR0913
        self, kind: Kind, game: Game, seat: Seat, since: int, caller: Caller, *, mine: bool
    ) -> None:
        to = game.player(seat).address
        about: dict[str, object] = {}
        if kind is Kind.MOVED:
            wishes = self.unit.wishes(to)
            if not _receipt_due(wishes):
                return
            self.unit.wish(to, replace(wishes, receipts_sent=wishes.receipts_sent + 1))
            about["last"] = wishes.receipts is None and wishes.receipts_sent + 1 == RECEIPTS
        notice = Notice(
            kind=kind,
            to=to,
            by=caller.address or game.spec.proposer.address,
            game=game.id,
            seat=seat,
            since=since,
            until=game.length,
            answers=caller.answers if mine else "",
            about=about,
        )
        self.unit.owe(notice, self.now)

    def _limit_invitations(self, game: Game) -> None:
        proposer, invited = game.spec.proposer.address, game.spec.invited.address
        self._limit(
            (Kind.INVITATION,),
            self.limits.invitations_per_sender,
            "You have invited many people today; please try again tomorrow.",
            by=proposer,
        )
        if not self._acquainted(proposer, invited):
            self._limit(
                (Kind.INVITATION,),
                self.limits.invitations_per_address,
                f"{game.spec.invited.name} has been invited to many games today; please try again"
                " tomorrow.",
                to=invited,
            )

    def _acquainted(self, one: str, other: str) -> bool:
        theirs = {row.id for row in self.unit.headlines(other) if row.phase in _STARTED}
        return any(row.id in theirs for row in self.unit.headlines(one))

    def _limit(
        self,
        of: Sequence[Kind],
        most: int,
        sentence: str,
        *,
        to: str | None = None,
        by: str | None = None,
    ) -> None:
        if self.unit.owed_since(of, self.now - _DAY, to=to, by=by) >= most:
            raise NotAllowed(sentence, detail=f"limit of {most} {of[0]} a day")


def _name(address: str) -> str:
    return address.partition("@")[0] or address


def _named(event: ev.Event, game: Game, seat: Seat, caller: Caller) -> ev.Event:
    """Let the invited player be called as they call themselves from their acceptance on."""
    if isinstance(event, ev.Started) and game.side(seat) is Seat.INVITED and caller.name:
        return replace(event, invited_name=caller.name)
    if isinstance(event, ev.Started) and game.spec.teaching:
        return replace(event, invited_name=game.spec.proposer.name)
    return event


def _receipt_due(wishes: Wishes) -> bool:
    if wishes.receipts is not None:
        return wishes.receipts
    return wishes.receipts_sent < RECEIPTS


def _addresses(game: Game) -> set[str]:
    known = {game.spec.proposer.address}
    if game.confirmed:
        known.add(game.spec.invited.address)
    return known.union(*game.addresses.values())


def _headline(game: Game, now: datetime) -> Headline:
    black: Player = game.black or game.spec.proposer
    white: Player = game.white or game.spec.invited
    return Headline(
        id=game.id,
        phase=game.phase,
        size=str(game.spec.size),
        rules=game.spec.rules,
        black=black.address,
        white=white.address,
        move_number=game.move_number,
        to_move=game.to_move.word if game.to_move else None,
        result=game.result,
        updated=now,
    )
