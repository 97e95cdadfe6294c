"""Engines in seats: the roster, the next question to an engine, and its part in a count.

In a count the opponent gets the engine's opinion by email, and the engine waits for `done`. If the
marks agree with its opinion, it says done too. Once in each count it marks missing dead stones, and
waits again. Once in a game it names other differences and resumes play, so that the board settles
them; after that it accepts the opponent's marks. Its opinion never includes unconditionally alive
stones.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from itertools import takewhile

from godaemon.errors import Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.dead_stones import first_stones, safe_stones
from godaemon.games.model import ENGINE_PREFIX, Game, Seat, shown_address
from godaemon.rules import scoring
from godaemon.rules.points import LETTERS, Color, Point, Size
from godaemon.texts.catalogue import join_sentences, say, sentence, sentence_to_json

WEAKEST = "house1"
"""Our own player at its lowest level."""


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """An engine that can be invited."""

    name: str
    largest: int = 19
    """The longest side, in lines."""
    rectangles: bool = False
    """True if it plays on boards that are not square."""
    note: str = ""
    """A description in a few words; the help leaves out engines without one."""

    def plays_on(self, size: Size) -> bool:
        """True for a board of its sizes; GTP has names for 25 columns (GTP 2 draft 2, 2.11)."""
        square = size.width == size.height
        return max(size) <= min(self.largest, len(LETTERS)) and (square or self.rectangles)


@dataclass(frozen=True, slots=True)
class Roster:
    """The engines that can be invited, and the most games of a person against them."""

    entries: tuple[RosterEntry, ...] = ()
    games_per_player: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self.entries)

    @property
    def help_rows(self) -> list[tuple[str, object]]:
        """Name and note of each engine in the help (JSON values)."""
        return [(one.name, sentence_to_json(one.note)) for one in self.entries if one.note]

    @property
    def easiest(self) -> str:
        """The engine for beginners; "" if there is none."""
        listed = [name for name, _ in self.help_rows]
        return WEAKEST if WEAKEST in self.names else next(iter(listed), "")

    def check(self, proposal: cmd.Propose) -> None:
        """Raise `Unknown` for an unknown engine, `Unreadable` for a board it cannot play on."""
        if not proposal.opponent.startswith(ENGINE_PREFIX):
            return
        name = shown_address(proposal.opponent)
        entry = next((one for one in self.entries if one.name == name), None)
        if entry is None:
            raise self._unknown_engine(name, proposal.size)
        if not entry.plays_on(proposal.size):
            key = "program-not-on-size" if entry.rectangles else "program-not-on-square"
            why = sentence(key, program=name, size=proposal.size, largest=entry.largest)
            raise Unreadable(why, hints=(f"new 9x9 vs {name}",))

    def _unknown_engine(self, name: str, size: Size) -> Unknown:
        if not self.entries:
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
    """A move that captures dead stones, after the engine resumed play."""
    DEAD = "dead"
    """The stones that it considers dead."""
    VOID = "void"
    """Whether the game may end without a result; engines always agree."""


def engine_color(game: Game) -> Color | None:
    return game.color_of(Seat.INVITED) if game.spec.invited.engine else None


def next_question(game: Game, log: Sequence[ev.Event]) -> Question | None:
    """The question that the game's engine has to answer now; None if there is none."""
    color = engine_color(game)
    if color is None or game.phase.over:
        return None
    offered = color.opponent in game.voiding and color not in game.voiding
    if offered and game.position.is_long_cycle:
        return Question.VOID
    if game.to_move is color:
        return Question.CLEANUP if _has_resumed(log, color) else Question.MOVE
    awaited = color.opponent in game.agreed and color not in game.agreed
    return Question.DEAD if awaited else None


def actions_in_count(
    game: Game, log: Sequence[ev.Event], dead: Iterable[Point]
) -> tuple[cmd.Action, ...]:
    """The engine's actions in a count, from the stones that it considers dead."""
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
    """The stones, completed to whole chains, without unconditionally alive ones."""
    board, size = game.position.board, game.spec.size
    there = (one for one in stones if size.has(one) and board.color(one) is not None)
    return frozenset().union(*(scoring.chain(board, one) for one in there)) - safe_stones(game)


def _objection(game: Game, opinion: frozenset[Point]) -> str:
    """The words with which an engine resumes play, in the current language."""
    differences = {"dead": opinion - game.dead, "alive": game.dead - opinion}
    sentences = (
        say(f"program-sees-{word}", points=", ".join(map(str, first_stones(game, stones))))
        for word, stones in differences.items()
        if stones
    )
    return join_sentences(*sentences, say("program-plays-on"))


def _has_marked(log: Sequence[ev.Event], color: Color) -> bool:
    """True if a colour has marked stones since the last pass."""
    since = takewhile(lambda event: not isinstance(event, ev.Passed), reversed(log))
    return any(isinstance(event, ev.Marked) and event.color == color.word for event in since)


def _has_resumed(log: Sequence[ev.Event], color: Color) -> bool:
    return any(isinstance(event, ev.Resumed) and event.color == color.word for event in log)
