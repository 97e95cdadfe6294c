"""Counts the bounces of each address, suspends it after too many, and tells the opponents.

Each bounce adds to the score of its address; an unknown recipient adds more than other failures.
Scores fade, and bounces within an hour count as one. Anybody can forge a bounce message. So if one
reports that an email about a player's turn was lost, we send it once more; only if that is lost,
too, do we tell the opponent. Within one transaction; raises nothing.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from godaemon.games.model import Game, Phase, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.people import person
from godaemon.games.service import GameService
from godaemon.games.stored_values import BouncingAddress, Unit
from godaemon.games.wanted_emails import wants_email

HARD_WEIGHT = 1.0
SOFT_WEIGHT = 0.3
SUSPENSION_SCORE = 2.5
"""The score that suspends an address: three refusals in days, or weeks of a full mailbox."""
HALF_LIFE = timedelta(days=7)
BOUNCE_INTERVAL = timedelta(hours=1)
"""Bounces closer together than this count as one."""
REMINDER_INTERVAL = timedelta(days=14)
"""The time after which an opponent is told again that a player cannot be reached."""
COMPLAINT = "somebody there called an email of ours unwanted"
"""The error text of an address suspended by a complaint."""
_AGAIN = "again"
"""Key in the `about` of a notice that repeats a lost one."""
MAX_OPPONENTS_TOLD = 50
"""Maximum number of opponents who are told about one suspension."""
REFUSED_ADDRESSES = 3
"""If this many addresses of a domain bounce within a day, the whole domain refuses us."""
Refuses = Callable[[str], bool]
"""Returns True for a server's answer that refuses us as a sender, whatever the mailbox."""


def refusing_domains(unit: Unit, now: datetime, refuses: Refuses, *also: str) -> dict[str, int]:
    """The domains that refused us within a day, each with the number of its addresses."""
    boxes = unit.players.bouncing_addresses(now - timedelta(days=1))
    addresses = {*also, *(box.address for box in boxes if refuses(box.error))}
    counts = Counter(address.rpartition("@")[2] for address in addresses)
    return {domain: count for domain, count in sorted(counts.items()) if count >= REFUSED_ADDRESSES}


def bounce_score(bouncing: BouncingAddress, now: datetime) -> float:
    """The present score of a bouncing address; it fades with time."""
    age = max(now - bouncing.at, timedelta())
    return float(bouncing.score * 0.5 ** (age / HALF_LIFE))


def add_bounce(
    before: BouncingAddress | None, address: str, error: str, now: datetime, weight: float
) -> BouncingAddress:
    """A bouncing address after one more bounce."""
    if before is None:
        return BouncingAddress(address, weight, now, error)
    error = COMPLAINT if before.error == COMPLAINT else error
    if now - before.at < BOUNCE_INTERVAL:
        # After a lighter bounce only the difference is added; the hour starts at the first bounce.
        more = max(before.score, weight)
        return replace(before, score=more, error=error)
    total = bounce_score(before, now) + weight
    suspended = before.suspended or (now if total >= SUSPENSION_SCORE else None)
    return BouncingAddress(address, total, now, error, suspended)


def record_bounce(
    games: GameService,
    notice: Notice,
    error: str,
    refuses: Refuses,
    *,
    hard: bool,
    counts: bool = True,
    reported: bool = False,
) -> bool:
    """Count a lost email and tell the opponents; returns whether the address is suspended.

    `hard` means that the recipient is unknown, `reported` that a bounce message told us. `counts`
    is False if the email never reached the recipient's server, or if its reader has written since.
    A refusal weighs nothing while the whole domain refuses us.
    """
    before = games.unit.players.bouncing_address(notice.to)
    after = before
    if counts:
        domains = refusing_domains(games.unit, games.now, refuses, notice.to.casefold())
        by_domain = refuses(error) and notice.to.casefold().rpartition("@")[2] in domains
        weight = 0 if by_domain else SOFT_WEIGHT
        if hard:
            weight = HARD_WEIGHT
        after = add_bounce(before, notice.to, error, games.now, weight)
        games.unit.players.set_bouncing_address(after)
    suspended = after is not None and after.suspended is not None
    if suspended and (before is None or before.suspended is None):
        _tell_opponents(games, notice.to)
    elif not suspended and notice.game is not None:
        force = (counts and before is None) or bool(notice.about.get(_AGAIN))
        resend = reported and _AGAIN not in notice.about
        _tell_of_lost_email(games, notice, games.game(notice.game), force=force, resend=resend)
    return suspended


