"""The rules of procedure: who moves after a resumption, when play stops, when a game ends.

Pure functions of a `Position` and its ruleset. Moves out of turn are refused by games, not here,
because GTP lets a colour move twice.
"""

from godaemon.rules.points import Color
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Resumption

REPETITIONS = 3
"""How often a position must occur before a game may end with no result."""


def is_stopped(position: Position) -> bool:
    """True if the last pass stopped play, so that dead stones can be agreed on.

    Passes before and after a resumption count as one row: play stops whenever the length of the row
    is a multiple of the ruleset's number.

    >>> from godaemon.rules.points import Size
    >>> from godaemon.rules.named_rulesets import RULESETS
    >>> position = Position(Size(9, 9), RULESETS["japanese"])
    >>> position.pass_(Color.BLACK)
    >>> is_stopped(position)
    False
    >>> position.pass_(Color.WHITE)
    >>> is_stopped(position)
    True
    >>> first_to_move(position, asker=Color.BLACK)
    <Color.WHITE: -1>
    """
    passes = position.count_passes()
    return passes > 0 and passes % position.ruleset.passes == 0


def is_settled(position: Position) -> bool:
    """True if the passes have ended the game with every stone alive.

    Two passes do if no stones are removed (Tromp-Taylor); four do if the players stopped, disagreed
    and stopped again (AGA rule 9; Ing).
    """
    settles = position.ruleset.settles
    return settles is not None and position.count_passes() >= settles


def first_to_move(position: Position, asker: Color) -> Color:
    """The colour that moves first when `asker` resumes a stopped game."""
    if position.ruleset.resumption is Resumption.OPPONENT:
        return asker.opponent
    return position.to_move


def is_long_cycle(position: Position) -> bool:
    """True if the players may agree that the game has no result (Nihon Kiin 1989, art. 12)."""
    if not position.ruleset.long_cycle or not position.captured:
        return False
    return position.count_occurrences() >= REPETITIONS
