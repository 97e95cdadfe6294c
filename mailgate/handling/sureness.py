"""Sureness of who wrote a letter: decided once, and asked by all that a letter may do.

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
from godaemon.games.model import Seat
from godaemon.games.state import ended_at, unseen
from godaemon.texts.catalogue import told
from mailgate.handling.player_games import Seated
from mailgate.sender_checks import Verdict

FRESH = timedelta(days=14)  # so long a list, and after its end the last letter of a game, is new

TOKENS_END = timedelta(days=90)  # so long after a game its letters are good for nothing any more


class Sure(IntEnum):
    """How sure we are that a letter is from whom its From names; who is surer may do more."""

    FAILED = 0
    """A failure of DMARC: with a token it waits for a yes, without one it is not even answered."""
    UNKNOWN = 1
    """A good token, from an address that its seat does not know: it waits for the seat's yes."""
    NOTHING = 2  # its author is written to, at their own address, within the limits
    ALIGNED = 3
    """The same, but its envelope is of its author's organisation, which is not hard to forge."""
    OLD = 4  # it answers an old letter: it may look, talk and ask; what is beyond waits for a yes
    VOUCHED = 5  # a mail server vouches for it: what concerns its sender alone, and a new game
    NEWEST = 6  # it answers the newest letter, or was confirmed: it may do all


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


def is_newest(at: Seated, log: Sequence[LogEntry], now: datetime) -> bool:
    """True where all that happened since a letter was its own seat's doing."""
    ended = ended_at(log)
    if ended is not None and now - ended > FRESH:
        return False
    color = at.color
    own = None if color is None or at.game.spec.teaching else color.word
    since = unseen([entry.event for entry in log], at.seen or at.game.revisions)
    return all(own is not None and getattr(event, "color", None) == own for event in since)


BY_REPLY = "anybody could have written it"  # the detail of what a reply to us could ask


def reply_wanted(line: str) -> Unreadable:
    """For a line that answers nothing of ours: the answer to it is what can be replied to."""
    line = line.strip("` ")
    return Unreadable(told("sure-first", line=line), hints=(line,), detail=BY_REPLY)


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
