"""Bounces as servers report them; scenes have their effects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.games import bouncing_addresses
from godaemon.games.notices import DueNotice, Kind
from godaemon.games.stored_values import Unit
from mailgate import tokens
from mailgate.handling.context import LetterOutcome
from mailgate.reading.bounce_reports import find_failure, is_refusal_of_us
from mailgate.reading.inbound_letter import InboundLetter
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.delivery_report import report
from tests.support.gateway import ADDRESS, KEY, Gateway

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
def test_reports(status: str, action: str, hard: bool) -> None:
    """A missing mailbox is distinguished from a full one, a policy, and unclear reports."""
    found = find_failure(report(status, action, reason="550 so it is"))
    assert found is not None
    assert (found.hard, found.words) == (hard, "550 so it is")


@pytest.mark.parametrize("name", sorted(path.stem for path in DATA.glob("*.eml")))
def test_reports_as_the_servers_of_the_world_write_them(name: str) -> None:
    """Whether the letter is lost, whether that speaks against the address, and in which words."""
    found = find_failure((DATA / f"{name}.eml").read_bytes())
    expected = REPORTS[name]
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert found.hard is expected[0]
    assert found.words.startswith(expected[1])


@pytest.mark.parametrize(("line", "hard"), [("550 5.7.26 who?", False), ("550 5.1.1 gone", True)])
def test_a_status_that_says_nothing_is_made_up_for_by_the_servers_words(
    line: str, hard: bool
) -> None:
    """Exim writes 5.0.0 into every report, beside the server's answer."""
    found = find_failure(report("5.0.0", reason=line))
    assert found is not None
    assert found.hard is hard


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed", "expanded", "DELAYED"])
def test_a_report_that_a_letter_is_late_or_has_arrived_is_no_failure(action: str) -> None:
    """It may be long on its way: nothing is counted before somebody has given it up."""
    assert find_failure(report("4.4.1", action)) is None


@pytest.mark.parametrize("raw", [b"", b"From: bob@players.example\n\nD4\n"])
def test_what_says_nothing_of_a_failure(raw: bytes) -> None:
    """An ordinary letter counts against nobody."""
    assert find_failure(raw) is None


@given(st.binary(max_size=400))
def test_any_bytes(raw: bytes) -> None:
    """Any report is parsed, or ignored."""
    for one in (raw, report(reason=raw.decode("latin-1"))):
        found = find_failure(one)
        assert found is None or ("\n" not in found.words and len(found.words) <= 200)


@pytest.mark.parametrize(("why", "hard"), [("nobody is there", True), ("of us", False)])
def test_a_refusal_of_the_sender_says_nothing_against_the_address(why: str, hard: bool) -> None:
    """As providers write: only who says that nobody is there speaks of the mailbox."""
    lines = LINES[f"a refusal because {why}"]
    found = {one: find_failure(report(one.split()[1], reason=one)) for one in lines}
    assert {one for one in lines if (got := found[one]) is None or got.hard is not hard} == set()


class Club:
    """Alice and Bob in a game; what goes out to Bob may come back."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.start(self.alice, self.bob)
        self.reports = 0

    def come_back(self, due: DueNotice, raw: bytes | None = None) -> LetterOutcome:
        """Send a report to a letter's envelope sender."""
        self.reports += 1
        to = tokens.return_path(KEY, ADDRESS, due.uid)
        return self.gateway.take(InboundLetter(to, "", raw or report(id=str(self.reports), to=to)))


@pytest.mark.parametrize(
    ("line", "refuses"),
    [
        ("550 5.7.1 we take no mail from you", True),
        ("550 5.1.1 no such user", False),
        ("552 5.2.2 the mailbox is full", False),
    ],
)
def test_who_is_refused(line: str, refuses: bool) -> None:
    """We are, unless there is no such mailbox, or it takes nothing just now."""
    assert is_refusal_of_us(line) is refuses


