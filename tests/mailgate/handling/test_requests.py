"""Requests by letter: settings, new games, challenges, blocks, no emails; scenes have the rest."""

from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

import pytest

from godaemon.errors import Corrupt
from godaemon.games import commands as cmd
from godaemon.games.events import LogEntry
from godaemon.games.notices import Kind
from godaemon.records.sgf import parse_sgf
from godaemon.texts.catalogue import sentence_from_json
from mailgate.handling.parsed_letter import parse_letter
from mailgate.language.parser import parse_text
from mailgate.language.verb_table import verbs
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.gateway import Gateway, Person, Table, started
from tests.support.letters import html
from tests.support.mailto import button_clicks
from tests.support.memory_store import MemoryGames


def settings() -> Iterator[str]:
    """Each example of a verb that sets something or exports."""
    for entry in verbs().values():
        for example in entry.examples:
            command = parse_text([example]).commands[0].command
            if isinstance(command, cmd.Setting | cmd.Export) and example != "settings":
                yield example


def test_a_setting_in_a_new_email_needs_one_reply() -> None:
    """The answer has the line to reply with."""
    for line in (*settings(), "digest at 21:30", "emails daily at 8"):
        dora = Gateway().person("Dora")
        assert dora.write(line).event == "refused", line
        shown = "stop all" if line == "stop" else line  # outside of any game
        assert f"`{shown}`" in sentence_from_json(dora.newest(Kind.REFUSED).notice.about["reason"])
        assert dora.reply(line).event == "accepted", line
        assert dora.newest().notice.kind in (Kind.SETTINGS, Kind.EXPORT), line


def test_settings_outside_a_game_offer_working_clicks() -> None:
    """For their reader alone."""
    gateway, alice, bob = started()
    gateway.start(bob, alice)
    alice.write("games")
    alice.reply("vacation 2 weeks")
    assert alice.reply("back").event == "accepted"
    assert "Welcome back" in alice.text()
    alice.reply("settings", to=alice.newest(Kind.GAMES))
    shown = alice.newest(Kind.SETTINGS)
    for offer in button_clicks(html(alice.read())):
        assert alice.reply(offer, to=shown).event == "accepted", offer
    gateway.send()
    assert bob.reply("emails none everywhere", to=shown).event == "bad-token"


@pytest.mark.parametrize("name", ["Bob", "BOB", "bob smith", "Smith"])
def test_a_known_opponent_can_be_invited_by_name(name: str) -> None:
    """By any of their names."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    bob = gateway.person("Bob Smith", "bob@players.example")
    gateway.start(alice, bob)
    alice.reply(f"new 13x13 vs {name}")
    assert bob.newest().notice.kind is Kind.INVITATION
    assert gateway.game(2).spec.invited.address == bob.address


def test_an_ambiguous_name_is_asked_back() -> None:
    """A whole name goes before a part of one."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    for name, address in (("Bob Smith", "smith@x.example"), ("Bob Jones", "jones@y.example")):
        gateway.start(alice, gateway.person(name, address))
    alice.reply("new 9x9 komi 5.5 vs bob")
    about = alice.newest(Kind.REFUSED).notice.about
    assert "2 people called “bob”" in sentence_from_json(about["reason"])
    assert about["hints"] == ["new 9x9 komi 5.5 vs Bob Jones", "new 9x9 komi 5.5 vs Bob Smith"]
    gateway.start(alice, gateway.person("Bob", "bob@z.example"))
    alice.reply("new 9x9 vs Bob")
    assert gateway.game(4).spec.invited.address == "bob@z.example"


CORNER = b"(;GM[1]SZ[5]KM[0.5]RU[Chinese]PL[W]AB[bb][cb][db]AW[bc][cc])"


def attached(person: Person, text: str, content: bytes, name: str = "game.sgf") -> EmailMessage:
    letter = person.letter(text)
    letter.add_attachment(content, "application", "octet-stream", filename=name)
    return letter


def test_a_record_is_parsed_before_the_transaction() -> None:
    """Only for a proposal."""
    alice = Gateway().person("Alice")
    for text, is_read in (("new vs bob@players.example", True), ("games", False)):
        letter = bytes(attached(alice, text, CORNER))
        parsed = parse_letter(InboundLetter("go@go.example", alice.address, letter))
        assert (parsed.record == parse_sgf(CORNER)) is is_read


