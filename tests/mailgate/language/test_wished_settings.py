"""Settings that are asked for in sentences; chat about hours and places asks for none."""

from __future__ import annotations

import pytest

from mailgate.language.parser import is_whole_command
from mailgate.language.wished_settings import settings_in

OURS = {
    "I'd like one summary email a day please": ("digest",),
    "Can you write me only once a day please, at 8 in the evening?": ("digest at 20",),
    "Please send me my emails only once a day, at 2 at night": ("digest at 2",),
    "Please send me my emails once a day, at 9 at night": ("digest at 21",),
    "Send me my emails once a day, at 7:75": ("digest",),
    "Mike keeps sending me invitations, please stop that: mike@club.example": (
        "block mike@club.example",
    ),
    "Digest at 8 in the evening, Madrid time please": ("digest at 20", "timezone Madrid"),
    "could you write me at 7:30am once per day": ("digest at 7:30",),
    "Send me every email immediately please": ("emails all everywhere",),
    "Please send the emails at once again, not only once a day.": ("emails all everywhere",),
    "please use Berlin time": ("timezone Berlin",),
    "My time zone is America/New York please": ("timezone America/New York",),
    "I live in Tokyo, can I see deadlines in my local time?": ("timezone Tokyo",),
}
THEIRS = (
    "It is 3 am here in Madrid.",
    "I play once a day, at 8.",
    "It's lunch time in Madrid, would you like to play faster?",
    "what a nice game, one move a day is fine",
    "Digest that! :)",
)


@pytest.mark.parametrize("line", OURS)
def test_what_is_asked_for(line: str) -> None:
    """As lines that would be obeyed."""
    assert settings_in(line) == OURS[line]
    assert all(is_whole_command(one) for one in settings_in(line))


@pytest.mark.parametrize("line", THEIRS)
def test_talk(line: str) -> None:
    """Nothing is read into it."""
    assert settings_in(line) == ()
