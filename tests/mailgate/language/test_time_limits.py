"""Time limits in a proposal."""

from pathlib import Path

import pytest

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.time_systems import TimeSettings
from mailgate.language.command_lines import is_command_line
from mailgate.language.parser import parse_text
from mailgate.language.written_times import split_time
from tests.support.rows import each_row

PLAIN = "new 13x13 vs bob@example.org"
LINES = (Path(__file__).parents[2] / "data" / "time_limits.txt").read_text().splitlines()
"""`PHRASE = SETTINGS`, or what can be written instead of a phrase that may mean two things."""
PHRASES = [tuple(line.split(" = ")) for line in LINES]
CLEAR = [pair for pair in PHRASES if " | " not in pair[1]]
UNCLEAR = [pair for pair in PHRASES if " | " in pair[1]]


def proposed(line: str) -> cmd.Propose:
    (parsed,) = parse_text([line]).commands
    assert isinstance(parsed.command, cmd.Propose)
    return parsed.command


@each_row(("phrase", "settings"), CLEAR)
def test_a_time_limit_is_read(phrase: str, settings: str) -> None:
    """Anywhere in the line; the other words do not change."""
    for line in (f"{PLAIN} {phrase}", f"new 13x13 {phrase} vs bob@example.org"):
        wanted = proposed(line)
        assert wanted.time == ("" if settings == "none" else settings)
        assert (wanted.opponent, str(wanted.size)) == ("bob@example.org", "13x13")


def test_stored_settings_are_readable() -> None:
    """Our own form of each is one of those that are read."""
    for settings in {settings for _, settings in CLEAR} - {"none"}:
        assert proposed(f"{PLAIN} time {settings}").time == str(TimeSettings.parse(settings))


@pytest.mark.parametrize(("phrase", "instead"), UNCLEAR)
def test_an_ambiguous_time_limit_is_refused(phrase: str, instead: str) -> None:
    """Each hint is the proposal with one of the meanings."""
    with pytest.raises(Unreadable) as caught:
        parse_text([f"new 13x13 {phrase} vs bob@example.org"])
    assert list(caught.value.hints) == [f"{PLAIN} {one}" for one in instead.split(" | ")]
    assert all(map(is_command_line, caught.value.hints))


NO_LIMIT = r"I don.t understand|A time limit is"


@pytest.mark.parametrize(
    ("phrase", "why"),
    [
        ("900 days each", "year"),
        *((one, "a minute") for one in ("1 second per move", "1x30s", "50 seconds each")),
        *((one, NO_LIMIT) for one in ("0 days per move", "0h each", "0.5 s per move")),
        *((one, NO_LIMIT) for one in ("300 moves in 10 days", "1h + 100 moves in 10 min")),
        *((one, NO_LIMIT) for one in ("3d 2d per move", "3 days a month each")),
        ("3 days per move no time limit", NO_LIMIT),
    ],
)
def test_an_impossible_time_limit_is_refused(phrase: str, why: str) -> None:
    """Too long, too short, or none; with lines that would work."""
    with pytest.raises(Unreadable, match=why) as caught:
        parse_text([f"{PLAIN} {phrase}"])
    assert all(map(is_command_line, caught.value.hints))


@pytest.mark.parametrize("name", ["Tim Clock", "Ann Bank"])
def test_a_name_is_no_time_limit(name: str) -> None:
    """A word of time that ends who is to be played with is theirs."""
    assert split_time(f"9x9 vs {name}") == ("", f"9x9 vs {name}")
