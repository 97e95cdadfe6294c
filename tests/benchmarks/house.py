"""How strong and how fast our own opponent is: matches, and a table of its levels.

    python -m tests.benchmarks.house [--games 20] [--level 6] [--size 9] gnugo|random
    python -m tests.benchmarks.house levels

Every game is refereed by `godaemon.rules`, which would refuse an illegal move of either side; GNU
Go, where it plays, says at the end who won. It plays at its level 1 by Chinese rules, as the
random player does, who plays anywhere legal but in eyes of his own.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from godaemon.engine import LEVELS, House, dead_stones
from godaemon.engine.geometry import is_eye, shape
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Position
from godaemon.rules.rulesets import RULESETS
from godaemon.rules.scoring import count
from tests.support.gnugo import GnuGo

RULES = RULESETS["chinese"]
KOMI = 7.5


@dataclass(slots=True)
class Game:
    """One game as it was played; `seconds` are our moves' and `winner` is None in a tie."""

    ours: Color
    position: Position
    seconds: list[float] = field(default_factory=list)
    playouts: int = 0
    winner: Color | None = None
    result: str = ""


Mover = Callable[[Position, Color], Point | str | None]
"""A move, None to pass, or "resign"."""


def house_mover(house: House, game: Game) -> Mover:
    """Our player, timed, who may resign."""

    def move(position: Position, color: Color) -> Point | str | None:
        begun = time.perf_counter()
        choice = house.genmove(position, color, komi=KOMI, may_resign=True)
        game.seconds.append(time.perf_counter() - begun)
        game.playouts += house.games
        return "resign" if choice.resigns else choice.point

    return move


def random_mover(rng: random.Random) -> Mover:
    """Anywhere that is legal and no eye of one's own."""

    def move(position: Position, color: Color) -> Point | None:
        cells, plan = position.board.cells, shape(position.size)
        legal = [
            point
            for point in position.legal_moves(color)
            if not is_eye(cells, plan, position.board.index(point), color)
        ]
        return rng.choice(legal) if legal else None

    return move


def gnugo_mover(other: GnuGo) -> Mover:
    """GNU Go, which is told of our move before it answers."""

    def move(position: Position, color: Color) -> Point | str | None:
        last = position.last
        if last is not None:
            other.ask(f"play {last.color.word} {last.point or 'pass'}")
        answer = other.ask(f"genmove {color.word}").casefold()
        if answer in ("pass", "resign"):
            return None if answer == "pass" else answer
        return parse_point(answer)

    return move


def play_out(game: Game, movers: dict[Color, Mover]) -> None:
    """Play to two passes or a resignation; raises `IllegalMove` where a side breaks the rules."""
    position = game.position
    while position.passes() < 2:
        color = position.to_move
        point = movers[color](position, color)
        if isinstance(point, str):
            game.winner, game.result = color.opponent, f"{color.opponent.name[0]}+R"
            return
        if point is None:
            position.pass_(color)
        else:
            position.play(color, point)


def counted(game: Game) -> None:
    """The winner by our own opinion on what is dead."""
    score = count(game.position.board, dead_stones(game.position), RULES, prisoners={}, komi=KOMI)
    game.result = score.result
    if score.margin:
        game.winner = Color.BLACK if score.margin > 0 else Color.WHITE


def match_game(
    opponent: str, size: int, level: int, seed: int, now: Callable[[], float] | None
) -> Game:
    """One game; our colour changes from game to game."""
    ours = Color.BLACK if seed % 2 == 0 else Color.WHITE
    game = Game(ours, Position(Size(size, size), RULES))
    mover = house_mover(House(level, rng=random.Random(seed), now=now), game)
    if opponent == "random":
        play_out(game, {ours: mover, ours.opponent: random_mover(random.Random(seed + 1))})
        if not game.result:
            counted(game)
        return game
    with GnuGo("--chinese-rules", "--level", "1", "--seed", str(seed + 1)) as other:
        other.ask(f"boardsize {size}")
        other.ask(f"komi {KOMI}")
        play_out(game, {ours: mover, ours.opponent: gnugo_mover(other)})
        if not game.result:
            counted(game)
            last = game.position.last
            if last is not None and last.color is ours:
                other.ask(f"play {last.color.word} {last.point or 'pass'}")
            theirs = other.ask("final_score")
            if theirs != game.result:
                game.result += f" (GNU Go: {theirs})"
            game.winner = {"B": Color.BLACK, "W": Color.WHITE}.get(theirs[0])
    return game


def match(opponent: str, size: int, level: int, games: int, *, clock: bool = True) -> list[Game]:
    """So many games, each printed as it ends."""
    played = []
    for seed in range(games):
        game = match_game(opponent, size, level, seed, time.perf_counter if clock else None)
        played.append(game)
        sys.stdout.write(
            f"{seed + 1:3} {game.ours.word}: {'won ' if game.winner is game.ours else 'lost'}"
            f" {game.result:8} {game.position.move_number:3} moves,"
            f" {sum(game.seconds) / max(len(game.seconds), 1):.2f} s a move,"
            f" {max(game.seconds, default=0):.2f} at most,"
            f" {game.playouts / max(sum(game.seconds), 1e-9):.0f} playouts/s\n"
        )
        sys.stdout.flush()
    return played


def levels_table(sizes: Sequence[int], highest: int = len(LEVELS)) -> list[str]:
    """For each level and board the playouts and seconds of two moves of a game just begun."""
    rows = ["level  board   playouts   a second   seconds"]
    for level in LEVELS[:highest]:
        for size in sizes:
            house = House(level.number, rng=random.Random(1), now=time.perf_counter)
            position = Position(Size(size, size), RULES)
            games, begun = 0, time.perf_counter()
            for _ in range(2):
                color = position.to_move
                point = house.genmove(position, color, komi=KOMI).point
                games += house.games
                if point is not None:
                    position.play(color, point)
            seconds = time.perf_counter() - begun
            rows.append(
                f"{level.number:5}  {size:2}x{size:<2} {games / 2:9.0f} {games / seconds:10.0f}"
                f" {seconds / 2:9.2f}"
            )
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.house", description=__doc__)
    parser.add_argument("what", choices=("gnugo", "random", "levels"))
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--level", type=int, default=6)
    parser.add_argument("--size", type=int, default=9)
    asked = parser.parse_args(arguments)
    if asked.what == "levels":
        sys.stdout.write("\n".join(levels_table((9, 13, 19))) + "\n")
        return 0
    played = match(asked.what, asked.size, asked.level, asked.games)
    won = sum(game.winner is game.ours for game in played)
    moves = sum(len(game.seconds) for game in played)
    seconds = sum(sum(game.seconds) for game in played)
    playouts = sum(game.playouts for game in played)
    sys.stdout.write(
        f"level {asked.level} on {asked.size}x{asked.size} against {asked.what}:"
        f" {won} of {len(played)} won; {seconds / max(moves, 1):.2f} s a move,"
        f" {playouts / max(seconds, 1e-9):.0f} playouts/s; no illegal move\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
