"""Trust in the author of a letter: decided once, and checked by each action.

Changes of a board are also checked against the revisions (`games.awaited_decisions`).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import IntEnum

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.awaited_decisions import Awaited
from godaemon.games.events import LogEntry
from godaemon.games.model import Seat
from godaemon.games.state import end_moment, unseen_events
from godaemon.texts.catalogue import sentence
from mailgate.handling.player_games import GameView
from mailgate.sender_checks import Verdict

NEWEST_PERIOD = timedelta(days=14)
"""How long a list, or a finished game's last letter, counts as the newest."""

TOKEN_LIFETIME = timedelta(days=90)  # after a game's end, its tokens are valid for this time


class Trust(IntEnum):
    """How far we trust that From names a letter's author; more trust allows more."""

    FAILED = 0  # it failed DMARC: with a token it waits for a yes, without one it gets no answer
    UNKNOWN = 1
    """A good token, from an address that the seat does not know: it waits for the seat's yes."""
    NO_EVIDENCE = 2  # we only answer, to the address in From, within the limits
    ALIGNED = 3  # envelope and From share a domain (weak evidence)
    OLD = 4  # it answers an old letter: it may look, talk and ask; more waits for a yes
    VOUCHED = 5  # a mail server vouches for it: it may change its sender's settings, begin games
    NEWEST = 6  # it answers the newest letter, or was confirmed: it may do everything


def trust_by_verdict(verdict: Verdict, *, aligned: bool) -> Trust:
    if verdict is not Verdict.NONE:
        return Trust.VOUCHED if verdict is Verdict.PASS else Trust.FAILED
    return Trust.ALIGNED if aligned else Trust.NO_EVIDENCE


def trust_by_token(before: Trust, *, known: bool, newest: bool) -> Trust:
    """The trust in a letter with a good token; `before` is its trust without the token."""
    if before in (Trust.FAILED, Trust.NEWEST):
        return before
    if not known:
        return Trust.UNKNOWN
    return Trust.NEWEST if newest or before is Trust.VOUCHED else Trust.OLD


def have_tokens_expired(log: Sequence[LogEntry], now: datetime) -> bool:
    """True if a game ended so long ago that its tokens are no longer valid."""
    ended = end_moment(log)
    return ended is not None and now - ended > TOKEN_LIFETIME


def is_newest(view: GameView, log: Sequence[LogEntry], now: datetime) -> bool:
    """True if nobody but the seat has acted since the letter, and the game did not end long ago."""
    ended = end_moment(log)
    if ended is not None and now - ended > NEWEST_PERIOD:
        return False
    color = view.color
    own = None if color is None or view.game.spec.teaching else color.word
    since = unseen_events([entry.event for entry in log], view.seen or view.game.revisions)
    return all(own is not None and getattr(event, "color", None) == own for event in since)


UNPROVEN = "anybody could have written it"  # case of a refusal: we ask for a reply as proof


def proof_request(line: str) -> Unreadable:
    """A refusal that asks the sender to prove who they are by replying to it with that line."""
    line = line.strip("` ")
    return Unreadable(sentence("sure-first", line=line), hints=(line,), case=UNPROVEN)


def resigns_off_turn(commands: Sequence[cmd.Command], view: GameView) -> bool:
    """True if a game would be given up while the other player is to move."""
    waits = view.game.to_move is not None and view.awaits is not Awaited.TURN
    return waits and cmd.Resign() in commands


def wants_no_emails(commands: Sequence[cmd.Command], view: GameView) -> bool:
    """True if an invited player wants no more emails, for which any token is enough."""
    invited = view.game.black is None and view.game.side(view.seat) is Seat.INVITED
    quiet = [isinstance(one, cmd.Block | cmd.Stop) for one in commands]
    return invited and bool(quiet) and all(quiet)
