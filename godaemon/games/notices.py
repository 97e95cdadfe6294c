"""Notices: the emails that we owe, and who is sent which after a change of a game. Pure.

A command or an email makes at most one notice for each seat: the weightiest of what happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Game, Phase, Seat
from godaemon.rules.points import Color

EXPORTED = 1000
"""How many games, the newest ones, an email with all that somebody has here takes along."""


class Kind(StrEnum):
    """The kind of a letter; stands in its X-Godaemon-Notice header."""

    CONFIRM = "confirm"
    INVITED = "invited"
    """The proposer learns that the invitation is on its way."""
    INVITATION = "invitation"
    COUNTERED = "countered"
    """One player answered a proposal with other terms, for the other to answer."""
    STARTED = "started"
    YOUR_TURN = "your-turn"
    MOVED = "moved"
    SCORING_STARTED = "scoring-started"
    MARKS_CHANGED = "marks-changed"
    DONE = "done"
    RESUMED = "resumed"
    UNDO = "undo"
    """One player would take a move back; or the other has answered that."""
    NOTE = "note"
    """What the reader has noted for themselves."""
    HISTORY = "history"
    TRY = "try"
    """The board as it would be."""
    IFS = "ifs"
    """What the reader has planned; or that a move of that was played."""
    VOID = "void"
    """One player would end the game without a result."""
    PUBLIC = "public"
    """One player would let others watch; or whether they may has changed."""
    REMINDER = "reminder"
    """The reader's time is running out."""
    AWAY = "away"
    """A player's time has run out, and a vacation of theirs has begun by itself."""
    FINISHED = "finished"
    REFUSED = "refused"
    HELP = "help"
    LEARN = "learn"
    """A lesson on the rules of Go."""
    SHOW = "show"
    DESCRIBE = "describe"
    """The board in sentences."""
    ESTIMATE = "estimate"
    """Our opinion on which stones are dead, for who asked for one."""
    SCORE = "score"
    """An estimate of how a game that is played stands, for who asked for one."""
    REVIEW = "review"
    """A look back on a game that is over, for who asked for one."""
    SGF = "sgf"
    KIFU = "kifu"
    GIF = "gif"
    GUI = "gui"
    """How a Go program sits down in the game, with the key to the seat."""
    GAMES = "games"
    CHALLENGES = "challenges"
    """The open challenges that the reader may take."""
    PLAYERS = "players"
    """Those who have chosen to be on the list of players."""
    WATCH = "watch"
    """A game of others, for who watches it."""
    PUBLIC_GAMES = "public-games"
    """The games that the reader may watch."""
    EXPORT = "export"
    """All that its reader has here, attached."""
    CHAT = "chat"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    SETTINGS = "settings"
    """Which letters the reader gets from now on, and the replies that change it."""
    UNREACHABLE = "unreachable"
    """Letters to the other player come back."""
    BLOCKED = "blocked"
    """By whom the reader will not be invited from now on."""
    MOVING = "moving"
    """Whether a seat shall move to another address; or that it has."""
    FORGET = "forget"
    """Whether its reader shall be forgotten; or that they are about to be."""
    TROUBLE = "trouble"
    """Our own trouble: the letter is kept and looked into."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One letter that we owe: all that is needed to write it later, and nothing that can change.

    A letter about a game is written from the log: it tells what happened in the events from
    `since` up to (not including) `until`, and shows the game as it stood after them.
    """

    kind: Kind
    to: str
    """The address it goes to."""
    by: str = ""
    """The address of the person who has shown to have caused it, for the limits; "" for nobody."""
    game: int | None = None
    seat: Seat | None = None
    """For whom: whose view, and whose token."""
    since: int = 0
    until: int = 0
    answers: str = ""
    """The Message-ID of the letter that it answers."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What only this kind needs (JSON values): a refusal's words, a move number ..."""
    ours: str | None = None
    """The address of ours that it is from, "" the main one; None for where its reader is answered
    from (`games.email_settings`), which is known from when it is owed."""


