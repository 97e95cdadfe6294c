"""Bounce scores of addresses, their suspension, and the emails that tell opponents of it.

Each bounce adds to an address's score: an unknown recipient more than another failure. Scores fade,
and bounces within an hour count as one. A player who was to act may get no other email that could
bounce, so the email is sent once more if a bounce message, which can be forged, says that it was
lost; the opponent is told when that one is lost too. Within one transaction; raises nothing.
"""

from __future__ import annotations

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

HARD = 1.0
SOFT = 0.3
LIMIT = 2.5
"""The score that suspends an address: three refusals in days, or weeks of a full mailbox."""
HALF_LIFE = timedelta(days=7)
APART = timedelta(hours=1)
"""Bounces within this time count as one."""
TOLD_ONCE_IN = timedelta(days=14)
"""How long we wait before telling an opponent again that a player cannot be reached."""
COMPLAINT = "somebody there called an email of ours unwanted"
"""Stands for the error of an address that a complaint has suspended."""
_AGAIN = "again"
"""The key in a notice's `about` that says that it repeats a lost one."""
MOST_TOLD = 50
"""The most opponents that are told of one suspension."""
SEVERAL = 3
"""If this many addresses of a domain bounce within a day, the whole domain refuses us."""
Refuses = Callable[[str], bool]
"""True if a server's answer refuses us as a sender, and says nothing about the mailbox."""


def refusing_domains(unit: Unit, now: datetime, refuses: Refuses, *also: str) -> dict[str, int]:
    """The domains that refused us within a day, with the number of their addresses."""
    boxes = unit.players.bouncing_addresses(now - timedelta(days=1))
    refused = {*also, *(box.address for box in boxes if refuses(box.error))}
    found = Counter(address.rpartition("@")[2] for address in refused)
    return {domain: count for domain, count in sorted(found.items()) if count >= SEVERAL}


def bounce_score(bouncing: BouncingAddress, now: datetime) -> float:
    """The score of a bouncing address, faded until now."""
    age = max(now - bouncing.at, timedelta())
    return float(bouncing.score * 0.5 ** (age / HALF_LIFE))


def add_bounce(
    before: BouncingAddress | None, address: str, error: str, now: datetime, weight: float
) -> BouncingAddress:
    """A bouncing address after one more bounce."""
    if before is None:
        return BouncingAddress(address, weight, now, error)
    error = COMPLAINT if before.error == COMPLAINT else error
    if now - before.at < APART:
        # After a lighter bounce only the difference is added; the hour runs from the first one.
        more = max(before.score, weight)
        return replace(before, score=more, error=error)
    total = bounce_score(before, now) + weight
    suspended = before.suspended or (now if total >= LIMIT else None)
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
    """Count a lost email and tell those concerned; returns whether the address is suspended.

    `hard` is for an unknown recipient. An email does not count (`counts`) if it never reached the
    recipient's server or its reader has written since; a refusal weighs nothing while the whole
    domain refuses us. `reported` is for a bounce message, which can be forged.
    """
    before = games.unit.players.bouncing_address(notice.to)
    after = before
    if counts:
        found = refusing_domains(games.unit, games.now, refuses, notice.to.casefold())
        spared = refuses(error) and notice.to.casefold().rpartition("@")[2] in found
        weight = HARD if hard else 0 if spared else SOFT
        after = add_bounce(before, notice.to, error, games.now, weight)
        games.unit.players.set_bouncing_address(after)
    suspended = after is not None and after.suspended is not None
    if suspended and (before is None or before.suspended is None):
        _tell_opponents(games, notice.to)
    elif not suspended and notice.game is not None:
        anew = (counts and before is None) or bool(notice.about.get(_AGAIN))
        again = {_AGAIN: anew} if reported and _AGAIN not in notice.about else None
        _tell_of_lost_email(games, notice, games.game(notice.game), anew=anew, again=again)
    return suspended


