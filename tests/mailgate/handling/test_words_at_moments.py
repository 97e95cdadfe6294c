"""Sentences whose meaning depends on the moment of a game."""

import re

import pytest

from godaemon.games.notices import Kind
from tests.support.gateway import Gateway
from tests.support.letters import part
from tests.support.phrase_outcome import Situation, judge
from tests.support.phrase_table import SITUATIONS, Phrase, Wanted


@pytest.fixture(scope="module")
def situations() -> dict[str, Situation]:
    return {name: Situation(name) for name in (*SITUATIONS, "undo", "ko")}


@pytest.mark.parametrize(
    ("situation", "text"),
    [
        ("mine", "C3 was good. D6"),
        ("mine", "should I play D6 or E3?"),
        ("mine", "what is a dead stone, and how do I mark one?"),
        ("theirs", "how do I pass?"),
        ("theirs", "D6 thanks!"),
        ("count", "who won?"),
        ("count", "are we done?"),
        ("count", "how do I mark dead stones?"),
        ("count", "I am unsure what to do"),
        ("ko", "I wonder about E4 and A1"),
        ("undo", "what did he want to undo?"),
    ],
)
def test_what_is_offered_works(situations: dict[str, Situation], situation: str, text: str) -> None:
    """No line is offered that the game would refuse at that moment."""
    at = situations[situation]
    offered = re.findall(r"^ *- Reply with: (.+)$", at.say(text).emails[-1].text, re.MULTILINE)
    answers = {line: [one.due.notice for one in at.say(line).emails] for line in offered}
    refused = [line for line in answers for one in answers[line] if one.kind is Kind.REFUSED]
    assert refused == []


@pytest.mark.parametrize("text", ["D4, or not", "D4?", "D4 maybe", "D4 I think, or rather not"])
def test_a_point_with_a_stone_on_it_that_begins_like_a_move(text: str) -> None:
    """It is asked back like other incomplete moves, and not passed on as talk."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 as black")
    gateway.play(alice, bob, "D4 E5")
    read = len(bob.letters())
    assert alice.reply(text).event == "refused"
    assert len(bob.letters()) == read


@pytest.mark.parametrize("text", ["who won?", "are we done?", "How do I mark dead stones?"])
def test_no_example_is_offered_that_would_be_refused(
    situations: dict[str, Situation], text: str
) -> None:
    """While the score is counted nobody passes, and nobody marks a point without a stone."""
    outcome = situations["count"].say(text)
    clicks = [click for one in outcome.emails for click in one.clicks]
    assert clicks
    refused = [one.body for one in clicks if not situations["count"].works(one, outcome._after)]
    assert refused == []


def test_who_is_invited_learns_by_whom(situations: dict[str, Situation]) -> None:
    """Where they ask who writes to them."""
    [email] = situations["invited"].say("who is this?").emails
    assert "Bob has asked me to invite you to this game." in email.text


def test_words_beside_a_confirmation_are_not_lost_in_silence(
    situations: dict[str, Situation],
) -> None:
    """The invitation goes out, and its sender learns that the words did not."""
    emails = situations["confirm"].say("Yes, and tell Bob hello from Alice").emails
    assert any("Words can be passed on once the game has begun" in one.text for one in emails)


@pytest.mark.parametrize(
    "line", ["Same here. Pass, and thank you for this", "Next I'll play H9", "H9"]
)
def test_a_refused_line_is_quoted_as_it_was_written(
    situations: dict[str, Situation], line: str
) -> None:
    """And not the one word in it that was meant for us."""
    [email] = situations["theirs"].say(line).emails
    assert email.due.notice.about["lines"] == [line]


@pytest.mark.parametrize(
    ("situation", "text", "offered"),
    [
        ("mine", "In the very middle of the board, please", "E5"),
        ("mine", "One point above your last stone", "C4"),
        ("mine", "bee seven please", "B7"),
        ("mine", "I'll sit this turn out", "pass"),
        ("mine", "Salto el turno", "pass"),
        ("mine", "Bob has won, well done to him", "resign"),
        ("mine", "Is it legal to play beside two stones, and if so, can I be captured?", "learn"),
        ("mine", "quanto tempo ho ancora io?", "show"),
        ("undo", "vale, pero es la última vez", "yes"),
        ("undo", "Only this once then. But next time I want mine back, tell him", "yes"),
        ("mine", "I wold like to put it on E sevven", "E7"),
        ("mine", "Ich warte schon lange auf Bob. Spielt er heute noch?", "show"),
        ("mine", "Ставлю на Е5, привет всем!", "E5"),
        ("theirs", "Sorry, F6 was the cat's move. May it go somewhere else?", "undo"),
        ("theirs", "I cannot find your last mail. Whose move is it?", "show"),
        ("count", "H8 is anything but dead, I'd rather carry on playing.", "resume"),
    ],
)
def test_a_sentence_for_us_is_kept_and_answered_with_a_line(
    situation: str, text: str, offered: str
) -> None:
    """Nobody else gets a letter, and one click does what may be meant."""
    cell = judge(Situation(situation), Phrase("", "", text), [Wanted("asks", offered)])
    assert cell.fault == "", cell


@pytest.mark.parametrize(
    ("situation", "text", "done"),
    [
        ("undo", "haha no", "UndoRefused"),
        ("undo", "Auf keinen Fall", "UndoRefused"),
        ("undo", "Na gut", "Undone"),
        ("agreed", "Spot on!", "Agreed"),
        ("agreed", "De acuerdo con todo", "Agreed"),
        ("confirm", "Yep, that's the one", "Confirmed"),
        ("invited", "Let's forget it", "Declined"),
    ],
)
def test_an_answer_in_many_words(situation: str, text: str, done: str) -> None:
    """A yes and a no are known by their sense."""
    assert done in Situation(situation).say(text).events[0]


def test_bug_a_yes_with_a_condition_ended_a_game() -> None:
    """`provided that` takes half of a yes back, as `if` does."""
    assert not Situation("void").say("OK, provided we start another at once").events


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Merci de m'oublier. Ne m'envoyez plus de messages.", "Pour ne plus recevoir de mails"),
        ("Schreiben Sie mir bitte nicht mehr!", "Damit du keine Mails mehr"),
        ("UNSUBSCRIBE ME. This is outrageous.", "To get no more emails"),
    ],
)
def test_who_wants_no_more_emails_is_told_how(text: str, answer: str) -> None:
    """Also in other languages; as anybody could have written it, a reply is required."""
    gateway = Gateway()
    anna = gateway.person("Anna")
    anna.write(text)
    assert answer in " ".join(part(anna.read(), "plain").split())
