"""Our engine plays GNU Go, and both see the same score at the end."""

from __future__ import annotations

import pytest

from godaemon.rules.points import Color
from tests.support.gnugo import play_match


@pytest.mark.peer("gnugo")
@pytest.mark.parametrize("ours", Color)
@pytest.mark.parametrize("rules", ["japanese", "chinese"])
def test_both_agree_on_the_score(rules: str, ours: Color) -> None:
    """No move is refused by anybody, two passes end the game, and the scores are equal."""
    for seed in range(2):
        match = play_match(9, rules, ours=ours, seed=seed)
        assert match.ours.result == match.theirs
