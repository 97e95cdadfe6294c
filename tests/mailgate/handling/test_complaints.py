"""Complaints: somebody called one of our emails unwanted, and their provider tells us so."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest

from godaemon.games import commands as cmd
from godaemon.games.address_suspension import COMPLAINT, clear_address, record_bounce
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.owed_letters import keep_notice
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.rules.points import Color, parse_point
from mailgate import tokens
from mailgate.handling.context import LetterOutcome
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.reports import is_refusal_of_us
from tests.support.gateway import ADDRESS, KEY, Gateway, Table

REPORT = "multipart/report; report-type=feedback-report; boundary=x"
FIELDS = "Feedback-Type: abuse\nUser-Agent: Anyone/1.0\nVersion: 1\n"
Form = Callable[[str], str]


def letter(kind: str, *parts: tuple[str, str], head: str = "") -> str:
    """A letter of these parts, each with its type; `head` may name other fields than the usual."""
    head = head or "From: <fbl@provider.example>\nSubject: Feedback report"
    body = "".join(f"--x\nContent-Type: {type_}\n\n{text}\n" for type_, text in parts)
    return f"{head}\nMIME-Version: 1.0\nContent-Type: {kind}\n\n{body}--x--\n"


def report(fields: str = FIELDS, *, last: str = "message/rfc822", head: str = "") -> Form:
    """An RFC 5965 report."""
    said = ("text/plain", "This is an email abuse report for a message from 192.0.2.1.")
    feedback = ("message/feedback-report", fields)
    return lambda ours: letter(REPORT, said, feedback, (last, ours), head=head)


def mixed(text: str, *, head: str, last: str = "message/rfc822") -> Form:
    """A sentence, and our letter."""
    kind = "multipart/mixed; boundary=x"
    return lambda ours: letter(kind, ("text/plain", text), (last, ours), head=head)


def plain(text: str, *, head: str = "") -> Form:
    """One text; OURS in it is our letter."""
    head = head or "From: <fbl@provider.example>\nSubject: Feedback report"
    return lambda ours: f"{head}\n\n{text.replace('OURS', ours)}\n"


def wrapped(ours: str) -> str:
    """A report in base64."""
    body = base64.encodebytes(f"{FIELDS}\n\n{ours}".encode()).decode()
    return (
        "From: <arf@provider.example>\nSubject: Abuse report\nContent-Type: text/plain\n"
        f"Content-Transfer-Encoding: base64\n\n{body}"
    )


JMRP = "From: <staff@hotmail.com>\nSubject: complaint about message from 192.0.2.1"
ABUSE = "From: <abuse@provider.example>\nSubject: "
FORMS: dict[str, Form] = {
    "rfc 5965": report(),
    "headers only": report(last="text/rfc822-headers"),
    "fraud": report(FIELDS.replace("abuse", "fraud")),
    "virus": report(FIELDS.replace("abuse", "virus")),
    "other": report(FIELDS.replace("abuse", "other")),
    "opt-out": report(FIELDS.replace("abuse", "opt-out")),
    "in capitals": report(FIELDS.upper()),
    "all optional fields": report(
        FIELDS + "Original-Mail-From: <go@go.example>\nOriginal-Rcpt-To: <bob@players.example>\n"
        "Arrival-Date: Thu, 8 Mar 2026 14:00:00 EDT\nSource-IP: 192.0.2.1\nIncidents: 3\n"
        "Reported-Domain: go.example\nAuthentication-Results: mail.example; spf=pass\n"
    ),
    "from a person's own address": report(head="From: <bob@players.example>\nSubject: Fw: Go"),
    "an odd subject": report(head="From: <x@arf.mail.provider.example>\nSubject: FW:Go game 1"),
    "multipart/mixed in place of report": lambda ours: letter(
        "multipart/mixed; boundary=x",
        *(("text/plain", "x"), ("message/feedback-report", FIELDS), ("message/rfc822", ours)),
    ),
    "no report-type": lambda ours: letter(
        "multipart/report; boundary=x",
        *(("text/plain", "x"), ("message/feedback-report", FIELDS), ("message/rfc822", ours)),
    ),
    "the fields as text": lambda ours: letter(
        "multipart/mixed; boundary=x", ("text/plain", FIELDS), ("message/rfc822", ours)
    ),
    "the fields as an attached file": lambda ours: letter(
        "multipart/mixed; boundary=x",
        *(("text/plain", "x"), ("application/octet-stream", FIELDS), ("message/rfc822", ours)),
        head=ABUSE + "Abuse report",
    ),
    "no fields at all": lambda ours: letter(REPORT, ("text/plain", "x"), ("message/rfc822", ours)),
    "no text": lambda ours: letter(
        REPORT, ("message/feedback-report", FIELDS), ("message/rfc822", ours)
    ),
    "all in one text": plain(f"This is an email abuse report\n\n{FIELDS}\nOURS"),
    "all in one text, quoted": plain(f"{FIELDS}\n> Message-ID: ID"),
    "in base64": wrapped,
    "outlook": mixed("", head=JMRP),
    "outlook, by another desk": mixed("", head=JMRP.replace("staff@hotmail.com", "a@outlook.com")),
    "outlook, by its field alone": lambda ours: letter(
        "multipart/mixed; boundary=x",
        ("message/rfc822", f"X-HmXmrOriginalRecipient: bob@players.example\n{ours}"),
        head="From: <a@outlook.com>\nSubject: Fw: Go",
    ),
    "aol": mixed("", head="From: <scomp@aol.net>\nSubject: Email Feedback Report for IP 192.0.2.1"),
    "spamcop": plain(
        "[ SpamCop V5 ]\nOffending message:\nOURS",
        head="From: <123@reports.spamcop.net>\nSubject: [SpamCop (192.0.2.1) id:123]Go game 1",
    ),
    "a help desk": mixed("Please look at this.", head=ABUSE + "Spam complaint #4711"),
    "a help desk, headers": mixed(
        "Your email was reported.", head=ABUSE + "Abuse complaint", last="text/rfc822-headers"
    ),
    "flagged as junk": mixed("x", head=ABUSE + "Your message was marked as junk"),
}


class Desk(Table):
    """At Bob's provider somebody pressed a button."""

    def __init__(self) -> None:
        super().__init__(gateway=Gateway(trusted="mx.go.example"))
        self.gateway.send()
        self.due = self.bob.newest()
        self.id = self.gateway.message_id(self.due)

    def complain(
        self, form: Form, *, to: str = ADDRESS, ours: str = "", checked: str = ""
    ) -> LetterOutcome:
        """A complaint in one of the forms, and what our mail server has `checked` of it."""
        ours = ours or (
            f"From: Go by mail <{ADDRESS}>\nTo: redacted@players.example\n"
            f"Subject: Go game 1 with Alice\nMessage-ID: {self.id}\n\nIt is your move.\n"
        )
        raw = form(ours).replace("Message-ID: ID", f"Message-ID: {self.id}")
        raw = f"Message-ID: <{self.gateway.unique()}@provider.example>\n{raw}"
        raw = f"Authentication-Results: mx.go.example; {checked}\n{raw}" if checked else raw
        sender = "fbl@provider.example"
        return self.gateway.take(InboundLetter(to, sender, raw.replace("\n", "\r\n").encode()))

    @property
    def suspended(self) -> list[str]:
        """To whom nothing is sent."""
        return [box.address for box in self.gateway.writer.state.bouncing.values() if box.suspended]


