"""Undo as letters: who has just moved asks, the other answers, and an answer has its time."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.games.calls import Caller
from godaemon.games.engine_seats import Entrant, Roster
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import Kind
from godaemon.games.views import record
from godaemon.records import sgf
from godaemon.rules.points import Color, parse_point
from tests.support.gateway import Gateway, Person

Three = tuple[Gateway, Person, Person]


@pytest.fixture
def played() -> Three:
    """Alice (Black) has just played D4; it is Bob's turn."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    gateway.play(alice, bob, "E5 C3 D4")
    return gateway, alice, bob


def said(person: Person) -> str:
    """The newest letter as plain words."""
    return " ".join(person.read().get_body(("plain",)).get_content().split())  # type: ignore[union-attr]


def answered_by_house(gateway: Gateway, point: str) -> None:
    """Our own player moves for White."""
    caller, move = Caller("engine:house", "engine:house", "house"), cmd.Play(parse_point(point))
    gateway.writer.run_sync(lambda unit: gateway.games(unit).act(1, Seat.WHITE, (move,), caller))


def stone(gateway: Gateway, point: str) -> Color | None:
    """What stands on a point."""
    return gateway.game().position.board.color(parse_point(point))


def test_the_other_player_is_asked_and_agrees(played: Three) -> None:
    """The question comes with a click for each answer; yes brings back the position of before."""
    gateway, alice, bob = played
    before = gateway.game()
    assert alice.reply("undo").event == "accepted"
    assert sorted(gateway.told()[-2:]) == [("alice", "undo"), ("bob", "undo")]
    assert said(alice).startswith(
        "You asked to take back D4 (move 3). I'll let you know what Bob says."
    )
    assert said(bob).startswith("Alice asks to take back D4 (move 3).")
    page = bob.read().get_body(("html",)).get_content()  # type: ignore[union-attr]
    for word in ("yes", "no"):
        assert f'body={word}"' in page
    assert gateway.game().revisions == before.revisions
    assert bob.reply("yes").event == "accepted"
    after = gateway.game()
    assert stone(gateway, "D4") is None
    assert after.to_move is Color.BLACK
    assert after.move_number == 2
    assert after.revisions.position == before.revisions.position + 1
    assert said(alice).startswith("Bob agreed. Taken back: D4 (move 3). Your move, Black.")
    assert said(bob).startswith("You agreed. Taken back: D4 (move 3). Alice (Black) is to")
    assert alice.reply("F6").event == "accepted"


def test_no_lets_the_move_stand_and_is_not_asked_twice(played: Three) -> None:
    """Who has been told no for a move cannot ask for the same one again."""
    gateway, alice, bob = played
    alice.reply("take back my last move")
    assert bob.reply("No, sorry!").event == "accepted"
    assert stone(gateway, "D4") is Color.BLACK
    assert said(alice).startswith("Bob said no: D4 (move 3) stays.")
    assert said(bob).startswith("You said no: D4 (move 3) stays. Your move, White.")
    assert alice.reply("undo").event == "refused"
    assert "has already said no, so your last move stands" in said(alice)
    bob.reply("E3")
    alice.reply("G7")
    assert alice.reply("undo").event == "accepted"


@pytest.mark.parametrize("words", ["Of course not", "Certainly not!", "I'd prefer you didn't"])
def test_a_no_in_other_words_is_one(played: Three, words: str) -> None:
    """Bug: it granted the wish, or was passed on while the question stood."""
    gateway, alice, bob = played
    alice.reply("undo")
    bob.reply(words)
    assert stone(gateway, "D4") is Color.BLACK
    assert gateway.game().undo_asked is None


def test_a_move_is_an_answer_too(played: Three) -> None:
    """Whoever plays on lets the move stand, and the question is gone; a late yes does nothing."""
    gateway, alice, bob = played
    alice.reply("undo")
    question = bob.newest()
    assert bob.reply("E3").event == "accepted"
    assert gateway.game().undo_asked is None
    alice.reply("G7")
    alice.reply("undo")
    assert bob.reply("yes", to=question).event == "refused"
    assert stone(gateway, "G7") is Color.BLACK
    assert bob.reply("yes").event == "accepted"
    assert stone(gateway, "G7") is None


