"""The envelope of a letter: which of our addresses it is for, and where it came from."""

import pytest

from godaemon.system.source_limits import MailLimiter
from mailgate import tokens
from mailgate.reading.message import read_letter
from mailgate.receiving.envelopes import (
    client_address,
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
        ("play+@club.example", None),
        (f"play+x+{TOKEN}@club.example", None),
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


RECEIVED = [
    ("postfix", "from mx.a.example (mx.a.example [192.0.2.7])\r\n\tby go.example (Postfix)"),
    ("a literal as its name", "from [9.9.9.9] (unknown [192.0.2.7]) by go.example"),
    ("exim", "from mx.a.example ([192.0.2.7] helo=mail) by go.example with esmtp (Exim 4.96)"),
    ("exim, no name", "from [192.0.2.7] (helo=[9.9.9.9]) by go.example"),
    ("exim, with ports", "from [192.0.2.7] (port=4711 helo=[9.9.9.9]) by go.example"),
    ("opensmtpd", "from mx.a.example (mx.a.example [192.0.2.7]) by go.example (OpenSMTPD)"),
    ("sendmail", "from a (mx.a.example [192.0.2.7] (may be forged)) by go.example"),
    ("exchange", "from mx.a.example (192.0.2.7) by go.example (10.0.0.2) with SMTP"),
]


@pytest.mark.parametrize(("server", "field"), RECEIVED, ids=[name for name, _ in RECEIVED])
def test_the_client_address_is_read(server: str, field: str) -> None:
    """Formats of many servers; the client's own name is not believed."""
    raw = f"Return-Path: <a@b.example>\r\nReceived: {field}; now\r\nReceived: from x ([8.8.8.8])"
    assert client_address(raw.encode() + b"\r\nSubject: Go\r\n\r\nD4\r\n") == "192.0.2.7"


@pytest.mark.parametrize(
    "raw",
    [
        b"Received: by go.example (Postfix, from userid 0)\r\nReceived: from x ([8.8.8.8])\r\n\r\n",
        b"Subject: Go\r\n\r\nReceived: from x ([8.8.8.8])\r\n",
        b"Received: from x ([8.8.8.8.8])\r\n\r\n",
        b"",
    ],
)
def test_only_the_topmost_field_is_read(raw: bytes) -> None:
    """Those below may be forged."""
    assert client_address(raw) == ""


def test_an_ipv6_address_is_read() -> None:
    """As Postfix writes it."""
    raw = b"Received: from a (b [IPv6:2001:db8:1:2:3::4]) by c\r\n\r\n"
    assert client_address(raw) == "2001:db8:1:2:3::4"


@pytest.mark.parametrize(
    ("host", "field", "network"),
    [
        ("127.0.0.1", "192.0.2.7", "192.0.2.0/24"),
        ("", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("198.51.100.9", "192.0.2.7", "198.51.100.0/24"),
        ("127.0.0.1", "127.0.0.1", ""),
        ("127.0.0.1", "", ""),
    ],
)
def test_only_our_own_mail_servers_are_believed(host: str, field: str, network: str) -> None:
    """Any other client is itself the source."""
    own = ["127.0.0.0/8", "::1"]
    limits = MailLimiter(own, connections=9, per_source=9, letters=9, clock=lambda: 0.0)
    assert limits.network(host, field) == network