def lost(club: Club, due: DueNotice) -> None:
    """A letter that we could not send, through no fault of Bob's."""

    def work(unit: Unit) -> None:
        games = club.gateway.games(unit)
        bouncing_addresses.record_bounce(
            games, due.notice, "no", is_refusal_of_us, hard=False, counts=False
        )

    club.gateway.writer.run_sync(work)


def test_a_letter_that_we_could_not_hand_over_tells_the_opponent_and_counts_nothing() -> None:
    """Our mail server was down for days, or cannot write to such an address."""
    club = Club()
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    for _ in range(3):
        lost(club, club.bob.newest(Kind.YOUR_TURN))
        club.gateway.wait(days=1)
    assert club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses()) == []
    assert len(club.alice.letters(Kind.UNREACHABLE)) == 1


def test_two_players_who_are_both_gone_end_in_silence() -> None:
    """Each letter about the one comes back from the other; in the end nobody is written to."""
    club = Club()
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    for _ in range(12):
        club.gateway.wait(days=1)
        seen = {due.uid for due in club.gateway.outbox}
        club.gateway.send()
        for due in list(club.gateway.outbox):
            club.come_back(due)
        if {due.uid for due in club.gateway.outbox} == seen:
            break
    assert len(club.gateway.outbox) < 12
    assert len(club.alice.letters(Kind.UNREACHABLE)) <= 1
    assert len(club.bob.letters(Kind.UNREACHABLE)) <= 1


@pytest.mark.parametrize("sender", ["", "MAILER-DAEMON@mx.players.example"])
def test_nobody_answers_a_report_whatever_it_is_about(sender: str) -> None:
    """Not to our plain address, not about a letter that answered one, not about another report."""
    club = Club()
    club.bob.write("help")
    club.gateway.send()
    club.come_back(club.bob.newest(Kind.HELP))
    before = len(club.gateway.outbox)
    inner = report(to="MAILER-DAEMON@mx.players.example", id="inner")
    whole = report(id="outer", reason="550 5.1.1 no such daemon").replace(
        b"Subject: Go game 1\n", inner[:2000] + b"\n", 1
    )
    posted = tokens.return_path(KEY, ADDRESS, club.alice.newest().uid)
    for number, to in enumerate((ADDRESS, posted, posted)):
        raw = whole.replace(b"<outer@", f"<outer{number}@".encode())
        club.gateway.take(InboundLetter(to, sender, raw))
    # Alice is to move: she is shown the board once more, and nobody else hears anything.
    assert [due.notice.kind for due in club.gateway.outbox[before:]] == [Kind.SHOW]
    assert club.gateway.outbox[-1].notice.to == club.alice.address


def test_an_answering_machine_at_the_envelope_address() -> None:
    """RFC 3834 has them answer there: that is no bounce."""
    club = Club()
    club.gateway.send()
    away = b"From: bob@players.example\nAuto-Submitted: auto-replied\n\nI am away.\n"
    assert club.come_back(club.bob.newest(), away).event == "ignored"
    assert club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses()) == []


def test_a_person_who_answers_the_envelope_address() -> None:
    """Some old programs answer Return-Path; the letter's references still say which game."""
    club = Club()
    club.gateway.send()
    started = club.alice.newest(Kind.STARTED)
    to = tokens.return_path(KEY, ADDRESS, started.uid)
    outcome = club.alice.write("D4", to=to, in_reply_to=club.gateway.message_id(started))
    assert outcome.event == "accepted"


def test_return_paths_fit_every_server() -> None:
    """The local part has room for an address of ours of 23 letters (RFC 5321, 4.5.3.1.1)."""
    local = tokens.return_path(KEY, "g" * 23 + "@go.example", "0" * 16).partition("@")[0]
    assert len(local) == 64
    assert tokens.is_ours(tokens.return_path(KEY, ADDRESS, "0" * 16).upper(), ADDRESS)
