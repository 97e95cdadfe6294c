"""A short run of `several.py`."""

from pathlib import Path

import pytest

from tests.crash.hops import FailureRates
from tests.crash.several import several
from tests.crash.soak import Options


@pytest.mark.peer("postgresql")
def test_two_daemons_survive_deaths_and_cut_connections(tmp_path: Path) -> None:
    """No letter is lost or handled twice, and each program sees all moves."""
    options = Options(
        *(8.0, 3.0), pairs=10, connections=4, seed=3, failure_rates=FailureRates(hangs_up=0.0)
    )
    run, wrong = several(tmp_path, options, 2, 3.0)
    assert wrong == []
    assert run.trouble_counts.total() >= 1
