"""Blocks: those who are not to be invited any more, and by whom.

Within one transaction. An address and its spellings with a tag (`bob+go@`) are one person here.
Raises `NotAllowed`.
"""

from __future__ import annotations

from godaemon.errors import NotAllowed
from godaemon.games.commands import EmailLevel
from godaemon.games.people import person
from godaemon.games.store_protocols import Unit
from godaemon.texts.catalogue import told

ANYBODY = ""


def block(unit: Unit, address: str, other: str | None) -> None:
    """Let an address never be invited again by another one, or by anybody (None)."""
    unit.players.block(person(address), ANYBODY if other is None else person(other))


def unblock(unit: Unit, address: str, other: str | None) -> None:
    """Take that back for another one; or, with None, whatever there is."""
    mine = person(address)
    for one in unit.players.blocks(mine) if other is None else (person(other),):
        unit.players.unblock(mine, one)


def apart(unit: Unit, one: str, other: str) -> bool:
    """True where one of two people has blocked the other, and not just everybody."""
    one, other = person(one), person(other)
    return other in unit.players.blocks(one) or one in unit.players.blocks(other)


def wants_none(unit: Unit, address: str) -> bool:
    """True for who will be invited by nobody."""
    return ANYBODY in unit.players.blocks(person(address))


def check_welcome(unit: Unit, proposer: str, invited: str, name: str) -> None:
    """Raise `NotAllowed` where `invited` (called `name`) will have no invitations from there.

    Nor has who wants no letters at all. The words are the same whoever was meant by it.
    """
    blocked = unit.players.blocks(person(invited))
    silent = unit.players.preferences(invited)[0].emails is EmailLevel.NONE
    if silent or ANYBODY in blocked or person(proposer) in blocked:
        raise NotAllowed(told("not-welcome", who=name), hints=("games",), detail="blocked")
