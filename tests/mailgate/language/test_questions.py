"""Questions for us, by topic; what is asked of the opponent is theirs."""

from __future__ import annotations

import pytest

from godaemon.games.commands import Help
from mailgate.language.parser import parse_text
from mailgate.language.questions import NOW, TOPICS, question_to_us, topic_named

OURS = {
    "how do I pass?": "pass",
    "what is komi?": "komi",
    "What does handicap mean": "handicap",
    "was that a mistake?": "undo",
    "who am I playing?": "opponent",
    "Can I play against a computer?": "programs",
    "Can I play with a Go program?": "gui",
    "whose turn is it?": "turn",
    "Am I black?": "color",
    "Hi, how do I resign?": "resign",
    "send me the position please": "board",
    "who is this?": "godaemon",
    "which games am I playing?": "games",
    "help?": NOW.name,
    "please help me": NOW.name,
    "what now": NOW.name,
    "???": NOW.name,
    "I don't understand": NOW.name,
    "Was nun?": NOW.name,
    "I really don't understand any of this": NOW.name,
    "welche Farbe habe ich?": "color",
    "Which stones do you think are dead?": "dead",
    "What is a ladder?": "ladder",
    'what does "sente" mean': "sente",
    "Hi, I don't know what dame are": "dame",
    "can you explain what a seki is?": "seki",
    "what does 5k mean?": "rank",
    "What's a false eye, please?": "false eye",
}
THEIRS = [
    *("how are your kids?", "What is your rank?", "Do you want to play again some day?", "hello"),
    *("Is it raining there?", "did you see the game last night?", "Why did you pass?", "ok?"),
    *("what a ladder!", "What is your eye doing there?", "what is the plan?", "nice net"),
]


@pytest.mark.parametrize("line", OURS)
def test_for_us(line: str) -> None:
    """It becomes a question for help, and the words are held back."""
    found = question_to_us([line])
    assert found is not None
    assert found.name == OURS[line]
    text = parse_text([line])
    assert [one.command for one in text.commands] == [Help(OURS[line])]
    assert (text.message, text.held) == ("", line)


@pytest.mark.parametrize("line", THEIRS)
def test_for_the_opponent(line: str) -> None:
    """It is passed on."""
    assert question_to_us([line]) is None
    assert parse_text([line]).message == line


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_every_topic_can_be_asked_for(topic: object) -> None:
    """By its name after `help`, and every line that it offers is a command."""
    name = getattr(topic, "name", "")
    assert topic_named(name) is topic
    assert parse_text([f"help {name}"]).commands[0].command == Help(name)
    assert all(parse_text([hint]).commands for hint in getattr(topic, "hints", ()))
