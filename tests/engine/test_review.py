"""Reviews of a game: the lead, the mistakes, and better moves."""

from functools import cache

import pytest

from godaemon.engine.network import load_network
from godaemon.engine.review import NAMED, _compare, _worst, review_game
from godaemon.engine.review_result import LookBack, Mistake, format_review, parse_review
from godaemon.errors import Unreadable
from godaemon.rules.points import Color, parse_point
from godaemon.rules.position import Move
from tests.support.boards import played

JAPANESE = "japanese"
pytestmark = pytest.mark.xdist_group("looks back")
"""One process looks, and no other."""


@cache
def look_back(text: str, rules: str) -> LookBack:
    return review_game(load_network(), played(text, rules), 6.5)


GAME = "E5 C3 C7 G3 A1 G7 pass J9 G5"
"""Good moves, but for Black's in the corner and the pass, and White's in the corner."""


@pytest.mark.parametrize("rules", [JAPANESE, "stone-scoring"])
@pytest.mark.slow
def test_moves_that_give_points_away_are_found_under_any_rules(rules: str) -> None:
    """Each mistake has its loss and a better move; a pass without a better move is none."""
    found = look_back(GAME, rules).mistakes
    assert [one.number for one in found] == [5, 8]
    assert all(one.lost > 5 and one.better for one in found)


def test_the_lead_is_blacks_and_goes_where_the_mistakes_are() -> None:
    """One figure before each move and one after the last; Black loses by A1, and gains by J9."""
    leads = look_back(GAME, JAPANESE).leads
    assert len(leads) == len(GAME.split()) + 1
    assert leads[4] - leads[5] > 5
    assert leads[8] - leads[7] > 5


def test_what_was_better_can_be_played() -> None:
    """Each line goes on from the position before the mistake, turn by turn."""
    position = played(GAME)
    for mistake in reversed(look_back(GAME, JAPANESE).mistakes):
        while position.move_number >= mistake.number:
            position.undo()
        color = mistake.move.color
        for point in mistake.better:
            position.play_all([(color, point)])
            color = color.opponent
        for _ in mistake.better:
            position.undo()


def test_the_position_stays_as_it_is() -> None:
    """A review is a look, and no move."""
    position = played("E5 C3 pass", "chinese")
    before = position.copy()
    review_game(load_network(), position, 7)
    assert position == before


def test_passes_that_end_the_game_are_no_mistakes() -> None:
    """However early both stop, the first pass is named, not the second."""
    found = look_back("E5 pass pass", JAPANESE).mistakes
    assert [one.number for one in found] == [2]


def test_a_handicap_is_taken_as_it_is() -> None:
    """Black's stones are worth their points from the beginning, and White moves first."""
    found = review_game(load_network(), played("E5", handicap=4), 0.5)
    assert all(lead > 20 for lead in found.leads)


def mistake(number: int, lost: float, chance: float, better: str = "C3") -> Mistake:
    """A mistake of Black's."""
    return Mistake(number, Move(Color.BLACK, None), lost, chance, (parse_point(better),))


def test_one_place_is_named_once() -> None:
    """If both sides overlook a point for long, the most expensive move is named."""
    mistakes = _worst([mistake(1, 4, 0.1), mistake(3, 9, 0.3), mistake(5, 8, 0.3)])
    assert [one.number for one in mistakes] == [3]


def test_only_relevant_mistakes_are_named() -> None:
    """Neither what is small beside the greatest, nor more than fits a letter; in their order."""
    many = [mistake(number, 9, 0.4, f"{'ABCDEFGH'[number]}4") for number in range(8)]
    assert len(_worst(many)) == NAMED
    mistakes = _worst([mistake(9, 9, 0.4, "D4"), mistake(2, 2, 0.02, "C4"), mistake(4, 6, 0.4)])
    assert [one.number for one in mistakes] == [4, 9]


def test_points_count_for_little_where_the_game_is_decided() -> None:
    """Five that turn an open game outweigh a dozen that turn nothing."""
    assert mistake(1, 5, 0.3).weight > 2 * mistake(1, 12, 0).weight


def test_good_moves_are_named() -> None:
    """How many moves came to mind, of each colour; a pass in a corner's stead did not."""
    expected = look_back(GAME, JAPANESE).expected
    assert expected[Color.BLACK][1] == 5
    assert expected[Color.WHITE][1] == 4
    assert 2 <= expected[Color.BLACK][0] < 5


def test_a_group_that_hangs_on_a_move_is_named() -> None:
    """Black's stones on the left live by A2; Black plays on the right."""
    position = played(
        "E5 E3 C4 E7 C7 D5 D6 E6 D4 F5 C5 F4 G6 F6 G7 H5 E8 F8 F7 D8 G8 E9 C2 E2 G9 H6 H7 B8 "
        "C8 C9 J8 H9 J6 G5 G2 B7 B9 A9 C6 B6 B3 E4 H1 B5 B4 D3 D2 E1"
    )
    elsewhere = Mistake(49, Move(Color.BLACK, parse_point("H3")), 0, 0, ())
    comparison = _compare(load_network(), position, 6.5, elsewhere)
    assert comparison.better[0] == parse_point("A2")
    assert comparison.group == parse_point("B3")
    assert comparison.lost > 10 > comparison.weight


def test_it_goes_from_process_to_process_as_text() -> None:
    """What is written is read back as it was, passes and all."""
    text = format_review(look_back(GAME, JAPANESE))
    assert format_review(parse_review(text)) == text


@pytest.mark.parametrize(
    "text", ["leads x", "", "leads 1\nhello", "leads 1\nchances 0\ngood 3 red D4"]
)
def test_another_programs_nonsense_is_refused(text: str) -> None:
    """An engine of the operator can replace ours."""
    with pytest.raises(Unreadable):
        parse_review(text)
