"""Marking dead stones: which stones a mark changes, and when it asks for a choice instead. Pure.

`dead V` goes by a flood (godaemon/README.md, "Counting"). Where an open border would let that sweep
up stones that can never be taken (Benson), nothing is marked, and `joined`, the strict form that
never does, is offered in its place. Stones that can never be taken are not marked dead by any form.
"""

from __future__ import annotations

from functools import lru_cache

from godaemon.errors import Refusal, Unknown
from godaemon.games.commands import Extent, Mark
from godaemon.games.model import Game
from godaemon.rules import benson, scoring
from godaemon.rules.board import Board
from godaemon.rules.inseparable_chains import joined
from godaemon.rules.points import Color, Point, board_order


def changes(game: Game, mark: Mark) -> tuple[Point, ...]:
    """The stones whose status a mark changes, in the order of the board; empty where none does.

    Marks set a status, so naming two stones of one group is harmless. Raises `Unknown` where a
    point holds no stone, and `Refusal` where stones would be marked dead that nobody can ever take,
    or where the flood would leave a colour no live stone: that is asked about first.
    """
    before, dead = game.dead, set(game.dead)
    for point in mark.points:
        color = _stone(game, point)
        stones = _reached(game, frozenset(dead), point, mark.extent)
        if mark.dead:
            _refuse_sure(game, point, stones)
        if mark.dead and mark.extent is Extent.GROUP:
            _ask_first(game, color, point, dead, stones)
        dead = dead | stones if mark.dead else dead - stones
    return tuple(sorted(before ^ dead, key=board_order))


def untakeable(game: Game) -> frozenset[Point]:
    """The stones on the board that nobody can ever take, and so nobody can mark dead."""
    return _untakeable(game.position.board.copy(), game.spec.ruleset.suicide)


@lru_cache(maxsize=16)
def _untakeable(board: Board, suicide: bool) -> frozenset[Point]:  # noqa: FBT001
    """Asked for every mark that is tried on one board, which nobody may change afterwards."""
    black, white = (benson.alive(board, color, suicide=suicide) for color in Color)
    return black | white


def _stone(game: Game, point: Point) -> Color:
    size = game.spec.size
    if not size.has(point):
        raise Unknown(f"{point} is off the {size} board.")
    color = game.position.board.color(point)
    if color is None:
        raise Unknown(f"There is no stone on {point} to mark.")
    return color


def _reached(game: Game, dead: frozenset[Point], point: Point, extent: Extent) -> frozenset[Point]:
    board = game.position.board
    if extent is Extent.CHAIN:
        return scoring.chain(board, point)
    if extent is Extent.JOINED:
        return joined(board, point)
    return scoring.group(board, dead, point)


def _refuse_sure(game: Game, point: Point, stones: frozenset[Point]) -> None:
    """Raise where a mark would take stones that are alive whatever anybody plays."""
    board, sure = game.position.board, untakeable(game)
    if not stones & sure:
        return
    if point in sure:
        raise Refusal(
            f"The stones at {point} can never be taken, whatever anybody plays: they have two eyes"
            " that cannot be filled. So they are not dead, and I have marked nothing.",
            hints=("done", "resume"),
        )
    forms = {"joined": joined(board, point), "only": scoring.chain(board, point)}
    choices = [f"dead {point} {word}" for word, less in forms.items() if not less & sure]
    reach = {
        f"dead {point} joined": f"marks {point} and the stones that cannot be parted from it",
        f"dead {point} only": f"marks the one chain at {point}",
    }
    example = min(stones & sure, key=board_order)
    raise Refusal(
        f"The border around {point} is open: with it I would mark stones that can never be taken,"
        f" such as {example}, which has two eyes. So I have marked none."
        f" {'; '.join(f'`{choice}` {reach[choice]}' for choice in choices)}.",
        hints=tuple(choices),
    )


def _ask_first(
    game: Game, color: Color, point: Point, dead: set[Point], stones: frozenset[Point]
) -> None:
    """Raise where the mark would leave a colour without a live stone that has one now."""
    board = game.position.board
    after = dead | stones
    if after == dead or any(board.point(index) not in after for index in board.stones(color)):
        return
    verb = f"That would mark every {color.word} stone on the board dead, so I have marked none."
    choice = (
        f"`dead {point} only` marks the one chain at {point}; `dead {point} all` marks them all."
    )
    raise Refusal(f"{verb} {choice}", hints=(f"dead {point} only", f"dead {point} all"))
