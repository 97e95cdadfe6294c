"""Nobody is shut out by what others write in their name: they are answered, told, or put off."""

from __future__ import annotations

import pytest

from godaemon.games.notices import Kind
from mailgate import tokens
from mailgate.handling.confirmations import MOST_HELD
from mailgate.handling.context import LetterOutcome
from tests.support.gateway import ADDRESS, Gateway

PASS = {"authentication_results": "mx.go.example; dmarc=pass header.from=players.example"}
SAY = "say " + "Nice weather today, is it not, so far as I can see it from here, number"


class Club:
    """Alice (black) plays Bob; somebody else writes in Alice's name."""

    def __init__(self) -> None:
        self.gateway = Gateway(trusted="mx.go.example")
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.start(self.alice, self.bob)
        self.old = self.alice.newest()
        self.message_id = self.gateway.message_id(self.old)

    def flood(self, text: str, count: int = 40) -> None:
        """Letters in her name that answer nothing of ours, and for which no server vouches."""
        for _ in range(count):
            self.alice.write(text)

    def flood_by_old(self, text: str, count: int = 40) -> None:
        """Letters in her name by an old letter of hers that others have."""
        for number in range(count):
            self.alice.reply(f"{text} {'x' * number}", to=self.old)

    def outcome(self, text: str) -> LetterOutcome:
        """What becomes of a letter of her own for which our mail server vouches."""
        return self.alice.write(text, header=PASS)


@pytest.fixture
def club() -> Club:
    """A game that goes on."""
    return Club()


@pytest.mark.parametrize("flood", ["games", "D4", "help", "hello", "xyzzy", "new 9x9 vs"])
def test_a_vouched_letter_after_a_flood(club: Club, flood: str) -> None:
    """It is answered, whatever came before in that name."""
    club.flood(flood)
    told = len(club.alice.letters())
    assert club.outcome("games").event == "accepted"
    assert [due.notice.kind for due in club.alice.letters()[told:]] == [Kind.GAMES]
    assert club.outcome("E5").event == "refused"
    assert len(club.alice.letters()) == told + 2


@pytest.mark.parametrize("flood", ["games", "D4", "help"])
def test_an_unproven_letter_after_a_flood(club: Club, flood: str) -> None:
    """It is put off, so that its server brings it again tomorrow, and it is the first time then."""
    club.flood(flood)
    letter = club.alice.letter("games")
    told = len(club.alice.letters())
    assert club.alice.post(letter).event == "put-off"
    assert len(club.alice.letters()) == told
    club.gateway.wait(days=1, minutes=1)
    assert club.alice.post(letter).event == "accepted"


@pytest.mark.parametrize("by", ["its references", "its address"])
def test_a_reply_to_a_letter_of_before_after_a_flood(club: Club, by: str) -> None:
    """Put off like any other, though its token is not ours any more; its server still waits."""
    to = tokens.reply_address(ADDRESS, club.gateway.token(club.old))
    letter = club.alice.letter("D4", {"in_reply_to": club.message_id})
    club.gateway.keys = (b"another key, as after a backup was lost",)
    club.flood("games")
    told = len(club.alice.letters())
    for _ in range(2):
        outcome = club.alice.post(letter, to=to if by == "its address" else ADDRESS)
        assert (outcome.event, outcome.wrong_token) == ("put-off", True)
    club.gateway.wait(days=1, minutes=1)
    club.alice.post(letter, to=to if by == "its address" else ADDRESS)
    assert len(club.alice.letters()) == told + 1


def test_no_more_is_written_than_was(club: Club) -> None:
    """A flood makes us write twenty letters a day, whatever is put off."""
    told = len(club.alice.letters())
    club.flood("games", 100)
    assert len(club.alice.letters()) - told == 19  # one asked whether she had proposed


def test_words_by_the_newest_letter(club: Club) -> None:
    """After a flood of words by an old one its player is told at least that they wait."""
    club.alice.reply("D4")
    club.bob.reply("E5")
    club.flood_by_old(SAY)
    told = len(club.alice.letters())
    club.alice.reply("say I have to go now; until tomorrow!")
    assert len(club.alice.letters()) == told + 1


def test_words_by_an_old_letter(club: Club) -> None:
    """Told once, and then put off: in a minute they are passed on."""
    club.alice.reply("D4")
    club.bob.reply("E5")
    club.flood_by_old(SAY)
    letter = club.alice.letter("say I have to go now!", {"in_reply_to": club.message_id})
    assert club.alice.post(letter).event == "put-off"
    club.gateway.wait(minutes=2)
    assert club.alice.post(letter).event == "accepted"


def test_letters_that_wait_for_a_yes(club: Club) -> None:
    """After a flood of such her own is put off, not dropped."""
    club.alice.reply("D4")
    club.bob.reply("E5")
    for _ in range(MOST_HELD + 1):
        club.alice.reply("block", to=club.old)
    assert club.alice.reply("stop", to=club.old).event == "put-off"
