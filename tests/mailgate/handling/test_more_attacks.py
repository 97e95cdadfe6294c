"""More attacks by letter: on authors, recipients and authentication results.

| attack                          | what it comes to                                              |
|---------------------------------|---------------------------------------------------------------|
| From of many, of none, a group  | nobody's letter: ignored                                      |
| Sender, Reply-To, Resent-From   | not looked at: From acts, and From alone is answered          |
| forged Authentication-Results   | of another server, below ours, or ARC's: not believed         |
| a letter to two games           | one letter for each seat, acted on in each                    |
| a token of one game in another  | each is good for its own alone                                |
| an invitation flood             | a few a day from one, a few a day to one, none after `block`  |
| a confirmation flood            | a few a day in one name                                       |
| CSS and HTML in names, subjects | shown as words, in every letter that repeats them             |
"""

from email.utils import format_datetime

import pytest

from godaemon.games.notices import Kind
from godaemon.texts.catalogue import sentence_from_json
from mailgate import tokens
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.envelopes import normalize_line_ends
from tests.support.gateway import ADDRESS, Gateway, Table
from tests.support.limits import Limits

SERVER = "mx.go.example"
PASS = f"Authentication-Results: {SERVER}; dmarc=pass header.from=players.example"


def post(table: Table, *head: str, to: str = ADDRESS, sender: str = "eve@players.example") -> str:
    """A letter of these fields that says D4; what becomes of it."""
    raw = "\r\n".join([*head, f"Message-ID: <{table.gateway.unique()}@x>", "", "D4", ""])
    return table.gateway.take(InboundLetter(to, sender, raw.encode(), trusted=True)).event


class TestAuthors:
    """A letter is from the one mailbox in its one From, or of several from Sender's, or nobody."""

    @pytest.mark.parametrize(
        "fields",
        [
            [],
            ["From:"],
            ["From: <>"],
            ["From: alice@players.example, bob@players.example"],
            ["From: Players: alice@players.example, eve@players.example;"],
            ["From: undisclosed-recipients:;"],
            ["From: alice@players.example", "From: eve@players.example"],
            ["From: eve@players.example", "From: alice@players.example"],
            ["From: @players.example:alice@players.example"],
            ["From: alice@players.example, eve@players.example"],
            ['From: "alice@players.example" <eve@players.example>'],
            ["From: alice@players.example <eve@players.example>"],
            ["From: <alice@players.example> <eve@players.example>"],
            ["From: eve@players.example (alice@players.example)"],
            ["From: =?utf-8?q?alice=40players.example?= <eve@players.example>"],
            ['From: "alice@players.example"@eve.example'],
            ["From: alice@players.example@eve.example"],
            ["From: alice@[127.0.0.1]"],
            ["From: alice%players.example@eve.example"],
            ["From: =?utf-8?q?Alice_=3Calice=40players=2Eexample=3E?="],
            ["From: alice@players.example\r\n\tBcc: x@y.example"],
            ["Sender: alice@players.example"],
            ["Resent-From: alice@players.example"],
            ["Reply-To: alice@players.example"],
        ],
        ids=lambda fields: " | ".join(fields) or "none",
    )
    def test_a_from_without_one_author_does_nothing(self, fields: list[str]) -> None:
        """Even with Alice's valid token, and it is not answered."""
        table = Table()
        assert post(table, *fields, to=table.seat(table.alice)) in {"ignored", "held"}
        assert table.moves() == ""
        assert [notice for notice in table.notices if notice[1] != "confirm"] == []

    def test_a_dmarc_pass_covers_one_author_only(self) -> None:
        """Two authors in From must confirm."""
        gateway = Gateway(trusted="mx.go.example")
        bob = gateway.person("Bob")
        both = "eve@players.example, bob@players.example"
        for several in ({}, {"from": both, "sender": "bob@players.example"}):
            passed = {
                "authentication_results": "mx.go.example; dmarc=pass header.from=players.example",
                **several,
            }
            bob.write("new 9x9 vs carol@players.example", header=passed)
        kinds = [due.notice.kind.value for due in bob.letters()]
        assert kinds == ["invited", "confirm"]


