"""Notices: emails to be sent, and which kind each seat gets after a change of a game.

A command or an email causes at most one notice for each seat, about its most important event.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Game, Phase, Seat
from godaemon.rules.points import Color

MAX_EXPORTED = 1000
"""The limit on games in an export; the newest are exported."""


class Kind(StrEnum):
    """The kind of an email, as in its X-Godaemon-Notice header."""

    CONFIRM = "confirm"
    INVITED = "invited"
    """The proposer learns that the invitation is on its way."""
    INVITATION = "invitation"
    COUNTERED = "countered"
    """A proposal was answered with other terms."""
    STARTED = "started"
    YOUR_TURN = "your-turn"
    MOVED = "moved"
    SCORING_STARTED = "scoring-started"
    MARKS_CHANGED = "marks-changed"
    DONE = "done"
    RESUMED = "resumed"
    UNDO = "undo"
    """A player asks to take a move back, or the opponent answers."""
    NOTE = "note"
    HISTORY = "history"
    TRY = "try"
    IFS = "ifs"
    """The reader's plans; or a planned move was played."""
    VOID = "void"
    PUBLIC = "public"
    """A player asks to let others watch, or the permission has changed."""
    REMINDER = "reminder"
    AWAY = "away"
    """An automatic vacation has begun, because a player's time ran out."""
    FINISHED = "finished"
    REFUSED = "refused"
    HELP = "help"
    LEARN = "learn"
    SHOW = "show"
    DESCRIBE = "describe"
    ESTIMATE = "estimate"
    """Our opinion on which stones are dead."""
    SCORE = "score"
    """An estimate of the score."""
    REVIEW = "review"
    SGF = "sgf"
    KIFU = "kifu"
    GIF = "gif"
    GUI = "gui"
    """The key to a seat, and how a Go program uses it."""
    GAMES = "games"
    CHALLENGES = "challenges"
    PLAYERS = "players"
    WATCH = "watch"
    """A game of others, for a spectator."""
    PUBLIC_GAMES = "public-games"
    EXPORT = "export"
    CHAT = "chat"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    SETTINGS = "settings"
    UNREACHABLE = "unreachable"
    """Emails to the other player bounce."""
    BLOCKED = "blocked"
    MOVING = "moving"
    """A seat is to move to another address, or has moved."""
    FORGET = "forget"
    """The reader must confirm that they want to be forgotten, or will now be forgotten."""
    TROUBLE = "trouble"
    """Because of a bug of ours, the reader's email is in quarantine."""


@dataclass(frozen=True, slots=True)
class Notice:
    """An email to be sent: the facts from which it is composed later, none of which can change.

    An email about a game is composed from the log: it reports the events `since` to before `until`,
    and shows the game at `until`.
    """

    kind: Kind
    to: str
    by: str = ""
    """The person against whose limits it counts; "" if nobody has proven that they caused it."""
    game: int | None = None
    seat: Seat | None = None
    since: int = 0
    until: int = 0
    answers: str = ""
    """The Message-ID of the email that it answers."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Facts that only this kind needs, as JSON values."""
    our_address: str | None = None
    """The address of ours that sends it, "" for the main one; None until the outbox looks it up."""

    @classmethod
    def of(
        cls,
        kind: Kind,
        game: Game,
        seat: Seat,
        by: str = "",
        about: Mapping[str, Any] | None = None,
    ) -> "Notice":
        """A notice to the player of a seat; it shows the game as it is now."""
        to, now = game.player(seat).address, game.length
        return cls(kind, to, by, game.id, game.color_seat(seat), now, now, about=about or {})


@dataclass(frozen=True, slots=True)
class DueNotice:
    """A notice to be sent now."""

    id: int
    uid: str
    notice: Notice
    attempts: int
    """The number of earlier tries."""
    queued_at: datetime
    message_id: str | None
    letter: bytes | None
    """The composed email, stored before the first try."""


Kinds = dict[Seat, Kind]
NETWORK_SIDES = range(7, 20)
"""The board sides that our player's network supports."""


def network_supports(game: Game) -> bool:
    """True if our player's network supports a game's board."""
    return all(side in NETWORK_SIDES for side in game.spec.size)


def is_reviewable(game: Game) -> bool:
    """True if our player can review a game."""
    return game.move_number > 0 and network_supports(game)


def notice_kinds(
    after: Game, events: Sequence[ev.Event], actor: Seat, commands: Sequence[cmd.Command] = ()
) -> Kinds:
    """The kind of notice for each person's seat after the events that `actor`'s commands caused."""
    kinds = _kinds_of_events(after, events, actor, commands)
    if cmd.AskScore() in commands and after.phase is Phase.PLAYING:
        kinds = {**({} if after.spec.teaching else kinds), after.color_seat(actor): Kind.SCORE}
    if cmd.No(blocking=True) in commands:
        kinds.pop(actor, None)
    return {seat: kind for seat, kind in kinds.items() if after.player(seat).gets_email}


def _kinds_of_events(
    after: Game, events: Sequence[ev.Event], actor: Seat, commands: Sequence[cmd.Command]
) -> Kinds:
    event_types = {type(event) for event in events}
    for event_type, tell in _NOTICES_BY_EVENT:
        if event_type in event_types:
            kinds = {**tell(after, actor), **_plan_kinds(after, events)}
            private, me = _private_kind(commands), after.color_seat(actor)
            if private is not None and kinds.get(me, Kind.MOVED) is Kind.MOVED:
                kinds[me] = private
            if event_type is ev.Said:  # words beside marks that changed nothing
                kinds = {**_kinds_without_events(after, actor, commands), **kinds}
            return _one_email_each(after, kinds)
    return _kinds_without_events(after, actor, commands)


