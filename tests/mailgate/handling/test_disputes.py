"""A bound on disputes: after three resumptions the board is counted by area, as it stands."""

from __future__ import annotations

from godaemon.games.model import Phase
from godaemon.records import sgf_read
from godaemon.rules.points import Color
from tests.support.gateway import Gateway, Person

MOVES = "F5 G5 F4 C3 F6 G6 F7 G7 F8 G8 F9 G9 F3 G3 F2 G2 F1 G1 H8 G4"
"""
9  . . . . . X O . .
8  . . . . . X O X .
7  . . + . . X O . .
6  . . . . . X O . .
5  . . . . . X O . .
4  . . . . . X O . .
3  . . O . . X O . .
2  . . . . . X O . .
1  . . . . . X O . .
   A B C D E F G H J   C3 is White's, H8 is Black's
"""


def said(person: Person) -> str:
    """The newest letter as plain words."""
    return " ".join(person.read().get_body(("plain",)).get_content().split())  # type: ignore[union-attr]


def test_after_three_disputes_the_board_counts_as_it_stands() -> None:
    """The letters say so before, with the last resumption and the pass; the table fits it."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    gateway.play(alice, bob, f"{MOVES} pass pass")
    for number in range(3):
        last = "for the last time: then the board is counted by area as it stands" in said(alice)
        assert last == (number == 2)
        assert alice.reply("resume").event == "accepted"
        told = [said(alice), said(bob)]
        assert all(("That was the last time" in one) == (number == 2) for one in told)
        gateway.play(alice, bob, "pass")
        mover = alice if gateway.game().to_move is Color.BLACK else bob
        ends = "One more pass and the game is over, counted by area as the board stands"
        assert (ends in said(mover)) == (number == 2)
        gateway.play(alice, bob, "pass")
    game = gateway.game()
    assert game.phase is Phase.FINISHED
    assert game.result == "W+6.5"  # ten stones each; both areas border on both colours
    assert "After three disputes the board is counted by area, as it stands." in said(alice)
    assert "Stones " in said(alice)
    assert "W+6.5" in said(bob)
    (attached,) = alice.read().iter_attachments()
    assert sgf_read.read(attached.get_content()).result == "W+6.5"


def test_the_result_after_three_disputes_is_that_of_the_area() -> None:
    """Where prisoners and moves passed over make the two counts differ, too.

    5  . X X O O
    4  . . X O .
    3  . X X O .
    2  . X X O .
    1  X X X O .
       A B C D E   by territory White wins by half a point, by area Black by four and a half
    """
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "5x5 as black")
    moves = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 B1 pass B2 pass B3 pass A1 pass B5 pass pass"
    gateway.play(alice, bob, moves)
    for _ in range(3):
        alice.reply("resume")
        gateway.play(alice, bob, "pass pass")
    game = gateway.game()
    assert (game.result, game.score().result) == ("B+4.5", "B+4.5")
    assert "B+4.5" in said(bob)