def record_complaint(games: GameService, address: str) -> None:
    """Suspend an address that reported an email of ours as unwanted."""
    before = games.unit.players.bouncing_address(address)
    after = BouncingAddress(address, SUSPENSION_SCORE, games.now, COMPLAINT, games.now)
    games.unit.players.set_bouncing_address(after)
    if before is None or before.suspended is None:
        _tell_opponents(games, address)


def clear_address(games: GameService, address: str, *, proven: bool = True, by: str = "") -> bool:
    """Forget the bounces of an address that works; returns whether it was suspended.

    Its waiting emails go out now, and its player gets an email about each game that waits for them.
    After a complaint the sender must be `proven`, because anybody could forge that address.
    """
    found = games.unit.players.bouncing_address(address)
    if found is None or (found.error == COMPLAINT and not proven):
        return False
    games.unit.players.forget_bouncing_address(address)
    for game, seat in games.open_games_of(address, MAX_OPPONENTS_TOLD):
        kind = _missed_email(game, seat)
        if kind is not None and wants_email(games.unit, kind, game, seat):
            _queue_notice(games, kind, game, seat, by=by)
    return found.suspended is not None


def _missed_email(game: Game, seat: Seat) -> Kind | None:
    """The email that a player needs for their next decision; None if they have none to make."""
    if game.phase is Phase.SCORING:
        return Kind.SHOW
    if game.phase is Phase.PLAYING:
        mine = game.spec.teaching or game.to_move is game.color_of(seat)
        return Kind.SHOW if mine else None
    if game.side(seat) is Seat.INVITED:
        return Kind.INVITATION if game.confirmed else None
    return None if game.confirmed else Kind.CONFIRM


def _tell_opponents(games: GameService, address: str) -> None:
    """Tell each opponent once that a player cannot be reached, in one of their open games."""
    opponents: set[str] = set()
    for game, seat in games.open_games_of(address):
        if len(opponents) >= MAX_OPPONENTS_TOLD:
            break
        key = game.player(seat.other).address.casefold()
        if key not in opponents and _may_be_told(game, seat.other):
            opponents.add(key)
            _tell_unreachable(games, game, seat.other, address)


def _tell_of_lost_email(
    games: GameService, notice: Notice, game: Game, *, force: bool, resend: bool
) -> None:
    """Tell the opponent about a lost email if its reader is to act, or send it again (`resend`).

    With `force` the opponent is told once more; a new email remembers that.
    """
    if notice.kind is Kind.INVITATION:
        if game.phase is Phase.PROPOSED:
            _queue_notice(games, Kind.UNREACHABLE, game, Seat.PROPOSER)
        return
    seat = None if game.phase.over else game.seat_held_by(notice.to)
    kind = None if seat is None else _missed_email(game, seat)
    if seat is None or kind is None or not _may_be_told(game, seat.other):
        return
    if resend:
        _queue_notice(games, kind, game, seat, about={_AGAIN: force})
    else:
        _tell_unreachable(games, game, seat.other, notice.to, force=force)


def _tell_unreachable(
    games: GameService, game: Game, seat: Seat, address: str, *, force: bool = False
) -> None:
    since = games.now - REMINDER_INTERVAL
    reader = game.player(seat).address
    sent = games.unit.outbox.count_queued((Kind.UNREACHABLE,), since, to=reader, by=address)
    if force or not sent:
        _queue_notice(games, Kind.UNREACHABLE, game, seat, by=address)


def _may_be_told(game: Game, seat: Seat) -> bool:
    """True if another person holds the seat and knows of the game."""
    known = game.phase is not Phase.PROPOSED or game.side(seat) is Seat.PROPOSER
    return known and not game.spec.teaching and game.player(seat).gets_email


def _queue_notice(
    games: GameService,
    kind: Kind,
    game: Game,
    seat: Seat,
    *,
    by: str = "",
    about: dict[str, bool] | None = None,
) -> None:
    by = person(game.spec.proposer.address) if kind is Kind.INVITATION else by
    games.unit.outbox.queue(Notice.of(kind, game, seat, by, about), games.now)
