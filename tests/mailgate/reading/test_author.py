"""The author of a letter, by its From and Sender."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgate.address import Address
from mailgate.reading.message import find_author

BOB = "bob@players.example"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (f"Bob Okafor <{BOB}>", "Bob Okafor"),
        (f"{BOB} (Bob Okafor)", "Bob Okafor"),
        (f"(at home) Bob Okafor <{BOB}>", "Bob Okafor"),
        (f"Bob Okafor (at (his) home) <{BOB}> (again)", "Bob Okafor"),
        (f'Bob "Bobby" Okafor <{BOB}>', "Bob Bobby Okafor"),
        (f'"Bob" Okafor <{BOB}>', "Bob Okafor"),
        (f'"Okafor, Bob" <{BOB}>', "Okafor, Bob"),
        (f"Okafor, Bob <{BOB}>", "Okafor, Bob"),
        (f'"Bob Okafor (Acme, Inc.)" <{BOB}>', "Bob Okafor"),
        (f'"Bob Okafor [EXT]" <{BOB}>', "Bob Okafor"),
        (f"'Bob Okafor' <{BOB}>", "Bob Okafor"),
        (f"“Bob Okafor” <{BOB}>", "Bob Okafor"),
        (f'"Bob \\"Bobby\\" Okafor" <{BOB}>', 'Bob "Bobby" Okafor'),
        (f"=?utf-8?q?Bob_=C3=98kafor?= <{BOB}>", "Bob Økafor"),
        (f"=?utf-8?q?=C3=98kafor,_Bob?= (=?utf-8?q?=C3=A9?=) <{BOB}>", "Økafor, Bob"),
        (f"=?utf-8?q?Bob_(work)?= <{BOB}>", "Bob"),
        (f'"{BOB}" <{BOB}>', ""),
        (f"Bob <{BOB}>,", "Bob"),
        (f"<{BOB}>", ""),
        ('Bob <"bob"@players.example>', "Bob"),
        ('"bob"@players.example (Bob)', "Bob"),
        ("bob (mine) @ (work) players.example", "mine work"),
        ("Bob <bob @ players.example>", "Bob"),
    ],
)
def test_the_author_is_read_from_any_form(written: str, name: str) -> None:
    """Name and address in any order; a name is never an address."""
    assert find_author(written, "eve@players.example") == (Address(BOB, name), False)


@pytest.mark.parametrize(
    ("sender", "author"),
    [
        (f"Bob <{BOB}>", BOB),
        ("office@players.example", "office@players.example"),
        (f"{BOB}, al@players.example", None),
        ("", None),
    ],
)
def test_sender_decides_between_several_authors(sender: str, author: str | None) -> None:
    """RFC 5322, 3.6.2: it must name one of them."""
    for several in (f"al@players.example, {BOB}", f'"Al, A." <al@players.example>, Bob <{BOB}>'):
        found, many = find_author(several, sender)
        assert (found.address if found else None, many) == (author, True)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "undisclosed",
        "<a@x.example> <b@x.example>",
        "<a@x.example> b@x.example",
        "Friends: a@x.example;",
        '"Al <a@x.example>"',
        '"a b"@x.example',
        '"b@y.example"@x.example',
        "b@y.example a @ x.example",
        "a @ x.example @ y.example",
        "=?utf-8?q?Al_=3Ca=40x.example=3E?=",
    ],
)
def test_an_ambiguous_author_is_none(written: str) -> None:
    """Programs could differ about who wrote such a letter."""
    assert find_author(written, "")[0] is None


@given(st.text(max_size=200), st.text(st.sampled_from('"<>(),@ab.\\ =?'), max_size=60))
def test_any_field_is_read(one: str, other: str) -> None:
    """No field breaks the parser, and an author has one address."""
    for written in (one, other):
        found, _ = find_author(written, other)
        assert found is None or found.address.count("@") == 1
