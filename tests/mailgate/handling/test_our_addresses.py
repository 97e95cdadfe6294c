"""Our addresses: several of them, and providers that lose +tags; scenes have the rest."""

import re
from collections.abc import Callable
from email.message import EmailMessage
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from godaemon.games.model import Phase
from godaemon.games.notices import DueNotice, Kind
from mailgate.handling.context import LetterOutcome
from mailgate.letters.compose import Composer
from mailgate.letters.html_page import MAX_BYTES
from mailgate.letters.letter_data import load_letter_data
from mailgate.reading.bounce_reports import find_quoted_id
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.delivery_report import report
from tests.support.exchange import Mail, answer
from tests.support.gateway import ADDRESS, KEY, Gateway, Person, started
from tests.support.gateway import Table as TwoPlayers
from tests.support.letters import parsed, part
from tests.support.mailto import Click, board_clicks, button_clicks, clicks

COMPOSER = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14, plus_addressing=False)


def written(gateway: Gateway, due: DueNotice) -> bytes:
    return COMPOSER.compose(load_letter_data(gateway.snapshot(), due)).raw


def letter(gateway: Gateway, due: DueNotice) -> EmailMessage:
    return parsed(written(gateway, due))


class Table(TwoPlayers):
    """They answer and click on letters as they are written."""

    def __init__(self, terms: str = "5x5 rules chinese as black") -> None:
        super().__init__(terms)

    def letter(self, due: DueNotice) -> EmailMessage:
        return letter(self.gateway, due)

    def reply(self, person: Person, text: str, kind: Kind | None = None) -> LetterOutcome:
        """What a mail program sends when its reply button is pressed."""
        raw = written(self.gateway, person.newest(kind))
        return person.post(answer(Mail("", person.address, raw), text).letter)

    def click(self, person: Person, line: str, kind: Kind | None = None) -> LetterOutcome:
        """What it sends when a link is clicked: a new letter that refers to nothing."""
        html = part(self.letter(person.newest(kind)), "html")
        found = {**board_clicks(html), **button_clicks(html)}[line]
        assert found.to == ADDRESS
        return person.write(found.body, to=found.to, subject=found.subject)

    def agreement(self, person: Person) -> str:
        """What agrees to the count that the email which began it shows."""
        html = part(self.letter(person.newest(Kind.SCORING_STARTED)), "html")
        return next(line for line in button_clicks(html) if line.endswith("done"))


def test_no_address_has_a_tag() -> None:
    """Neither header fields nor links nor the envelope."""
    gateway, alice, bob = started("5x5 as black")
    alice.reply("D4", to=alice.newest(Kind.STARTED))
    bob.reply("move me to bob@new.example")
    assert COMPOSER.return_path("0" * 16) == ADDRESS
    for due in gateway.outbox:
        mail = letter(gateway, due)
        addresses = [str(mail[name] or "") for name in ("From", "Reply-To", "List-Unsubscribe")]
        assert not any("+" in one or "%2B" in one for one in addresses)
        for click in clicks(part(mail, "html")):
            assert click.to == ADDRESS
        assert re.search(r"go(\+|%2B)", part(mail, "html") + part(mail, "plain")) is None


@pytest.mark.parametrize("way", [Table.reply, Table.click], ids=["replies", "clicks"])
def test_a_game_can_be_played(way: Callable[..., LetterOutcome]) -> None:
    """The answered Message-ID, or the tag in the subject, identifies seat and revision."""
    made = Table()
    for mover, text in ((made.alice, "C3"), (made.bob, "B2"), (made.alice, "B3")):
        assert way(made, mover, text).event == "accepted"
    way(made, made.bob, "pass")
    way(made, made.alice, "pass", Kind.YOUR_TURN)
    for person in (made.alice, made.bob):
        line = made.agreement(person)
        assert way(made, person, line, Kind.SCORING_STARTED).event == "accepted"
    assert made.gateway.game().phase is Phase.FINISHED


@pytest.mark.parametrize(
    ("subject", "text", "moves"),
    [
        *((f"{start}Go game 1 [#TOKEN]", "C3", 1) for start in ("AW: Re: ", "[EXTERN] Fwd: ")),
        ("返信: Go game 1 [#TOKEN]", "C3", 1),
        ("RE: GO GAME 1 [#UPPER]", "C3", 1),
        ("pass [#TOKEN]", "", 1),
        *((f"Go {tag}", "C3", 0) for tag in ("[#]", "[#1-b]", "[#1-b-3-0", "#TOKEN", "(TOKEN)")),
        ("Go [TOKEN]", "C3", 0),
    ],
)
def test_a_tag_counts_behind_any_prefix_and_in_any_case(
    subject: str, text: str, moves: int
) -> None:
    """Other brackets are no tags."""
    made = Table()
    token = made.gateway.token(made.alice.newest())
    made.alice.write(text, subject=subject.replace("TOKEN", token).replace("UPPER", token.upper()))
    assert made.gateway.game().move_number == moves


def test_tags_answer_questions_and_transfers() -> None:
    """A held letter, and a move of a seat."""
    made = Table()
    phone = made.gateway.person("Alice", "alice@phone.example")
    made.gateway.token(made.alice.newest())
    phone.reply("C3", to=made.alice.newest(Kind.STARTED))
    assert made.click(made.alice, "yes", Kind.CONFIRM).event == "accepted"
    assert made.gateway.game().move_number == 1
    made.reply(made.bob, "move me to bob@new.example")
    new = made.gateway.person("Bob", "bob@new.example")
    assert made.click(made.bob, "yes", Kind.MOVING).event == "agreed"
    assert made.click(new, "yes", Kind.MOVING).event == "moved"


