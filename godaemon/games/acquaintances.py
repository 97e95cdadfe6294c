"""Acquaintances: the people with whom somebody has played here, by the rows of their games.

Within one transaction; raises nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from godaemon.games.model import Phase, Player
from godaemon.games.people import person
from godaemon.games.store_protocols import GameSummary

_BEGUN = (Phase.PLAYING, Phase.SCORING, Phase.FINISHED)


@dataclass(slots=True)
class Acquaintance:
    """Somebody as they called themselves last, and the games that began, the newest first."""

    player: Player
    games: list[GameSummary] = field(default_factory=list)


def acquaintances(rows: Sequence[GameSummary], address: str) -> list[Acquaintance]:
    """The people in the rows of somebody's games, those first with whom they played last."""
    found: dict[str, Acquaintance] = {}
    me = person(address)
    for row in rows:
        sides = (Player(row.black, row.black_name), Player(row.white, row.white_name))
        others = [one for one in sides if person(one.address) != me]
        if row.phase in _BEGUN and len(others) == 1 and others[0].mailed:
            other = others[0]
            found.setdefault(person(other.address), Acquaintance(other)).games.append(row)
    return list(found.values())
