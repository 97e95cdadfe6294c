"""Combinations of rules, as values and as text."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unknown
from godaemon.rules import ruleset_terms
from godaemon.rules.named_rulesets import RULESETS, format_ruleset, parse_ruleset, sgf_ruleset
from godaemon.rules.ruleset import Compensation, FourPasses, Ko, Placing, Ruleset, Tax


@pytest.mark.parametrize(
    ("text", "ruleset"),
    [
        (
            "chinese ko=situational suicide=yes",
            RULESETS["chinese"].replace(ko=Ko.SITUATIONAL, suicide=True),
        ),
        ("NZ, KO=psk;passes=3", RULESETS["new-zealand"].replace(ko=Ko.POSITIONAL, passes=3)),
        ("japanese tax=none", RULESETS["japanese"].replace(tax=Tax.NONE)),
        ("aga compensation=n placing=free", RULESETS["aga"].replace(
            compensation=Compensation.EACH, placing=Placing.FREE
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
def test_combinations_are_parsed(text: str, ruleset: Ruleset) -> None:
    """A base ruleset and changes to it, as people and KataGo write them."""
    assert parse_ruleset(text) == ruleset


@pytest.mark.parametrize(
    ("text", "public", "hint"),
    [
        ("chinese ko=never", "simple, positional, situational, natural", "rules chinese ko=simple"),
        ("aga suicide=perhaps", "yes, no", "rules aga suicide=yes"),
        ("aga passes=1", "2, 3, 4", "rules aga passes=2"),
        ("aga komi=many", "6.5", "rules aga komi=6.5"),
        ("aga colour=red", "no term “colour”", "rules aga ko=situational"),
    ],
)
def test_invalid_combinations_are_refused(text: str, public: str, hint: str) -> None:
    """With the possible values."""
    with pytest.raises(Unknown, match=public) as refusal:
        parse_ruleset(text)
    assert hint in refusal.value.hints


def values(kind: type) -> st.SearchStrategy[object]:
    """Every value that a field of a ruleset can have."""
    if kind is int:
        return st.integers(2, ruleset_terms.MAX_PASSES)
    return st.integers(-20, 20).map(lambda half: half / 2) if kind is float else st.from_type(kind)


COMBINATIONS = st.builds(
    lambda base, changes: RULESETS[base].replace(**changes),
    st.sampled_from(sorted(RULESETS)),
    st.fixed_dictionaries(
        {},
        optional={key.replace("-", "_"): values(kind) for key, kind in ruleset_terms.KEYS.items()},
    ),
)


@given(COMBINATIONS)
def test_combinations_are_parsed_as_written(rules: Ruleset) -> None:
    """In text and in records."""
    assert parse_ruleset(format_ruleset(rules)) == rules
    assert parse_ruleset(sgf_ruleset(rules)) == rules


@given(st.text(max_size=60) | st.from_regex(r"\A[a-z]{2,9} [a-z-]{2,9}=[a-z0-9]{1,6}\Z"))
def test_any_text_is_a_ruleset_or_refused(text: str) -> None:
    """No text gets more than a refusal."""
    with suppress(Unknown):
        assert isinstance(parse_ruleset(text), Ruleset)
