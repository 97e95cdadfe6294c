"""Letters that come back: read, counted against their address, and told to those who wait."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.games import address_suspension
from godaemon.games.notices import DueNotice, Kind
from godaemon.games.stored_values import Unit
from mailgate import tokens
from mailgate.handling.context import LetterOutcome
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.reports import find_failure, is_hard, is_refusal_of_us
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.delivery_report import report
from tests.support.gateway import ADDRESS, KEY, Gateway, Person

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
        ("5.0.0", "failed", False),
        ("5.2.1", "failed", True),
        ("5.4.4", "failed", True),
        ("5.2.2", "failed", False),
        ("5.7.1", "failed", False),
        ("5.1.8", "failed", False),
        ("5.6.7", "failed", False),
        ("4.4.7", "failed", False),
    ],
)
def test_reports(status: str, action: str, hard: bool) -> None:
    """A box that is gone is told from one that is full, a policy, or what says nothing of it."""
    found = find_failure(report(status, action, said="550 so it is"))
    assert found is not None
    assert (found.hard, found.said) == (hard, "550 so it is")


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
    assert found.said.startswith(expected[1])


@pytest.mark.parametrize(("said", "hard"), [("550 5.7.26 who?", False), ("550 5.1.1 gone", True)])
def test_a_status_that_says_nothing_is_made_up_for_by_the_servers_words(
    said: str, hard: bool
) -> None:
    """Exim writes 5.0.0 into every report; what the recipient's server said stands beside it."""
    found = find_failure(report("5.0.0", said=said))
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
    """Whatever stands in a report, it is read to something or to nothing."""
    for one in (raw, report(said=raw.decode("latin-1"))):
        found = find_failure(one)
        assert found is None or ("\n" not in found.said and len(found.said) <= 200)


def test_statuses() -> None:
    """Only what speaks against the mailbox is hard."""
    hard = [is_hard(status) for status in ("5.1.1", "5.1.10", "5.2.2", "5.7.26", "4.1.1", "")]
    assert hard == [True, True, False, False, False, False]


@pytest.mark.parametrize(("why", "hard"), [("nobody is there", True), ("of us", False)])
def test_a_refusal_of_the_sender_says_nothing_against_the_address(why: str, hard: bool) -> None:
    """As providers write: only who says that nobody is there speaks of the mailbox."""
    said = LINES[f"a refusal because {why}"]
    found = {one: find_failure(report(one.split()[1], said=one)) for one in said}
    assert {one for one in said if (got := found[one]) is None or got.hard is not hard} == set()


class Club:
    """Alice and Bob in a game; what goes out to Bob may come back."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.start(self.alice, self.bob)
        self.reports = 0

    def send(self) -> None:
        """All that is owed goes out."""

        def work(unit: object) -> None:
            for due in unit.outbox.claim(self.gateway.now, 60, 99):  # type: ignore[attr-defined]
                unit.outbox.mark_sent(due.id, self.gateway.now)  # type: ignore[attr-defined]

        self.gateway.writer.run_sync(work)

    def come_back(
        self, due: DueNotice, raw: bytes | None = None, key: bytes = KEY
    ) -> LetterOutcome:
        """A report comes to the envelope's sender of a letter."""
        self.reports += 1
        to = tokens.return_path(key, ADDRESS, due.uid)
        return self.gateway.take(InboundLetter(to, "", raw or report(id=str(self.reports), to=to)))

    def lose(self, days: int = 3) -> LetterOutcome:
        """On so many days, in turn, Bob's newest letter comes back."""
        outcome = LetterOutcome("none")
        for _ in range(days):
            self.gateway.wait(days=1)
            self.alice.reply("say hello", to=self.alice.newest(Kind.STARTED))
            self.send()
            outcome = self.come_back(self.bob.newest())
        return outcome


def test_one_refusal_is_only_counted() -> None:
    """The letter is shown to the operator, and the next one goes out."""
    club = Club()
    assert club.lose(1).event == "bounced"
    (troubled,) = club.gateway.writer.run_sync(lambda unit: unit.outbox.troubled_notices())
    assert troubled.last_error == "550 5.1.1 no such user"
    assert Kind.UNREACHABLE not in {due.notice.kind for due in club.gateway.outbox}


@pytest.mark.parametrize(
    ("said", "refuses"),
    [
        ("550 5.7.1 we take no mail from you", True),
        ("550 5.1.1 no such user", False),
        ("552 5.2.2 the mailbox is full", False),
    ],
)
def test_who_is_refused(said: str, refuses: bool) -> None:
    """We are, unless there is no such mailbox, or it takes nothing just now."""
    assert is_refusal_of_us(said) is refuses


