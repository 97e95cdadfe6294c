"""The letters of a mailbox that are for us, and those to fetch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgate import tokens
from mailgate.reading.inbound_letter import FetchState
from mailgate.receiving.envelopes import read_envelope
from mailgate.receiving.imap_fetcher import letters_to_do

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


@given(st.binary(max_size=300))
def test_any_headers_are_read(headers: bytes) -> None:
    """A letter is for an address of ours, or ignored."""
    found = read_envelope(headers, OURS)
    assert found is None or tokens.is_ours(found.recipient, OURS)


@given(st.text('go+@.exampl <>,"():\r\n\t;34b-57', max_size=200))
def test_any_recipient_field_is_read(value: str) -> None:
    """Nothing but our own address is ever chosen."""
    found = read_envelope(f"To: {value}\r\nDelivered-To: {OURS}\r\n".encode(), OURS)
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