@pytest.fixture
def desk() -> Desk:
    """A game whose letters have gone out."""
    return Desk()


def in_games(work: Callable[[GameService], object]) -> Callable[[Desk], object]:
    """What happens without a letter."""
    return lambda desk: desk.gateway.writer.run_sync(lambda unit: work(desk.gateway.games(unit)))


def came_back(games: GameService, person: str) -> None:
    """A letter to somebody comes back once."""
    notice = Notice(Kind.HELP, f"{person}@players.example")
    record_bounce(games, notice, "4.2.2 full", is_refusal_of_us, hard=False)


def sent_again(person: str) -> Callable[[Desk], object]:
    """An operator has letters go again to an address from which one came back."""

    def work(games: GameService) -> None:
        came_back(games, person)
        clear_address(games, f"{person}@players.example")

    return in_games(work)


def forged(desk: Desk) -> None:
    """Anybody can write in her name."""
    in_games(lambda games: came_back(games, "alice"))(desk)
    desk.alice.write("help")


def kept(games: GameService) -> None:
    """Her program has gone away from the seat."""
    keep_notice(games.unit, Kind.YOUR_TURN, games.game(1), Seat.BLACK, 0)
    games.owe_kept_notice(1, Color.BLACK)


MOVE = cmd.Play(parse_point("D4"))
NOT_HERS: dict[str, Callable[[Desk], object]] = {
    "a program in a seat": in_games(
        lambda games: games.act(1, Seat.BLACK, [MOVE], Caller("gtp:black", seated=True))
    ),
    "the clock": lambda desk: desk.gateway.expire(hours=1),
    "a letter that was kept": in_games(kept),
    "an operator": sent_again("alice"),
    "an invitation that is sent again": sent_again("carol"),
    "a letter without a token": forged,
}
"""What happens after Alice has invited Carol."""


