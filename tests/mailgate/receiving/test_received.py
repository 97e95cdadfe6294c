"""The origin of a letter, from the mail server that delivered it."""

import pytest

from godaemon.system.source_limits import MailLimiter
from mailgate.receiving.envelopes import client_address

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
