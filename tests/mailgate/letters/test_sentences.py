"""All sentences in our emails: a file of them, and none of another language."""

import os
import re
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from godaemon.games.notices import Kind
from godaemon.rules.named_rulesets import RULESETS
from godaemon.texts.catalogue import languages, speaking
from mailgate.language.command_lines import is_command_line
from mailgate.letters.headers import letter_subject
from mailgate.letters.page_words import paragraph
from tests.support import pseudo_language, sentences
from tests.support.played_games import composer
from tests.support.sentences import distinct


@pytest.mark.slow
@pytest.mark.xdist_group("tour")  # made once for all tests in one process
def test_the_file_of_sentences_is_current() -> None:
    """Every kind of letter is in it; REGENERATE_LETTERS=1 writes it again."""
    with capture_logs():
        page = sentences.page()
    if os.environ.get("REGENERATE_LETTERS"):
        sentences.FILE.write_text("\n".join([*page.splitlines(), ""]), encoding="utf-8")
    for kind in Kind:
        assert f" - {kind.value}\n" in page
    assert page.splitlines() == sentences.FILE.read_text("utf-8").splitlines()


KEPT = {
    r"[\w.]+@[\w.]+\w|[\w-]+\.(?:sgf|json|png|gif|ics|txt)": "addresses and files",
    r"Alice|alice|Bob|bob|Carol|carol|Margaret|house|gnugo|GNU Go|Go by mail": "names",
    r"UTC|Europe/Berlin|Asia/Tokyo|Berlin|Deutsch|English": "what people have chosen",
    r"\[WxH\].*?/ open|ko=positional": "how terms are written",
    "|".join(sorted(RULESETS, key=len, reverse=True)): "how rules are written",
    r"> (?:Black|White)\b": "a menu of GoGui, which is English",
    r"vacation ǿ+⟧ automatic": "a line that a table has in two lines",
}
"""Allowed unaccented text, and why, besides lines to send and people's words."""


def plain(page: str) -> Iterator[str]:
    """The unaccented words of a page, with their context."""
    left = re.sub("|".join(KEPT), "·", page)
    for found in re.finditer(r"[A-Za-z]{2,}", left):
        yield left[max(found.start() - 30, 0) : found.end() + 30]


@pytest.mark.slow
@pytest.mark.xdist_group("tour")
def test_all_text_in_emails_is_translated() -> None:
    """And none is cut, however long the sentences of a language are."""
    with capture_logs():
        toured = distinct()
    with pseudo_language.pseudo_translated():
        for one in toured:
            letter = composer().blocks(one.data)
            title = letter_subject(one.data, composer().sender_identity())
            for page in (title, *pseudo_language.pages(letter)):
                assert [*plain(page)] == [], one.data.notice
                assert page.count("⟦") == page.count("⟧"), one.data.notice


@pytest.mark.parametrize("language", languages())
def test_a_paragraph_that_looks_like_a_command_gets_a_prefix(language: str) -> None:
    """In every language."""
    with speaking(language):
        for line in ("resign", "pass", "D4", "yes", "new 9x9 vs bob@players.example"):
            assert is_command_line(line)
            assert not is_command_line(paragraph(line))
