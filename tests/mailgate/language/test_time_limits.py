"""Time limits in a proposal."""

from pathlib import Path

import pytest

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.time_systems import TimeSettings
from mailgate.language.command_lines import is_command_line
from mailgate.language.new_game import EXAMPLE
from mailgate.language.parser import parse_text
from mailgate.language.written_times import split_time

PLAIN = "new 13x13 vs bob@example.org"
LINES = (Path(__file__).parents[2] / "data" / "time_limits.txt").read_text().splitlines()
"""`PHRASE = SETTINGS`, or what can be written instead of a phrase that may mean two things."""
PHRASES = [tuple(line.split(" = ")) for line in LINES]
PLAINLY = [pair for pair in PHRASES if " | " not in pair[1]]
UNCLEAR = [pair for pair in PHRASES if " | " in pair[1]]


def proposed(line: str) -> cmd.Propose:
    (parsed,) = parse_text([line]).commands
    assert isinstance(parsed.command, cmd.Propose)
    return parsed.command


@pytest.mark.parametrize(("phrase", "settings"), PLAINLY)
def test_a_limit_is_read_wherever_it_stands(phrase: str, settings: str) -> None:
    """The words give these settings, and leave the other words unchanged."""
    for line in (f"{PLAIN} {phrase}", f"new 13x13 {phrase} vs bob@example.org"):
        wanted = proposed(line)
        assert wanted.time == ("" if settings == "none" else settings)
        assert (wanted.opponent, str(wanted.size)) == ("bob@example.org", "13x13")


def test_what_is_kept_can_be_written() -> None:
    """Our own form of each is one of those that are read."""
    for settings in {settings for _, settings in PLAINLY} - {"none"}:
        assert proposed(f"{PLAIN} time {settings}").time == str(TimeSettings.parse(settings))


@pytest.mark.parametrize(("phrase", "instead"), UNCLEAR)
def test_what_may_mean_two_things_is_asked_about(phrase: str, instead: str) -> None:
    """Nothing is proposed, and each hint is the proposal with one of them."""
    with pytest.raises(Unreadable) as caught:
        parse_text([f"new 13x13 {phrase} vs bob@example.org"])
    assert list(caught.value.hints) == [f"{PLAIN} {one}" for one in instead.split(" | ")]
    assert all(map(is_command_line, caught.value.hints))


NO_CLOCK = r"I don.t understand|A time limit is"


@pytest.mark.parametrize(
    ("phrase", "why"),
    [
        ("900 days each", "year"),
        *((one, "a minute") for one in ("1 second per move", "1x30s", "50 seconds each")),
        *((one, NO_CLOCK) for one in ("0 days per move", "0h each", "0.5 s per move")),
        *((one, NO_CLOCK) for one in ("300 moves in 10 days", "1h + 100 moves in 10 min")),
        *((one, NO_CLOCK) for one in ("3d 2d per move", "3 days a month each")),
        ("3 days per move no time limit", NO_CLOCK),
    ],
)
def test_what_no_clock_can_keep_is_refused(phrase: str, why: str) -> None:
    """What is too long or too short, and what is no limit: with what would work."""
    with pytest.raises(Unreadable, match=why) as caught:
        parse_text([f"{PLAIN} {phrase}"])
    assert all(map(is_command_line, caught.value.hints))


@pytest.mark.parametrize("name", ["Tim Clock", "Ann Bank"])
def test_a_name_is_no_limit(name: str) -> None:
    """A word of time that ends who is to be played with is theirs."""
    assert split_time(f"9x9 vs {name}") == ("", f"9x9 vs {name}")


@pytest.mark.parametrize("line", [PLAIN, "new 9x9 (rated) vs bob@example.org"])
def test_who_says_nothing_leaves_it_open(line: str) -> None:
    """The usual settings are for who proposes to look up; brackets say nothing."""
    assert proposed(line).time is None


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


@pytest.mark.parametrize(
    ("line", "opponent"),
    [
        ("new 9x9 vs Max 3d per move", "max"),
        ("new 9x9 vs. Max, three days each move", "max"),
        ("new 9x9 against Max 3d per move", "max"),
        ("new 3d per move vs Each", "each"),
    ],
)
def test_no_name_is_a_time(line: str, opponent: str) -> None:
    """Who is called Max may be invited with a time limit, as anybody may."""
    wanted = proposed(line)
    assert wanted.opponent.endswith(opponent)
    assert wanted.time == "3d/move"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("new 9x9 vs bob@x.example weekly", "new 9x9 vs bob@x.example"),
        ("new blitzy 9x9 weekly vs bob@x.example 3d each", "new 9x9 vs bob@x.example 3d each"),
        ("new 9x9 weekly", EXAMPLE),
    ],
)
def test_a_proposal_is_offered_without_what_nobody_understands(line: str, hint: str) -> None:
    """All the rest stays as it was written, and nothing is added."""
    with pytest.raises(Unreadable) as fault:
        parse_text([line])
    assert fault.value.hints == (hint,)
