"""Clocks: settings, and the time left of a player."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.game_clock import MAX_EMAIL_WAIT, GameClock
from godaemon.games.model import Game, Phase
from godaemon.games.state import apply, begin, replay
from godaemon.games.time_systems import TimeLeft, TimeSettings
from godaemon.rules.points import Color
from tests.support.examples import examples
from tests.support.game_checks import remaining_time
from tests.support.logs import B, I, Log, P, W, move, proposal

START = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
SPANS = st.integers(1, 10_000_000).map(lambda seconds: timedelta(seconds=seconds))
SETTINGS = st.one_of(
    SPANS.map(TimeSettings),
    st.builds(lambda main, more: TimeSettings(main, more, main), SPANS, SPANS),
    st.builds(
        TimeSettings,
        st.just(timedelta()) | SPANS,
        st.just(timedelta()),
        st.just(timedelta()),
        SPANS,
        st.integers(1, 99),
        st.booleans(),
    ),
)
EVERY = (
    "10d+36h",
    "3d/move",
    "1h+5x30s",
    "5x30s",
    "1h+25/10m",
    "25/10m",
    "14d each",
    "10d+1d max 20d",
)


@given(SETTINGS)
def test_time_settings_are_parsed_as_written(written: TimeSettings) -> None:
    """Settings survive encoding and decoding."""
    assert TimeSettings.parse(str(written)) == written


@pytest.mark.parametrize("text", ["", "10", "3d", "3d+", "0d each", "3d/movex", "1d+1d+1d", "0x3s"])
def test_invalid_time_settings_are_refused(text: str) -> None:
    """The log's text is never guessed."""
    with pytest.raises(ValueError, match="no time settings"):
        TimeSettings.parse(text)


@pytest.mark.parametrize("text", EVERY)
def test_time_settings_have_a_short_form(text: str) -> None:
    """The usual ones, in the shortest form."""
    assert str(TimeSettings.parse(text)) == text


@given(SETTINGS, st.lists(SPANS, max_size=30))
def test_time_never_exceeds_the_first_turns(system: TimeSettings, turns: list[timedelta]) -> None:
    """However turns went."""
    left, most = system.full, system.longest_turn(system.full)
    for took in turns:
        left = system.after_move(left, took)
        assert timedelta() <= system.longest_turn(left) <= max(most, system.cap)


@given(SETTINGS, SPANS)
def test_a_clock_shows_the_rest_of_the_turn(system: TimeSettings, took: timedelta) -> None:
    """In the middle of a turn its parts add up."""
    left = system.full
    shown = system.within_turn(left, took)
    more = 0 if system.canadian else shown.number - 1
    whole = shown.main + shown.overtime + (system.overtime * more if shown.number else timedelta())
    assert whole == max(system.longest_turn(left) - took, timedelta())


@pytest.mark.parametrize(
    ("text", "turns", "left"),
    [
        ("10d+36h", [DAY], TimeLeft(10 * DAY)),
        ("10d+36h", [5 * DAY], TimeLeft(6.5 * DAY)),
        ("3d/move", [2 * DAY], TimeLeft(timedelta(), 3 * DAY, 1)),
        ("1h+5x30s", [HOUR / 2], TimeLeft(HOUR / 2, timedelta(seconds=30), 5)),
        (
            "1h+5x30s",
            [HOUR + timedelta(seconds=65)],
            TimeLeft(timedelta(), timedelta(seconds=30), 3),
        ),
        ("2/1d", [HOUR], TimeLeft(timedelta(), 23 * HOUR, 1)),
        ("2/1d", [HOUR, HOUR], TimeLeft(timedelta(), DAY, 2)),
        ("14d each", [DAY, DAY], TimeLeft(12 * DAY)),
    ],
)
def test_a_turn_takes_time_by_each_system(
    text: str, turns: list[timedelta], left: TimeLeft
) -> None:
    """By examples."""
    system = TimeSettings.parse(text)
    now = system.full
    for took in turns:
        now = system.after_move(now, took)
    assert now == left


