"""Words about the opponent are not sent to the opponent; words to them, and of others, are."""

from __future__ import annotations

import pytest

from mailgate.language.third_person import is_about, is_unwanted


@pytest.mark.parametrize(
    "words",
    [
        "what rank is Bob?",
        "Bob is stalling",
        "Bob keeps sending me rude messages",
        "I don't want to play with Bob any more",
        "If Bob is satisfied then so am I.",
        "this person is annoying me",
        "I feel uncomfortable with this opponent",
        "can you hide his messages?",
        "please don't let him invite me again",
        "Please stop showing me her comments",
        "Will Bob be back soon?",
        "I don't trust Bob",
        "He always takes ages",
        "Is he online?",
        "She is too strong for me",
        "He won't notice the cut, hehe",
        "What did he play instead?",
        "I hope he doesn't see the weakness at the top",
    ],
)
def test_about_the_opponent(words: str) -> None:
    """By their name, or as the opponent."""
    assert is_about(words, "Bob Jones")


@pytest.mark.parametrize(
    "words",
    [
        "Hi Bob, well played",
        "Thanks Bob!",
        "Bob, is it your first game?",
        "Bob you are too strong for me",
        "Good luck to Bob and his family",
        "Is Bob short for Robert?",
        "he he, nice trap",
        "Can you show me his games some day? Takemiya is my hero",
        "Don't let him win, my dad said about the dog",
        "the other player at our club is 80",
        "Hi, this is Bob. I had a rest",
        "Bob Ross was a great painter",
        "Ignore his last will, said the lawyer",
        "No more letters from his school, thank god",
        "I met this guy at the club who plays like a 5 dan",
        "That player on TV was amazing",
        "He who hesitates is lost",
        "I showed this game to my wife, she liked it",
        "How is your wife? I hope she is well",
        "My opponent in yesterday's game did the same",
        "You are my opponent in the final too!",
        "It is bobbing up and down",
        "She was a great teacher. " * 12,
    ],
)
def test_to_the_opponent_or_of_others(words: str) -> None:
    """Somebody is spoken to, or `he` is anybody."""
    assert not is_about(words, "Bob Jones")


@pytest.mark.parametrize(
    ("words", "heard"),
    [
        ("He moved to Berlin last week", ""),
        ("Is he moving to Berlin?", "How is your brother?"),
        ("She is a lovely dog", "Ours is called Wilma, and she is two now"),
        ("Has he won again?", "I read of Shibano in the paper."),
        ("He was the best player of his time, Shusaku", ""),
        ("My grandson is here, he says hello", ""),
        ("Ann is back, she says hello", ""),
    ],
)
def test_he_may_be_somebody_of_whom_the_two_have_written(words: str, heard: str) -> None:
    """Or of whom these words are."""
    assert not is_about(words, "Bob Jones", heard)


@pytest.mark.parametrize("name", ["", "B", "(a|b)+$"])
def test_any_name(name: str) -> None:
    """A short, odd or missing one is looked for as it is written, or not at all."""
    assert not is_about("What B will do is clear", name)


def test_a_name_in_small_letters() -> None:
    """As some write their own; others begin it with a large one."""
    assert is_about("bob is stalling", "bob")
    assert is_about("Bob is stalling", "bob")


@pytest.mark.parametrize(
    ("words", "name"),
    [("White is ahead, I think", "White Tiger"), ("go is my favourite game", "go")],
)
def test_a_nickname_that_means_something_else(words: str, name: str) -> None:
    """Its first word alone names nobody."""
    assert not is_about(words, name)


def test_who_would_rather_have_nothing_from_them() -> None:
    """They hear how that is done."""
    assert is_unwanted("don't let him invite me again")
    assert not is_unwanted("what rank is Bob?")
