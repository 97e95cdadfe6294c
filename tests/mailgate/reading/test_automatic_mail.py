"""Automatic letters, by their headers, or else by their words; people's letters are not.

The rules for words were made for the letters of `built-on.txt`. `second.txt`, `third.txt` and
`fourth.txt` were written later, to measure and then widen the rules: 36 of 48, 36 of 42 and 6 of 26
were recognised at first. `people.txt` has letters of players.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgate.handling.parsed_letter import parse_letter
from mailgate.reading.automatic_mail import are_doubtful, find_signs, is_bulk
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.message import read_letter
from tests.support import places
from tests.support.examples import some
from tests.support.reply_letters import letters
from tests.support.rows import each_row

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


FOLDER = places.DATA / "automatic"
GAME = "Re: Go game 34: Alice and Bob"


def letters_in(name: str) -> dict[str, tuple[str, str]]:
    """Subject and text of each letter of a file, by its name."""
    found = {}
    for piece in re.split(r"(?m)^=== ", (FOLDER / name).read_text(encoding="utf-8"))[1:]:
        title, subject, text = piece.split("\n", 2)
        found[title] = (subject.removeprefix("Subject: "), text.strip())
    return found


BUILT_ON, SECOND, THIRD, FOURTH = (
    letters_in(f"{name}.txt") for name in ("built-on", "second", "third", "fourth")
)
PEOPLE = (FOLDER / "people.txt").read_text(encoding="utf-8").splitlines()


def automatic(subject: str, text: str) -> str | None:
    """Why a letter with this text is automatic, or None."""
    raw = (
        f"From: Bob <bob@players.example>\nSubject: {subject}\nMIME-Version: 1.0\n"
        f"Content-Type: text/plain; charset=utf-8\n\n{text}\n\n"
        "On Fri, Nov 20, 2026 at 10:00 AM Go <go@example.org> wrote:\n> Bob played Q16.\n"
    )
    inbound = InboundLetter("go+1-b-3-0-x@example.org", "bob@players.example", raw.encode())
    return parse_letter(inbound).letter.automatic


@each_row("name", BUILT_ON)
def test_automatic_letters_are_recognised(name: str) -> None:
    """A help desk, a challenge, an absence, a reaction."""
    assert automatic(*BUILT_ON[name])


def test_nearly_all_unseen_automatic_letters_are_recognised() -> None:
    """The rules were not made for these."""
    for many in (SECOND, THIRD):
        missed = [name for name, letter in many.items() if not automatic(*letter)]
        assert len(many) >= 40
        assert len(missed) <= len(many) // 20, missed


def test_most_automatic_letters_in_natural_words_are_recognised() -> None:
    """Others are passed on once, as a player's text."""
    missed = [name for name, letter in FOURTH.items() if not automatic(*letter)]
    assert len(missed) <= len(FOURTH) // 3, missed


@pytest.mark.slow
def test_letters_of_players_are_not_automatic() -> None:
    """Not even those about absence, thanks or programs."""
    assert len(PEOPLE) >= 200
    assert [words for words in PEOPLE if automatic(GAME, words)] == []


@pytest.mark.slow
def test_replies_of_mail_programs_are_not_automatic() -> None:
    """Whatever the program adds, in any language. Encodings make no difference here."""
    sent_as = some([*letters(("Nice game so far!", "Good luck."))], 4)
    for sent in [one for one in sent_as if one.name.endswith((", text", ", HTML"))]:
        inbound = InboundLetter("go@example.org", "bob@players.example", sent.raw)
        assert parse_letter(inbound).letter.automatic is None, sent.name


def test_a_letter_with_a_command_is_not_automatic() -> None:
    """No program moves; text below a move is the player's."""
    below = "This is an automated message, please do not reply. Ticket #4711."
    assert automatic(GAME, f"D4\n{below}") is None
    assert automatic(GAME, below)


@pytest.mark.parametrize("words", ["👍", "Thumbs up, says Bob"])
def test_a_gmail_reaction_is_recognised_by_its_part(words: str) -> None:
    """In every language."""
    raw = (
        "From: Bob <bob@players.example>\nSubject: Re: Go\nMIME-Version: 1.0\n"
        "Content-Type: multipart/alternative; boundary=b\n\n"
        f"--b\nContent-Type: text/plain; charset=utf-8\n\n{words}\n"
        "--b\nContent-Type: text/vnd.google.email-reaction+json; charset=utf-8\n\n"
        '{"version": 1, "emoji": "👍"}\n'
        f"--b\nContent-Type: text/html; charset=utf-8\n\n<p>{words}</p>\n--b--\n"
    ).encode()
    found = read_letter(raw, sender="bob@players.example", recipient="go@example.org")
    assert found.automatic == "a reaction"


@pytest.mark.parametrize(
    "words",
    [
        "Hola, buenas tardes:\n\nQuisiera jugar al go con Diego (diego@gmail.example).",
        "👍\nPlease write to bob@gmail.example.",
        "Dear Anna:\n\nYou reacted to my move before I had sent it.",
    ],
)
def test_a_person_may_name_gmail(words: str) -> None:
    """In an address, or below a salutation that ends with a colon."""
    assert automatic(GAME, words) is None


@pytest.mark.parametrize(("method", "why"), [("REPLY", "a calendar's answer"), ("REQUEST", None)])
def test_a_calendar_reply_is_automatic(method: str, why: str | None) -> None:
    """An invitation may contain a person's text."""
    raw = (
        "From: bob@example.org\nMessage-ID: <1@x>\nSubject: Accepted: Go game 4\n"
        'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nBob has accepted.\n"
        f'--b\nContent-Type: text/calendar; method={method}; charset="utf-8"\n\n'
        "BEGIN:VCALENDAR\nEND:VCALENDAR\n--b--\n"
    )
    found = read_letter(raw.encode(), sender="bob@example.org", recipient="go@go.example")
    assert found.automatic == why
