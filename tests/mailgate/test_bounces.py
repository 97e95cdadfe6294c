"""Letters that come back: read, counted against their address, and told to those who wait."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.games.notices import Kind
from godaemon.games.store import Due, Inbound
from mailgate import identity
from mailgate.bounces import failure, is_hard
from mailgate.inbound import Outcome
from tests.support.post import ADDRESS, KEY, Office, Person
from tests.support.report import report

QMAIL = b"""\
From: MAILER-DAEMON@players.example
To: go@go.example
Subject: failure notice

Hi. This is the qmail-send program at players.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<bob@players.example>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <go@go.example>
"""


@pytest.mark.parametrize(
    ("status", "action", "hard"),
    [
        ("5.1.1", "failed", True),
        ("5.0.0", "failed", True),
        ("5.2.1", "failed", True),
        ("5.2.2", "failed", False),
        ("5.7.1", "failed", False),
        ("4.4.7", "failed", False),
        ("4.2.2", "delayed", False),
    ],
)
def test_reports(status: str, action: str, hard: bool) -> None:
    """A box that is gone is told from one that is full, a policy, or a server that is down."""
    found = failure(report(status, action))
    assert found is not None
    assert (found.hard, found.said) == (hard, "550 5.1.1 no such user")


def test_reports_of_other_forms() -> None:
    """Not every server writes RFC 3464."""
    found = failure(QMAIL)
    assert found is not None
    assert found.hard


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"From: bob@players.example\n\nD4\n",
        b"Auto-Submitted: auto-replied\nSubject: away\n\nI am away until Monday.\n",
        report(action="relayed", status="2.0.0"),
        report(action="delivered", status="2.0.0"),
    ],
)
def test_what_says_nothing_of_a_failure(raw: bytes) -> None:
    """An answering machine's letter, or good news, counts against nobody."""
    assert failure(raw) is None


@given(st.binary(max_size=400))
def test_any_bytes(raw: bytes) -> None:
    """Whatever stands in a report, it is read to something or to nothing."""
    for one in (raw, report(said=raw.decode("latin-1"))):
        found = failure(one)
        assert found is None or ("\n" not in found.said and len(found.said) <= 200)


def test_statuses() -> None:
    """Only what speaks against the mailbox is hard."""
    hard = [is_hard(status) for status in ("5.1.1", "5.1.10", "5.2.2", "5.7.26", "4.1.1", "")]
    assert hard == [True, True, False, False, False, False]


class Club:
    """Alice and Bob in a game; what goes out to Bob may come back."""

    def __init__(self) -> None:
        self.office = Office()
        self.alice, self.bob = self.office.person("Alice"), self.office.person("Bob")
        self.office.start(self.alice, self.bob)
        self.reports = 0

    def send(self) -> None:
        """All that is owed goes out."""

        def work(unit: object) -> None:
            for due in unit.claim(self.office.now, 60, 99):  # type: ignore[attr-defined]
                unit.sent(due.id, self.office.now)  # type: ignore[attr-defined]

        self.office.writer.run_sync(work)

    def come_back(self, due: Due, raw: bytes | None = None, key: bytes = KEY) -> Outcome:
        """A report comes to the envelope's sender of a letter."""
        self.reports += 1
        to = identity.return_path(key, ADDRESS, due.uid)
        return self.office.take(Inbound(to, "", raw or report(id=str(self.reports), to=to)))

    def lose(self, days: int = 3) -> Outcome:
        """On so many days, in turn, Bob's newest letter comes back."""
        outcome = Outcome("none")
        for _ in range(days):
            self.office.wait(days=1)
            self.alice.reply("say hello", to=self.alice.newest(Kind.STARTED))
            self.send()
            outcome = self.come_back(self.bob.newest())
        return outcome


def test_one_refusal_is_only_counted() -> None:
    """The letter is shown to the operator, and the next one goes out."""
    club = Club()
    assert club.lose(1).event == "bounced"
    (troubled,) = club.office.writer.run_sync(lambda unit: unit.troubled())
    assert troubled.last_error == "550 5.1.1 no such user"
    assert Kind.UNREACHABLE not in {due.notice.kind for due in club.office.outbox}


def test_an_address_that_is_gone_is_suspended() -> None:
    """The opponent is told once in words; nothing more is queued; what was owed is kept."""
    club = Club()
    club.lose(2)
    club.office.wait(days=1)
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    assert club.come_back(club.bob.newest(Kind.STARTED)).event == "suspended"
    (told,) = club.alice.letters(Kind.UNREACHABLE)
    count = len(club.bob.letters())
    club.alice.reply("say are you there?", to=told)
    assert len(club.bob.letters()) == count
    claimed = club.office.writer.run_sync(lambda unit: unit.claim(club.office.now, 60, 99))
    assert {due.notice.to for due in claimed} == {club.alice.address}
    assert club.office.writer.run_sync(lambda unit: unit.tally())["waiting"] > len(claimed)


