"""Counting step by step, on boards that can be looked at (godaemon/README.md)."""

from __future__ import annotations

import pytest

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Phase
from godaemon.rules.points import Color, parse_point
from tests.support import boards
from tests.support.logs import B, Log, W, alive, begun, counting, dead, move, proposal

INVADED = """
    . X . X O . .
    X . . X O . O
    . X X X O O .
    X . . X O . .
    . O . X O . X
    . . . X O . .
    . O . X O . .
"""
"""White has two lone stones in Black's area, Black one in White's."""


def marked(log: Log) -> str:
    """The dead stones by name, sorted."""
    return " ".join(sorted(map(str, log.game.dead)))


class TestMarks:
    """`dead` and `alive` set whole groups."""

    def test_flood(self) -> None:
        """One stone names all that no live stone of the other colour fences off from it."""
        log = counting(INVADED)
        log.do(B, dead("B1"))
        assert marked(log) == "B1 B3"

    def test_two_stones_of_a_group(self) -> None:
        """Naming both is harmless: the mark sets, and does not toggle."""
        log = counting(INVADED)
        log.do(B, dead("B1 B3"))
        assert marked(log) == "B1 B3"
        assert log.do(W, dead("B3")) == ()

    def test_only_the_chain(self) -> None:
        """`only` takes the chain that is named and no other."""
        log = counting(INVADED)
        log.do(B, dead("B1", cmd.Extent.CHAIN))
        assert marked(log) == "B1"

    def test_alive_again(self) -> None:
        """`alive` takes a mark back, whole or by the chain."""
        log = counting(INVADED)
        log.do(B, dead("B1"))
        log.do(W, alive("B3", cmd.Extent.CHAIN))
        assert marked(log) == "B1"
        log.do(W, alive("B1"))
        assert marked(log) == ""

    def test_order_of_the_event(self) -> None:
        """The event names the stones that changed, in the order of the board."""
        log = counting(INVADED)
        log.do(B, dead("B3", cmd.Extent.CHAIN))
        assert log.do(B, dead("B1 G3")) == (ev.Marked("black", ("B1", "G3"), dead=True),)

    def test_either_may_mark_either(self) -> None:
        """One's own stones and the opponent's."""
        log = counting(INVADED)
        log.do(B, dead("G3"))
        log.do(W, dead("B1"))
        assert marked(log) == "B1 B3 G3"

    def test_last_live_stone_is_asked_about(self) -> None:
        """A flood that would leave a colour nothing is answered with the choice."""
        log = counting(
            """
            . . . . .
            . X . X .
            . . . . .
            . O . O .
            . . . . .
            """
        )
        with pytest.raises(Refusal) as caught:
            log.do(B, dead("B2"))
        assert "Nothing parts B2 from the stone D2" in caught.value.public
        assert "every White stone" in caught.value.public
        assert caught.value.hints == ("dead B2 only", "dead B2 all")
        assert marked(log) == ""
        log.do(B, dead("B2", cmd.Extent.CHAIN))
        assert marked(log) == "B2"

    def test_all(self) -> None:
        """Who means all of them can say so, once and again."""
        log = counting(INVADED)
        log.do(B, dead("B1", cmd.Extent.ALL))
        assert marked(log) == "B1 B3"
        whole = counting(". X . \n . . . \n . O .")
        whole.do(B, dead("B1", cmd.Extent.ALL))
        assert marked(whole) == "B1"
        assert whole.do(B, dead("B1")) == ()
        assert whole.do(B, dead("B1", cmd.Extent.ALL)) == ()

    def test_two_groups_that_are_the_last_together(self) -> None:
        """The choice is asked where the second of two marks would leave nothing, too."""
        log = counting(
            """
            O . X X . O
            . X . . X .
            """
        )
        log.do(B, dead("A2", cmd.Extent.CHAIN))
        with pytest.raises(Refusal, match="every White stone") as caught:
            log.do(B, dead("F2"))
        assert caught.value.hints == ("dead F2 all",)


