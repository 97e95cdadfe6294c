"""What each move of a position is worth before any game has been played out from it. Pure.

As many games as if they had been played, and how many of them won: for shape, for nearness to the
last move, for what reading says of chains with one or two liberties, against self-atari, and for
the lines on which an opening is played.
"""

from __future__ import annotations

from collections.abc import Iterator

from godaemon.engine.arena import Arena
from godaemon.engine.pattern import EYE, KINDS, ROOMY, SHAPELY
from godaemon.engine.tactics import Reader

_EVEN = 8.0
_SHAPE = 8.0
_SELF_ATARI = 12.0
_NEAR = (0.0, 18.0, 14.0, 6.0)
_CAPTURE, _CAPTURE_EACH, _CAPTURE_MOST = 10.0, 6.0, 40.0
_LOST = 25.0
_OPEN, _USUAL = 8.0, 81
"""For a board of so many points; on a larger one the opening is longer and matters more."""


class Priors:
    """The moves of one colour, with their priors: games played, and won."""

    def __init__(self, arena: Arena, color: int, last: int, *, budget: int, wide: bool) -> None:
        self.moves: list[int] = []
        self.games: dict[int, float] = {}
        self.won: dict[int, float] = {}
        self._arena, self._color = arena, color
        for index in arena.vacant:
            self._consider(index)
        self.moves.sort()  # or the order would depend on the games played before
        if last >= 0:
            self._near(last)
        self._read(last, budget, wide=wide)

    def _consider(self, index: int) -> None:
        """Add a move if it is legal and fills no eye."""
        arena = self._arena
        kind = KINDS[self._color][arena.codes[index]]
        games, won = _EVEN, _EVEN / 2
        if not kind & ROOMY:
            if kind & EYE or index == arena.ko:
                return
            room = arena.room(index, self._color)
            if not room:
                return
            if not room & (room - 1):
                games += _SELF_ATARI
        if kind & SHAPELY:
            games, won = games + _SHAPE, won + _SHAPE
        self.moves.append(index)
        self.games[index], self.won[index] = games, won
        self._line(index)

    def _line(self, index: int) -> None:
        """In the open, the first two lines are bad and the next two good, in corners most."""
        cells, plan = self._arena.cells, self._arena.plan
        place = plan.opening[index]
        if place < 0:
            if not any(cells[at] for at in plan.around[index]):
                self._note(index, _OPEN, 0.0)
        elif place and not any(cells[at] for at in plan.wide[index]):
            games = place * _OPEN * self._arena.points / _USUAL
            self._note(index, games, games)

    def _note(self, index: int, games: float, won: float) -> None:
        if index in self.games:
            self.games[index] += games
            self.won[index] += won

    def _near(self, last: int) -> None:
        """Moves near the last one are looked at first."""
        for distance, points in enumerate(self._arena.plan.rings[last]):
            for index in points:
                self._note(index, _NEAR[distance], _NEAR[distance])

    def _read(self, last: int, budget: int, *, wide: bool) -> None:
        """What can be taken and saved; chains of two liberties only where `wide`, or near."""
        arena = self._arena
        reader = Reader(arena.cells, arena.plan.near, budget)
        close = arena.plan.close[last] if last >= 0 else 0
        for chain in self._chains():
            libs = arena.libs[chain]
            count = libs.bit_count()
            if count == 1:
                self._hanging(reader, chain)
            elif count == 2 and (wide or libs & close):
                self._weak(reader, chain)

    def _chains(self) -> Iterator[int]:
        arena = self._arena
        return iter({arena.head[at] for at, cell in enumerate(arena.cells) if cell})

    def _hanging(self, reader: Reader, chain: int) -> None:
        """A chain in atari: to be taken, or saved where that works."""
        arena = self._arena
        stones = len(arena.chains[chain])
        stone = arena.chains[chain][0]
        worth = min(_CAPTURE + _CAPTURE_EACH * stones, _CAPTURE_MOST)
        out = arena.libs[chain].bit_length() - 1
        if arena.cells[stone] != self._color:
            worth = worth if reader.escapes(stone) else worth / 2
            self._note(out, worth, worth)
            return
        rescues = reader.rescues(stone)
        for index in rescues:
            self._note(index, worth, worth)
        if out not in rescues:
            self._note(out, _LOST, 0.0)

    def _weak(self, reader: Reader, chain: int) -> None:
        """A chain of two liberties: whether it can be caught now, or must be looked after."""
        arena = self._arena
        stones = len(arena.chains[chain])
        stone = arena.chains[chain][0]
        worth = min(_CAPTURE + _CAPTURE_EACH * (stones - 1), _CAPTURE_MOST)
        if arena.cells[stone] != self._color:
            found = reader.attacks(stone)
        else:
            found = reader.rescues(stone) if reader.caught(stone) else []
        for index in found:
            self._note(index, worth, worth)
