"""The limits of those who bring letters: connections, letters a minute, wrong tokens.

Mail servers of our own (`relays`, and whoever is at a Unix socket) bring the letters of many people
and are limited only together, in places of their own, so that strangers never shut them out. No
I/O; the clock comes in from outside, in seconds. What is remembered is bounded.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import lru_cache

from godaemon.errors import Temporary
from godaemon.system.source_limits import REMEMBERED, SourceLimits, network_of, source_of

_RELAYS = "our own mail servers"
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class MailLimiter:
    """Limits what hosts may ask of us; each is an address, "" at a Unix socket.

    `connections` is how many there may be in all, `per_source` from one source, and `letters` how
    many letters a source may bring a minute.
    """

    def __init__(
        self,
        relays: Iterable[str],
        *,
        connections: int,
        per_source: int,
        letters: int,
        clock: Callable[[], float],
    ) -> None:
        self._relays = tuple(ipaddress.ip_network(relay, strict=False) for relay in relays)
        self._strangers = SourceLimits(per_source, connections, clock)
        self._own = SourceLimits(connections, connections, clock)
        self._letters = letters
        self._clock = clock
        self._brought: OrderedDict[str, tuple[float, float]] = OrderedDict()

    @property
    def total(self) -> int:
        """How many connections there are."""
        return self._own.total + self._strangers.total

    def trusts(self, host: str) -> bool:
        """True for a mail server of our own."""
        return _among(self._relays, host)

    def network(self, host: str, brought_from: str) -> str:
        """The network that a letter came from, by the word of a mail server of our own; or ""."""
        if not self.trusts(host):
            return network_of(host)
        return "" if self.trusts(brought_from) else network_of(brought_from)

    def let_in(self, host: str) -> AbstractContextManager[None]:
        """Count a connection while it lasts; raises `Temporary` where there are too many."""
        if self.trusts(host):
            return self._own.let_in(_RELAYS)
        return self._strangers.let_in(source_of(host))

    def may_write(self, host: str) -> None:
        """Count a letter; raises `Temporary` where there were too many in the last minute.

        A bucket that holds a minute's letters, and fills while none come.
        """
        if self.trusts(host):
            return
        source, now = source_of(host), self._clock()
        left, since = self._brought.pop(source, (float(self._letters), now))
        left = min(float(self._letters), left + (now - since) * self._letters / 60)
        self._brought[source] = (max(left - 1, 0.0) if left >= 1 else left, now)
        if len(self._brought) > REMEMBERED:
            self._brought.popitem(last=False)
        if left < 1:
            raise Temporary("Too many letters came from your address; try again in a minute")

    def wrong_token(self, host: str) -> float:
        """Count a token that we never gave out; for how many seconds the answer must wait."""
        return 0.0 if self.trusts(host) else self._strangers.wrong_key(source_of(host))[1]


@lru_cache(maxsize=1024)  # each letter asks it three times
def _among(relays: tuple[Network, ...], host: str) -> bool:
    """Whether a host is one of those networks' ("": at a Unix socket, which is ours)."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return not host
    mapped = getattr(address, "ipv4_mapped", None) or address
    return any(mapped in relay for relay in relays)
