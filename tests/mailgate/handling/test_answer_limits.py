"""Limits on answers to letters without a valid token."""

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from godaemon.errors import NotAllowed, Unknown, Unreadable
from godaemon.storage.database import open_database
from godaemon.storage.writer import WriterThread
from mailgate import tokens
from mailgate.handling.answer_limits import reason_of
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.sender_checks import is_aligned
from tests.support import stores
from tests.support.gateway import ADDRESS, START, Gateway, Table

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
    assert is_aligned(author, sender) is same


class TestWrongTokens:
    """The SMTP server is told of each, and delays whoever sends them."""

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
        """Each token costs a game look-up, so their number is limited."""
        looked: list[object] = []
        found = type(house.gateway.games(house.gateway.snapshot())).game

        def game(self: object, number: int) -> object:
            looked.append(number)
            return found(self, number)  # type: ignore[arg-type]

        monkeypatch.setattr("godaemon.games.service.GameService.game", game)
        ids = " ".join(f"<{n}-b-3-0-{'a' * 16}.1@go.example>" for n in range(1, 50))
        house.eve.write("D4", references=ids)
        assert len(looked) == tokens.LOOKED_UP
