"""A free board: the board of an ordinary GTP engine, on which either colour may move at any time.

It knows no lines, files or sockets; it uses `godaemon.rules` and asks our player for moves.
Failures raise a `Refusal` in the specification's words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from godaemon.errors import IllegalMove, Refusal, Unreadable
from godaemon.rules import scoring
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ruleset, Scoring
from gtp.board.time_settings import Timekeeper

if TYPE_CHECKING:  # a board without genmove needs no player
    from pathlib import Path

    from godaemon.engine import Choice, LiveAnalysis, Reading
    from godaemon.engine.house import House
    from godaemon.engine.levels import Limit
    from godaemon.engine.network import Network
    from godaemon.engine.search import Search
    from godaemon.games.time_systems import TimeSettings

DEFAULT_RULES = RULESETS["chinese-superko"]
"""Area and positional superko: programs can play on until they agree on the board."""

CANNOT_LOAD = "cannot load file"
"""The beginning of a refusal to load a file (6.3.6)."""

DEFAULT_LEVEL = 3
"""The level of our own player on a free board, which answers within a second."""


def never() -> bool:
    """The default of `stop`: always False."""
    return False


class FreeBoard:
    """A position, its komi, and our player.

    A new board is 19x19 and empty. `begin_game` keeps the komi (GTP 2 draft 2, 6.3.2), the ruleset,
    the time limits and the level.
    """

    plays = ""
    """The name of another program that chooses the moves instead of our player."""

    def __init__(self, ruleset: Ruleset = DEFAULT_RULES, *, level: int = DEFAULT_LEVEL) -> None:
        self.position = Position(Size(19, 19), ruleset)
        self.komi = ruleset.komi
        self.handicap = 0
        """The number of handicap stones; stones set up by hand do not count."""
        self.time = Timekeeper()
        self.level = level
        self.chosen_params: dict[str, float] = {}
        """Those of `params` that differ from the level's; call `drop_player` after a change."""
        self.network: Path | None = None
        """The operator's own network file for our player; None for the built-in one."""
        self._player: House | None = None
        self.seed = random.getrandbits(31)
        """The seed of our player's random choices."""
        self._rng = random.Random(self.seed)  # noqa: S311 - moves, not secrets
        self._reading: tuple[int, int, Reading] | None = None

    @property
    def size(self) -> Size:
        return self.position.size

    @property
    def ruleset(self) -> Ruleset:
        """The rules of moves and of the count."""
        return self.position.ruleset

    def set_rules(self, ruleset: Ruleset) -> None:
        """Change the rules; stones, moves, prisoners and komi stay."""
        self.position.ruleset = ruleset
        self.drop_player()

    @property
    def unstated_handicap(self) -> int:
        """The number of Black's moves before White's first, if several, else 0: no handicap."""
        moves = [*takewhile(lambda one: one.color is Color.BLACK, self.position.moves)]
        return len(moves) if len(moves) > 1 and not self.handicap else 0

    def begin_game(self, size: Size, stones: Sequence[Point] = ()) -> None:
        """Remove all stones, prisoners and moves, and place handicap stones."""
        self.set_position(Position(size, self.ruleset, stones), len(stones))

    def set_position(self, position: Position, stones: int = 0) -> None:
        """Begin at a position with a number of handicap stones."""
        self.position, self.handicap = position, stones
        self._reading = None
        self.time.restart()

    def require_empty(self) -> None:
        """Raise `Refusal` if there are stones."""
        if any(self.position.board.cells):
            raise Refusal("board not empty")

    def play(self, color: Color, point: Point | None) -> None:
        """Play a move or pass of either colour, also twice in a row and after passes."""
        self.position.play_all([(color, point)])

    def undo(self, moves: int = 1) -> None:
        """Take the last moves back, or none; raises `Refusal`: cannot undo."""
        if moves > self.position.move_number:
            raise Refusal("cannot undo")
        for _ in range(moves):
            self.position.undo()

    def genmove(
        self,
        color: Color,
        stop: Callable[[], bool] = never,
        analysis: LiveAnalysis | None = None,
        *,
        cleanup: bool = False,
    ) -> Choice:
        """The choice of a move; the best one so far once `stop` returns True.

        In a `cleanup` dead stones are captured before a pass, no level plays badly on purpose, and
        nobody resigns.
        """
        left = self.time.seconds_for_move(color, self.position.board.cells.count(0))
        limits = [one for one in (left, self.chosen_params.get("maxTime")) if one is not None]
        began = monotonic()
        seconds = min(limits, default=None)
        choice = self.choose(color, seconds, stop, analysis, cleanup=cleanup)
        self.time.spend(color, monotonic() - began)
        if cleanup and choice.point is None:
            from godaemon.engine import Choice  # noqa: PLC0415 - few sessions ask
            from godaemon.engine.cleanup import capturing_move  # noqa: PLC0415

            return Choice(capturing_move(self.position, color, self.dead()))
        return choice

    def choose(
        self,
        color: Color,
        seconds: float | None,
        stop: Callable[[], bool],
        analysis: LiveAnalysis | None = None,
        *,
        cleanup: bool,
    ) -> Choice:
        """A legal move, a pass or resignation, within some seconds; the board stays unchanged."""
        return self.load_player().genmove(
            self.position,
            color,
            komi=self.player_komi,
            seconds=seconds,
            stop=stop,
            analysis=analysis,
            cleanup=cleanup,
        )

    def set_time_limits(self, limits: TimeSettings | None, move_cap: float = inf) -> None:
        """Set the time limits; loads our player now, because that takes longer than a move."""
        self.time.set_limits(limits, move_cap)
        if limits and not self.plays:
            self.load_player()

    def analyse(self, color: Color, limits: Sequence[Limit]) -> Iterator[Search]:
        """Our own player's search for a colour, yielded as it grows; raises `Refusal`."""
        self.evaluation_input("analyze")
        komi = self.player_komi
        return self.load_player().analyse(self.position, color, komi=komi, limits=limits)

    def evaluation_input(self, verb: str) -> tuple[Network, Position, float]:
        """The input of our player's evaluation: network, position, komi; raises `Refusal`."""
        from godaemon.engine.levels import is_network_size  # noqa: PLC0415 - few sessions ask
        from godaemon.engine.network import BUILT_IN_NETWORK, load_network  # noqa: PLC0415

        if not is_network_size(self.size):
            raise Refusal(f"cannot {verb} boards of this size")
        return load_network(self.network or BUILT_IN_NETWORK), self.position, self.player_komi

    @property
    def player_komi(self) -> float:
        """The komi for our player, which counts each stone of the setup as a handicap stone.

        The handicap points that it would add for the others are subtracted here.
        """
        if self.ruleset.scoring is Scoring.TERRITORY:
            return self.komi
        points = self.ruleset.handicap_points
        return self.komi - (points(len(self.position.handicap)) - points(self.handicap))

    @property
    def params(self) -> dict[str, float]:
        """The parameters: seconds per move, and positions that our player looks at."""
        from godaemon.engine import levels  # noqa: PLC0415 - few sessions ask

        level = levels.level(self.level)
        visits = {} if self.plays else {"maxVisits": level.visits or 1}
        return {"maxTime": level.seconds, **visits, **self.chosen_params}

    def reseed(self, seed: int) -> None:
        """Restart our player, with random choices from a seed."""
        self.seed = seed
        self._rng.seed(seed)
        self.drop_player()

    def drop_player(self) -> None:
        """Drop the player, with its cache and opinions."""
        self._player = self._reading = None

    def load(self, data: bytes, before: int | None = None) -> tuple[str, ...]:
        """Take the position of an SGF file before move `before`, or at its end.

        Size, komi and rules come from the file; those that it does not state, or whose name we do
        not know, stay. It ends before an illegal move. Returns sentences about the parts that were
        left out. Raises `Refusal`: cannot load file.
        """
        from godaemon.records import replay, sgf  # noqa: PLC0415 - few sessions load a file

        try:
            record = sgf.parse_sgf(data)
            count = None if before is None else max(before - 1, 0)
            position, remarks = replay.playable(record, record.ruleset or self.ruleset, count)
        except (Unreadable, IllegalMove) as refusal:
            raise Refusal(f"{CANNOT_LOAD}: {refusal.public}") from refusal
        is_edited = position.handicap != record.setup_black
        self.set_position(position, 0 if is_edited else record.handicap)
        self.komi = record.komi if record.has_komi else self.komi
        return (*record.left_out, *remarks)

    def score(self) -> scoring.Score:
        """The count by the player's opinion on dead stones."""
        return scoring.count(self.position, self.dead(), self.komi, self.handicap)

    def dead(self) -> frozenset[Point]:
        """The dead stones in the player's opinion; none if the rules remove no stones."""
        position = self.position
        if not position.ruleset.removal or position.is_settled:
            return frozenset()
        return self.reading().dead

    def reading(self) -> Reading:
        """The player's opinion, cached for the current position."""
        position = self.position
        key, moves = hash(position.board), position.move_number
        if self._reading is None or self._reading[:2] != (key, moves):
            self._reading = key, moves, self.load_player().read_dead_stones(position)
        return self._reading[2]

    def load_player(self) -> House:
        """Load our player on first use, so that a session starts sooner."""
        if self._player is not None:
            return self._player
        from godaemon.engine.house import House  # noqa: PLC0415 - only sessions that play need it

        house = House(self.level, rng=self._rng, now=monotonic, network=self.network)
        if seconds := self.chosen_params.get("maxTime"):
            house.level = house.level._replace(seconds=seconds)
        if visits := self.chosen_params.get("maxVisits"):
            house.level = house.level._replace(visits=int(visits), temperature=0.0)
        self._player = house
        return house
