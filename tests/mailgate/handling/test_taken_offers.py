"""A yes, or a choice, in answer to an email in which we ask what was meant."""

from __future__ import annotations

import pytest

from godaemon.games.notices import Kind
from tests.support.gateway import Gateway, Person
from tests.support.letters import part


def table(moves: str = "D4") -> tuple[Gateway, Person, Person]:
    """Black, who is Anna, and White, who is Bob and to move after one."""
    house = Gateway()
    anna, bob = house.person("Anna"), house.person("Bob")
    house.start(anna, bob)
    house.play(anna, bob, moves)
    return house, anna, bob


def asked_back(house: Gateway, person: Person, words: str) -> list[str]:
    """What we offer somebody who has written these words."""
    person.reply(words)
    house.send()
    asked = person.newest()
    assert asked.notice.kind is Kind.REFUSED
    return [*asked.notice.about["hints"]]


@pytest.mark.parametrize(
    "yes",
    [
        *("Yes", "yes please", "Yes, that's what I meant.", "Exactly, thank you!", "do it"),
        *("Ja genau", "oui, c'est ça", "Sí, eso es", "はい", "Да, именно это"),
    ],
)
def test_a_yes_does_the_one_thing_that_is_offered(yes: str) -> None:
    """Who is asked back with one line need not write it."""
    house, _, bob = table()
    assert asked_back(house, bob, "Perhaps E6.") == ["E6"]
    assert bob.reply(yes).detail == "play E6"
    assert not house.game().chat


@pytest.mark.parametrize(
    ("words", "offered", "yes"),
    [
        ("Perhaps E6.", "E6", "Yes, E6 please"),
        ("Nothing left for me to do, is there?", "pass", "ja ich passe"),
        ("I'd rather sit this turn out, I guess", "pass", "Yes please, pass."),
    ],
)
def test_what_is_offered_may_be_said_again(words: str, offered: str, yes: str) -> None:
    """In the line's own words, or in others for the same."""
    house, _, bob = table()
    assert asked_back(house, bob, words) == [offered]
    assert bob.reply(yes).event == "accepted"
    assert house.game().move_number == 2


def test_another_point_is_no_yes_to_what_is_offered() -> None:
    """It is a move of its own."""
    house, _, bob = table()
    asked_back(house, bob, "Perhaps E6.")
    bob.reply("F7")
    assert str(house.game().position.moves[-1].point) == "F7"


def test_a_yes_to_what_an_answer_offers_is_passed_on_to_nobody() -> None:
    """A yes to what is offered beside an explanation is to us."""
    house, _, bob = table()
    bob.reply("How can I learn the rules of the game?")
    house.send()
    bob.reply("Yes please")
    assert bob.newest().notice.kind is Kind.LEARN
    assert not house.game().chat


@pytest.mark.parametrize(
    ("choice", "move"),
    [
        *(("The second one, please", "F6"), ("I'll take the first", "E6"), ("das zweite", "F6")),
        *(("le premier", "E6"), ("the latter", "F6"), ("yes, the last one", "F6")),
    ],
)
def test_one_of_several_is_chosen_by_its_place(choice: str, move: str) -> None:
    """The lines stand below one another, and people say the first, or the second."""
    house, _, bob = table()
    assert asked_back(house, bob, "E6 or F6?") == ["E6", "F6"]
    assert bob.reply(choice).detail == f"play {move}"


def test_a_place_that_there_is_not_plays_nothing() -> None:
    """There is no third of two."""
    house, _, bob = table()
    asked_back(house, bob, "E6 or F6?")
    assert asked_back(house, bob, "the third one") == ["E6", "F6"]
    assert house.game().move_number == 1
    assert not house.game().chat


def test_a_yes_to_several_lines_asks_which_and_keeps_the_words() -> None:
    """Nobody guesses a move, and the words that are held back still are."""
    house, _, bob = table()
    words = "E6 or F6?"
    asked_back(house, bob, words)
    assert asked_back(house, bob, "Yes please") == ["E6", "F6"]
    assert not house.game().chat
    bob.reply("send")
    assert [one.text for one in house.game().chat] == [words]


def test_a_no_does_nothing_and_tells_nobody() -> None:
    """It is a no to us, and shows the game as it is."""
    house, _, bob = table()
    asked_back(house, bob, "Perhaps E6.")
    bob.reply("No, thanks")
    assert bob.newest().notice.kind is Kind.SHOW
    assert (house.game().move_number, len(house.game().chat)) == (1, 0)


def test_who_notes_that_words_were_held_back_sends_nothing() -> None:
    """`OK` says that it has been read."""
    house, _, bob = table()
    asked_back(house, bob, "Can I see the game at the office?")
    bob.reply("ok, thanks")
    assert not house.game().chat


def test_an_example_is_nothing_to_say_yes_to() -> None:
    """Nobody is told `good luck!` by who only says yes to an email with that example in it."""
    house, _, bob = table()
    assert asked_back(house, bob, "send") == ["say good luck!"]
    bob.reply("yes")
    assert "good luck!" not in [one.text for one in house.game().chat]


def test_a_yes_to_an_email_that_asks_nothing_back_is_none_of_ours() -> None:
    """A turn letter is answered to the other player."""
    house, _, bob = table()
    house.send()
    bob.reply("Yes please")
    assert [one.text for one in house.game().chat] == ["Yes please"]


def test_send_sends_what_the_answered_email_tells_of() -> None:
    """Others were held back before it, and after it."""
    house, _, bob = table()
    for words in ("Can I see it at the office?", "Where do I find the rules of a ko?"):
        bob.reply(words)
        house.send()
    first = bob.letters(Kind.REFUSED)[0]
    bob.reply("send", to=first)
    assert [one.text for one in house.game().chat] == ["Can I see it at the office?"]
    assert "> Can I see it at the office?" in part(bob.read(), "plain")


def test_bug_send_sent_the_first_of_two_letters_of_one_moment() -> None:
    """The newest words are meant, however fast they came."""
    house, _, bob = table()
    for words in ("Can I see it at the office?", "Where do I find my last email?"):
        bob.reply(words)
    bob.write("send", to=bob.posted[-1].recipient)
    assert [one.text for one in house.game().chat] == ["Where do I find my last email?"]


def test_a_yes_to_an_old_email_asks_first() -> None:
    """The board has changed since: what was offered then is no move of now."""
    house, anna, bob = table()
    asked_back(house, bob, "Perhaps E6.")
    old = bob.newest()
    bob.reply("F6")
    anna.reply("G7")
    bob.reply("yes", to=old)
    assert house.game().move_number == 3


def test_a_game_is_given_up_for_a_yes_and_not_for_an_ok() -> None:
    """What cannot be undone is done for its own line alone: an ok may say that it has been read."""
    for said, over in (("ok, thanks", False), ("yes, I do", False), ("resign", True)):
        house, _, bob = table()
        assert asked_back(house, bob, "I give up") == ["resign"]
        bob.reply(said)
        assert house.game().phase.over is over


def test_giving_up_off_turn_is_asked_once_more() -> None:
    """Its own line is asked about like any other."""
    house, anna, _ = table()
    assert asked_back(house, anna, "I think I am lost, I give up") == ["resign"]
    anna.reply("resign")
    assert not house.game().phase.over
    assert anna.newest().notice.kind is Kind.CONFIRM
