"""Events: all that can happen to a game, the append-only log's entries, and their written form.

Events hold plain values only (points as text, colours as words), so that what was written years
ago is read by the same few lines; `VERSION` goes into every stored row. Pure; `decode` raises
`Corrupt`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any, get_args

from godaemon.errors import Corrupt
from godaemon.texts.catalogue import told

VERSION = 1
"""The schema version of the events below."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A game was asked for; the first event of every log."""

    width: int
    height: int
    rules: str
    komi: float
    handicap: int
    color: str | None
    proposer: str
    proposer_name: str
    invited: str
    invited_name: str
    nonce: str
    free: bool = field(default=False, metadata={"later": True})
    """Whether Black places the handicap stones, where they like, before White's first move."""
    words: str = field(default="", metadata={"later": True})
    """The proposer's, for the other player to read once they have accepted."""
    opening: tuple[tuple[str, ...], ...] = field(default=(), metadata={"later": True})
    """The position that the game begins from, as `opening.Opening.words` has it."""
    time: str = field(default="", metadata={"later": True})
    """As `game_clock.TimeSettings` writes it; "" for a game without clocks."""
    named: bool = field(default=False, metadata={"later": True})
    """Whether the proposer named the other player, so that neither is told the other's address."""
    was: str = field(default="", metadata={"later": True})
    """The game's digest after this, where a player has been forgotten since: what tokens answer for
    stays. It is the same in the events below."""
    rank: str = field(default="", metadata={"later": True})
    """Who may take an open challenge, from one rank to another: `8k-5k`; "" for anybody."""
    rated: bool = field(default=False, metadata={"later": True})
    """Whether its result counts for the ratings of both."""
    estimates: bool = field(default=False, metadata={"later": True})
    """Whether both players may look at estimates of the score, and are told when the other does."""
    public: bool = field(default=False, metadata={"later": True})
    """Whether others may watch it from the start."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The proposer answered for the proposal."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Somebody took an open challenge: they are who was invited."""

    address: str
    name: str
    was: str = field(default="", metadata={"later": True})


@dataclass(frozen=True, slots=True)
class Started:
    """The invitation was accepted and the colours are settled."""

    black: str
    """Who has black: "proposer" or "invited"."""
    invited_name: str
    was: str = field(default="", metadata={"later": True})
    ranks: tuple[str, ...] = field(default=(), metadata={"later": True})
    """The proposer's and the invited's, as they said then; "" where one has not."""
    former: tuple[float, ...] = field(default=(), metadata={"later": True})
    """The rating and its deviation that the one had who was forgotten since, when a rated game
    ended: that of the other is computed from it."""


@dataclass(frozen=True, slots=True)
class Declined:
    """One of the two said no to the other's terms, perhaps with words for them."""

    words: str = ""
    side: str = field(default="invited", metadata={"later": True})
    was: str = field(default="", metadata={"later": True})


@dataclass(frozen=True, slots=True)
class Countered:
    """A side ("proposer" or "invited") answered with other terms, which the other is to answer."""

    side: str
    terms: str
    """The proposal as it stands now, as `encode` writes it."""
    words: str = ""
    was: str = field(default="", metadata={"later": True})


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The proposer took the proposal back."""


@dataclass(frozen=True, slots=True)
class Expired:
    """Nobody answered in time."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A stone was played."""

    color: str
    point: str


@dataclass(frozen=True, slots=True)
class Placed:
    """Black placed the handicap stones."""

    stones: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """A player passed."""

    color: str


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """A player would take their last move back, and the other is asked."""

    color: str


@dataclass(frozen=True, slots=True)
class UndoRefused:
    """A player lets the other's last move stand."""

    color: str


@dataclass(frozen=True, slots=True)
class Undone:
    """Moves were taken back at the wish of `color`: `moves` in their order, the last one last.

    Without any it was the handicap stones.
    """

    color: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Planned:
    """The moves that a player would have made for them, all of them (`plans`); theirs alone."""

    color: str
    lines: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Estimated:
    """A player looked at an estimate of the score."""

    color: str


@dataclass(frozen=True, slots=True)
class Marked:
    """Stones were marked dead, or alive again."""

    color: str
    stones: tuple[str, ...]
    dead: bool


@dataclass(frozen=True, slots=True)
class Agreed:
    """A player said done to this board (seven-state rows joined by "/")."""

    color: str
    board: str


@dataclass(frozen=True, slots=True)
class Disagreed:
    """Both said done to different boards: a fault of ours; both are cleared."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The game went back from scoring to playing at the wish of `color`."""

    color: str
    to_move: str


@dataclass(frozen=True, slots=True)
class Voided:
    """A player offers to end the game without a result; or (not `wanted`) declines that."""

    color: str
    wanted: bool = field(default=True, metadata={"later": True})


@dataclass(frozen=True, slots=True)
class Opened:
    """A player would let others watch; or would not (any more), so that nobody may."""

    color: str
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player gave the game up."""

    color: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The game ended; `black` and `white` are the counted points where it was counted."""

    result: str
    black: float | None = None
    white: float | None = None
    why: str = field(default="", metadata={"later": True})
    """What ended it, where neither the count nor a player's word did: "time", "cancelled" by it
    before both had moved, "called off" by a player then, "adjudicated", or "abandoned" by both."""


