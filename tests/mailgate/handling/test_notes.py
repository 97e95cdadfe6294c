"""What a player keeps and looks at: notes, words until the end, history, dry runs, branches."""

from __future__ import annotations

import pytest

from godaemon.games.views import record
from godaemon.records import sgf
from godaemon.rules.points import Color
from tests.support.gateway import Gateway, Person

Three = tuple[Gateway, Person, Person]


@pytest.fixture
def played() -> Three:
    """Alice (Black) has played E5 and Bob C3; it is her turn."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    gateway.play(alice, bob, "E5 C3")
    return gateway, alice, bob


def said(person: Person) -> str:
    """The newest letter as plain words."""
    return " ".join(person.read().get_body(("plain",)).get_content().split())  # type: ignore[union-attr]


def attached(person: Person) -> str:
    """The record in the newest letter."""
    (found,) = person.read().iter_attachments()
    return str(found.get_content())


def test_a_note_is_its_writers_alone(played: Three) -> None:
    """All below it is of it; it is in her record and her history, and in nothing of his, ever."""
    gateway, alice, bob = played
    assert alice.reply("note The left is WEAKISH\n\nand so is the corner").event == "accepted"
    assert said(alice).startswith("I've kept your note in game 1. Only you ever see it.")
    assert "> The left is WEAKISH > and so is the corner" in said(alice)
    letters = len(bob.letters())
    alice.reply("D4\nnote WEAKISH still")
    assert said(alice).startswith("You played D4 (move 3). I've kept your note in game 1. Only you")
    assert len(bob.letters()) == letters + 1
    for asked in ("show", "sgf", "history", "kifu", "show 2", "games"):
        bob.reply(asked)
        assert b"WEAKISH" not in bob.read().as_bytes()
    alice.reply("history")
    assert "> 2. White C3 > – You noted: The left is WEAKISH and so is the corner" in said(alice)
    alice.reply("sgf")
    assert "Alice noted: The left is WEAKISH" in attached(alice)
    bob.reply("show")
    bob.reply("resign")
    for letter in (bob.read().as_bytes(), attached(bob).encode()):
        assert b"WEAKISH" not in letter
    assert "WEAKISH" in attached(alice)
    assert "WEAKISH" not in sgf.write(record(gateway.game(), reader=Color.WHITE))
    assert "WEAKISH" not in sgf.write(record(gateway.game()))


def test_a_note_stands_where_it_was_written(played: Three) -> None:
    """Above a move it is of the board before that: its letter, history and record agree."""
    _, alice, _ = played
    alice.reply("note ABOVE\nD4\nnote BELOW")
    assert "You noted after move 2: > ABOVE" in said(alice)
    assert "You noted after move 3: > BELOW" in said(alice)
    alice.reply("history")
    order = "> 2. White C3 > – You noted: ABOVE > 3. Black D4 > – You noted: BELOW"
    assert order in said(alice)
    alice.reply("sgf")
    assert attached(alice).index("ABOVE") < attached(alice).index("B[df]")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "no\nprivate: WEAKISH",
            "2: note WEAKISH",
            "game 2 note: WEAKISH",
            "yes\n- note: WEAKISH",
        ),
        *(
            "rematch\nThanks!\nnote: WEAKISH",
            "rematch\n* note WEAKISH",
            "new 9x9 vs Bob\n2: note WEAKISH",
        ),
    ],
)
def test_what_is_for_oneself_reaches_nobody_else(text: str, played: Three) -> None:
    """However its line begins, and whatever stands above it; who wrote it hears so."""
    gateway, alice, bob = played
    bob.reply("resign")
    letters = len(alice.letters())
    alice.reply(text)
    assert len(alice.letters()) > letters
    assert "WEAKISH" not in repr(gateway.writer.state.logs)
    assert not any(b"WEAKISH" in bob.read(due).as_bytes() for due in bob.letters())


def test_an_invitation_accepted_in_words_holds_a_note_back() -> None:
    """The yes counts, and the other player does not read the note."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write(f"new 9x9 as white vs {bob.address}")
    alice.reply("yes")
    bob.reply("Sure, I'd love to play!\nnote: she is WEAKISH", to=bob.newest())
    assert gateway.game().black
    assert not any(b"WEAKISH" in alice.read(due).as_bytes() for due in alice.letters())


def test_a_note_beside_hidden_words(played: Three) -> None:
    """It is said of each who will see it."""
    _, alice, _ = played
    alice.reply("note watch the left\nhidden: I feel lost")
    sees = "Bob sees only what you hid, and only once the game is over."
    assert said(alice).startswith(f"I've kept your note in game 1. {sees}")


def test_hidden_words_are_shown_at_the_end(played: Three) -> None:
    """Not before; then in both letters and both records."""
    _, alice, bob = played
    alice.reply("hidden I am LOSINGISH")
    assert "Bob sees it once the game is over" in said(alice)
    alice.reply("D4")
    for asked in ("show", "sgf", "history"):
        bob.reply(asked)
        assert b"LOSINGISH" not in bob.read().as_bytes()
    bob.reply("resign")
    for person in (alice, bob):
        assert "LOSINGISH" in attached(person)
    assert "Hidden until now: > Alice, move 2: I am LOSINGISH" in said(bob)
    bob.reply("history")
    assert "– Alice noted: I am LOSINGISH" in said(bob)


