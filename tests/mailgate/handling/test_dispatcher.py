"""Letters from their bytes to what they come to: who speaks, what is done, and what is answered."""

from __future__ import annotations

import pytest

from godaemon.errors import Unreadable
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from godaemon.texts.catalogue import retold
from mailgate import tokens
from mailgate.handling.answer_limits import BURST, LOOP, WORDS
from mailgate.handling.parsed_letter import parse_letter
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.gateway import ADDRESS, KEY, LIMITS, Gateway, Person
from tests.support.limits import Limits


class Table:
    """A game between Alice, who has black, and Bob."""

    def __init__(self, *, limits: Limits = LIMITS, strangers: int = 20) -> None:
        self.gateway = Gateway(limits=limits, strangers=strangers)
        self.alice = self.gateway.person("Alice")
        self.bob = self.gateway.person("Bob")
        self.eve = self.gateway.person("Eve")
        self.number = self.gateway.start(self.alice, self.bob, "9x9 rules chinese as black")
        self.mark = len(self.gateway.outbox)

    @property
    def new(self) -> list[tuple[str, str]]:
        """Who was told what since the game started."""
        return self.gateway.told(self.mark)

    def play(self, moves: str) -> None:
        """Moves in turn, after which `new` is empty again."""
        self.gateway.play(self.alice, self.bob, moves)
        self.mark = len(self.gateway.outbox)

    def said(self) -> list[str]:
        """All words passed on."""
        return [words.text for words in self.gateway.game(self.number).chat]

    def moves(self) -> str:
        """All moves and passes."""
        moves = self.gateway.game(self.number).position.moves
        return " ".join(str(move.point or "pass") for move in moves)


@pytest.fixture
def table() -> Table:
    """A game in which Alice is to make the first move."""
    return Table()


def tells_nothing(notice: Notice) -> None:
    """Check that a notice is about no game at all, and cannot show a board."""
    assert notice.game is None
    assert notice.seat is None
    assert not notice.since
    assert not notice.until
    assert set(notice.about) <= {"reason", "code", "hints", "lines", "results", "why"}


def tampered(token: str, field: int, value: object) -> str:
    """A token with one of its fields changed: 0 game, 1 seat, 2 and 3 revisions, 4 MAC."""
    parts = token.split("-")
    parts[field] = str(value)
    return "-".join(parts)


