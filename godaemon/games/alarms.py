"""The alarms of clocks: a reminder, or the end of the game. Pure."""

from __future__ import annotations

import re
from datetime import datetime

from godaemon.errors import Unreadable
from godaemon.games import events as ev
from godaemon.games.game_clock import WRONG, GameClock
from godaemon.games.model import Game
from godaemon.rules.points import Color


def clock_event(game: Game, clock: GameClock, now: datetime) -> ev.Event | None:
    """What happens to a game by its clock alone; None where its alarm has not come.

    Who has not made their first move is not held to the game: it is cancelled, and nobody loses.
    """
    if clock.alarm is None or now < clock.alarm:
        latest = now if clock.handed else now + WRONG  # or it was set by a clock that was ahead
        ahead = clock.since is not None and clock.since > latest
        return ev.Credited(clock.turn.word, 0) if ahead else None  # it runs from now on
    if clock.deadline is not None and now < clock.deadline:
        due = sum(moment <= now for moment in clock.reminders)
        return ev.Reminded(clock.turn.word, due)
    if not begun(game):
        return ev.Finished("Void", why="cancelled")
    winner = "W" if clock.turn is Color.BLACK else "B"
    return ev.Finished(f"{winner}+T", why="time")


def adjudged(words: str) -> str:
    """An operator's result in SGF's form; raises `Unreadable`.

    >>> adjudged("b+3.5"), adjudged("void")
    ('B+3.5', 'Void')
    """
    found = re.fullmatch(
        r"(?i)([bw])\+(?:[1-9]\d{0,2}(?:\.5)?|0\.5|[rtf])|(0|draw|jigo)|void", words
    )
    if found is None:
        raise Unreadable("A result is such as B+3.5, W+R, B+T, 0 (or draw) or void.")
    return found[0].upper() if found[1] else "0" if found[2] else "Void"


def made(game: Game) -> int:
    """The moves that its players have made, without those of a record that it began from."""
    return game.move_number - game.spec.setup().move_number


def begun(game: Game) -> bool:
    """True once each player has made a move of their own."""
    return made(game) > 1
