"""Complaints and bounces, as providers report them."""

from collections.abc import Callable
from functools import partial

import pytest

from godaemon.daemon import health
from godaemon.games import commands as cmd
from godaemon.games.bouncing_addresses import (
    COMPLAINT,
    clear_address,
    record_bounce,
    refusing_domains,
)
from godaemon.games.email_queue import keep_notice
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import DueNotice, Kind, Notice
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.rules.points import Color, parse_point
from mailgate import tokens
from mailgate.handling.context import LetterOutcome
from mailgate.reading.bounce_reports import is_refusal_of_us
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.delivery_report import COMPLAINTS, OURS, complaint, report
from tests.support.gateway import ADDRESS, KEY, Gateway, Table

FORMS = (*COMPLAINTS, "in base64")


class Desk(Table):
    """Complaints from Bob's provider about letters to him."""

    def __init__(self) -> None:
        super().__init__(gateway=Gateway(trusted="mx.go.example"))
        self.gateway.send()
        self.due = self.bob.newest()
        self.id = self.gateway.message_id(self.due)

    def complain(
        self, form: str = "rfc 5965", *, to: str = ADDRESS, ours: str = OURS, checked: str = ""
    ) -> LetterOutcome:
        """A complaint in one of the forms, and what our mail server has `checked` of it."""
        head = f"Message-ID: <{self.gateway.unique()}@provider.example>\r\n"
        head = f"Authentication-Results: mx.go.example; {checked}\r\n{head}" if checked else head
        raw = head.encode() + complaint(form, self.id, ours)
        return self.gateway.take(InboundLetter(to, "fbl@provider.example", raw))

    @property
    def suspended(self) -> list[str]:
        """The addresses that get no letters."""
        return [box.address for box in self.gateway.writer.state.bouncing.values() if box.suspended]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def without_letter(work: Callable[[GameService], object]) -> Callable[[Desk], object]:
    """A change of the games without a letter."""
    return lambda desk: desk.gateway.writer.run_sync(lambda unit: work(desk.gateway.games(unit)))


def bounce_once(games: GameService, person: str) -> None:
    """Record one bounce of a letter to a person."""
    notice = Notice(Kind.HELP, f"{person}@players.example")
    record_bounce(games, notice, "4.2.2 full", is_refusal_of_us, hard=False)


def reopen_address(person: str) -> Callable[[Desk], object]:
    """An operator reopens an address from which a letter bounced."""

    def work(games: GameService) -> None:
        bounce_once(games, person)
        clear_address(games, f"{person}@players.example")

    return without_letter(work)


def send_forgery(desk: Desk) -> None:
    """A letter in Alice's name without proof."""
    without_letter(lambda games: bounce_once(games, "alice"))(desk)
    desk.alice.write("help")


def queue_kept(games: GameService) -> None:
    """Queue a notice that was kept while a program played."""
    keep_notice(games.unit, Kind.YOUR_TURN, games.game(1), Seat.BLACK, 0)
    games.queue_kept_notice(1, Color.BLACK)


MOVE = cmd.Play(parse_point("D4"))
NOT_HERS: dict[str, Callable[[Desk], object]] = {
    "a program in a seat": without_letter(
        lambda games: games.act(1, Seat.BLACK, [MOVE], Caller("gtp:black", from_program=True))
    ),
    "the clock": lambda desk: desk.gateway.expire(hours=1),
    "a letter that was kept": without_letter(queue_kept),
    "an operator": reopen_address("alice"),
    "an invitation that is sent again": reopen_address("carol"),
    "a letter without a token": send_forgery,
}
"""What happens after Alice has invited Carol."""


@pytest.mark.parametrize("form", FORMS)
def test_a_complaint_in_any_form_suspends_the_address(desk: Desk, form: str) -> None:
    """A complaint about no letter of ours has no effect."""
    named, desk.id = desk.id, f"<1-b-0-0.{'0' * 16}@go.example>"
    assert desk.complain(form).event == "complaint"
    assert desk.suspended == []
    desk.id = named
    outcome = desk.complain(form)
    assert (outcome.event, outcome.detail) == ("complaint", desk.bob.address)
    assert desk.suspended == [desk.bob.address]
    assert desk.notices == [("alice", "unreachable")]
    assert desk.gateway.writer.state.bouncing[desk.bob.address].error == COMPLAINT


