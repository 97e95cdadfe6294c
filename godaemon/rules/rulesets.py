"""Rulesets as data: what each of them says about ko, suicide, counting, komi and resuming.

Pure. Sources stand beside each row; `named` raises `Unknown` with the names that exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from godaemon.errors import Unknown


class Ko(Enum):
    """Which repetition a move may not bring about."""

    SIMPLE = "simple"
    """The position before the opponent's last move."""
    POSITIONAL = "positional"
    """Any earlier position."""
    SITUATIONAL = "situational"
    """Any earlier position with the same player to move."""


class Scoring(Enum):
    """What is counted at the end."""

    TERRITORY = "territory"
    """Surrounded empty points and prisoners."""
    AREA = "area"
    """Live stones and the empty points they alone surround."""


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


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One ruleset; `komi` is the default of an even game, in points to White."""

    name: str
    ko: Ko
    suicide: bool
    scoring: Scoring
    komi: float
    compensation: Compensation = Compensation.NONE
    resumption: Resumption = Resumption.ALTERNATE
    passes: int = 2
    """How many passes in a row stop play."""
    sgf: str = ""
    """The name in SGF's RU property; the name itself where empty."""

    def handicap_points(self, stones: int) -> int:
        """The points White gets at the count for that many handicap stones."""
        if stones == 0 or self.compensation is Compensation.NONE:
            return 0
        return stones if self.compensation is Compensation.EACH else stones - 1


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
