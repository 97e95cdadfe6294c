"""Pass stones: under some rules each pass gives the opponent a prisoner. Pure; raises nothing."""

from collections.abc import Iterable

from godaemon.rules.moves import Move
from godaemon.rules.points import Color
from godaemon.rules.ruleset import Ruleset


def pass_stones(moves: Iterable[Move], ruleset: Ruleset) -> dict[Color, int]:
    """The pass stones that each colour has received, if the ruleset has them.

    If White must pass last and Black did, White owes one more (AGA Concise Rules, 7 and 12).
    """
    counts = {Color.BLACK: 0, Color.WHITE: 0}
    if not ruleset.pass_stones:
        return counts
    last = None
    for move in moves:
        last = move if move.point is None else None
        if move.point is None:
            counts[move.color.opponent] += 1
    if ruleset.white_passes_last and last is not None and last.color is Color.BLACK:
        counts[Color.BLACK] += 1
    return counts
