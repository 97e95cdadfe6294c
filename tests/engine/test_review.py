"""The look back on a game: who led, what lost points, and what was better."""

from __future__ import annotations

import pytest

from godaemon.engine import review as looking_back
from godaemon.engine.look_back import LookBack, Mistake, read, written
from godaemon.engine.network_file import load
from godaemon.engine.review import review
from godaemon.errors import Unreadable
from godaemon.rules.points import Color, Size, parse_point
from godaemon.rules.position import Move, Position
from godaemon.rules.rulesets import RULESETS


def played(text: str, rules: str = "japanese") -> Position:
    """A game on 9x9, Black first."""
    position = Position(Size(9, 9), RULESETS[rules])
    for word in text.split():
        color = position.to_move
        position.play_all([(color, None if word == "pass" else parse_point(word))])
    return position


def look_back(text: str, rules: str = "japanese") -> LookBack:
    """What is said of a game."""
    return review(load(), played(text, rules), 6.5)


GAME = "E5 C3 C7 G3 A1 G7 pass J9 G5"
"""Good moves, but for Black's in the corner and the pass, and White's in the corner."""


@pytest.mark.parametrize("rules", ["japanese", "chinese", "stone-scoring"])
def test_moves_that_give_points_away_are_found_under_any_rules(rules: str) -> None:
    """Each is named with its number, its loss and something better; the good ones are not."""
    found = look_back(GAME, rules=rules).mistakes
    assert [one.number for one in found] == [5, 7, 8]
    assert all(one.lost > 5 and len(one.better) > 1 for one in found)


def test_the_lead_is_blacks_and_goes_where_the_mistakes_are() -> None:
    """One figure before each move and one after the last; Black loses by A1, and gains by J9."""
    leads = look_back(GAME).leads
    assert len(leads) == len(GAME.split()) + 1
    assert leads[4] - leads[5] > 5
    assert leads[8] - leads[7] > 5


def test_what_was_better_can_be_played() -> None:
    """Each line goes on from the position before the mistake, turn by turn."""
    position = played(GAME)
    for mistake in reversed(review(load(), position, 6.5).mistakes):
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
    position = played(GAME, "chinese")
    before = position.copy()
    review(load(), position, 7)
    assert position == before


def test_passes_that_end_the_game_are_no_mistakes() -> None:
    """However early both stop: whoever passed first is told, and not who agreed to it."""
    found = look_back("E5 pass pass").mistakes
    assert [one.number for one in found] == [2]


def test_a_handicap_is_taken_as_it_is() -> None:
    """Black's stones are worth their points from the beginning, and White moves first."""
    corners = [parse_point(name) for name in ("C3", "G7", "G3", "C7")]
    position = Position(Size(9, 9), RULESETS["japanese"], corners)
    position.play(Color.WHITE, parse_point("E5"))
    found = review(load(), position, 0.5)
    assert all(lead > 20 for lead in found.leads)


def test_one_place_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both sides overlook a point for long, it is told of the move that it cost most."""
    worst = [Mistake(at, Move(Color.BLACK, None), 9 - at, (None,)) for at in range(1, 5)]
    monkeypatch.setattr(looking_back, "_losses", lambda *_: worst)
    monkeypatch.setattr(looking_back, "_followed", lambda *_: worst)
    told = look_back("E5").mistakes
    assert [(one.number, one.better) for one in told] == [(1, (None,)), (2, ()), (3, ()), (4, ())]


def test_as_many_are_named_as_fit_a_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worst; the others are there without what was better, to be counted."""
    monkeypatch.setattr(looking_back, "NAMED", 1)
    named = [one.number for one in look_back(GAME).mistakes if one.better]
    assert len(named) == 1
    assert len(look_back(GAME).mistakes) == 3


def test_it_goes_from_process_to_process_as_text() -> None:
    """What is written is read back as it was, passes and all."""
    text = written(look_back(GAME))
    assert written(read(text)) == text


@pytest.mark.parametrize("text", ["leads x", "leads 1\nhello", "leads 1\n3 red D4 5.0 C3"])
def test_another_programs_nonsense_is_refused(text: str) -> None:
    """A program of the operator's own may stand in for ours."""
    with pytest.raises(Unreadable):
        read(text)
