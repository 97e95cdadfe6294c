"""The health of a daemon: its troubles, each a sentence with a remedy.

A check examines one thing and returns its troubles; their names, severities and sentences are rows
of troubles.toml. `status` has the checks of a running daemon, `doctor_checks` those of a machine.
`Monitor` takes the measurements of a daemon; `examine` checks the logs of all games.
"""

import asyncio
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import IntEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from godaemon.config.mail_options import Mail
from godaemon.daemon.core import Core
from godaemon.errors import Corrupt, Damaged, GodaemonError
from godaemon.games.awaited_decisions import awaited_decision
from godaemon.games.bouncing_addresses import refusing_domains
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.state import replay
from godaemon.games.stored_values import GameSummary, Unit
from godaemon.games.stranger_limits import used_up_quotas
from godaemon.games.views import summary_of
from godaemon.storage import sqlite_file
from godaemon.storage.connections import LARGE_LOG
from mailgate.reading.bounce_reports import is_refusal_of_us

DISK_LOW, DISK_FULL = 2**28, 2**24
"""Free bytes below which the disk is nearly full, and full."""
MAX_DUE_TIME = timedelta(minutes=15)
"""If an email has been due for longer than this, the queue is stuck."""
QUEUE_FULL = "We have more emails queued than we can send"
NO_ROOM, STORE_LOST = "We are short of disk space", "Temporary trouble here"
"""Reasons for accepting no new emails, as other mail servers are told."""
WAL_LARGE = 2**26
"""The size in bytes above which SQLite's write-ahead log is reported."""
UNFIT_TROUBLES = {"store-lost", "store-unusable", "disk-full", "intake-paused"}
"""Troubles with which a daemon accepts neither emails nor moves."""


class Severity(IntEnum):
    """A severity; the value is the exit status of `godaemon status`, as for monitoring plugins."""

    WARNING = 1
    FAILURE = 2


@dataclass(frozen=True, slots=True)
class Trouble:
    """A trouble: a name for programs, and a sentence with its remedy for people."""

    name: str
    sentence: str
    severity: Severity = Severity.WARNING

    def as_dict(self) -> dict[str, Any]:
        """The trouble as `godaemon status --json` has it."""
        severity = self.severity.name.lower()
        return {"name": self.name, "severity": severity, "sentence": self.sentence}


@cache
def _rows() -> Mapping[str, tuple[Severity, str]]:
    read = tomllib.loads((files("godaemon.daemon") / "troubles.toml").read_text("utf-8"))
    return {
        key: (Severity[severity.upper()], sentence)
        for severity, rows in read.items()
        for key, sentence in rows.items()
    }


def trouble(key: str, **about: object) -> Trouble:
    """The trouble of a row of troubles.toml; `about` fills its braces."""
    severity, sentence = _rows()[key]
    return Trouble(key.split(maxsplit=1)[0], sentence.format(**about), severity)


def trouble_if(wrong: object, key: str, **about: object) -> list[Trouble]:
    """The trouble of a row if something is wrong, else none."""
    return [trouble(key, **about)] if wrong else []


Check = Callable[[], Iterable[Trouble]]


def find_troubles(checks: Iterable[Check]) -> list[Trouble]:
    """The present troubles, the worst first; a check that raises is itself a trouble."""
    found = list[Trouble]()
    for check in checks:
        try:
            found += check()
        except Exception as fault:  # noqa: BLE001 - a bug of ours
            found.append(trouble("health-unknown", fault=repr(fault)))
    return sorted(found, key=lambda one: -one.severity)


