"""Rulesets as data: what each of them says about ko, suicide, counting, komi and resuming.

Pure. Sources stand beside each row; `named` raises `Unknown` with the names that exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from math import floor
from typing import TYPE_CHECKING

from godaemon.errors import Unknown

if TYPE_CHECKING:
    from godaemon.rules.points import Size


SMALL = 7
"""Boards with a side shorter than this have no settled komi."""


class Ko(Enum):
    """Which repetition a move may not bring about; a pass neither is forbidden nor forbids."""

    SIMPLE = "simple"
    """The position before the opponent's last move."""
    POSITIONAL = "positional"
    """Any earlier position."""
    SITUATIONAL = "situational"
    """Any earlier position with the same player to move, after a pass too."""
    NATURAL = "natural"
    """Any earlier position that the same player made with a stone of his own; the position before
    the first move was made by neither."""


class Scoring(Enum):
    """What is counted at the end."""

    TERRITORY = "territory"
    """Surrounded empty points and prisoners."""
    AREA = "area"
    """Live stones and the empty points they alone surround."""
    STONES = "stones"
    """Live stones alone."""


class Tax(Enum):
    """Which surrounded points count for nothing."""

    NONE = "none"
    SEKI = "seki"
    """Those of groups that live in seki."""
    ALL = "all"
    """Those in seki, and two of every other group: the eyes that it cannot fill."""


class Placing(Enum):
    """Where Black puts handicap stones."""

    FIXED = "fixed"
    """On the star points that tradition names for that many."""
    FREE = "free"
    """Where he likes."""


class Compensation(Enum):
    """Points that White gets for the handicap stones when area is counted."""

    NONE = "none"
    EACH = "each"
    """One for every stone: the stones themselves are Black's area."""
    ALL_BUT_ONE = "all but one"


class Resumption(Enum):
    """Who moves first when play is resumed from scoring."""

    OPPONENT = "opponent"
    """The opponent of the player who asks for it."""
    ALTERNATE = "alternate"
    """Whoever's turn it would have been: the opponent of the last to pass."""


class FourPasses(Enum):
    """What it means that play was stopped by passes, resumed, and stopped by passes at once."""

    COUNT_AGAIN = "count again"
    """Nothing more than the first stop did: the players agree on the dead stones."""
    ALL_ALIVE = "all alive"
    """The game is over, and every stone on the board is alive."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One ruleset; `komi` is the default of an even game, in points to White."""

    name: str
    ko: Ko
    suicide: bool
    """Whether several stones may be; one alone leaves the position as it was: never."""
    scoring: Scoring
    komi: float
    compensation: Compensation = Compensation.NONE
    resumption: Resumption = Resumption.ALTERNATE
    passes: int = 2
    """How many passes in a row stop play."""
    sgf: str = ""
    """The name in SGF's RU property; the name itself where empty."""
    tax: Tax = Tax.NONE
    pass_stones: bool = False
    """Whether a pass hands the opponent a prisoner."""
    white_passes_last: bool = False
    """Whether White owes one more pass stone where Black was the last to pass."""
    placing: Placing = Placing.FIXED
    four_passes: FourPasses = FourPasses.COUNT_AGAIN
    removal: bool = True
    """Whether dead stones come off by agreement; else every stone on the board is alive."""
    long_cycle: bool = False
    """Whether a game may end with no result where a position comes about a third time."""
    synonyms: tuple[str, ...] = ()
    """What else people, programs and records call it, in lower case."""

    def handicap_points(self, stones: int) -> int:
        """The points White gets at the count for that many handicap stones."""
        if stones == 0 or self.compensation is Compensation.NONE:
            return 0
        return stones if self.compensation is Compensation.EACH else stones - 1

    def komi_for(self, size: Size, handicap: int = 0) -> float:
        """The komi where none is asked for, by the size of the board and the handicap.

        In a handicap game, and on a board with a side shorter than `SMALL`, where the first move
        is worth anything from nothing to the whole board, it is what is left of the even game's
        below a whole point: enough to break a tie where the even game breaks it (OGS: `komi -=
        floor(komi)`). From there up one komi serves all sizes: what is known of 7x7 and 9x9 puts
        the fair one within two points of 19x19's (Sensei's Library, "Komi"; Li Zhe on 7x7).
        """
        if handicap or min(size) < SMALL:
            return self.komi - floor(self.komi)
        return self.komi


RULESETS: dict[str, Ruleset] = {
    ruleset.name: ruleset
    for ruleset in (
        # Nihon Kiin 1989: art. 6 (ko), 4 (no suicide), 9.3 (resumption: the opponent has the move)
        Ruleset(
            "japanese",
            Ko.SIMPLE,
            suicide=False,
            scoring=Scoring.TERRITORY,
            komi=6.5,
            resumption=Resumption.OPPONENT,
            sgf="Japanese",
        ),
        # Chinese Weiqi Association 2002: art. 20 forbids repetition of the whole board
        Ruleset(
            "chinese",
            Ko.POSITIONAL,
            suicide=False,
            scoring=Scoring.AREA,
            komi=7.5,
            compensation=Compensation.EACH,
            sgf="Chinese",
        ),
        # AGA Concise Rules of Go: rules 4 (handicap), 6 (situational superko)
        Ruleset(
            "aga",
            Ko.SITUATIONAL,
            suicide=False,
            scoring=Scoring.AREA,
            komi=7.5,
            compensation=Compensation.ALL_BUT_ONE,
            sgf="AGA",
        ),
        # New Zealand Go Society: suicide is legal, komi 7 so that a tie can happen
        Ruleset(
            "new-zealand", Ko.SITUATIONAL, suicide=True, scoring=Scoring.AREA, komi=7.0, sgf="NZ"
        ),
        # Ing SST: komi 8 and Black wins ties, which is 7.5; four passes would end it, two stop it
        Ruleset("ing", Ko.POSITIONAL, suicide=True, scoring=Scoring.AREA, komi=7.5, sgf="GOE"),
        # Tromp and Taylor, "The Logical Rules": positional superko, area, suicide
        Ruleset("tromp-taylor", Ko.POSITIONAL, suicide=True, scoring=Scoring.AREA, komi=7.5),
    )
}
"""Every ruleset by its name."""

DEFAULT = "japanese"

_SYNONYMS = {
    "japan": "japanese",
    "jp": "japanese",
    "territory": "japanese",
    "korean": "japanese",
    "china": "chinese",
    "cn": "chinese",
    "area": "chinese",
    "american": "aga",
    "bga": "aga",
    "french": "aga",
    "nz": "new-zealand",
    "newzealand": "new-zealand",
    "new_zealand": "new-zealand",
    "goe": "ing",
    "tt": "tromp-taylor",
    "tromptaylor": "tromp-taylor",
    "tromp_taylor": "tromp-taylor",
}


def named(text: str) -> Ruleset:
    """The ruleset that people or GUIs mean by a name, in any case; raises `Unknown`."""
    word = text.strip().casefold()
    name = _SYNONYMS.get(word, word)
    if name in RULESETS:
        return RULESETS[name]
    near = get_close_matches(name, RULESETS, n=2) or list(RULESETS)
    known = ", ".join(RULESETS)
    raise Unknown(
        f"I know no rules called “{text}”; I know {known}.",
        hints=tuple(f"rules {name}" for name in near),
    )
