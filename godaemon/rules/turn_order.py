"""The rulesets' articles on procedure: whose move it is, what stops a game and what ends it.

Pure functions of a `Position` and its ruleset. Alternation is asked of here and nowhere else in
`godaemon.rules`, because GTP lets a colour move twice; whether it refuses a move is for games to
say.
"""

from __future__ import annotations

from godaemon.rules.points import Color
from godaemon.rules.position import Position
from godaemon.rules.rulesets import Resumption

REPETITIONS = 3
"""The times that a position must come about before a game may end with no result."""


def stopped(position: Position) -> bool:
    """True where the last pass stopped play, so that dead stones can be agreed on.

    Passes before a resumption and right after it are one row: each time the row grows by as many
    as the ruleset asks for, play has stopped once more.

    >>> from godaemon.rules.points import Size
    >>> from godaemon.rules.rulesets import RULESETS
    >>> position = Position(Size(9, 9), RULESETS["japanese"])
    >>> position.pass_(Color.BLACK)
    >>> stopped(position)
    False
    >>> position.pass_(Color.WHITE)
    >>> stopped(position)
    True
    >>> first_after(position, asker=Color.BLACK)
    <Color.WHITE: -1>
    """
    passes = position.passes()
    return passes > 0 and passes % position.ruleset.passes == 0


def settled(position: Position) -> bool:
    """True where the row of passes has ended the game, with every stone on the board alive.

    So it is after two passes where nothing is taken off (Tromp-Taylor), and after four where the
    players stopped, could not agree, and stopped again (AGA rule 9; Ing).
    """
    settles = position.ruleset.settles
    return settles is not None and position.passes() >= settles


def first_after(position: Position, asker: Color) -> Color:
    """The colour that moves first when `asker` takes a stopped game back to play."""
    if position.ruleset.resumption is Resumption.OPPONENT:
        return asker.opponent
    return position.to_move


def long_cycle(position: Position) -> bool:
    """True where the players may agree that the game has no result (Nihon Kiin 1989, art. 12)."""
    if not position.ruleset.long_cycle or not position.captured:
        return False
    return position.occurrences() >= REPETITIONS