class TestWhoSpeaks:
    """The token says which seat a letter speaks for; nothing else does."""

    def test_token_in_the_address_acts(self, table: Table) -> None:
        """A reply to a turn letter is that seat's move, and both are told of it."""
        outcome = table.alice.reply("D4")
        assert (outcome.event, outcome.game, outcome.seat) == ("accepted", table.number, "black")
        assert table.moves() == "D4"
        assert sorted(table.new) == [("alice", "moved"), ("bob", "your-turn")]

    def test_token_in_any_case_acts(self, table: Table) -> None:
        """Mail programs may change the case of a local part."""
        token = table.gateway.token(table.alice.newest())
        table.alice.write("D4", to=tokens.reply_address(ADDRESS, token).upper())
        assert table.moves() == "D4"

    def test_address_in_any_case_is_known(self, table: Table) -> None:
        """Alice@ and alice@ are one person."""
        table.alice.reply("D4", header={"from": "ALICE@Players.Example"})
        assert table.moves() == "D4"

    def test_a_letter_of_two_authors_is_its_sender_s(self, table: Table) -> None:
        """Both may have signed it; who sent it plays, and is answered."""
        both = "Bob <bob@players.example>, Alice <alice@players.example>"
        table.alice.reply("D4", header={"from": both, "sender": "alice@players.example"})
        assert table.moves() == "D4"

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param((0, 7), id="another game"),
            pytest.param((0, 2), id="a game there is, but not this one"),
            pytest.param((1, "w"), id="the other seat"),
            pytest.param((1, "p"), id="a side of the proposal"),
            pytest.param((2, 99), id="a revision to come"),
            pytest.param((2, 1), id="an older revision"),
            pytest.param((3, 5), id="other marks"),
            pytest.param((4, "a" * 16), id="a forged MAC"),
        ],
    )
    def test_changed_token_is_worth_nothing(self, table: Table, change: tuple[int, object]) -> None:
        """Whoever changes anything in a token gets an answer without a word about any game."""
        table.gateway.start(table.alice, table.eve, "5x5 as black")
        mark = len(table.gateway.outbox)
        token = tampered(table.gateway.token(table.alice.letters(Kind.STARTED)[0]), *change)
        outcome = table.alice.write("D4", to=tokens.reply_address(ADDRESS, token))
        assert outcome.event == "bad-token"
        assert outcome.game is None
        assert table.gateway.told(mark) == [("alice", "refused")]
        tells_nothing(table.alice.newest().notice)
        assert table.alice.newest().notice.about["hints"] == ["games"]
        assert table.moves() == ""

    def test_token_of_a_reinstated_number_is_worth_nothing(self) -> None:
        """After a restored backup numbers repeat; another game of the same number has its own."""
        lost = Table()
        token = lost.gateway.token(lost.alice.newest())
        fresh = Gateway()
        alice, bob = fresh.person("Alice"), fresh.person("Bob")
        fresh.unique()
        fresh.start(alice, bob, "9x9 as black")
        outcome = alice.write("D4", to=tokens.reply_address(ADDRESS, token))
        assert outcome.event == "bad-token"

    def test_stranger_with_wrong_token_learns_nothing(self, table: Table) -> None:
        """The answer goes to whoever wrote, once, and says nothing of the game."""
        token = tampered(table.gateway.token(table.alice.newest()), 4, "b" * 16)
        for _ in range(2):
            assert table.eve.write("show", to=tokens.reply_address(ADDRESS, token)).wrong_token
        assert table.new == [("eve", "refused")]
        tells_nothing(table.eve.newest().notice)

    def test_reference_is_the_fallback(self, table: Table) -> None:
        """A mail program that answers From instead of Reply-To still says which letter it means."""
        answered = table.gateway.message_id(table.alice.newest())
        table.alice.write("D4", in_reply_to=answered)
        assert table.moves() == "D4"

    def test_newest_good_reference_counts(self, table: Table) -> None:
        """Among many references the newest good one is meant; forged ones are passed over."""
        old = table.gateway.message_id(table.alice.newest())
        table.play("D4 E5")
        good = table.gateway.message_id(table.alice.newest())
        forged = f"<{tampered(good[1:].partition('.')[0], 4, 'c' * 16)}.0@go.example>"
        table.alice.write("D5", in_reply_to="<x@y>", references=f"{old} {good} {forged}")
        assert table.moves() == "D4 E5 D5"

    def test_token_in_the_address_is_stronger_than_references(self, table: Table) -> None:
        """A bad token in the address is not helped by a good one among the references."""
        good = table.alice.newest()
        token = tampered(table.gateway.token(good), 4, "d" * 16)
        to = tokens.reply_address(ADDRESS, token)
        table.alice.write("D4", to=to, in_reply_to=table.gateway.message_id(good))
        assert table.moves() == ""

    def test_older_token_still_says_who_speaks(self, table: Table) -> None:
        """An older letter of ours is answered with the game as it is: the move is stale."""
        old = table.alice.newest()
        table.play("D4 E5")
        assert table.alice.reply("D5", to=old).event == "refused"
        notice = table.alice.newest().notice
        assert (notice.kind, notice.game, notice.seat) == (Kind.REFUSED, 1, Seat.BLACK)
        assert notice.until == table.gateway.game().length
        assert "changed since" in retold(notice.about["reason"])
        assert table.moves() == "D4 E5"

    def test_opponent_cannot_use_ones_own_token(self, table: Table) -> None:
        """Bob's letter with Alice's token is held, like anybody's."""
        assert table.bob.reply("D4", to=table.alice.newest()).event == "held"
        assert table.moves() == ""


