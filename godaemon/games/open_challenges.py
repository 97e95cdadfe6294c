"""Open challenges: proposals that whoever likes may take, and who sees which.

Within one transaction. Who has blocked somebody sees nothing of them here, nor they of them. Raises
`NotAllowed` and `Unknown`.
"""

from __future__ import annotations

from godaemon.errors import NotAllowed, Unknown
from godaemon.games.commands import EmailLevel
from godaemon.games.invitation_blocks import apart
from godaemon.games.model import OPEN, Phase
from godaemon.games.people import person
from godaemon.games.ranks import in_words, rank_of, within
from godaemon.games.store_protocols import GameSummary, Unit
from godaemon.texts.catalogue import told


def open_to(unit: Unit, address: str) -> list[GameSummary]:
    """The open challenges that somebody may take, and their own; the newest first."""
    rows = unit.games.summaries(OPEN, {Phase.PROPOSED})
    return [row for row in rows if is_own(row, address) or welcome(unit, row.black, address)]


def is_own(row: GameSummary, address: str) -> bool:
    """True for a challenge of the same person."""
    return person(row.black) == person(address)


def check_taking(unit: Unit, number: int, address: str) -> None:
    """Raise where there is no such challenge for somebody, whyever, or it is their own."""
    row = next((one for one in open_to(unit, address) if one.id == number), None)
    if row is None:
        raise Unknown(told("no-such-challenge", number=number), hints=("challenges",))
    if is_own(row, address):
        raise NotAllowed(told("challenge-is-yours", number=number), hints=("challenges",))


def check_rank(number: int, wanted: str, line: str) -> None:
    """Raise `NotAllowed` for who is not of the rank that a challenge is for, by their own line."""
    rank = rank_of(line)
    if within(rank, wanted):
        return
    said = told("challenge-wants-a-rank", number=number, ranks=wanted)
    if rank:
        said = told("challenge-wants-rank", number=number, ranks=wanted, rank=in_words(rank))
    example = in_words(wanted.partition("-")[0])
    raise NotAllowed(said, hints=(f"i am {example}", "challenges"))


def welcome(unit: Unit, opener: str, taker: str) -> bool:
    """True where neither has blocked the other, and the first wants letters and gets them."""
    silent = unit.players.preferences(opener)[0].emails is EmailLevel.NONE
    lost = unit.players.bouncing(opener)
    return not (apart(unit, opener, taker) or silent or (lost is not None and lost.suspended))
