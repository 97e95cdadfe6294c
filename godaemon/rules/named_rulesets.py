"""The rulesets that people play by, as rows of data, and the names they go by.

Pure. Sources stand beside each row, and what is contested is said there; `parse_ruleset` raises
`Unknown` with the names that exist.
"""

from __future__ import annotations

import re
from functools import lru_cache

from godaemon.errors import Refusal, Unknown
from godaemon.rules import ruleset_terms
from godaemon.rules.ruleset import (
    Compensation,
    FourPasses,
    Ko,
    Placing,
    Resumption,
    Ruleset,
    Scoring,
    Tax,
)
from godaemon.texts.catalogue import join_and, say, sentence

__all__ = [
    "DEFAULT",
    "RULESETS",
    "Compensation",
    "FourPasses",
    "Ko",
    "Placing",
    "Resumption",
    "Ruleset",
    "Scoring",
    "Tax",
    "format_ruleset",
    "parse_ruleset",
    "rules_text",
    "sgf_ruleset",
]

# Nihon Kiin 1989, J. Davies's translation: art. 4 (no suicide), 6 (ko), 8 (no territory in seki),
# 9.3 (the opponent of the one who asks for resumption moves first), 12 (no result where both agree
# after a whole-board repetition). Contested: by 13.1 both lose if neither plays on; no server
# does that, and here the game goes on until they agree.
_JAPANESE = Ruleset(
    "japanese",
    Ko.SIMPLE,
    suicide=False,
    scoring=Scoring.TERRITORY,
    komi=6.5,
    tax=Tax.SEKI,
    resumption=Resumption.OPPONENT,
    long_cycle=True,
    sgf="Japanese",
    synonyms=("japan", "jp", "jpn", "ja", "territory", "nihon-kiin", "igo"),
)

# Chinese Weiqi Association 2002: art. 7 (area), 10 (N points for N stones), 20 (repetition).
# Contested: art. 20 forbids any repetition, but referees void or replay long cycles and forbid
# only the plain ko; KataGo and the servers of China go by that, and so does this row. KGS and OGS
# play the letter of it, which is the next row.
_CHINESE = Ruleset(
    "chinese",
    Ko.SIMPLE,
    suicide=False,
    scoring=Scoring.AREA,
    komi=7.5,
    placing=Placing.FREE,
    compensation=Compensation.EACH,
    long_cycle=True,
    sgf="Chinese",
    synonyms=("china", "cn", "chn", "zh", "area", "weiqi", "cwa"),
)

# AGA Concise Rules of Go: rules 4 (N-1 points where area is counted), 6 (situational), 7 (a pass
# hands over a stone), 9 (the opponent of the last to pass resumes; two more passes: all stones are
# alive), 10 and 12 (White passes last, so that area and territory agree). Contested: servers leave
# the stones of passes out, since the area does not need them; so does any count of area here.
_AGA = Ruleset(
    "aga",
    Ko.SITUATIONAL,
    suicide=False,
    scoring=Scoring.AREA,
    komi=7.5,
    pass_stones=True,
    white_passes_last=True,
    compensation=Compensation.ALL_BUT_ONE,
    four_passes=FourPasses.ALL_ALIVE,
    sgf="AGA",
    synonyms=("american", "usa", "us"),
)

_ROWS = (
    _JAPANESE,
    # Korea Baduk Association: Japanese in all that changes a result outside the judges' room
    # (KataGo and OGS make no difference either)
    _JAPANESE.replace(name="korean", sgf="Korean", synonyms=("korea", "kr", "kor", "baduk", "kba")),
    _CHINESE,
    # The letter of art. 20, as OGS and KGS play it
    _CHINESE.replace(
        name="chinese-superko",
        ko=Ko.POSITIONAL,
        long_cycle=False,
        sgf="Chinese (superko)",
        synonyms=("chinese-ogs", "chinese-kgs", "chinese-positional", "chinese-psk"),
    ),
    _AGA,
    # British Go Association and French federation: as the AGA, but a player may not make with a
    # stone a position that he made so before ("natural"), where the AGA's text forbids any that
    # comes about with the same player to move. Contested: KataGo takes the two for one.
    _AGA.replace(
        name="bga",
        ko=Ko.NATURAL,
        sgf="BGA",
        synonyms=("british", "bga/french", "french", "france", "ffg", "fr", "uk", "gb"),
    ),
    # New Zealand Go Society: "after any of that player's previous moves" (natural); suicide;
    # komi 7, so that a tie can happen, and none in a handicap game. Contested: its words allow
    # the suicide of one stone, a pass in effect; a move that changes nothing is refused under
    # every ruleset here, as KataGo does. Who moves after a stop is there for the players to
    # agree on, or else all stones live; here it is the opponent of the last to pass, as elsewhere.
    Ruleset(
        "new-zealand",
        Ko.NATURAL,
        suicide=True,
        scoring=Scoring.AREA,
        komi=7.0,
        placing=Placing.FREE,
        sgf="NZ",
        synonyms=("nz", "newzealand", "nzgs", "nzl"),
    ),
    # Ing's SST: eight points of which Black wins ties, which is 7.5; two passes stop the game and
    # four end it. Contested: fighting and disturbing kos need a referee, so positional superko
    # stands for them (OGS, KataGo); no points for handicap stones (OGS gives one for each).
    Ruleset(
        "ing",
        Ko.POSITIONAL,
        suicide=True,
        scoring=Scoring.AREA,
        komi=7.5,
        placing=Placing.FREE,
        four_passes=FourPasses.ALL_ALIVE,
        sgf="GOE",
        synonyms=("goe", "ing-sst", "sst", "ing-goe"),
    ),
    # Tromp and Taylor, "The Logical Rules": two passes end the game, and nothing is taken off
    Ruleset(
        "tromp-taylor",
        Ko.POSITIONAL,
        suicide=True,
        scoring=Scoring.AREA,
        komi=7.5,
        removal=False,
        sgf="Tromp-Taylor",
        synonyms=("tt", "tromptaylor", "logical", "tromp"),
    ),
    # Stones alone count, as in old China (Sensei's Library, "Stone scoring"): each group keeps two
    # eyes it cannot fill, so that a game is played until nothing else is empty. The rest is
    # KataGo's "stone-scoring", but that it taxes groups to spare the players the filling.
    Ruleset(
        "stone-scoring",
        Ko.SIMPLE,
        suicide=False,
        scoring=Scoring.STONES,
        komi=7.5,
        long_cycle=True,
        sgf="Stone scoring",
        synonyms=("stone", "stones", "stone-counting", "ancient-chinese"),
    ),
)

