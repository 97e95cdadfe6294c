"""Events: everything that can happen to a game, the entries of its log, and their stored form.

Events hold plain values (points as text, colours as words), so that old events stay readable;
`VERSION` is stored with each. A field with its default value is not written, so that a new field
does not change older digests. `decode` raises `Corrupt`.
"""

import json
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, dataclass_transform, get_args

from godaemon.errors import Corrupt
from godaemon.texts.catalogue import sentence

VERSION = 1


@dataclass_transform(frozen_default=True)
class _Event:
    """The base of all events; each is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class _ByColor(_Event):
    """An event caused by a colour."""

    color: str


class Proposed(_Event):
    """A game was proposed; the first event of every log."""

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
    free: bool = False
    """Whether Black places the handicap stones before White's first move."""
    words: str = ""
    opening: tuple[tuple[str, ...], ...] = ()
    """The starting position, as `opening.opening_to_words` writes it."""
    time: str = ""
    """As `time_systems.TimeSettings` writes it; "" for a game without clocks."""
    named: bool = False
    """Whether the proposer named the other player; neither then learns the other's address."""
    was: str = ""
    """The digest after this event as it was before a player was forgotten; tokens depend on it."""
    rank: str = ""
    """Unused; old challenges were limited to some ranks."""
    rated: bool = False
    estimates: bool = False
    """Whether both players may ask for estimates of the score; the other one is told."""
    public: bool = False


class Confirmed(_Event):
    """The proposer confirmed the proposal."""


class Taken(_Event):
    """A player took an open challenge, and is now the invited player."""

    address: str
    name: str
    was: str = ""


class Started(_Event):
    """The invitation was accepted and the colours are settled."""

    black: str
    """The side that has black: "proposer" or "invited"."""
    invited_name: str
    was: str = ""
    ranks: tuple[str, ...] = ()
    """The stated ranks of the proposer and the invited player; "" for none."""
    former: tuple[float, ...] = ()
    """Rating and deviation of a player who was forgotten later, for the opponent's rating."""


class Declined(_Event):
    """A side declined the terms of the other."""

    words: str = ""
    side: str = "invited"
    was: str = ""


class Countered(_Event):
    """A side ("proposer" or "invited") answered with other terms."""

    side: str
    terms: str
    """The proposal as it stands now, as `encode` writes it."""
    words: str = ""
    was: str = ""


class Withdrawn(_Event):
    """The proposer took the proposal back."""


class Expired(_Event):
    """Nobody answered in time."""


class Moved(_ByColor):
    """A stone was played."""

    point: str


class Placed(_Event):
    """Black placed the handicap stones."""

    stones: tuple[str, ...]


class Passed(_ByColor):
    """A player passed."""


class UndoAsked(_ByColor):
    """A player asks to take back their last move."""


class UndoRefused(_ByColor):
    """A player refused to let the opponent take back a move."""


class Undone(_ByColor):
    """`color` took back `moves`, listed in the order of play; if empty, the handicap stones."""

    moves: tuple[str, ...]


class Planned(_ByColor):
    """A player's plans (`planned_moves`) changed to these; only that player may see them."""

    lines: tuple[tuple[str, ...], ...] = ()


class Estimated(_ByColor):
    """A player looked at an estimate of the score."""


class Marked(_ByColor):
    """Stones were marked dead, or alive again."""

    stones: tuple[str, ...]
    dead: bool


class Agreed(_ByColor):
    """A player said done to a board: seven-state rows joined by "/"."""

    board: str


class Disagreed(_Event):
    """Both players said done to different boards, by a bug of ours; both answers are cleared."""


class Resumed(_ByColor):
    """`color` took the game from scoring back to playing."""

    to_move: str


class Voided(_ByColor):
    """A player offers to end the game without a result, or (not `wanted`) declines that."""

    wanted: bool = True


class Opened(_ByColor):
    """A player lets others watch, or (not `wanted`) forbids it."""

    wanted: bool = True


class Resigned(_ByColor):
    """A player resigned."""


