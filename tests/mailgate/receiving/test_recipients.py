"""Which of our addresses a letter is for, by envelope and header."""

import pytest

from mailgate import tokens
from mailgate.reading.message import read_letter
from mailgate.receiving.envelopes import (
    distinct_recipients,
    find_recipient,
    is_postmaster,
    read_envelope,
)

OURS = ("go@go.example", "play@club.example", "late@club.example")
TOKEN = tokens.sign(b"k", "seat", 1, "b", 2, 0)
NEWER = tokens.sign(b"k", "seat", 1, "b", 3, 0)


@pytest.mark.parametrize(
    ("to", "address"),
    [
        ("Play@CLUB.example", "play@club.example"),
        (f"late+{TOKEN}@club.example", "late@club.example"),
        (f"go+{TOKEN}@go.example", "go@go.example"),
        (f'"go+{TOKEN}"@go.example', "go@go.example"),
        (f'<"go\\+{TOKEN}"@GO.example>', "go@go.example"),
        ('"play"@club.example', "play@club.example"),
        (f"go%2B{TOKEN}@go.example", "go@go.example"),
        (f"late%2b{TOKEN}@club.example", "late@club.example"),
        (f'"go+{TOKEN}@go.example', None),
        (f"go%2C{TOKEN}@go.example", None),
        ("play@go.example", None),
        (f"go+{TOKEN}@club.example", None),
        ("play+hello@club.example", None),
    ],
)
def test_each_local_part_belongs_to_its_domain(to: str, address: str | None) -> None:
    """It is unknown at another domain of ours."""
    assert tokens.is_ours(to, *OURS) == (address is not None)
    assert address is None or tokens.own_address(to, OURS) == address


@pytest.mark.parametrize(
    ("to", "kept"),
    [
        (["play@club.example", "go@go.example", "PLAY@club.example"], ["play@club.example"]),
        (["go@go.example", f"play+{TOKEN}@club.example"], [f"play+{TOKEN}@club.example"]),
        ([f"go+{NEWER}@go.example", f"play+{TOKEN}@club.example"], [f"go+{NEWER}@go.example"]),
        (
            ["play@club.example", "abuse@go.example", "abuse@club.example"],
            ["play@club.example", "abuse@go.example", "abuse@club.example"],
        ),
    ],
)
def test_a_letter_to_several_of_our_addresses_is_taken_once(to: list[str], kept: list[str]) -> None:
    """Else a proposal to two addresses would start two games."""
    assert distinct_recipients(to, *OURS) == kept


def test_every_domain_of_ours_has_a_postmaster() -> None:
    """Unless that is itself an address of ours."""
    assert all(is_postmaster(f"Postmaster@{one}", *OURS) for one in ("go.example", "club.example"))
    assert not is_postmaster("postmaster@b.example", *OURS)
    assert not is_postmaster("abuse@go.example", *OURS, "abuse@go.example")


WRITTEN = (f"go+{NEWER}@go.example", f'"go+{NEWER}"@go.example', f"go%2B{NEWER}@go.example")


@pytest.mark.parametrize("written", WRITTEN)
def test_quoted_and_percent_encoded_tokens_are_read(written: str) -> None:
    """They are the same address."""
    raw = f'To: "Go, by mail" <{written}>\r\n\r\nD4'.encode()
    found = read_envelope(b"From: a@a.example\r\n" + raw, *OURS)
    assert found is not None
    assert found.recipient == find_recipient("go@go.example", raw, *OURS) == written
    assert str(tokens.token_of(written, *OURS)) == NEWER
    assert read_letter(raw, sender="a@a.example", recipient=written).recipient == WRITTEN[0]


def test_a_tagged_address_replaces_a_plain_one() -> None:
    """Of whichever domain of ours."""
    raw = f"To: go@go.example, play+{TOKEN}@club.example\r\n\r\nD4".encode()
    assert find_recipient("go@go.example", raw, *OURS) == f"play+{TOKEN}@club.example"


def test_a_letter_without_our_address_is_for_the_address_it_answers() -> None:
    """Its references have a token."""
    head = f"From: a@a.example\r\nTo: b@b.example\r\nIn-Reply-To: <{TOKEN}.1@club.example>\r\n"
    found = read_envelope(head.encode(), *OURS)
    assert found is not None
    assert found.recipient == "play@club.example"
