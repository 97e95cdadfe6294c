"""Acquaintances: the people with whom somebody has played here.

Within one transaction; raises nothing.
"""

from __future__ import annotations

from godaemon.games.model import Player
from godaemon.games.people import person
from godaemon.games.store_protocols import Unit


def acquaintances(unit: Unit, address: str) -> list[Player]:
    """They, as they called themselves last; those first with whom `address` played last."""
    found: dict[str, Player] = {}
    me = person(address)
    for row in unit.games.opponents(address):
        sides = (Player(row.black, row.black_name), Player(row.white, row.white_name))
        others = [one for one in sides if person(one.address) != me]
        if len(others) == 1 and others[0].mailed:
            found.setdefault(person(others[0].address), others[0])
    return list(found.values())
