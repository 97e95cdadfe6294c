"""The person behind an address. Pure; imports nothing."""

from __future__ import annotations

_WITHOUT_DOTS = {
    "gmail.com": "gmail.com",
    "googlemail.com": "gmail.com",
}
"""Where full stops in an address count for nothing, and the domain under which it is known."""


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
