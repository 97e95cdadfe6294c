"""Rulesets as data."""

from __future__ import annotations

import pytest

from godaemon.errors import Unknown
from godaemon.rules.rulesets import DEFAULT, RULESETS, Ko, Resumption, Scoring, named

# name: ko, suicide, scoring, komi, points for 3 handicap stones, who resumes
TABLE = {
    "japanese": (Ko.SIMPLE, False, Scoring.TERRITORY, 6.5, 0, Resumption.OPPONENT),
    "chinese": (Ko.POSITIONAL, False, Scoring.AREA, 7.5, 3, Resumption.ALTERNATE),
    "aga": (Ko.SITUATIONAL, False, Scoring.AREA, 7.5, 2, Resumption.ALTERNATE),
    "new-zealand": (Ko.SITUATIONAL, True, Scoring.AREA, 7.0, 0, Resumption.ALTERNATE),
    "ing": (Ko.POSITIONAL, True, Scoring.AREA, 7.5, 0, Resumption.ALTERNATE),
    "tromp-taylor": (Ko.POSITIONAL, True, Scoring.AREA, 7.5, 0, Resumption.ALTERNATE),
}


@pytest.mark.parametrize("name", RULESETS)
def test_each_ruleset(name: str) -> None:
    """What each ruleset says, held against its published rules."""
    rules = RULESETS[name]
    said = (rules.ko, rules.suicide, rules.scoring, rules.komi, rules.handicap_points(3))
    assert (*said, rules.resumption) == TABLE[name]
    assert rules.handicap_points(0) == 0
    assert rules.passes == 2


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("japanese", "japanese"),
        (" Japanese ", "japanese"),
        ("JP", "japanese"),
        ("korean", "japanese"),
        ("Chinese", "chinese"),
        ("AGA", "aga"),
        ("nz", "new-zealand"),
        ("New-Zealand", "new-zealand"),
        ("GOE", "ing"),
        ("tt", "tromp-taylor"),
        ("Tromp-Taylor", "tromp-taylor"),
    ],
)
def test_names(text: str, name: str) -> None:
    """Rules are known by the names that people and programs use."""
    assert named(text).name == name


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_its_sgf_name_leads_back(rules: object) -> None:
    """What we write into RU is read as the same rules."""
    ruleset = RULESETS[str(getattr(rules, "name", ""))]
    assert named(ruleset.sgf or ruleset.name) is ruleset


def test_an_unknown_name_gets_a_suggestion() -> None:
    """A slip of the pen is answered with the rules that were meant."""
    with pytest.raises(Unknown, match="japanese, chinese") as refusal:
        named("japanes")
    assert "rules japanese" in refusal.value.hints
    assert DEFAULT in RULESETS
