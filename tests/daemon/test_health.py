"""The troubles of a daemon: their reported with remedies, and who gets them."""

import ast
import asyncio
import json
import socket
import tomllib
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
import structlog

from godaemon.config.loading import parse
from godaemon.daemon import health
from godaemon.daemon.health import Measured, Severity, Trouble
from godaemon.daemon.mail import WatchedDelivery
from godaemon.daemon.main import log_loop_fault
from godaemon.daemon.status import DaemonStatus
from godaemon.errors import Deferred, Temporary
from mailgate.receiving.smtp_handler import LATER, NOBODY
from tests.support import places, stores
from tests.support.daemon import LiveDaemon
from tests.support.hand_clock import HandClock
from tests.support.waiting import PATIENCE, until

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ROOM = 2**40


@pytest.mark.parametrize(
    ("measured", "names"),
    [
        (Measured(NOW), []),
        (Measured(NOW, due=9, oldest_due=NOW - timedelta(minutes=14), disk_free=ROOM), []),
        (Measured(NOW, due=9, oldest_due=NOW - timedelta(minutes=16)), ["queue-stuck"]),
        (Measured(NOW, due=9, overloaded=health.QUEUE_FULL), ["intake-paused"]),
        (Measured(NOW, due=9, overloaded=health.NO_ROOM, disk_free=0), ["disk-full"]),
        (Measured(NOW, store_missing=Path("/games/godaemon.db")), ["store-lost"]),
        (Measured(NOW, disk_free=2**27), ["disk-nearly-full"]),
        (Measured(NOW, disk_free=0), ["disk-full"]),
        (Measured(NOW, wal=300 * 2**20), ["wal-grown"]),
        (Measured(NOW, quarantine=2), ["quarantine"]),
        (Measured(NOW, unwritten=1), ["emails-unwritten"]),
        (Measured(NOW, damaged=[(7, "event 3: it is missing")]), ["game-damaged"]),
        (Measured(NOW, store="It is locked.", disk_free=0), ["store-unusable", "disk-full"]),
    ],
)
def test_measurements_are_judged_by_their_limits(measured: Measured, names: list[str]) -> None:
    """A healthy daemon has no trouble."""
    assert [trouble.name for trouble in health.measured_troubles(measured)] == names


def reported(
    settings: str = "",
    *,
    landlock: int = 7,
    seccomp: bool = True,
    absent: str = "",
    rejections: tuple[int, str, str] = (0, "", ""),
    unread: int = 0,
) -> list[str]:
    """The reported of the troubles of a daemon, which by default has none."""
    mailbox = SimpleNamespace(folder="/p", count_unread=lambda: unread)
    core: Any = SimpleNamespace(
        settings=parse(settings, "", {}),
        reload_refused="",
        clock=HandClock(NOW),
        seen=SimpleNamespace(gap_ended=None, current_pause=lambda _: None),
        holder=SimpleNamespace(holds_locks=True),
    )
    handler = SimpleNamespace(rejections=rejections)
    mail: Any = SimpleNamespace(handler=handler, postmaster=mailbox, certificate=None)
    pool: Any = SimpleNamespace(contained={"landlock": landlock, "seccomp": seccomp})
    engines: Any = SimpleNamespace(absent={"fake": absent} if absent else {}, pool=pool)
    delivery: Any = SimpleNamespace(blocked_since=None)
    gtp: Any = SimpleNamespace(certificate=None)
    monitor: Any = SimpleNamespace(measured=Measured(NOW))
    status = DaemonStatus(core, mail, None, gtp, delivery, engines, Mock(), monitor)
    return [trouble.sentence for trouble in status.troubles()]


KATAGO = "[engines.katago]\ncommand = ['katago']\n"
OLD = "go@old.example"


@pytest.mark.parametrize(
    ("settings", "parts", "words"),
    [
        (KATAGO, {}, ""),
        (KATAGO, {"landlock": 0}, "this machine has no landlock."),
        (KATAGO, {"landlock": 0, "seccomp": False}, "this machine has no landlock and no seccomp."),
        ("", {"landlock": 0, "seccomp": False}, ""),
        ("[mail.smtp]\nlisten = ''\n", {}, ""),
        ("[mail]\naddress = 'go@a'\n[mail.smtp]\nlisten = ''\n", {}, "No email can come in"),
        ("mail.outgoing.smarthost = 'smtp://a'\nmail.smtp.listen = ''", {}, "No email can come in"),
        ("", {"absent": "katago is not there"}, "does not start"),
        ("", {"rejections": (2, NOBODY, OLD)}, ""),
        ("", {"rejections": (3, NOBODY, OLD)}, f'write address = "{OLD}" in [mail]'),
        (
            "",
            {"rejections": (3, NOBODY, "<>")},
            "have it deliver only those for our own addresses.",
        ),
        ("", {"rejections": (3, LATER, "disk I/O error")}, "be stored (disk I/O error)"),
        ("", {"unread": 999}, ""),
        ("", {"unread": 1000}, "unread in /p, and no more are accepted"),
    ],
)
def test_a_faulty_part_is_reported(settings: str, parts: dict[str, Any], words: str) -> None:
    """With the remedy, once it is no coincidence."""
    assert [words in sentence for sentence in reported(settings, **parts)] == [True] * bool(words)


