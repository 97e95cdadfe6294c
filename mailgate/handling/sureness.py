"""Sureness of who wrote a letter: decided once, and asked by all that a letter may do.

| how sure              | what it may do                                                          |
|-----------------------|-------------------------------------------------------------------------|
| the newest letter     | all                                                                     |
| a server that vouches | without a token: what concerns its sender alone, and a new game         |
| an old letter         | look, talk, ask for help; what is beyond the game waits for a yes       |
| nothing               | have its sender written to, at their own address, within the limits     |
| an unknown address    | with a token: wait for a yes from the seat's own address                |
| a DMARC failure       | the same; without a token nothing, not even be answered                 |

What changes a board is held against the revisions besides (`godaemon.games.staleness`). Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import IntEnum

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.awaited import Awaited
from godaemon.games.events import LogEntry
from godaemon.games.model import Revisions, Seat
from godaemon.games.state import ended_at, unseen
from mailgate.handling.seated import Seated
from mailgate.sender_checks import Verdict

FRESH = timedelta(days=14)
"""For so long after a game the last of its letters, and for so long any list, is the newest one."""

TOKENS_END = timedelta(days=90)
"""So long after a game its letters are good for nothing any more."""


class Sure(IntEnum):
    """How sure we are that a letter is from whom its From names; who is surer may do more."""

    FAILED = 0
    """A mail server that we trust says that it is not."""
    UNKNOWN = 1
    """It has a good token, and comes from an address that its seat does not know."""
    NOTHING = 2
    ALIGNED = 3
    """Its envelope is of its author's organisation, which is not hard to forge."""
    OLD = 4
    """It answers, from a known address, a letter that is not the newest: others may have that."""
    VOUCHED = 5
    """A mail server that we trust says that it is."""
    NEWEST = 6
    """It answers the newest letter, or one whose sender is vouched for, or has been confirmed."""


def without_token(verdict: Verdict, *, aligned: bool) -> Sure:
    """How sure a letter is by what mail servers say of it."""
    if verdict is not Verdict.NONE:
        return Sure.VOUCHED if verdict is Verdict.PASS else Sure.FAILED
    return Sure.ALIGNED if aligned else Sure.NOTHING


def with_token(before: Sure, *, known: bool, newest: bool) -> Sure:
    """How sure a letter is that has a good token besides."""
    if before in (Sure.FAILED, Sure.NEWEST):
        return before
    if not known:
        return Sure.UNKNOWN
    return Sure.NEWEST if newest or before is Sure.VOUCHED else Sure.OLD


def tokens_ended(log: Sequence[LogEntry], now: datetime) -> bool:
    """True where a game has been over for so long that its letters are good for nothing."""
    ended = ended_at(log)
    return ended is not None and now - ended > TOKENS_END


def is_newest(at: Seated, log: Sequence[LogEntry], seen: Revisions, now: datetime) -> bool:
    """True where its seat has been written to of nothing that happened since a letter.

    What the seat did itself makes no letter of its own: who has moved still has the one before.
    """
    ended = ended_at(log)
    if ended is not None and now - ended > FRESH:
        return False
    color = at.color
    own = None if color is None or at.game.spec.teaching else color.word
    since = unseen([entry.event for entry in log], seen)
    return all(own is not None and getattr(event, "color", None) == own for event in since)


BY_REPLY = "anybody could have written it"
"""The detail of a refusal of what a reply to any letter of ours can ask."""


def reply_wanted(line: str) -> Unreadable:
    """For a line that answers nothing of ours: the answer to it is what can be replied to."""
    line = line.strip("` ")
    return Unreadable(
        "Anybody could have written that in your name, so nothing was done. To have it done, reply"
        f" to this email with: `{line}`",
        hints=(line,),
        detail=BY_REPLY,
    )


def needs_newest(commands: Sequence[cmd.Command], at: Seated) -> bool:
    """True where a letter asks for what goes beyond the game at hand."""
    beyond = [one for one in commands if isinstance(one, cmd.Beyond)]
    return bool(beyond) and not leaves_alone(commands, at)


def resigns_off_turn(commands: Sequence[cmd.Command], at: Seated) -> bool:
    """True where a game would be given up while the other player is to move."""
    waits = at.game.to_move is not None and at.awaits is not Awaited.TURN
    return waits and cmd.Resign() in commands


def leaves_alone(commands: Sequence[cmd.Command], at: Seated) -> bool:
    """True where who was invited, and never played, wants no more letters: any of ours will do."""
    invited = at.game.black is None and at.game.side(at.seat) is Seat.INVITED
    quiet = [isinstance(one, cmd.Block | cmd.Stop) for one in commands]
    return invited and bool(quiet) and all(quiet)
