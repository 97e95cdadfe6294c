"""A short run of `chaos.py`: the books balance."""

from pathlib import Path

import pytest

from tests.crash.chaos import chaos
from tests.crash.soak import Options

SEED = 7
"""With it there is a trouble about every second."""


@pytest.mark.sqlite("its file is read by the books")
@pytest.mark.peer("dovecot", "strace", "faketime")
def test_every_trouble_loses_nothing(tmp_path: Path) -> None:
    """Letters by SMTP, LMTP and IMAP have their effect once, and all notices arrive."""
    options = Options(8.0, 1.0, pairs=8, connections=4, seed=SEED)
    run, wrong = chaos(tmp_path, options)
    assert wrong == [], run.report(wrong)
    assert run.troubles.counts.total() >= 3
    assert run.post.acknowledged > 0