# -- in a game ---------------------------------------------------------------------------------
class TimedLog(Log):
    """A game with clocks, whose log has times."""

    def __init__(self, time: str) -> None:
        first = proposal(time=time)
        super().__init__(first)
        self.now, self.entries = START, [ev.LogEntry(first, START, "test")]

    def did(self, *events: ev.Event) -> "TimedLog":
        for event in events:
            self.entries.append(ev.LogEntry(event, self.now, "test"))
            self.events.append(event)
        return self

    @property
    def timed(self) -> Game:
        return replay(1, self.entries)

    @property
    def clock(self) -> GameClock:
        clock = self.timed.clock
        assert clock is not None
        return clock


def timed(time: str = "10d+36h") -> TimedLog:
    log = TimedLog(time)
    log.did(*log.do(P, cmd.Yes()), *log.do(I, cmd.Yes()))
    return log


def test_a_clock_waits_for_its_email() -> None:
    """Until it is handed over, for a week at most."""
    log = timed()
    assert log.clock.waits
    assert log.clock.remaining(Color.BLACK, START + 3 * DAY) == 10 * DAY
    assert log.clock.deadline == START + MAX_EMAIL_WAIT + 10 * DAY
    log.now += 3 * DAY
    log.did(ev.Handed("black"))
    assert not log.clock.waits
    assert log.clock.deadline == START + 13 * DAY
    assert log.clock.remaining(Color.BLACK, START + 4 * DAY) == 9 * DAY
    assert log.clock.remaining(Color.WHITE, START + 4 * DAY) == 10 * DAY


def test_other_emails_start_no_clock() -> None:
    """One to the opponent, or a late one when the turn has passed."""
    log = timed().did(ev.Handed("white"))
    assert log.clock.waits
    log.did(*log.do(B, move("D4")))
    log.did(ev.Handed("black"))
    assert (log.clock.turn, log.clock.waits) == (Color.WHITE, True)


def test_old_games_have_no_clock() -> None:
    """They were proposed before clocks existed."""
    log = TimedLog("").start()
    assert log.game.clock is None
    assert "time" not in ev.encode(log.events[0])


def test_a_new_request_stops_the_clock_until_its_email() -> None:
    """After a request such as resume, the time used counts."""
    log = timed()
    log.did(*log.do(B, move("D4")), *log.do(W, cmd.Pass()), *log.do(B, cmd.Pass()))
    log.did(ev.Handed("white"))
    log.now += 9 * DAY
    log.did(*log.do(B, cmd.Resume()))
    assert log.clock.turn is Color.WHITE
    assert log.clock.waits
    assert log.clock.deadline == log.now + MAX_EMAIL_WAIT + DAY
    log.now += DAY
    log.did(ev.Handed("white"))
    assert log.clock.deadline == log.now + DAY


@pytest.mark.parametrize(
    ("time", "left"),
    [
        ("10d+36h", TimeLeft(7 * DAY)),
        ("5/10d", TimeLeft(0 * DAY, 7 * DAY, 5)),
        ("3x4d", TimeLeft(0 * DAY, 4 * DAY, 3)),
    ],
)
def test_a_yes_to_undo_earns_no_time(time: str, left: TimeLeft) -> None:
    """It takes time, and is no move."""
    log = timed(time)
    log.did(*log.do(B, move("D4")), ev.Handed("white"), *log.do(B, cmd.Undo()))
    log.now += 3 * DAY
    log.did(*log.do(W, cmd.Yes()))
    assert log.clock.turn is Color.BLACK
    assert log.clock.left[Color.WHITE] == left


@pytest.mark.parametrize(
    ("time", "left"),
    [("3d each", HOUR), ("1m each", timedelta(seconds=1)), ("2h each", timedelta(minutes=2))],
)
def test_a_late_move_leaves_an_hour_or_a_sixtieth_of_a_short_time(
    time: str, left: timedelta
) -> None:
    """The next turn is not lost before it begins; in a short game nobody gains by being late."""
    log = timed(time).did(ev.Handed("black"))
    log.now += 4 * DAY
    log.did(*log.do(B, move("D4")))
    assert log.clock.left[Color.BLACK] == TimeLeft(left)