@dataclass(frozen=True, slots=True)
class Unrated:
    """The operator decided that the game does not count for ratings."""


@dataclass(frozen=True, slots=True)
class Handed:
    """A player has been told that they are awaited, so that their clock runs: a letter went out."""

    to: str


@dataclass(frozen=True, slots=True)
class Reminded:
    """A player was reminded that their time runs out, so many times in this turn.

    Or both were, that a game without a clock will be closed, as who is awaited does nothing.
    """

    to: str
    """Their colour; "" for both."""
    number: int


@dataclass(frozen=True, slots=True)
class Credited:
    """Who is awaited is given time back: nobody could have taken their answer meanwhile."""

    to: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Paused:
    """From now on a player's clock stands at other times than before; at none: they are back."""

    to: str
    until: str = ""
    """Until when (ISO 8601) they are away, of old; what follows says more."""
    away: tuple[tuple[str, str], ...] = field(default=(), metadata={"later": True})
    """Their vacations in this game, from when until when each is."""
    weekends: str = field(default="", metadata={"later": True})
    """The time zone whose weekends are off."""


@dataclass(frozen=True, slots=True)
class Said:
    """Words for the opponent."""

    color: str
    text: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Words that a player keeps: for themselves, or (`hidden`) for both once the game is over."""

    color: str
    text: str
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Recognised:
    """A side ("proposer" or "invited") answered for another address of theirs."""

    side: str
    address: str


@dataclass(frozen=True, slots=True)
class Transferred:
    """A side ("proposer" or "invited") is played from another address from now on."""

    side: str
    address: str


Event = (
    (Proposed | Confirmed | Taken | Started | Declined | Countered | Withdrawn | Expired)
    | (Placed | Moved | Passed | UndoAsked | UndoRefused | Undone | Planned | Estimated)
    | (Marked | Agreed | Disagreed | Resumed | Voided | Opened | Resigned | Finished)
    | (Unrated | Handed | Reminded | Credited | Paused)
    | (Said | Noted | Recognised | Transferred)
)

_BY_NAME: dict[str, type[Any]] = {cls.__name__.lower(): cls for cls in get_args(Event)}
_FIELDS = {cls: frozenset(each.name for each in fields(cls)) for cls in _BY_NAME.values()}
"""The names of what a kind of event says."""
_LATER = {
    cls: [(each.name, each.default) for each in fields(cls) if each.metadata.get("later")]
    for cls in _BY_NAME.values()
}
"""What of that was added later, and its defaults."""


CLOCK = (Handed, Reminded, Credited, Paused)
"""What happens to clocks only: nothing that a player did."""
COUNTED = (Proposed, Taken, Started, Declined, Countered)
"""What counts in a game's digest and names its players, or has words of theirs."""
PRIVATE = (Planned, Noted)
"""What nobody but its player may see, or notice."""
QUIET = (*CLOCK, *PRIVATE, Estimated)
"""What the other player does not hear of by a letter of its own."""


def name(event: Event) -> str:
    """The event's name as it is stored and logged: "moved", "passed" ..."""
    return type(event).__name__.lower()


def encode(event: Event) -> str:
    """The event's values as JSON with sorted keys: always the same text for the same event.

    What was added to a kind of event later is left out where it has its default, so that the
    digests of older games, which tokens answer for, stay what they were.
    """
    values = {name: getattr(event, name) for name in _FIELDS[type(event)]}
    for name, default in _LATER[type(event)]:
        if values[name] == default:
            del values[name]
    return _json(values)


_json = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


def chain(before: str, *lines: str) -> str:
    """The digest of a log after one entry more, by the digest before it and the entry's lines.

    Tokens answer for the digest over what counts in a game (`games.state`), which words between do
    not change; the store holds each row to the digest over all that it says.
    """
    return hashlib.sha256("\n".join((before, *lines)).encode()).hexdigest()


def decode(kind: str, version: int, payload: str) -> Event:
    """The event of a stored row; raises `Corrupt` where the row means nothing to this version."""
    cls = _BY_NAME.get(kind)
    if cls is None or version > VERSION:
        raise Corrupt(told("record-newer"), detail=f"{kind} v{version}")
    try:
        values = json.loads(payload)
        known = _FIELDS[cls]
        kept = {key: _tuple(value) for key, value in values.items() if key in known}
        event: Event = cls(**kept)
    except (ValueError, TypeError, AttributeError) as fault:
        raise Corrupt(told("record-damaged"), detail=f"{kind}: {fault}") from fault
    return event


def renamed(event: Countered, name: str) -> Countered:
    """The event with what the invited player calls themselves."""
    terms = {**json.loads(event.terms), "invited_name": name}
    return replace(event, terms=_json(terms))


def _tuple(value: object) -> object:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a log: what happened, when it was received (UTC), and what caused it.

    `cause` is `letter:<Message-ID>`, `gtp:<session>`, `timer` ... for the log's reader.
    """

    event: Event
    at: datetime
    cause: str