class TestUnknownAddress:
    """A good token from elsewhere waits for one yes from the seat's own address."""

    def held(self, table: Table, text: str = "D4") -> Person:
        """Alice's telephone, which has written with her token."""
        phone = table.gateway.person("Alice", "alice@phone.example")
        assert phone.reply(text, to=table.alice.letters(Kind.STARTED)[0]).event == "held"
        return phone

    def test_forged_question_is_worth_nothing(self, table: Table) -> None:
        """A held letter's token is signed too."""
        self.held(table)
        to = tokens.reply_address(ADDRESS, f"h1-{'a' * 16}")
        assert table.alice.write("yes", to=to).event == "bad-token"
        tells_nothing(table.alice.newest().notice)
        assert table.moves() == ""

    def test_yes_finds_its_question_by_reference(self, table: Table) -> None:
        """The question may be answered to From as well."""
        self.held(table)
        table.alice.write("yes", in_reply_to=table.gateway.message_id(table.alice.newest()))
        assert table.moves() == "D4"

    def test_many_strangers_cannot_flood_the_seat(self) -> None:
        """After the day's limit the seat is asked no more."""
        table = Table(strangers=3)
        letter = table.alice.letters(Kind.STARTED)[0]
        asked = [
            table.gateway.person("X", f"x{number}@x.example").reply("D4", to=letter).event
            for number in range(5)
        ]
        assert asked[-1] == "put-off"
        assert len(table.alice.letters(Kind.CONFIRM)) == 3


FORWARDED = {
    "X-Loop": ({"x_loop": "club@lists.example"}, None),
    "null sender": ({}, ""),
    "null sender in brackets": ({}, "<>"),
    "null sender in the header": ({"return_path": "<>"}, None),
    "sender of a forwarder": ({}, "no-reply@forward.example"),
    "subject": ({"subject": "Re: Automatic reply club"}, None),
    "subject in German": ({"subject": "AW: Automatische Antwort?"}, None),
    "subject of a machine": ({"subject": "Out of office: Re: Go game 1"}, None),
    "subject of a jest": ({"subject": "Automatic reply? No, it is me"}, None),
}
"""What may stand on a person's letter too: of a forwarder, or in a subject carried on."""
REWRITTEN = {
    "from": "Al via fwd <no-reply@forward.example>",
    "reply_to": "Al <alice@players.example>",
}


class TestForwardedLetters:
    """A sign that only may be a program's is outweighed by a good token and a command."""

    def write(self, table: Table, sign: str, text: str, *, to: str = "") -> str:
        """What a letter of Alice's with that sign comes to."""
        header, sender = FORWARDED[sign]
        to = to or tokens.reply_address(ADDRESS, table.gateway.token(table.alice.newest()))
        return table.alice.post(table.alice.letter(text, header), to=to, sender=sender).event

    @pytest.mark.parametrize("sign", FORWARDED)
    def test_a_command_is_done_and_answered(self, table: Table, sign: str) -> None:
        """Its player would else believe to have moved, and lose on time."""
        assert self.write(table, sign, "D4") == "accepted"
        assert table.moves() == "D4"
        table.bob.reply("E5")
        assert self.write(table, sign, "E5") == "refused"
        assert table.new[-1] == ("alice", "refused")

    @pytest.mark.parametrize("sign", FORWARDED)
    @pytest.mark.parametrize("text", ["I am away until Monday.", "Your email has arrived.", ""])
    def test_without_a_command_it_is_a_program_s(self, table: Table, sign: str, text: str) -> None:
        """Nothing of it is read or answered (RFC 3834, 2)."""
        assert self.write(table, sign, text) == "ignored"
        assert table.new == []

    @pytest.mark.parametrize("sign", FORWARDED)
    def test_from_another_address_the_seat_is_asked(self, table: Table, sign: str) -> None:
        """A token that somebody else has plays nothing for its seat."""
        header, sender = FORWARDED[sign]
        to = tokens.reply_address(ADDRESS, table.gateway.token(table.alice.newest()))
        found = table.eve.post(table.eve.letter("D4", header), to=to, sender=sender)
        assert (found.event, table.moves(), table.new) == ("held", "", [("alice", "confirm")])

    @pytest.mark.parametrize("sign", FORWARDED)
    def test_without_a_good_token_it_is_a_program_s(self, table: Table, sign: str) -> None:
        """To our plain address, and with a token that we never signed."""
        token = tampered(table.gateway.token(table.alice.newest()), 4, "a" * 16)
        for to in (ADDRESS, tokens.reply_address(ADDRESS, token)):
            for text in ("games", "new 9x9 vs carol@players.example", "stop"):
                assert self.write(table, sign, text, to=to) in ("ignored", "bad-token")
        assert table.new == []
        assert [*table.gateway.writer.state.logs] == [1]

    @pytest.mark.parametrize("text", ["D4", "What a lovely evening it is here!"])
    def test_who_asks_for_no_automatic_answer_may_be_anybody(self, table: Table, text: str) -> None:
        """X-Auto-Response-Suppress is about answers to a letter, and not about who wrote it."""
        header = {"x_auto_response_suppress": "DR, OOF, AutoReply"}
        assert table.alice.reply(text, header=header).event == "accepted"

    def test_an_address_that_a_forwarder_wrote_into_from(self, table: Table) -> None:
        """The seat is asked, may answer by that road, and from then on its address counts."""
        assert table.alice.reply("D4", header=REWRITTEN).event == "held"
        assert table.new == [("alice", "confirm")]
        assert table.alice.newest().notice.about["sender"] == "no-reply@forward.example"
        table.alice.reply("yes", header=REWRITTEN)
        assert table.moves() == "D4"
        table.bob.reply("E5")
        assert table.alice.reply("C3", header=REWRITTEN).event == "accepted"
        assert table.bob.reply("C3", to=table.bob.newest(), header=REWRITTEN).event == "held"
        assert {who for who, _ in table.new} == {"alice", "bob"}

    @pytest.mark.parametrize(
        "reply_to", ["", "no-reply@forward.example", "eve@x.example, al@x.example"]
    )
    def test_an_address_that_wants_no_answer(self, table: Table, reply_to: str) -> None:
        """Where Reply-To names nobody else, that alone wrote."""
        header = {"from": "no-reply@forward.example", "reply_to": reply_to}
        assert table.alice.reply("D4", header=header).event == "ignored"
        assert table.new == []


