"""Terms of a game, addresses and names within sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgate.language.new_game import read_terms
from mailgate.language.terms import addresses_in, names_in, terms_in

TERMS = """
Yes but only 2 handicap stones and can I be black? On the 13x13 board | 13x13 handicap 2 as black
could we play on a small board | 9x9
9路盤で対局したいです。私は黒がいいです | 9x9 as black
我想下十九路，我执白 | 19x19 as white
５路盤 | 5x5
13줄 바둑판 | 13x13
auf dem 9er Brett | 9x9
auf einem kleinen Brett, 5 mal 5, ich nehme Schwarz | 5x5 as black
9 by 9 | 9x9
five by five, komi 0.5 please | 5x5 komi 0.5
neun mal neun | 9x9
en dix-neuf par dix-neuf | 19x19
тринадцать на тринадцать | 13x13
I have met him five times |
9 на 9 | 9x9
komi 0.5, please | komi 0.5
Lieber auf dem 13x13 Brett | 13x13
avec 3 pierres de handicap | handicap 3
komi de 5,5 | komi 5.5
unrated please | unrated
No time limit at all | no clock
No time for games at the minute |
ohne Zeitlimit bitte | no clock
один ход в неделю | 7 days per move
one move per week, please | 7 days per move
tous les deux jours un coup | 2 days per move
週に一手でお願いします | 7 days per move
两天走一步 | 2 days per move
half a day per move | half a day per move
ten days plus half a day per move | ten days plus half a day per move
三十天走一步 |
one move every 2 weeks and 3 days |
Yes, I'd love to play you as black | as black
happy to play against you as black | as black
it's my move this week |
I would be white | as white
she takes black | as white
je prends noir si ça te va | as black
vorrei il nero se ti va bene | as black
ona gra czarnymi | as white
彼女が黒です | as white
I'll take white, you take black | as white
black or white? |
How is your daughter? |
I am 13 years old |
See you in 9 days |
write to bob9x9@example.org |
"""


@pytest.mark.parametrize("row", TERMS.strip().split("\n"))
def test_terms_are_found(row: str) -> None:
    """In any language; as a line that we offer."""
    text, wanted = (part.strip() for part in row.split("|"))
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
