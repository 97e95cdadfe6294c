"""Acquaintances: the people with whom somebody has played here, and who of them is called what.

Within one transaction; raises nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.games.events import LogEntry, Proposed, Taken
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


def called(name: str, known: Sequence[Player], others: Sequence[Player] = ()) -> list[Player]:
    """Those who have a name: it may stand before the @ of an acquaintance, or be a part of one.

    Of `others` nothing is told of their addresses.
    """
    name = _words(name)
    return (
        [one for one in known if name in (_words(one.name), one.address.casefold().split("@")[0])]
        or [one for one in others if name == _words(one.name)]
        or [one for one in (*known, *others) if name in one.name.casefold().split()]
    )


def knows_address(log: Sequence[LogEntry]) -> bool:
    """Whether the players of a game were told each other's address: not where they met by name."""
    met = [entry.event for entry in log if isinstance(entry.event, Proposed | Taken)]
    return not any(isinstance(one, Taken) or one.named for one in met)


def name_told(unit: Unit, address: str, other: str) -> str:
    """What another is called in the games of an address that was told theirs; "" where it was not.

    Who guesses an address, of somebody whom they met by name, would learn whose it is.
    """
    for row in unit.games.opponents(address):
        names = {person(row.black): row.black_name, person(row.white): row.white_name}
        if person(other) in names and knows_address(unit.games.log(row.id)):
            return names[person(other)]
    return ""


def _words(name: str) -> str:
    return " ".join(name.casefold().split())
