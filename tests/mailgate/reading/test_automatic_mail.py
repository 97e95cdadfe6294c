"""Automatic letters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgate.reading.automatic_mail import are_doubtful, find_signs, is_bulk

OURS = "go@example.org"
BOB = "bob@players.example"


def signs_of(headers: dict[str, str], envelope_sender: str = BOB, author: str = BOB) -> list[str]:
    """The signs that a letter of Bob's with these headers is automatic."""
    return [*find_signs(headers, envelope_sender, author, OURS)]


def is_certain(headers: dict[str, str], envelope_sender: str = BOB, author: str = BOB) -> bool:
    found = signs_of(headers, envelope_sender, author)
    return bool(found) and not are_doubtful(found)


@pytest.mark.parametrize(
    "headers",
    [
        {"auto-submitted": "auto-replied"},
        {"auto-submitted": "Auto-Generated (by a rule)"},
        {"auto-submitted": "auto-notified; owner-email=x"},
        {"x-autoreply": "yes"},
        {"x-autorespond": ""},
        {"x-failed-recipients": "carol@example.com"},
        {"x-godaemon-notice": "your-turn"},
        {"precedence": "auto_reply"},
        {"content-type": "multipart/report; report-type=delivery-status"},
    ],
)
def test_automatic_headers_are_certain(headers: dict[str, str]) -> None:
    """RFC 3834, 2, and the headers of Exchange and others."""
    assert is_certain(headers)


@pytest.mark.parametrize(
    ("headers", "envelope_sender"),
    [
        ({"x-loop": "someone@example.com"}, BOB),
        ({"return-path": "<>"}, BOB),
        ({}, ""),
        ({}, "<>"),
        ({}, "no-reply@forward.example"),
        ({"subject": "Re: Out of Office: your turn"}, BOB),
        ({"subject": "[club] AW: Automatische Antwort"}, BOB),
        ({"subject": "Automatic reply: your turn"}, BOB),
        ({"subject": "Out of Office from tomorrow on"}, BOB),
        ({"subject": "Automatische Antwort: your turn"}, BOB),
        ({"subject": "Réponse automatique : non, c'est moi"}, BOB),
        ({"subject": "自动回复: your turn"}, BOB),
        ({"subject": "Undeliverable: your turn"}, BOB),
    ],
)
def test_signs_of_forwarding_are_doubtful(headers: dict[str, str], envelope_sender: str) -> None:
    """A program handled the letter, but may not have written it; a subject proves no more."""
    assert signs_of(headers, envelope_sender)
    assert not is_certain(headers, envelope_sender)
    assert is_certain({"auto-submitted": "auto-replied", **headers}, envelope_sender)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"auto-submitted": "no"},
        {"auto-submitted": "No (a person)"},
        {"x-auto-response-suppress": "None"},
        {"x-auto-response-suppress": "All"},
        {"precedence": "list", "list-id": "<x>"},
        {"subject": "Re: your turn"},
        {"subject": "My automatic reply is off now"},
        {"content-type": "multipart/mixed"},
        {"return-path": "<bob@players.example>"},
    ],
)
def test_letters_of_people_have_no_signs(headers: dict[str, str]) -> None:
    """Nor have those that came by a list."""
    assert signs_of(headers) == []


@pytest.mark.parametrize(
    ("author", "envelope_sender"),
    [
        ("MAILER-DAEMON@players.example", BOB),
        ("postmaster@players.example", BOB),
        ("no-reply@players.example", BOB),
        (BOB, "mailer-daemon@players.example"),
        (OURS, BOB),
        ("GO+34-b-57-2-mfrggzdfmztwq2lk@Example.org", BOB),
        (BOB, "go+x@example.org"),
    ],
)
def test_daemons_and_ourselves_are_certain(author: str, envelope_sender: str) -> None:
    """By From or by the envelope."""
    assert is_certain({}, envelope_sender, author)


def test_bulk_mail_is_recognised() -> None:
    """It is refused only without a valid token."""
    assert is_bulk({"list-id": "<go.example>"})
    assert is_bulk({"precedence": "Bulk"})
    assert not is_bulk({"precedence": "first-class"})
    assert not is_bulk({})


_NAMES = st.sampled_from(
    ["auto-submitted", "subject", "precedence", "x-loop", "return-path", "content-type", "list-id"]
)


@given(st.dictionaries(_NAMES, st.text(max_size=60)), st.text(max_size=40), st.text(max_size=40))
def test_any_headers_are_judged(headers: dict[str, str], sender: str, author: str) -> None:
    """No header breaks the check, and each reason is one line of the log."""
    assert all("\n" not in one.strip() for one in signs_of(headers, sender, author))
    assert is_bulk(headers) in (True, False)
