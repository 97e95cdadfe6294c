"""Bounces as servers report them; scenes have their effects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.games.bouncing_addresses import record_bounce
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
def test_only_a_missing_mailbox_is_a_hard_failure(status: str, action: str, hard: bool) -> None:
    """Not a full one, a policy, or an unclear report."""
    found = find_failure(report(status, action, reason="550 so it is"))
    assert found is not None
    assert (found.hard, found.words) == (hard, "550 so it is")


@pytest.mark.parametrize("name", sorted(path.stem for path in DATA.glob("*.eml")))
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


class BouncingGame:
    """Alice and Bob in a game; what goes out to Bob may come back."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.start(self.alice, self.bob)
        self.reports = 0

    def bounce(self, due: DueNotice, raw: bytes | None = None) -> LetterOutcome:
        """Send a report to a letter's envelope sender."""
        self.reports += 1
        to = tokens.return_path(KEY, ADDRESS, due.uid)
        return self.gateway.take(InboundLetter(to, "", raw or report(id=str(self.reports), to=to)))


def test_a_letter_that_we_could_not_send_is_reported_and_not_counted() -> None:
    """Our mail server was down for days, or cannot write to such an address."""
    club = BouncingGame()
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    lost = club.bob.newest(Kind.YOUR_TURN).notice

    def work(unit: Unit) -> None:
        games = club.gateway.games(unit)
        record_bounce(games, lost, "no", is_refusal_of_us, hard=False, counts=False)

    for _ in range(3):
        club.gateway.writer.run_sync(work)
    assert club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses()) == []
    assert len(club.alice.letters(Kind.UNREACHABLE)) == 1


def test_two_unreachable_players_cause_no_endless_letters() -> None:
    """Each letter about one bounces from the other; in the end none is sent."""
    club = BouncingGame()
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    for _ in range(12):
        club.gateway.wait(days=1)
        seen = {due.uid for due in club.gateway.outbox}
        club.gateway.send()
        for due in list(club.gateway.outbox):
            club.bounce(due)
        if {due.uid for due in club.gateway.outbox} == seen:
            break
    assert len(club.gateway.outbox) < 12
    assert len(club.alice.letters(Kind.UNREACHABLE)) <= 1
    assert len(club.bob.letters(Kind.UNREACHABLE)) <= 1


@pytest.mark.parametrize("sender", ["", "MAILER-DAEMON@mx.players.example"])
def test_reports_are_never_answered(sender: str) -> None:
    """To our plain address, about an answer, or about another report."""
    club = BouncingGame()
    club.bob.write("help")
    club.gateway.send()
    club.bounce(club.bob.newest(Kind.HELP))
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


def test_a_reply_to_the_envelope_sender_is_read() -> None:
    """Some old programs reply there; References name the game."""
    club = BouncingGame()
    club.gateway.send()
    started = club.alice.newest(Kind.STARTED)
    to = tokens.return_path(KEY, ADDRESS, started.uid)
    outcome = club.alice.write("D4", to=to, in_reply_to=club.gateway.message_id(started))
    assert outcome.event == "accepted"
