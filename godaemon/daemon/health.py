"""The health of a daemon: what is not well with it, each with a sentence and its remedy.

A `Condition` looks at one thing and tells what is wrong with it, if anything. A part that has
something to tell gets one among those of `vitals.health_of`; `godaemon status`, the line of
`systemctl status` and the log ask them all. Pure: what is measured comes in as numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from itertools import chain
from pathlib import Path
from typing import Any

from godaemon.config.checks import mailbox
from godaemon.system.clock import GAP, GRACE, Pause

DISK_LOW, DISK_FULL = 2**28, 2**24
"""Free bytes below which the disk is nearly full, and full."""
LONGEST_DUE = timedelta(minutes=15)
"""How long an email of ours may be due before the queue is stuck."""
MANY = "We have more in hand than we can send"
NO_ROOM, LOST = "There is no room here just now", "Our trouble, not yours"
"""Why no new emails are taken in, as the servers that bring them are told."""
TURNED_AWAY = 3
"""So many emails that are turned away in a row are no chance."""
WAL_LARGE = 2**26
"""The bytes up to which SQLite's log of changes is left alone."""


UNFIT = {"store-lost", "store-unusable", "disk-full", "intake-paused"}
"""The troubles with which a daemon can take neither emails nor moves, whatever others do."""


class Severity(IntEnum):
    """How bad it is: the exit status of `godaemon status`, as monitoring plugins have them."""

    WARNING = 1
    FAILURE = 2


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that is not well: a name for programs, a sentence with the remedy for people."""

    name: str
    sentence: str
    severity: Severity = Severity.WARNING

    def told(self) -> dict[str, Any]:
        """The trouble as `godaemon status --json` has it."""
        severity = self.severity.name.lower()
        return {"name": self.name, "severity": severity, "sentence": self.sentence}


Condition = Callable[[], Iterable[Trouble]]


class Health:
    """All conditions of a daemon."""

    def __init__(self, *conditions: Condition) -> None:
        self._conditions = conditions

    def troubles(self) -> list[Trouble]:
        """What is not well now, the worst first."""
        found = chain.from_iterable(map(_looked_at, self._conditions))
        return sorted(found, key=lambda trouble: -trouble.severity)


def _looked_at(condition: Condition) -> list[Trouble]:
    """What a condition tells; one that fails keeps none of the others from being heard."""
    try:
        return list(condition())
    except Exception as fault:  # noqa: BLE001 - ours, whatever it is
        sentence = f"Not all can be told, by a fault of ours: {fault!r}. Please report it."
        return [Trouble("health-unknown", sentence)]


@dataclass(frozen=True, slots=True)
class Measured:
    """The numbers of a moment ago."""

    at: datetime
    due: int = 0
    """Emails of ours that could go out now."""
    oldest_due: datetime | None = None
    quarantine: int = 0
    disk_free: int | None = None
    state: Path = Path()
    """The folder that is on that disk."""
    wal: int = 0
    """The bytes of SQLite's log of changes."""
    store: str = ""
    """Why the store cannot be read; "" where it can."""
    damaged: Sequence[tuple[int, str]] = ()
    """The games that are put aside, and why each is."""
    overloaded: str = ""
    """Why no new emails are taken in; "" where they are."""
    unwritten: int = 0
    """Emails of ours that were set aside, because they could not be written."""
    lost: Path | None = None
    """The place of the store, where it was moved or removed."""
    enough: Sequence[str] = ()
    """What strangers get no more of today."""
    refusing: Mapping[str, int] = field(default_factory=dict)
    """The domains that refused emails to several players within a day, and to how many."""
    clocks: int = 0
    """In how many games a clock runs."""


def judge(measured: Measured) -> Iterator[Trouble]:
    """What is not well, by what was measured."""
    yield from _of_store(measured)
    yield from _of_letters_out(measured)
    if measured.disk_free is not None:
        yield from _room(measured.disk_free, measured.state)
    if measured.quarantine:
        sentence = (
            f"Emails in quarantine, by a fault of ours: {measured.quarantine}. Look at"
            " `godaemon mail quarantine`, and try each again by `godaemon mail retry N`."
        )
        yield Trouble("quarantine", sentence)


def store_unusable(why: str) -> Trouble:
    """The store cannot be read, as a sentence says."""
    sentence = f"{why} Look at its disk, or its server, and at `journalctl -u godaemon`."
    return Trouble("store-unusable", sentence, Severity.FAILURE)


