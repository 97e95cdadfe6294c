"""Words that other servers obey: answered by us, and never shown to the opponent."""

from __future__ import annotations

import pytest

from godaemon.errors import Unreadable
from mailgate.language.parser import parse_text
from mailgate.language.reserved import reserved

COMMANDS = """
if I get D4 then E5 follows | premove D4 | diary: he did not see C3 | secret: my plan
redo | can I take that back? | claim win | draw? | offer draw
shall we play again
pause | watch the game | branch D4 | try this move | next move | language German | forfeit
swap colours
claim victory | analyse | hint | time left | add time | change komi to 0.5 | private: ...
I give up | shall we call it a draw? | best move
"""
TALK = """
I had a good vacation
Nice try!
If only I had seen that | Watch out for the dog when you come | It was a draw at the World Cup
My history with this opening is sad | Time flies | The rest is history | What a hint of spring
"""


def cells(table: str) -> list[str]:
    """The phrases of a table, apart by bars."""
    return [one.strip() for one in table.replace("\n", "|").split("|") if one.strip()]


@pytest.mark.parametrize("line", cells(COMMANDS))
def test_reserved(line: str) -> None:
    """Alone it is refused with a word about it; below a move the move is made, and it is held."""
    assert reserved([line]) is not None
    with pytest.raises(Unreadable):
        parse_text([line])
    found = parse_text(["D4", "", line])
    assert [one.line for one in found.commands] == ["D4"]
    assert (found.message, found.held) == ("", line)
    assert found.kept is not None
    assert found.kept.answer.endswith((".", "bob@example.org", "`", "12"))


@pytest.mark.parametrize("line", cells(TALK))
def test_ordinary_sentences(line: str) -> None:
    """With one of these words in it a sentence is still a sentence."""
    assert reserved([line]) is None


def test_a_slip_that_is_told_again_and_again_is_read_at_once() -> None:
    """As no two readings of it are alike: of this one there were millions."""
    assert reserved(["the move was " * 22 + "x"]) is None
