"""Time limits in a proposal: there are none yet, and whoever writes one is told so."""

from __future__ import annotations

import pytest

from godaemon.errors import Unreadable
from mailgate.language.parser import is_command_line, parse_text

PLAIN = "new 13x13 vs bob@example.org"


@pytest.mark.parametrize(
    "limit",
    [
        *("3 days per move", "3 days/move", "one week per move", "with 2 days a move", "3d"),
        *("1h each", "30 min per player", "45 minutes", "24 hours for each move", "90 sec/move"),
        *("byo-yomi 5x30s", "1h + 5x30 byo-yomi", "10 minutes and 3 x 20 s", "fischer 3d+1d"),
        *("canadian 20 minutes", "with a clock", "time limit 3 days", "time control 1 hour"),
    ],
)
@pytest.mark.parametrize("line", ["{} {}", "new 13x13 {} vs bob@example.org"])
def test_a_limit_is_named_and_the_rest_offered(line: str, limit: str) -> None:
    """The answer says what cannot be kept, and its hint proposes all of the rest."""
    written = line.format(PLAIN, limit) if line.startswith("{}") else line.format(limit)
    with pytest.raises(Unreadable) as caught:
        parse_text([written])
    assert "no clocks" in caught.value.public
    assert "there twice" not in caught.value.public
    (hint,) = caught.value.hints
    assert hint == PLAIN
    assert is_command_line(hint)


@pytest.mark.parametrize("words", ["untimed", "no clock", "no time limit", "without time limits"])
def test_no_limit_is_what_there_is(words: str) -> None:
    """Who asks for no clock gets none."""
    assert parse_text([f"{PLAIN} {words}"]).commands[0].command == (
        parse_text([PLAIN]).commands[0].command
    )


@pytest.mark.parametrize(
    "line",
    [
        "new 9x9 vs 3d@example.org",
        "new 19 vs m@example.org as w",
        "new 13x13 komi 6.5 handicap 2 vs s@h.example",
        "new 9x9 as black vs a@example.org",
    ],
)
def test_an_address_is_no_limit(line: str) -> None:
    """Nor are a size, a komi or a colour."""
    assert parse_text([line]).commands


@pytest.mark.parametrize(
    "written", [".x@y.example", "..x@y.example", "x..z@y.example", "x.@y.example"]
)
def test_an_address_is_kept_as_it_was_written(written: str) -> None:
    """What is no address is refused, and not mended into somebody else's."""
    with pytest.raises(Unreadable, match="not an email address"):
        parse_text([f"new 9x9 vs {written}"])
