"""The published rulesets side by side: a test for each row in which they differ.

Each holds what the rules do, not only what the table says of them. Where a row needs a longer
game than stands here, `test_rulesets` and `test_position` have it: pass stones make both counts
agree, triple ko, sending two returning one, natural superko.
"""

from __future__ import annotations

import pytest

from godaemon.errors import IllegalMove, Reason
from godaemon.rules import turn_order
from godaemon.rules.handicap import fixed_points, placed
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Position
from godaemon.rules.rulesets import RULESETS, Ruleset
from godaemon.rules.scoring import count, handed_over
from tests.support.boards import board, position

BLACK, WHITE = Color.BLACK, Color.WHITE
NAMES = tuple(RULESETS)
EACH = pytest.mark.parametrize("rules", RULESETS.values(), ids=NAMES)
NINETEEN = Size(19, 19)

TERRITORY = {"japanese", "korean"}
CHINESE = {"chinese", "chinese-superko"}
AGA = {"aga", "bga"}
FREE = {*CHINESE, "new-zealand", "ing"}


def of(rules: Ruleset, groups: dict[str, object], otherwise: object) -> object:
    """What a row says of a ruleset: by its name, or what holds for all others."""
    return groups.get(rules.name, otherwise)


def test_every_ruleset_that_is_asked_for_is_there() -> None:
    """Ten of them."""
    asked = "japanese korean chinese chinese-superko aga bga new-zealand ing tromp-taylor"
    assert set(NAMES) == {*asked.split(), "stone-scoring"}


COUNTED = """
    . X O .
    . X O .
    # X O O
    """


@EACH
def test_row_scoring(rules: Ruleset) -> None:
    """Territory and prisoners, area, or live stones: on a board with a dead stone in it."""
    dead = [Point(0, 0)] if rules.removal else []
    made = board(COUNTED.replace("#", "O"))
    score = count(made, dead, rules, prisoners={BLACK: 3, WHITE: 1}, komi=0)
    totals: dict[str, object] = {
        **dict.fromkeys(TERRITORY, (3 + 1 + 3, 2 + 1)),
        "tromp-taylor": (3, 4 + 1 + 2),  # nothing is taken off: the left side touches both
        "stone-scoring": (3, 4),
    }
    assert (score.black.total, score.white.total) == of(rules, totals, (3 + 3, 4 + 2))


@EACH
def test_row_komi(rules: Ruleset) -> None:
    """6.5 by territory, 7.5 by area (Ing's 8 of which Black wins ties), New Zealand's 7."""
    komi = {**dict.fromkeys(TERRITORY, 6.5), "new-zealand": 7.0}
    assert rules.komi_for(NINETEEN) == of(rules, dict(komi), 7.5)
    assert rules.komi_for(NINETEEN, 4) == of(rules, {"new-zealand": 0.0}, 0.5)


def test_row_komi_ing_gives_ties_to_black() -> None:
    """Eight points ahead on the board is a tie by Ing's komi, and Black's."""
    made = board("X X X X X X X X O")
    for lead, result in (("X X X X X X X X O", "W+0.5"), ("X X X X X X X X .", "B+1.5")):
        made = board(lead)
        score = count(made, (), RULESETS["ing"], prisoners={BLACK: 0, WHITE: 0}, komi=7.5)
        assert score.result == result
    eight = board("X X X X X X X X X O")
    score = count(eight, (), RULESETS["ing"], prisoners={BLACK: 0, WHITE: 0}, komi=7.5)
    assert score.result == "B+0.5"


@EACH
def test_row_handicap_points_to_white(rules: Ruleset) -> None:
    """N by Chinese rules, N-1 by AGA and BGA where area is counted, else none."""
    game = Position(NINETEEN, rules, fixed_points(NINETEEN, 5))
    score = count(game.board, (), rules, prisoners=game.prisoners, komi=0.5, handicap=5)
    points = {**dict.fromkeys(CHINESE, 5), **dict.fromkeys(AGA, 4)}
    assert score.white.bonus == 0.5 + int(str(of(rules, dict(points), 0)))


@EACH
def test_row_handicap_placing(rules: Ruleset) -> None:
    """Chinese, New Zealand and Ing let Black choose; elsewhere the stones have their points."""
    chosen = (Point(0, 0), Point(10, 10))
    free = rules.name in FREE
    if free:
        assert placed(NINETEEN, rules, 2, chosen) == chosen
    else:
        with pytest.raises(Exception, match="stand on D4 Q16"):
            placed(NINETEEN, rules, 2, chosen)


