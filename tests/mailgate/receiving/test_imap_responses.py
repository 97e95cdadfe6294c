"""Parsing IMAP responses, and selecting letters to fetch."""

import base64
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Temporary
from mailgate import tokens
from mailgate.receiving.envelopes import read_envelope
from mailgate.receiving.imap_responses import (
    FetchState,
    Line,
    encode_folder_name,
    find_letter,
    letters_to_do,
    parse_head,
    parse_uid_validity,
    parse_uids,
    quote_string,
)

OURS = "go@go.example"
TOKEN = tokens.sign(b"k" * 32, "seat", 34, "b", 57, 2)
TAGGED = tokens.reply_address(OURS, TOKEN)
ALICE = "From: Alice <alice@a.example>\r\nMessage-ID: <1@a.example>\r\n"


@pytest.mark.parametrize(
    ("headers", "recipient", "sender"),
    [
        (f"Return-Path: <a@a>\r\nTo: {OURS}\r\n", OURS, "a@a"),
        (f"Return-Path: <>\r\nTo: {OURS}\r\n", OURS, ""),
        (f"{ALICE}To: Go by mail <{TAGGED}>\r\n", TAGGED, "alice@a.example"),
        (f"{ALICE}To: {TAGGED.upper()}\r\n", TAGGED.upper(), "alice@a.example"),
        (f"{ALICE}To: {OURS}\r\nCc: bob@b, {TAGGED}\r\n", TAGGED, "alice@a.example"),
        (f"{ALICE}Delivered-To: {OURS}\r\nTo: {TAGGED}\r\n", TAGGED, "alice@a.example"),
        (f"{ALICE}X-Original-To: {TAGGED}\r\nTo: {OURS}\r\n", TAGGED, "alice@a.example"),
        (f"{ALICE}To: list@l.example\r\nDelivered-To: {OURS}\r\n", OURS, "alice@a.example"),
        (f"{ALICE}To: x@y\r\nReferences: <{TOKEN}.u@go.example>\r\n", OURS, "alice@a.example"),
        (f"{ALICE}To: x@y\r\nIn-Reply-To:\r\n <{TOKEN}.u@GO.example>\r\n", OURS, "alice@a.example"),
    ],
)
def test_the_envelope_is_read_from_headers(headers: str, recipient: str, sender: str) -> None:
    """An address with a token wins, then our plain address, then the answered letter."""
    found = read_envelope(headers.encode(), OURS)
    assert found is not None
    assert (found.recipient, found.sender) == (recipient, sender)


@pytest.mark.parametrize(
    "headers",
    [
        "",
        f"{ALICE}To: bob@b\r\n",
        f"{ALICE}To: go+hello@go.example\r\n",
        f"{ALICE}To: go@go.example.evil.example\r\n",
        f'{ALICE}To: "{OURS}"@evil.example\r\n',
        f"{ALICE}To: x@y\r\nReferences: <{TOKEN}.u@evil.example>\r\n",
        f"From: {OURS}\r\nTo: {OURS}\r\nX-Godaemon-Notice: your-turn\r\n",
    ],
)
def test_other_letters_are_ignored(headers: str) -> None:
    """Those of other people, with an invalid tag, or written by us."""
    assert read_envelope(headers.encode(), OURS) is None


@given(st.binary(max_size=300), st.text('go+@.exampl <>,"():\r\n\t;34b-57', max_size=200))
def test_any_headers_are_read(headers: bytes, value: str) -> None:
    """Nothing but an address of ours is ever chosen."""
    for head in (headers, f"To: {value}\r\nDelivered-To: {OURS}\r\n".encode()):
        found = read_envelope(head, OURS)
        assert found is None or tokens.is_ours(found.recipient, OURS)


UIDS = st.integers(1, 30)