def test_the_unsubscribe_link_has_a_tag() -> None:
    """A mail program keeps its subject."""
    made = Table()
    made.alice.write("new 9x9 vs carol@players.example")
    made.alice.reply("yes", to=made.alice.newest(Kind.CONFIRM))
    carol = made.gateway.person("Carol")
    letter = made.letter(carol.newest(Kind.INVITATION))
    link = urlsplit(str(letter["List-Unsubscribe"]).strip("<>"))
    query = parse_qs(link.query)
    assert unquote(link.path) == ADDRESS
    outcome = carol.write("", to=unquote(link.path), subject=query["subject"][0])
    assert outcome.event == "accepted"
    assert made.gateway.writer.state.blocks


@pytest.mark.parametrize("size", ["19x19", "25x25"])
def test_links_of_large_boards_keep_the_tag(size: str) -> None:
    """Within Gmail's limit of size."""
    made = Table(f"{size} as black")
    html = part(made.letter(made.alice.newest()), "html")
    assert len(html.encode()) <= MAX_BYTES
    token = made.gateway.token(made.alice.newest())
    found: list[Click] = clicks(html)
    assert found
    assert all(click.subject.endswith(f"[#{token}]") for click in found)


def test_references_count_if_a_server_changes_the_message_id() -> None:
    """Replies contain them."""
    made = Table()
    raw = written(made.gateway, made.alice.newest())
    other = re.sub(rb"Message-ID: <[^>]+>", b"Message-ID: <4711@ses.example>", raw)
    assert other != raw
    reply = answer(Mail("", made.alice.address, other), "C3").letter
    assert made.alice.post(reply).event == "accepted"
    assert made.gateway.game().move_number == 1


def came_back(quoted: bytes, sender: str = "") -> tuple[LetterOutcome, Table]:
    """A report to our plain address, with `quoted` as our letter's header."""
    made = Table()
    bob = made.bob.newest()

    made.gateway.send()
    ours = quoted.replace(b"OURS", str(made.letter(bob)["Message-ID"]).encode())
    raw = report().replace(b"Subject: Go game 1\n", b"Subject: Go game 1\n" + ours)
    return made.gateway.take(InboundLetter(ADDRESS, sender, raw)), made


@pytest.mark.parametrize("sender", ["", "mailer-daemon@mx.example"])
def test_a_bounce_counts_by_the_quoted_message_id(sender: str) -> None:
    """Nobody can guess it."""
    outcome, made = came_back(b"Message-ID: OURS\n", sender)
    assert outcome.event == "bounced"
    boxes = made.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses())
    assert [box.address for box in boxes] == [made.bob.address]


@pytest.mark.parametrize(
    "quoted",
    [
        b"",
        b"Message-ID: <0123456789abcdef@go.example>\n",
        b"Message-ID: <1-b-3-0-aaaaaaaaaaaaaaaa.0123456789abcdef@go.example>\n",
        b"Message-ID: <4711@ses.example>\n",
        b"X-Message-ID: OURS\n",
    ],
)
def test_a_bounce_without_our_message_id_is_ignored(quoted: bytes) -> None:
    """Anybody can write one."""
    outcome, made = came_back(quoted)
    assert outcome.event == "ignored"
    assert made.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses()) == []


def test_quoted_ids_of_other_servers_are_skipped() -> None:
    """They may precede ours."""
    raw = (
        b"From: mailer-daemon@mx.example\r\nIn-Reply-To: <aaaaaaaaaaaaaaaa@go.example>\r\n\r\n"
        b"It came back.\r\n\r\nMessage-ID: <0123456789abcdef@other.example>\r\n"
        b"Message-ID: <1-b-3-0-aaaaaaaaaaaaaaaa.FEDCBA9876543210@GO.example>\r\n"
    )
    ours = "<1-b-3-0-aaaaaaaaaaaaaaaa.fedcba9876543210@go.example>"
    assert find_quoted_id(raw, "go.example") == ours
    assert find_quoted_id(raw, "elsewhere.example") == ""


CLUB, LATE = "play@club.example", "late@club.example"


@pytest.fixture
def gateway() -> Gateway:
    """One with three addresses; Alice plays Bob at the club's."""
    gateway = Gateway(others={CLUB: "The Go Club", LATE: "Late"})
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write(f"new 9x9 as black vs {bob.address}", to=CLUB)
    alice.reply("yes")
    bob.reply("accept")
    return gateway


def test_the_export_has_the_address_we_answer_from(gateway: Gateway) -> None:
    """It is stored with the player."""
    alice = gateway.person("Alice")
    alice.reply("export")
    about = alice.newest(Kind.EXPORT).notice.about
    assert about["settings"]["answered_from"] == CLUB
    assert about["settings_by_game"]["1"]["answered_from"] == CLUB


def test_a_removed_address_falls_back_to_the_main_one(gateway: Gateway) -> None:
    """Also for letters already queued."""
    gateway.others, bob = {LATE: "Late"}, gateway.person("Bob")
    assert bob.read()["From"] == f"Go by mail <{ADDRESS}>"
    path = gateway.composer.return_path(bob.newest().uid, CLUB)
    assert path.startswith("go+bounce-")
    assert path.endswith("@go.example")


def test_a_bounce_to_another_of_our_addresses_counts(gateway: Gateway) -> None:
    """By the token of the return path."""
    gateway.person("Alice").reply("D4")
    gateway.send()
    path = gateway.composer.return_path(gateway.person("Bob").newest().uid, CLUB)
    assert path.startswith("play+bounce-")
    assert gateway.take(InboundLetter(path, "", report(to=path))).event == "bounced"