def test_a_complaint_to_the_return_path_counts(desk: Desk) -> None:
    """The path identifies the letter."""
    path = tokens.return_path(KEY, ADDRESS, desk.due.uid)
    desk.complain(to=path, ours="From: x\n\nredacted\n")
    assert desk.suspended == [desk.bob.address]
    forged = path[: path.index("@") - 3] + "aaa@go.example"
    assert desk.complain(to=forged).event != "complaint"


@pytest.mark.parametrize("kind", ["not-spam", "auth-failure"])
def test_other_feedback_suspends_nobody(desk: Desk, kind: str) -> None:
    """Such as `not-spam`, or a forgery of our address."""
    raw = complaint("rfc 5965", desk.id).replace(b"Type: abuse", f"Type: {kind}".encode())
    assert desk.gateway.take(InboundLetter(ADDRESS, "fbl@x.example", raw)).event == "ignored"
    assert desk.suspended == []


def test_a_quoted_header_is_no_complaint(desk: Desk) -> None:
    """Anybody may have written `Feedback-Type` into it."""
    raw = report().replace(b"message/rfc822\n\n", b"text/rfc822-headers\n\nFeedback-Type: abuse\n")
    raw = raw.replace(b"Subject: Go game 1\n", b"Version: 1\n")
    assert desk.gateway.take(InboundLetter(ADDRESS, "mx@x.example", raw)).event != "complaint"
    assert desk.suspended == []


def test_one_letter_has_one_complaint(desk: Desk) -> None:
    """Also by its return path."""
    desk.complain()
    desk.bob.reply("show", to=desk.due)
    desk.complain(to=tokens.return_path(KEY, ADDRESS, desk.due.uid))
    assert desk.suspended == []


@pytest.mark.parametrize("event", NOT_HERS)
def test_only_her_own_later_emails_clear_a_complaint(desk: Desk, event: str) -> None:
    """Programs, clocks and other people do not."""
    carol = desk.gateway.person("Carol")
    desk.alice.reply(f"new 9x9 vs {carol.address}", to=desk.alice.newest())
    desk.gateway.send()
    desk.id = desk.gateway.message_id(desk.alice.newest(Kind.INVITED))
    desk.gateway.wait(hours=2)
    count = len(desk.gateway.outbox)
    NOT_HERS[event](desk)
    assert len(desk.gateway.outbox) > count
    desk.complain()
    assert desk.suspended == [desk.alice.address]


def test_a_complaint_that_fails_dmarc_has_no_effect(desk: Desk) -> None:
    """Our mail server says that no provider wrote it."""
    failed = "dmarc=fail header.from=provider.example"
    outcome = desk.complain(checked=failed)
    assert (outcome.event, outcome.forged) == ("complaint", True)
    assert desk.suspended == []
    desk.complain(checked="dmarc=pass header.from=provider.example")
    assert desk.suspended == [desk.bob.address]


@pytest.mark.parametrize("seat", ["", "1-b-0-0-aaaaaaaaaaaaaaaa."])
def test_a_partial_message_id_names_no_letter(desk: Desk, seat: str) -> None:
    """Nor does its end below another seat's token."""
    desk.id = f"<{seat}{desk.due.uid}@go.example>"
    desk.complain()
    assert desk.suspended == []


BLOCKED = "550 5.2.0 Mail rejected. ofr_506"


def bounce(gateway: Gateway, due: DueNotice, reason: str = "550 5.1.1 no such user") -> None:
    """Send a report to a letter's envelope sender."""
    to = tokens.return_path(KEY, ADDRESS, due.uid)
    raw = report(reason.split()[1], reason=reason, id=str(gateway.unique()), to=to)
    gateway.take(InboundLetter(to, "", raw))


class Provider:
    """Alice plays with people whose mail server returns each of our letters."""

    def __init__(self, *refused: str) -> None:
        self.gateway = Gateway()
        self.alice = self.gateway.person("Alice")
        self.refused = [self.gateway.person(one.split("@")[0].title(), one) for one in refused]
        self.games = [self.gateway.start(self.alice, one) for one in self.refused]

    def send_back(self, reason: str) -> list[str]:
        """Each of them is written to, and each letter comes back; who is suspended then."""
        for number, whom in zip(self.games, self.refused, strict=True):
            mine = [due for due in self.alice.letters() if due.notice.game == number]
            self.alice.reply(f"say hello {len(mine)}", to=mine[-1])
            self.gateway.send()
            bounce(self.gateway, whom.newest(), reason)
        return [box.address for box in self.gateway.writer.state.bouncing.values() if box.suspended]

    def troubles(self) -> list[str]:
        """The troubles in `godaemon status`."""
        now = self.gateway.now
        found = self.gateway.writer.run_sync(
            lambda unit: refusing_domains(unit, now, is_refusal_of_us)
        )
        return [
            one.sentence for one in health.measured_troubles(health.Measured(now, refusing=found))
        ]


