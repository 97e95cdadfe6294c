"""`resign` while the other player is to move is asked about once; on one's turn it is done."""

from __future__ import annotations

import pytest

from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import retold
from tests.support.gateway import Gateway, Person
from tests.support.letters import part

Three = tuple[Gateway, Person, Person]


@pytest.fixture
def played() -> Three:
    """Alice (Black) has just played D4; it is Bob's turn."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    gateway.play(alice, bob, "E5 C3 D4")
    return gateway, alice, bob


def phase(gateway: Gateway) -> Phase:
    """How far the game is."""
    return gateway.game().phase


def test_on_ones_turn_it_is_done_at_once(played: Three) -> None:
    """Nobody is asked who is to move; nor while the score is counted, which waits for both."""
    gateway, alice, bob = played
    assert bob.reply("resign").event == "accepted"
    assert gateway.game().result == "B+R"
    counted = Gateway()
    alice, bob = counted.person("Alice"), counted.person("Bob")
    counted.start(alice, bob)
    counted.play(alice, bob, "E5 C3 pass pass")
    assert alice.reply("resign").event == "accepted"


def test_off_turn_it_is_asked_about_once(played: Three) -> None:
    """One click does it, the words go along, and nobody else has heard of the question."""
    gateway, alice, _ = played
    length, before = gateway.game().length, len(gateway.outbox)
    assert alice.reply("resign\n\nThank you, Bob!").event == "held"
    assert gateway.told(before) == [("alice", "confirm")]
    assert gateway.game().length == length
    asked = " ".join(part(alice.read(), "plain").split())
    assert asked.startswith("Do you want to resign game 1?")
    assert "It's Bob's turn, so I'm asking first." in asked
    assert 'body=yes"' in part(alice.read(), "html")
    assert alice.reply("yes").event == "accepted"
    assert gateway.game().result == "W+R"
    assert gateway.game().chat[-1].text == "Thank you, Bob!"
    assert gateway.told(before + 1) == [("alice", "finished"), ("bob", "finished")]


@pytest.mark.parametrize(
    "words", ["Yes, keep playing", "yes I want to play on", "Yes... I mean no!"]
)
def test_a_yes_that_may_be_none_is_asked_about_again(played: Three, words: str) -> None:
    """Bug: each of them gave the game up, as did `Of course not`."""
    gateway, alice, _ = played
    alice.reply("resign")
    alice.reply(words)
    assert phase(gateway) is Phase.PLAYING
    alice.reply("yes")
    assert gateway.game().result == "W+R"


def test_of_course_not_is_a_no(played: Three) -> None:
    """Bug: it was a yes, at every question."""
    gateway, alice, _ = played
    alice.reply("resign")
    assert alice.reply("Of course not!!").event == "let-go"
    assert phase(gateway) is Phase.PLAYING


@pytest.mark.parametrize(
    "words",
    [
        "No!! I clicked the wrong email, sorry. Don't resign.",
    ],
)
def test_a_no_with_whatever_words_resigns_nothing(played: Three, words: str) -> None:
    """It needs no second asking, as nothing happens then."""
    gateway, alice, _ = played
    alice.reply("resign")
    assert alice.reply(words).event == "let-go"
    assert phase(gateway) is Phase.PLAYING


def test_words_beside_the_yes_are_held_until_they_are_sent(played: Three) -> None:
    """Bug: nobody read them, and their writer was not told."""
    gateway, alice, bob = played
    alice.reply("resign")
    alice.reply("Yes.\n\nThank you Bob, well played.", to=alice.newest(Kind.CONFIRM))
    assert gateway.game().result == "W+R"
    told = " ".join(part(alice.read(), "plain").split())
    assert "beside your answer to me: “Thank you Bob, well played.”" in told
    alice.reply("send")
    assert gateway.game().chat[-1].text == "Thank you Bob, well played."
    assert "well played" in part(bob.read(), "plain")


@pytest.mark.parametrize("answer", ["yes", "Yes, I am sure.", "ja, danke"])
def test_a_yes_that_is_meant_is_no_words_to_anybody(played: Three, answer: str) -> None:
    """Bug: its writer was told that they were not passed on."""
    gateway, alice, _ = played
    alice.reply("resign")
    before = len(gateway.outbox)
    alice.reply(answer, to=alice.newest(Kind.CONFIRM))
    assert gateway.told(before) == [("alice", "finished"), ("bob", "finished")]


@pytest.mark.parametrize(
    "answer", ["Yes, I did not mean to resign", "Yes, resign is not what I want"]
)
def test_a_yes_that_takes_itself_back_resigns_nothing(played: Three, answer: str) -> None:
    """It is asked once more."""
    gateway, alice, _ = played
    alice.reply("resign")
    assert alice.reply(answer, to=alice.newest(Kind.CONFIRM)).event == "refused"
    assert phase(gateway) is Phase.PLAYING


def test_who_does_not_resign_reads_that_the_game_goes_on(played: Three) -> None:
    """And of no email that is thrown away, which they would not remember."""
    _, alice, _ = played
    alice.reply("resign")
    alice.reply("no")
    assert "You have not resigned: the game goes on" in part(alice.read(), "plain")


@pytest.mark.parametrize("answer", ["yes", "Yes, I am sure.", "resign", "I resign", "ja"])
def test_who_says_so_again_has_meant_it(played: Three, answer: str) -> None:
    """In answer to the question, however they say it."""
    gateway, alice, _ = played
    alice.reply("gg, I resign")
    alice.reply(answer)
    assert gateway.game().result == "W+R"


def test_twice_in_answer_to_the_game_is_enough(played: Three) -> None:
    """Who has not seen the question and says it once more is not asked again."""
    gateway, alice, _ = played
    letter = alice.newest()
    assert alice.reply("resign", to=letter).event == "held"
    assert alice.reply("resign", to=letter).event == "accepted"
    assert phase(gateway) is Phase.FINISHED


@pytest.mark.parametrize("answer", ["no", "No, that was a slip!"])
def test_a_no_lets_the_game_go_on(played: Three, answer: str) -> None:
    """And a yes in a later letter of the game is no yes to that."""
    gateway, alice, bob = played
    alice.reply("resign")
    alice.reply(answer)
    bob.reply("are you still there?")
    alice.reply("yes")
    assert phase(gateway) is Phase.PLAYING
    bob.reply("E3")
    assert alice.reply("C7").event == "accepted"


def test_what_is_neither_is_asked_once_more(played: Three) -> None:
    """By what it was about."""
    gateway, alice, _ = played
    alice.reply("resign")
    assert alice.reply("show").event == "refused"
    assert "To resign, answer “yes”; to play on, answer “no”." in part(alice.read(), "plain")
    alice.reply("yes", to=alice.newest(Kind.CONFIRM))
    assert phase(gateway) is Phase.FINISHED


def test_a_question_that_was_not_answered_is_not_said_yes_to_by_talk(played: Three) -> None:
    """Only its own letter can be answered so."""
    gateway, alice, bob = played
    alice.reply("resign")
    bob.reply("How is your garden doing?")
    alice.reply("yes", to=alice.newest(Kind.CHAT))
    assert phase(gateway) is Phase.PLAYING
    assert gateway.game().chat[-1].text == "yes"


def test_a_yes_after_the_other_has_moved_comes_too_late(played: Three) -> None:
    """The board is another then: they are shown it, and may say so on their turn."""
    gateway, alice, bob = played
    alice.reply("resign")
    question = alice.newest(Kind.CONFIRM)
    bob.reply("E3")
    assert alice.reply("yes", to=question).event == "refused"
    assert "the game has gone on since" in retold(alice.newest().notice.about["reason"])
    assert phase(gateway) is Phase.PLAYING
    assert alice.reply("resign").event == "accepted"


def test_later_on_another_board_it_is_asked_again(played: Three) -> None:
    """The first question was about the game as it was."""
    _, alice, bob = played
    alice.reply("resign")
    bob.reply("E3")
    alice.reply("C7")
    assert alice.reply("resign", to=alice.newest(Kind.MOVED)).event == "held"


def test_a_teacher_is_always_to_move() -> None:
    """Who plays both colours is not asked."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, alice)
    gateway.play(alice, alice, "E5")
    assert alice.reply("resign").event == "accepted"


def test_in_a_list_of_games_a_line_cannot_ask() -> None:
    """It is refused by itself, and says where it can be said; the others are done."""
    gateway = Gateway()
    alice, bob, carol = map(gateway.person, ("Alice", "Bob", "Carol"))
    gateway.start(alice, bob)
    alice.reply("E5")
    gateway.start(alice, carol)
    alice.reply("games")
    alice.reply("1: resign\n2: resign")
    assert gateway.game(1).phase is Phase.PLAYING
    assert gateway.game(2).phase is Phase.FINISHED
    results = [*map(retold, alice.newest(Kind.GAMES).notice.about["results"])]
    assert "It is not your turn there" in results[0]
    assert results[1].startswith("done")
