"""The fast position and a naive one are the same, whatever is played."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.rules import position
from godaemon.rules.points import Size
from godaemon.rules.rulesets import RULESETS, Ko, Ruleset
from tests.support.examples import examples
from tests.support.twins import play_twins

RULES = [
    RULESETS["tromp-taylor"].replace(ko=ko, suicide=suicide)
    for ko in Ko
    for suicide in (True, False)
]


@pytest.mark.parametrize("ruleset", RULES, ids=lambda each: f"{each.ko.value}-{each.suicide}")
@settings(max_examples=examples(120))
@given(st.integers(), st.integers(1, 7), st.integers(1, 5))
def test_random_games(ruleset: Ruleset, seed: int, width: int, height: int) -> None:
    """Games of both colours on small boards, where everything repeats, with passes and undo."""
    play_twins(random.Random(seed), Size(width, height), ruleset, 120)


@pytest.mark.parametrize("ruleset", RULES, ids=lambda each: f"{each.ko.value}-{each.suicide}")
def test_positions_that_share_a_hash(ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is refused for its hash: where half of all share one the stones still decide."""
    monkeypatch.setattr(position, "_hash", lambda cells: hash(tuple(cells)) & 1)
    rng = random.Random(5)
    for width, height in ((1, 3), (2, 2), (3, 2), (4, 1), (3, 3)):
        play_twins(rng, Size(width, height), ruleset, 200)