@pytest.mark.parametrize("form", FORMS)
def test_a_complaint_suspends(desk: Desk, form: str) -> None:
    """Nothing more goes to that address, its opponent is told, and nobody answers the provider."""
    outcome = desk.complain(FORMS[form])
    assert (outcome.event, outcome.detail) == ("complaint", desk.bob.address)
    assert desk.suspended == [desk.bob.address]
    assert desk.told == [("alice", "unreachable")]
    assert desk.gateway.writer.state.bouncing[desk.bob.address].error == COMPLAINT


@pytest.mark.parametrize("form", FORMS)
def test_one_that_names_no_letter_of_ours(desk: Desk, form: str) -> None:
    """Whoever makes one up stops nobody's letters; the operator reads of it in the log."""
    forged = f"From: <{ADDRESS}>\nMessage-ID: <1-b-0-0.{'0' * 16}@go.example>\n\nmove\n"
    outcome = desk.complain(
        lambda _: FORMS[form](forged).replace("Message-ID: ID", "X: y"), ours="x"
    )
    assert outcome.event == "complaint"
    assert desk.suspended == []
    assert desk.told == []


def test_by_the_envelope_s_own_address(desk: Desk) -> None:
    """One that comes to the letter's return path says by that which letter it was."""
    path = tokens.return_path(KEY, ADDRESS, desk.due.uid)
    desk.complain(report(), to=path, ours="From: x\n\nredacted\n")
    assert desk.suspended == [desk.bob.address]
    forged = path[: path.index("@") - 3] + "aaa@go.example"
    assert desk.complain(report(), to=forged).event != "complaint"


@pytest.mark.parametrize("kind", ["not-spam", "auth-failure"])
def test_reports_that_complain_of_nothing(desk: Desk, kind: str) -> None:
    """That a letter was wanted after all, or that somebody forged our address."""
    assert desk.complain(report(FIELDS.replace("abuse", kind))).event == "ignored"
    assert desk.suspended == []


@pytest.mark.parametrize(
    "text", ["This is spam! Stop it.", "I want to report abuse: Alice insults me."]
)
def test_people_who_complain(desk: Desk, text: str) -> None:
    """They are people: their letters are read and answered as any other's."""
    assert desk.bob.reply(text, subject="Re: your spam complaint").event != "complaint"
    assert desk.suspended == []


