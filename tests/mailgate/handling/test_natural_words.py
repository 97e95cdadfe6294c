"""Whole sentences within a game, as people write them: done, asked back, or answered."""

from __future__ import annotations

import pytest

from godaemon.games.engine_seats import Entrant, Roster
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import retold
from tests.support.gateway import Gateway, Person
from tests.support.letters import part

LETTER = """Hello Tom,
I think I shall put my stone on E7, please.
Lovely to hear from you! It is pouring here, the cat refuses to go out. The kettle is on.
Best wishes, Margaret"""


@pytest.fixture
def gateway() -> Gateway:
    """Margaret (Black) is to move in a game with Tom, who can lose on time."""
    gateway = Gateway()
    gateway.start(gateway.person("Margaret"), gateway.person("Tom"), "9x9 as black 10d+36h")
    return gateway


@pytest.fixture
def margaret(gateway: Gateway) -> Person:
    """She writes whole sentences."""
    return gateway.person("Margaret")


def test_a_move_in_a_sentence_of_a_letter(gateway: Gateway, margaret: Person) -> None:
    """It is played, and the words are passed on."""
    assert margaret.reply(LETTER).detail == "play E7"
    assert gateway.game().move_number == 1
    assert "The kettle is on." in gateway.game().chat[0].text


@pytest.mark.parametrize(
    "text",
    [
        "It is raining.\nI was afraid that, were the corner open to you at all,\nI play E7.",
        "It is raining.\nYou should not say:\nI play E7.",
        "It is raining.\nI play E7. Or rather D4?",
        "It is raining on\nE7",
    ],
)
def test_a_sentence_that_may_only_speak_of_a_move(
    gateway: Gateway, margaret: Person, text: str
) -> None:
    """It is asked about, and nobody is told."""
    assert margaret.reply(text).event == "refused"
    assert gateway.game().move_number == 0
    assert gateway.game().chat == ()


def test_a_move_and_why(gateway: Gateway, margaret: Person) -> None:
    """What is said of a point is asked about, with the move to click; a stop between parts them."""
    assert margaret.reply("D5 is for you a good point").event == "refused"
    assert margaret.reply("D5 for a change").event == "refused"
    assert margaret.newest().notice.about["hints"] == ["D5"]
    assert gateway.game().move_number == 0
    assert margaret.reply("D5! I feel like a change.").detail == "play D5"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Then let us say vacation for 4 days, from tomorrow.",
            "vacation for 4 days from tomorrow",
        ),
        (
            "I shall be away from tomorrow until Friday. Can you stop my clock for those days?",
            "vacation from tomorrow until Friday",
        ),
    ],
)
def test_an_absence_in_a_sentence(margaret: Person, text: str, line: str) -> None:
    """The time that was named is one click; the opponent is not asked for it."""
    assert margaret.reply(text).event == "refused"
    assert margaret.newest().notice.about["hints"][0] == line


def test_an_absence_told_to_the_opponent(gateway: Gateway, margaret: Person) -> None:
    """Below a move they are told; alone, its sender first learns how to stop the clock."""
    text = "I'm away from tomorrow for a week"
    margaret.reply(text)
    assert margaret.newest().notice.about["hints"][0] == "vacation from tomorrow for a week"
    assert gateway.game().chat == ()
    margaret.reply(f"D5\n{text}")
    assert [one.text for one in gateway.game().chat] == [text]


def test_who_plays_on_while_away(gateway: Gateway, margaret: Person) -> None:
    """They are told how to come back, in each turn's email."""
    margaret.reply("vacation 1 week")
    margaret.reply("D5", to=margaret.newest(Kind.STARTED))
    gateway.person("Tom").reply("E5")
    assert "To be back sooner, reply: back" in part(margaret.read(), "plain")


def test_what_an_undo_is_for(gateway: Gateway, margaret: Person) -> None:
    """Below it people say what they had meant; that takes nothing back."""
    margaret.reply("C5")
    assert margaret.reply("undo\n\nSorry Tom, slip of the mouse, I meant C6.").detail == "undo"
    assert gateway.game().undo_asked is not None


@pytest.fixture
def alone() -> Person:
    """She plays against a program."""
    gateway = Gateway(engines=Roster((Entrant("house"),), games_per_player=3))
    lena = gateway.person("Lena")
    lena.write("new 9x9 as black vs house")
    lena.reply("yes")
    return lena


@pytest.mark.parametrize("text", ["Who's winning?", "Estimation du score?"])
def test_an_estimate_where_the_game_has_them(alone: Person, text: str) -> None:
    """It is sent: nothing more need be written; beside a move too."""
    alone.reply(text)
    assert alone.newest().notice.kind is Kind.SCORE
    alone.reply(f"D5\n{text}", to=alone.newest(Kind.STARTED))
    assert alone.newest().notice.kind is Kind.SCORE


