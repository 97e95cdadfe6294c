"""The tree of a search: what has been found out about each move, and which to try next. Pure.

A move's worth joins three sources: what was thought of it beforehand (`priors`), the games that
began with it, and the games in which its colour was first there at any later time (RAVE; Gelly and
Silver, "Combining Online and Offline Knowledge in UCT", 2007). The more games began with it, the
less the others count.
"""

from __future__ import annotations

from collections.abc import Collection

from godaemon.engine.arena import NOWHERE
from godaemon.engine.priors import Priors

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