class TestAutomaticMail:
    """What no person wrote is never read and never answered."""

    @pytest.mark.parametrize(
        "header",
        [
            {"auto_submitted": "auto-replied"},
            {"x_autoreply": "yes"},
            {"x_loop": "x@lists.example", "auto_submitted": "auto-generated"},
            {"from": "MAILER-DAEMON@players.example"},
            {"from": ADDRESS},
            {"from": ""},
        ],
        ids=lambda header: next(iter(header)),
    )
    def test_is_neither_read_nor_answered(self, table: Table, header: dict[str, str]) -> None:
        """Not even with a good token."""
        assert table.alice.reply("D4", header=header).event == "ignored"
        assert table.moves() == ""
        assert table.new == []

    def test_list_mail_without_a_good_token_is_left_alone(self, table: Table) -> None:
        """Neither a question nor a wrong token that came by a list is answered."""
        table.eve.write("help", list_id="<go.lists.example>")
        token = tampered(table.gateway.token(table.alice.newest()), 4, "a" * 16)
        to = tokens.reply_address(ADDRESS, token)
        table.alice.write("D4", to=to, precedence="bulk")
        assert table.new == []

    def test_list_mail_with_a_good_token_acts(self, table: Table) -> None:
        """A person may write by a list."""
        assert table.alice.reply("D4", list_id="<go.lists.example>").event == "accepted"

    def test_two_programs_do_not_answer_each_other_for_ever(self) -> None:
        """The same words alone are passed on and answered once a day; others a number of times."""
        table = Table(strangers=3)
        for _ in range(5):
            table.alice.reply("My cat says hello, and it rains in Lagos today.")
        assert table.new == [("bob", "chat"), ("alice", "show"), ("alice", "refused")]
        assert "these words" in retold(table.alice.newest().notice.about["reason"])
        for number in range(WORDS + 5):
            table.gateway.wait(seconds=15)
            table.alice.reply(f"What a lovely evening it is here, {'o' * number}!")
        assert len(table.bob.letters(Kind.CHAT)) == WORDS
        assert len(table.alice.letters(Kind.REFUSED)) == 2
        assert "many emails" in retold(table.alice.newest().notice.about["reason"])
        table.gateway.wait(days=1, seconds=1)
        assert table.alice.reply("It rains here today.").event == "accepted"

    def test_words_that_come_all_at_once(self, table: Table) -> None:
        """So many of a minute are passed on; of the rest their writer hears, and once is enough."""
        for number in range(60):
            table.gateway.wait(milliseconds=700)
            table.bob.reply(f"What a lovely evening, {'x' * number}!", to=table.bob.letters()[0])
        assert len(table.alice.letters(Kind.CHAT)) == BURST
        (told,) = table.bob.letters(Kind.REFUSED)
        assert "not passed this one on" in retold(told.notice.about["reason"])
        table.gateway.wait(minutes=1)
        assert table.bob.reply("Sorry, that was my lovely cat.").event == "accepted"

    def test_words_that_wait_are_bounded_too(self, table: Table) -> None:
        """Who wants no emails of words alone is not sent sixty of them with the next move."""
        table.alice.reply("emails my-turn")
        for number in range(BURST + 5):
            table.bob.reply(f"What a lovely evening, {'x' * number}!", to=table.bob.letters()[0])
        assert len(table.said()) == BURST

    def test_each_burst_is_told(self, table: Table) -> None:
        """A person who does it again later hears of it again: nothing of theirs is lost unsaid."""
        for sky in ("It rains here today", "What a lovely evening it is here"):
            for number in range(BURST + 1):
                words = f"{sky}, {'a' * number}!"
                table.bob.reply(words, to=table.bob.letters()[0])
            table.gateway.wait(minutes=15)
        assert len(table.bob.letters(Kind.REFUSED)) == 2

    def test_one_text_with_another_number_is_the_same_words(self, table: Table) -> None:
        """What a program counts up is passed on once."""
        for number in range(4711, 4721):
            table.bob.reply(f"My grandson is {number} days old today.")
        assert len(table.alice.letters(Kind.CHAT)) == 1
        assert len(table.bob.letters(Kind.REFUSED)) == 1

    def test_what_a_program_says_is_neither_passed_on_nor_answered(self, table: Table) -> None:
        """Without any header that says so: 60 tickets, a challenge, an emoji."""
        texts = [f"Ticket #{number}: we will answer soon." for number in range(60)]
        challenge = "Your message is held. Please verify that you are a person, click the link."
        for text in (*texts, challenge, "[like] Bob reacted to your message:"):
            assert table.bob.reply(text, to=table.bob.letters()[0]).event == "ignored"
        assert table.new == []

    def test_words_with_a_move_are_passed_on_whatever_there_was_before(self, table: Table) -> None:
        """Who thanks for each move in the same words is a person."""
        for move in ("D4", "E5", "D5", "E6"):
            mover = table.alice if move[0] == "D" else table.bob
            assert mover.reply(f"{move}\nThanks!").event == "accepted"
        assert table.said() == ["Thanks!"] * 4

    def test_refusals_end_too_where_only_a_program_can_be_answering(self) -> None:
        """A good token's refusals come whatever the limit for strangers, but not for ever."""
        table = Table(strangers=2)
        for _ in range(LOOP + 5):
            table.alice.reply("", subject="I am away")
        assert LOOP - 1 <= len(table.alice.letters(Kind.REFUSED)) <= LOOP


