"""Limits on what one person may make us write to others, in a day.

Reads the transaction it is given, and writes what it counts; raises `NotAllowed`.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol

from godaemon.errors import NotAllowed
from godaemon.games.model import BEGUN, ENGINE, OPEN, Phase
from godaemon.games.notices import Kind
from godaemon.games.people import person
from godaemon.games.store_protocols import Unit
from godaemon.texts.catalogue import told

_DAY = timedelta(days=1)


class WritingLimits(Protocol):
    """Letters a day that one person can make us write; `godaemon.config`'s [mail.limits] is one."""

    confirmations_per_sender: int
    """Questions whether what came in their name is theirs."""
    invitations_per_sender: int
    """Invitations by one person."""
    invitations_per_address: int
    """Invitations to one person by those whom they have never played."""
    open_challenges: int
    """Open challenges of one person that wait at a time; 0 where there are none at all."""
    letters_per_stranger: int
    """Letters of all kinds to one person of whom we know nothing."""
    strangers_per_domain: int
    """Letters to such people that the letters of one domain make us write."""
    strangers_per_network: int
    """Those that the letters of one network make us write."""
    strangers_in_all: int
    """Those that all letters make us write."""


def hour_of(now: datetime) -> int:
    """The hour in which something is counted, since 1970."""
    return int(now.timestamp()) // 3600


def spent_today(unit: Unit, name: str, now: datetime) -> int:
    """How much was counted by a name in the last 24 hours."""
    return unit.quotas.spent(name, hour_of(now) - 24, hour_of(now))


def check_confirmations(unit: Unit, limits: WritingLimits, sender: str, now: datetime) -> None:
    """Raise where an address has been asked to confirm what came in its name often enough."""
    asked = unit.outbox.owed_since((Kind.CONFIRM,), now - _DAY, to=sender)
    if asked >= limits.confirmations_per_sender:
        raise _enough(told("asked-enough"), asked)


def check_invitations(
    unit: Unit, limits: WritingLimits, proposer: str, invited: str, name: str, now: datetime
) -> None:
    """Raise where `proposer` has invited, or `invited` (called `name`) been invited, enough."""
    of, since = (Kind.INVITATION,), now - _DAY
    sent = unit.outbox.owed_since(of, since, by=person(proposer))
    if sent >= limits.invitations_per_sender:
        raise _enough(told("invited-enough"), sent)
    had = spent_today(unit, _invited(invited), now)
    if had >= limits.invitations_per_address and not _acquainted(unit, proposer, invited):
        raise _enough(told("they-are-invited-enough", who=name), had)


def count_invitation(unit: Unit, invited: str, now: datetime) -> None:
    """Count one to `invited`, whatever tag their address has."""
    unit.quotas.spend(_invited(invited), hour_of(now))


def check_open_here(limits: WritingLimits) -> None:
    """Raise where there are no open challenges."""
    if not limits.open_challenges:
        raise NotAllowed(told("no-challenges-here"), hints=("new 9x9 vs bob@example.org",))


def check_open(unit: Unit, limits: WritingLimits, who: str, now: datetime) -> None:
    """Raise where there are no open challenges, or one has opened and taken enough of them."""
    check_open_here(limits)
    had = spent_today(unit, _opened(who), now)
    if had >= limits.invitations_per_sender:
        raise _enough(told("begun-enough"), had)


def check_named(name: str) -> None:
    """Raise where somebody whom others meet by their name has not said it."""
    if not name:
        raise NotAllowed(told("name-first"), hints=("name Margaret",))


def check_opening(unit: Unit, limits: WritingLimits, who: str, now: datetime) -> None:
    """Raise `check_open`'s, and where as many of theirs wait as may."""
    check_open(unit, limits, who, now)
    waiting = [row for row in unit.games.summaries(OPEN) if person(row.black) == person(who)]
    if len(waiting) >= limits.open_challenges:
        raise NotAllowed(told("challenges-wait", count=len(waiting)), hints=("challenges",))


def count_open(unit: Unit, who: str, now: datetime) -> None:
    """Count one that was opened or taken."""
    unit.quotas.spend(_opened(who), hour_of(now))


def check_engine_games(unit: Unit, most: int, proposer: str) -> None:
    """Raise where `proposer` has `most` games against engines going already."""
    rows = unit.games.summaries(proposer, {Phase.PLAYING, Phase.SCORING})
    going = sum(row.black.startswith(ENGINE) or row.white.startswith(ENGINE) for row in rows)
    if going >= most:
        raise NotAllowed(told("program-games", count=going), hints=("games",))


def _invited(address: str) -> str:
    return f"invited {person(address)}"


def _opened(who: str) -> str:
    return f"open {person(who)}"


def _acquainted(unit: Unit, one: str, other: str) -> bool:
    """True where the two have played each other, or do."""
    theirs = {row.id for row in unit.games.summaries(other, BEGUN)}
    return any(row.id in theirs for row in unit.games.summaries(one, BEGUN))


def _enough(sentence: str, count: int) -> NotAllowed:
    return NotAllowed(sentence, detail=f"{count} in a day are enough")