def test_every_trouble_is_used_and_documented() -> None:
    """Some code reports it, and the manual page has its name."""
    page = (places.ROOT / "config/man/godaemon.1").read_text("utf-8").replace(r"\-", "-")
    rows = tomllib.loads((places.ROOT / "godaemon/daemon/troubles.toml").read_text("utf-8"))
    keys = {key for part in rows.values() for key in part}
    found = {
        word.value
        for file in (places.ROOT / "godaemon").rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "").startswith("trouble")
        for word in ast.walk(call)
        if isinstance(word, ast.Constant)
    }
    chosen = {"disk-full", "disk-nearly-full", "address-unknown", "emails-not-kept"}
    assert keys - found - chosen - {"certificate-ends", "certificate-ends ended"} == set()
    names = {key.split()[0] for key in keys} - {"log-in"}
    assert [name for name in sorted(names) if rf"\fB{name}\fR" not in page] == []


def test_the_status_line_begins_with_the_worst_trouble() -> None:
    """It ends with what still works."""
    full = Trouble("one", "The disk is nearly full.")
    away = Trouble("two", "The mailbox is away.", Severity.FAILURE)
    found = health.find_troubles([lambda: [full], list, lambda: [away]])
    assert health.status_line("Playing Go.", found) == (
        "Trouble: The mailbox is away. The disk is nearly full. Playing Go."
    )
    assert health.status_line("Playing Go.", []) == "Playing Go."


def test_a_failing_check_does_not_hide_others() -> None:
    """It is reported too."""
    found = health.find_troubles([lambda: [Trouble("one", "x")], lambda: 1 / 0])  # type: ignore[list-item,return-value]
    assert [trouble.name for trouble in found] == ["one", "health-unknown"]
    assert "ZeroDivisionError" in found[1].sentence


class FakeDelivery:
    """A delivery with a configured outcome."""

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()

    async def deliver(self, _recipient: str, _sender: str, _raw: bytes, _uid: str) -> None:
        """Wait, and fail or take it."""
        await self.gate.wait()
        if self.fault is not None:
            raise self.fault

    async def close(self) -> None:
        """Nothing is open."""


async def test_a_failing_delivery_is_reported_after_a_minute() -> None:
    """A refusal for one recipient is an answer; so is an accepted email."""
    clock, way = HandClock(NOW), FakeDelivery()
    watched = WatchedDelivery(way, clock.now)

    async def attempt(fault: Exception | None) -> datetime | None:
        way.fault = fault
        with suppress(Temporary, ZeroDivisionError):
            await watched.deliver("bob@b.example", "", b"", "1")
        clock.advance(70)
        return watched.blocked_since

    assert await attempt(Temporary("Connection refused.")) == NOW
    assert await attempt(ZeroDivisionError()) == NOW
    assert await attempt(Deferred("451 greylisted")) is None
    assert await attempt(Temporary("Connection refused.")) == NOW + timedelta(seconds=210)
    assert await attempt(None) is None


async def test_a_hanging_delivery_is_reported_after_a_minute() -> None:
    """The server takes the connection, and does not answer."""
    clock, way = HandClock(NOW), FakeDelivery()
    watched = WatchedDelivery(way, clock.now)
    way.gate.clear()
    trying = asyncio.create_task(watched.deliver("bob@b.example", "", b"", "1"))
    await asyncio.sleep(0)
    clock.advance(59)
    assert watched.blocked_since is None
    clock.advance(1)
    assert watched.blocked_since == NOW
    way.gate.set()
    await trying
    assert watched.blocked_since is None


def test_troubles_are_reported_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To systemd, in the log and in `status`, with exit status 1 (warning) or 2 (failure)."""
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(tmp_path / "notify"))
    manager.settimeout(PATIENCE)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    daemon = LiveDaemon(tmp_path)
    daemon.start()
    try:
        assert daemon.command("status").returncode == 0
        stores.put_in_quarantine(tmp_path / "state", "a@x.example")
        message = b"STATUS=Trouble: Emails in quarantine"
        until(lambda: message in manager.recv(4096), "systemd hears of it")
        status = daemon.command("status", "--json", check=False)
        assert status.returncode == 1
        assert [one["name"] for one in json.loads(status.stdout)["troubles"]] == ["quarantine"]
        damaged = "INSERT INTO game (events, digest, damaged) VALUES (0, '', 'it is torn')"
        stores.run_on(tmp_path / "state", damaged)
        until(lambda: b"set aside" in manager.recv(4096), "systemd hears of the worst first")
        (worst, _) = daemon.ask("status")["troubles"]
        assert (worst["name"], worst["severity"]) == ("game-damaged", "failure")
        status = daemon.command("status", check=False)
        assert status.returncode == 2
        assert f"failure: {worst['sentence']}" in status.stdout
        until(lambda: "health.trouble" in daemon.log(), "the log tells of it")
        for table in ("quarantine", "game"):
            stores.run_on(tmp_path / "state", f"DELETE FROM {table}")
        until(lambda: b"STATUS=Playing" in manager.recv(4096), "all is well again")
    finally:
        assert daemon.stop() == 0
        manager.close()


async def test_an_error_of_the_event_loop_is_logged() -> None:
    """With its traceback; for example, of a task that nobody awaits."""
    asyncio.get_running_loop().set_exception_handler(log_loop_fault)
    with structlog.testing.capture_logs() as lines:
        asyncio.get_running_loop().call_soon(lambda: 1 // 0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    (line,) = lines
    assert line["event"] == "loop.fault"
    assert isinstance(line["exc_info"], ZeroDivisionError)
