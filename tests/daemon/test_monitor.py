"""The monitor: while too many letters wait to go out, no new ones are accepted."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from structlog.testing import capture_logs

from godaemon.daemon import health
from godaemon.daemon.health import Monitor
from godaemon.errors import Temporary
from godaemon.games.notices import Kind, Notice
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from godaemon.system.signing_keys import KEY_FILE, SigningKeys, load_key, make_key
from tests.support.hand_clock import HandClock

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def monitor_of(
    writer: WriterThread,
    state: Path,
    clock: HandClock | None = None,
    keys: SigningKeys | None = None,
    *,
    backlog: int = 10,
    strangers: int = 300,
) -> Monitor:
    """The monitor of a daemon with these limits on emails that are due, and to strangers."""
    core: Any = SimpleNamespace(
        writer=writer,
        state=state,
        clock=clock or HandClock(NOW),
        keys=keys or Mock(),
        settings=SimpleNamespace(
            mail=SimpleNamespace(outgoing=SimpleNamespace(backlog_limit=backlog))
        ),
        live=SimpleNamespace(
            mail=SimpleNamespace(limits=SimpleNamespace(strangers_in_all=strangers))
        ),
    )
    return Monitor(core)


async def test_intake_resumes_at_half_of_the_limit(writer: WriterThread, tmp_path: Path) -> None:
    """It stops at the limit; status says why."""
    monitor = monitor_of(writer, tmp_path)

    async def overloaded() -> bool:
        await monitor.measure()
        paused = "intake-paused" in {
            trouble.name for trouble in health.measured_troubles(monitor.measured)
        }
        assert paused == bool(monitor.overload_reason())
        return paused

    for _ in range(9):
        writer.run_sync(lambda unit: unit.outbox.queue(Notice(Kind.HELP, "bob@b.example"), NOW))
    assert not await overloaded()
    writer.run_sync(lambda unit: unit.outbox.queue(Notice(Kind.HELP, "bob@b.example"), NOW))
    assert await overloaded()
    writer.run_sync(lambda unit: unit.outbox.claim(NOW, 900, 5))
    assert await overloaded()
    writer.run_sync(lambda unit: unit.outbox.claim(NOW, 900, 1))
    assert not await overloaded()


async def test_each_measurement_has_its_own_field(writer: WriterThread, tmp_path: Path) -> None:
    """Due emails and unwritten ones, say, are not confused."""

    def work(unit: Unit) -> None:
        for _ in range(3):
            unit.outbox.queue(Notice(Kind.HELP, "bob@b.example"), NOW)
        (first,) = unit.outbox.claim(NOW, 60, 1)
        unit.outbox.mark_undeliverable(first.id, "cannot be written", NOW)
        unit.quotas.spend("all", int(NOW.timestamp()) // 3600)

    writer.run_sync(work)
    monitor = monitor_of(writer, tmp_path, backlog=2, strangers=1)
    await monitor.measure()
    found = monitor.measured
    assert (found.at, found.due, found.oldest_due, found.unwritten) == (NOW, 2, NOW, 1)
    assert (found.overloaded, found.used_up_quotas) == (health.QUEUE_FULL, ("answers",))
    others = (found.quarantine, found.store, found.damaged, found.store_missing)
    assert others == (0, "", [], None)
    assert bool(found.wal) == (writer.file is not None)
    assert found.disk_free is not None


@pytest.mark.parametrize(
    ("key", "name", "when"),
    [
        ("all", "no more answers for now", (False, False, True)),
        ("unknown all", "no more answers to emails from networks without", (False, True, True)),
        ("proven all", "no more invitations for now", (False, False, True)),
    ],
)
async def test_an_exhausted_daily_quota_is_reported(
    writer: WriterThread, tmp_path: Path, key: str, name: str, when: tuple[bool, ...]
) -> None:
    """As long as newcomers are deferred, with what is affected."""
    monitor = monitor_of(writer, tmp_path, strangers=3)
    for reported in when:
        writer.run_sync(lambda unit: unit.quotas.spend(key, int(NOW.timestamp()) // 3600))
        await monitor.measure()
        found = [
            one
            for one in health.measured_troubles(monitor.measured)
            if one.name == "strangers-put-off"
        ]
        assert bool(found) == reported
    assert name in found[0].sentence


@pytest.mark.parametrize("fault", [Temporary("The disk is gone."), ValueError("a row of noise")])
async def test_an_unreadable_store_is_reported(
    writer: WriterThread, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """Neither the monitor nor the daemon ends."""
    monkeypatch.setattr(writer, "run", AsyncMock(side_effect=fault))
    monitor = monitor_of(writer, tmp_path)
    await monitor.measure()
    assert [one.name for one in health.measured_troubles(monitor.measured)] == ["store-unusable"]


@pytest.mark.parametrize(
    ("due", "free", "already", "overloaded"),
    [(0, 0, False, health.NO_ROOM), (2000, 0, True, health.NO_ROOM), (0, None, True, "")],
)
def test_the_reasons_to_refuse_emails(
    due: int, free: int | None, already: bool, overloaded: str
) -> None:
    """A full disk is one; unknown free space is none."""
    assert health.overload_reason(due, free, 2000, was_overloaded=already) == overloaded


async def test_a_removed_key_file_is_written_again(writer: WriterThread, tmp_path: Path) -> None:
    """Otherwise players could not answer old emails after the next start."""
    state, clock = tmp_path / "state", HandClock(NOW)
    state.mkdir()
    make_key(state)
    keys = SigningKeys(state, lambda: NOW, lambda: timedelta(days=1))
    monitor = monitor_of(writer, state, clock, keys)
    with capture_logs() as log:
        await monitor.measure()
        (state / KEY_FILE).unlink()
        await monitor.measure()
    assert [line["event"] for line in log] == ["store.key-written-again"]
    assert load_key(state) == keys.signing
    state.rename(tmp_path / "moved")  # where the folder is gone, what can be measured is
    clock.advance(1)
    await monitor.measure()
    assert not state.exists()
    assert monitor.measured.at == NOW + timedelta(seconds=1)
