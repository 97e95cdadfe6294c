"""How often we answer: what a letter without a good token makes us write, and what it does not."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from godaemon.errors import Enough, NotAllowed, Unknown, Unreadable
from godaemon.games.notices import Kind
from godaemon.storage.database import open_database
from godaemon.storage.writer import WriterThread
from mailgate import tokens
from mailgate.handling.answer_limits import reason_of
from mailgate.handling.confirmations import MOST_HELD
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.sender_checks import aligned
from tests.support import stores
from tests.support.gateway import ADDRESS, START, Gateway, Person, Table

WRONG = f"go+1-b-3-0-{'a' * 16}@go.example"
GONE = f"go+h7-{'a' * 16}@go.example"


@pytest.fixture
def house() -> Table:
    """A game in which Alice is to move."""
    return Table()


class TestOnceADay:
    """A stranger's letters are answered once a day."""

    async def test_a_restart_forgets_nothing(self, tmp_path: Path) -> None:
        """What was said is in the database, and nowhere else."""
        gateway = Gateway()
        raw = "From: {0}\r\nMessage-ID: <{1}@x>\r\n\r\n{2}\r\n"

        async def restarted(*letters: tuple[str, str]) -> list[str]:
            database = open_database(stores.url(tmp_path))
            try:
                with WriterThread(database) as writer:
                    real = replace(gateway.intake, writer=writer)
                    taken = [
                        await real.take(
                            InboundLetter(
                                ADDRESS,
                                who,
                                raw.format(who, gateway.unique(), text).encode(),
                            )
                        )
                        for who, text in letters
                    ]
                    due = await writer.run(lambda unit: unit.outbox.claim(START, 60, 99))
            finally:
                database.close()
            return [one.event for one in taken] + [one.notice.kind.value for one in due]

        alice = "a@x.example"
        proposal = (alice, "new 9x9 vs b")
        assert await restarted(proposal, proposal) == ["refused", "ignored", "refused"]
        assert await restarted(proposal) == ["ignored"]
        assert await restarted((alice, "help"), proposal) == ["accepted", "ignored", "help"]


class TestPlayers:
    """Whoever plays here is never left in silence, as long as the day's limit holds."""

    def test_letters_forged_from_elsewhere_leave_half_to_their_own(self) -> None:
        """Thirty from a spammer's server put off no letter that comes from the player's."""
        house = Table()
        for _ in range(30):
            with suppress(Enough):
                house.alice.post(house.alice.letter("games"), sender="x@spam.example")
        assert 8 < len(house.told) <= 10
        for _ in range(10):
            assert house.alice.write("games").event == "accepted"

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("D4", "show"),
            ("It rains here today.", "show"),
            ("hello?", "refused"),
            ("", "show"),
            ("resing", "refused"),
            ("i4", "refused"),
            ("show 7", "refused"),
            ("new 9x9 komi 900 vs c@x.example", "refused"),
            ("new 9x9 vs rob", "refused"),
        ],
    )
    def test_each_letter_is_answered(self, house: Table, text: str, kind: str) -> None:
        """The same mistake again too; past so many answers they are put off until tomorrow."""
        left = house.gateway.strangers - 1  # she has been asked whether she had proposed
        for _ in range(left):
            assert house.alice.write(text, subject="").event == "refused"
        assert house.told == [("alice", kind)] * left
        assert house.alice.write(text, subject="").event == "put-off"
        house.gateway.wait(hours=24, minutes=1)
        assert house.alice.write(text, subject="").event == "refused"

    @pytest.mark.parametrize("to", [WRONG, GONE])
    def test_tokens_that_are_not_ours(self, house: Table, to: str) -> None:
        """A player whose letter is too old, or was answered, hears so as often as it happens."""
        for _ in range(3):
            assert house.alice.write("yes", to=to).wrong_token
        assert house.told == [("alice", "refused")] * 3


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Unreadable("“resing” is not it."), Unreadable("“D4 x” y” is not it."), True),
        (Unreadable("There is no column I: H4 or J4?"), Unreadable("“x” is not it."), False),
        (Unreadable("There is no column I: H4 or J4?"), Unreadable("There is no column I:"), False),
        (Unknown("You have no game 7."), Unknown("You have no game 12."), True),
        (Unknown("You have no game 7."), Unknown("Nobody called bob plays here."), False),
        (
            NotAllowed("Not to bob@x.example today."),
            NotAllowed("Not to carol@x.example today."),
            False,
        ),
    ],
)
def test_reasons(one: Unreadable, other: Unreadable, same: bool) -> None:
    """What a sentence repeats of the letter makes no reason of its own."""
    assert (reason_of(one) == reason_of(other)) is same