def suspended() -> Club:
    """A club whose Bob is written to no more, in a game where it is his turn."""
    club = Club()
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    assert club.lose(3).event == "suspended"
    club.send()
    return club


def test_a_letter_lifts_the_suspension() -> None:
    """Who writes is there: they are shown the game in which it is their turn, and answered."""
    club = suspended()
    before = len(club.bob.letters())
    club.bob.write("help")
    kinds = [due.notice.kind for due in club.bob.letters()[before:]]
    assert kinds == [Kind.SHOW, Kind.HELP]
    assert club.office.writer.run_sync(lambda unit: unit.mailboxes()) == []
    assert club.bob.reply("E5", to=club.bob.letters()[before]).event == "accepted"


def test_what_was_missed_is_sent_again() -> None:
    """Who was suspended while an invitation waited gets it anew, and can accept it."""
    club = suspended()
    carol = club.office.person("Carol")
    carol.write("new 9x9 vs bob@players.example")
    carol.reply("yes", to=carol.newest(Kind.CONFIRM))
    assert len(club.bob.letters(Kind.INVITATION)) == 1  # that of the first game
    club.bob.write("games")
    assert sorted(due.notice.kind for due in club.bob.letters()[-3:]) == [
        Kind.GAMES,
        Kind.INVITATION,
        Kind.SHOW,
    ]
    accepted = club.bob.reply("accept", to=club.bob.newest(Kind.INVITATION))
    assert accepted.event == "accepted"


def test_robots_lift_nothing() -> None:
    """An answering machine, or a forged report, does not show that anybody is there."""
    club = suspended()
    club.bob.write("I am away", auto_submitted="auto-replied")
    (box,) = club.office.writer.run_sync(lambda unit: unit.mailboxes())
    assert box.suspended is not None


def test_the_opponent_is_told_once() -> None:
    """More letters that come back later say nothing new."""
    club = suspended()
    told = len(club.alice.letters(Kind.UNREACHABLE))
    for due in club.bob.letters()[:2]:
        club.office.wait(days=1)
        club.come_back(due)
    assert (told, len(club.alice.letters(Kind.UNREACHABLE))) == (1, 1)


def test_a_report_counts_once() -> None:
    """A letter has come back when it has come back; whoever says so again is not heard."""
    club = Club()
    club.send()
    due = club.bob.newest()
    assert club.come_back(due).event == "bounced"
    club.office.wait(days=1)
    assert club.come_back(due).event == "repeated"


def test_forged_reports_are_ignored() -> None:
    """Without the MAC of a letter of ours nothing counts, and nobody is answered."""
    club = Club()
    club.send()
    before = len(club.office.outbox)
    outcome = club.come_back(club.bob.newest(), key=b"x" * 32)
    assert (outcome.event, outcome.wrong_token) == ("ignored", True)
    assert club.office.writer.run_sync(lambda unit: unit.mailboxes()) == []
    assert len(club.office.outbox) == before


def test_an_answering_machine_at_the_envelope_address() -> None:
    """RFC 3834 has them answer there: that is no bounce."""
    club = Club()
    club.send()
    away = b"From: bob@players.example\nAuto-Submitted: auto-replied\n\nI am away.\n"
    assert club.come_back(club.bob.newest(), away).event == "ignored"
    assert club.office.writer.run_sync(lambda unit: unit.mailboxes()) == []


def test_an_invitation_that_cannot_be_delivered() -> None:
    """The proposer learns at once that there is a slip in the address."""
    office = Office()
    alice = office.person("Alice")
    alice.write("new 9x9 vs bobb@players.example")
    alice.reply("yes")
    club = Club()
    club.office, club.alice = office, alice
    club.send()
    invitation = Person(office, "Bobb", "bobb@players.example").newest(Kind.INVITATION)
    club.come_back(invitation)
    club.come_back(invitation)
    assert len(alice.letters(Kind.UNREACHABLE)) == 1
    assert alice.reply("withdraw", to=alice.newest(Kind.UNREACHABLE)).event == "accepted"


def test_a_person_who_answers_the_envelope_address() -> None:
    """Some old programs answer Return-Path; the letter's references still say which game."""
    club = Club()
    club.send()
    started = club.alice.newest(Kind.STARTED)
    to = identity.return_path(KEY, ADDRESS, started.uid)
    outcome = club.alice.write("D4", to=to, in_reply_to=club.office.message_id(started))
    assert outcome.event == "accepted"


def test_return_paths_fit_every_server() -> None:
    """The local part has room for an address of ours of 23 letters (RFC 5321, 4.5.3.1.1)."""
    local = identity.return_path(KEY, "g" * 23 + "@go.example", "0" * 16).partition("@")[0]
    assert len(local) == 64
    assert identity.is_ours(identity.return_path(KEY, ADDRESS, "0" * 16).upper(), ADDRESS)
