"""Forged letters of every kind fall on nobody, and whoever plays beside them notices nothing.

A few hundred by default; GODAEMON_FLOOD=10000 sends so many.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from godaemon.config.mail_options import MailLimits
from tests.crash.floods import Flood

LETTERS = int(os.environ.get("GODAEMON_FLOOD", "240"))
LIMITS = MailLimits()


@pytest.mark.timeout(120 + LETTERS)
@pytest.mark.parametrize("way", ["one source", "many sources", "a relay"])
def test_forged_letters(tmp_path: Path, way: str) -> None:
    """Nobody who never wrote gets more than is promised, and all of them together no more."""
    run = Flood(tmp_path, way, LETTERS // 3).flood()
    assert run.most <= LIMITS.letters_per_stranger, run.report()
    assert run.got.total() <= LIMITS.strangers_in_all, run.report()
    if way == "one source":
        assert run.got.total() <= LIMITS.strangers_per_network, run.report()
    assert run.lost == [], run.report()
    assert run.waits, run.report()
    assert set(run.answers) <= {"250", "451", "450"}, run.report()