class Finished(_Event):
    """The game ended; `black` and `white` are the points if it was counted."""

    result: str
    black: float | None = None
    white: float | None = None
    why: str = ""
    """The cause, if it was neither a count nor a resignation: "time"; "cancelled" by time or
    "called off" by a player before both had moved; "adjudicated"; or "abandoned" by both."""


class Unrated(_Event):
    """The operator decided that the game does not count for ratings."""


class Handed(_Event):
    """A player has been sent the email about their turn, so their clock runs."""

    to: str


class Reminded(_Event):
    """The `number`th reminder of this turn went to a player, or (`to` "") a warning to both."""

    to: str
    number: int


class Credited(_Event):
    """The player to act gets time back, because we could not have received their answer."""

    to: str
    seconds: float


class Paused(_Event):
    """A player's days off changed; without any, the player is back."""

    to: str
    until: str = ""
    """The end of their absence (ISO 8601), in old logs."""
    away: tuple[tuple[str, str], ...] = ()
    weekends: str = ""
    """The time zone whose weekends are off."""


class Said(_ByColor):
    """Words for the opponent."""

    text: str


class Noted(_ByColor):
    """Words that a player keeps, for themselves or (`hidden`) for both after the end."""

    text: str
    hidden: bool = False


class Recognised(_Event):
    """A side ("proposer" or "invited") confirmed another address of theirs."""

    side: str
    address: str


class Transferred(_Event):
    """A side ("proposer" or "invited") moved to another address."""

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
_ALWAYS_WRITTEN = {
    Declined: ("words",),
    Countered: ("words",),
    Planned: ("lines",),
    Opened: ("wanted",),
    Finished: ("black", "white"),
    Paused: ("until",),
    Noted: ("hidden",),
}
"""Fields that are written even with their default, as in the first digests."""
_OMITTED_VALUES = {
    cls: {
        each.name: each.default
        for each in fields(cls)
        if each.name not in _ALWAYS_WRITTEN.get(cls, ())
    }
    for cls in _BY_NAME.values()
}
"""The fields of each event that are left out if they have this value."""

CLOCK_EVENTS = (Handed, Reminded, Credited, Paused)
"""Events that change only clocks."""
DIGESTED_EVENTS = (Proposed, Taken, Started, Declined, Countered)
"""Events in the digest that contain names or words of players."""
PRIVATE_EVENTS = (Planned, Noted)
"""Events that only their own player may see."""
QUIET_EVENTS = (*CLOCK_EVENTS, *PRIVATE_EVENTS, Estimated)
"""Events that cause no email to the other player."""


def name(event: Event) -> str:
    """The event's name as it is stored and logged: "moved", "passed" ..."""
    return type(event).__name__.lower()


def encode(event: Event) -> str:
    """The event's fields as canonical JSON: sorted keys, no defaults."""
    omitted, values = _OMITTED_VALUES[type(event)], vars(event).items()
    return _json({name: one for name, one in values if name not in omitted or one != omitted[name]})


_json = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


def decode(kind: str, version: int, payload: str) -> Event:
    """The event of a stored row; raises `Corrupt` if this program cannot read it."""
    cls = _BY_NAME.get(kind)
    if cls is None or version > VERSION:
        raise Corrupt(sentence("record-newer"), detail=f"{kind} v{version}")
    try:
        values, known = json.loads(payload).items(), cls.__match_args__
        event: Event = cls(**{name: _as_tuples(one) for name, one in values if name in known})
    except (ValueError, TypeError, AttributeError) as fault:
        raise Corrupt(sentence("record-damaged"), detail=f"{kind}: {fault}") from fault
    return event


def rename_invited(event: Countered, name: str) -> Countered:
    """The event with another name of the invited player in its terms."""
    terms = {**json.loads(event.terms), "invited_name": name}
    return replace(event, terms=_json(terms))


def _as_tuples(value: object) -> object:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry of a log; its `cause` is `letter:<Message-ID>`, `gtp:<session>`, `timer` ..."""

    event: Event
    at: datetime
    cause: str
