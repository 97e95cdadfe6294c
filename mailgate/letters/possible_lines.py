"""Lines that can be sent now: a move on each legal point, a mark on each stone, and others. Pure.

Nothing is offered that the game would refuse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games import special_moves
from godaemon.games.commands import Extent, Mark
from godaemon.games.dead_stones import dead_after, untakeable
from godaemon.games.decisions import check_counting, decide
from godaemon.games.model import Game, Phase, Seat
from godaemon.rules import scoring
from godaemon.rules.board import points_of
from godaemon.rules.points import Color, Point, Size
from godaemon.texts.catalogue import say
from mailgate.language.parser import parse_text
from mailgate.letters.letter_view import LetterView


def is_possible(game: Game, seat: Seat, line: str) -> bool:
    """False if the game would refuse the line now: an occupied point, a mark without a stone."""
    try:
        for one in parse_text([line]).commands:
            if isinstance(one.command, cmd.Action):
                decide(game, seat, one.command, lambda: Color.BLACK)
            elif isinstance(one.command, cmd.Estimate):
                check_counting(game, seat)
    except Refusal:
        return False
    return True


def sends(view: LetterView) -> Mapping[Point, str]:
    """The command of every point that can be clicked; none where there is nothing to do."""
    game = view.game
    if game.phase is Phase.SCORING:
        return _marks(game)
    if game.to_move is None or not view.my_turn or game.placing:
        return {}
    names = _names(game.spec.size)
    return {point: names[point] for point in game.position.legal_moves(game.to_move)}


@lru_cache(maxsize=16)
def _names(size: Size) -> dict[Point, str]:
    return {point: str(point) for point in points_of(size)}


def buttons(view: LetterView) -> tuple[tuple[str, str], ...]:
    """The buttons for the player to move: the words of each, and what it sends.

    All are harmless: there is no Resign beside Pass that a finger could hit.
    """
    game = view.game
    if not game.placing:
        return ((say("button-pass"), "pass"), (say("button-help"), "help"))
    usual = ((say("button-stars"), "place stars"),) if special_moves.stars(game) else ()
    return (*usual, (say("button-help"), "help"))


def _marks(game: Game) -> dict[Point, str]:
    """`dead V` on live stones, `alive V` on dead ones, in the form that changes their chain."""
    board, sure = game.position.board, untakeable(game)
    stones = frozenset(board.point(index) for color in Color for index in board.stones(color))
    found: dict[Point, str] = {}
    for chain in scoring.chains(board, stones - sure):
        named = min(chain)
        if named not in found:
            form, marked = _form(game, named)
            found |= {point: form.replace("*", str(point)) for point in marked}
    return found


def _form(game: Game, point: Point) -> tuple[str, Iterable[Point]]:
    """The line that marks the stone on a point, with `*` for the point; and all stones it marks.

    The line does the same for each of these stones.
    """
    dead = point not in game.dead
    word = "dead *" if dead else "alive *"
    for extent in (Extent.GROUP, Extent.JOINED, Extent.CHAIN):
        with suppress(Refusal):
            marked = game.dead ^ dead_after(game, Mark((point,), dead, extent))
            return word if extent is Extent.GROUP else f"{word} {extent.value}", marked
    return word, ()