def test_letters_about_what_was_taken_back_are_old(played: Three) -> None:
    """Neither player can answer one, though the same position may come about again."""
    _gateway, alice, bob = played
    his_turn = bob.newest()
    alice.reply("undo")
    bob.reply("yes")
    alice.reply("D4")
    assert bob.reply("E3", to=his_turn).event == "refused"
    assert bob.reply("E3").event == "accepted"


def test_who_has_asked_is_not_told_how_to_ask(played: Three) -> None:
    """They wait for the answer."""
    _, alice, _ = played
    assert "reply: undo, resign" in said(alice)
    alice.reply("undo")
    assert "reply: undo, resign" not in said(alice)


def test_the_question_is_in_every_letter_while_it_waits(played: Three) -> None:
    """Who asks for the board, or is sent words, can answer there; who asks twice tells nobody."""
    gateway, alice, bob = played
    alice.reply("undo\nMy mouse slipped, sorry.")
    assert "My mouse slipped" in said(bob)
    letters = len(bob.letters())
    alice.reply("undo")
    assert len(bob.letters()) == letters
    bob.reply("show")
    assert "May Alice take the last move back? Reply: yes or no." in said(bob)
    assert bob.reply("Hm, I must think about that.").event == "accepted"
    assert gateway.game().undo_asked is Color.BLACK
    assert bob.reply("Sure, no problem").event == "accepted"
    assert gateway.game().move_number == 2


def test_it_answers_the_letter_before_the_move() -> None:
    """Who gets no receipts has no newer letter than the one that the move answered."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    gateway.play(alice, bob, "E5 C3")
    alice.reply("receipts off everywhere")
    turn = alice.newest(Kind.YOUR_TURN)
    alice.reply("D4", to=turn)
    assert alice.reply("undo", to=turn).event == "accepted"
    bob.reply("F4")
    assert alice.reply("undo", to=turn).event == "refused"


@pytest.mark.parametrize(
    ("moves", "who", "why"),
    [
        ("", "Alice", "You have no move to take back."),
        ("E5", "Bob", "You have no move to take back."),
        ("E5 C3", "Alice", "Bob has moved since, so your last move stands."),
        ("E5 pass pass", "Bob", "The score is being counted, so no move can be taken back"),
    ],
)
def test_when_nothing_is_taken_back(moves: str, who: str, why: str) -> None:
    """Each refusal says why, and nobody else hears of it."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    gateway.play(alice, bob, moves)
    asker = gateway.person(who)
    told = len(gateway.outbox)
    assert asker.reply("undo").event == "refused"
    assert why in said(asker)
    assert {to for to, _ in gateway.told(told)} == {who.lower()}


def test_nothing_before_a_resumption_is_taken_back() -> None:
    """Passes that stopped play stay passes; the moves after them can be taken back."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    gateway.play(alice, bob, "E5 C3 pass pass")
    alice.reply("resume")
    mover = gateway.game().to_move
    waiting = bob if mover is Color.BLACK else alice
    assert waiting.reply("undo").event == "refused"
    gateway.play(alice, bob, "G7")
    other = alice if waiting is bob else bob
    other.reply("undo")
    waiting.reply("yes")
    game = gateway.game()
    assert (game.phase, game.passes, game.move_number) == (Phase.PLAYING, 0, 4)
    gateway.play(alice, bob, "pass")
    assert gateway.game().phase is Phase.PLAYING


def test_handicap_stones_are_placed_anew() -> None:
    """Black may ask for them back until White has moved."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 handicap 2 rules chinese as black")
    assert alice.reply("undo").event == "refused"
    alice.reply("place C3 G7")
    assert alice.reply("undo").event == "accepted"
    assert said(bob).startswith("Alice asks to take back the handicap stones.")
    bob.reply("yes")
    assert gateway.game().placing == 2
    assert said(alice).startswith("Bob agreed. Taken back: the handicap stones.")
    assert alice.reply("place C7 G3").event == "accepted"


