"""Transfers of seats to another address, once both addresses have confirmed.

Within one transaction; raises `Unreadable`, `WrongPhase` and `NotAllowed`.
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
"""The most games that move at a time."""


def check_transfer(game: Game, seat: Seat, new: str, *, told: bool = True) -> None:
    """Raise why a seat cannot move to a new address.

    Unless the opponent's address was `told`, it is not given away that the new one is that.
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
    """Move a seat, or all open ones, and show each game at its new address.

    A game that cannot be moved or read stays as it is.
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
    """Move a player's profile, settings, rating and blocks, unless the new address has its own."""
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
    """Move a player's email settings, in a game or (0) in all."""
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
    games.unit.outbox.owe(Notice.of(Kind.SHOW, after, seat, caller.address), games.now)
    return after


def _numbers(games: GameService, transfer: Transfer) -> list[int]:
    if transfer.game is not None:
        return [transfer.game]
    return [row.id for row in games.unit.games.summaries(transfer.old, GOING, MOST)]
