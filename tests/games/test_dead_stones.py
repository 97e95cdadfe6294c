"""Lines offered instead of refused marks work; `dead_stones.txt` has the rest."""

import re
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games.decisions import decide
from godaemon.games.state import apply
from godaemon.rules.board import Board
from godaemon.rules.inseparable_chains import inseparable_stones
from godaemon.rules.points import Color, Point
from godaemon.rules.scoring import chain
from mailgate.language.parser import parse_text
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.examples import examples
from tests.support.logs import B, Log, W, counting

POINTS = st.builds(Point, st.integers(0, 5), st.integers(0, 4))
MARKS = st.builds(
    cmd.Mark,
    st.lists(POINTS, min_size=1, max_size=4).map(tuple),
    st.sampled_from([True, True, True, False]),
    st.sampled_from([cmd.Extent.GROUP, *cmd.Extent]),
)
BOARDS = list(read_blocks(places.DATA / "shapes" / "marked.txt").values())


@settings(max_examples=examples(400))
@given(
    diagram=st.sampled_from(BOARDS),
    rules=st.sampled_from(["japanese", "new-zealand"]),
    marked=MARKS,
    letter=st.lists(MARKS, min_size=1, max_size=3),
)
def test_every_hint_of_a_refused_mark_works(
    diagram: str, rules: str, marked: cmd.Mark, letter: list[cmd.Mark]
) -> None:
    """Each offered line, sent, does what it says."""
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
    """Send a hint by letter, and compare its effect with its description."""
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
        of = inseparable_stones if command.extent is cmd.Extent.JOINED else chain
        expected = frozenset().union(*(of(board, point) for point in command.points))
        assert changed == (expected - before.dead if command.dead else expected & before.dead)
    if command.extent is cmd.Extent.ALL:
        live = {board.color(one) for one in stones(board) - after.dead}
        lived = {board.color(one) for one in stones(board) - before.dead}
        assert len(lived - live) == 1


def stones(board: Board) -> frozenset[Point]:
    return frozenset(board.point(one) for color in Color for one in board.stones(color))
