"""How much each source may ask of us."""

from __future__ import annotations

import pytest

from godaemon.errors import Temporary
from godaemon.system.source_limits import FORGOTTEN, REMEMBERED, SourceLimits, source_of


class Clock:
    """A clock that is moved by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


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
def test_what_counts_together(host: str, source: str) -> None:
    """An IPv4 address alone, with IPv6 the network that one household has."""
    assert source_of(host) == source


def test_connections_are_counted_while_they_last() -> None:
    """Each source by itself, and all together."""
    sources = SourceLimits(2, 3, Clock())
    with sources.let_in("a"):
        with sources.let_in("a"):
            with pytest.raises(Temporary, match="2 connections"), sources.let_in("a"):
                pass
            with (
                sources.let_in("b"),
                pytest.raises(Temporary, match="too many"),
                sources.let_in("c"),
            ):
                pass
        with sources.let_in("a"), sources.let_in("b"):
            pass


def test_wrong_keys_are_answered_later_and_later() -> None:
    """Up to half a minute; after an hour without one it begins anew."""
    clock = Clock()
    sources = SourceLimits(1, 1, clock)
    waits = [sources.count_wrong_key("a") for _ in range(9)]
    assert [count for count, _ in waits] == list(range(1, 10))
    assert [wait for _, wait in waits] == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
    assert sources.count_wrong_key("b") == (1, 0.5)
    clock.now += FORGOTTEN + 1
    assert sources.count_wrong_key("a") == (1, 0.5)


def test_what_is_remembered_is_bounded() -> None:
    """The source that has been quiet for the longest is forgotten first."""
    sources = SourceLimits(1, 1, Clock())
    for number in range(REMEMBERED + 1):
        sources.count_wrong_key(str(number))
    assert sources.count_wrong_key("0") == (1, 0.5)
    assert sources.count_wrong_key(str(REMEMBERED)) == (2, 1.0)
