"""The rulesets that people play by, as rows of data, and their names.

A comment before each row cites its source and contested points.
"""

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

# Nihon Kiin 1989, J. Davies's translation: art. 4 (no suicide), 6 (ko), 8 (no territory in seki),
# 9.3 (the opponent of the player who requests resumption moves first), 12 (no result if both agree
# after a whole-board repetition). Contested: by 13.1 both lose if neither plays on; no server
# implements that, and here the game continues until they agree.
_JAPANESE = Ruleset(
    "japanese",
    Ko.SIMPLE,
    suicide=False,
    scoring=Scoring.TERRITORY,
    tax=Tax.SEKI,
    komi=6.5,
    resumption=Resumption.OPPONENT,
    long_cycle=True,
    sgf="Japanese",
    synonyms=("japan", "jp", "jpn", "ja", "territory", "nihon-kiin", "igo"),
)

# Chinese Weiqi Association 2002: art. 7 (area), 10 (N points for N stones), 20 (repetition).
# Contested: art. 20 forbids any repetition, but referees void or replay long cycles and forbid
# only the plain ko. KataGo, the Chinese servers and this row follow the referees; KGS, OGS and the
# next row follow the letter.
_CHINESE = Ruleset(
    "chinese",
    Ko.SIMPLE,
    suicide=False,
    scoring=Scoring.AREA,
    tax=Tax.NONE,
    komi=7.5,
    placing=Placing.FREE,
    compensation=Compensation.EACH,
    long_cycle=True,
    sgf="Chinese",
    synonyms=("china", "cn", "chn", "zh", "area", "weiqi", "cwa"),
)

# AGA Concise Rules of Go: rules 4 (N-1 points if area is counted), 6 (situational), 7 (a pass
# hands over a stone), 9 (the opponent of the last to pass resumes; two more passes: all stones are
# alive), 10 and 12 (White passes last, so that area and territory agree). Contested: an area count
# does not need pass stones, so servers omit them; so do we.
_AGA = Ruleset(
    "aga",
    Ko.SITUATIONAL,
    suicide=False,
    scoring=Scoring.AREA,
    tax=Tax.NONE,
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
    # Korea Baduk Association: differs from the Japanese rules only in cases for a judge, so KataGo
    # and OGS treat them alike
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
    # British Go Association and French federation: AGA rules with natural superko (a player may not
    # recreate a position with a stone) in place of situational. Contested: KataGo treats the two
    # alike.
    _AGA.replace(
        name="bga",
        ko=Ko.NATURAL,
        sgf="BGA",
        synonyms=("british", "bga/french", "french", "france", "ffg", "fr", "uk", "gb"),
    ),
    # New Zealand Go Society: "after any of that player's previous moves" (natural); suicide;
    # komi 7, so ties are possible, and none in a handicap game. Contested: its text allows the
    # suicide of one stone, which is a pass in effect; like KataGo, we always refuse a move that
    # changes nothing. By its text the players agree on who moves after a stop, or else all stones
    # live; here it is the opponent of the last to pass.
    Ruleset(
        "new-zealand",
        Ko.NATURAL,
        suicide=True,
        scoring=Scoring.AREA,
        tax=Tax.NONE,
        komi=7.0,
        placing=Placing.FREE,
        sgf="NZ",
        synonyms=("nz", "newzealand", "nzgs", "nzl"),
    ),
    # Ing's SST: komi 8, and Black wins ties, which equals 7.5; two passes stop the game and four
    # end it. Contested: fighting and disturbing kos need a referee, so positional superko replaces
    # them (OGS, KataGo); no points for handicap stones (OGS gives one for each).
    Ruleset(
        "ing",
        Ko.POSITIONAL,
        suicide=True,
        scoring=Scoring.AREA,
        tax=Tax.NONE,
        komi=7.5,
        placing=Placing.FREE,
        four_passes=FourPasses.ALL_ALIVE,
        sgf="GOE",
        synonyms=("goe", "ing-sst", "sst", "ing-goe"),
    ),
    # Tromp and Taylor, "The Logical Rules": two passes end the game, and no stones are removed
    Ruleset(
        "tromp-taylor",
        Ko.POSITIONAL,
        suicide=True,
        scoring=Scoring.AREA,
        tax=Tax.NONE,
        komi=7.5,
        removal=False,
        sgf="Tromp-Taylor",
        synonyms=("tt", "tromptaylor", "logical", "tromp"),
    ),
    # Only stones count, as in old China (Sensei's Library, "Stone scoring"): each group keeps two
    # eyes that it cannot fill, and players fill the other points. Otherwise as KataGo's
    # "stone-scoring", which replaces the filling by a group tax.
    Ruleset(
        "stone-scoring",
        Ko.SIMPLE,
        suicide=False,
        scoring=Scoring.STONES,
        tax=Tax.NONE,
        komi=7.5,
        long_cycle=True,
        sgf="Stone scoring",
        synonyms=("stone", "stones", "stone-counting", "ancient-chinese"),
    ),
)

RULESETS: dict[str, Ruleset] = {ruleset.name: ruleset for ruleset in _ROWS}

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


_MAX_LENGTH = 1_000
"""The limit on the length of a text, in characters; all terms of a ruleset fit."""


@lru_cache(maxsize=256)
def parse_ruleset(text: str) -> Ruleset:
    """The ruleset of a name in any case; raises `Unknown`, with similar names as hints.

    Changed terms may follow the name: `chinese ko=situational suicide=yes`. The notation of
    KataGo's records is read too: `koPOSITIONALscoreAREAtaxNONEsui1whbN-1`.

    >>> parse_ruleset("AGA rules").ko
    <Ko.SITUATIONAL: 'situational'>
    >>> parse_ruleset("chinese suicide=yes").suicide
    True
    """
    compact = ruleset_terms.parse_compact(text)
    if compact is not None:
        territory = compact["scoring"] is Scoring.TERRITORY
        return RULESETS["japanese" if territory else "tromp-taylor"].replace(**compact)
    if len(text) > _MAX_LENGTH:
        raise _unknown_ruleset(text)
    name, *terms = re.split(r"[\s,;]+(?=[a-z-]+\s*=)", text.strip(), flags=re.IGNORECASE)
    ruleset = _NAMES.get(_name_key(name))
    if ruleset is None:
        raise _unknown_ruleset(name)
    try:
        return ruleset.replace(**ruleset_terms.parse_terms(terms)) if terms else ruleset
    except Refusal as fault:
        hints = tuple(f"rules {ruleset.name} {hint}" for hint in fault.hints)
        raise Unknown(fault.public, hints=hints) from fault


def format_ruleset(ruleset: Ruleset) -> str:
    """The text that `parse_ruleset` reads back: the name, and the terms that differ from its row.

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
    """The value of SGF's RU, which `parse_ruleset` reads: the name in SGF and terms that differ."""
    return " ".join((ruleset.sgf, *ruleset_terms.format_terms(RULESETS[ruleset.name], ruleset)))


def _unknown_ruleset(text: str) -> Unknown:
    from difflib import get_close_matches  # noqa: PLC0415 - few names are wrong

    similar = get_close_matches(_name_key(text), _NAMES, n=3) or list(RULESETS)
    names = dict.fromkeys(_NAMES[name].name if name in _NAMES else name for name in similar)
    return Unknown(
        sentence("no-such-rules", text=text, known=tuple(RULESETS)),
        hints=tuple(f"rules {name}" for name in names),
    )