def test_an_encoded_file_name_is_decoded() -> None:
    """As mail programs write other scripts."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    name = "=?utf-8?B?5qOL6LCxLnNnZg==?="
    alice.post(attached(alice, f"new vs {alice.address}", CORNER, name))
    alice.reply("yes")
    assert alice.reply("D3").event == "accepted"


def acquainted(address: str = "dave@players.example") -> Person:
    """Alice, who has met Dave by an open challenge, and does not know his address."""
    gateway = Gateway()
    alice, dave = gateway.person("Alice"), gateway.person("Dave", address)
    dave.write("new 9x9 open")
    dave.reply("yes", to=dave.newest(Kind.CONFIRM))
    alice.write("take 1")
    alice.reply("take 1")
    return alice


def test_a_block_does_not_reveal_an_address() -> None:
    """A right and a wrong guess get the same answer."""
    answers = []
    for guess in ("dave@players.example", "nobody@players.example"):
        alice = acquainted()
        alice.reply(f"block {guess}", to=alice.newest(Kind.STARTED))
        answer = alice.text()
        alice.reply("export", to=alice.newest(Kind.STARTED))
        blocks = alice.newest(Kind.EXPORT).notice.about["blocks"]
        answers.append((answer.replace(guess, "GUESS"), blocks))
    assert answers[0] == answers[1]
    assert answers[0][1] == ["somebody else"]


@pytest.mark.parametrize("line", ["move me to {}", "move me to {} everywhere", "new 9x9 vs {}"])
def test_an_invitation_does_not_reveal_an_address(line: str) -> None:
    """Nor does a move of a seat."""
    answers = []
    for guess in ("seven@players.example", "eight@players.example"):
        alice = acquainted("seven@players.example")
        event = alice.reply(line.format(guess), to=alice.newest(Kind.STARTED)).event
        answers.append((event, alice.text().replace(guess.partition("@")[0], "GUESS")))
    assert answers[0] == answers[1]
    assert "Dave" not in answers[0][1]


GMAIL = "This message was automatically generated by Gmail."
PROGRAM = {"auto_submitted": "auto-generated"}


def button(person: Person) -> str:
    """The address that the Unsubscribe button of a newest letter writes to; "" without a button."""
    return unquote(urlsplit(str(person.read()["List-Unsubscribe"] or "").strip("<>")).path)


def gets_no_letter(table: Table) -> bool:
    """True if Bob gets no letter about Alice's next move."""
    table.mark = len(table.gateway.outbox)
    table.alice.reply("D4", to=table.alice.newest(Kind.STARTED))
    assert table.moves() == "D4"
    return "bob" not in dict(table.notices)


@pytest.mark.parametrize(
    ("subject", "text", "header"),
    [
        ("", "stop", {}),
        ("stop", "", {}),
        ("stop", GMAIL, {}),
        ("unsubscribe", "", {}),
        ("Unsubscribe", GMAIL, {}),
        ("unsubscribe", "I get too much of this.\n\nD4", {}),
        ("unsubscribe", "", PROGRAM),
        ("stop", "stop", PROGRAM),
        ("Unsubscribe", GMAIL, {"x_auto_response_suppress": "All"}),
        ("unsubscribe", "resign", {"precedence": "bulk", **PROGRAM}),
    ],
)
def test_the_button_stops_emails(subject: str, text: str, header: dict[str, str]) -> None:
    """By subject or text, and with the header of a program."""
    table = Table()
    done = table.bob.write(text, to=button(table.bob), subject=subject, header=header)
    assert done.event == "accepted"
    assert [name for name, _ in table.notices] == ["bob"] * ("auto_submitted" not in header)
    assert not table.game.phase.over
    assert gets_no_letter(table)


@pytest.mark.parametrize(
    ("subject", "header", "sender"),
    [
        ("Automatic reply: stop", PROGRAM, None),
        ("Re: stop", PROGRAM, None),
        ("unsubscribe", PROGRAM, ""),
        ("unsubscribe", {"from": "mailer-daemon@players.example"}, None),
    ],
)
def test_an_answering_machine_stops_nothing(
    subject: str, header: dict[str, str], sender: str | None
) -> None:
    """Nor does a mail server."""
    table = Table()
    letter = table.bob.letter("stop", {"subject": subject, **header})
    assert table.bob.post(letter, to=button(table.bob), sender=sender).event == "ignored"
    assert not gets_no_letter(table)


