"""One ruleset as a value: the dimensions in which published rules of Go differ.

Any combination of them is a ruleset; `godaemon.rules.named_rulesets` has the named ones.
"""

from enum import Enum
from math import floor
from typing import NamedTuple

from godaemon.rules.points import Size

SMALLEST_SIDE, SMALLEST_BOARD = 5, 30
"""Smaller boards have no settled komi: on 5x5 Black owns every point (van der Werf, "Solving Go on
small boards", 2003)."""


class Ko(Enum):
    """The positions that a move may not repeat; a pass is always legal."""

    SIMPLE = "simple"
    """The position before the opponent's last move."""
    POSITIONAL = "positional"
    """Any earlier position."""
    SITUATIONAL = "situational"
    """Any earlier position with the same player to move, after a pass too."""
    NATURAL = "natural"
    """Any earlier position that the same player made with a stone; the starting position counts as
    made by the player who does not move first."""


class Scoring(Enum):
    """What is counted at the end."""

    TERRITORY = "territory"
    """Surrounded empty points and prisoners."""
    AREA = "area"
    """Live stones and the empty points that they alone surround."""
    STONES = "stones"
    """Only live stones."""


class Tax(Enum):
    """The surrounded points that count for nothing."""

    NONE = "none"
    SEKI = "seki"
    """Points of groups that live in seki."""
    ALL = "all"
    """Points in seki, and two points of every other group: the eyes that it cannot fill."""


class Placing(Enum):
    """The points on which Black puts handicap stones."""

    FIXED = "fixed"
    """On the traditional star points."""
    FREE = "free"
    """Anywhere."""


class Compensation(Enum):
    """Points that White gets for the handicap stones when area is counted."""

    NONE = "none"
    EACH = "each"
    """One for every stone: the stones themselves are Black's area."""
    ALL_BUT_ONE = "all but one"


class Resumption(Enum):
    """The player who moves first when play is resumed from scoring."""

    OPPONENT = "opponent"
    """The opponent of the player who asks for it."""
    ALTERNATE = "alternate"
    """The player whose turn it is: the opponent of the last to pass."""


class FourPasses(Enum):
    """The meaning of passes that stop play again as soon as it has been resumed."""

    COUNT_AGAIN = "count again"
    """As after the first stop, the players agree on the dead stones."""
    ALL_ALIVE = "all alive"
    """The game is over, and every stone on the board is alive."""


class Ruleset(NamedTuple):
    """One ruleset; `komi` is the default of an even game, in points to White."""

    name: str
    ko: Ko
    suicide: bool
    """True if several stones may commit it; a single one may not, since nothing would change."""
    scoring: Scoring
    tax: Tax
    komi: float
    pass_stones: bool = False
    """True if a pass gives the opponent a prisoner."""
    white_passes_last: bool = False
    """True if White owes one more pass stone when Black passed last."""
    placing: Placing = Placing.FIXED
    compensation: Compensation = Compensation.NONE
    resumption: Resumption = Resumption.ALTERNATE
    passes: int = 2
    """The number of passes in a row that stop play."""
    four_passes: FourPasses = FourPasses.COUNT_AGAIN
    removal: bool = True
    """True if dead stones are removed by agreement; else every stone on the board is alive."""
    long_cycle: bool = False
    """True if a game may end without a result when a position occurs a third time."""
    sgf: str = ""
    """The name in SGF's RU property; "" for the name itself."""
    synonyms: tuple[str, ...] = ()
    """Other names that people, programs and records use, in lower case, with hyphens."""

    @property
    def settles(self) -> int | None:
        """The passes in a row that end the game with every stone alive; None if no number does.

        A resumption between them does not break the row.
        """
        if not self.removal:
            return self.passes
        return 2 * self.passes if self.four_passes is FourPasses.ALL_ALIVE else None

    def replace(self, **changes: object) -> "Ruleset":
        """A copy with new values for some fields: `RULESETS["chinese"].replace(suicide=True)`."""
        return self._replace(**changes)  # type: ignore[arg-type]

    def handicap_points(self, stones: int) -> int:
        """The points White gets at the count for that many handicap stones."""
        if stones == 0 or self.compensation is Compensation.NONE:
            return 0
        return stones if self.compensation is Compensation.EACH else stones - 1

    def komi_for(self, size: Size, handicap: int = 0) -> float:
        """The usual komi, by the size of the board and the handicap.

        In a handicap game, and on boards without a settled komi, only the fraction is left, which
        breaks ties (OGS: `komi -= floor(komi)`). All other sizes have the same komi: on 7x7 and 9x9
        the fair one is within two points of that on 19x19 (Li Zhe on 7x7; KataGo's books on 9x9: 6
        for territory, 7 for area).
        """
        if handicap or min(size) < SMALLEST_SIDE or size.points < SMALLEST_BOARD:
            return self.komi - floor(self.komi)
        return self.komi
