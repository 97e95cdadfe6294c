"""The health of a daemon: each thing that is wrong with it, as a sentence with its remedy.

A check looks at one thing and yields its troubles; their names, severities and sentences are rows
of troubles.toml. `monitor.daemon_checks` are those of a running daemon, which `godaemon status`,
the line of `systemctl status`, the metrics and the log all ask; `doctor` has those of a machine.
Pure: what is measured comes in as numbers.
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
"""An email that is due for longer means that the queue is stuck."""
MANY = "We have more in hand than we can send"
NO_ROOM, LOST = "There is no room here just now", "Our trouble, not yours"
"""Reasons for taking no new emails, as told to the delivering mail servers."""
TURNED_AWAY = 3
"""This many consecutive rejections are not a coincidence."""
WAL_LARGE = 2**26
"""The size in bytes up to which SQLite's write-ahead log is no cause for concern."""
UNFIT = {"store-lost", "store-unusable", "disk-full", "intake-paused"}
"""Troubles with which this daemon takes neither emails nor moves, so that others should be used."""


class Severity(IntEnum):
    """The value is the exit status of `godaemon status`, as monitoring plugins use it."""

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
    """The trouble of a row of troubles.toml, with its braces filled in."""
    severity, sentence = _rows()[key]
    return Trouble(key.split(maxsplit=1)[0], sentence.format(**about), severity)


def trouble_if(wrong: object, key: str, **about: object) -> list[Trouble]:
    """The trouble of a row if something is wrong, else none."""
    return [trouble(key, **about)] if wrong else []


Check = Callable[[], Iterable[Trouble]]


def find_troubles(checks: Iterable[Check]) -> list[Trouble]:
    """What is wrong now, the worst first."""
    found = chain.from_iterable(map(_run_check, checks))
    return sorted(found, key=lambda one: -one.severity)


def _run_check(check: Check) -> list[Trouble]:
    """The result of one check; a failing check does not hide the others."""
    try:
        return list(check())
    except Exception as fault:  # noqa: BLE001 - ours, whatever it is
        return [trouble("health-unknown", fault=repr(fault))]


@dataclass(frozen=True, slots=True)
class Measured:
    """The last measurements."""

    at: datetime
    due: int = 0
    """Number of outgoing emails that are due."""
    oldest_due: datetime | None = None
    quarantine: int = 0
    disk_free: int | None = None
    state: Path = Path()
    """The state folder, which is on that disk."""
    wal: int = 0
    """Size of SQLite's write-ahead log, in bytes."""
    store: str = ""
    """Why the store cannot be read, or ""."""
    damaged: Sequence[tuple[int, str]] = ()
    """The games that are put aside, and why each is."""
    overloaded: str = ""
    """Why no new emails are taken in, or ""."""
    unwritten: int = 0
    """Emails of ours that were set aside, because they could not be written."""
    store_missing: Path | None = None
    """Where the store was, if it was moved or removed."""
    used_up_quotas: Sequence[str] = ()
    """The quotas of strangers that are used up today."""
    refusing: Mapping[str, int] = field(default_factory=dict)
    """Domains that refused emails to several players within a day, with the number of players."""
    clocks: int = 0
    """Number of games with a running clock."""


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
    """Why to refuse new emails, or ""; once refusing, go on until the queue has halved."""
    if disk_free is not None and disk_free < DISK_FULL:
        return NO_ROOM
    return MANY if due >= (most_due // 2 if already else most_due) else ""


def emails_turned_away(count: int, answer: str, why: str) -> list[Trouble]:
    """Emails were turned away since one was last accepted, with this last answer."""
    key = "address-unknown" if answer.startswith("5") else "emails-not-kept"
    about = {"count": count, "answer": answer, "why": why, "if_ours": _own_address_hint(why)}
    return trouble_if(count >= TURNED_AWAY, key, **about)


def _own_address_hint(address: str) -> str:
    """The option to set if the address is meant to be ours; "" if it cannot be ours."""
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
    """Until `ended` the clock was wrong for days, or no daemon ran."""
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