def test_the_answer_to_stop_has_no_button() -> None:
    """A program that presses every button would never end."""
    bob = Table().bob
    assert button(bob)
    bob.reply("stop")
    assert not button(bob)
    bob.reply("emails all")
    assert button(bob)


def test_the_button_of_a_forwarded_letter_needs_a_yes() -> None:
    """From the player."""
    table = Table()
    work = table.gateway.person("Bob", "bob@work.example")
    work.write("", to=button(table.bob), subject="unsubscribe", header=PROGRAM)
    assert not gets_no_letter(table)
    table.bob.reply("yes", to=table.bob.newest(Kind.CONFIRM))
    before = len(table.bob.letters())
    table.gateway.play(table.alice, table.bob, "E5")
    assert len(table.bob.letters()) <= before + 1


class Lobby:
    """Alice has played Bob, and has opened a challenge as game 2; Carol has played Bob too."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.alice, self.bob, self.carol = map(self.gateway.person, ("Alice", "Bob", "Carol"))
        self.gateway.start(self.alice, self.bob)
        self.alice.reply("new 13x13 open")

    def list(self, person: Person) -> str:
        person.write("challenges")
        assert person.newest().notice.kind is Kind.CHALLENGES
        return person.text()


def test_a_challenge_requires_a_name() -> None:
    """Others see only names, no part of an address."""
    lobby = Lobby()
    dora = lobby.gateway.person("", "dora.example@four.example")
    lobby.gateway.start(dora, lobby.bob)
    for line in ("new 9x9 open", "take 2", "players on"):
        dora.reply(line)
        assert dora.newest(Kind.REFUSED).notice.about["hints"] == ["name Margaret"], line
    dora.reply("name Dora")
    dora.reply("new 9x9 open")
    assert "Dora: 9x9" in lobby.list(lobby.alice)


@pytest.mark.parametrize("line", ["rematch", "new 9x9 vs Carol"])
@pytest.mark.parametrize("old", [False, True])
def test_players_of_a_challenge_never_see_addresses(line: str, *, old: bool) -> None:
    """In later games too."""
    lobby = Lobby()
    lobby.carol.write("challenges")
    lobby.carol.reply("take 2")
    started = lobby.alice.newest(Kind.STARTED)
    lobby.carol.resign(to=lobby.carol.newest(Kind.STARTED))
    since = len(lobby.gateway.outbox)
    lobby.alice.reply(line, to=started if old else lobby.alice.newest(Kind.FINISHED))
    if old:  # an old letter of theirs, which others may have
        lobby.alice.reply("yes", to=lobby.alice.newest(Kind.CONFIRM))
    assert lobby.carol.newest().notice.kind is Kind.INVITATION
    lobby.alice.reply("new 9x9 vs", to=started)
    for who, other in ((lobby.alice, "carol@"), (lobby.carol, "alice@")):
        for due in lobby.gateway.outbox[since:]:
            if due.notice.to == who.address:
                assert other not in str(who.read(due)).casefold()


def test_an_unreadable_challenge_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: a challenge of a newer version quarantined every list."""
    lobby = Lobby()
    lobby.carol.write("new 9x9 open")
    lobby.carol.reply("yes")
    log = MemoryGames.log

    def log_or_fail(self: MemoryGames, number: int, first: int = 0) -> Sequence[LogEntry]:
        if number == 2:
            raise Corrupt("a newer record")
        return log(self, number, first)

    monkeypatch.setattr(MemoryGames, "log", log_or_fail)
    lobby.gateway.cache.clear()
    listed = lobby.list(lobby.bob)
    assert "take 3" in listed
    assert "take 2" not in listed


@pytest.mark.parametrize("ended", [False, True])
def test_both_players_learn_that_a_game_was_unrated(ended: bool) -> None:
    """By the operator."""
    gateway, *players = started("19x19 rated as black")
    if ended:
        gateway.writer.run_sync(lambda unit: gateway.games(unit).adjudicate(1, "B+3.5"))
    gateway.writer.run_sync(lambda unit: gateway.games(unit).unrate(1))
    for person in players:
        assert "have decided that this game is not rated" in person.words()
