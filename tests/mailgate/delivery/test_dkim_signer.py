"""DKIM signatures cover the bytes that go out."""

from email import message_from_bytes

import dkim
import pytest

from godaemon.errors import ConfigError
from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.rules.points import Size
from mailgate.delivery.dkim_signer import DkimSigner
from tests.support.dkim_keys import dns, private_key
from tests.support.played_games import PlayedGames

pytestmark = pytest.mark.peer("openssl")


def signer(kind: str = "pkcs8") -> DkimSigner:
    """One for go.example."""
    return DkimSigner("go.example", "sel", private_key(kind))


def verified(raw: bytes) -> bool:
    good: bool = dkim.verify(raw, dnsfunc=dns)
    return good


LETTER = b"From: go@go.example\r\nTo: bob@b.example\r\nSubject: Go\r\n\r\nYour move.\r\n"


def tags(raw: bytes) -> dict[str, str]:
    value = message_from_bytes(raw)["DKIM-Signature"]
    pairs = (tag.partition("=")[::2] for tag in "".join(value.split()).split(";"))
    return dict(pairs)


@pytest.mark.parametrize("kind", ["pkcs8", "pkcs1"])
def test_a_signed_letter_verifies(kind: str) -> None:
    """The letter itself is unchanged below its signature."""
    raw = signer(kind).sign(LETTER)
    assert raw.startswith(b"DKIM-Signature:")
    assert raw.endswith(LETTER)
    assert verified(raw)
    assert max(map(len, raw.split(b"\r\n"))) <= 78


def test_a_signature_covers_all_relevant_headers() -> None:
    """Relaxed, for our domain, with the whole body."""
    games = PlayedGames()
    games.propose("alice", cmd.Propose("bob@players.example", Size(9, 9)))
    games.act(Seat.PROPOSER, cmd.Yes())
    (invitation,) = [one for one in games.letters() if one.kind == "invitation"]
    raw = signer().sign(invitation.composed.raw)
    assert verified(raw)
    found = tags(raw)
    fixed = {"v": "1", "a": "rsa-sha256", "c": "relaxed/relaxed", "d": "go.example", "s": "sel"}
    assert {name: found[name] for name in fixed} == fixed
    assert "l" not in found
    signed = found["h"].split(":")
    covered = ["from", "to", "subject", "date", "message-id", "reply-to", "in-reply-to"]
    covered += ["references", "list-unsubscribe", "list-id", "mime-version", "content-type"]
    assert set(covered) <= set(signed)
    assert [name for name in covered if signed.count(name) < 2] == [
        *("in-reply-to", "references", "list-unsubscribe", "list-id")
    ]


def test_a_signature_survives_mail_servers() -> None:
    """Trace headers, spaces and line ends may change (RFC 6376, 3.4)."""
    raw = signer().sign(LETTER.replace(b"Your move.", b"Your  move. \r\nNow.\r\n\r\n"))
    changed = b"Received: from a by b; now\r\n" + raw.replace(b"Subject: Go", b"SUBJECT:   Go ")
    assert verified(changed.replace(b"Your  move. ", b"Your move.  "))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"Your move", b"My move"),
        (b"Subject: Go", b"Subject: No"),
        (b"Subject: Go", b"Subject: You have won\r\nSubject: Go"),
        (b"From: go@", b"From: eve@e.example\r\nFrom: go@"),
        (b"From: go@", b"Reply-To: eve@e.example\r\nFrom: go@"),
        (b"From: go@", b"Content-Type: text/html\r\nFrom: go@"),
        (b"To: bob@", b"To: eve@"),
    ],
)
def test_a_changed_letter_does_not_verify(old: bytes, new: bytes) -> None:
    """Nothing that a reader sees can be changed or added."""
    assert not verified(signer().sign(LETTER).replace(old, new))


@pytest.mark.parametrize(
    "key", [b"", b"secret", b"\xff\x00", b"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n"]
)
def test_an_invalid_key_is_refused_at_the_start(key: bytes) -> None:
    """The message says how to make one."""
    with pytest.raises(ConfigError, match="openssl genrsa"):
        DkimSigner("go.example", "sel", key)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("ed25519", "Gmail, Outlook and others check no Ed25519"),
        ("ec", "must be an RSA private key"),
        ("locked", "passphrase"),
        ("rsa512", "has 512 bits"),
    ],
)
def test_a_key_that_receivers_reject_is_refused(kind: str, why: str) -> None:
    """The message says why, and how to make a good one."""
    with pytest.raises(ConfigError, match=why):
        signer(kind)
