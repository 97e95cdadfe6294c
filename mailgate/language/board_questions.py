"""The part of a board that somebody wants in words: `describe`, `near D4`, `row 5`. Pure."""

from __future__ import annotations

import re

from godaemon.errors import Unreadable
from godaemon.games.commands import Command, Describe, Look
from mailgate.language.written_moves import points, strip_decoration

_REST = re.compile(
    r"(?:(?:the )?(?:board|position))? ?(?:(?:of |in )?game #?(?P<game>\d{1,9}))?"
    r" ?(?:(?P<look>near|around|group|row|column) (?P<where>[a-z]{0,2}-?\d{0,2}))?"
)
_LOOKS = {"around": Look.NEAR, **{look.value: look for look in Look}}


def read_describe(rest: str) -> Command | None:
    """The whole board, or a part of it; raises `Unreadable` for a part that there is not.

    >>> read_describe("near d4")
    Describe(look=<Look.NEAR: 'near'>, point=Point(column=3, row=3), game=None)
    >>> read_describe("the end"), read_describe("game 12").game
    (None, 12)
    """
    found = _REST.fullmatch(strip_decoration(rest))
    if found is None:
        return None
    game = int(found["game"]) if found["game"] else None
    return (
        _part(_LOOKS[found["look"]], found["where"], game) if found["look"] else Describe(game=game)
    )


def _part(look: Look, where: str, game: int | None) -> Describe:
    vertex = {Look.ROW: f"a{where}", Look.COLUMN: f"{where}1"}.get(look, where)
    try:
        named = points(vertex)
    except Unreadable as error:
        names = (hint[:-1] if look is Look.COLUMN else hint for hint in error.hints)
        hints = tuple(f"{look.value} {name}" for name in names)
        raise Unreadable(error.public, hints=hints) from error
    if named is None:
        message = f"“{look.value} {where}”: a row has a number, and a column a letter."
        raise Unreadable(message, hints=("row 5", "column D"))
    return Describe(look, named[0], game)
