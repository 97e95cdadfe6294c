"""Limits on each source: simultaneous connections, wrong keys, and emails per minute.

A source is an IPv4 address, an IPv6 network of one household (its first 64 bits), or a local user.
Our own mail servers (`relays`, and clients of a Unix socket) bring the emails of many people. They
have separate limits, so that strangers never lock them out. No I/O; the clock, in seconds, is an
argument. Memory is bounded.
"""

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache

from godaemon.errors import Temporary

MAX_SOURCES = 10_000
"""The limit on remembered sources."""

MEMORY_SECONDS = 3600.0
"""Seconds after which a source's wrong keys are forgotten."""

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0


@lru_cache(maxsize=1024)
def source_of(host: str) -> str:
    """The source that an address belongs to."""
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
    """The network of an address: 256 IPv4 addresses, or an IPv6 household.

    >>> network_of("192.0.2.7"), network_of("2001:db8::7"), network_of("nonsense")
    ('192.0.2.0/24', '2001:db8::/64', '')
    """
    source = source_of(host)
    try:
        return str(ipaddress.ip_network(source if "/" in source else f"{source}/24", strict=False))
    except ValueError:
        return ""


class SourceLimits:
    """Counts wrong keys and connections: `source_limit` for a source, `total_limit` in all."""

    def __init__(self, source_limit: int, total_limit: int, clock: Callable[[], float]) -> None:
        self.source_limit = source_limit
        self.total_limit = total_limit
        self._clock = clock
        self._open: dict[str, int] = {}
        self.total = 0
        """The number of open connections."""
        self._wrong_keys: OrderedDict[str, tuple[int, float]] = OrderedDict()

    @contextmanager
    def let_in(self, source: str) -> Iterator[None]:
        """Count a connection while it lasts; raises `Temporary` if there are too many."""
        if self._open.get(source, 0) >= self.source_limit:
            raise Temporary(f"there are {self.source_limit} connections from your address already")
        if self.total >= self.total_limit:
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

    def count_wrong_key(self, source: str) -> tuple[int, float]:
        """Count a wrong key; returns the recent count and the delay in seconds."""
        now = self._clock()
        count, last_time = self._wrong_keys.pop(source, (0, now))
        count = 1 if now - last_time > MEMORY_SECONDS else count + 1
        self._wrong_keys[source] = (count, now)
        if len(self._wrong_keys) > MAX_SOURCES:
            self._wrong_keys.popitem(last=False)
        return count, min(_FIRST_WAIT * 2.0 ** min(count - 1, 20), _LONGEST_WAIT)


_RELAYS = "our own mail servers"
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class MailLimiter:
    """Limits on hosts that deliver email; a host is an address, or "" at a Unix socket.

    `connections` is the limit on all connections, `per_source` on those of one source, `letters`
    on the emails of one source per minute.
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
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    @property
    def total(self) -> int:
        return self._own.total + self._strangers.total

    def trusts(self, host: str) -> bool:
        """True for one of our own mail servers."""
        return _is_among(self._relays, host)

    def network(self, host: str, origin: str) -> str:
        """The network that an email came from, or ""; our own mail servers report it."""
        if not self.trusts(host):
            return network_of(host)
        return "" if self.trusts(origin) else network_of(origin)

    def let_in(self, host: str) -> AbstractContextManager[None]:
        """Count a connection while it lasts; raises `Temporary` if there are too many."""
        if self.trusts(host):
            return self._own.let_in(_RELAYS)
        return self._strangers.let_in(source_of(host))

    def count_letter(self, host: str) -> None:
        """Count an email in a token bucket of one minute; raises `Temporary` if it is empty."""
        if self.trusts(host):
            return
        source, now = source_of(host), self._clock()
        tokens, last_time = self._buckets.pop(source, (float(self._letters), now))
        tokens = min(float(self._letters), tokens + (now - last_time) * self._letters / 60)
        self._buckets[source] = (max(tokens - 1, 0.0) if tokens >= 1 else tokens, now)
        if len(self._buckets) > MAX_SOURCES:
            self._buckets.popitem(last=False)
        if tokens < 1:
            raise Temporary("Too many emails came from your address; try again in a minute")

    def count_wrong_token(self, host: str) -> float:
        """Count a forged token; returns the delay of the answer in seconds."""
        return 0.0 if self.trusts(host) else self._strangers.count_wrong_key(source_of(host))[1]


@lru_cache(maxsize=1024)  # called three times for each email
def _is_among(relays: tuple[Network, ...], host: str) -> bool:
    """True if a host is in one of these networks; "" (a Unix socket) always is."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return not host
    plain = getattr(address, "ipv4_mapped", None) or address
    return any(plain in relay for relay in relays)
