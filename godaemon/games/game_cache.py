"""A cache of games, so that logs need not be replayed from the start each time.

Logs grow, so later events bring a cached game up to date. A game is dropped after a rollback, and
after its log was rewritten.
"""

from collections import OrderedDict
from collections.abc import Iterable

from godaemon.errors import Unknown
from godaemon.games.model import Game
from godaemon.games.state import apply, replay
from godaemon.games.stored_values import Unit
from godaemon.texts.catalogue import sentence


class GameCache:
    """Up to `limit` games; the least recently used are dropped. The writer's thread fills it.

    A game of 120 moves on 19x19 takes 28 KiB.
    """

    def __init__(self, limit: int = 1024) -> None:
        self._games: OrderedDict[int, Game] = OrderedDict()
        self._limit = limit

    def load(self, unit: Unit, number: int) -> Game:
        """The up-to-date game, now cached; raises `Unknown`."""
        known = self._games.get(number)
        if known is None:
            log = unit.games.log(number)
            if not log:
                raise Unknown(sentence("game-gone", game=number))
            game = replay(number, log)
        else:
            game = known
            for entry in unit.games.log(number, first=known.length):
                game = apply(game, entry.event, entry.at)
        self.keep(game)
        return game

    def keep(self, game: Game) -> None:
        """Cache a game as it is in the current transaction."""
        self._games[game.id] = game
        self._games.move_to_end(game.id)
        if len(self._games) > self._limit:
            self._games.popitem(last=False)

    def peek(self, number: int) -> Game | None:
        """The cached game, or None. Thread-safe."""
        return self._games.get(number)

    def drop(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._games.pop(number, None)

    def clear(self) -> None:
        self._games.clear()