def record_complaint(games: GameService, address: str) -> None:
    """Suspend an address that reported an email of ours as unwanted."""
    before = games.unit.players.bouncing_address(address)
    after = BouncingAddress(address, LIMIT, games.now, COMPLAINT, games.now)
    games.unit.players.set_bouncing_address(after)
    if before is None or before.suspended is None:
        _tell_opponents(games, address)


def clear_address(games: GameService, address: str, *, proven: bool = True, by: str = "") -> bool:
    """Clear an address that is in use after all; returns whether it was suspended.

    Its waiting emails go out now, and its player is shown the games that await them. After a
    complaint the writer must be `proven`, because anybody could write in that name.
    """
    found = games.unit.players.bouncing_address(address)
    if found is not None and found.error == COMPLAINT and not proven:
        return False
    if found is None or not games.unit.players.forget_bouncing_address(address):
        return False
    for game, seat in games.open_games_of(address, MOST_TOLD):
        kind = _missed_email(game, seat)
        if kind is not None and wants_email(games.unit, kind, game, seat):
            _owe(games, kind, game, seat, by=by)
    return found.suspended is not None


def _missed_email(game: Game, seat: Seat) -> Kind | None:
    """The email that a player needs in order to go on, and may have missed."""
    if game.phase is Phase.SCORING:
        return Kind.SHOW
    if game.phase is Phase.PLAYING:
        mine = game.spec.teaching or game.to_move is game.color_of(seat)
        return Kind.SHOW if mine else None
    if game.side(seat) is Seat.INVITED:
        return Kind.INVITATION if game.confirmed else None
    return None if game.confirmed else Kind.CONFIRM


def _tell_opponents(games: GameService, address: str) -> None:
    """Tell each opponent once, in one of the open games."""
    reached: set[str] = set()
    for game, seat in games.open_games_of(address):
        if len(reached) >= MOST_TOLD:
            break
        key = game.player(seat.other).address.casefold()
        if key not in reached and _may_be_told(game, seat.other):
            reached.add(key)
            _tell_unreachable(games, game, seat.other, address)


def _tell_of_lost_email(
    games: GameService, notice: Notice, game: Game, *, anew: bool, again: dict[str, bool] | None
) -> None:
    """Tell the opponent of a lost email if its reader had to act; with `again` repeat it instead.

    `anew` tells even an opponent who was told before.
    """
    if notice.kind is Kind.INVITATION:
        if game.phase is Phase.PROPOSED:
            _owe(games, Kind.UNREACHABLE, game, Seat.PROPOSER)
        return
    seat = None if game.phase.over else game.seat_held_by(notice.to)
    kind = None if seat is None else _missed_email(game, seat)
    if seat is None or kind is None or not _may_be_told(game, seat.other):
        return
    if again is not None:
        _owe(games, kind, game, seat, about=again)
    else:
        _tell_unreachable(games, game, seat.other, notice.to, anew=anew)


def _tell_unreachable(
    games: GameService, game: Game, seat: Seat, address: str, *, anew: bool = False
) -> None:
    since = games.now - TOLD_ONCE_IN
    reader = game.player(seat).address
    sent = games.unit.outbox.count_owed((Kind.UNREACHABLE,), since, to=reader, by=address)
    if anew or not sent:
        _owe(games, Kind.UNREACHABLE, game, seat, by=address)


def _may_be_told(game: Game, seat: Seat) -> bool:
    """True if another person holds the seat and knows of the game."""
    known = game.phase is not Phase.PROPOSED or game.side(seat) is Seat.PROPOSER
    return known and not game.spec.teaching and game.player(seat).mailed


def _owe(
    games: GameService,
    kind: Kind,
    game: Game,
    seat: Seat,
    *,
    by: str = "",
    about: dict[str, bool] | None = None,
) -> None:
    by = person(game.spec.proposer.address) if kind is Kind.INVITATION else by
    games.unit.outbox.owe(Notice.of(kind, game, seat, by, about), games.now)
