"""People: the person behind an address, their opponents, and their blocks.

An address and its spellings with a tag (`bob+go@`) are one person. Registered domains come from the
public suffix list. Opponents and blocks are read and written within one transaction. Raises
`NotAllowed`.
"""

import re
from collections.abc import Sequence
from functools import cache

from publicsuffixlist import PublicSuffixList

from godaemon.errors import NotAllowed
from godaemon.games.commands import EmailLevel
from godaemon.games.events import LogEntry, Proposed, Taken
from godaemon.games.model import Player
from godaemon.games.stored_values import Unit
from godaemon.texts.catalogue import sentence

_DOMAINS_WITHOUT_DOTS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""Domains that ignore full stops before the @, and the canonical domain of each."""
_POSSIBLE_TAG = re.compile(r"(?<=[^=_-])[=_-].*")
"""A possible tag: qmail and Postfix separate it by a hyphen or another character."""


@cache
def public_suffixes() -> PublicSuffixList:
    """The public suffix list; a daemon reads it at its start, while it can still open files."""
    return PublicSuffixList(accept_unknown=False)


def organisation(domain: str) -> str:
    """The registered domain of a domain.

    >>> organisation("a.b.example.co.uk"), organisation("a.b.example"), organisation("localhost")
    ('example.co.uk', 'b.example', 'localhost')
    """
    domain = domain.casefold()
    return public_suffixes().privatesuffix(domain) or ".".join(domain.split(".")[-2:])


def person(address: str) -> str:
    """The person of an address: in lower case, without tag, in one spelling of Gmail's.

    >>> person("Bob+go@example.org"), person("b.o.b@googlemail.com")
    ('bob@example.org', 'bob@gmail.com')
    """
    local, at, domain = address.casefold().rpartition("@")
    local = local.partition("+")[0]
    if domain in _DOMAINS_WITHOUT_DOTS:
        local, domain = local.replace(".", ""), _DOMAINS_WITHOUT_DOTS[domain]
    return local + at + domain


def mailbox(address: str) -> str:
    """The mailbox that an address may share with similar ones, for counters.

    It is no substitute for `person`: many people have a hyphen in their names.

    >>> mailbox("Bob-7@a.example.org"), mailbox("bob+go@example.org"), mailbox("-@example.org")
    ('bob@example.org', 'bob@example.org', '-@example.org')
    """
    local, at, domain = person(address).rpartition("@")
    return _POSSIBLE_TAG.sub("", local) + at + organisation(domain)


def acquaintances(unit: Unit, address: str) -> list[Player]:
    """The opponents of an address, with their latest names; the latest opponent first."""
    found: dict[str, Player] = {}
    me = person(address)
    for row in unit.games.opponents(address):
        sides = (Player(row.black, row.black_name), Player(row.white, row.white_name))
        others = [one for one in sides if person(one.address) != me]
        if len(others) == 1 and others[0].gets_email:
            found.setdefault(person(others[0].address), others[0])
    return list(found.values())


def find_by_name(name: str, known: Sequence[Player], others: Sequence[Player] = ()) -> list[Player]:
    """The people with this name, this word in it, or (of `known`) this part before the @.

    The addresses of `others` are not searched, because they must not be revealed.
    """
    name = _fold(name)
    return (
        [one for one in known if name in (_fold(one.name), one.address.casefold().split("@")[0])]
        or [one for one in others if name == _fold(one.name)]
        or [one for one in (*known, *others) if name in one.name.casefold().split()]
    )


def knows_address(log: Sequence[LogEntry]) -> bool:
    """True if the players of a game know each other's address: they did not meet by name."""
    meetings = [entry.event for entry in log if isinstance(entry.event, Proposed | Taken)]
    return not any(isinstance(one, Taken) or one.named for one in meetings)


def known_name(unit: Unit, address: str, other: str) -> str:
    """The name of `other` if `address` learned that address in a game, else "".

    To anybody else the name would reveal who owns the address.
    """
    for row in unit.games.opponents(address):
        names = {person(row.black): row.black_name, person(row.white): row.white_name}
        if person(other) in names and knows_address(unit.games.log(row.id)):
            return names[person(other)]
    return ""


def _fold(name: str) -> str:
    return " ".join(name.casefold().split())


ANYBODY = ""


def block(unit: Unit, address: str, other: str | None) -> None:
    """Block invitations to an address from `other`, or from anybody (None)."""
    unit.players.block(person(address), ANYBODY if other is None else person(other))


def unblock(unit: Unit, address: str, other: str | None) -> None:
    """Remove an address's block of `other`, or all its blocks (None)."""
    mine = person(address)
    for one in unit.players.blocks(mine) if other is None else (person(other),):
        unit.players.unblock(mine, one)


def has_block(unit: Unit, one: str, other: str) -> bool:
    """True if one of two people has blocked the other by address."""
    one, other = person(one), person(other)
    return other in unit.players.blocks(one) or one in unit.players.blocks(other)


def blocks_everybody(unit: Unit, address: str) -> bool:
    return ANYBODY in unit.players.blocks(person(address))


def check_welcome(unit: Unit, proposer: str, invited: str, name: str) -> None:
    """Raise `NotAllowed` if `invited` has blocked `proposer` or everybody, or wants no emails.

    The sentence does not reveal the reason.
    """
    blocked = unit.players.blocks(person(invited))
    silent = unit.players.preferences(invited)[0].emails is EmailLevel.NONE
    if silent or ANYBODY in blocked or person(proposer) in blocked:
        raise NotAllowed(sentence("not-welcome", who=name), hints=("games",), detail="blocked")
