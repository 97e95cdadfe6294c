"""Tokens: signing, parsing, and rejection of others."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import ConfigError
from mailgate import tokens
from mailgate.tokens import Token
from tests.support.rows import each_row

KEY = b"k" * 32
ADDRESS = "go@example.org"
SIGNED_BEFORE = [
    *("34-b-57-2-25zr33lbub4ro427", "h12-5wit36s5mpdp5ibs", "m3o-emme6c4vrshyfed3"),
    "l0123456789abcdef-3se4syy6jd4zkhbn",
    "go+bounce-0123456789abcdef-jeetabvs2cng5e3n@example.org",
]
"""A token of each use, as emails that players have carry them."""


def signed(**changes: str | int) -> str:
    """A token of game 34, with some of its fields changed."""
    fields: dict[str, str | int] = {"game": 34, "seat": "b", "position_rev": 57, "marks_rev": 2}
    secrets = {"nonce": "n0nce", "digest": "d1gest"}
    signed_fields = [changes.get(name, value) for name, value in fields.items()]
    signed_secrets = [str(changes.get(name, value)) for name, value in secrets.items()]
    return tokens.sign(KEY, "seat", *signed_fields, secrets=signed_secrets)


def parsed(text: str) -> Token:
    """The token in a text, which must be one."""
    token = tokens.parse_token(text)
    assert token is not None
    return token


def test_a_token_contains_its_seat_and_revisions() -> None:
    """It parses to what was signed with our key; some mail programs change its case."""
    text = signed()
    assert text == text.lower()
    assert text.startswith("34-b-57-2-")
    token = parsed(text)
    assert (token.use, token.fields) == ("seat", (34, "b", 57, 2))
    assert str(token) == text
    assert token.is_valid(KEY, "n0nce", "d1gest")
    assert not token.is_valid(b"x" * 32, "n0nce", "d1gest")
    assert parsed(text.upper()).is_valid(KEY, "n0nce", "d1gest")
    other = text[:-1] + ("b" if text[-1] == "a" else "a")
    assert not parsed(other).is_valid(KEY, "n0nce", "d1gest")


@pytest.mark.parametrize(
    "changes",
    [
        {"game": 35},
        {"seat": "w"},
        {"position_rev": 58},
        {"marks_rev": 3},
        {"nonce": "other"},
        {"digest": "other"},
        {"nonce": "n0nce\nd", "digest": "1gest"},
    ],
)
def test_each_field_is_signed(changes: dict[str, str | int]) -> None:
    """A MAC made for other fields is not good for these."""
    forged = dataclasses.replace(parsed(signed()), mac=parsed(signed(**changes)).mac)
    assert not forged.is_valid(KEY, "n0nce", "d1gest")


@each_row(
    "text",
    [
        *("", "34", "34-b-57-2", "34-b-57-2-", "34-x-57-2-mfrggzdfmztwq2lk", "go"),
        *("34-b-57-2-mfrggzdfmztwq2l1", "34-b-57-2-mfrggzdfmztwq2lkk"),
        " 34-b-57-2-mfrggzdfmztwq2lk",
        *("034-b-57-2-mfrggzdfmztwq2lk", "34-b-57-2-mfrggzdfmztwq2lk\n"),
        "-34-b-5-2-mfrggzdfmztwq2lk",
        *("3\u0664-b-57-2-mfrggzdfmztwq2lk", "34-b-57-2-mfrggzdfmztwq2l\u212a", "9" * 10_000_000),
    ],
)
def test_malformed_tokens_are_rejected(text: str) -> None:
    """Each token has exactly one spelling."""
    assert tokens.parse_token(text) is None


def test_a_token_is_valid_for_one_use_and_subject() -> None:
    """That of a held letter for that letter alone."""
    held = parsed(tokens.sign(KEY, "held", 12, secrets=["n0nce"]))
    assert (held.use, held.fields) == ("held", (12,))
    assert held.is_valid(KEY, "n0nce")
    assert not held.is_valid(KEY, "other")
    assert not dataclasses.replace(held, fields=(13,)).is_valid(KEY, "n0nce")
    assert not dataclasses.replace(held, use="moving").is_valid(KEY, "n0nce")


def test_tokens_of_old_emails_stay_valid() -> None:
    """The signature of each use never changes."""
    uid = "0123456789abcdef"
    assert [
        signed(),
        tokens.sign(KEY, "held", 12, secrets=["n0nce"]),
        tokens.sign(KEY, "moving", 3, "o", secrets=["n0nce"]),
        tokens.sign(KEY, "listed", uid),
        tokens.return_path(KEY, ADDRESS, uid),
    ] == SIGNED_BEFORE


def test_a_reply_address_contains_its_token() -> None:
    """In any case."""
    text = signed()
    address = tokens.reply_address(ADDRESS, text)
    assert address == f"go+{text}@example.org"
    held = tokens.sign(KEY, "held", 12, secrets=["n0nce"])
    cases = (
        (address, text),
        (f"<{address.upper()}>", text),
        (tokens.reply_address(ADDRESS, held), held),
    )
    for written, token in cases:
        assert str(tokens.token_of(written, ADDRESS)) == token


def test_a_local_part_has_at_most_64_characters() -> None:
    """Even for the largest game; a longer address is a configuration error."""
    text = signed(game=999_999_999, position_rev=99_999, marks_rev=99_999)
    assert len(tokens.reply_address(ADDRESS, text).partition("@")[0]) <= 64
    with pytest.raises(ConfigError):
        tokens.reply_address("a-very-long-local-part-of-sixty-four@example.org", text)


def test_our_domain_is_recognised_in_unicode() -> None:
    """Servers with SMTPUTF8 may write it so (RFC 6531, 3.3)."""
    ours = "go@xn--bcher-kva.example"
    assert tokens.is_ours("go@bücher.example", ours)
    assert tokens.is_ours("GO+34-b-57-2-mfrggzdfmztwq2lk@BÜCHER.EXAMPLE", ours)
    assert not tokens.is_ours("go@bucher.example", ours)
    assert not tokens.is_ours("go@\u0301.example", ours)


def test_tokens_are_found_in_references() -> None:
    """A reply to another address is recognised by them."""
    one, two = parsed(signed()), parsed(signed(position_rev=58))
    ids = [
        tokens.message_id(str(two), "u2", "example.org"),
        "<u0@example.org>",
        "<CAF=x@mail.example.com>",
        tokens.message_id(str(one), "u1", "example.org").upper(),
        tokens.message_id(str(two), "u3", "example.org"),
    ]
    assert tokens.tokens_of(ids) == (two, one)
    held = parsed(tokens.sign(KEY, "held", 12, secrets=["n0nce"]))
    ids = [tokens.message_id(str(held), "u4", "example.org")]
    assert tokens.tokens_of(ids) == (held,)


@given(st.text(), st.text())
def test_any_text_is_a_token_or_none(text: str, address: str) -> None:
    """No text breaks the parsers; a token is printed as it was parsed."""
    token = tokens.parse_token(text)
    assert token is None or str(token) == text.lower()
    tokens.token_of(text, address)
    tokens.is_ours(text, address)
    tokens.tokens_of([text, address], text)


@given(
    st.integers(0, 10**9 - 1),
    st.sampled_from("bwpi"),
    st.integers(0, 10**9 - 1),
    st.integers(0, 10**9 - 1),
)
def test_every_token_is_parsed_back(
    game: int, seat: str, position_rev: int, marks_rev: int
) -> None:
    """Parsing reverses signing."""
    text = signed(game=game, seat=seat, position_rev=position_rev, marks_rev=marks_rev)
    assert parsed(text).is_valid(KEY, "n0nce", "d1gest")
