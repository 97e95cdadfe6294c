"""The tree of a search: what is known of each move, and which to try next. Pure.

A move's worth joins three sources: what is thought of it beforehand (`Priors`), the games that
began with it, and the games in which its colour was first there at any later time (RAVE; Gelly and
Silver, "Combining Online and Offline Knowledge in UCT", 2007). The more games began with it, the
less the others count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from godaemon.engine.arena import NOWHERE, Arena
from godaemon.engine.pattern import EYE, KINDS, ROOMY, SHAPELY
from godaemon.engine.tactics import Reader

_TRUST = 1 / 3000
"""One over the games after which those that began with a move outweigh those it came up in."""

_PASS_GAMES, _PASS_WON = 8.0, 1.0


class Node:
    """A position in the tree. Lists have an entry for each move; `NOWHERE` is the pass, the last.

    `won` and `late_won` count for `color`, the one to move.
    """

    __slots__ = (
        "begun",
        "color",
        "games",
        "hoped",
        "kids",
        "late",
        "late_won",
        "moves",
        "thought",
        "won",
    )

    def __init__(self, color: int, priors: Priors) -> None:
        self.color = color
        self.moves = [*priors.moves, NOWHERE]
        self.thought = [*map(priors.games.__getitem__, priors.moves), _PASS_GAMES]
        """The games that prior knowledge counts as, and below, how many of these were won."""
        self.hoped = [*map(priors.won.__getitem__, priors.moves), _PASS_WON]
        self.games, self.won = self.thought[:], self.hoped[:]
        count = len(self.moves)
        self.late, self.late_won = [0.0] * count, [0.0] * count
        self.kids: list[Node | None] = [None] * count
        self.begun = 0
        """Games that came through here."""

    def best(self) -> int:
        """The place of the move to try next."""
        found, most = 0, -1.0
        at = 0
        for games, won, late, late_won in zip(
            self.games, self.won, self.late, self.late_won, strict=True
        ):
            trust = 1 + late * _TRUST
            worth = (late_won + won * trust) / (late + games * trust)
            if worth > most:
                most, found = worth, at
            at += 1  # noqa: SIM113 - `enumerate` makes a pair for each, which is slower
        return found

    def learn(self, at: int, result: float, first: list[int]) -> None:
        """Note a game that began with the move at a place; `result` is Black's, from 0 to 1.

        `first` holds the colour that was first on each point from here on, and 0 at the end.
        """
        color = self.color
        if color < 0:
            result = 1 - result
        self.begun += 1
        self.games[at] += 1
        self.won[at] += result
        late, late_won = self.late, self.late_won
        for number, move in enumerate(self.moves):
            if first[move] == color:
                late[number] += 1
                late_won[number] += result

    def tried(self, at: int) -> float:
        """How many games began with the move at a place."""
        return self.games[at] - self.thought[at]

    def worth(self, at: int) -> float:
        """The share won of the games that began with the move at a place; 0 where none did."""
        tried = self.tried(at)
        return (self.won[at] - self.hoped[at]) / tried if tried else 0.0

    def most_tried(self) -> int:
        """The place of the move that most games began with."""
        return max(range(len(self.moves)), key=lambda at: (self.tried(at), self.worth(at)))

    def kid(self, move: int) -> Node | None:
        """What was found out about the position after a move, if anything."""
        return self.kids[self.moves.index(move)] if move in self.moves else None

    def rethink(self, priors: Priors) -> None:
        """Put better prior knowledge in the place of what was thought of the moves before."""
        for at, move in enumerate(self.moves):
            if move in priors.games:
                games, won = priors.games[move], priors.won[move]
                self.games[at] += games - self.thought[at]
                self.won[at] += won - self.hoped[at]
                self.thought[at], self.hoped[at] = games, won

    def keep(self, legal: Collection[int]) -> None:
        """Forget the moves that are not among these; passing stays."""
        places = [at for at, move in enumerate(self.moves) if move in legal or move == NOWHERE]
        self.moves = [self.moves[at] for at in places]
        self.thought = [self.thought[at] for at in places]
        self.hoped = [self.hoped[at] for at in places]
        self.games = [self.games[at] for at in places]
        self.won = [self.won[at] for at in places]
        self.late = [self.late[at] for at in places]
        self.late_won = [self.late_won[at] for at in places]
        self.kids = [self.kids[at] for at in places]


_EVEN = 8.0
_SHAPE = 8.0
_SELF_ATARI = 12.0
_NEAR = (0.0, 18.0, 14.0, 6.0)
_CAPTURE, _CAPTURE_EACH, _CAPTURE_MOST = 10.0, 6.0, 40.0
_LOST = 25.0
_OPEN, _USUAL = 8.0, 81
"""For a board of so many points; on a larger one the opening is longer and matters more."""


class Priors:
    """The worth of each move of one colour before any game has been played out from here.

    As many games as if they had been played, and how many of them won: for shape, for nearness to
    the last move, for what reading says of chains with one or two liberties, against self-atari,
    and for the lines on which an opening is played.
    """

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
