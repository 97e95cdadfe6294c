"""The health of a daemon: its troubles, each a sentence with a remedy.

A check examines one thing and returns its troubles; their names, severities and sentences are rows
of troubles.toml. `monitor.daemon_checks` are the checks of a running daemon, for `godaemon status`,
the line of `systemctl status`, the metrics and the log; `doctor_checks` has those of a machine.
Pure: measurements are arguments.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

from godaemon.config.checks import check_own_address
from godaemon.system.outages_and_pauses import GAP, GRACE, Pause

DISK_LOW, DISK_FULL = 2**28, 2**24
"""Free bytes below which the disk is nearly full, and full."""
LONGEST_DUE = timedelta(minutes=15)
"""If an email has been due for longer, the queue is stuck."""
MANY = "We have more in hand than we can send"
NO_ROOM, LOST = "There is no room here just now", "Our trouble, not yours"
"""Reasons for accepting no new emails, as other mail servers are told."""
REJECTIONS_REPORTED = 3
"""The number of consecutive rejections that is reported."""
WAL_LARGE = 2**26
"""The size in bytes above which SQLite's write-ahead log is reported."""
UNFIT = {"store-lost", "store-unusable", "disk-full", "intake-paused"}
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
    """The present troubles, the worst first."""
    found = chain.from_iterable(map(_run_check, checks))
    return sorted(found, key=lambda one: -one.severity)


def _run_check(check: Check) -> list[Trouble]:
    """The result of one check; a check that raises is itself a trouble."""
    try:
        return list(check())
    except Exception as fault:  # noqa: BLE001 - a bug of ours
        return [trouble("health-unknown", fault=repr(fault))]


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
    if measured.oldest_due is not None and measured.at - measured.oldest_due >= LONGEST_DUE:
        yield trouble("queue-stuck", due=measured.due, since=utc(measured.oldest_due))
    yield from trouble_if(measured.overloaded == MANY, "intake-paused", due=measured.due)
    yield from trouble_if(measured.unwritten, "emails-unwritten", count=measured.unwritten)
    if measured.disk_free is not None and measured.disk_free < DISK_LOW:
        name = "disk-full" if measured.disk_free < DISK_FULL else "disk-nearly-full"
        yield trouble(name, mib=measured.disk_free // 2**20, state=measured.state)
    yield from trouble_if(measured.quarantine, "quarantine", count=measured.quarantine)
    used_up = " and no more ".join(measured.used_up_quotas)
    yield from trouble_if(used_up, "strangers-put-off", what=used_up)
    for domain, count in measured.refusing.items():
        yield trouble("emails-refused", domain=domain, count=count)


def overload_reason(due: int, disk_free: int | None, most_due: int, *, already: bool) -> str:
    """Why to accept no new emails, or ""; if `already` so, until the queue has halved."""
    if disk_free is not None and disk_free < DISK_FULL:
        return NO_ROOM
    return MANY if due >= (most_due // 2 if already else most_due) else ""


def emails_turned_away(count: int, answer: str, why: str) -> list[Trouble]:
    """Emails were rejected since one was last accepted; `answer` is the last rejection."""
    key = "address-unknown" if answer.startswith("5") else "emails-not-kept"
    about = {"count": count, "answer": answer, "why": why, "if_ours": _own_address_hint(why)}
    return trouble_if(count >= REJECTIONS_REPORTED, key, **about)


def _own_address_hint(address: str) -> str:
    """A hint on the option that makes an address ours; "" if it cannot be ours."""
    try:
        check_own_address(address)
    except ValueError:
        return ""
    return (
        f' If that is an address of yours, write address = "{address}" in [mail], or in a section'
        " [[mail.addresses]]."
    )


def clock_jumped(ahead: timedelta) -> list[Trouble]:
    """The machine's clock differs from ours; `ahead` is negative if it is behind."""
    way = "forward" if ahead > timedelta() else "back"
    distance = timedelta(seconds=round(abs(ahead).total_seconds()))
    return trouble_if(ahead, "clock-jumped", way=way, distance=distance)


def time_left_out(ended: datetime | None, now: datetime) -> list[Trouble]:
    """Until `ended` the clock was wrong, or no daemon ran, for more than a day."""
    if ended is None or now - ended >= GAP:
        return []
    return [trouble("clock-gap", ended=utc(ended), grace=utc(ended + GRACE))]


def clocks_paused(pause: Pause | None) -> list[Trouble]:
    """The operator has stopped the clocks of all games."""
    if pause is None:
        return []
    why = f" ({pause.reason})" if pause.reason else ""
    return [trouble("clocks-paused", begin=utc(pause.begin), why=why, end=utc(pause.end))]


def engines_uncontained(names: Sequence[str], held: Mapping[str, Any]) -> list[Trouble]:
    """The operator's engines that the kernel cannot contain."""
    missing = " and no ".join(word for word in ("landlock", "seccomp") if not held[word])
    about = {"names": ", ".join(names), "missing": missing}
    return trouble_if(names and missing, "engines-not-contained", **about)


def engines_absent(absent: Mapping[str, str]) -> list[Trouble]:
    """Engines that cannot be started, and why."""
    return [trouble("engine-absent", name=name, why=why) for name, why in sorted(absent.items())]


def postmaster_full(unread: int, most: int, folder: Path) -> list[Trouble]:
    """The operator's mailbox is full of unread emails."""
    return trouble_if(unread >= most, "postmaster-full", count=unread, folder=folder)


def group_not_in_force(socket: Path, found: str, group: str) -> list[Trouble]:
    """The control socket, made by systemd, belongs to another group than configured."""
    wrong = group and found not in {"", group}
    return trouble_if(wrong, "control-group", socket=socket, found=found, group=group)


def status_line(line: str, troubles: list[Trouble]) -> str:
    """The line of `systemctl status`, troubles first."""
    return " ".join(["Trouble:", *(one.sentence for one in troubles), line]) if troubles else line


def utc(moment: datetime) -> str:
    """A moment in UTC, for operators."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"