def test_nobody_speaks_to_a_program(alone: Person) -> None:
    """What is asked beside a move is asked of us; and other words are not said to be passed on."""
    alone.reply("Lovely weather here.")
    assert "reads no words" in part(alone.read(), "plain")
    alone.reply("E5\nWhat is atari?")
    assert "Stones are in atari" in retold(alone.newest().notice.about["aside"]["reason"])


class TestQuestionsOfOurs:
    """What is answered to our questions, whether an email was somebody's."""

    def held(self, gateway: Gateway, games: int = 1) -> Person:
        """Tom, who wrote from his phone, in so many games."""
        margaret, tom = gateway.person("Margaret"), gateway.person("Tom")
        phone = gateway.person("Tom", "tom@phone.example")
        for _ in range(games - 1):
            gateway.start(margaret, tom)
        for started in tom.letters(Kind.STARTED):
            phone.reply("say Hello from my phone", to=started)
        return tom

    def test_a_no_is_answered(self, gateway: Gateway) -> None:
        """Who throws an email away is told that it is."""
        tom = self.held(gateway)
        assert tom.reply("no").event == "let-go"
        assert "thrown that email away" in part(tom.read(), "plain")

    def test_a_click_in_what_asks_again(self, gateway: Gateway) -> None:
        """It answers the question, and does nothing in the game for whoever gets hold of it."""
        tom = self.held(gateway)
        for text in ("I don't know", "E5"):
            assert tom.reply(text).event == "refused"
            assert gateway.token(tom.newest()).startswith("h")
        assert tom.reply("yes").event == "accepted"
        assert gateway.game().chat[0].text == "Hello from my phone"

    def test_a_phone_in_many_games(self, gateway: Gateway) -> None:
        """Its owner is asked in each, however many there are."""
        tom = self.held(gateway, games=8)
        assert len(tom.letters(Kind.CONFIRM)) == 8


@pytest.mark.parametrize("text", ["no thanks, private", "No thank you, I prefer to play privately"])
def test_a_no_to_spectators_in_ones_own_words(
    gateway: Gateway, margaret: Person, text: str
) -> None:
    """It is the answer, whatever else its words could ask for."""
    margaret.reply("public")
    gateway.person("Tom").reply(text)
    assert gateway.game().public_asked is None
    assert not gateway.game().public


@pytest.mark.parametrize(
    "text",
    [
        "For my eyes only: his corner is weak, I should go in there soon.",
        "Just a private note for myself, please don't show Tom: after B3 I play on the right.",
        "Please delete everything you have about me.",
        "What happens if I play F5, he plays F6, I play G6?",
        "whats my rank",
        "Could you let me see all the moves that we have made so far, please?",
    ],
)
def test_what_is_for_us_alone(gateway: Gateway, margaret: Person, text: str) -> None:
    """It is answered with a click, and never told to the opponent."""
    margaret.reply(text)
    assert gateway.game().chat == ()
    shown = part(margaret.read(), "plain")
    assert "Reply with:" in shown


def test_a_move_and_talk_of_other_points(gateway: Gateway, margaret: Person) -> None:
    """A sentence that says a move, first of all, is played; a plan behind it is not told."""
    assert margaret.reply("E4. Ha, then I leave C5 where it is.").detail == "play E4"
    gateway.person("Tom").reply("C3")
    margaret.reply("I play F6. And if Tom goes to C2 next, then I answer at B2.")
    assert gateway.game().move_number == 3
    assert len(gateway.game().chat) == 1
    assert "Tom hasn't seen your words" in part(margaret.read(), "plain").replace("\n", " ")


@pytest.mark.parametrize("text", ["Shall we play another one?", "Play again soon?"])
def test_another_game_after_the_end(gateway: Gateway, margaret: Person, text: str) -> None:
    """Who wrote learns what begins one, and may have the words passed on."""
    margaret.reply("resign")
    margaret.reply(text)
    assert "colours swapped: “rematch”" in part(margaret.read(), "plain").replace("\n", " ")
    assert margaret.reply("send").event == "accepted"
    assert gateway.game().chat[0].text == text


def test_a_holiday_in_the_answer_to_an_invitation() -> None:
    """The game begins, and the other player reads of it."""
    gateway = Gateway()
    margaret, tom = gateway.person("Margaret"), gateway.person("Tom")
    margaret.write(f"new 9x9 vs {tom.address}")
    margaret.reply("yes")
    tom.reply("Yes, I would like to play. I am on holiday next week, is that a problem?")
    assert gateway.game().black is not None
    assert "I am on holiday next week" in part(margaret.read(), "plain")


@pytest.mark.parametrize(
    ("said", "tried"),
    [
        ("What happens if I play F5, he plays F6, I play G6 ?", "try F5 F6 G6"),
        ("What happens if I play F5?", "try F5"),
    ],
)
def test_moves_that_are_only_imagined(
    gateway: Gateway, margaret: Person, said: str, tried: str
) -> None:
    """They are offered as a board to look at, and by no click as a move."""
    assert margaret.reply(said).event == "refused"
    assert margaret.newest().notice.about["hints"] == [tried]
    assert gateway.game().move_number == 0
    assert margaret.reply(tried).event == "accepted"
