"""Time per move in each time system, and time left after moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.rules.points import Color
from gtp.board.board_session import BoardSession
from gtp.board.time_settings import LAG, SHARE, Timekeeper
from tests.support import places

BLACK, WHITE = Color.BLACK, Color.WHITE


def keeper(system: str, left: str = "") -> Timekeeper:
    """The clocks under one of KataGo's time systems, perhaps after `time_left` for Black."""
    session = BoardSession()
    session.board.plays = "gnugo"
    lines = [f"kata-time_settings {system}", *([f"time_left b {left}"] if left else [])]
    assert all(session.answer(line.encode()).startswith(b"=") for line in lines)
    return session.board.time


def allowed(system: str, left: str = "", *, empty: int = 361) -> float | None:
    """The time for Black's next move, without the reserve for transmission."""
    seconds = keeper(system, left).seconds_for_move(BLACK, empty)
    return None if seconds is None else round((seconds + LAG) / SHARE, 3)


LIMITS = (places.DATA / "gtp_clocks.txt").read_text("utf-8").splitlines()[1:]


@pytest.mark.parametrize("line", LIMITS)
def test_the_time_for_a_move(line: str) -> None:
    """A share of the main time, or what overtime gives each move, whichever is more."""
    given, seconds = line.split(" => ")
    assert str(allowed(*given.split("; "))).lower() == seconds


def test_the_share_grows_on_a_full_board() -> None:
    """Near the end fewer moves are left, but no move gets more than a tenth of the time."""
    assert allowed("absolute 100", empty=200) == pytest.approx(1.667, abs=0.01)
    assert allowed("absolute 100", empty=3) == 10.0


@pytest.mark.parametrize(
    ("system", "spent", "left"),
    [
        ("canadian 100 30 2", [110], (0, 20, 1)),  # main time runs down, then stones are counted
        ("canadian 100 30 2", [110, 10], (0, 30, 2)),  # and begin again after the last
        ("byoyomi 0 30 3", [29], (0, 30, 3)),  # a move within a period costs nothing
        ("byoyomi 0 30 3", [29, 65], (0, 30, 1)),  # a longer one the periods it used up
        ("byoyomi 0 30 3", [29, 65, 65], (0, 30, 1)),  # never the last
        ("byoyomi 0 1e-310 5", [3], (0, 0, 0)),  # none if they have no length
        ("fischer 100 5", [30], (75, 0, 0)),  # a move's time goes off, and the increment comes back
        ("fischer 100 5", [30, 200], (5, 0, 0)),
        ("fischer-capped 100 5 100 -1", [2], (100, 0, 0)),  # above a cap it is lost
    ],
)
def test_the_clock_runs_without_time_left(
    system: str, spent: list[float], left: tuple[float, float, int]
) -> None:
    """Black's moves use up Black's time only; a new game restores both clocks."""
    clocks = keeper(system)
    whole = clocks._left[WHITE]
    for seconds in spent:
        clocks.spend(BLACK, seconds)
    main, overtime, number = clocks._left[BLACK]
    assert (main.total_seconds(), overtime.total_seconds(), number) == left
    assert clocks._left[WHITE] == whole
    clocks.restart()
    assert clocks._left[BLACK] == whole


NUMBERS = st.floats(0, 1e300) | st.integers(0, 3)
SYSTEMS = st.one_of(
    st.builds("absolute {}".format, NUMBERS),
    st.builds("fischer {} {}".format, NUMBERS, NUMBERS),
    st.builds("fischer-capped {} {} {} {}".format, NUMBERS, NUMBERS, NUMBERS, NUMBERS),
    st.builds("canadian {} {} {}".format, NUMBERS, NUMBERS, st.integers(1, 9)),
    st.builds("byoyomi {} {} {}".format, NUMBERS, NUMBERS, st.integers(0, 9)),
)


@given(SYSTEMS, st.lists(st.floats(0, 1e6), max_size=20))
def test_every_time_system_gives_time_for_a_move(system: str, spent: list[float]) -> None:
    """Whatever was set and however long moves took, the time is not negative."""
    clocks = keeper(system)
    for seconds in spent:
        clocks.spend(WHITE, seconds)
        found = clocks.seconds_for_move(WHITE, 100)
        assert found is not None
        assert found >= 0
