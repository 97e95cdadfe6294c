"""A free board on which a test's own player plays."""

from collections.abc import Callable
from typing import cast

from godaemon.engine.house import House
from godaemon.rules.ruleset import Ruleset
from gtp.board.free_board import DEFAULT_RULES, FreeBoard


class PlayedBoard(FreeBoard):
    """Its player needs only the methods of `House` that the test calls."""

    def __init__(self, player: Callable[[], object], ruleset: Ruleset = DEFAULT_RULES) -> None:
        super().__init__(ruleset)
        self._make_player = player

    def load_player(self) -> House:
        """The test's player."""
        return cast(House, self._make_player())