def _of_store(measured: Measured) -> Iterator[Trouble]:
    if measured.lost:
        sentence = (
            f"{measured.lost} was moved or removed: when the daemon ends, all games are lost. If it"
            " was moved, with the files beside it, move them back. Else run `godaemon backup DEST`"
            " now, while the daemon still has them; then stop it, and run `godaemon restore DEST"
            " --move-aside`. No new emails are taken until then."
        )
        yield Trouble("store-lost", sentence, Severity.FAILURE)
    if measured.store:
        yield store_unusable(measured.store)
    for game, why in measured.damaged:
        sentence = (
            f"Game {game} is put aside, because its record is damaged ({why}); all others go on. To"
            " go back to when all were whole, stop the daemon, then `godaemon restore BACKUP"
            " --move-aside`, with a backup made before. If there are more and more such games, look"
            " at the machine's disk and memory."
        )
        yield Trouble("game-damaged", sentence, Severity.FAILURE)
    if measured.wal > WAL_LARGE:
        sentence = (
            f"The store's log of changes has grown to {measured.wal // 2**20} MiB, because it"
            " has been read for long: by the backup of a large store, which passes, or by another"
            " program; find that by `fuser -v godaemon.db`, and end it."
        )
        yield Trouble("wal-grown", sentence)


def _of_letters_out(measured: Measured) -> Iterator[Trouble]:
    if measured.oldest_due is not None and measured.at - measured.oldest_due >= LONGEST_DUE:
        sentence = (
            f"Emails go out too slowly, or not at all: {measured.due} due, the first since"
            f" {_when(measured.oldest_due)}. Look at `godaemon mail queue` and at the mail server."
        )
        yield Trouble("queue-stuck", sentence, Severity.FAILURE)
    if measured.overloaded == MANY:
        sentence = (
            f"No new emails are taken until fewer wait to go out: {measured.due} are due. Mail"
            " servers try again by themselves. `godaemon mail queue` says what holds them up; if"
            " nothing does, raise backlog_limit of [mail.outgoing]."
        )
        yield Trouble("intake-paused", sentence)
    if measured.unwritten:
        sentence = (
            f"Emails of ours that a fault of ours kept from being written: {measured.unwritten}."
            " Look at `godaemon mail queue`, and try each again by `godaemon mail retry --queue N`."
        )
        yield Trouble("emails-unwritten", sentence)


def strangers_put_off(enough: Sequence[str]) -> Iterator[Trouble]:
    """What strangers get no more of today."""
    if enough:
        sentence = (
            f"People who are new here get no more {' and no more '.join(enough)} for now: it is as"
            " many as strangers_in_all of [mail.limits] allows in 24 hours. If it is a flood, the"
            " log has where it comes from; if they are people, raise it."
        )
        yield Trouble("strangers-put-off", sentence)


def refused_by(domains: Mapping[str, int]) -> Iterator[Trouble]:
    """The mail servers of some domains refuse our emails."""
    for domain, count in domains.items():
        sentence = (
            f"Emails to {count} players at {domain} came back within a day: its server may block"
            " ours. `godaemon mail bounces` has its words; `godaemon pause` stops all clocks."
        )
        yield Trouble("emails-refused", sentence)


