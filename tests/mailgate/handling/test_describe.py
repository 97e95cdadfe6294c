"""`describe` and its parts: the board in words by letter, for who hears it read."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.rules.points import Size, parse_point
from godaemon.texts.catalogue import retold
from tests.support.gateway import Gateway, Person
from tests.support.played_games import PlayedGames, Posted

MOVES = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2"
"""7x5: Black holds the left, White the right, with a lone stone B2."""

D4 = parse_point("D4")


class Talk:
    """A game between Alice, who has black, and Bob; what Alice asks, and what comes of it."""

    def __init__(self, moves: str = MOVES) -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.start(self.alice, self.bob, "7x5 rules japanese as black")
        self.gateway.play(self.alice, self.bob, moves)

    def ask(self, text: str, who: Person | None = None) -> list[tuple[str, str]]:
        """Who is told what when that is written."""
        before = len(self.gateway.outbox)
        (who or self.alice).reply(text)
        return self.gateway.told(before)


def told(moves: str, about: dict[str, object], seat: Seat = Seat.BLACK) -> Posted:
    """The letter that answers, after those moves on a 7x5 board."""
    made = PlayedGames()
    made.start(cmd.Propose("bob@players.example", Size(7, 5)))
    made.play(moves.removesuffix(" resign"))
    if moves.endswith("resign"):
        made.act(Seat.BLACK, cmd.Resign())
    made.letters()
    length = len(made.writer.state.logs[1])
    to = f"{'alice' if seat is Seat.BLACK else 'bob'}@players.example"
    made.owe(Notice(Kind.DESCRIBE, to, to, 1, seat, length, length, "", about))
    (posted,) = made.letters()
    return posted


@pytest.mark.parametrize("text", ["describe", "near C3", "group B2", "row 1", "column G"])
@pytest.mark.parametrize("moves", ["", "C3", MOVES, f"{MOVES} pass pass", f"{MOVES} resign"])
def test_only_the_asker_is_answered_and_nothing_changes(text: str, moves: str) -> None:
    """In every phase it is one letter to who asked, and the game stays as it was."""
    talk = Talk(moves)
    before = talk.gateway.game_now()
    for who, name in ((talk.alice, "alice"), (talk.bob, "bob")):
        assert talk.ask(text, who) == [(name, "describe")]
    assert talk.gateway.game_now().digest == before.digest


def test_it_is_of_the_board_after_the_letter_s_own_move() -> None:
    """`C3` and `near C3` in one letter: the stone is there."""
    talk = Talk("")
    talk.ask("C3\nnear C3")
    (due,) = talk.alice.letters(Kind.DESCRIBE)
    assert due.notice.until == talk.gateway.game_now().length


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("near H3", "H3 is off the"),
        ("row 6", "A6 is off"),
        ("column H", "H1 is off"),
        ("group A9", "A9 is off the"),
    ],
)
def test_a_part_that_this_board_lacks(text: str, part: str) -> None:
    """It is refused in the words in which it was asked, and the whole board offered."""
    talk = Talk()
    assert talk.ask(text) == [("alice", "refused")]
    about = talk.alice.newest().notice.about
    assert "7x5 board" in retold(about["reason"])
    assert part in retold(about["reason"])
    assert about["hints"] == ["describe"]


def test_it_need_not_answer_a_letter_of_ours() -> None:
    """Whoever plays one game and writes afresh hears of that."""
    talk = Talk()
    before = len(talk.gateway.outbox)
    talk.alice.write("near C3")
    assert talk.gateway.told(before) == [("alice", "describe")]


def test_only_one_s_own_games() -> None:
    """The number of somebody else's game is unknown, as it is to `show`."""
    talk = Talk()
    eve = talk.gateway.person("Eve")
    before = len(talk.gateway.outbox)
    eve.write("describe game 1")
    assert ("eve", "describe") not in talk.gateway.told(before)


def test_the_whole_board_read_aloud() -> None:
    """The letter has every stone by row and every chain, no drawing, and what to reply."""
    text = told(MOVES, {"look": "board", "point": ""}).text
    said = " ".join(text.split())
    assert said.startswith("Game 1 in words, after move 14. Your move, Black.")
    assert "Last move: White played B2 (move 14). In atari: White's stone B2" in said
    assert "- Row 2: Black A2; White B2; Black C2; White E2." in said
    assert "Chains by their lowest stones" in said
    assert "- White chain B2, 1 stone: in atari, 1 liberty, B1." in said
    assert "X black" not in text
    assert "To hear more, reply: column B, near B2, group B2, row 2" in said


@pytest.mark.parametrize("moves", [MOVES, f"{MOVES} pass pass"])
def test_nothing_is_said_of_clicking_on_a_board(moves: str) -> None:
    """HTML has no board either, and says what to write instead."""
    html = told(moves, {}).html
    assert "<table" not in html
    assert "click" not in html.casefold()
    assert "body=near%20" in html


def test_a_count_read_aloud() -> None:
    """While the score is counted the letter has the territory and how the count stands."""
    said = " ".join(told(f"{MOVES} pass pass", {}).text.split())
    assert "The game ends when you both agree." in said
    assert said.count("You can also reply: ") == 1
    assert "No stone is marked dead." in said
    assert "Now " in said
    assert "White's territory" in said


@pytest.mark.parametrize(
    ("about", "first", "line"),
    [
        ({"look": "near", "point": "B2"}, "Point B2 in game 1, after move 14.", "- To the left:"),
        ({"look": "group", "point": "B2"}, "Point B2 in game 1", "- Next to it: Black"),
        ({"look": "row", "point": "A2"}, "Row 2 in game 1", "- Row 2, from left to right:"),
        ({"look": "column", "point": "B1"}, "Column B in game 1", "- Column B, from the bottom"),
    ],
)
def test_a_part_read_aloud(about: dict[str, object], first: str, line: str) -> None:
    """The answer is about that part alone, and says of which game and moment it is."""
    text = told(MOVES, about).text
    assert text.startswith(first)
    assert line in text


def test_the_end_of_a_game_can_be_heard() -> None:
    """A finished game is described with its result, and nothing is asked of anybody."""
    said = " ".join(told(f"{MOVES} resign", {}).text.split())
    assert "wins by resignation" in said
    assert "pass" not in said.partition("Reply with")[0]


def test_a_game_that_has_not_begun() -> None:
    """There is no board to tell of, so the terms are told."""
    gateway = Gateway()
    alice, _ = gateway.person("Alice"), gateway.person("Bob")
    alice.write("new 9x9 vs bob@players.example")
    alice.reply("yes")
    before = len(gateway.outbox)
    alice.reply("describe")
    assert gateway.told(before) == [("alice", "describe")]
    assert gateway.game_now().phase is Phase.PROPOSED
