"""The lead that wins, in points of area; and what to aim at where that is far away. Pure."""

from __future__ import annotations

from godaemon.rules import scoring
from godaemon.rules.points import Color
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Scoring

_FAR = 0.12
"""From leads of such a share of the board on, the true goal is too far to tell moves apart."""

_BEHIND, _AHEAD = 0.7, 0.3
"""So much of the distance is given to the player behind, and asked of the one ahead."""

_ROOM = 1 / 3
"""While such a share of the board is empty there is time to catch up."""


def target(position: Position, color: Color, komi: float) -> float:
    """The lead in area that Black must exceed to win, with `color` to move.

    Where territory is counted it is as good as area less the stones each side has played: those
    on the board and those taken. The one to move plays the last dame half of the time.
    """
    ruleset = position.ruleset
    if ruleset.scoring is not Scoring.TERRITORY:
        return komi + ruleset.handicap_points(len(position.handicap))
    taken = position.prisoners[Color.WHITE] - position.prisoners[Color.BLACK]
    handed = scoring.handed_over(position.moves, ruleset)
    given = handed[Color.WHITE] - handed[Color.BLACK]
    return komi + sum(position.board.cells) + taken + given + 0.5 * color


def aim(position: Position, color: Color, lead: float) -> float:
    """What to add to the target for a while, where games played out had Black that far ahead.

    Who is far behind, as White is in a handicap game, would see every game lost and so play
    anyhow; he aims at losing by less, and who is far ahead at winning by some of it.
    """
    points = position.size.points
    if abs(lead) < _FAR * points or position.board.cells.count(0) < _ROOM * points:
        return 0.0
    return lead * (_AHEAD if lead * color > 0 else _BEHIND)
