"""Marks by the flood, by what cannot be parted, by the chain; and stones that nobody can take."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games.decisions import decide
from godaemon.games.model import Phase
from godaemon.games.state import apply
from godaemon.rules.board import Board
from godaemon.rules.inseparable_chains import joined
from godaemon.rules.points import Color, Point
from godaemon.rules.scoring import chain
from mailgate.language.parser import parse_text
from tests.support.examples import examples
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
    """Nothing is marked, and the answer names a stone that lives and the form that would work."""
    log = counting(OPEN_BORDER)
    with pytest.raises(Refusal, match="such as E1, which has two eyes") as caught:
        log.do(B, dead("C4"))
    assert caught.value.hints == ("dead C4 only",)
    assert marked(log) == ""
    assert log.game.phase is Phase.SCORING


GAP = """
    . X . . O .
    X X . . O O
    X . . . . .
    X . X . O O
    X X . . O .
"""
"""Black's stone at C2 is dead; the border has a gap at D3, and so has Black's own below it."""


def test_a_gap_marks_no_army_for_one_stone() -> None:
    """What is named would take most of what lives of its colour: the chain alone is offered."""
    log = counting(GAP)
    with pytest.raises(
        Refusal, match=r"Nothing parts C2 from the stone .* I have marked none"
    ) as caught:
        log.do(B, dead("C2"))
    assert "dead C2 only" in caught.value.hints
    log.do(B, dead("C2", cmd.Extent.CHAIN))
    assert marked(log) == "C2"


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


FOUR_CORNERS = """
    O . . . O
    . X . . .
    . . X . .
    . . . X .
    O . . . O
"""


def test_the_choice_is_the_senders_own_list() -> None:
    """Who has named four chains that are all there is needs to add one word, and is told which."""
    log = counting(FOUR_CORNERS)
    with pytest.raises(Refusal, match="This would mark every White stone on the board") as caught:
        log.do(B, dead("A1 E5 A5 E1"))
    assert caught.value.hints == ("dead A1 E5 A5 E1 all",)
    log.do(B, dead("A1 E5 A5 E1", cmd.Extent.ALL))
    assert marked(log) == "A1 A5 E1 E5"


def test_lines_of_one_kind_are_one_list() -> None:
    """The choice names the points of all the lines, as none of them is done."""
    log = counting(FOUR_CORNERS)
    with pytest.raises(Refusal, match="Nothing parts A1 from the stone E1") as caught:
        log.do(B, dead("A1"), dead("E5 A5"))
    assert caught.value.hints == ("dead A1 E5 A5 only", "dead A1 E5 A5 all")
    assert "`dead A1 E5 A5 only` marks the chains named" in caught.value.public


def test_what_cannot_be_named_is_left_out() -> None:
    """An empty point, or a stone that lives, in a list of others: the rest is offered."""
    log = counting(OPEN_BORDER)
    for wrong in ("B1", "E5", "J9"):
        with pytest.raises(Refusal) as caught:
            log.do(B, dead(f"{wrong} C4", cmd.Extent.CHAIN))
        assert caught.value.hints == ("dead C4 only",)


def test_a_mark_that_only_other_lines_forbid() -> None:
    """As nothing of the letter is done, the line works by itself, and that is what is said."""
    log = counting(". X O . . \n O X O . .")
    with pytest.raises(Refusal, match="By itself it works") as caught:
        log.do(B, dead("B1", cmd.Extent.CHAIN), dead("A1"))
    assert caught.value.hints == ("dead A1",)
    log.do(B, dead("A1"))
    assert marked(log) == "A1"


POINTS = st.builds(Point, st.integers(0, 5), st.integers(0, 4))
MARKS = st.builds(
    cmd.Mark,
    st.lists(POINTS, min_size=1, max_size=4).map(tuple),
    st.sampled_from([True, True, True, False]),
    st.sampled_from([cmd.Extent.GROUP, *cmd.Extent]),
)
BOARDS = [
    OPEN_BORDER,
    FOUR_CORNERS,
    ". X X . O . \n X X O O O O \n . X . X . X \n X X O X X X \n . X . O . X",
    "O . O . O . \n . . . . . X \n X . X . X . \n . O . . . . \n . . . X . O",
]


@settings(max_examples=examples(400))
@given(
    diagram=st.sampled_from(BOARDS),
    rules=st.sampled_from(["japanese", "new-zealand"]),
    marked=MARKS,
    letter=st.lists(MARKS, min_size=1, max_size=3),
)
def test_every_hint_works(
    diagram: str, rules: str, marked: cmd.Mark, letter: list[cmd.Mark]
) -> None:
    """Whatever is refused while a game is counted: each line offered, sent, does what it says."""
    log = counting(diagram, rules)
    with suppress(Refusal):
        log.do(W, marked)
    refusal = None
    try:
        log.do(B, *letter)
    except Refusal as refused:
        refusal = refused
    if refusal is not None:
        offered = re.findall(r"`([^`]+)` marks ", refusal.public)
        assert set(offered) <= set(refusal.hints)
        for hint in refusal.hints:
            check_hint(log, hint)


def check_hint(log: Log, hint: str) -> None:
    """Send a hint by letter, and compare what it does with what is said of it."""
    (read,) = parse_text([hint]).commands
    command, before = read.command, log.game
    assert isinstance(command, cmd.Mark | cmd.Done | cmd.Resume)
    events = decide(before, B, command, lambda: Color.BLACK)
    if not isinstance(command, cmd.Mark):
        return
    (event,) = events
    after = apply(before, event)
    board, changed = before.position.board, after.dead ^ before.dead
    assert changed
    if command.extent in {cmd.Extent.CHAIN, cmd.Extent.JOINED}:
        of = joined if command.extent is cmd.Extent.JOINED else chain
        meant = frozenset().union(*(of(board, point) for point in command.points))
        assert changed == (meant - before.dead if command.dead else meant & before.dead)
    if command.extent is cmd.Extent.ALL:
        live = {board.color(one) for one in stones(board) - after.dead}
        lived = {board.color(one) for one in stones(board) - before.dead}
        assert len(lived - live) == 1


def stones(board: Board) -> frozenset[Point]:
    """All stones on a board."""
    return frozenset(board.point(one) for color in Color for one in board.stones(color))
