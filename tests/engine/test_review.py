"""Reviews of a game: the lead, the mistakes, and better moves."""

from functools import cache

import pytest

from godaemon.engine.network import load_network
from godaemon.engine.results import GameReview, Mistake, format_review, parse_review
from godaemon.engine.review import MAX_MISTAKES, _compare, _worst, review_game
from godaemon.errors import Unreadable
from godaemon.rules.points import Color, parse_point
from godaemon.rules.position import Move
from tests.support.boards import played

JAPANESE = "japanese"
pytestmark = pytest.mark.xdist_group("looks back")
"""One process looks, and no other."""


@cache
def look_back(text: str, rules: str) -> GameReview:
    return review_game(load_network(), played(text, rules), 6.5)


GAME = "E5 C3 C7 G3 A1 G7 pass J9 G5"
"""Good moves, but for Black's in the corner and the pass, and White's in the corner."""


@pytest.mark.parametrize(
    ("rules", "moves", "numbers"), [(JAPANESE, GAME, [5, 8]), ("stone-scoring", "E5 C3 A1 G7", [3])]
)
def test_mistakes_are_found_under_any_rules(rules: str, moves: str, numbers: list[int]) -> None:
    """Each mistake has its loss and a better move; a pass without a better move is none."""
    found = look_back(moves, rules).mistakes
    assert [one.number for one in found] == numbers
    assert all(one.lost > 5 and one.better for one in found)


def test_the_lead_changes_at_the_mistakes() -> None:
    """One figure before each move and one after the last; Black loses by A1, and gains by J9."""
    leads = look_back(GAME, JAPANESE).leads
    assert len(leads) == len(GAME.split()) + 1
    assert leads[4] - leads[5] > 5
    assert leads[8] - leads[7] > 5


def test_better_lines_are_legal() -> None:
    """Each continues from the position before the mistake, turn by turn."""
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


def test_the_last_pass_is_no_mistake() -> None:
    """If both pass early, only the first pass is named."""
    found = look_back("E5 pass pass", JAPANESE).mistakes
    assert [one.number for one in found] == [2]


def test_a_handicap_counts_from_the_beginning() -> None:
    """Black leads by the stones' worth; the position stays unchanged."""
    position = played("E5", handicap=4)
    found = review_game(load_network(), position, 0.5)
    assert all(lead > 20 for lead in found.leads)
    assert position == played("E5", handicap=4)


def mistake(number: int, lost: float, chance: float, better: str = "C3") -> Mistake:
    """A mistake of Black's."""
    return Mistake(number, Move(Color.BLACK, None), lost, chance, (parse_point(better),))


def test_a_point_is_named_once() -> None:
    """If both sides overlook a point for long, the most expensive move is named."""
    mistakes = _worst([mistake(1, 4, 0.1), mistake(3, 9, 0.3), mistake(5, 8, 0.3)])
    assert [one.number for one in mistakes] == [3]


def test_only_relevant_mistakes_are_named() -> None:
    """In order of play, without small ones, and no more than fit into an email."""
    many = [mistake(number, 9, 0.4, f"{'ABCDEFGH'[number]}4") for number in range(8)]
    assert len(_worst(many)) == MAX_MISTAKES
    mistakes = _worst([mistake(9, 9, 0.4, "D4"), mistake(2, 2, 0.02, "C4"), mistake(4, 6, 0.4)])
    assert [one.number for one in mistakes] == [4, 9]


def test_mistakes_weigh_little_in_a_decided_game() -> None:
    """Five points that turn an open game outweigh twelve that turn nothing."""
    assert mistake(1, 5, 0.3).weight > 2 * mistake(1, 12, 0).weight


def test_expected_moves_are_counted() -> None:
    """For each colour; the pass and the corner moves were not expected."""
    expected = look_back(GAME, JAPANESE).expected
    assert expected[Color.BLACK][1] == 5
    assert expected[Color.WHITE][1] == 4
    assert 2 <= expected[Color.BLACK][0] < 5


def test_an_endangered_group_is_named() -> None:
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


def test_a_review_is_read_back_as_written() -> None:
    """Also with passes."""
    text = format_review(look_back(GAME, JAPANESE))
    assert format_review(parse_review(text)) == text


@pytest.mark.parametrize(
    "text", ["leads x", "", "leads 1\nhello", "leads 1\nchances 0\ngood 3 red D4"]
)
def test_invalid_reviews_are_refused(text: str) -> None:
    """The operator can replace our engine."""
    with pytest.raises(Unreadable):
        parse_review(text)
