"""Bounces as servers report them; `handling` has their effects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgate.reading.bounce_reports import find_failure
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.delivery_report import report
from tests.support.rows import each_row

LINES = read_lines(places.DATA / "read_lines.txt")

DATA = places.DATA / "bounces"
REPORTS = {
    # An address that is gone:
    "exchange-access-denied": (True, "550 5.4.1 Recipient address rejected"),
    "exchange-not-found": (True, "550 5.1.10 RESOLVER.ADR.RecipientNotFound"),
    "exim-old": (True, "Unrouteable address"),
    "exim-unknown-user": (True, "550 No such user here"),
    "gmail-not-found": (True, "550-5.1.1 The email account"),
    "opensmtpd": (True, "550 5.1.1 <bob@players.example>: no such user"),
    "postfix-no-host": (True, "Host or domain name not found."),
    "postfix-smtputf8": (True, "550 5.1.1 <bøb@players.example>: User unknown"),
    "postfix-unknown-user": (True, "550 5.1.1 <bob@players.example>: Recipient address rejected"),
    "qmail-no-mailbox": (True, "Sorry, no mailbox here by that name. (#5.1.1)"),
    "sendmail": (True, "550 5.1.1 User unknown"),
    "yahoo-no-account": (True, "554: 5.0.0 delivery error: dd This user doesn't have"),
    "yahoo-report": (True, "554 30 Sorry, your message to bob@players.example cannot be"),
    # Lost, and nothing against the address: full, down for days, or we were not believed.
    "exchange-full": (False, "554 5.2.2 mailbox full"),
    "exchange-restricted": (False, "550 5.7.133"),
    "exim-full": (False, "552 mailbox is full"),
    "exim-policy": (False, "550-5.7.26 This mail has been blocked"),
    "gmail-full": (False, "552-5.2.2 The recipient's inbox is out of storage space."),
    "postfix-expired": (False, "connect to mx.far.example[192.0.2.25]:25: Connection timed out"),
    "postfix-over-quota": (False, "552 5.2.2 <bob@players.example>: user is over quota"),
    "qmail-remote": (False, "192.0.2.25 does not like recipient. Remote host said: 550 5.7.1"),
    "qmail-too-long": (False, "192.0.2.25 failed after I sent the message. Remote host said: 452"),
    # Nothing is lost:
    "away": None,
    "exim-delayed": None,
    "exim-old-delayed": None,
    "gmail-delayed": None,
    "postfix-delayed": None,
    "postfix-delivered": None,
    "read-receipt": None,
}


@pytest.mark.parametrize(
    ("status", "action", "hard"),
    [
        ("5.1.1", "failed", True),
        ("5.1.10", "failed", True),
        ("5.0.0", "failed", False),
        ("5.2.1", "failed", True),
        ("5.4.4", "failed", True),
        ("5.2.2", "failed", False),
        ("5.7.1", "failed", False),
        ("5.7.26", "failed", False),
        ("5.1.8", "failed", False),
        ("5.6.7", "failed", False),
        ("4.4.7", "failed", False),
    ],
)
def test_only_a_missing_mailbox_is_a_hard_failure(status: str, action: str, hard: bool) -> None:
    """Not a full one, a policy, or an unclear report."""
    found = find_failure(report(status, action, reason="550 so it is"))
    assert found is not None
    assert (found.hard, found.words) == (hard, "550 so it is")


@each_row("name", sorted(path.stem for path in DATA.glob("*.eml")))
def test_reports_as_the_servers_of_the_world_write_them(name: str) -> None:
    """Whether the letter is lose, whether that speaks against the address, and in which words."""
    found = find_failure((DATA / f"{name}.eml").read_bytes())
    expected = REPORTS[name]
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert found.hard is expected[0]
    assert found.words.startswith(expected[1])


@pytest.mark.parametrize(("line", "hard"), [("550 5.7.26 who?", False), ("550 5.1.1 gone", True)])
def test_a_meaningless_status_is_completed_by_the_servers_answer(line: str, hard: bool) -> None:
    """Exim writes 5.0.0 in every report."""
    found = find_failure(report("5.0.0", reason=line))
    assert found is not None
    assert found.hard is hard


@pytest.mark.parametrize("raw", [b"", b"From: bob@players.example\n\nD4\n"])
def test_an_ordinary_letter_is_no_failure(raw: bytes) -> None:
    """An ordinary letter counts against nobody."""
    assert find_failure(raw) is None


@given(st.binary(max_size=400))
def test_any_report_is_parsed_or_ignored(raw: bytes) -> None:
    """The words fit in one line."""
    for one in (raw, report(reason=raw.decode("latin-1"))):
        found = find_failure(one)
        assert found is None or ("\n" not in found.words and len(found.words) <= 200)


@pytest.mark.parametrize(("why", "hard"), [("nobody is there", True), ("of us", False)])
def test_a_refusal_of_us_is_no_hard_failure(why: str, hard: bool) -> None:
    """Providers' answers; only a missing mailbox counts against the address."""
    lines = LINES[f"a refusal because {why}"]
    found = {one: find_failure(report(one.split()[1], reason=one)) for one in lines}
    assert {one for one in lines if (got := found[one]) is None or got.hard is not hard} == set()
