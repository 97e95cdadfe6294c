"""Time zones as people name them."""

from __future__ import annotations

import pytest

from godaemon.errors import Unknown
from godaemon.games.time_zones import find_zone


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("EUROPE/BERLIN", "Europe/Berlin"),
        ("berlin", "Europe/Berlin"),
        ("New York", "America/New_York"),
        ("america/argentina/buenos aires", "America/Argentina/Buenos_Aires"),
        ("utc", "UTC"),
        ("Etc/GMT+3", "Etc/GMT+3"),
        ("Germany", "Europe/Berlin"),
        ("france", "Europe/Paris"),
        ("UK", "Europe/London"),
        ("Singapore", "Asia/Singapore"),
    ],
)
def test_zones(said: str, zone: str) -> None:
    """By their names in any case, by the city, or by a country that has one for nearly all."""
    assert find_zone(said) == zone


def test_no_such_zone() -> None:
    """What is near is offered as one would write it."""
    with pytest.raises(Unknown) as caught:
        find_zone("Europe/Berlim")
    assert caught.value.hints[0] == "timezone Europe/Berlin"


@pytest.mark.parametrize(
    ("said", "first"), [("USA", "America/New_York"), ("Hamburg", "Europe/London")]
)
def test_which_zone(said: str, first: str) -> None:
    """Of a country's those with many people; never one that is only spelt a little like it."""
    with pytest.raises(Unknown, match="a large city that has your time") as caught:
        find_zone(said)
    assert caught.value.hints[0] == f"timezone {first}"
    assert "Africa" not in str(caught.value.hints)
