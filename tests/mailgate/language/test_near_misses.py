"""Near misses of commands are pointed out; greetings and talk are not."""

import pytest

from godaemon.errors import Unreadable
from mailgate.language.near_misses import is_opening, refuse_near_miss

NEARLY = """
d444      | D4 D44
i4        | H4 J4
resing    | resign
pss       | pass
undoo     | undo
D4?       | D4
D4 or E5  | D4 E5
Д4        |
"""


def rows(table: str) -> list[tuple[str, str]]:
    cells = (row.partition("|") for row in table.strip().split("\n"))
    return [(line.strip(), hints.strip()) for line, _, hints in cells]


def offered(line: str, *, below: bool = False) -> str:
    """The hints of a refusal; "" for none."""
    try:
        refuse_near_miss(line, below=below)
    except Unreadable as refusal:
        return " ".join(refusal.hints) or "nothing"
    return ""


@pytest.mark.parametrize(("line", "hints"), rows(NEARLY))
def test_what_is_nearly_a_command(line: str, hints: str) -> None:
    """It is quoted, with what would work."""
    assert offered(line) == hints


@pytest.mark.parametrize(
    "line",
    [
        *("Dear Carol", "Dear Carol,", "Hi Don", "Hello Pas", "Lieber Ron", "Bonjour Resi"),
        *("Nice game", "thanks", "well done", "showers today", "What a mess!"),
        *("", "?", "...", "👍", "not D4", "I saw D4 coming"),
    ],
)
def test_what_is_no_near_miss(line: str) -> None:
    """Greetings are not reported as near misses."""
    assert offered(line) == ""
    assert offered(line, below=True) == ""


@pytest.mark.parametrize(("line", "hints"), [("resing", "resign"), ("pss", "pass"), ("shwo", "")])
def test_below_a_command_only_slips_of_a_turn_are_pointed_out(line: str, hints: str) -> None:
    """All else there is talk."""
    assert offered(line, below=True) == hints


@pytest.mark.parametrize(("line", "greeting"), [("dear carol", True), ("hi", True), ("d4", False)])
def test_a_line_that_greets(line: str, greeting: bool) -> None:
    """It begins as a greeting does."""
    assert is_opening(line) is greeting