def _private_kind(commands: Sequence[cmd.Command]) -> Kind | None:
    """The kind that shows senders their plans or notes; it replaces a receipt."""
    for kinds_of, kind in ((cmd.If | cmd.CancelIfs, Kind.IFS), (cmd.Note, Kind.NOTE)):
        if any(isinstance(one, kinds_of) for one in commands):
            return kind
    return None


def _plan_kinds(after: Game, events: Sequence[ev.Event]) -> Kinds:
    """`Kind.IFS` for players whose planned moves were played, unless it is their turn."""
    if after.phase is not Phase.PLAYING:
        return {}
    movers = [event.color for event in events if isinstance(event, ev.Moved | ev.Passed)]
    planners = {Seat.named(color) for color in movers[1:]} - {_seat_to_move(after)}
    return dict.fromkeys(planners, Kind.IFS)


_COLORS, _SIDES = (Seat.BLACK, Seat.WHITE), (Seat.PROPOSER, Seat.INVITED)


def _always(kind: Kind, *seats: Seat) -> Callable[[Game, Seat], Kinds]:
    """A function for `_NOTICES_BY_EVENT` that chooses one kind for these seats."""
    return lambda _game, _actor: dict.fromkeys(seats, kind)


def _tell_withdrawal(game: Game, _actor: Seat) -> Kinds:
    """Tell the proposer, and the invited player if they know of the proposal."""
    return dict.fromkeys(_SIDES if game.confirmed else _SIDES[:1], Kind.WITHDRAWN)


def _tell_expiry(game: Game, _actor: Seat) -> Kinds:
    """Tell both; nobody if the proposal was unconfirmed, because it may be forged."""
    return dict.fromkeys(_SIDES if game.confirmed else (), Kind.EXPIRED)


def _tell_turn(game: Game, actor: Seat) -> Kinds:
    if game.phase is Phase.SCORING:
        return dict.fromkeys(_COLORS, Kind.SCORING_STARTED)
    # The turn comes last: in a teaching game both may be the same seat, and the last one counts.
    return {game.color_seat(actor): Kind.MOVED, _seat_to_move(game): Kind.YOUR_TURN}


def _tell_agreement(game: Game, _actor: Seat) -> Kinds:
    """Tell both players; nobody if a program plays, because its answer comes at once."""
    return {} if game.spec.invited.engine else dict.fromkeys(_COLORS, Kind.DONE)


def _tell_resumption(game: Game, _actor: Seat) -> Kinds:
    mover = _seat_to_move(game)
    return {mover: Kind.YOUR_TURN, mover.other: Kind.RESUMED}


def _kinds_without_events(game: Game, actor: Seat, commands: Sequence[cmd.Command]) -> Kinds:
    """The answer to commands that changed nothing."""
    command_types = {type(command) for command in commands}
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
        if command_type in command_types:
            return {game.color_seat(actor): kind}
    return {}


def _tell_reminder(game: Game, _actor: Seat) -> Kinds:
    """A reminder to the player to act; in a game without a clock, a warning to both."""
    return dict.fromkeys([Seat.of(game.clock.turn)] if game.clock else _COLORS, Kind.REMINDER)


_NOTICES_BY_EVENT: tuple[tuple[type, Callable[[Game, Seat], Kinds]], ...] = (
    (ev.Finished, _always(Kind.FINISHED, *_COLORS)),
    (ev.Unrated, _always(Kind.SHOW, *_COLORS)),
    (ev.Started, _always(Kind.STARTED, *_COLORS)),
    (ev.Countered, _always(Kind.COUNTERED, *_SIDES)),
    (ev.Declined, _always(Kind.DECLINED, *_SIDES)),
    (ev.Withdrawn, _tell_withdrawal),
    (ev.Expired, _tell_expiry),
    (ev.Confirmed, lambda *_: {Seat.INVITED: Kind.INVITATION, Seat.PROPOSER: Kind.INVITED}),
    (ev.Proposed, _always(Kind.CONFIRM, Seat.PROPOSER)),
    (ev.Placed, _tell_turn),
    (ev.Moved, _tell_turn),
    (ev.Passed, _tell_turn),
    (ev.Undone, _always(Kind.UNDO, *_COLORS)),
    (ev.UndoRefused, _always(Kind.UNDO, *_COLORS)),
    (ev.UndoAsked, _always(Kind.UNDO, *_COLORS)),
    (ev.Resumed, _tell_resumption),
    (ev.Voided, _always(Kind.VOID, *_COLORS)),
    (ev.Agreed, _tell_agreement),
    (ev.Marked, _always(Kind.MARKS_CHANGED, *_COLORS)),
    (ev.Opened, _always(Kind.PUBLIC, *_COLORS)),
    (ev.Said, lambda game, actor: {game.color_seat(actor).other: Kind.CHAT}),
    (ev.Reminded, _tell_reminder),
    (ev.Estimated, lambda *_: {}),
    (ev.Planned, lambda *_: {}),
    (ev.Noted, lambda *_: {}),
)
"""The function that chooses the notices after an event; the most important event first."""


def _seat_to_move(game: Game) -> Seat:
    return Seat.of(game.to_move or Color.BLACK)


def _one_email_each(game: Game, kinds: Kinds) -> Kinds:
    """In a teaching game keep one kind, the mover's if any: one person holds both seats."""
    if not game.spec.teaching or len(kinds) <= 1:
        return kinds
    mover = _seat_to_move(game)
    seat = mover if mover in kinds else next(iter(kinds))
    return {seat: kinds[seat]}
