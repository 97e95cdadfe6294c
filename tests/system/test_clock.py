"""The clock without jumps of the machine's clock, and gaps between runs."""

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier

import pytest

from godaemon.errors import NotAllowed, Temporary
from godaemon.system.clock import JUMP_DELAY, Clock
from godaemon.system.outages_and_pauses import GRACE, RETRY_PERIOD, TimeSeen

NOW = datetime(2026, 3, 1, tzinfo=UTC)
MONTH = timedelta(days=30)


class Machine:
    """A machine: its kernel counts seconds, and its clock is wrong by as much as one likes."""

    def __init__(self) -> None:
        self.counted = 0.0
        self.wrong = timedelta()
        self.clock = Clock(self.time, lambda: self.counted)

    def time(self) -> datetime:
        """What its clock shows."""
        return NOW + timedelta(seconds=self.counted) + self.wrong

    def after(self, seconds: float) -> timedelta:
        """Let time pass; how much our clock has counted since the start."""
        self.counted += seconds
        return self.clock.now() - NOW


@pytest.mark.parametrize("step", [MONTH, -MONTH, timedelta(hours=-1)])
def test_a_corrected_jump_has_no_effect(step: timedelta) -> None:
    """Our time continues; the jump is reported while it lasts."""
    machine = Machine()
    assert machine.after(10) == timedelta(seconds=10)
    machine.wrong = step
    assert machine.after(10) == timedelta(seconds=20)
    assert machine.clock.jump == step
    machine.wrong = timedelta()
    assert machine.after(JUMP_DELAY) == timedelta(seconds=20 + JUMP_DELAY)
    assert machine.clock.jump == timedelta()


def test_a_lasting_jump_is_applied() -> None:
    """Small corrections, as by a time server, are applied at once and never backwards."""
    machine = Machine()
    for wrong, counted in ((20, 21), (-20, 22)):
        machine.wrong = timedelta(seconds=wrong)
        assert machine.after(1) == timedelta(seconds=counted)
    machine = Machine()
    machine.wrong = MONTH
    assert machine.after(1) == timedelta(seconds=1)
    machine.wrong = 2 * MONTH  # another jump: it is waited for anew
    assert machine.after(JUMP_DELAY - 1) == timedelta(seconds=JUMP_DELAY)
    assert machine.after(JUMP_DELAY) == 2 * MONTH + timedelta(seconds=2 * JUMP_DELAY)
    assert machine.clock.jump == timedelta()


def test_a_gap_between_runs_starts_a_grace_period(tmp_path: Path) -> None:
    """It lasts three days, through restarts."""
    assert not TimeSeen(tmp_path / "clock").is_in_grace(NOW)
    assert not TimeSeen(tmp_path / "clock").is_in_grace(NOW + timedelta(hours=23))
    later = NOW + MONTH
    assert TimeSeen(tmp_path / "clock").is_in_grace(later)
    second = TimeSeen(tmp_path / "clock")
    assert second.is_in_grace(later + timedelta(minutes=5))
    assert second.gap_ended == later
    for hours in range(12, 72, 12):
        assert second.is_in_grace(later + timedelta(hours=hours))
    assert not second.is_in_grace(later + GRACE)


def test_grace_from_a_wrong_future_ends_in_time(tmp_path: Path) -> None:
    """It begins again when the clock is corrected."""
    seen = TimeSeen(tmp_path / "clock")
    assert not seen.is_in_grace(NOW)
    assert seen.is_in_grace(NOW + MONTH)
    assert seen.is_in_grace(NOW + timedelta(hours=1))
    assert seen.gap_ended == NOW + timedelta(hours=1)


@pytest.mark.parametrize("content", [b"", b"yesterday\n", b"\xff\x00", b"2026-03-01\n"])
def test_an_invalid_file_is_replaced(tmp_path: Path, content: bytes) -> None:
    """As after a power cut; a full disk changes nothing."""
    file = tmp_path / "clock"
    file.write_bytes(content)
    assert not TimeSeen(file).is_in_grace(NOW)
    assert TimeSeen(file).is_in_grace(NOW + MONTH)
    assert file.stat().st_mode & 0o777 == 0o600
    assert not TimeSeen(tmp_path / "nowhere" / "clock").is_in_grace(NOW)


def test_outages_are_remembered_through_restarts(tmp_path: Path) -> None:
    """Players get the time back; a short restart is no outage."""
    file, hour = tmp_path / "clock", timedelta(hours=1)
    TimeSeen(file).is_in_grace(NOW)
    TimeSeen(file).is_in_grace(NOW + timedelta(minutes=5))
    assert TimeSeen(file).lost_time(NOW, NOW + timedelta(minutes=5)) == timedelta()
    assert TimeSeen(file).lost_time(NOW, NOW + 3 * hour) == timedelta(minutes=175)
    second = TimeSeen(file)
    assert second.lost_time(NOW + 2 * hour, NOW + 3 * hour) == hour
    assert second.lost_time(NOW + 3 * hour, NOW + 3 * hour) == timedelta()
    for more in range(4, 10):
        second.lost_time(NOW, NOW + more * hour)
    assert second.lost_time(NOW + 3 * hour, NOW + 3 * hour + RETRY_PERIOD) == RETRY_PERIOD


