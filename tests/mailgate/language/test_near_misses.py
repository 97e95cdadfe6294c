"""Near misses of commands are pointed out; greetings and talk are not."""

import pytest

from godaemon.errors import Unreadable
from mailgate.language.near_misses import is_opening, refuse_near_miss


def offered(line: str, *, below: bool = False) -> str:
    """The hints of a refusal; "" for none."""
    try:
        refuse_near_miss(line, below=below)
    except Unreadable as refusal:
        return " ".join(refusal.hints) or "nothing"
    return ""


@pytest.mark.parametrize(
    "line",
    [
        *("Dear Carol", "Dear Carol,", "Hi Don", "Hello Pas", "Lieber Ron", "Bonjour Resi"),
        *("Nice game", "thanks", "well done", "showers today", "What a mess!"),
        *("", "?", "...", "👍", "not D4", "I saw D4 coming"),
    ],
)
def test_greetings_and_talk_are_no_near_misses(line: str) -> None:
    """Greetings are not reported as near misses."""
    assert offered(line) == ""
    assert offered(line, below=True) == ""


@pytest.mark.parametrize(("line", "hints"), [("resing", "resign"), ("pss", "pass"), ("shwo", "")])
def test_below_a_command_only_near_misses_of_a_turn_count(line: str, hints: str) -> None:
    """Everything else there is talk."""
    assert offered(line, below=True) == hints


@pytest.mark.parametrize(("line", "greeting"), [("dear carol", True), ("hi", True), ("d4", False)])
def test_a_greeting_is_recognised(line: str, greeting: bool) -> None:
    """It begins as a greeting does."""
    assert is_opening(line) is greeting