@given(
    st.lists(UIDS),
    st.dictionaries(UIDS, st.sampled_from(FetchState)),
    st.dictionaries(UIDS, st.integers(1, 5)),
    st.sets(UIDS),
)
def test_each_letter_is_listed_once(
    found: list[int], known: dict[int, FetchState], struck: dict[int, int], resting: set[int]
) -> None:
    """New ones by arrival, troublesome ones last; unmarked ones are marked again."""
    fresh, owed = letters_to_do(found, known, struck, resting)
    assert set(fresh) == set(found) - set(known) - resting
    assert len(fresh) == len(set(fresh))
    assert owed == sorted(uid for uid in set(found) if known.get(uid) is FetchState.OWED)
    quiet = [uid for uid in fresh if uid not in struck]
    assert fresh[: len(quiet)] == sorted(quiet)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([b"1 2 30", b"done"], [1, 2, 30]),
        ([b"", b"done"], []),
        ([b"done"], []),
        ([b"3", b"4 5", b"5 done"], [3, 4, 5]),
    ],
)
def test_search_responses(lines: list[bytes], expected: list[int]) -> None:
    """None, one or more lines of numbers."""
    assert parse_uids(lines) == expected


def test_uidvalidity_is_required() -> None:
    """It is in an untagged OK."""
    assert (
        parse_uid_validity([b"3 EXISTS", b"OK [UIDVALIDITY 1795248201] UIDs valid"]) == 1795248201
    )
    with pytest.raises(Temporary):
        parse_uid_validity([b"3 EXISTS", b"Select completed"])


def literal(text: bytes) -> bytearray:
    """As aioimaplib gives it."""
    return bytearray(text)


def test_a_fetched_letter_is_found_among_other_responses() -> None:
    """Servers may report other letters' flags at any time."""
    lines: list[Line] = [
        b"4 FETCH (UID 7 FLAGS (\\Seen))",
        b"5 FETCH (UID 8 RFC822.SIZE 9 FLAGS (\\Seen $Go) BODY[HEADER.FIELDS (TO)] {4}",
        literal(b"a\r\nb"),
        b")",
        b"6 FETCH (UID 9 BODY[] {1}",
        literal(b"x"),
        b")",
        b"done",
    ]
    found = parse_head(lines, 8)
    assert found is not None
    assert (found.size, found.headers) == (9, b"a\r\nb")
    assert find_letter(lines, 9) == (b"6 FETCH (UID 9 BODY[] {1} )", b"x")
    assert find_letter(lines, 7) is None
    assert find_letter([b"done"], 8) is None


def test_an_empty_letter() -> None:
    """An empty one may come without a literal."""
    assert find_letter([b'1 FETCH (UID 3 BODY[] "")', b"done"], 3) == (
        b'1 FETCH (UID 3 BODY[] "")',
        b"",
    )


@given(
    st.lists(st.one_of(st.binary(max_size=60), st.binary(max_size=60).map(bytearray)), max_size=9),
    UIDS,
)
def test_any_response_is_parsed(lines: list[Line], uid: int) -> None:
    """Or raises `Temporary`."""
    parse_uids(lines)
    with contextlib.suppress(Temporary):
        parse_head(lines, uid)
    with contextlib.suppress(Temporary):
        parse_uid_validity(lines)


@pytest.mark.parametrize(
    ("name", "coded"), [("INBOX", "INBOX"), ("Züge", "Z&APw-ge"), ("A&B", "A&-B")]
)
def test_folder_names_are_encoded(name: str, coded: str) -> None:
    """In modified UTF-7."""
    assert encode_folder_name(name) == coded


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_encoded_folder_names_can_be_decoded(name: str) -> None:
    """They are printable ASCII."""
    coded = encode_folder_name(name)
    assert coded.isascii()
    assert coded.isprintable()
    parts = coded.split("&")
    decoded = parts[0]
    for part in parts[1:]:
        shifted, _, plain = part.partition("-")
        padded = shifted.replace(",", "/") + "=" * (-len(shifted) % 4)
        decoded += (base64.b64decode(padded).decode("utf-16-be") if shifted else "&") + plain
    assert decoded == name


def test_quotes_and_backslashes_are_escaped() -> None:
    assert quote_string('a "b" \\') == '"a \\"b\\" \\\\"'
