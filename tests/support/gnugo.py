"""GNU Go 3.8 by GTP, as opponent and oracle."""

from godaemon.rules.points import Point, parse_point
from tests.support.gui import Gui

PROGRAM = "/usr/games/gnugo"


class GnuGo(Gui):
    """One GNU Go process; leaving the `with` block ends it."""

    def __init__(self, *options: str) -> None:
        super().__init__([PROGRAM, "--mode", "gtp", *options])

    def dead(self) -> frozenset[Point]:
        """The stones that it considers dead."""
        return frozenset(map(parse_point, self.ask("final_status_list dead").split()))