@dataclass(frozen=True, slots=True)
class DueNotice:
    """A notice that was claimed, to be sent now."""

    id: int
    uid: str
    notice: Notice
    attempts: int
    """How many tries were made before this one."""
    owed_at: datetime
    message_id: str | None
    letter: bytes | None
    """The letter as it was written for the first try."""


Kinds = dict[Seat, Kind]
"""For each seat that is to be told something, what."""


REVIEWED = range(7, 20)
"""The sides of the boards of which our player's network knows something."""


def is_known_board(game: Game) -> bool:
    """True where our player's network can say how a game stands."""
    return all(side in REVIEWED for side in game.spec.size)


def reviewable(game: Game) -> bool:
    """True for a game on which a look back can be had once it is over."""
    return game.move_number > 0 and is_known_board(game)


def kinds(
    after: Game, events: Sequence[ev.Event], actor: Seat, commands: Sequence[cmd.Command] = ()
) -> Kinds:
    """What each seat is told of events that `actor` caused by those commands; only people are."""
    told = _told(after, events, actor, commands)
    if cmd.AskScore() in commands and after.phase is Phase.PLAYING:
        told = {**({} if after.spec.teaching else told), after.seat(actor): Kind.SCORE}
    if cmd.No(blocking=True) in commands:
        told.pop(actor, None)
    return {seat: kind for seat, kind in told.items() if after.player(seat).mailed}


def _told(
    after: Game, events: Sequence[ev.Event], actor: Seat, commands: Sequence[cmd.Command]
) -> Kinds:
    happened = {type(event) for event in events}
    for event_type, tell in _TELL:
        if event_type in happened:
            told = {**tell(after, actor), **_played_ahead(after, events)}
            kept, me = _kept(commands), after.seat(actor)
            if kept is not None and told.get(me, Kind.MOVED) is Kind.MOVED:
                told[me] = kept
            if event_type is ev.Said:  # words beside marks that changed nothing
                told = {**_unchanged(after, actor, commands), **told}
            return _one_each(after, told)
    return _unchanged(after, actor, commands)


def _kept(commands: Sequence[cmd.Command]) -> Kind | None:
    """What shows its sender what is kept of a letter, where it asks for that beside a move."""
    for kinds_of, kind in ((cmd.If | cmd.CancelIfs, Kind.IFS), (cmd.Note, Kind.NOTE)):
        if any(isinstance(one, kinds_of) for one in commands):
            return kind
    return None


def _played_ahead(after: Game, events: Sequence[ev.Event]) -> Kinds:
    """Whose planned move was played, and is not to move again, hears of it by their plan."""
    if after.phase is not Phase.PLAYING:
        return {}
    played = [event.color for event in events if isinstance(event, ev.Moved | ev.Passed)]
    ahead = {Seat[color.upper()] for color in played[1:]} - {_to_move(after)}
    return dict.fromkeys(ahead, Kind.IFS)


def _both(kind: Kind) -> Callable[[Game, Seat], Kinds]:
    return lambda _game, _actor: {Seat.BLACK: kind, Seat.WHITE: kind}


def _ended(kind: Kind) -> Callable[[Game, Seat], Kinds]:
    """A proposal has ended: its proposer is told, and who was invited if they had been."""

    def _tell(game: Game, _actor: Seat) -> Kinds:
        told = {Seat.PROPOSER: kind}
        return {**told, Seat.INVITED: kind} if game.confirmed else told

    return _tell


def _expired(game: Game, actor: Seat) -> Kinds:
    """Nobody hears of a proposal that nobody confirmed: whom it names may never have asked."""
    return _ended(Kind.EXPIRED)(game, actor) if game.confirmed else {}


def _turn(game: Game, actor: Seat) -> Kinds:
    if game.phase is Phase.SCORING:
        return {Seat.BLACK: Kind.SCORING_STARTED, Seat.WHITE: Kind.SCORING_STARTED}
    # In a teaching game both may be one seat, which must hear that it is its turn.
    return {game.seat(actor): Kind.MOVED, _to_move(game): Kind.YOUR_TURN}


