"""GNU Go 3.8 as an opponent and an oracle, by its GTP pipe."""

from __future__ import annotations

from godaemon.rules.points import Point, parse_point
from tests.support.gui import Gui

PROGRAM = "/usr/games/gnugo"


class GnuGo(Gui):
    """One GNU Go process, spoken to by GTP; close it by leaving the `with` block."""

    def __init__(self, *options: str) -> None:
        super().__init__([PROGRAM, "--mode", "gtp", *options])

    def dead(self) -> frozenset[Point]:
        """The stones it takes for dead."""
        return frozenset(map(parse_point, self.ask("final_status_list dead").split()))