class TestAgreement:
    """`done` from both to one board ends the game."""

    def test_both(self) -> None:
        """The second done finishes it, with the counts."""
        log = counting(INVADED)
        log.do(B, dead("B1 G3"))
        log.do(W, cmd.Done())
        assert not log.game.phase.over
        events = log.do(B, cmd.Done())
        assert [type(event) for event in events] == [ev.Agreed, ev.Finished]
        assert log.game.phase.over

    def test_done_twice(self) -> None:
        """Saying it again changes nothing."""
        log = counting(INVADED)
        log.do(W, cmd.Done())
        assert log.do(W, cmd.Done()) == ()

    @pytest.mark.parametrize("mark", [dead("G3"), alive("B1")])
    def test_any_change_clears_both(self, mark: cmd.Mark) -> None:
        """A mark that changes something, by whomever, asks both again."""
        log = counting(INVADED)
        log.do(B, dead("B1"))
        log.do(W, cmd.Done())
        log.do(W, mark)
        assert log.game.agreed == {}

    def test_boards_that_differ(self) -> None:
        """Two different strings are a fault of ours: both are cleared, and the game goes on."""
        log = counting(INVADED)
        log.do(W, cmd.Done())
        log.event(ev.Agreed("white", "another board"))
        events = log.do(B, cmd.Done())
        assert [type(event) for event in events] == [ev.Agreed, ev.Disagreed]
        assert log.game.agreed == {}
        assert not log.game.phase.over
        log.do(B, cmd.Done())
        log.do(W, cmd.Done())
        assert log.game.phase.over

    def test_board_string(self) -> None:
        """Seven states a point, the top row first."""
        log = counting(INVADED)
        log.do(B, dead("B1 G3"))
        log.do(B, cmd.Done())
        assert log.game.agreed[Color.BLACK].split("/") == [
            "BbBbwWW",
            "bBBbwWw",
            "BbbbwwW",
            "bBBbwWW",
            "BxBbwWc",
            "BBBbwWW",
            "BxBbwWW",
        ]


class TestResume:
    """Back to playing: who moves first is the ruleset's business."""

    @pytest.mark.parametrize(
        ("rules", "seat", "first"),
        [
            ("japanese", B, Color.WHITE),
            ("japanese", W, Color.BLACK),
            ("chinese", B, Color.BLACK),
            ("chinese", W, Color.BLACK),
            ("aga", W, Color.BLACK),
        ],
    )
    def test_who_moves(self, rules: str, seat: object, first: Color) -> None:
        """Japanese rules: the opponent of who asks; others: whoever's turn it would have been."""
        log = begun(proposal(rules=rules), "D4 E5 pass pass")
        log.do(B if seat is B else W, cmd.Resume())
        assert log.game.phase is Phase.PLAYING
        assert log.game.to_move is first

    def test_what_is_kept(self) -> None:
        """History, prisoners and ko stay; marks, agreement and passes do not."""
        log = begun(moves="B2 C2 A1 D1 C1 B1 pass pass")
        assert log.game.position.prisoners[Color.WHITE] == 1
        log.do(B, dead("D1", cmd.Extent.CHAIN))
        log.do(B, cmd.Done())
        log.do(W, cmd.Resume())
        game = log.game
        assert game.position.prisoners[Color.WHITE] == 1
        assert game.move_number == 8
        assert (game.dead, game.agreed, game.passes) == (frozenset(), {}, 0)
        log.play("pass")
        assert log.game.phase is Phase.PLAYING

    def test_superko_outlives_it(self) -> None:
        """A position from before the count may not come back after it."""
        log = begun(proposal(rules="chinese-superko"), "B2 C2 A1 D1 C1 B1 pass pass")
        log.do(W, cmd.Resume())
        with pytest.raises(Refusal, match="would bring the board back"):
            log.do(B, move("C1"))


