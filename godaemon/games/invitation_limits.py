"""The limits on confirmations, invitations, open challenges, and games against engines.

Within one transaction; raises `NotAllowed`. `stranger_limits` limits emails to strangers.
"""

from datetime import datetime, timedelta

from godaemon.errors import NotAllowed
from godaemon.games.model import ENGINE_PREFIX, OPEN, STARTED_PHASES, Phase
from godaemon.games.notices import Kind
from godaemon.games.people import person
from godaemon.games.stored_values import Unit
from godaemon.games.stranger_limits import WritingLimits, count_today, hour_of
from godaemon.texts.catalogue import sentence

_DAY = timedelta(days=1)


def check_confirmations(unit: Unit, limits: WritingLimits, sender: str, now: datetime) -> None:
    """Raise if an address was sent too many confirmations in the last day."""
    count = unit.outbox.count_queued((Kind.CONFIRM,), now - _DAY, to=sender)
    if count >= limits.confirmations_per_sender:
        raise _limit_refusal(sentence("asked-much"), count)


def check_invitations(
    unit: Unit, limits: WritingLimits, proposer: str, invited: str, name: str, now: datetime
) -> None:
    """Raise if `proposer` sent, or `invited` received, too many invitations in the last day."""
    count = unit.outbox.count_queued((Kind.INVITATION,), now - _DAY, by=person(proposer))
    if count >= limits.invitations_per_sender:
        raise _limit_refusal(sentence("asked-much"), count)
    count = count_today(unit, _invited_key(invited), now)
    if count >= limits.invitations_per_address and not _have_played(unit, proposer, invited):
        raise _limit_refusal(sentence("written-enough", who=name), count)


def count_invitation(unit: Unit, invited: str, now: datetime) -> None:
    unit.quotas.spend(_invited_key(invited), hour_of(now))


def check_challenges_allowed(limits: WritingLimits) -> None:
    if not limits.open_challenges:
        raise NotAllowed(sentence("no-challenges-here"), hints=("new 9x9 vs bob@example.org",))


def check_challenge_limits(unit: Unit, limits: WritingLimits, address: str, now: datetime) -> None:
    """Raise if open challenges are off, or an address opened and took too many in the last day."""
    check_challenges_allowed(limits)
    count = count_today(unit, _opened_key(address), now)
    if count >= limits.invitations_per_sender:
        raise _limit_refusal(sentence("asked-much"), count)


def check_has_name(name: str) -> None:
    """Raise for an empty name: in open challenges players know each other by name only."""
    if not name:
        raise NotAllowed(sentence("name-first"), hints=("name Margaret",))


def check_new_challenge(unit: Unit, limits: WritingLimits, address: str, now: datetime) -> None:
    """Raise like `check_challenge_limits`, or if an address has too many open challenges."""
    check_challenge_limits(unit, limits, address, now)
    waiting = [row for row in unit.games.summaries(OPEN) if person(row.black) == person(address)]
    if len(waiting) >= limits.open_challenges:
        raise NotAllowed(sentence("challenges-wait", count=len(waiting)), hints=("challenges",))


def count_challenge(unit: Unit, address: str, now: datetime) -> None:
    unit.quotas.spend(_opened_key(address), hour_of(now))


def check_engine_games(unit: Unit, limit: int, proposer: str) -> None:
    """Raise if a person plays in too many games against engines."""
    rows = unit.games.summaries(proposer, {Phase.PLAYING, Phase.SCORING})
    going = sum(
        row.black.startswith(ENGINE_PREFIX) or row.white.startswith(ENGINE_PREFIX) for row in rows
    )
    if going >= limit:
        raise NotAllowed(sentence("program-games", count=going), hints=("games",))


def _invited_key(address: str) -> str:
    return f"invited {person(address)}"


def _opened_key(address: str) -> str:
    return f"open {person(address)}"


def _have_played(unit: Unit, one: str, other: str) -> bool:
    games = {row.id for row in unit.games.summaries(other, STARTED_PHASES)}
    return any(row.id in games for row in unit.games.summaries(one, STARTED_PHASES))


def _limit_refusal(sentence: str, count: int) -> NotAllowed:
    return NotAllowed(sentence, detail=f"already {count} in a day")
