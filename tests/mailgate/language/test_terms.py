"""Terms of a game, addresses and names within sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgate.language.new_game import read_terms
from mailgate.language.terms import addresses_in, names_in, terms_in
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.rows import each_row


@each_row("row", read_lines(places.DATA / "meanings.txt")["terms of a game"])
def test_terms_are_found(row: str) -> None:
    """In any language; as a line that we offer."""
    text, wanted = (part.strip() for part in row.split("=>"))
    assert terms_in(text) == ((wanted,) if wanted else ())


@given(st.text(alphabet="9x13 komi handicap black white unrated .,5-", max_size=60))
def test_offered_terms_are_readable(text: str) -> None:
    """What is offered is understood when it comes back."""
    assert all(read_terms(line) for line in terms_in(text))


def test_addresses_are_found() -> None:
    """Each once, in their order."""
    words = "Me: a.b@x.org or c@y.example or e@localhost, not d@z. a.b@x.org"
    assert addresses_in(words) == ["a.b@x.org", "c@y.example", "e@localhost"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("a game with Ann Lee", ["Ann Lee"]),
        ("a game with ann?", ["Ann Lee"]),
        ("Annabel", []),
        ("Bob, not Ann", ["Ann Lee", "Bob"]),
        ("Боб", ["Боб"]),
        ("", []),
    ],
)
def test_names_of_players_are_found(words: str, named: list[str]) -> None:
    """In full or by their first part, as whole words."""
    assert names_in(words, ["Ann Lee", "Bob", "Боб", ""]) == named