def _agreed(game: Game, _actor: Seat) -> Kinds:
    """Both; but nobody while a program counts, as its opponent is about to read what it says."""
    people = game.spec.invited.engine is None
    return {Seat.BLACK: Kind.DONE, Seat.WHITE: Kind.DONE} if people else {}


def _resumed(game: Game, _actor: Seat) -> Kinds:
    mover = _to_move(game)
    return {mover: Kind.YOUR_TURN, mover.other: Kind.RESUMED}


def _unchanged(game: Game, actor: Seat, commands: Sequence[cmd.Command]) -> Kinds:
    """Marks and agreements that changed nothing are still answered to their sender."""
    asked = {type(command) for command in commands}
    for command_type, kind in (
        (cmd.AskScore, Kind.SHOW),
        (cmd.Void, Kind.VOID),
        (cmd.Withdraw, Kind.VOID),
        (cmd.Undo, Kind.UNDO),
        (cmd.Public, Kind.PUBLIC),
        (cmd.If, Kind.IFS),
        (cmd.CancelIfs, Kind.IFS),
        (cmd.Done, Kind.DONE),
        (cmd.Mark, Kind.MARKS_CHANGED),
    ):
        if command_type in asked:
            return {game.seat(actor): kind}
    return {}


def _reminded(game: Game) -> Kinds:
    """Who is awaited; or both, that a game without a clock will be closed."""
    seats = [Seat.of(game.clock.turn)] if game.clock else [Seat.BLACK, Seat.WHITE]
    return dict.fromkeys(seats, Kind.REMINDER)


_TELL: tuple[tuple[type, Callable[[Game, Seat], Kinds]], ...] = (
    (ev.Finished, _both(Kind.FINISHED)),
    (ev.Unrated, _both(Kind.SHOW)),
    (ev.Started, _both(Kind.STARTED)),
    (ev.Countered, lambda *_: dict.fromkeys((Seat.PROPOSER, Seat.INVITED), Kind.COUNTERED)),
    (ev.Declined, lambda *_: {Seat.PROPOSER: Kind.DECLINED, Seat.INVITED: Kind.DECLINED}),
    (ev.Withdrawn, _ended(Kind.WITHDRAWN)),
    (ev.Expired, _expired),
    (ev.Confirmed, lambda *_: {Seat.INVITED: Kind.INVITATION, Seat.PROPOSER: Kind.INVITED}),
    (ev.Proposed, lambda *_: {Seat.PROPOSER: Kind.CONFIRM}),
    (ev.Placed, _turn),
    (ev.Moved, _turn),
    (ev.Passed, _turn),
    (ev.Undone, _both(Kind.UNDO)),
    (ev.UndoRefused, _both(Kind.UNDO)),
    (ev.UndoAsked, _both(Kind.UNDO)),
    (ev.Resumed, _resumed),
    (ev.Voided, _both(Kind.VOID)),
    (ev.Agreed, _agreed),
    (ev.Marked, _both(Kind.MARKS_CHANGED)),
    (ev.Opened, _both(Kind.PUBLIC)),
    (ev.Said, lambda game, actor: {game.seat(actor).other: Kind.CHAT}),
    (ev.Reminded, lambda game, _: _reminded(game)),
    (ev.Estimated, lambda *_: {}),
    (ev.Planned, lambda *_: {}),
    (ev.Noted, lambda *_: {}),
)
"""The events, the weightiest first, and who is told what."""


def _to_move(game: Game) -> Seat:
    return Seat.of(game.to_move or Color.BLACK)


def _one_each(game: Game, told: Kinds) -> Kinds:
    """In a teaching game both seats are one person, who gets one letter: the mover's, if any."""
    if not game.spec.teaching or len(told) <= 1:
        return told
    mover = _to_move(game)
    seat = mover if mover in told else next(iter(told))
    return {seat: told[seat]}