def test_a_program_gives_its_answer_back_too() -> None:
    """Against a program nobody is asked: both moves go, as often as one likes."""
    gateway = Gateway(engines=Roster((Entrant("house"),), games_per_player=3))
    alice = gateway.person("Alice")
    alice.write("new 9x9 as black vs house")
    alice.reply("yes")
    for mine, theirs in (("E5", "C3"), ("D4", "E3")):
        alice.reply(mine)
        answered_by_house(gateway, theirs)
    assert alice.reply("undo").event == "accepted"
    assert said(alice).startswith("Taken back: D4 (move 3) and E3 (move 4). Your move, Black.")
    alice.reply("undo")
    assert gateway.game().move_number == 0
    alice.reply("G5")
    alice.reply("undo")
    assert said(alice).startswith("Taken back: G5 (move 1).")
    assert alice.reply("undo").event == "refused"


def test_a_teacher_asks_nobody() -> None:
    """In a teaching game the last move of either colour goes at once."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, alice)
    alice.reply("E5")
    alice.reply("C3")
    alice.reply("undo")
    assert gateway.game().move_number == 1
    assert said(alice).startswith("Taken back: C3 (move 2). White is to move.")


def test_the_record_says_what_was_taken_back(played: Three) -> None:
    """SGF has the moves that stand, and a comment at the one before says what was taken back."""
    gateway, alice, bob = played
    alice.reply("undo")
    bob.reply("yes")
    alice.reply("F6")
    text = sgf.write(record(gateway.game()))
    moves = ";C[Alice took back: D4]W[cg]WL[864000];B[fd]BL[864000])"
    assert moves in text.replace("\n", "")


@pytest.mark.parametrize(
    "text",
    [
        "can I take back D4, I meant E5",
        "Could you please undo my last move?",
        "Dear Bob,\nMay I take that back? It was a slip of the mouse.",
        "Oops, wrong point. Could I have D4 back and play F4 instead?",
        "Sorry! I'd like to take my last move back, I wanted to play E3.",
    ],
)
def test_a_wish_in_sentences(played: Three, text: str) -> None:
    """Where a letter says nothing else, the other player is asked, and reads none of its words."""
    gateway, alice, bob = played
    assert alice.reply(text).detail == "undo"
    assert gateway.game().undo_asked is Color.BLACK
    assert gateway.game().chat == ()
    assert said(bob).startswith("Alice asks to take back D4 (move 3).")


@pytest.mark.parametrize(
    "text",
    [
        "Can I take that back? Never mind.",
        "How do I undo?",
        "I take that back, sorry.",
        "Please undo my last move. No wait.",
    ],
)
def test_what_may_be_no_wish(played: Three, text: str) -> None:
    """Nobody is asked for what may mean something else; the line that asks is offered."""
    gateway, alice, _ = played
    alice.reply(text)
    assert gateway.game().undo_asked is None
    assert gateway.game().chat == ()


def test_a_wish_that_crossed_a_move(played: Three) -> None:
    """Who asked is told that the move stands, and a late answer is told why it does nothing."""
    gateway, alice, bob = played
    turn = bob.newest(Kind.YOUR_TURN)
    alice.reply("undo")
    question = bob.newest()
    bob.reply("E3", to=turn)
    assert "You asked to take back D4, but Bob moved without answering" in said(alice)
    chat = gateway.game().chat
    for text in ("yes", "Sure, no problem!"):
        assert bob.reply(text, to=question).event == "refused"
        assert said(bob).startswith(
            "You have moved since Alice asked for a move back, so it stands"
        )
    assert gateway.game().chat == chat
    bob.reply("yes")
    assert gateway.game().chat[-1].text == "yes"


@pytest.mark.parametrize(
    ("terms", "reply", "named"),
    [
        ("9x9 handicap 2 rules chinese as black", "place C3 G7", "the handicap stones"),
        ("9x9 as black", "pass", "a pass"),
    ],
)
def test_what_has_lapsed_is_named_in_words(terms: str, reply: str, named: str) -> None:
    """A pass and handicap stones are no points."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, terms)
    alice.reply(reply)
    alice.reply("undo")
    bob.reply("E5", to=bob.newest(Kind.YOUR_TURN))
    assert f"You asked to take back {named}, but Bob moved" in said(alice)


def test_a_no_and_a_move_lapse_nothing(played: Three) -> None:
    """Who was answered is not told that they were not."""
    _, alice, bob = played
    alice.reply("undo")
    bob.reply("no")
    bob.reply("E3")
    assert "You asked" not in said(alice)