def overloaded(due: int, disk_free: int | None, most_due: int, *, already: bool) -> str:
    """Why no new emails are to be taken in; where none are already, until half have gone."""
    if disk_free is not None and disk_free < DISK_FULL:
        return NO_ROOM
    return MANY if due >= (most_due // 2 if already else most_due) else ""


def _room(free: int, state: Path) -> Iterator[Trouble]:
    """The disk is full, or nearly."""
    room = (
        f"only {free // 2**20} MiB are free where the games are kept: make room on the disk that"
        f" `df {state}` shows."
    )
    if free < DISK_FULL:
        sentence = f"The disk is full, {room} Emails and moves wait until then."
        yield Trouble("disk-full", sentence, Severity.FAILURE)
    elif free < DISK_LOW:
        yield Trouble("disk-nearly-full", f"The disk is nearly full, {room}")


def mailbox_unreachable(detail: str | None) -> Iterator[Trouble]:
    """The mailbox that emails are fetched from does not let us in; None where it does."""
    if detail is not None:
        sentence = f"The mailbox cannot be read: {detail} Emails wait in it until it can."
        yield Trouble("mailbox-unreachable", sentence, Severity.FAILURE)


def way_out_blocked(place: str, since: datetime | None) -> Iterator[Trouble]:
    """The next hop takes no email at all, for a reason of its own, since then."""
    if since is not None:
        sentence = (
            f"No email has gone out by {place} since {_when(since)}: is it running? They wait, and"
            " go out once it answers; `godaemon mail queue` has what it said."
        )
        yield Trouble("way-out-blocked", sentence, Severity.FAILURE)


def emails_turned_away(count: int, answer: str, why: str) -> Iterator[Trouble]:
    """So many emails were turned away since one was last taken; what the last was told, and why."""
    if count < TURNED_AWAY:
        return
    said = f"{count} emails were turned away since one was last taken, the last by: {answer}."
    if answer.startswith("5"):
        sentence = (
            f"{said} Your mail server brings what is sent to {why}: have it bring only what is sent"
            f" to us.{_if_ours(why)}"
        )
        yield Trouble("address-unknown", sentence)
    else:
        sentence = (
            f"{said} They could not be kept ({why}), and come again by themselves: look at the"
            " disk, or the database's server, and at `journalctl -u godaemon`."
        )
        # No failure: a load balancer that spared us for it would let no email come to end it.
        yield Trouble("emails-not-kept", sentence)


def _if_ours(address: str) -> str:
    """What to write where an address is ours; "" for one that can be none: anybody may try any."""
    try:
        mailbox(address)
    except ValueError:
        return ""
    return (
        f' If that is an address of yours, write address = "{address}" in [mail], or in a section'
        " [[mail.addresses]]."
    )


def certificate_bad(why: str) -> Iterator[Trouble]:
    """The files of a certificate, as they are now, would keep the daemon from starting."""
    if why:
        sentence = (
            f"{why} The certificate from before is shown still, but the daemon could not start"
            " again: put the files right before a restart."
        )
        yield Trouble("certificate-bad", sentence)


def log_lost(lines: int) -> Iterator[Trouble]:
    """So many lines of the log could not be written."""
    if lines:
        sentence = (
            f"Lines of the log that are lost: {lines}. Standard error is closed, stuck or full:"
            " mend that, and restart."
        )
        yield Trouble("log-lost", sentence)


def unseen(*, held: bool) -> Iterator[Trouble]:
    """The database's server does not have us among the living daemons."""
    if not held:
        sentence = (
            "The database does not show this godaemon among those that live, so another does what"
            " goes on by itself. Look for store.not-held in the log, and whether its server lets in"
            " three connections of each godaemon."
        )
        yield Trouble("not-held", sentence)


def clock_jumped(ahead: timedelta) -> Iterator[Trouble]:
    """The machine's clock is so far ahead of ours, or behind it."""
    if ahead:
        way = "forward" if ahead > timedelta() else "back"
        sentence = (
            f"The clock was set {way} by {timedelta(seconds=round(abs(ahead).total_seconds()))}."
            " godaemon counts on by itself, and believes it after ten minutes: if it is wrong, set"
            " it right before."
        )
        yield Trouble("clock-jumped", sentence)


def time_left_out(ended: datetime | None, now: datetime) -> Iterator[Trouble]:
    """The clock has left out days until then, or the daemon has."""
    if ended is not None and now - ended < GAP:
        sentence = (
            f"Until {_when(ended)} the clock was wrong for more than a day, or godaemon did not"
            f" run. No invitation expires and no email is given up before {_when(ended + GRACE)}:"
            " if the clock is wrong now, set it right by then."
        )
        yield Trouble("clock-gap", sentence)


def clocks_stand(pause: Pause | None) -> Iterator[Trouble]:
    """The operator has stopped the clocks of all games."""
    if pause is not None:
        why = f" ({pause.reason})" if pause.reason else ""
        sentence = (
            f"All games' clocks are stopped since {_when(pause.begin)}{why}. They start again at"
            f" {_when(pause.end)} at the latest; `godaemon resume` starts them now."
        )
        yield Trouble("clocks-paused", sentence)


def engines_at_large(names: Sequence[str], held: Mapping[str, Any]) -> Iterator[Trouble]:
    """Programs of the operator's run as engines where the kernel cannot contain them."""
    missing = [word for word in ("landlock", "seccomp") if not held[word]]
    if names and missing:
        sentence = (
            f"Engines are not contained ({', '.join(names)}): this machine has no"
            f" {' and no '.join(missing)}. They can do what godaemon can: have none that you do not"
            " trust, or write contained = false to say that you do."
        )
        yield Trouble("engines-not-contained", sentence)


def engines_absent(absent: Mapping[str, str]) -> Iterator[Trouble]:
    """Engines cannot be started, and their games wait for them."""
    for name, why in sorted(absent.items()):
        sentence = (
            f"The engine {name} does not start ({why}), and its games wait for it: install it, or"
            f" name another program in [engines.{name}]."
        )
        yield Trouble("engine-absent", sentence)


def postmaster_full(unread: int, most: int, folder: Path) -> Iterator[Trouble]:
    """As many letters to the operator wait unread as are kept."""
    if unread >= most:
        sentence = (
            f"{unread} letters to postmaster and abuse wait unread in {folder}, and no more are"
            " taken: read them, or delete them."
        )
        yield Trouble("postmaster-full", sentence)


def group_not_in_force(socket: Path, found: str, group: str) -> Iterator[Trouble]:
    """Another group than the configuration names may give orders: systemd made the socket so."""
    if group and found not in {"", group}:
        sentence = (
            f"{socket} is the group {found}'s, and the configuration names {group}: run"
            " `godaemon install-units --sockets`, which has systemd hold it for that."
        )
        yield Trouble("control-group", sentence)


def summary(line: str, troubles: list[Trouble]) -> str:
    """The line of `systemctl status`: what is not well comes first."""
    return " ".join(["Trouble:", *(one.sentence for one in troubles), line]) if troubles else line


def _when(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
