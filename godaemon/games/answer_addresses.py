"""The addresses of ours that people are answered from, where a daemon has several.

Who wrote last to one that is not the main one gets letters from there: those of a game from where
they wrote about it, or came into it, and those of no game from where they wrote last. Only what
differs from the main address is remembered. Within one transaction; raises nothing.
"""

from __future__ import annotations

from godaemon.games.model import Game, Seat
from godaemon.games.store_protocols import Unit


def answer_from(unit: Unit, address: str, ours: str, game: int = 0) -> None:
    """Answer somebody from an address of ours ("" the main one) in a game, or (0) in none."""
    if unit.players.answered_from(address, game) != ours:
        unit.players.set_answered_from(address, ours, game)


def answer_newcomers(unit: Unit, game: Game, seat: Seat, ours: str) -> None:
    """Write to who proposes a game, and whom they invite, or to who takes one, from there."""
    for one in game.seats if seat is Seat.PROPOSER else (seat,):
        if game.player(one).mailed:
            answer_from(unit, game.player(one).address, ours, game.id)


def go_along(unit: Unit, old: str, new: str, game: int = 0) -> None:
    """Answer a new address as the old one was, in a game or in none."""
    answer_from(unit, new, unit.players.answered_from(old, game), game)
    answer_from(unit, old, "", game)