def test_an_address_that_refuses_us_is_suspended() -> None:
    """The opponent is told once in words; nothing more is queued; what was owed is kept."""
    club = Club()
    club.lose(2)
    club.gateway.wait(days=1)
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    assert club.come_back(club.bob.newest(Kind.STARTED)).event == "suspended"
    (told,) = club.alice.letters(Kind.UNREACHABLE)
    count = len(club.bob.letters())
    club.alice.reply("say are you there?", to=told)
    assert len(club.bob.letters()) == count
    claimed = club.gateway.writer.run_sync(lambda unit: unit.outbox.claim(club.gateway.now, 60, 99))
    assert {due.notice.to for due in claimed} == {club.alice.address}
    assert club.gateway.writer.run_sync(lambda unit: unit.outbox.status_counts())["waiting"] > len(
        claimed
    )


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
    assert club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses()) == []
    assert club.bob.reply("E5", to=club.bob.letters()[before]).event == "accepted"


def test_what_was_missed_is_sent_again() -> None:
    """Who was suspended while an invitation waited gets it anew, and can accept it."""
    club = suspended()
    carol = club.gateway.person("Carol")
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


def test_a_forged_letter_lifts_nothing() -> None:
    """One whose envelope is of elsewhere shows nobody to be there; with a good token it does."""
    club = suspended()
    before = len(club.bob.letters())
    club.bob.post(club.bob.letter("help"), sender="x@spam.example")
    (box,) = club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses())
    assert box.suspended is not None
    assert len(club.bob.letters()) == before
    token = club.gateway.token(club.bob.newest(Kind.YOUR_TURN))
    to = tokens.reply_address(ADDRESS, token)
    club.bob.post(club.bob.letter("E5"), to=to, sender="bob@forwarder.example")
    assert club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses()) == []
    assert club.gateway.game().move_number == 2


def test_robots_lift_nothing() -> None:
    """An answering machine, or a forged report, does not show that anybody is there."""
    club = suspended()
    club.bob.write("I am away", auto_submitted="auto-replied")
    (box,) = club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses())
    assert box.suspended is not None


def test_the_opponent_is_told_once() -> None:
    """More letters that come back later say nothing new."""
    club = suspended()
    told = len(club.alice.letters(Kind.UNREACHABLE))
    for due in club.bob.letters()[:2]:
        club.gateway.wait(days=1)
        club.come_back(due)
    assert (told, len(club.alice.letters(Kind.UNREACHABLE))) == (1, 1)


def test_a_game_does_not_stand_still_over_one_lost_letter() -> None:
    """Who is to move is shown the board again; when that comes back too, the opponent hears."""
    club = Club()
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    club.send()
    assert club.come_back(club.bob.newest(Kind.YOUR_TURN)).event == "bounced"
    assert club.alice.letters(Kind.UNREACHABLE) == []
    club.send()
    assert club.come_back(club.bob.newest(Kind.SHOW)).event == "bounced"
    assert len(club.alice.letters(Kind.UNREACHABLE)) == 1
    (box,) = club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses())
    assert (box.score, box.suspended) == (1.0, None)


def test_a_full_box_loses_letters_too() -> None:
    """It counts less, and once; whoever waits for the player hears of it all the same."""
    club = Club()
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    club.send()
    due, full = club.bob.newest(Kind.YOUR_TURN), report("5.2.2", said="552 5.2.2 full")
    assert club.come_back(due, full).event == "bounced"
    club.gateway.wait(days=1)
    assert club.come_back(due, report("5.2.2", said="552 5.2.2 full", id="9")).event == "repeated"
    (box,) = club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses())
    assert (box.score, box.error) == (0.3, "552 5.2.2 full")
    club.send()
    assert club.come_back(club.bob.newest(Kind.SHOW), full.replace(b"1@", b"8@")).event == "bounced"
    assert len(club.alice.letters(Kind.UNREACHABLE)) == 1


def test_a_letter_that_is_late_is_not_lost() -> None:
    """Mail servers say every few hours that they are still trying: that counts nothing."""
    club = Club()
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    club.send()
    late = report("4.4.1", "delayed", said="connection timed out")
    assert club.come_back(club.bob.newest(), late).event == "ignored"
    assert club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses()) == []
    assert club.alice.letters(Kind.UNREACHABLE) == []


def test_who_writes_again_is_shown_what_they_missed() -> None:
    """One lost letter is enough: it may have been the one that said whose turn it is."""
    club = Club()
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    club.send()
    club.come_back(club.bob.newest(Kind.YOUR_TURN))
    club.send()
    club.come_back(club.bob.newest(Kind.SHOW))
    before = len(club.bob.letters())
    club.bob.write("help")
    assert Kind.SHOW in {due.notice.kind for due in club.bob.letters()[before:]}
    club.bob.write("help")
    assert len(club.bob.letters(Kind.SHOW)) == 2
    # And when it happens again after that, the opponent hears of it again.
    for _ in range(2):
        club.send()
        assert club.come_back(club.bob.newest(Kind.SHOW)).event == "bounced"
    assert len(club.alice.letters(Kind.UNREACHABLE)) == 2


