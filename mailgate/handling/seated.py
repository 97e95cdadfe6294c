"""A game and the seat of it that somebody speaks for, which go together all through this room.

Pure; raises nothing.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from godaemon.errors import Unreadable
from godaemon.games.awaited import Awaited, awaited
from godaemon.games.model import Game, Player, Seat
from godaemon.rules.points import Color, Size, parse_point
from mailgate.language.statements import vertices

_MOST_NAMED = 3
"""So many moves are offered to choose from."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A game, and the seat of it that an address speaks for."""

    game: Game
    seat: Seat

    @property
    def awaits(self) -> Awaited | None:
        """The decision that the game awaits from that seat."""
        return awaited(self.game, self.seat)

    @property
    def color(self) -> Color | None:
        """The colour that the seat plays now; None before colours are settled."""
        return self.game.color_of(self.seat)

    @property
    def word(self) -> str:
        """The seat as the log names it: the colour's, once it is known."""
        return self.game.seat(self.seat).word

    @property
    def holder(self) -> str:
        """The seat's own address, from wherever its player writes."""
        return self.game.player(self.seat).address

    @property
    def opponent(self) -> Player:
        """Who holds the other seat."""
        return self.game.player(self.seat.other)

    def stands(self, name: str) -> bool:
        """True where a stone stands on the point of that name, which may name none."""
        if not _on(self.game.spec.size, name):
            return False
        return self.game.position.board.color(parse_point(name)) is not None

    def moves_named(self, words: str) -> tuple[str, ...]:
        """The free points that some words name, a few, where it is this seat's turn."""
        if self.awaits is not Awaited.TURN:
            return ()
        points = vertices(words)
        size = self.game.spec.size
        free = [name for name in points if _on(size, name) and not self.stands(name)]
        return tuple(free[:_MOST_NAMED])

    def entry(self) -> dict[str, object]:
        """The game as the notice of a list remembers it: JSON values."""
        position, marks = self.game.revisions
        return {
            "game": self.game.id,
            "seat": self.seat.value,
            "length": self.game.length,
            "position": position,
            "marks": marks,
            "awaits": self.awaits,
        }


def _on(size: Size, name: str) -> bool:
    """True where a name is that of a point of such a board."""
    with suppress(Unreadable):
        return size.has(parse_point(name))
    return False