class TestAsAWeapon:
    """Whoever has one old letter of a player's may write complaints in their provider's name."""

    def test_each_letter_is_complained_of_once(self, desk: Desk) -> None:
        """Who has answered is written to, however often the same letter is complained of."""
        desk.complain(report())
        desk.bob.reply("show", to=desk.due)
        for _ in range(8):
            assert desk.complain(report()).event == "complaint"
            assert desk.suspended == []
        path = tokens.return_path(KEY, ADDRESS, desk.due.uid)
        desk.complain(report(), to=path)
        assert desk.suspended == []

    def test_letters_to_which_others_followed(self, desk: Desk) -> None:
        """Who has written since has shown that they want the letters; the next counts again."""
        desk.gateway.play(desk.alice, desk.bob, "D4")
        desk.gateway.wait(days=1)
        desk.bob.reply("E5")
        assert desk.complain(report()).event == "complaint"
        assert desk.suspended == []
        desk.gateway.play(desk.alice, desk.bob, "F6")
        desk.gateway.send()
        desk.id = desk.gateway.message_id(desk.bob.newest())
        desk.complain(report())
        assert desk.suspended == [desk.bob.address]

    @pytest.mark.parametrize("event", NOT_HERS)
    def test_letters_to_which_others_followed_without_her(self, desk: Desk, event: str) -> None:
        """What programs, the clock and other people cause is no letter of hers."""
        carol = desk.gateway.person("Carol")
        desk.alice.reply(f"new 9x9 vs {carol.address}", to=desk.alice.newest())
        desk.gateway.send()
        desk.id = desk.gateway.message_id(desk.alice.newest(Kind.INVITED))
        desk.gateway.wait(hours=2)
        told = len(desk.gateway.outbox)
        NOT_HERS[event](desk)
        assert len(desk.gateway.outbox) > told
        desk.complain(report())
        assert desk.suspended == [desk.alice.address]

    def test_one_that_fails_dmarc(self, desk: Desk) -> None:
        """Our own mail server says that no provider wrote it."""
        failed = "dmarc=fail header.from=provider.example"
        outcome = desk.complain(report(), checked=failed)
        assert (outcome.event, outcome.forged) == ("complaint", True)
        assert desk.suspended == []
        desk.complain(report(), checked="dmarc=pass header.from=provider.example")
        assert desk.suspended == [desk.bob.address]

    @pytest.mark.parametrize("seat", ["", "1-b-0-0-aaaaaaaaaaaaaaaa."])
    def test_the_whole_id_is_ours(self, desk: Desk, seat: str) -> None:
        """Its end alone, or below another seat's word, names no letter."""
        desk.id = f"<{seat}{desk.due.uid}@go.example>"
        desk.complain(report())
        assert desk.suspended == []


class TestAfterwards:
    """Letters go there again when its holder writes, which others cannot do in their name."""

    def test_a_fresh_letter_may_be_anybody_s(self, desk: Desk) -> None:
        """It may be the very forgery that was complained of."""
        desk.complain(report())
        desk.bob.write("help")
        assert desk.suspended == [desk.bob.address]

    def test_a_reply_is_theirs(self, desk: Desk) -> None:
        """Their token shows it."""
        desk.complain(report())
        desk.gateway.wait(days=1)
        desk.bob.reply("show", to=desk.due)
        assert desk.suspended == []
        assert desk.bob.newest().notice.kind is Kind.SHOW

    def test_a_bounce_does_not_wash_it_away(self, desk: Desk) -> None:
        """What comes back besides counts for nothing more, and nothing less."""
        desk.complain(report())
        path = tokens.return_path(KEY, ADDRESS, desk.due.uid)
        raw = b"Subject: failure\r\n\r\n<bob@players.example>: 550 5.1.1 unknown\r\n"
        desk.gateway.take(InboundLetter(path, "", raw))
        desk.bob.write("help")
        assert desk.suspended == [desk.bob.address]