@pytest.mark.slow
def test_a_provider_that_blocks_us_suspends_nobody() -> None:
    """The operator sees the domain once several players are affected."""
    three = [f"{name}@orange.example" for name in ("bob", "carol", "dave")]
    provider = Provider(*three, "eve@free.example")
    assert provider.troubles() == []
    for _ in range(40):
        provider.gateway.wait(hours=8)
        assert not {*three} & {*provider.send_back(BLOCKED)}
    (trouble,) = provider.troubles()
    assert "to 3 players at orange.example" in trouble
    assert "free.example" not in trouble
    assert all(provider.gateway.game(one).phase is Phase.PLAYING for one in provider.games)
    provider.gateway.wait(days=2)
    assert provider.troubles() == []


@pytest.mark.parametrize("reason", ["552 5.2.2 mailbox full", "421 4.4.1 connection timed out"])
def test_full_mailboxes_are_no_refusals_of_us(reason: str) -> None:
    """They count as bounces, and the operator is not warned."""
    provider = Provider(*(f"{name}@big.example" for name in ("bob", "carol", "dave")))
    for _ in range(30):
        provider.gateway.wait(hours=8)
        suspended = provider.send_back(reason)
        assert provider.troubles() == []
    assert len(suspended) == 3


def test_a_letter_that_we_could_not_send_is_reported_and_not_counted() -> None:
    """Our mail server was down for days, or cannot write to such an address."""
    table = Table()
    table.alice.reply("D4")
    lost = table.bob.newest(Kind.YOUR_TURN).notice
    record = partial(record_bounce, refuses=is_refusal_of_us, hard=False, counts=False)
    for _ in range(3):
        table.gateway.writer.run_sync(lambda unit: record(table.gateway.games(unit), lost, "no"))
    assert table.gateway.writer.state.bouncing == {}
    assert len(table.alice.letters(Kind.UNREACHABLE)) == 1


def test_two_unreachable_players_cause_no_endless_letters() -> None:
    """Each letter about one bounces from the other; in the end none is sent."""
    table, seen = Table(), 0
    table.alice.reply("D4")
    while len(table.gateway.outbox) > seen:
        seen = len(table.gateway.outbox)
        assert seen < 12
        table.gateway.wait(days=1)
        table.gateway.send()
        for due in list(table.gateway.outbox):
            bounce(table.gateway, due)
    for person in (table.alice, table.bob):
        assert len(person.letters(Kind.UNREACHABLE)) <= 1


@pytest.mark.parametrize("sender", ["", "MAILER-DAEMON@mx.players.example"])
def test_reports_are_never_answered(sender: str) -> None:
    """To our plain address, about an answer, or about another report."""
    table = Table()
    table.bob.write("help")
    table.gateway.send()
    bounce(table.gateway, table.bob.newest(Kind.HELP))
    before = len(table.gateway.outbox)
    inner = report(to="MAILER-DAEMON@mx.players.example", id="inner")
    whole = report(id="outer", reason="550 5.1.1 no such daemon").replace(
        b"Subject: Go game 1\n", inner[:2000] + b"\n", 1
    )
    posted = tokens.return_path(KEY, ADDRESS, table.alice.newest().uid)
    for number, to in enumerate((ADDRESS, posted, posted)):
        raw = whole.replace(b"<outer@", f"<outer{number}@".encode())
        table.gateway.take(InboundLetter(to, sender, raw))
    # Alice is to move: she is shown the board once more, and nobody else hears anything.
    assert table.gateway.notices(before) == [("alice", "show")]


def test_a_reply_to_the_envelope_sender_is_read() -> None:
    """Some old programs reply there; References name the game."""
    table = Table()
    to = tokens.return_path(KEY, ADDRESS, table.alice.newest().uid)
    answered = table.gateway.message_id(table.alice.newest())
    assert table.alice.write("D4", to=to, in_reply_to=answered).event == "accepted"