def test_a_corrected_wrong_future_is_no_outage(tmp_path: Path) -> None:
    """Otherwise its time would be given back a second time."""
    seen = TimeSeen(tmp_path / "clock")
    seen.is_in_grace(NOW)
    assert seen.lost_time(NOW, NOW + MONTH) == MONTH
    for minutes in range(60, 120):
        assert seen.lost_time(NOW, NOW + timedelta(minutes=minutes)) == timedelta()


def test_short_outages_are_merged(tmp_path: Path) -> None:
    """An unreachable mailbox neither fills the disk nor counts twice."""
    seen, minute = TimeSeen(tmp_path / "clock"), timedelta(minutes=1)
    seen.is_in_grace(NOW)
    for begin in range(0, 600, 2):
        seen.record_outage(NOW + begin * minute, NOW + (begin + 1) * minute)
        seen.is_in_grace(NOW + (begin + 2) * minute)
    assert seen.lost_time(NOW, NOW + 601 * minute) == 601 * minute
    assert len((tmp_path / "clock").read_text().split()) == 2


def test_concurrent_observers_record_an_outage_once(tmp_path: Path) -> None:
    """The event loop and the writer's thread look at the same time."""
    seen, both, often = TimeSeen(tmp_path / "clock"), Barrier(4), sys.getswitchinterval()
    seen.is_in_grace(NOW)

    def _look(look: int) -> None:
        both.wait()
        seen.is_in_grace(NOW + timedelta(days=1 + look // 4))

    try:
        sys.setswitchinterval(1e-6)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(_look, range(4 * 100)))
    finally:
        sys.setswitchinterval(often)
    assert sum("/" in line for line in (tmp_path / "clock").read_text().split()) == 100


def test_a_pause_is_lost_time(tmp_path: Path) -> None:
    """From its beginning until its end, through restarts; who is away then takes no more.

    One that cannot be written down is none: else it would end with the daemon.
    """
    file, hour = tmp_path / "clock", timedelta(hours=1)
    nowhere = TimeSeen(tmp_path / "nowhere" / "clock")
    with pytest.raises(Temporary):
        nowhere.pause(NOW, "")
    assert nowhere.current_pause(NOW) is None
    TimeSeen(file).pause(NOW, "moving / to another server")
    second = TimeSeen(file)
    pause = second.current_pause(NOW + 2 * hour)
    assert pause is not None
    assert (pause.begin, pause.reason) == (NOW, "moving / to another server")
    assert second.lost_time(NOW, NOW + 9 * hour) == 9 * hour
    with pytest.raises(NotAllowed, match="paused already"):
        second.pause(NOW + 9 * hour, "")
    second.resume(NOW + 9 * hour)
    assert second.current_pause(NOW + 9 * hour) is None
    assert TimeSeen(file).lost_time(NOW, NOW + 9 * hour) == 9 * hour
    with pytest.raises(NotAllowed, match="nothing to resume"):
        second.resume(NOW + 9 * hour)


def test_a_pause_survives_clock_changes(tmp_path: Path) -> None:
    """Back before its beginning, as with a flat battery, and right again."""
    file, day = tmp_path / "clock", timedelta(days=1)
    TimeSeen(file).pause(NOW, "a new server")
    for wrong in (-400 * day, -2 * day, 2 * day):
        seen = TimeSeen(file)
        seen.is_in_grace(NOW + wrong)
        pause = seen.current_pause(NOW + wrong)
        assert pause is not None
        assert pause.end == NOW + 30 * day
    TimeSeen(file).resume(NOW + 2 * day)
    later = TimeSeen(file)
    later.is_in_grace(NOW + 3 * day)
    assert later.current_pause(NOW + 3 * day) is None


def test_pauses_are_limited(tmp_path: Path) -> None:
    """To 30 of 400 days in total, so that games end even without resume."""
    seen, day, now = TimeSeen(tmp_path / "clock"), timedelta(days=1), NOW
    for days in (20, 10):
        pause = seen.pause(now, "")
        now += days * day
        assert pause.end == NOW + 30 * day
        if days == 20:
            seen.resume(now)
    assert seen.current_pause(now) is None
    with pytest.raises(NotAllowed, match="30 of the last 400 days"):
        seen.pause(now, "")
    assert seen.pause(NOW + 425 * day, "").end == NOW + 445 * day