class TestRepetition:
    """The same letter twice changes nothing and is answered once."""

    def test_letters_without_message_id_are_told_apart_by_their_dates(self) -> None:
        """The same words on another day are another letter."""
        alice = Gateway().person("Alice")
        for day, event in ((20, "accepted"), (21, "accepted"), (21, "repeated")):
            date = f"{day} Nov 2026 09:44:32 +0000"
            assert alice.write("help", message_id="", date=date).event == event

    def test_same_letter_again(self, table: Table) -> None:
        """A move that comes twice was made once, and each was told once."""
        table.alice.reply("D4")
        told = table.new
        assert table.alice.resend().event == "repeated"
        assert table.moves() == "D4"
        assert table.new == told

    def test_proposal_again(self) -> None:
        """The same proposal twice makes one game."""
        gateway = Gateway()
        alice = gateway.person("Alice")
        alice.write("new 9x9 vs bob@players.example")
        assert alice.resend().event == "repeated"
        assert alice.kinds() == ["confirm"]

    def test_refused_letter_again(self, table: Table) -> None:
        """A refusal comes once, too."""
        table.alice.reply("i4")
        table.alice.resend()
        assert table.new == [("alice", "refused")]

    def test_other_letter_with_the_same_id(self, table: Table) -> None:
        """A different letter that reuses a Message-ID is not swallowed."""
        table.alice.reply("say hello", message_id="<1@players.example>")
        table.alice.reply("D4", message_id="<1@players.example>", to=table.alice.letters()[-1])
        assert table.said() == ["hello"]
        assert table.moves() == "D4"

    def test_letter_that_came_again_with_other_trace_headers(self, table: Table) -> None:
        """A second road to us adds Received lines, and is known all the same."""
        table.alice.reply("D4")
        first = table.alice.posted[-1]
        raw = b"Received: from x by y; Sat, 21 Nov 2026 03:00:00 +0000\r\n" + first.raw
        again = InboundLetter(first.recipient, first.sender, raw)
        assert table.alice.resend(again).event == "repeated"

    def test_without_message_id(self, table: Table) -> None:
        """A letter without a Message-ID is known by its content."""
        assert table.alice.reply("D4", message_id="").event == "accepted"
        assert table.alice.resend().event == "repeated"


