"""Limits on answers to letters without a valid token."""

from typing import Any

import pytest

from godaemon.errors import NotAllowed, Unknown, Unreadable
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import sentence_from_json
from mailgate import tokens
from mailgate.handling.answer_limits import reason_of
from mailgate.sender_checks import is_aligned
from tests.support.gateway import ADDRESS, Gateway, Table

WRONG = f"go+1-b-3-0-{'a' * 16}@go.example"
GONE = f"go+h7-{'a' * 16}@go.example"


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
def test_refusals_that_differ_in_quoted_words_count_as_one_reason(
    one: Unreadable, other: Unreadable, same: bool
) -> None:
    """Otherwise each new word would get a new answer."""
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
def test_domains_align_if_equal_or_nested(author: str, sender: str, same: bool) -> None:
    """As DMARC's relaxed alignment."""
    assert is_aligned(author, sender) is same


@pytest.mark.parametrize("text", ["new 9x9 vs cheap-pills", "new pills vs bob@x.example"])
def test_a_reason_for_a_stranger_quotes_nothing(text: str) -> None:
    """It says why, and what would work."""
    table = Table()
    table.eve.write(text)
    reason = sentence_from_json(table.eve.newest().notice.about["reason"])
    assert "pills" not in reason
    assert "“" not in reason.replace("“…”", "")


def test_waiting_questions_follow_one_another() -> None:
    """Each answer brings the next one, whatever limits are used up."""
    table = Table()
    alice, start = table.alice, table.alice.newest()
    table.gateway.play(alice, table.bob, "D4 E5")
    for word in ("block", "unblock", "stop"):
        alice.reply(word, to=start)
    table.gateway.strangers = 1
    alice.reply("no", to=alice.newest(Kind.CONFIRM))
    assert alice.kinds()[-2:] == ["refused", "confirm"]


WAYS: dict[str, dict[str, Any]] = {
    "address": {"to": WRONG},
    "question": {"to": GONE},
    "references": {"in_reply_to": f"<1-b-3-0-{'a' * 16}.1@go.example>"},
    "subject": {"subject": f"Re: Go game 1 [#1-b-3-0-{'a' * 16}]"},
}


@pytest.mark.parametrize("way", WAYS)
def test_a_wrong_token_is_reported_wherever_it_is(way: str) -> None:
    """In the address, the references or the subject."""
    table = Table()
    assert table.eve.write("D4", **WAYS[way]).wrong_token
    assert table.gateway.game().move_number == 0


def test_a_valid_token_among_wrong_ones_counts() -> None:
    """Its sender has guessed nothing."""
    table = Table()
    token = table.gateway.token(table.alice.newest())
    ids = f"<1-b-3-0-{'a' * 16}.1@go.example> <{token}.1@go.example>"
    assert not table.alice.write("D4", references=ids).wrong_token
    assert table.gateway.game().move_number == 1


def test_only_the_first_references_are_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each token costs a game look-up."""
    table = Table()
    looked: list[object] = []
    found = type(table.gateway.games(table.gateway.snapshot())).game

    def game(self: object, number: int) -> object:
        looked.append(number)
        return found(self, number)  # type: ignore[arg-type]

    monkeypatch.setattr("godaemon.games.service.GameService.game", game)
    ids = " ".join(f"<{n}-b-3-0-{'a' * 16}.1@go.example>" for n in range(1, 50))
    table.eve.write("D4", references=ids)
    assert len(looked) == tokens.MAX_LOOKED_UP


@pytest.mark.parametrize("by", ["its references", "its address"])
def test_a_reply_with_an_old_key_is_put_off_during_a_flood(by: str) -> None:
    """It is answered the next day."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, gateway.person("Bob"))
    to = (
        tokens.reply_address(ADDRESS, gateway.token(alice.newest())) if "address" in by else ADDRESS
    )
    letter = alice.letter("D4", {"in_reply_to": gateway.message_id(alice.newest())})
    gateway.keys = (b"another key, as after a backup was lost",)
    for _ in range(40):
        alice.write("games")
    count = len(alice.letters())
    for _ in range(2):
        outcome = alice.post(letter, to=to)
        assert (outcome.event, outcome.wrong_token) == ("put-off", True)
    gateway.wait(days=1, minutes=1)
    alice.post(letter, to=to)
    assert len(alice.letters()) == count + 1
