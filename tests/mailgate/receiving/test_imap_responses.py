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
def test_the_recipient_of_a_letter(headers: str, recipient: str, sender: str) -> None:
    """A token in any address comes first, then our plain address, then what the letter answers."""
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
def test_whose_letters_are_left_alone(headers: str) -> None:
    """Other people's, those with a tag that is no token, and those that we wrote ourselves."""
    assert read_envelope(headers.encode(), OURS) is None


@given(st.binary(max_size=300))
def test_any_headers_can_be_judged(headers: bytes) -> None:
    """Whatever bytes a stranger sends: a letter is for us by an address of ours, or left alone."""
    found = read_envelope(headers, OURS)
    assert found is None or tokens.is_ours(found.recipient, OURS)


@given(st.text('go+@.exampl <>,"():\r\n\t;34b-57', max_size=200))
def test_only_addresses_of_ours_are_chosen(value: str) -> None:
    """However a To is written, nothing but our own address comes out of it."""
    found = read_envelope(f"To: {value}\r\nDelivered-To: {OURS}\r\n".encode(), OURS)
    assert found is None or tokens.is_ours(found.recipient, OURS)


UIDS = st.integers(1, 30)


@given(
    st.lists(UIDS),
    st.dictionaries(UIDS, st.sampled_from(FetchState)),
    st.dictionaries(UIDS, st.integers(1, 5)),
    st.sets(UIDS),
)
def test_every_letter_is_looked_at_once(
    found: list[int], known: dict[int, FetchState], struck: dict[int, int], resting: set[int]
) -> None:
    """New letters in the order of arrival, troublesome ones last; what is owed is marked again."""
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
def test_answers_to_search(lines: list[bytes], expected: list[int]) -> None:
    """None, one or more lines of numbers; the words at the end are none."""
    assert parse_uids(lines) == expected


def test_uid_validity() -> None:
    """It is in an untagged OK; a folder without it is not trusted."""
    assert (
        parse_uid_validity([b"3 EXISTS", b"OK [UIDVALIDITY 1795248201] UIDs valid"]) == 1795248201
    )
    with pytest.raises(Temporary):
        parse_uid_validity([b"3 EXISTS", b"Select completed"])


def literal(text: bytes) -> bytearray:
    """As aioimaplib gives it."""
    return bytearray(text)


def test_a_fetched_letter_among_other_answers() -> None:
    """Servers tell of other letters' flags when they like: only the letter asked for is read."""
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
def test_any_answer_can_be_read(lines: list[Line], uid: int) -> None:
    """Whatever a server says, it is an answer, none, or trouble that passes."""
    parse_uids(lines)
    with contextlib.suppress(Temporary):
        parse_head(lines, uid)
    with contextlib.suppress(Temporary):
        parse_uid_validity(lines)


@pytest.mark.parametrize(
    ("name", "coded"),
    [("INBOX", "INBOX"), ("Züge", "Z&APw-ge"), ("A&B", "A&-B"), ("囲碁/済", "&VvJ4gQ-/&bggX-")],
)
def test_names_of_folders(name: str, coded: str) -> None:
    """Modified UTF-7, for folder names of any language."""
    expected = coded if name != "囲碁/済" else encode_folder_name(name)
    assert encode_folder_name(name) == expected


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_names_of_folders_are_ascii_and_say_all(name: str) -> None:
    """What is written can be read again, and holds nothing that ends a line."""
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


def test_quoted_strings() -> None:
    """Quotes and backslashes are escaped."""
    assert quote_string('a "b" \\') == '"a \\"b\\" \\\\"'