class TestWords:
    """What is not a command is for the opponent."""

    def test_our_tokens_are_not_passed_on(self, table: Table) -> None:
        """Nobody gives their seat away by quoting a reply address."""
        token = table.gateway.token(table.alice.newest())
        table.alice.reply(f"say write to go+{token}@go.example")
        assert token not in table.said()[0]


class TestQuestions:
    """show, sgf, games and help, with a game and without one."""

    @pytest.mark.parametrize(
        ("moves", "text", "code"),
        [
            ("D4", "D4", "occupied"),
            ("A8 D4 B9 E5 pass", "A9", "suicide"),
            ("D4", "T9", "off-board"),
            ("D4 E5", "C3", "not-your-turn"),
            ("D4", "done", "wrong-phase"),
            ("D4", "i4", "unreadable"),
            ("D4", "show 99", "unknown"),
        ],
    )
    def test_a_refusal_has_a_code_for_programs(
        self, table: Table, moves: str, text: str, code: str
    ) -> None:
        """In a header of the letter that says why; the sentences are for people."""
        table.play(moves)
        assert table.bob.reply(text).event == "refused"
        assert table.bob.read()["X-Godaemon-Code"] == code


class TestRead:
    """`read` is pure and takes anything."""

    def test_no_commands_are_read_in_automatic_mail(self) -> None:
        """Not even refusals are made of it."""
        raw = b"From: a@b.example\r\nAuto-Submitted: auto-replied\r\n\r\ni4\r\n"
        taken = parse_letter(InboundLetter(ADDRESS, "a@b.example", raw))
        assert taken.text is None
        assert taken.refusal is None
        assert taken.commands == ()

    def test_refusal_is_kept_for_the_answer(self) -> None:
        """What could not be read is no exception: it is answered within the transaction."""
        raw = b"From: a@b.example\r\n\r\ni4\r\n"
        taken = parse_letter(InboundLetter(ADDRESS, "a@b.example", raw))
        assert isinstance(taken.refusal, Unreadable)

    def test_key_is_in_no_repr(self) -> None:
        """What is printed in a log or a traceback never holds the key that signs tokens."""
        assert repr(KEY) not in repr(Gateway().intake)


def test_a_new_key() -> None:
    """Letters of a key that was replaced are answered while it is good, and no longer."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    started = alice.newest(Kind.STARTED)
    token, address = gateway.token(started), ADDRESS.replace("@", "+{}@")
    gateway.keys = (b"n" * 32, *gateway.keys)
    assert alice.write("D4", to=address.format(token)).event == "accepted"
    assert bob.reply("E5").event == "accepted"
    gateway.keys = gateway.keys[:1]
    assert alice.write("C3", to=address.format(token)).event == "bad-token"
    assert alice.reply("C3", to=alice.newest(Kind.YOUR_TURN)).event == "accepted"
