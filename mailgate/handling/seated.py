"""A game and the seat of it that somebody speaks for, which go together all through this room.

Pure; raises nothing.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from godaemon.errors import Unreadable
from godaemon.games.awaited import Awaited, awaited
from godaemon.games.model import Game, Player, Seat
from godaemon.rules.points import Color, parse_point


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
        with suppress(Unreadable):
            point = parse_point(name)
            board = self.game.position.board
            return self.game.spec.size.has(point) and board.color(point) is not None
        return False

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
