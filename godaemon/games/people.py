"""People: the person behind an address, whom they have played, and whom they have blocked.

An address and its spellings with a tag (`bob+go@`) are one person. Registered domains come from the
public suffix list. Acquaintances and blocks are read and written within one transaction. Raises
`NotAllowed`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from publicsuffixlist import PublicSuffixList

from godaemon.errors import NotAllowed
from godaemon.games.commands import EmailLevel
from godaemon.games.events import LogEntry, Proposed, Taken
from godaemon.games.model import Player
from godaemon.games.store_protocols import Unit
from godaemon.texts.catalogue import told

_WITHOUT_DOTS = {
    "gmail.com": "gmail.com",
    "googlemail.com": "gmail.com",
}
"""Where full stops in an address count for nothing, and the domain under which it is known."""
_TAGGED = re.compile(r"(?<=[^=_-])[=_-].*")
"""What may be a tag: qmail's and Postfix's are set off by a hyphen or whatever else they choose."""


@cache
def public_suffixes() -> PublicSuffixList:
    """The list, which is read once: a daemon does so at its start, while it has files to open."""
    return PublicSuffixList(accept_unknown=False)


def organisation(domain: str) -> str:
    """The domain that somebody registered, of one that may be below it.

    >>> organisation("a.b.example.co.uk"), organisation("a.b.example"), organisation("localhost")
    ('example.co.uk', 'b.example', 'localhost')
    """
    domain = domain.casefold()
    return public_suffixes().privatesuffix(domain) or ".".join(domain.split(".")[-2:])


def person(address: str) -> str:
    """The person of an address: in small letters, without its tag, by one spelling of Gmail's.

    >>> person("Bob+go@example.org"), person("b.o.b@googlemail.com")
    ('bob@example.org', 'bob@gmail.com')
    """
    local, at, domain = address.casefold().rpartition("@")
    local = local.partition("+")[0]
    if domain in _WITHOUT_DOTS:
        local, domain = local.replace(".", ""), _WITHOUT_DOTS[domain]
    return local + at + domain


def mailbox(address: str) -> str:
    """The one to which an address of somebody unknown may belong, as do others that look like it.

    Many people have a hyphen in their names: it is for counting, and says nothing of who they are.

    >>> mailbox("Bob-7@a.example.org"), mailbox("bob+go@example.org"), mailbox("-@example.org")
    ('bob@example.org', 'bob@example.org', '-@example.org')
    """
    local, at, domain = person(address).rpartition("@")
    return _TAGGED.sub("", local) + at + organisation(domain)


def acquaintances(unit: Unit, address: str) -> list[Player]:
    """They, as they called themselves last; those first with whom `address` played last."""
    found: dict[str, Player] = {}
    me = person(address)
    for row in unit.games.opponents(address):
        sides = (Player(row.black, row.black_name), Player(row.white, row.white_name))
        others = [one for one in sides if person(one.address) != me]
        if len(others) == 1 and others[0].mailed:
            found.setdefault(person(others[0].address), others[0])
    return list(found.values())


def called(name: str, known: Sequence[Player], others: Sequence[Player] = ()) -> list[Player]:
    """Those who have a name: it may stand before the @ of an acquaintance, or be a part of one.

    Of `others` nothing is told of their addresses.
    """
    name = _words(name)
    return (
        [one for one in known if name in (_words(one.name), one.address.casefold().split("@")[0])]
        or [one for one in others if name == _words(one.name)]
        or [one for one in (*known, *others) if name in one.name.casefold().split()]
    )


def knows_address(log: Sequence[LogEntry]) -> bool:
    """Whether the players of a game were told each other's address: not where they met by name."""
    met = [entry.event for entry in log if isinstance(entry.event, Proposed | Taken)]
    return not any(isinstance(one, Taken) or one.named for one in met)


def name_told(unit: Unit, address: str, other: str) -> str:
    """What another is called in the games of an address that was told theirs; "" where it was not.

    Who guesses an address, of somebody whom they met by name, would learn whose it is.
    """
    for row in unit.games.opponents(address):
        names = {person(row.black): row.black_name, person(row.white): row.white_name}
        if person(other) in names and knows_address(unit.games.log(row.id)):
            return names[person(other)]
    return ""


def _words(name: str) -> str:
    return " ".join(name.casefold().split())


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