@dataclass(frozen=True, slots=True)
class Measured:
    """The last measurements."""

    at: datetime
    due: int = 0
    """The number of outgoing emails that are due."""
    oldest_due: datetime | None = None
    quarantine: int = 0
    disk_free: int | None = None
    state: Path = Path()
    """The state folder, on the disk of `disk_free` bytes."""
    wal: int = 0
    """The size of SQLite's write-ahead log, in bytes."""
    store: str = ""
    """Why the store cannot be read, or ""."""
    damaged: Sequence[tuple[int, str]] = ()
    """The games that are set aside, and why."""
    overloaded: str = ""
    """Why no new emails are accepted, or ""."""
    unwritten: int = 0
    """The number of our emails that could not be composed."""
    store_missing: Path | None = None
    """Where the store was, if it was moved or removed."""
    used_up_quotas: Sequence[str] = ()
    """The quotas of strangers that are used up today."""
    refusing: Mapping[str, int] = field(default_factory=dict)
    """Domains that refused emails to several players within a day, with the number of players."""
    clocks: int = 0
    """The number of games with a running clock."""


def measured_troubles(measured: Measured) -> Iterator[Trouble]:
    """The troubles that these measurements show."""
    yield from trouble_if(measured.store_missing, "store-lost", file=measured.store_missing)
    yield from trouble_if(measured.store, "store-unusable", why=measured.store)
    for game, why in measured.damaged:
        yield trouble("game-damaged", game=game, why=why)
    yield from trouble_if(measured.wal > WAL_LARGE, "wal-grown", mib=measured.wal // 2**20)
    if measured.oldest_due is not None and measured.at - measured.oldest_due >= MAX_DUE_TIME:
        yield trouble("queue-stuck", due=measured.due, since=utc(measured.oldest_due))
    yield from trouble_if(measured.overloaded == QUEUE_FULL, "intake-paused", due=measured.due)
    yield from trouble_if(measured.unwritten, "emails-unwritten", count=measured.unwritten)
    if measured.disk_free is not None and measured.disk_free < DISK_LOW:
        name = "disk-full" if measured.disk_free < DISK_FULL else "disk-nearly-full"
        yield trouble(name, mib=measured.disk_free // 2**20, state=measured.state)
    yield from trouble_if(measured.quarantine, "quarantine", count=measured.quarantine)
    used_up = " and no more ".join(measured.used_up_quotas)
    yield from trouble_if(used_up, "strangers-put-off", what=used_up)
    for domain, count in measured.refusing.items():
        yield trouble("emails-refused", domain=domain, count=count)


def way_in_troubles(mail: Mail) -> list[Trouble]:
    """The trouble of a site with an address or a way out, but without any way in for emails."""
    ways = (mail.smtp.listen, mail.lmtp.listen, mail.imap.host)
    has_mail = "address" in mail.model_fields_set or mail.outgoing.maildir is None
    return trouble_if(has_mail and not any(ways), "no-way-in")


def overload_reason(
    due: int, disk_free: int | None, due_limit: int, *, was_overloaded: bool
) -> str:
    """Why no new emails are accepted, or ""; after an overload the queue must halve first."""
    if disk_free is not None and disk_free < DISK_FULL:
        return NO_ROOM
    return QUEUE_FULL if due >= (due_limit // 2 if was_overloaded else due_limit) else ""


def status_line(line: str, troubles: list[Trouble]) -> str:
    """The line of `systemctl status`, troubles first."""
    return " ".join(["Trouble:", *(one.sentence for one in troubles), line]) if troubles else line


def utc(moment: datetime) -> str:
    """A moment in UTC, for operators."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


MEASURE_INTERVAL = 5.0
"""Seconds between two measurements."""


class Monitor:
    """Takes the measurements of a daemon."""

    def __init__(self, core: Core) -> None:
        self._core, self._file = core, core.writer.file
        self.measured = Measured(core.clock.now())

    def overload_reason(self) -> str:
        """Why no new emails are accepted, or ""."""
        return self.measured.overloaded

    async def measure(self) -> None:
        """Take all measurements; a fault of the store is measured too, not raised."""
        now = self._core.clock.now()
        try:
            found = await self._core.writer.run(lambda unit: self._measure_store(unit, now))
        except GodaemonError as fault:
            found = Measured(now, store=fault.public)
        except Exception as fault:  # noqa: BLE001 - reported as trouble
            found = Measured(now, store=f"The store cannot be read: {fault!r}.")
        if found.store_missing:
            self.measured = replace(found, overloaded=STORE_LOST)
            return
        await asyncio.to_thread(self._core.keys.restore_file)
        free, wal = await asyncio.to_thread(self._measure_disk)
        paused = self.overload_reason() == QUEUE_FULL
        limit = self._core.settings.mail.outgoing.backlog_limit
        overloaded = overload_reason(found.due, free, limit, was_overloaded=paused)
        found = replace(found, disk_free=free, state=self._core.state, wal=wal)
        self.measured = replace(found, overloaded=overloaded)

    def _measure_store(self, unit: Unit, now: datetime) -> Measured:
        file, strangers = self._file, self._core.live.mail.limits.strangers_in_all
        unit.require_writable()
        due, oldest = unit.outbox.backlog(now)
        return Measured(
            now,
            due,
            oldest,
            quarantine=unit.inbox.count_quarantined(),
            damaged=unit.games.damaged_games(),
            unwritten=unit.outbox.count_unwritten(),
            store_missing=file if file and sqlite_file.was_removed(file) else None,
            clocks=unit.games.count_running_clocks(),
            used_up_quotas=used_up_quotas(unit, strangers, now),
            refusing=refusing_domains(unit, now, is_refusal_of_us),
        )

    def _measure_disk(self) -> tuple[int | None, int]:
        """The free bytes of the disk, and the size of SQLite's write-ahead log."""
        if self._file and sqlite_file.log_size(self._file) > LARGE_LOG:
            sqlite_file.checkpoint_log(self._file)
        try:
            disk = os.statvfs(self._core.state)
        except OSError:
            return None, 0
        free = disk.f_bavail * disk.f_frsize
        return free, sqlite_file.log_size(self._file) if self._file else 0


# -- the games, for `godaemon doctor` ------------------------------------------------------------
PAGE = 200
MAX_ALARM_DELAY = timedelta(hours=1)
"""An alarm this late was missed, because alarms are checked every few seconds."""
_CHECKED_COLUMNS = ("phase", "to_move", "move_number", "result")
"""The columns of a game's summary row that are compared with its log."""


def examine(
    unit: Unit, now: str, before: int | None = None, *, running: bool = False
) -> dict[str, Any]:
    """The troubles of a page of games below number `before`, and the next `before`, or None.

    The games come page by page, because all writers wait for a page. Late alarms are reported only
    if a daemon is `running`.
    """
    moment, rows = datetime.fromisoformat(now), unit.games.page(before, PAGE)
    found = [
        one.as_dict() for row in rows for one in _game_troubles(unit, row, moment, running=running)
    ]
    return {"troubles": found, "before": rows[-1].id if len(rows) == PAGE else None}


def _game_troubles(unit: Unit, row: GameSummary, now: datetime, *, running: bool) -> list[Trouble]:
    try:
        game = replay(row.id, unit.games.log(row.id))
    except Damaged as fault:
        return [trouble("game-damaged", game=row.id, why=fault.detail)]
    except Corrupt as fault:
        return [trouble("game-unreadable", game=row.id, why=fault.public)]
    why = "; ".join(_reasons_stuck(game, row, now, running=running))
    return trouble_if(why, "game-stuck", game=row.id, why=why)


def _reasons_stuck(game: Game, row: GameSummary, now: datetime, *, running: bool) -> Iterator[str]:
    true = summary_of(game, now)
    wrong = [name for name in _CHECKED_COLUMNS if getattr(row, name) != getattr(true, name)]
    if wrong:
        yield f"its {' and '.join(wrong)} in the list of games differs from its record"
    if not game.phase.over and not any(awaited_decision(game, seat) for seat in Seat):
        yield "it awaits neither player"
    if game.phase in {Phase.PLAYING, Phase.SCORING}:
        if row.alarm is None:
            yield "it has no timer"
        elif running and row.alarm < now - MAX_ALARM_DELAY:
            yield f"its timer should have rung at {row.alarm:%Y-%m-%d %H:%M} UTC"