def lost(club: Club, due: DueNotice) -> None:
    """A letter of which we ourselves know that it will not arrive, through no fault of Bob's."""

    def work(unit: Unit) -> None:
        games = club.gateway.games(unit)
        address_suspension.record_bounce(
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
        club.send()
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
    club.send()
    club.come_back(club.bob.newest(Kind.HELP))
    before = len(club.gateway.outbox)
    inner = report(to="MAILER-DAEMON@mx.players.example", id="inner")
    whole = report(id="outer", said="550 5.1.1 no such daemon").replace(
        b"Subject: Go game 1\n", inner[:2000] + b"\n", 1
    )
    posted = tokens.return_path(KEY, ADDRESS, club.alice.newest().uid)
    for number, to in enumerate((ADDRESS, posted, posted)):
        raw = whole.replace(b"<outer@", f"<outer{number}@".encode())
        club.gateway.take(InboundLetter(to, sender, raw))
    # Alice is to move: she is shown the board once more, and nobody else hears anything.
    assert [due.notice.kind for due in club.gateway.outbox[before:]] == [Kind.SHOW]
    assert club.gateway.outbox[-1].notice.to == club.alice.address


def test_a_report_counts_once() -> None:
    """A letter has come back when it has come back; whoever says so again is not heard."""
    club = Club()
    club.send()
    due = club.bob.newest()
    assert club.come_back(due).event == "bounced"
    club.gateway.wait(days=1)
    assert club.come_back(due).event == "repeated"


def test_a_forged_report_is_not_told_to_the_opponent() -> None:
    """Who has an email of Bob's can forge one of it: Bob is shown his board, and Alice nothing."""
    club = Club()
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    club.gateway.wait(minutes=1)
    club.bob.reply("E5")
    club.alice.reply("C3")
    club.send()
    club.come_back(club.bob.newest(Kind.YOUR_TURN))
    club.send()
    for due in club.bob.letters()[:-1]:
        club.gateway.wait(hours=2)
        club.come_back(due)
    assert club.alice.letters(Kind.UNREACHABLE) == []
    assert club.bob.kinds()[-1] == "show"
    assert club.bob.reply("D5").event == "accepted"


def test_a_report_of_an_email_that_was_answered_since_counts_nothing() -> None:
    """Its reader has written, so they are there."""
    club = Club()
    seen = club.bob.newest()
    club.alice.reply("D4", to=club.alice.newest(Kind.STARTED))
    club.gateway.wait(minutes=1)
    club.bob.reply("E5")
    club.send()
    club.come_back(seen)
    assert club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses()) == []


def test_a_report_of_an_email_of_long_ago_is_ignored() -> None:
    """Mail servers have given up long before: who writes it has found our email somewhere."""
    club = Club()
    club.send()
    club.gateway.wait(days=15)
    assert club.come_back(club.bob.newest()).event == "repeated"
    assert club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses()) == []


def test_forged_reports_are_ignored() -> None:
    """Without the MAC of a letter of ours nothing counts, and nobody is answered."""
    club = Club()
    club.send()
    before = len(club.gateway.outbox)
    outcome = club.come_back(club.bob.newest(), key=b"x" * 32)
    assert (outcome.event, outcome.wrong_token) == ("ignored", True)
    assert club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses()) == []
    assert len(club.gateway.outbox) == before


def test_an_answering_machine_at_the_envelope_address() -> None:
    """RFC 3834 has them answer there: that is no bounce."""
    club = Club()
    club.send()
    away = b"From: bob@players.example\nAuto-Submitted: auto-replied\n\nI am away.\n"
    assert club.come_back(club.bob.newest(), away).event == "ignored"
    assert club.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses()) == []


@pytest.mark.parametrize("status", ["5.1.1", "5.2.2", "5.6.7"])
def test_an_invitation_that_cannot_be_delivered(status: str) -> None:
    """The proposer learns at once that it is lost, through a slip in the address or otherwise."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    alice.write("new 9x9 vs bobb@players.example")
    alice.reply("yes")
    club = Club()
    club.gateway, club.alice = gateway, alice
    club.send()
    invitation = Person(gateway, "Bobb", "bobb@players.example").newest(Kind.INVITATION)
    club.come_back(invitation, report(status, said="550 no", id="1"))
    club.come_back(invitation, report(status, said="550 no", id="2"))
    assert len(alice.letters(Kind.UNREACHABLE)) == 1
    assert alice.reply("withdraw", to=alice.newest(Kind.UNREACHABLE)).event == "accepted"


def test_a_person_who_answers_the_envelope_address() -> None:
    """Some old programs answer Return-Path; the letter's references still say which game."""
    club = Club()
    club.send()
    started = club.alice.newest(Kind.STARTED)
    to = tokens.return_path(KEY, ADDRESS, started.uid)
    outcome = club.alice.write("D4", to=to, in_reply_to=club.gateway.message_id(started))
    assert outcome.event == "accepted"


def test_return_paths_fit_every_server() -> None:
    """The local part has room for an address of ours of 23 letters (RFC 5321, 4.5.3.1.1)."""
    local = tokens.return_path(KEY, "g" * 23 + "@go.example", "0" * 16).partition("@")[0]
    assert len(local) == 64
    assert tokens.is_ours(tokens.return_path(KEY, ADDRESS, "0" * 16).upper(), ADDRESS)
