"""Who would be taught the game: in whatever words, and nobody who only speaks of it."""

from __future__ import annotations

import pytest

from godaemon.games.commands import Learn
from mailgate.language.learning import read_learn, wishes_to_learn
from mailgate.language.parser import parse_text
from mailgate.language.written_moves import normalize, strip_decoration

ASKED = """
learn
Learn, please!
learn 2
teach me
Can you teach me how to play go?
Please explain the rules to me.
How do I play Go?
How is this game played?
What are the rules of Go?
I want to learn how to play baduk, please
Is there a tutorial for beginners?
rules please
Wie spielt man Go?
""".strip().split("\n")
OWNED = """
I don't know the rules
Sorry, I do not understand the rules at all
I have never played before
I've no idea how to play this
I'm new to Go
I am a total beginner
I forgot the rules
""".strip().split("\n")
TALK = """
I never learn
The rules are odd
I learned a lot from you
You taught me a lesson
Teach your cat to play
I know the rules
How do you play so well?
What is your favourite game about?
Learn to count, my friend
""".strip().split("\n")


def plain(line: str) -> str:
    """A line as it is looked at."""
    return strip_decoration(normalize(line))


@pytest.mark.parametrize("line", ASKED)
def test_who_asks_is_taught(line: str) -> None:
    """By the line alone; the first lesson where none is named."""
    assert isinstance(parse_text([line]).commands[0].command, Learn)


@pytest.mark.parametrize("line", OWNED)
def test_who_says_so_of_themselves(line: str) -> None:
    """Is offered the lessons, and the words are kept from their opponent until they choose."""
    assert wishes_to_learn(plain(line))
    assert parse_text([line]).held


@pytest.mark.parametrize("line", TALK)
def test_talk_of_it_is_none(line: str) -> None:
    """However near it comes."""
    assert not wishes_to_learn(plain(line))
    assert read_learn(plain(line)) is None
