"""Time per move in each time system, and time left after moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.rules.points import Color
from gtp.board.time_settings import LAG, SHARE, RemainingTime, Timekeeper, TimeLimits

BLACK, WHITE = Color.BLACK, Color.WHITE


def allowed(
    limits: TimeLimits | None, *, empty: int = 361, left: RemainingTime | None = None
) -> float | None:
    """The seconds for Black's next move, before the deduction for the network's lag."""
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
        (TimeLimits(1080, increment=15), RemainingTime(108), 15.0),
        (TimeLimits(1080, increment=15), RemainingTime(12), 12.0),
        (TimeLimits(1080, increment=15, move_cap=9), RemainingTime(108), 9.0),
        (TimeLimits(1080, 30, 5, periods=True), RemainingTime(108), 30.0),
        (TimeLimits(1080, 30, 5, periods=True), RemainingTime(12), 12.0),
        (TimeLimits(1080, 30, 5), RemainingTime(20, 4), 5.0),
        (TimeLimits(1080, 30, 5, periods=True), RemainingTime(20, 4), 20.0),
        (TimeLimits(0, 30, 5), None, 6.0),
        (TimeLimits(0, 30, 5, periods=True), None, 30.0),
    ],
)
def test_the_time_for_a_move(
    limits: TimeLimits | None, left: RemainingTime | None, seconds: float | None
) -> None:
    """A share of the main time, or what overtime gives each move, whichever is more."""
    assert allowed(limits, left=left) == seconds


def test_the_share_grows_on_a_full_board() -> None:
    """Near the end fewer moves are left, but no move gets more than a tenth of the time."""
    assert allowed(TimeLimits(100), empty=200) == pytest.approx(1.667, abs=0.01)
    assert allowed(TimeLimits(100), empty=3) == 10.0


CANADIAN, PERIODS = TimeLimits(100, 30, 2), TimeLimits(0, 30, 3, periods=True)
FISCHER, HARDLY = TimeLimits(100, increment=5), TimeLimits(0, 1e-310, 5, periods=True)


@pytest.mark.parametrize(
    ("limits", "spent", "left"),
    [
        (CANADIAN, [110], (20, 1)),  # main time runs down, then stones are counted
        (CANADIAN, [110, 10], (30, 2)),  # and begin again after the last
        (PERIODS, [29], (30, 3)),  # a move within a period costs nothing
        (PERIODS, [29, 65], (30, 1)),  # a longer one the periods it used up
        (PERIODS, [29, 65, 65], (30, 1)),  # never the last
        (HARDLY, [3], (1e-310, 1)),  # however many
        (FISCHER, [30], (75, 0)),  # what a move has taken goes off, and what is added comes back
        (FISCHER, [30, 200], (5, 0)),
        (FISCHER._replace(clock_cap=100), [2], (100, 0)),  # above a cap it is lost
    ],
)
def test_the_clock_runs_without_time_left(
    limits: TimeLimits, spent: list[float], left: tuple[float, int]
) -> None:
    """Black's moves use up Black's time only; a new game restores both clocks."""
    keeper = Timekeeper()
    keeper.set_limits(limits)
    whole = keeper._left[WHITE]
    for seconds in spent:
        keeper.spend(BLACK, seconds)
    assert keeper._left == {BLACK: left, WHITE: whole}
    keeper.restart()
    assert keeper._left[BLACK] == whole


NUMBERS = st.floats(-10, 1e10) | st.integers(0, 3)


@given(
    st.tuples(NUMBERS, NUMBERS, st.integers(0, 9), st.booleans()),
    st.lists(st.floats(0, 1e6), max_size=20),
)
def test_every_time_system_gives_time_for_a_move(
    system: tuple[float, float, int, bool], spent: list[float]
) -> None:
    """Whatever was set and however long moves took, the time is not negative."""
    keeper = Timekeeper()
    keeper.set_limits(TimeLimits(*system))
    for seconds in spent:
        keeper.spend(WHITE, seconds)
        found = keeper.seconds_for_move(WHITE, 100)
        assert found is not None
        assert found >= 0