class TestVouching:
    """Only the topmost word of our own mail server counts."""

    @pytest.mark.parametrize(
        "fields",
        [
            [f"Authentication-Results: {SERVER}; dmarc=fail", PASS],
            [PASS.replace("Authentication-Results", "ARC-Authentication-Results: i=1; x")],
            [PASS.replace("Authentication-Results: ", "ARC-Authentication-Results: i=1; ")],
            [PASS.replace("Authentication-Results", "X-Authentication-Results")],
            [PASS.replace("Authentication-Results", "Original-Authentication-Results")],
            [f"ARC-Seal: i=1; cv=pass; d={SERVER}"],
            [f"Subject: x\r\n {PASS}"],
            [f"Subject: x\r{PASS}"],
        ],
        ids=lambda fields: fields[0][:60],
    )
    def test_forged_authentication_results_do_not_count(self, fields: list[str]) -> None:
        """The proposer must confirm; a letter that fails DMARC gets no answer."""
        table = Table(gateway=Gateway(trusted=SERVER))
        to_us = f"To: {ADDRESS}\r\nDate: {format_datetime(table.gateway.now)}"
        head = "\r\n".join([*fields, "From: alice@players.example", to_us, "Message-ID: <p@x>"])
        raw = normalize_line_ends(f"{head}\r\n\r\nnew 9x9 vs carol@players.example\r\n".encode())
        table.gateway.take(InboundLetter(ADDRESS, "alice@players.example", raw, trusted=True))
        failed = any("dmarc=fail" in field for field in fields)
        assert table.notices == [("alice", "confirm")] * (not failed)

    def test_a_dmarc_pass_gives_no_seat(self) -> None:
        """It identifies the writer; a game needs a token."""
        table = Table(gateway=Gateway(trusted=SERVER))
        assert post(table, PASS, "From: alice@players.example") == "refused"
        assert table.moves() == ""


class TestRecipients:
    """One letter to several of our addresses."""

    def test_a_letter_to_two_games_moves_in_both(self) -> None:
        """One letter for each."""
        table = Table()
        table.gateway.start(table.alice, table.eve, "9x9 as black")
        one, two = (
            tokens.reply_address(ADDRESS, table.gateway.token(due))
            for due in table.alice.letters(Kind.STARTED)
        )
        raw = b"From: alice@players.example\r\nMessage-ID: <1@x>\r\n\r\nD4\r\n"
        for to in (one, two):
            assert (
                table.gateway.take(InboundLetter(to, "alice@players.example", raw)).event
                == "accepted"
            )
        assert [table.gateway.game(number).move_number for number in (1, 2)] == [1, 1]

    def test_a_letter_to_both_seats_moves_in_its_own(self) -> None:
        """The other seat's waits for its player."""
        table = Table()
        raw = b"From: alice@players.example\r\nMessage-ID: <1@x>\r\n\r\nD4\r\n"
        seats = [table.seat(table.alice), table.seat(table.bob)]
        events = [table.gateway.take(InboundLetter(to, "alice@x", raw)).event for to in seats]
        assert events == ["accepted", "held"]
        assert table.moves() == "D4"

    def test_a_token_counts_for_its_own_game_only(self) -> None:
        """Another number makes it invalid."""
        table = Table()
        table.gateway.start(table.alice, table.eve, "9x9 as black")
        other = table.gateway.token(table.alice.newest()).partition("-")[2]
        outcome = table.alice.write("D4", to=tokens.reply_address(ADDRESS, f"1-{other}"))
        assert outcome.wrong_token
        assert table.moves() == ""


class TestFloods:
    """Nobody can make us a nuisance to others."""

    def test_addresses_with_tags_share_their_limits(self) -> None:
        """`eve+1@` and `eve+2@` are one mailbox."""
        table = Table(gateway=Gateway(limits=Limits(invitations_per_sender=3)))
        for number in range(8):
            person = table.gateway.person("Eve", f"eve+{number}@players.example")
            person.write(f"new 9x9 vs v{number}@victims.example")
            person.reply("yes", to=person.newest(Kind.CONFIRM))
        assert [kind for _, kind in table.notices].count("invitation") == 3


class TestWordsToStrangers:
    """Nobody can make us write what they like to people who do not know them."""

    NAMES = (
        "Win at http://evil.example/now",
        "www.evil.example",
        "Claim your prize: evil.com",
        "evil.example/prize",
        "ｅｖｉｌ．ｃｏｍ",
        "Call evil@evil.example",
    )

    @pytest.mark.parametrize("name", NAMES)
    def test_a_name_with_a_link_is_left_out(self, name: str) -> None:
        """The invitation has the address alone."""
        gateway = Gateway()
        eve, bob = gateway.person("Eve"), gateway.person("Bob")
        eve.write(f"new 9x9 vs {bob.address}", header={"from": f'"{name}" <{eve.address}>'})
        assert gateway.game().spec.proposer.name == "eve"

    def test_a_refusal_without_token_quotes_nothing(self) -> None:
        """Somebody else may have written the letter."""
        table = Table()
        spam = "new 9x9 vs http://evil.com/\n\nBuy now at http://evil.com/"
        for person in (table.bob, table.eve):
            assert person.write(spam).event == "refused"
            about = person.newest().notice.about
            assert "evil" not in str(about)

    @pytest.mark.parametrize("text", ["new 9x9 vs cheap-pills", "new pills vs bob@x.example"])
    def test_a_reason_for_a_stranger_quotes_nothing(self, text: str) -> None:
        """It says why, and what would work."""
        table = Table()
        table.eve.write(text)
        reason = sentence_from_json(table.eve.newest().notice.about["reason"])
        assert "pills" not in reason
        assert "“" not in reason.replace("“…”", "")

    def test_a_refusal_with_token_quotes_the_letter(self) -> None:
        """The token identifies its writer."""
        table = Table()
        table.alice.reply("D4 see http://evil.com/")
        assert table.alice.newest().notice.about["lines"]
