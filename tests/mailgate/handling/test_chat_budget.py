"""The budget of words: what an opponent gets, however fast and by whatever verb they come."""

from __future__ import annotations

import time

import pytest

from godaemon.games.events import LogEntry, Said
from godaemon.games.notices import Kind
from godaemon.rules.points import Color
from godaemon.texts.catalogue import retold
from mailgate.handling.answer_limits import BURST, MARKS_BURST, WORDS, AnswerLimits
from tests.support.gateway import Gateway


class TestWords:
    """Alice (black) and Bob play; she is to move."""

    def setup_method(self) -> None:
        """Nothing has been said yet."""
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.start(self.alice, self.bob)
        self.start = self.alice.newest()

    def heard(self) -> int:
        """How many letters of words alone Bob has been sent."""
        return len(self.bob.letters(Kind.CHAT))

    @pytest.mark.parametrize("text", ["say {}", "show\n{}", "say {}\nsay and {}", "{}"])
    def test_all_at_once(self, text: str) -> None:
        """Within 13 seconds: a handful reach him, and she is told that the rest did not."""
        for number in range(30):
            self.gateway.wait(milliseconds=400)
            words = f"My thought is {'o' * number}."
            self.alice.reply(text.format(words, words), to=self.start)
        assert self.heard() == BURST
        assert len(self.alice.letters(Kind.REFUSED)) == 1
        assert len(self.gateway.game().chat) <= 2 * BURST

    def test_all_day(self) -> None:
        """And no more in a day than the day's."""
        for number in range(WORDS + 20):
            self.gateway.wait(minutes=2)
            self.alice.reply(f"say {'o' * number} is what I think.", to=self.start)
        assert self.heard() == WORDS
        assert "many emails" in retold(self.alice.newest(Kind.REFUSED).notice.about["reason"])

    def test_long_words_cost_no_more_than_others(self) -> None:
        """A day full of messages of two thousand marks without a space is compared in a moment."""
        now, black = self.gateway.now, Color.BLACK
        said = (Said(black.word, f"{number:02}{'o' * 1998}") for number in range(WORDS))
        log = [LogEntry(one, now, str(number)) for number, one in enumerate(said)]
        limits = AnswerLimits(self.gateway.games(self.gateway._look()), now, 20)
        began = time.process_time()
        assert limits.said_before(log, black, "00" + "o" * 1998)
        assert time.process_time() - began < 0.5

    def test_in_answers_to_a_list(self) -> None:
        """The answer to each says of the line that it was not passed on."""
        self.alice.reply("games", to=self.start)
        listed = self.alice.newest()
        for number in range(BURST + 3):
            self.alice.reply(f"1: say {'o' * number} is what I think.", to=listed)
        assert self.heard() == BURST
        assert "one email after the other" in retold(self.alice.newest().notice.about["results"][0])

    def test_moves_are_never_held_up(self) -> None:
        """Whatever was said before, a move is made, and the words beside it come with it."""
        for number in range(BURST + 3):
            self.alice.reply(f"say {'o' * number} is what I think.", to=self.start)
        assert self.alice.reply("D4\nsay And now I move.").event == "accepted"
        assert self.bob.newest().notice.kind is Kind.YOUR_TURN
        assert self.gateway.game().chat[-1].text == "And now I move."

    def test_marks_that_flicker(self) -> None:
        """Dead, alive, dead again: a handful of letters, and a way out."""
        self.gateway.play(self.alice, self.bob, "D4 E5 pass pass")
        newest = self.alice.newest()
        for _ in range(30):
            for word in ("dead", "alive"):
                self.gateway.wait(milliseconds=43)
                self.alice.reply(f"{word} D4 all", to=newest)
        assert len(self.bob.letters(Kind.MARKS_CHANGED)) == MARKS_BURST
        (told,) = self.alice.letters(Kind.REFUSED)
        assert told.notice.about["hints"] == ["resume"]
        self.gateway.wait(minutes=2)
        assert self.alice.reply("dead D4 all", to=newest).event == "accepted"
        assert self.alice.reply("resume", to=newest).event == "accepted"

    def test_two_friends(self) -> None:
        """Who talk in earnest, four lines each a minute for a few minutes, are let."""
        for number in range(4):
            for line in range(4):
                self.gateway.wait(seconds=15)
                for who in (self.alice, self.bob):
                    to = who.letters()[0]
                    assert (
                        who.reply(f"say What of {'a' * number} {'b' * line}?", to=to).event
                        == "accepted"
                    )

    def test_words_with_moves_count_for_nothing(self) -> None:
        """Who thanks for each of many moves can still write alone."""
        moves = ("A1", "J9", "B1", "H9", "C1", "G9", "D1", "F9", "E1", "E9", "F1", "D9")
        for number, move in enumerate(moves):
            mover = self.bob if number % 2 else self.alice
            assert (
                mover.reply(f"{move}\nThank you for move {number}, my friend!").event == "accepted"
            )
        assert self.alice.reply("say What a race this is!").event == "accepted"
