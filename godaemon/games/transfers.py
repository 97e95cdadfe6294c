"""Seats that move to another address, once both addresses have said yes.

Within one transaction. Raises `Unreadable`, `WrongPhase` and `NotAllowed`.
"""

from __future__ import annotations

from dataclasses import replace

from godaemon.errors import NotAllowed, Unreadable, WrongPhase
from godaemon.games import events as ev
from godaemon.games.calls import Caller
from godaemon.games.commands import EmailLevel
from godaemon.games.email_settings import go_along, in_force
from godaemon.games.model import GOING, Game, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.people import person
from godaemon.games.player_calendar import schedule
from godaemon.games.seat_keys import issue_keys
from godaemon.games.service import GameService
from godaemon.games.store_protocols import Preferences, Profile, Transfer
from godaemon.texts.catalogue import told as sentence

MOST = 200
"""So many games move at one time; who has more asks again."""


def check_transfer(game: Game, seat: Seat, new: str, *, told: bool = True) -> None:
    """Raise what speaks against moving a seat to a new address.

    Where the other player's address was not `told`, nothing says whether it is that one.
    """
    if game.phase.over:
        raise WrongPhase(sentence("nothing-to-move"), hints=("games",))
    if new.casefold() == game.player(seat).address.casefold():
        raise Unreadable(sentence("goes-there-already", address=new))
    if (
        told
        and not game.spec.teaching
        and game.player(seat.other).address.casefold() == new.casefold()
    ):
        raise NotAllowed(sentence("both-at-one-address"))


def carry_over(games: GameService, transfer: Transfer, caller: Caller) -> tuple[Game, ...]:
    """Move the seat, or all open ones, and show each game at its new address.

    A game in which that has become impossible, or that cannot be read, stays as it is.
    """
    moved = []
    for watched in games.unit.watchers.of_person(transfer.old) if transfer.game is None else ():
        games.unit.watchers.end(transfer.old, watched.game)
        games.unit.watchers.save(replace(watched, address=transfer.new))
        go_along(games.unit, transfer.old, transfer.new, watched.game)
    if transfer.game is None:
        _take_along(games, transfer.old, transfer.new)
        go_along(games.unit, transfer.old, transfer.new)
    for number in _numbers(games, transfer):
        game = games.readable(number)
        seat = game.held_by(transfer.old) if game is not None else None
        if game is not None and seat is not None and _may_move(game, seat, transfer.new):
            moved.append(_move(games, game, seat, transfer, caller))
    return tuple(moved)


def _take_along(games: GameService, old: str, new: str) -> None:
    """What a player has told of themselves goes with them, and how they are rated.

    Where the new address has something of its own already, that stays. Who was kept away from the
    old one is kept away from the new one too.
    """
    players = games.unit.players
    if players.profile(new) == Profile():
        players.set_profile(new, told := players.profile(old))
        players.set_profile(old, replace(told, listed=None, digest_due=None))
    for other in players.blocks(person(old)):
        players.block(person(new), other)
    _take_preferences(games, old, new)
    if (last := players.rated(old)) is not None and players.rated(new) is None:
        players.set_rated(replace(last, address=new))


def _take_preferences(games: GameService, old: str, new: str, game: int = 0) -> None:
    """Which letters a player wants, in a game or (0) in all, where they have not said so there."""
    unit, place = games.unit, int(game > 0)
    told, known = (unit.players.preferences(one, game)[place] for one in (old, new))
    if told != known and replace(known, receipts_sent=0) == Preferences():
        unit.players.set_preferences(new, told, game)
    daily = in_force(unit, new, game).emails is EmailLevel.DAILY
    if daily and unit.players.profile(new).digest_due is None:
        schedule(unit, new, games.now, wanted=True)


def _may_move(game: Game, seat: Seat, new: str) -> bool:
    try:
        check_transfer(game, seat, new)
    except (NotAllowed, Unreadable, WrongPhase):
        return False
    return True


def _move(games: GameService, game: Game, seat: Seat, transfer: Transfer, caller: Caller) -> Game:
    go_along(games.unit, transfer.old, transfer.new, game.id)
    _take_preferences(games, transfer.old, transfer.new, game.id)
    issue_keys(games.unit.seats, game, seat, on=False)  # who had one may be somebody else
    event = ev.Transferred(game.side(seat).word, transfer.new)
    after = games.happened(game, event, seat, caller).after
    notice = Notice(
        Kind.SHOW,
        transfer.new,
        by=caller.address,
        game=after.id,
        seat=after.seat(seat),
        since=after.length,
        until=after.length,
    )
    games.unit.outbox.owe(notice, games.now)
    return after


def _numbers(games: GameService, transfer: Transfer) -> list[int]:
    if transfer.game is not None:
        return [transfer.game]
    return [row.id for row in games.unit.games.summaries(transfer.old, GOING, MOST)]
