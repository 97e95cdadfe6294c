"""Seats of engines: the roster, what an engine is to do now, and how it counts. Pure.

How an engine counts: its opponent is told its opinion by email, and the engine waits for `done`.
If the marks are its opinion, it says done too. If stones are missing it marks them, once in a
count, and waits again. If marks differ it says which, and resumes play so that the board can
settle it, once in a game; after that it accepts the opponent's marks. Stones that nobody can ever
take are never part of its opinion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from itertools import takewhile

from godaemon.errors import Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.dead_stones import first_stones, safe_stones
from godaemon.games.model import ENGINE, Game, Seat, bare
from godaemon.rules import scoring, turn_order
from godaemon.rules.points import LETTERS, Color, Point, Size
from godaemon.texts.catalogue import join_sentences, sentence, sentence_to_json

WEAKEST = "house1"
"""Our own player at its lowest level."""
NAMED = 12
"""The most chains that an engine names when it disagrees."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """An engine that can be invited."""

    name: str
    largest: int = 19
    """The longest side, in lines."""
    rectangles: bool = False
    """True if it plays on boards that are not square."""
    note: str = ""
    """A description in a few words; without one the help leaves it out."""

    def plays_on(self, size: Size) -> bool:
        """True for a board of its sizes; GTP has names for 25 columns (GTP 2 draft 2, 2.11)."""
        square = size.width == size.height
        return max(size) <= min(self.largest, len(LETTERS)) and (square or self.rectangles)


@dataclass(frozen=True, slots=True)
class Roster:
    """The engines that can be invited, and the most games of a person against them."""

    entrants: tuple[Entrant, ...] = ()
    games_per_player: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def help_rows(self) -> list[tuple[str, object]]:
        """Name and note of each engine that the help names (JSON values)."""
        return [(one.name, sentence_to_json(one.note)) for one in self.entrants if one.note]

    @property
    def gentlest(self) -> str:
        """The opponent for somebody who has just learnt the rules, or ""."""
        helped = [name for name, _ in self.help_rows]
        return WEAKEST if WEAKEST in self.names else next(iter(helped), "")

    def check(self, wanted: cmd.Propose) -> None:
        """Raise `Unknown` for an unknown engine, `Unreadable` for a board that it does not play."""
        if not wanted.opponent.startswith(ENGINE):
            return
        name = bare(wanted.opponent)
        entrant = next((one for one in self.entrants if one.name == name), None)
        if entrant is None:
            raise self._unknown_engine(name, wanted.size)
        if not entrant.plays_on(wanted.size):
            key = "program-not-on-size" if entrant.rectangles else "program-not-on-square"
            why = sentence(key, program=name, size=wanted.size, largest=entrant.largest)
            raise Unreadable(why, hints=(f"new 9x9 vs {name}",))

    def _unknown_engine(self, name: str, size: Size) -> Unknown:
        if not self.entrants:
            why = sentence("no-such-program", name=name)
            return Unknown(why, hints=(f"new {size} vs bob@example.org",))
        near = get_close_matches(name, self.names, n=1) or self.names[:1]
        return Unknown(
            sentence("nobody-called", name=name, programs=tuple(self.names)),
            hints=(f"new {size} vs {near[0]}", f"new {size} vs bob@example.org"),
        )


class Question(Enum):
    """A question to an engine."""

    MOVE = "move"
    CLEANUP = "cleanup"
    """A move that takes dead stones off, after the engine resumed play."""
    DEAD = "dead"
    """Which stones it takes for dead."""
    VOID = "void"
    """Whether the game may end without a result: engines always agree."""


def engine_color(game: Game) -> Color | None:
    return game.color_of(Seat.INVITED) if game.spec.invited.engine else None


def next_question(game: Game, log: Sequence[ev.Event]) -> Question | None:
    """What the engine of a game is to be asked now, if anything."""
    color = engine_color(game)
    if color is None or game.phase.over:
        return None
    asked = color.opponent in game.voiding and color not in game.voiding
    if asked and turn_order.is_long_cycle(game.position):
        return Question.VOID
    if game.to_move is color:
        return Question.CLEANUP if _has_resumed(log, color) else Question.MOVE
    waits = color.opponent in game.agreed and color not in game.agreed
    return Question.DEAD if waits else None


def actions_in_count(
    game: Game, log: Sequence[ev.Event], dead: Iterable[Point]
) -> tuple[cmd.Action, ...]:
    """The engine's actions in a count, by the stones that it thinks are dead."""
    color = engine_color(game)
    if color is None or color.opponent not in game.agreed:
        return ()
    opinion = markable_stones(game, dead)
    missing = opinion - game.dead
    if missing and not _has_marked(log, color):
        return (cmd.Mark(first_stones(game, missing), dead=True, extent=cmd.Extent.CHAIN),)
    if opinion == game.dead or _has_resumed(log, color):
        return (cmd.Done(),)
    return (cmd.Say(_objection(game, opinion)), cmd.Resume())


def markable_stones(game: Game, stones: Iterable[Point]) -> frozenset[Point]:
    """The whole chains of an opinion on dead stones, without those that cannot be marked."""
    board, size = game.position.board, game.spec.size
    named = (one for one in stones if size.has(one) and board.color(one) is not None)
    return frozenset().union(*(scoring.chain(board, one) for one in named)) - safe_stones(game)


def _objection(game: Game, opinion: frozenset[Point]) -> str:
    """What an engine says before it resumes play."""
    sides = {"dead": opinion - game.dead, "alive": game.dead - opinion}
    seen = (
        sentence(f"program-sees-{word}", points=_list_points(first_stones(game, stones)))
        for word, stones in sides.items()
        if stones
    )
    return join_sentences(*seen, sentence("program-plays-on"))


def _list_points(points: Sequence[Point]) -> str:
    named, more = ", ".join(map(str, points[:NAMED])), len(points) - NAMED
    return sentence("points-and-more", points=named, count=more) if more > 0 else named


def _has_marked(log: Sequence[ev.Event], color: Color) -> bool:
    """True if a colour has marked stones since play last stopped."""
    since = takewhile(lambda event: not isinstance(event, ev.Passed), reversed(log))
    return any(isinstance(event, ev.Marked) and event.color == color.word for event in since)


def _has_resumed(log: Sequence[ev.Event], color: Color) -> bool:
    return any(isinstance(event, ev.Resumed) and event.color == color.word for event in log)
