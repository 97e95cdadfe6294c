"""Sentences whose meaning depends on the moment of a game."""

import re

import pytest

from godaemon.games.notices import Kind
from tests.support.gateway import Gateway, started
from tests.support.phrase_outcome import judge, situation_of
from tests.support.phrase_table import Phrase, Wanted


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
def test_the_game_accepts_each_offered_line(situation: str, text: str) -> None:
    """At that moment."""
    at = situation_of(situation)
    offered = re.findall(r"^ *- Reply with: (.+)$", at.say(text).emails[-1].text, re.MULTILINE)
    answers = {line: [one.due.notice for one in at.say(line).emails] for line in offered}
    refused = [line for line in answers for one in answers[line] if one.kind is Kind.REFUSED]
    assert refused == []


@pytest.mark.parametrize("text", ["D4, or not", "D4?", "D4 maybe", "D4 I think, or rather not"])
def test_an_incomplete_move_on_a_stone_is_asked_back(text: str) -> None:
    """It is not passed on as talk."""
    gateway, alice, bob = started()
    gateway.play(alice, bob, "D4 E5")
    read = len(bob.letters())
    assert alice.reply(text).event == "refused"
    assert len(bob.letters()) == read


@pytest.mark.parametrize("text", ["who won?", "are we done?", "How do I mark dead stones?"])
def test_each_offered_click_works_in_a_count(text: str) -> None:
    """Nobody passes or marks an empty point."""
    outcome = situation_of("count").say(text)
    clicks = [click for one in outcome.emails for click in one.clicks]
    assert clicks
    refused = [one.body for one in clicks if not situation_of("count").works(one, outcome._after)]
    assert refused == []


def test_the_invited_player_learns_who_invites() -> None:
    """If they ask."""
    [email] = situation_of("invited").say("who is this?").emails
    assert "Bob has asked me to invite you to this game." in email.text


def test_words_beside_a_confirmation_are_mentioned() -> None:
    """They are not passed on, and the sender is told so."""
    emails = situation_of("confirm").say("Yes, and tell Bob hello from Alice").emails
    assert any("Words can be passed on once the game has begun" in one.text for one in emails)


@pytest.mark.parametrize(
    "line", ["Same here. Pass, and thank you for this", "Next I'll play H9", "H9"]
)
def test_a_refused_line_is_quoted_whole(line: str) -> None:
    """Not only its command."""
    [email] = situation_of("theirs").say(line).emails
    assert email.due.notice.about["lines"] == [line]


@pytest.mark.parametrize(
    ("situation", "text", "offered"),
    [
        ("mine", "In the very middle of the board, please", "E5"),
        ("mine", "One point above your last stone", "C4"),
        ("mine", "bee seven please", "B7"),
        ("mine", "I'll sit this turn out", "pass"),
        ("mine", "Salto el turno", "pass"),
        ("mine", "I am done", "pass"),
        ("mine", "Ich bin fertig.", "pass"),
        ("mine", "Bob has won, well done to him", "resign"),
        ("mine", "Is it legal to play beside two stones, and if so, can I be captured?", "learn"),
        ("mine", "quanto tempo ho ancora io?", "show"),
        ("undo", "vale, pero es la última vez", "yes"),
        ("undo", "Only this once then. But next time I want mine back, tell him", "yes"),
        ("mine", "I wold like to put it on E seven", "E7"),
        ("mine", "Ich warte schon lange auf Bob. Spielt er heute noch?", "show"),
        ("theirs", "Sorry, F6 was the cat's move. May it go somewhere else?", "undo"),
        ("theirs", "I cannot find your last mail. Whose move is it?", "show"),
        ("count", "H8 is anything but dead, I'd rather carry on playing.", "resume"),
        ("count", "問題ありません", "done"),
        ("agreed", "Kein Problem, Bob!", "done"),
        ("agreed", "Подожди, мне кажется, F3 ещё живой.", "done"),
        ("mine", "Dora vier", "D4"),
        ("undo", "Cofnij ruch", "yes"),
        ("undo", "undo", "yes"),
        ("mine", "level 4", "rating"),
        ("theirs", "Runde zwei", "show"),
        ("over", "Well that was close! I'll take white this time.", "rematch as white"),
        ("invited", "Happy to, but no clock please", "accept but no clock"),
        ("invited", "yes, one move a week", "accept but 7 days per move"),
        ("invited", "да, один ход в неделю", "accept but 7 days per move"),
        ("invited", "she takes black", "accept but as white"),
        ("invited", "Please take black yourself", "accept but as white"),
        ("invited", "Gerne, aber 9x9 ist mir zu klein", "accept but 19x19"),
        ("invited", "Да, но 2-3 дня на ход", "accept but 3 days per move"),
        ("nogame", "level 4", "rating"),
        ("mine", "А можно писать на русском? Английский знаю плохо.", "language русский"),
    ],
)
def test_a_sentence_for_us_is_answered_with_a_line(situation: str, text: str, offered: str) -> None:
    """Nobody else gets it, and one click does what it may mean."""
    cell = judge(situation, Phrase("", text), [Wanted("asks", offered)])
    assert cell.fault == "", cell


@pytest.mark.parametrize(
    ("situation", "text", "done"),
    [
        ("undo", "haha no", "UndoRefused"),
        ("undo", "Auf keinen Fall", "UndoRefused"),
        ("undo", "Na gut", "Undone"),
        ("undo", "Jasne, cofnij", "Undone"),
        ("undo", "weiterspielen", "UndoRefused"),
        ("void", "let's play on", "Voided"),
        ("void", "grajmy dalej", "Voided"),
        ("mine", "D4, si no te importa", "Moved"),
        ("mine", "D4、もしよければ", "Moved"),
        ("invited", "好的谢谢", "Started"),
        ("agreed", "Spot on!", "Agreed"),
        ("agreed", "De acuerdo con todo", "Agreed"),
        ("confirm", "Yep, that's the one", "Confirmed"),
        ("invited", "Let's forget it", "Declined"),
    ],
)
def test_a_yes_or_no_in_many_words_is_understood(situation: str, text: str, done: str) -> None:
    """By its sense."""
    assert done in situation_of(situation).say(text.replace("⏎", "\n")).events[0]


def test_a_near_miss_that_is_impossible_gets_its_reason() -> None:
    """It offers nothing."""
    outcome = situation_of("mine").say("c3?")
    assert outcome.answers[0] == "There is already a stone on C3."


def test_an_invitation_of_somebody_else_does_not_name_the_opponent() -> None:
    """It asks for an address."""
    outcome = situation_of("mine").say("Please invite Dave.")
    assert "your opponent's email address" in " ".join(outcome.answers)
    assert not outcome.clickable("new")


def test_a_conditional_yes_ends_no_game() -> None:
    """Bug: `provided that` was not read as a condition."""
    assert not situation_of("void").say("OK, provided we start another at once").events


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Merci de m'oublier. Ne m'envoyez plus de messages.", "Pour ne plus recevoir de mails"),
        ("Schreiben Sie mir bitte nicht mehr!", "Damit du keine Mails mehr"),
        ("UNSUBSCRIBE ME. This is outrageous.", "To get no more emails"),
    ],
)
def test_a_wish_for_no_emails_is_answered_with_the_command(text: str, answer: str) -> None:
    """In several languages; a reply is required."""
    gateway = Gateway()
    anna = gateway.person("Anna")
    anna.write(text)
    assert answer in anna.words()
