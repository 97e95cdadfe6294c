"""GNU Go 3.8 as an opponent and an oracle: a GTP pipe, and a referee between it and our engine."""

from __future__ import annotations

import random
from dataclasses import dataclass

from godaemon.engine.house import House
from godaemon.engine.network import load
from godaemon.engine.network_dead_stones import read
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Position
from godaemon.rules.rulesets import RULESETS
from godaemon.rules.scoring import Score, count
from tests.support.gui import Gui

PROGRAM = "/usr/games/gnugo"


class GnuGo(Gui):
    """One GNU Go process, spoken to by GTP; close it by leaving the `with` block."""

    def __init__(self, *options: str) -> None:
        super().__init__([PROGRAM, "--mode", "gtp", *options])

    def dead(self) -> frozenset[Point]:
        """The stones it takes for dead."""
        return frozenset(map(parse_point, self.ask("final_status_list dead").split()))


@dataclass(frozen=True, slots=True)
class Match:
    """A finished game: the position, and both opinions on its score."""

    position: Position
    ours: Score
    theirs: str
    their_dead: frozenset[Point]


def play_match(  # a whole match has these parts
    size: int, rules: str, *, ours: Color, seed: int, komi: float = 6.5, level: int = 1
) -> Match:
    """A game between our engine and GNU Go, referred by `godaemon.rules`, to two passes.

    Fails the test if either side plays a move that the other, or the rules, refuse.
    """
    options = {"japanese": "--japanese-rules", "chinese": "--chinese-rules"}[rules]
    house = House(7, rng=random.Random(seed))
    position = Position(Size(size, size), RULESETS[rules])
    with GnuGo(options, "--level", str(level), "--seed", str(seed + 1)) as other:
        other.ask(f"boardsize {size}")
        other.ask(f"komi {komi}")
        while position.passes() < 2:
            color = position.to_move
            if color is ours:
                point = house.genmove(position, color, komi=komi).point
                other.ask(f"play {color.word} {point or 'pass'}")
            else:
                answer = other.ask(f"genmove {color.word}")
                assert answer != "resign"
                point = None if answer.casefold() == "pass" else parse_point(answer)
            if point is None:
                position.pass_(color)
            else:
                position.play(color, point)
        dead = read(load(), position).dead
        score = count(
            position.board, dead, RULESETS[rules], prisoners=position.prisoners, komi=komi
        )
        return Match(position, score, other.ask("final_score"), other.dead())
