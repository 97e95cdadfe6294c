"""Limits per source address."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from godaemon.errors import Temporary
from godaemon.system.source_limits import (
    MAX_SOURCES,
    MEMORY_SECONDS,
    MailLimiter,
    SourceLimits,
    source_of,
)


class Clock:
    """A clock that is moved by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def limiter(*relays: str) -> MailLimiter:
    """One connection and one letter a minute for each source, three connections in all."""
    return MailLimiter(relays, connections=3, per_source=1, letters=1, clock=Clock())


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize(
    ("host", "source"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unix", "unix"),
    ],
)
def test_the_source_of_an_address(host: str, source: str) -> None:
    """An IPv4 address is one source; so is the IPv6 network of a household."""
    assert source_of(host) == source


def test_open_connections_are_limited(stack: ExitStack) -> None:
    """Per source, and in total."""
    sources = SourceLimits(2, 3, Clock())
    with sources.let_in("a"):
        stack.enter_context(sources.let_in("a"))
        with pytest.raises(Temporary, match="2 connections"), sources.let_in("a"):
            pass
        stack.enter_context(sources.let_in("b"))
        with pytest.raises(Temporary, match="too many"), sources.let_in("c"):
            pass
    stack.enter_context(sources.let_in("a"))


def test_strangers_leave_room_for_relays(stack: ExitStack) -> None:
    """If strangers hold all their places, our mail server can still connect."""
    guard = limiter("192.0.2.1")
    for host in ("198.51.100.1", "198.51.100.2", "2001:db8::"):
        stack.enter_context(guard.let_in(host))
    with pytest.raises(Temporary), guard.let_in("198.51.100.3"):
        pass
    for host in ("192.0.2.1", "192.0.2.1", ""):
        stack.enter_context(guard.let_in(host))


@pytest.mark.parametrize(
    ("host", "trusted"),
    [
        ("", True),
        ("192.0.2.7", True),
        ("::ffff:192.0.2.7", True),
        ("2001:db8::5", True),
        ("192.0.3.7", False),
        ("2001:db8::6", False),
        ("?", False),
        ("127.0.0.1", False),
    ],
)
def test_trusted_relays(host: str, trusted: bool) -> None:
    """Unix sockets and the configured networks."""
    guard = limiter("192.0.2.0/24", "2001:db8::5")
    assert guard.trusts(host) is trusted
    assert (guard.count_wrong_token(host) == 0) is trusted
    guard.count_letter(host)
    if trusted:
        guard.count_letter(host)
    else:
        with pytest.raises(Temporary):
            guard.count_letter(host)


def test_a_household_shares_its_letter_limit() -> None:
    """It has too many IPv6 addresses to count each."""
    guard = limiter()
    guard.count_letter("2001:db8::1")
    with pytest.raises(Temporary):
        guard.count_letter("2001:db8::2")
    guard.count_letter("2001:db8:0:1::1")


def test_wrong_keys_are_answered_with_growing_delay() -> None:
    """Up to half a minute, for this source; an hour without a failure resets it."""
    clock = Clock()
    sources = SourceLimits(1, 1, clock)
    waits = (0.5, 1, 2, 4, 8, 16, 30, 30, 30)
    assert [sources.count_wrong_key("a") for _ in waits] == [*enumerate(waits, 1)]
    assert sources.count_wrong_key("b") == (1, 0.5)
    clock.now += MEMORY_SECONDS + 1
    assert sources.count_wrong_key("a") == (1, 0.5)


def test_the_number_of_remembered_sources_is_limited() -> None:
    """The one that was quiet for longest is forgotten first."""
    guard, strangers = limiter(), [f"10.0.{n >> 8}.{n & 255}" for n in range(MAX_SOURCES + 1)]
    for host in strangers:
        guard.count_letter(host)
        assert guard.count_wrong_token(host) == 0.5
    assert guard.count_wrong_token(strangers[-1]) == 1.0
    assert guard.count_wrong_token(strangers[0]) == 0.5
    assert len(guard._buckets) == len(guard._strangers._wrong_keys) == MAX_SOURCES