class TestResult:
    """Both ways of counting, with komi, prisoners and compensation."""

    @pytest.mark.parametrize(
        ("rules", "komi", "result"),
        [
            # Black has 16 points and 2 dead white stones, White 12 points and 1 dead black stone.
            ("japanese", 0.5, "B+4.5"),
            ("japanese", 5.0, "0"),
            ("japanese", 6.5, "W+1.5"),
            # Four columns of seven are Black's, three White's.
            ("chinese", 0.5, "B+6.5"),
            ("chinese", 7.0, "0"),
            ("aga", 7.5, "W+0.5"),
        ],
    )
    def test_komi(self, rules: str, komi: float, result: str) -> None:
        """The same board under territory and area rules; a tie is `0`."""
        log = counting(INVADED, rules, komi=komi)
        log.do(B, dead("B1 G3"))
        log.do(B, cmd.Done())
        log.do(W, cmd.Done())
        assert log.game.result == result

    def test_prisoners_count_under_territory_rules(self) -> None:
        """A stone taken during the game is a point there, and nothing under area rules."""
        scores = {
            rules: begun(proposal(rules=rules, komi=0), "B1 A1 A2 pass pass").game.score()
            for rules in ("japanese", "chinese")
        }
        assert scores["japanese"].black.prisoners == 1
        assert scores["chinese"].black.prisoners == 0

    @pytest.mark.parametrize(
        ("rules", "bonus"), [("japanese", 0.5), ("chinese", 3.5), ("aga", 2.5)]
    )
    def test_handicap_compensation(self, rules: str, bonus: float) -> None:
        """Area rules give White points for Black's handicap stones, each its own way."""
        log = begun(proposal(rules=rules, komi=0.5, handicap=3), "E5 pass pass")
        assert log.game.score().white.bonus == bonus

    def test_empty_board(self) -> None:
        """Nobody's points are nobody's: komi decides."""
        log = begun(proposal(komi=6.5), "pass pass")
        log.do(B, cmd.Done())
        log.do(W, cmd.Done())
        assert log.game.result == "W+6.5"

    def test_diagram_is_what_was_played(self) -> None:
        """The boards above came about by playing them."""
        log = counting(INVADED)
        assert boards.drawn(log.game.position.board) == boards.lines(INVADED)
        assert parse_point("B1") not in log.game.dead


class TestSettled:
    """What ends a game without a word of agreement."""

    @pytest.mark.parametrize("rules", ["aga", "bga", "ing"])
    def test_four_passes(self, rules: str) -> None:
        """Stopped, marked, resumed and stopped again: every stone is alive, and the game over."""
        log = begun(proposal(rules=rules, komi=0.5), "B2 C2 pass pass")
        log.do(B, dead("C2", cmd.Extent.CHAIN))
        log.do(W, cmd.Resume())
        log.play("pass")
        assert log.game.phase is Phase.PLAYING
        log.play("pass")
        game = log.game
        assert (game.phase, game.result, game.dead) == (Phase.FINISHED, "W+0.5", frozenset())
        assert game.rows()[-2][1:3] == "bw"

    def test_a_stone_breaks_the_row(self) -> None:
        """Who played on is counted as at first."""
        log = begun(proposal(rules="aga"), "B2 C2 pass pass")
        log.do(W, cmd.Resume())
        log.play("E5 pass pass")
        assert log.game.phase is Phase.SCORING

    def test_nothing_is_taken_off_under_tromp_taylor(self) -> None:
        """Two passes are the end of it."""
        log = begun(proposal(rules="tromp-taylor", komi=0.5), "B2 pass pass")
        assert (log.game.phase, log.game.result) == (Phase.FINISHED, "B+80.5")

    def test_what_is_changed_in_the_rules_counts(self) -> None:
        """Three passes stop play where the players agreed on three."""
        log = begun(proposal(rules="japanese passes=3"), "B2 pass pass")
        phases = [log.game.phase]
        log.play("pass")
        phases.append(log.game.phase)
        assert phases == [Phase.PLAYING, Phase.SCORING]