class TestStrangers:
    """Nobody hears of us by a letter that somebody else wrote in their name."""

    def test_an_envelope_of_somewhere_else(self, house: Table) -> None:
        """So letters look whose From is forged: not even a slip in a proposal is answered."""
        letter = house.eve.letter("new 9x9 vs rob")
        assert house.eve.post(letter, sender="x@spam.example").event == "ignored"
        assert house.told == []
        assert house.eve.post(house.eve.letter("new 9x9 vs rob")).event == "refused"


@pytest.mark.parametrize(
    ("author", "sender", "same"),
    [
        ("a@x.example", "b@x.example", True),
        ("a@X.example", "b@x.EXAMPLE", True),
        ("a@x.example", "b@mail.x.example", True),
        ("a@team.x.example", "b@x.example", True),
        ("a@x.example", "b@xx.example", False),
        ("a@x.example", "b@y.example", False),
        ("a@x.example", "", False),
        ("", "", False),
    ],
)
def test_alignment(author: str, sender: str, same: bool) -> None:
    """One domain, or one within the other."""
    assert aligned(author, sender) is same


class TestHeld:
    """Letters with a good token from an address that the seat does not know."""

    def phone(self, house: Table) -> Person:
        """Alice at another address."""
        return house.gateway.person("Alice", "alice@phone.example")

    def test_they_are_bounded(self, house: Table) -> None:
        """No more wait than a person writes."""
        phone, started = self.phone(house), house.alice.newest(Kind.STARTED)
        events = [phone.reply("D4", to=started).event for _ in range(MOST_HELD + 3)]
        assert events == ["held"] * MOST_HELD + ["put-off"] * 3

    def test_a_phone_in_many_games(self, house: Table) -> None:
        """Its owner is asked in each, however many there are."""
        phone = self.phone(house)
        for _ in range(7):
            house.gateway.start(house.alice, house.bob)
        for started in house.alice.letters(Kind.STARTED):
            phone.reply("say Hello from my phone", to=started)
        confirmations = [
            due for due in house.alice.letters(Kind.CONFIRM) if due.notice.about.get("sender")
        ]
        assert len(confirmations) == 8


class TestWrongTokens:
    """Every one of them is known to the SMTP server, which makes whoever shows them wait."""

    WAYS: ClassVar[dict[str, dict[str, Any]]] = {
        "address": {"to": WRONG},
        "question": {"to": GONE},
        "references": {"in_reply_to": f"<1-b-3-0-{'a' * 16}.1@go.example>"},
        "subject": {"subject": f"Re: Go game 1 [#1-b-3-0-{'a' * 16}]"},
    }

    @pytest.mark.parametrize("way", WAYS)
    def test_wherever_it_stands(self, house: Table, way: str) -> None:
        """In the address, in the references or in the subject."""
        assert house.eve.write("D4", **self.WAYS[way]).wrong_token
        assert house.gateway.game().move_number == 0

    def test_a_good_one_among_them(self, house: Table) -> None:
        """Who has a good one has guessed nothing."""
        token = house.gateway.token(house.alice.newest())
        ids = f"<1-b-3-0-{'a' * 16}.1@go.example> <{token}.1@go.example>"
        assert not house.alice.write("D4", references=ids).wrong_token
        assert house.gateway.game().move_number == 1

    def test_a_flood_of_references_is_little_work(
        self, house: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each token costs a look at a game: so many are looked up, and no more."""
        looked: list[object] = []
        found = type(house.gateway.games(house.gateway._look())).game

        def game(self: object, number: int) -> object:
            looked.append(number)
            return found(self, number)  # type: ignore[arg-type]

        monkeypatch.setattr("godaemon.games.service.GameService.game", game)
        ids = " ".join(f"<{n}-b-3-0-{'a' * 16}.1@go.example>" for n in range(1, 50))
        house.eve.write("D4", references=ids)
        assert len(looked) == tokens.TRIED


class TestPeople:
    """What is meant against programs costs no person an answer."""

    def test_an_invited_help_desk(self) -> None:
        """A program with a good token that has not said yes is asked three times a day."""
        gateway = Gateway()
        alice, desk = gateway.person("Alice"), gateway.person("Desk")
        alice.write("new 9x9 vs desk@players.example")
        alice.reply("yes", to=alice.newest(Kind.CONFIRM))
        for number in range(5):
            desk.reply(f"Ticket {number} is open.", to=desk.newest(Kind.INVITATION))
        assert desk.kinds().count("refused") == 3


class TestNewcomersAreAnswered:
    """Whoever reads what we write to them is no victim of anybody's."""

    def test_an_email_to_somebody_else_shows_nothing(self, house: Table) -> None:
        """Its Message-ID is known to whom it was sent, who may write in another's name."""
        house.eve.write("hello")
        house.gateway.send()
        due = house.eve.newest()
        zoe = house.gateway.person("Zoe")
        for text in ("Hello!", "I am Zoe", "and who are you"):
            zoe.write(text, in_reply_to=house.gateway.message_id(due))
        assert [who for who, _ in house.told].count("zoe") <= 2
