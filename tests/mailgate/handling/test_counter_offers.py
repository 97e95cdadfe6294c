"""Other terms: who is invited answers with them, and the other says yes, or no, or others again."""

from __future__ import annotations

import re

import pytest

from godaemon.games.commands import Propose
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import Kind
from godaemon.games.proposals import countered
from godaemon.rules.points import Color
from godaemon.texts.catalogue import retold
from mailgate.language.parser import parse_text
from tests.support.gateway import Gateway, Person
from tests.support.letters import part


class Offer:
    """Alice has invited Bob to a game on 19x19 by lot."""

    def __init__(self, terms: str = "19x19") -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.alice.write(f"new {terms} vs {self.bob.address}")
        self.alice.reply("yes")

    def answer(self, text: str, who: Person | None = None) -> str:
        """Answer the newest letter; what the other player reads then."""
        who = who or self.bob
        who.reply(text)
        other = self.alice if who is self.bob else self.bob
        return part(other.read(), "plain")

    @property
    def terms(self) -> tuple[str, float, str, int, Color | None]:
        """The game as it is proposed now; the colour is Alice's."""
        spec = self.gateway.game().spec
        return str(spec.size), spec.komi, spec.rules, spec.handicap, spec.color


@pytest.mark.parametrize(
    ("line", "terms"),
    [
        ("accept but komi 0.5", ("19x19", 0.5, "japanese", 0, None)),
        ("Yes, but 13x13", ("13x13", 6.5, "japanese", 0, None)),
        ("ok, but as black please", ("19x19", 6.5, "japanese", 0, Color.WHITE)),
        ("counter 9x9 chinese rules", ("9x9", 7.5, "chinese", 0, None)),
        ("Hi Alice!\nyes, but on 13x13 komi 5.5", ("13x13", 5.5, "japanese", 0, None)),
    ],
)
def test_other_terms(line: str, terms: tuple[object, ...]) -> None:
    """What is named changes, with the usual komi of that; the proposer is asked and says yes."""
    offer = Offer()
    text = offer.answer(line)
    assert "Bob would like to play game 1 on other terms." in text
    assert offer.terms == terms
    assert offer.bob.newest().notice.kind is Kind.COUNTERED
    offer.answer("accept", offer.alice)
    game = offer.gateway.game()
    assert game.phase is Phase.PLAYING
    if terms[4] is not None:
        assert game.player(Seat.BLACK).address == offer.bob.address
    assert game.position.board.size == game.spec.size


def test_what_changes_says_what_it_was() -> None:
    """On both sides, and nothing else does."""
    offer = Offer()
    for text in (offer.answer("accept but komi 0.5"), part(offer.bob.read(), "plain")):
        assert "0.5 points for White (before: 6.5 points for White)" in text
        assert text.count("before:") == 1


def test_the_terms_that_are_offered_differ_from_those_that_stand() -> None:
    """Whoever clicks on the example has answered with other terms, at each turn."""
    offer = Offer("19x19 handicap 3")
    text = part(offer.bob.read(), "plain")
    for who in ("bob", "alice", "bob"):
        (example,) = set(re.findall(r"accept but komi [\d.]+", text))
        text = offer.answer(example, getattr(offer, who))
        assert "on other terms" in text


def test_the_first_lines_of_an_invitation() -> None:
    """Ten of them say who asks, what this is, how one plays, and how to say yes or no."""
    top = " ".join(part(Offer().bob.read(), "plain").split("\n")[:10])
    for word in ("Alice (alice@", "game of Go", "a program", "reply with your move", "accept"):
        assert word in top
    assert "decline" in top


def test_a_komi_that_was_named_stays() -> None:
    """Where only the size is another."""
    offer = Offer("19x19 komi 3.5")
    offer.answer("yes, but 13x13")
    assert offer.terms[:2] == ("13x13", 3.5)


