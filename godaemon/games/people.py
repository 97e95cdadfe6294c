"""The person behind an address, and who else may be. Pure; raises nothing.

What somebody can register is known from the public suffix list, which the library brings along.
"""

from __future__ import annotations

import re
from functools import cache

from publicsuffixlist import PublicSuffixList

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
