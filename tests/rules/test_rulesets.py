"""Rulesets as data: what each says, the names it goes by, and free combination."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unknown
from godaemon.rules import variations
from godaemon.rules.points import Size
from godaemon.rules.rulesets import (
    DEFAULT,
    RULESETS,
    Compensation,
    FourPasses,
    Ko,
    Placing,
    Resumption,
    Ruleset,
    Scoring,
    Tax,
    in_sgf,
    named,
    written,
)

NATURAL, POSITIONAL, SIMPLE, SITUATIONAL = Ko.NATURAL, Ko.POSITIONAL, Ko.SIMPLE, Ko.SITUATIONAL
AREA, STONES, TERRITORY = Scoring.AREA, Scoring.STONES, Scoring.TERRITORY
FIXED, FREE = Placing.FIXED, Placing.FREE
OPPONENT, ALTERNATE = Resumption.OPPONENT, Resumption.ALTERNATE

# name: ko, suicide, scoring, tax in seki, komi, komi with a handicap, points for 3 handicap
# stones, their placing, who resumes, passes that end the game with all alive, no result after a
# long cycle, stones for passes
TABLE = {
    "japanese": (SIMPLE, False, TERRITORY, True, 6.5, 0.5, 0, FIXED, OPPONENT, None, True, False),
    "korean": (SIMPLE, False, TERRITORY, True, 6.5, 0.5, 0, FIXED, OPPONENT, None, True, False),
    "chinese": (SIMPLE, False, AREA, False, 7.5, 0.5, 3, FREE, ALTERNATE, None, True, False),
    "chinese-superko": (
        *(POSITIONAL, False, AREA, False, 7.5, 0.5, 3, FREE, ALTERNATE, None, False, False),
    ),
    "aga": (SITUATIONAL, False, AREA, False, 7.5, 0.5, 2, FIXED, ALTERNATE, 4, False, True),
    "bga": (NATURAL, False, AREA, False, 7.5, 0.5, 2, FIXED, ALTERNATE, 4, False, True),
    "new-zealand": (NATURAL, True, AREA, False, 7, 0, 0, FREE, ALTERNATE, None, False, False),
    "ing": (POSITIONAL, True, AREA, False, 7.5, 0.5, 0, FREE, ALTERNATE, 4, False, False),
    "tromp-taylor": (POSITIONAL, True, AREA, False, 7.5, 0.5, 0, FIXED, ALTERNATE, 2, False, False),
    "stone-scoring": (
        SIMPLE,
        False,
        STONES,
        False,
        7.5,
        0.5,
        0,
        FIXED,
        ALTERNATE,
        None,
        True,
        False,
    ),
}


@pytest.mark.parametrize("name", RULESETS)
def test_each_ruleset(name: str) -> None:
    """What each ruleset says, held against its published rules."""
    rules = RULESETS[name]
    assert (
        *(rules.ko, rules.suicide, rules.scoring, rules.tax is Tax.SEKI),
        *(rules.komi_for(Size(19, 19)), rules.komi_for(Size(19, 19), 3), rules.handicap_points(3)),
        *(rules.placing, rules.resumption, rules.settles, rules.long_cycle, rules.pass_stones),
    ) == TABLE[name]
    assert rules.handicap_points(0) == 0
    assert rules.passes == 2
    assert rules.white_passes_last is rules.pass_stones


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_default_komi(rules: Ruleset) -> None:
    """One komi from 5x6 up; on smaller boards, and with a handicap, its part below a point."""
    least = 0.0 if rules.name == "new-zealand" else 0.5
    for size in (Size(5, 6), Size(7, 7), Size(9, 9), Size(13, 19), Size(52, 52)):
        assert rules.komi_for(size) == rules.komi
        assert rules.komi_for(size, 2) == least
    for size in (Size(1, 1), Size(5, 5), Size(52, 4)):
        assert rules.komi_for(size) == least


@pytest.mark.parametrize(
    ("compensation", "points"),
    [
        (Compensation.NONE, [0, 0, 0, 0]),
        (Compensation.ALL_BUT_ONE, [0, 1, 2, 8]),
        (Compensation.EACH, [0, 2, 3, 9]),
    ],
)
def test_handicap_compensation(compensation: Compensation, points: list[int]) -> None:
    """White gets nothing, N-1 or N points for N stones, and nothing in an even game."""
    rules = RULESETS["aga"].replace(compensation=compensation)
    assert [rules.handicap_points(stones) for stones in (0, 2, 3, 9)] == points


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" Japanese ", "japanese"),
        ("JP", "japanese"),
        ("japanese rules", "japanese"),
        ("rules japanese", "japanese"),
        ("Korean", "korean"),
        ("baduk", "korean"),
        ("Chinese", "chinese"),
        ("cn", "chinese"),
        ("chinese-ogs", "chinese-superko"),
        ("chinese_kgs", "chinese-superko"),
        ("Chinese (superko)", "chinese-superko"),
        ("AGA", "aga"),
        ("BGA", "bga"),
        ("french", "bga"),
        ("BGA/French", "bga"),
        ("nz", "new-zealand"),
        ("New-Zealand", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("new_zealand", "new-zealand"),
        ("GOE", "ing"),
        ("Ing SST", "ing"),
        ("tt", "tromp-taylor"),
        ("Tromp Taylor", "tromp-taylor"),
        ("stone scoring", "stone-scoring"),
        ("stone_scoring", "stone-scoring"),
    ],
)
def test_names(text: str, name: str) -> None:
    """Rules are known by the names that people, KataGo, KGS, OGS and records use."""
    assert named(text) is RULESETS[name]


def test_no_name_is_two_rulesets() -> None:
    """A synonym belongs to one row."""
    names = [word for rules in RULESETS.values() for word in {rules.name, *rules.synonyms}]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_its_sgf_name_leads_back(rules: Ruleset) -> None:
    """What we write into RU is read as the same rules."""
    assert named(in_sgf(rules)) is rules
    assert named(written(rules)) is rules


def test_an_unknown_name_gets_a_suggestion() -> None:
    """A slip of the pen is answered with the rules that were meant."""
    with pytest.raises(Unknown, match="japanese, korean, chinese") as refusal:
        named("japanes")
    assert "rules japanese" in refusal.value.hints
    assert DEFAULT in RULESETS


@pytest.mark.parametrize(
    ("text", "ruleset"),
    [
        (
            "chinese ko=situational suicide=yes",
            RULESETS["chinese"].replace(ko=SITUATIONAL, suicide=True),
        ),
        ("New Zealand, KO=psk;passes=3", RULESETS["new-zealand"].replace(ko=POSITIONAL, passes=3)),
        ("japanese tax=none", RULESETS["japanese"].replace(tax=Tax.NONE)),
        ("aga compensation=n placing=free", RULESETS["aga"].replace(
            compensation=Compensation.EACH, placing=FREE
        )),
        ("tt four-passes=all alive removal=yes", RULESETS["tromp-taylor"].replace(
            four_passes=FourPasses.ALL_ALIVE, removal=True
        )),
        ("aga ko=situational", RULESETS["aga"]),
        (
            "koPOSITIONALscoreAREAtaxNONEsui1whbN-1",
            RULESETS["tromp-taylor"].replace(compensation=Compensation.ALL_BUT_ONE),
        ),
        (
            "koSIMPLEscoreTERRITORYtaxALLsui0button0whb0fpok1komi7",
            RULESETS["japanese"].replace(tax=Tax.ALL, komi=7.0),
        ),
    ],
)  # fmt: skip
def test_free_combination(text: str, ruleset: Ruleset) -> None:
    """A name and what is different from it, as people and KataGo write that."""
    assert named(text) == ruleset


@pytest.mark.parametrize(
    ("text", "public", "hint"),
    [
        ("chinese ko=never", "simple, positional, situational, natural", "rules chinese ko=simple"),
        ("aga suicide=perhaps", "yes, no", "rules aga suicide=yes"),
        ("aga passes=1", "2, 3, 4", "rules aga passes=2"),
        ("aga komi=many", "6.5", "rules aga komi=6.5"),
        ("aga colour=red", "nothing called “colour”", "rules aga ko=situational"),
    ],
)
def test_a_wrong_combination_says_what_would_do(text: str, public: str, hint: str) -> None:
    """Each refusal names the values that there are."""
    with pytest.raises(Unknown, match=public) as refusal:
        named(text)
    assert hint in refusal.value.hints


def values(kind: type) -> st.SearchStrategy[object]:
    """Every value that a field of a ruleset can have."""
    if kind is int:
        return st.integers(2, variations.MOST_PASSES)
    return st.integers(-20, 20).map(lambda half: half / 2) if kind is float else st.from_type(kind)


COMBINATIONS = st.builds(
    lambda base, changes: RULESETS[base].replace(**changes),
    st.sampled_from(sorted(RULESETS)),
    st.fixed_dictionaries(
        {}, optional={key.replace("-", "_"): values(kind) for key, kind in variations.KEYS.items()}
    ),
)


@given(COMBINATIONS)
def test_every_combination_is_read_as_it_is_written(rules: Ruleset) -> None:
    """Whatever fields are combined, the text of it is the same rules again, in a record too."""
    assert named(written(rules)) == rules
    assert named(in_sgf(rules)) == rules


@given(st.text(max_size=60) | st.from_regex(r"\A[a-z]{2,9} [a-z-]{2,9}=[a-z0-9]{1,6}\Z"))
def test_any_text_is_rules_or_refused(text: str) -> None:
    """No text gets more than a refusal."""
    with suppress(Unknown):
        assert isinstance(named(text), Ruleset)