RULESETS: dict[str, Ruleset] = {ruleset.name: ruleset for ruleset in _ROWS}
"""Every ruleset by its name."""

DEFAULT = "japanese"


def _name_key(text: str) -> str:
    """A name in lower case, its words joined by hyphens, without the word "rules" at either end."""
    words = re.sub(r"[\s_()-]+", "-", text.strip().casefold()).strip("-")
    return re.sub(r"^rules?-|-rules?(et)?$", "", words)


_NAMES = {
    _name_key(name): ruleset
    for ruleset in _ROWS
    for name in (ruleset.name, ruleset.sgf, *ruleset.synonyms)
}


_LONGEST = 1_000
"""Characters in which every rule can be said; what is longer is not looked at."""


@lru_cache(maxsize=256)
def parse_ruleset(text: str) -> Ruleset:
    """The ruleset that people or programs mean by a name, in any case; raises `Unknown`.

    After the name may come what is different: `chinese ko=situational suicide=yes`. KataGo's own
    notation, which its records carry, is read too: `koPOSITIONALscoreAREAtaxNONEsui1whbN-1`.

    >>> parse_ruleset("AGA rules").ko
    <Ko.SITUATIONAL: 'situational'>
    >>> parse_ruleset("chinese suicide=yes").suicide
    True
    """
    compact = ruleset_terms.parse_compact(text)
    if compact is not None:
        territory = compact["scoring"] is Scoring.TERRITORY
        return RULESETS["japanese" if territory else "tromp-taylor"].replace(**compact)
    if len(text) > _LONGEST:
        raise _unknown_ruleset(text)
    first, *changed = re.split(r"[\s,;]+(?=[a-z-]+\s*=)", text.strip(), flags=re.IGNORECASE)
    ruleset = _NAMES.get(_name_key(first))
    if ruleset is None:
        raise _unknown_ruleset(first)
    try:
        return ruleset.replace(**ruleset_terms.parse_terms(changed)) if changed else ruleset
    except Refusal as fault:
        hints = tuple(f"rules {ruleset.name} {hint}" for hint in fault.hints)
        raise Unknown(fault.public, hints=hints) from fault


def format_ruleset(ruleset: Ruleset) -> str:
    """The text that `parse_ruleset` reads back: its name, and what differs from its row.

    >>> format_ruleset(RULESETS["japanese"].replace(ko=Ko.POSITIONAL))
    'japanese ko=positional'
    """
    return " ".join((ruleset.name, *ruleset_terms.format_terms(RULESETS[ruleset.name], ruleset)))


def rules_text(ruleset: Ruleset) -> str:
    """`Japanese rules`, followed by the terms that differ.

    >>> rules_text(RULESETS["japanese"].replace(ko=Ko.POSITIONAL))
    'Japanese rules with ko=positional'
    """
    rules = say(f"rules-{ruleset.name}")
    changes = ruleset_terms.format_terms(RULESETS[ruleset.name], ruleset)
    return say("rules-changed", rules=rules, changes=join_and(changes)) if changes else rules


def sgf_ruleset(ruleset: Ruleset) -> str:
    """The text of SGF's RU: the name known there, and what differs; `parse_ruleset` reads it."""
    return " ".join((ruleset.sgf, *ruleset_terms.format_terms(RULESETS[ruleset.name], ruleset)))


def _unknown_ruleset(text: str) -> Unknown:
    from difflib import get_close_matches  # noqa: PLC0415 - few names are wrong

    near = get_close_matches(_name_key(text), _NAMES, n=3) or list(RULESETS)
    names = dict.fromkeys(_NAMES[name].name if name in _NAMES else name for name in near)
    return Unknown(
        sentence("no-such-rules", text=text, known=tuple(RULESETS)),
        hints=tuple(f"rules {name}" for name in names),
    )
