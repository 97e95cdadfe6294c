"""How long a move may take by each time system, and what is left after moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.rules.points import Color
from gtp.board.time_settings import LAG, SHARE, RemainingTime, Timekeeper, TimeLimits

BLACK, WHITE = Color.BLACK, Color.WHITE


def allowed(
    limits: TimeLimits | None, *, empty: int = 361, left: RemainingTime | None = None
) -> float | None:
    """What Black's next move may take, rid of the allowance for its way."""
    keeper = Timekeeper()
    keeper.set_limits(limits)
    if left is not None:
        keeper.set_left(BLACK, left)
    seconds = keeper.seconds_for_move(BLACK, empty)
    return None if seconds is None else round((seconds + LAG) / SHARE, 3)


@pytest.mark.parametrize(
    ("limits", "left", "seconds"),
    [
        (None, None, None),
        (None, RemainingTime(108), 1.0),
        (TimeLimits(1080), None, 10.0),
        (TimeLimits(1080), RemainingTime(108), 1.0),
        (TimeLimits(1080, 30, 5), RemainingTime(108), 6.0),
        (TimeLimits(1080, added=15), RemainingTime(108), 15.0),
        (TimeLimits(1080, added=15), RemainingTime(12), 12.0),
        (TimeLimits(1080, added=15, longest=9), RemainingTime(108), 9.0),
        (TimeLimits(1080, 30, 5, periods=True), RemainingTime(108), 30.0),
        (TimeLimits(1080, 30, 5, periods=True), RemainingTime(12), 12.0),
        (TimeLimits(1080, 30, 5), RemainingTime(20, 4), 5.0),
        (TimeLimits(1080, 30, 5, periods=True), RemainingTime(20, 4), 20.0),
        (TimeLimits(0, 30, 5), None, 6.0),
        (TimeLimits(0, 30, 5, periods=True), None, 30.0),
    ],
)
def test_what_a_move_may_take(
    limits: TimeLimits | None, left: RemainingTime | None, seconds: float | None
) -> None:
    """A share of the main time, or what overtime gives each move, whichever is more."""
    assert allowed(limits, left=left) == seconds


def test_few_moves_are_left_on_a_full_board() -> None:
    """Near the end the share is larger, but never more than a tenth of the time."""
    assert allowed(TimeLimits(100), empty=200) == pytest.approx(1.667, abs=0.01)
    assert allowed(TimeLimits(100), empty=3) == 10.0


def test_time_is_kept_without_being_told() -> None:
    """Main time runs down, then Canadian stones are counted, and begin again after the last."""
    keeper = Timekeeper()
    keeper.set_limits(TimeLimits(100, 30, 2))
    keeper.spend(BLACK, 110)
    assert keeper._left[BLACK] == RemainingTime(20, 1)
    keeper.spend(BLACK, 10)
    assert keeper._left == {BLACK: RemainingTime(30, 2), WHITE: RemainingTime(100)}
    keeper.restart()
    assert keeper._left[BLACK] == RemainingTime(100)


def test_periods_are_lost_whole() -> None:
    """A move within a period costs nothing; a longer one the periods it used up, never the last."""
    keeper = Timekeeper()
    keeper.set_limits(TimeLimits(0, 30, 3, periods=True))
    keeper.spend(BLACK, 29)
    assert keeper._left[BLACK] == RemainingTime(30, 3)
    keeper.spend(BLACK, 65)
    assert keeper._left[BLACK] == RemainingTime(30, 1)
    keeper.spend(BLACK, 65)
    assert keeper._left[BLACK] == RemainingTime(30, 1)


NUMBERS = st.floats(-10, 1e10) | st.integers(0, 3)


@given(
    st.tuples(NUMBERS, NUMBERS, st.integers(0, 9), st.booleans()),
    st.lists(st.floats(0, 1e6), max_size=20),
)
def test_any_system_gives_some_time(
    system: tuple[float, float, int, bool], spent: list[float]
) -> None:
    """Whatever was set and however long moves took, there is an answer, and it is not negative."""
    keeper = Timekeeper()
    keeper.set_limits(TimeLimits(*system))
    for seconds in spent:
        keeper.spend(WHITE, seconds)
        found = keeper.seconds_for_move(WHITE, 100)
        assert found is not None
        assert found >= 0


def test_periods_of_hardly_any_time() -> None:
    """However many of them a move takes, the last one stays."""
    keeper = Timekeeper()
    keeper.set_limits(TimeLimits(0, 1e-310, 5, periods=True))
    keeper.spend(BLACK, 3.0)
    assert keeper.seconds_for_move(BLACK, 361) is not None


def test_each_move_adds_time() -> None:
    """Fischer's: what a move has taken goes off, and what is added comes back."""
    keeper = Timekeeper()
    keeper.set_limits(TimeLimits(100, added=5))
    keeper.spend(BLACK, 30)
    assert keeper._left[BLACK] == RemainingTime(75)
    keeper.spend(BLACK, 200)
    assert keeper._left[BLACK] == RemainingTime(5)


def test_a_clock_holds_so_much() -> None:
    """Fischer's with a cap: what is added above it is lost."""
    keeper = Timekeeper()
    keeper.set_limits(TimeLimits(100, added=5, most=100))
    keeper.spend(BLACK, 2)
    assert keeper._left[BLACK] == RemainingTime(100)
