"""The decision table: what to do with words that are no command, by meaning and by moment.

Pure; raises nothing. A row is an intent, a column a moment of the writer's game. A row with one
cell holds for all moments; an intent without a row has `.` in each. A cell is one of:

- `line, line`: offer these lines, and do nothing; `.`: offer the lines of the intent's topic;
- `!line`: do it if the model is sure; it only answers the writer, or asks the opponent;
- `!!line`: do it if the model has no doubt; the game goes on, and the writer is told;
- `=line`: like `!!`, and also if the words are a statement of the lexicon; a `done` that would end
  the game needs the statement, and what is done is the agreement of the answered email;
- `>`: pass the words on to the opponent.

If a moment awaits an answer, its lines are offered in every cell. The message about an intent is
`topic-INTENT` in `godaemon/texts/en.po`. The manual page has this table in words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from godaemon.games.awaited_decisions import Awaited
from godaemon.games.model import Phase
from mailgate.handling.player_games import GameView
from mailgate.language.meaning_model import TALK
from mailgate.language.verb_table import topic


class GameMoment(StrEnum):
    """The state of a game as the writer sees it: a column of the table."""

    CONFIRM = "confirm"  # their own proposal waits for their yes
    INVITED = "invited"
    PROPOSED = "proposed"  # their proposal waits for the other player
    ASKED = "asked"  # the other player asks for a move back, for spectators, or for no result
    MINE = "mine"
    THEIRS = "theirs"
    COUNT = "count"
    AGREED = "agreed"  # the other player has agreed to the score
    OVER = "over"
    NONE = "none"  # there is no game


AWAITED: Final[Mapping[GameMoment, tuple[str, ...]]] = {
    GameMoment.CONFIRM: ("yes", "no"),
    GameMoment.INVITED: ("accept", "decline"),
    GameMoment.ASKED: ("yes", "no"),
    GameMoment.COUNT: ("done",),
    GameMoment.AGREED: ("done",),
}
"""The lines that answer each moment."""

_TABLE: Final = """
move     | . | . | . | !!{point} | !!{point} | if {points} | resume | resume | rematch | .
pass     | . | . | . | . | !!pass | if any then pass | . | . | rematch | .
undo     | . | . | . | . | show | !undo | resume | resume | rematch | .
resign   | . | . | . | . | . | . | done | done | rematch, review | .
plan     | . | . | . | . | {point} | . | resume | resume | rematch | .
advice   | . | . | . | . | try {points}, show | try {points}, show | propose | propose | . | .
dead     | . | . | . | . | pass | show | !!dead {points} | !!dead {points} | rematch | .
alive    | . | . | . | . | show | show | . | . | rematch | .
done     | . | . | . | . | pass | show | !!done | . | show | .
resume   | . | . | . | !!no | show | show | !!resume | !!resume | rematch | .
propose  | . | . | . | . | pass | show | . | . | review | .
cancel   | no | decline | withdraw | void | . | . | resume, void | resume, void | stop | .
yes      | =yes | =yes | . | =yes | > | > | =done | =done | > | .
agree    | =yes | =yes | . | =yes | > | > | =done | =done | > | .
no       | =no | =no | withdraw | =no | > | > | resume | resume | > | .
counter  | . | accept but {terms} | withdraw | . | > | > | . | . | rematch {terms} | .
send     | !send
new      | . | . | . | . | . | . | . | . | rematch {terms} | .
rematch  | yes | accept | show | . | show | show | done | done | {rematch} | .
games    | !games
show     | !show
review   | . | . | . | . | show | show | . | . | . | .
score    | . | . | . | . | . | . | propose | propose | show, review | .
time     | . | . | . | . | . | . | . | . | show | .
stop     | no, stop all | stop, decline | . | . | . | . | . | . | stop all | stop all
settings | !settings
block    | . | block, decline | . | . | . | . | . | . | . | .
who      | . | block all | . | . | . | . | . | . | . | .
help     | !help
silence  | . | . | . | . | . | . | . | . | rematch | .
talk     | . | . | . | > | > | > | > | > | > | .
"""


@dataclass(frozen=True, slots=True)
class Cell:
    """What to do with words of one intent at one moment."""

    lines: tuple[str, ...] = ()  # lines to offer, with slots
    does: str = ""  # the line that a statement of the lexicon stands for
    sure: str = ""  # the line to carry out if the model is sure
    harmless: bool = False  # whether that line only answers the writer, or asks the opponent
    passes: bool = False  # whether the words are passed on


_LINES = (map(str.strip, line.split("|")) for line in _TABLE.strip().split("\n"))
ROWS: Final[Mapping[str, Sequence[str]]] = {
    intent: cells * len(GameMoment) if len(cells) == 1 else cells for intent, *cells in _LINES
}


@cache
def cell(intent: str, moment: GameMoment) -> Cell:
    intent = "talk" if intent in TALK else intent
    text = ROWS[intent][[*GameMoment].index(moment)] if intent in ROWS else "."
    if text == ">":
        return Cell(passes=True)
    line = text.lstrip("=!")
    mark, lines = text.removesuffix(line), topic(intent).lines if text == "." else line.split(", ")
    does = line if mark == "=" else ""
    sure = line if mark in ("!", "!!") or (does and moment is not GameMoment.AGREED) else ""
    return Cell(tuple(lines), does, sure, harmless=mark == "!")


def awaited_lines(moment: GameMoment, view: GameView | None) -> tuple[str, ...]:
    """The lines that answer a moment; none for a player who has agreed to the count."""
    has_agreed = view is not None and view.color in view.game.agreed
    return () if has_agreed else AWAITED.get(moment, ())


def moment_of(view: GameView | None) -> GameMoment:
    if view is None:
        return GameMoment.NONE
    game = view.game
    if game.phase is Phase.PROPOSED:
        waits = {Awaited.CONFIRMATION: GameMoment.CONFIRM, Awaited.INVITATION: GameMoment.INVITED}
        return waits.get(view.awaits, GameMoment.PROPOSED) if view.awaits else GameMoment.PROPOSED
    if game.phase is Phase.SCORING:
        other = view.color.opponent if view.color else None
        agreed = not game.spec.teaching and other in game.agreed
        return GameMoment.AGREED if agreed and view.awaits else GameMoment.COUNT
    if game.phase is not Phase.PLAYING:
        return GameMoment.OVER
    if agreeing_line(view):
        return GameMoment.ASKED
    return GameMoment.MINE if view.awaits is Awaited.TURN else GameMoment.THEIRS


def agreeing_line(view: GameView) -> str:
    """The line that agrees to the other player's request; "" if there is none."""
    game, color = view.game, view.color
    if color is None or game.spec.teaching or game.phase is not Phase.PLAYING:
        return ""
    if color.opponent in (game.undo_asked, game.public_asked):
        return "yes"
    return "void" if game.voiding == {color.opponent} else ""