def test_the_words_go_with_them() -> None:
    """To who has asked; and theirs come back."""
    offer = Offer()
    text = offer.answer("accept but komi 0.5\n\nI am a beginner.")
    assert "> I am a beginner." in text
    text = offer.answer("no\n\nThen not.", offer.alice)
    assert "Alice has declined your terms for game 1." in text
    assert "> Then not." in text
    assert offer.gateway.game().phase is Phase.DECLINED


def test_to_and_fro() -> None:
    """Each in turn, and not without end; who waits cannot answer for the other."""
    offer = Offer()
    offer.answer("accept but 13x13")
    offer.bob.reply("accept")
    assert "These terms are yours, so it is for Alice" in reason(offer.bob)
    for number, who in enumerate([offer.alice, offer.bob, offer.alice, offer.bob, offer.alice]):
        newest = who.newest(Kind.COUNTERED)
        who.reply(f"accept but komi {number}.5", to=newest)
    assert offer.terms[1] == 4.5
    offer.bob.reply("accept but komi 9.5", to=offer.bob.newest(Kind.COUNTERED))
    assert "back and forth often enough" in reason(offer.bob)
    offer.bob.reply("accept", to=offer.bob.newest(Kind.COUNTERED))
    assert offer.gateway.game().phase is Phase.PLAYING


def test_who_is_asked_about_other_terms_reads_how_to_answer() -> None:
    """Bug: to a question beside it the proposer was told that they could take the game back."""
    offer = Offer()
    offer.answer("accept but 13x13")
    offer.alice.reply("How big is that?")
    said = part(offer.alice.read(), "plain")
    assert "Reply with: accept" in said
    assert "Reply with: withdraw" not in said
    offer.bob.reply("How big is that?")
    assert "Reply with: withdraw  take them back" in part(offer.bob.read(), "plain")


def reason(who: Person) -> str:
    """Why somebody was refused last."""
    return retold(who.newest(Kind.REFUSED).notice.about["reason"])


def test_a_yes_is_to_the_terms_that_its_letter_showed() -> None:
    """A late yes to older ones begins nothing."""
    offer = Offer()
    first = offer.bob.newest(Kind.INVITATION)
    offer.answer("accept but komi 0.5")
    offer.answer("accept but handicap 9", offer.alice)
    offer.bob.reply("accept", to=first)
    assert "The terms have changed" in reason(offer.bob)
    assert offer.gateway.game().phase is Phase.PROPOSED
    offer.bob.reply("accept", to=offer.bob.newest(Kind.COUNTERED))
    assert offer.gateway.game().position.handicap


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("accept but 19x19", "Those are the terms already"),
        ("accept but komi 1000", "Nothing was proposed"),
        ("accept but komi 400", "Nothing has changed"),
        ("accept but vs eve@x.example", "Other terms are a size"),
        ("yes, but next week", "whether “yes, but next week” is a yes or a no"),
    ],
)
def test_what_are_no_terms(line: str, why: str) -> None:
    """Nothing changes, and the game does not begin."""
    offer = Offer()
    offer.bob.reply(line)
    assert why in reason(offer.bob)
    assert offer.terms[0] == "19x19"
    assert offer.gateway.game().phase is Phase.PROPOSED


def test_not_in_a_game_that_has_begun() -> None:
    """Its terms stand."""
    offer = Offer()
    offer.answer("accept")
    offer.answer("counter komi 0.5")
    assert "changed once it has begun" in reason(offer.bob)


def test_from_the_list_of_games() -> None:
    """As an invitation is answered there."""
    offer = Offer()
    offer.bob.write("games")
    offer.bob.reply("1: accept but 13x13")
    assert offer.terms[0] == "13x13"
    offer.alice.write("games")
    assert "Game 1 with Bob: other terms (13x13" in part(offer.alice.read(), "plain")
    offer.alice.reply("1: accept")
    assert offer.gateway.game().phase is Phase.PLAYING


