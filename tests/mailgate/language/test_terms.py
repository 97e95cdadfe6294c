"""Terms of a game, addresses and names within sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgate.language.new_game import read_terms
from mailgate.language.terms import addresses_in, leaves_terms_open, names_in, terms_in
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


@each_row(
    "text",
    [
        row.strip()
        for row in """
    Bob takes Black | Yes, Bob takes Black | white for Bob | let Bob be black | I want Bob as black
    Schwarz für Bob | Bob soll Schwarz nehmen | Ich möchte, dass Bob Schwarz nimmt | Bob: Weiß
    Bob prend les noirs | les blancs pour Bob | blancas para Bob
    il nero a Bob | Bob neemt zwart | wit voor Bob | Bob zagra czarnymi
    чёрные для Боба | Боб играет чёрными | Bob tar svart | ボブが黒
    밥이 흑으로 | 鲍勃执黑 | my nephew takes black | 9x9, Bob black | black, says Bob, is Bob black
""".replace("\n", "|").split("|")
        if row.strip()
    ],
)
def test_a_colour_beside_an_unknown_name_is_nobodys(text: str) -> None:
    """Both colours are offered, and neither is taken without a question."""
    assert leaves_terms_open(text)
    assert len(terms_in(text)) == 2


@each_row(
    "text",
    [
        row.strip()
        for row in """
    white for you | you can have white | she gets white | my friend takes white | white for him
    the other player is white | Weiß für dich | mein Freund nimmt Weiß | les blancs pour toi
    mon ami prend les blancs | blancas para ti | il bianco per te | wit voor jou | białe dla ciebie
    brancas para você | белые для тебя | vitt till dig | あなたが白 | 友達が白 | 친구가 백 | 白给你
""".replace("\n", "|").split("|")
        if row.strip()
    ],
)
def test_a_colour_of_the_other_player_leaves_the_other_one(text: str) -> None:
    """It is only offered."""
    assert leaves_terms_open(text)
    assert terms_in(text)[0].endswith("as black")


@each_row(
    "text",
    [
        row.strip()
        for row in """
    black please | Yes, as Black | Black, if possible | with the black stones | black for me please
    Black would be nice | rated, as black, 13x13 | 9x9 black | Can I be Black? | the black stones
    Please let me have Black. | Schwarz bitte | gern mit Schwarz | als Schwarz, wenn's geht
    con negras por favor | negras si puede ser | avec les noirs | noir svp | les noirs de préférence
    il nero grazie | con i neri | zwart graag | met zwart | czarne proszę | de pretas por favor
    чёрными пожалуйста | за чёрных | svart tack | 黒番でお願いします | 黒がいいです | 黒を持ちたい
    흑으로 할게요 | 흑이 좋아요 | 执黑 | 我想拿黑棋 | I'd like black and he can choose the size
""".replace("\n", "|").split("|")
        if row.strip()
    ],
)
def test_a_colour_beside_known_words_is_the_writers(text: str) -> None:
    """Without any other person."""
    assert terms_in(text)[0].endswith("as black")