def test_a_clock_jump_is_credited_once() -> None:
    """A machine's clock that jumps ahead and back takes and gives nothing."""
    log = timed("10d each")
    log.did(ev.Handed("black"))
    log.now += 3 * DAY
    log.did(ev.Credited("black", 2 * DAY.total_seconds()))
    log.now -= 2 * DAY
    log.did(*log.do(B, move("D4")))
    assert log.clock.left[Color.BLACK] == TimeLeft(9 * DAY)


@pytest.mark.parametrize("last", ["weekends", "away", ""])
def test_the_last_setting_holds_despite_clock_changes(last: str) -> None:
    """White sets days off while the clock is 40 days ahead; a simple clock agrees."""
    log = timed("20d each")
    saturday = log.now + (5 - log.now.weekday()) % 7 * DAY
    log.now = saturday
    log.did(ev.Handed("black"), ev.Paused("white", weekends="UTC"))
    log.now = saturday + 40 * DAY
    away = ((saturday.isoformat(), (saturday + 10 * HOUR).isoformat()),)
    log.did(ev.Paused("white", away=away * (last == "away"), weekends="UTC" * (last == "weekends")))
    log.now = saturday
    log.did(*log.do(B, move("D4")), ev.Handed("white"))
    log.now += 20 * HOUR
    taken = {"weekends": 0, "away": 10, "": 20}[last] * HOUR
    assert log.clock.used_at(log.now) == taken
    log.did(*log.do(W, move("E5")), ev.Handed("black"))
    assert log.clock.left[Color.WHITE] == remaining_time(1, log.entries)[Color.WHITE]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["act", "act", "act", "hand", "say", "pass", "resume", "other"]),
        st.integers(0, 200_000),
    ),
    max_size=25,
)


@settings(max_examples=examples(100))
@given(st.sampled_from(EVERY), STEPS)
def test_exactly_one_clock_runs(time: str, steps: list[tuple[str, int]]) -> None:
    """In every phase it takes the elapsed time from one side only."""
    log = timed(time)
    for step, seconds in steps:
        before, was = log.timed, log.clock
        log.now += timedelta(seconds=seconds)
        _step(log, step)
        game, clock = log.timed, log.clock
        assert clock.turn in Color
        assert (clock.since is None) == game.phase.over
        if game.phase is Phase.PLAYING:
            assert clock.turn is game.to_move
        elif game.phase is Phase.SCORING:
            assert clock.turn not in game.agreed
        other = was.turn.opponent
        if was.turn is clock.turn:
            gone = was.remaining(was.turn, log.now)
            assert clock.remaining(clock.turn, log.now) == gone
        assert clock.left[other] == was.left[other]
        assert before.length <= game.length
        assert apply(begin(1, proposal()), log.events[1]).clock is None
        if game.phase.over:
            break
    assert log.timed == replay(1, log.entries)


def _step(log: TimedLog, step: str) -> None:
    turn = log.clock.turn
    seat, other = (B, W) if turn is Color.BLACK else (W, B)
    playing = log.game.phase is Phase.PLAYING
    if step == "hand":
        log.did(ev.Handed(turn.word))
    elif step == "say":
        log.did(*log.do(other, cmd.Say("hello")))
    elif step == "other" and not playing:
        log.did(*log.do(other, cmd.Done()))
    elif step == "pass" and playing:
        log.did(*log.do(seat, cmd.Pass()))
    elif step == "resume" and not playing:
        log.did(*log.do(seat, cmd.Resume()))
    elif step == "act" and not playing:
        log.did(*log.do(seat, cmd.Done()))
    elif step == "act":
        log.did(*log.do(seat, cmd.Play(log.game.position.legal_moves(turn)[0])))