def test_sentences_stay_sentences() -> None:
    """In a game, a but is talk."""
    for line in (
        "yes, but White is dead",
        "ok, but not on 19x19",
        "But I like 9x9 boards too much",
    ):
        assert parse_text([line]).commands == ()


def test_only_one_side_is_the_speakers() -> None:
    """A colour is that of who speaks."""
    spec = Offer("9x9 as black").gateway.game().spec
    assert countered(spec, {"color": Color.BLACK}, Seat.INVITED).color == "white"
    assert countered(spec, {"color": Color.WHITE}, Seat.PROPOSER).color == "white"
    assert Propose("x").color is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Yes but only 2 stones please and can I be black? 5 days per move because I am slow",
            "accept but handicap 2 as black 5 days per move",
        ),
        ("5 days for each move. I am black", "accept but as black 5 days for each move"),
        ("Gladly! I take White then.", "accept but as white"),
        ("Could we make it 13 by 13?", "accept but 13x13"),
    ],
)
def test_terms_in_a_sentence_are_offered_as_a_line(text: str, line: str) -> None:
    """Nothing happens; the line that is offered has all that was named, and works."""
    offer = Offer("19x19 rated")
    assert offer.bob.reply(text).event == "refused"
    assert offer.gateway.game().phase is Phase.PROPOSED
    assert line in part(offer.bob.read(), "plain").replace("\n", " ")
    assert offer.bob.reply(line).event == "accepted"


@pytest.mark.parametrize(
    "text",
    [
        "Sure, I take White.",
    ],
)
def test_a_yes_that_repeats_the_terms_is_a_yes(text: str) -> None:
    """As they stand, for the seat of who says it."""
    offer = Offer("9x9 handicap 2 as black rated")
    assert offer.bob.reply(text).event == "accepted"
    assert offer.gateway.game().phase is Phase.PLAYING


def test_an_invitation_is_not_confirmed_with_other_terms() -> None:
    """Who confirms it and adds what it does not say is asked, and nobody is invited."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    alice.write("new 9x9 handicap 3 vs bob@players.example")
    assert alice.reply("Yes, please send it. Note that I should be White.").event == "refused"
    assert gateway.told(0)[-1] == ("alice", "refused")
    assert alice.reply("yes").event == "accepted"


@pytest.mark.parametrize(
    "line",
    [
        "accept but 2 stones, as black, 5 days per move",
        "counter 2 stones, me black, 5 days per move",
        "counter 2 handicap stones, I am black, 5 days per move",
    ],
)
def test_stones_are_a_handicap_and_no_size(line: str) -> None:
    """As people write them."""
    offer = Offer()
    offer.answer(line)
    assert offer.terms[3:] == (2, Color.WHITE)


@pytest.mark.parametrize(
    "question", ["yes please, but who are you?", "Yes, but where do you live?"]
)
def test_a_question_to_the_proposer_is_not_lost(question: str) -> None:
    """Who is invited is told that nobody has read it, and where it would be passed on."""
    offer = Offer()
    offer.bob.reply(question)
    assert offer.gateway.game().phase is Phase.PROPOSED
    offer.bob.reply("accept\n\nI wonder where you live.")
    assert "I wonder where you live." in part(offer.alice.read(), "plain")


@pytest.mark.parametrize("word", ["withdraw", "decline", "no"])
def test_whoever_offered_other_terms_takes_them_back(word: str) -> None:
    """By the word that their letter offers, or a no; then there is no game, and both are told."""
    offer = Offer()
    offer.answer("accept but komi 0.5")
    assert "withdraw" in part(offer.bob.read(), "plain")
    text = offer.answer(word)
    assert text.startswith("Bob has taken back the terms for game 1")
    assert part(offer.bob.read(), "plain").startswith("You've taken back your terms for game 1")
    assert offer.gateway.game().phase is Phase.DECLINED


def test_only_ones_own_terms_are_taken_back() -> None:
    """Whoever is asked says no instead."""
    offer = Offer()
    offer.bob.reply("withdraw")
    assert "you can decline it" in reason(offer.bob)
