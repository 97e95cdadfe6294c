"""The limits of each source of connections: how many at a time, how fast it may guess.

A source is an IPv4 address, an IPv6 network of one household (its first 64 bits), or a local user.
No I/O; the clock comes in from outside, in seconds. What is remembered is bounded.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from godaemon.errors import Temporary

REMEMBERED = 10_000
"""How many sources that showed wrong keys are remembered."""

FORGOTTEN = 3600.0
"""Seconds after which a source that showed a wrong key begins anew."""

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0


@lru_cache(maxsize=1024)
def source_of(host: str) -> str:
    """The source that an address counts to."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


@lru_cache(maxsize=1024)
def network_of(host: str) -> str:
    """The network that an address is in: 256 addresses, or those of one household with IPv6.

    >>> network_of("192.0.2.7"), network_of("2001:db8::7"), network_of("nonsense")
    ('192.0.2.0/24', '2001:db8::/64', '')
    """
    source = source_of(host)
    try:
        return str(ipaddress.ip_network(source if "/" in source else f"{source}/24", strict=False))
    except ValueError:
        return ""


class SourceLimits:
    """Counts connections and wrong keys.

    `most` is how many connections one source may have, `all_most` how many all of them.
    """

    def __init__(self, most: int, all_most: int, clock: Callable[[], float]) -> None:
        self.most = most
        self.all_most = all_most
        self._clock = clock
        self._open: dict[str, int] = {}
        self.total = 0
        """How many connections there are."""
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    @contextmanager
    def let_in(self, source: str) -> Iterator[None]:
        """Count a connection while it lasts; raises `Temporary` where there are too many."""
        if self._open.get(source, 0) >= self.most:
            raise Temporary(f"there are {self.most} connections from your address already")
        if self.total >= self.all_most:
            raise Temporary("there are too many connections")
        self._open[source] = self._open.get(source, 0) + 1
        self.total += 1
        try:
            yield
        finally:
            self.total -= 1
            self._open[source] -= 1
            if not self._open[source]:
                del self._open[source]

    def wrong_key(self, source: str) -> tuple[int, float]:
        """Count a wrong key: how many there were of late, and how long the answer must wait."""
        now = self._clock()
        count, last = self._wrong.pop(source, (0, now))
        count = 1 if now - last > FORGOTTEN else count + 1
        self._wrong[source] = (count, now)
        if len(self._wrong) > REMEMBERED:
            self._wrong.popitem(last=False)
        return count, min(_FIRST_WAIT * 2.0 ** min(count - 1, 20), _LONGEST_WAIT)
