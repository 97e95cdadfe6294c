"""Marks by the flood, by what cannot be parted, by the chain; and stones that nobody can take."""

from __future__ import annotations

import pytest

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games.model import Phase
from tests.support.logs import B, Log, W, counting, dead

OPEN_BORDER = """
    . X . . O .
    . X O . O O
    X X X . O O
    . X . . O .
    X . X . O O
"""
"""White's stone at C4 is dead; nothing fences it off from White's group on the right."""


def marked(log: Log) -> str:
    """The dead stones by name, sorted."""
    return " ".join(sorted(map(str, log.game.dead)))


def test_a_living_group_is_not_swept_up() -> None:
    """Nothing is marked, and the answer names a stone that lives and the forms that would work."""
    log = counting(OPEN_BORDER)
    with pytest.raises(Refusal, match="such as E1, which has two eyes") as caught:
        log.do(B, dead("C4"))
    assert caught.value.hints == ("dead C4 joined", "dead C4 only")
    assert marked(log) == ""
    assert log.game.phase is Phase.SCORING


@pytest.mark.parametrize("extent", [cmd.Extent.JOINED, cmd.Extent.CHAIN])
def test_what_is_offered_works(extent: cmd.Extent) -> None:
    """The strict form and the chain mark the dead stone and leave the living group alone."""
    log = counting(OPEN_BORDER)
    log.do(B, dead("C4", extent))
    assert marked(log) == "C4"


@pytest.mark.parametrize("extent", list(cmd.Extent))
def test_what_nobody_can_take_is_not_dead(extent: cmd.Extent) -> None:
    """In no form, by neither player, and not beside other marks: all of the letter or nothing."""
    log = counting(OPEN_BORDER)
    for seat in (B, W):
        with pytest.raises(Refusal, match="can never be taken") as caught:
            log.do(seat, dead("E5", extent))
        assert caught.value.hints == ("done", "resume")
    with pytest.raises(Refusal):
        log.do(B, dead("C4", cmd.Extent.CHAIN), dead("F1", extent))
    assert marked(log) == ""


def test_strict_marks_hold_what_cannot_be_parted() -> None:
    """Two stones on a diagonal go together; one that could be cut off is named by itself."""
    log = counting(
        """
        . X . . . O .
        X X . @ . O O
        . X @ . . O .
        X X . . @ O O
        """
    )
    log.do(B, dead("C2", cmd.Extent.JOINED))
    assert marked(log) == "C2 D3"


def test_by_the_ruleset_a_room_may_be_emptied_by_suicide() -> None:
    """Where several stones may be suicide, a stone within can make room; so the mark is made."""
    diagram = """
        X X X X X X X
        X . . . X . X
        X . O . X X X
        X . . . X X X
        X X X X X X X
        . . O . . . .
        . . . . O . .
    """
    with pytest.raises(Refusal, match="can never be taken"):
        counting(diagram).do(W, dead("A3", cmd.Extent.CHAIN))
    log = counting(diagram, "new-zealand")
    log.do(W, dead("A3", cmd.Extent.CHAIN))
    assert "A3" in marked(log)