def test_the_history_has_moves_talk_and_what_was_taken_back(played: Three) -> None:
    """Each at its move."""
    _, alice, bob = played
    alice.reply("D4\nThis is joseki.")
    alice.reply("undo")
    bob.reply("yes")
    alice.reply("history")
    assert "> 1. Black E5 > 2. White C3 > – You took back: D4" in said(alice)
    alice.reply("G7")
    bob.reply("history")
    assert "> – Alice took back: D4 > 3. Black G7 > – Alice wrote: This is joseki." in said(bob)


def test_a_long_history_comes_page_by_page() -> None:
    """The newest page first, with a click for the one before."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "13x13 as black")
    points = [f"{column}{row}" for row in (1, 3, 5, 7, 9) for column in "ABCDEFGHJKL"]
    gateway.play(alice, bob, " ".join(points))
    bob.reply("history")
    assert "Page 2 of 2: > 51. Black G9" in said(bob)
    assert "Reply with: history 1" in said(bob)
    bob.reply("history 1")
    assert "Page 1 of 2: > 1. Black A1" in said(bob)
    assert "> 50. White F9 " in said(bob)


def test_a_dry_run_shows_the_board_and_tells_nobody(played: Three) -> None:
    """By turns from here; what could not be played is refused."""
    gateway, alice, bob = played
    letters = len(bob.letters())
    alice.reply("try D3 G7 C4 H8 B3 J9 C2")
    assert said(alice).startswith("Game 1 as it would be after D3 then G7 then C4 then")
    assert "Black would have taken 1 stone." in said(alice)
    assert gateway.game().move_number == 2
    assert len(bob.letters()) == letters
    assert alice.reply("try D3 C3").event == "refused"
    assert "I tried D3, C3: There is already a stone on C3." in said(alice)
    assert alice.reply("Nice try!").event == "accepted"


def test_a_suicide_that_is_tried_or_planned_is_no_last_stone() -> None:
    """It has taken itself off, so that nothing stands where a mark would be."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 new-zealand as black")
    gateway.play(alice, bob, "A2 A1 B2 E5 C1")
    bob.reply("try B1")
    assert "Black would have taken 2 stones." in said(bob)
    assert "1 . . X" in said(bob)
    bob.reply("G7")
    bob.reply("if D4 then B1")
    assert "The board after D4, B1:" in said(bob)
    assert "(.)" not in said(bob)


def test_a_branch_is_a_game_of_ones_own(played: Three) -> None:
    """From after a move, or from here, by the same rules; nobody else is told."""
    gateway, alice, bob = played
    letters = len(bob.letters())
    assert alice.reply("branch 1").event == "accepted"
    game = gateway.game(2)
    assert game.spec.teaching
    assert (game.move_number, game.to_move, game.spec.komi) == (1, Color.WHITE, 6.5)
    alice.reply("G7")
    assert gateway.game(2).move_number == 2
    assert len(bob.letters()) == letters
    assert bob.reply("branch 9").event == "refused"
    assert "there is no move 9" in said(bob)


def test_a_branch_beside_a_move_begins_after_it(played: Three) -> None:
    """The letter's own move counts among those that were made."""
    gateway, alice, _ = played
    assert alice.reply("D4\nbranch").event == "accepted"
    assert (gateway.game(1).move_number, gateway.game(2).move_number) == (3, 3)


PRIVATE = (
    "Just a private note for myself, please don't show Bob: WEAKISH",
    "For my eyes only: I think his corner is WEAKISH.",
    "The corner is WEAKISH. Please keep this as a note to myself.",
    "I don't want Bob to see this but his corner is WEAKISH",
    "For my own records only: WEAKISH; invade at G7 later.",
    "my plan is to cut the WEAKISH corner, dont tell bob",
    "A reminder to myself: the left is WEAKISH",
    "I will cut the WEAKISH stones, but he must not know",
    "Keep this secret: WEAKISH",
    "please do not show Bob: my group is WEAKISH",
)


@pytest.mark.parametrize("above", ["", "D4\n"])
@pytest.mark.parametrize("words", PRIVATE)
def test_private_words_are_told_to_nobody(played: Three, words: str, above: str) -> None:
    """However they say that they are private; a `note:` before them keeps them."""
    gateway, alice, bob = played
    alice.reply(above + words)
    assert "hasn't seen your words" in said(alice)
    assert gateway.game().move_number == (3 if above else 2)
    for due in bob.letters():
        assert b"WEAKISH" not in bytes(bob.read(due))
    alice.reply(f"note: {words}")
    assert "I've kept your note" in said(alice)


def test_private_words_are_offered_as_a_note(played: Three) -> None:
    """With all that they say, in one click."""
    _, alice, _ = played
    alice.reply(PRIVATE[0])
    assert f"Reply with: note: {PRIVATE[0][:40]}" in said(alice)


@pytest.mark.parametrize(
    "words",
    [
        *("Don't tell me you saw that!", "I noted your comments on my last move."),
        *("I don't want you to lose.", "It cannot stay like this", "I had a secret hope"),
        *("Keep your secret!", "My wife never tells me"),
    ],
)
def test_talk_of_secrets_is_talk(played: Three, words: str) -> None:
    """Passed on, as any other."""
    _, alice, bob = played
    alice.reply(f"D4\n{words}")
    assert words in said(bob)
