"""The file of all sentences in our emails is up to date."""

import os

import pytest
from structlog.testing import capture_logs

from godaemon.games.notices import Kind
from tests.support import sentences


@pytest.mark.slow
@pytest.mark.xdist_group("tour")  # made once for all tests in one process
def test_the_file_of_sentences_is_current() -> None:
    """Every kind of letter is in it; REGENERATE_LETTERS=1 writes it again."""
    with capture_logs():
        page = sentences.page()
    if os.environ.get("REGENERATE_LETTERS"):
        sentences.FILE.write_text(page, encoding="utf-8")
    for kind in Kind:
        assert f" - {kind.value}\n" in page
    assert page.splitlines() == sentences.FILE.read_text("utf-8").splitlines()