@EACH
def test_row_white_moves_first_after_a_handicap(rules: Ruleset) -> None:
    """Two stones or more are set up, and then it is White's turn."""
    assert Position(NINETEEN, rules, fixed_points(NINETEEN, 2)).to_move is WHITE
    assert Position(NINETEEN, rules).to_move is BLACK


KO = """
    . X O . .
    X O . O .
    . X O . .
    . . . . .
    """


@EACH
def test_row_ko(rules: Ruleset) -> None:
    """What each forbids: at once, after two passes, and after one pass and a move elsewhere."""
    retake = parse_point("B3")

    def why(passes: int) -> Reason | None:
        game = position(KO, rules)
        game.play(BLACK, parse_point("C3"))
        for _ in range(passes):
            game.pass_(game.to_move)
        try:
            game.dry_run(WHITE, retake)
        except IllegalMove as refusal:
            return refusal.reason
        return None

    simple = {*TERRITORY, "chinese", "stone-scoring"}
    assert why(0) is Reason.KO
    # Natural and situational alike: White would make what stood before Black's capture, by a stone
    assert why(2) is (None if rules.name in simple else Reason.SUPERKO)


@EACH
def test_row_suicide(rules: Ruleset) -> None:
    """Several stones by New Zealand, Ing and Tromp-Taylor; a single one by none."""
    many = position("X . O\nX O .\nO O .", rules)
    legal = rules.name in {"new-zealand", "ing", "tromp-taylor"}
    assert many.is_legal(BLACK, parse_point("B3")) is legal
    assert not position(". O\nO .", rules).is_legal(BLACK, parse_point("A2"))


AN_EYE_EACH = """
    . X . O . O X .
    X X O O O O X .
    O O X X X X X X
    . O O X . . . .
    O . O X X . . .
    """


@EACH
def test_row_points_in_seki(rules: Ruleset) -> None:
    """Eyes of groups in seki count by area, and not by Japanese and Korean rules (art. 8)."""
    score = count(board(AN_EYE_EACH), (), rules, prisoners={BLACK: 0, WHITE: 0}, komi=0)
    totals: dict[str, object] = {**dict.fromkeys(TERRITORY, (9, 2)), "stone-scoring": (14, 12)}
    assert (score.black.total, score.white.total) == of(rules, totals, (24, 15))


@EACH
def test_row_pass_stones(rules: Ruleset) -> None:
    """By AGA and BGA rules a pass costs a stone, and White owes one more where Black was last."""
    for first, handed in ((BLACK, (1, 1)), (WHITE, (2, 1))):
        game = Position(Size(3, 3), rules)
        game.play(BLACK, parse_point("B2"))
        game.pass_(first)
        game.pass_(first.opponent)
        got = handed_over(game.moves, rules)
        want = handed if rules.name in AGA else (0, 0)
        assert (got[BLACK], got[WHITE]) == want


@EACH
def test_row_how_play_stops(rules: Ruleset) -> None:
    """Two passes stop it; by Tromp-Taylor they end it, and nothing is taken off."""
    game = Position(Size(3, 3), rules)
    game.pass_(BLACK)
    assert not turn_order.stopped(game)
    game.pass_(WHITE)
    assert turn_order.stopped(game)
    assert turn_order.settled(game) is (rules.name == "tromp-taylor")


@EACH
def test_row_dispute_who_resumes(rules: Ruleset) -> None:
    """Japanese and Korean: the opponent of who asks (9.3); else of the last to pass."""
    game = Position(Size(3, 3), rules)
    game.pass_(BLACK)
    game.pass_(WHITE)
    for asker in Color:
        want = asker.opponent if rules.name in TERRITORY else BLACK
        assert turn_order.first_after(game, asker) is want


@EACH
def test_row_dispute_four_passes(rules: Ruleset) -> None:
    """AGA, BGA and Ing: two passes more leave every stone alive, and the game is over."""
    game = Position(Size(3, 3), rules)
    for _ in range(2):
        game.pass_(BLACK)
        game.pass_(WHITE)
    ends = {*AGA, "ing", "tromp-taylor"}
    assert turn_order.settled(game) is (rules.name in ends)


@EACH
def test_row_no_result_after_a_long_cycle(rules: Ruleset) -> None:
    """Where a plain ko is all that is forbidden the players may agree on it (art. 12)."""
    assert rules.long_cycle is (rules.name in {*TERRITORY, "chinese", "stone-scoring"})


@EACH
def test_row_a_tie_is_a_tie(rules: Ruleset) -> None:
    """Jigo is nobody's win under any of them (a program of old gave it to White)."""
    score = count(board("X . O\nX . O"), (), rules, prisoners={BLACK: 2, WHITE: 2}, komi=0)
    assert (score.margin, score.result) == (0, "0")
