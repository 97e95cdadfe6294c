"""Strength and speed of our own engine: matches, and a table of its levels.

    python -m tests.benchmarks.house [--games 20] [--level 6] [--size 9] gnugo|random|LEVEL
    python -m tests.benchmarks.house [--games 20] [--size 9] [--decided 40] scale
    python -m tests.benchmarks.house levels

`scale` plays each level against the one below. With `--decided N` a game ends once our network sees
a lead of N points three times in a row, ten moves apart; weak levels may lose 40 points on 19x19,
so use 60 there. Colours alternate; each random opening is used for two games. `godaemon.rules`
rejects illegal moves. GNU Go plays at `--gnugo-level`, and decides who won.
"""

import argparse
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import inf, sqrt

from godaemon.engine import LEVELS
from godaemon.engine.evaluation import estimate, evaluate
from godaemon.engine.fallback import sensible_moves
from godaemon.engine.house import House
from godaemon.engine.network import load_network
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Position
from godaemon.rules.scoring import count
from tests.support.gnugo import GnuGo

RULES = RULESETS["chinese"]
KOMI = 7.5


@dataclass(slots=True)
class Game:
    """A played game; `seconds` has the time of each of our moves, `winner` is None for a tie."""

    ours: Color
    position: Position
    seconds: list[float] = field(default_factory=list)
    winner: Color | None = None
    result: str = ""


Mover = Callable[[Position, Color], Point | str | None]
"""A move, None to pass, or "resign"."""


def house_mover(level: int, rng: random.Random, seconds: list[float]) -> Mover:
    """Our engine, timed; it may resign."""
    house = House(level, rng=rng)

    def move(position: Position, color: Color) -> Point | str | None:
        begun = time.process_time()
        choice = house.genmove(position, color, komi=KOMI)
        seconds.append(time.process_time() - begun)
        return "resign" if choice.resigns else choice.point

    return move


def random_mover(rng: random.Random) -> Mover:
    """A random legal move that fills no own eye."""

    def move(position: Position, color: Color) -> Point | None:
        legal = list(sensible_moves(position, color))
        return rng.choice(legal) if legal else None

    return move


def gnugo_mover(other: GnuGo) -> Mover:
    """GNU Go, which gets all moves before it answers."""
    sent = 0

    def move(position: Position, color: Color) -> Point | str | None:
        nonlocal sent
        for played in position.moves[sent:]:
            other.ask(f"play {played.color.word} {played.point or 'pass'}")
        answer = other.ask(f"genmove {color.word}").casefold()
        sent = position.move_number + 1
        if answer in ("pass", "resign"):
            return None if answer == "pass" else answer
        return parse_point(answer)

    return move


def play_out(game: Game, movers: dict[Color, Mover], decided: float = inf) -> None:
    """Play to two passes, a resignation or a decisive lead; raises `IllegalMove`."""
    position, leads = game.position, [0.0]
    while position.count_passes() < 2:
        if decided < inf and position.move_number % 10 == 0:
            evaluation = evaluate(load_network(), position, position.to_move, KOMI)
            leads.append(evaluation.lead * position.to_move)
            low, high = min(leads[-3:]), max(leads[-3:])
            if low > decided or high < -decided:
                game.winner = Color.BLACK if low > 0 else Color.WHITE
                game.result = f"{game.winner.name[0]}+{abs(leads[-1]):.0f} or so"
                return
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
    """Count the game with the network's opinion on dead stones."""
    board, ownership = game.position.board, estimate(load_network(), game.position, KOMI).owners
    dead = [board.point(at) for at, cell in enumerate(board.cells) if cell * ownership[at] < 0]
    score = count(game.position, dead, KOMI, ruleset=RULES)
    game.result = score.result
    if score.margin:
        game.winner = Color.BLACK if score.margin > 0 else Color.WHITE


def opening(position: Position, seed: int) -> None:
    """Play a random opening with level 6."""
    house = House(6, rng=random.Random(f"opening {seed}"))
    for _ in range(max(2, position.size.width // 3) // 2 * 2):
        point = house.genmove(position, position.to_move, komi=KOMI).point
        if point is not None:
            position.play(position.to_move, point)


def match_game(
    opponent: str, size: int, level: int, seed: int, gnugo_level: int = 10, decided: float = inf
) -> Game:
    """Play one game; the seed decides the colour and the opening."""
    ours = Color.BLACK if seed % 2 == 0 else Color.WHITE
    game = Game(ours, Position(Size(size, size), RULES))
    opening(game.position, seed // 2)
    mover = house_mover(level, random.Random(seed), game.seconds)
    with ExitStack() as stack:
        if opponent == "gnugo":
            args = ("--chinese-rules", "--level", str(gnugo_level), "--seed", str(seed + 1))
            gnugo = stack.enter_context(GnuGo(*args))
            for line in (f"boardsize {size}", f"komi {KOMI}"):
                gnugo.ask(line)
            other = gnugo_mover(gnugo)
        elif opponent == "random":
            other = random_mover(random.Random(seed + 1))
        else:
            other = house_mover(int(opponent), random.Random(seed + 1), [])
        play_out(game, {ours: mover, ours.opponent: other}, decided)
        if not game.result:
            counted(game)
            if opponent == "gnugo":
                _judged(game, gnugo)
    return game


def _judged(game: Game, gnugo: GnuGo) -> None:
    """Let GNU Go decide who won; notes a different result."""
    last = game.position.last
    if last is not None and last.color is game.ours:
        gnugo.ask(f"play {last.color.word} {last.point or 'pass'}")
    theirs = gnugo.ask("final_score")
    if theirs != game.result:
        game.result += f" (GNU Go: {theirs})"
    game.winner = {"B": Color.BLACK, "W": Color.WHITE}.get(theirs[0])


def match(opponent: str, size: int, level: int, games: int, gnugo_level: int = 10) -> list[Game]:
    """Play games, and print each."""
    played = []
    for seed in range(games):
        game = match_game(opponent, size, level, seed, gnugo_level)
        played.append(game)
        sys.stdout.write(
            f"{seed + 1:3} {game.ours.word}: {'won ' if game.winner is game.ours else 'lost'}"
            f" {game.result:8} {game.position.move_number:3} moves,"
            f" {1000 * sum(game.seconds) / max(len(game.seconds), 1):.0f} ms a move,"
            f" {1000 * max(game.seconds, default=0):.0f} at most\n"
        )
        sys.stdout.flush()
    return played


def interval(won: float, games: int) -> tuple[float, float]:
    """The 95 % confidence interval of a winning rate (E. B. Wilson, 1927)."""
    z, share = 1.96, won / games
    middle, width = share + z * z / 2 / games, sqrt(share * (1 - share) + z * z / 4 / games)
    scale = 1 + z * z / games
    return (middle - z * width / sqrt(games)) / scale, (middle + z * width / sqrt(games)) / scale


def scale_table(size: int, games: int, decided: float = inf) -> Iterator[str]:
    """The winning rate of each level against the one below, with its confidence interval."""
    for level in range(2, len(LEVELS) + 1):
        won = 0.0
        for seed in range(games):
            game = match_game(str(level - 1), size, level, seed, decided=decided)
            won += 0.5 if game.winner is None else game.winner is game.ours
        low, high = interval(won, games)
        yield (
            f"level {level} won {won:g} of {games} against level {level - 1} on {size}x{size}:"
            f" {won / games:.0%} ({low:.0%} to {high:.0%})"
        )


def levels_table(sizes: Sequence[int], moves: int = 20) -> list[str]:
    """For each level and board the processor time of moves of a game, and the memory so far."""
    rows = ["level  board   ms a move   at most   MiB"]
    for level in LEVELS:
        for size in sizes:
            seconds: list[float] = []
            mover = house_mover(level.number, random.Random(1), seconds)
            position = Position(Size(size, size), RULES)
            for _ in range(moves):
                point = mover(position, position.to_move)
                if isinstance(point, Point):
                    position.play(position.to_move, point)
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            mean = 1000 * sum(seconds) / len(seconds)
            rows.append(
                f"{level.number:5}  {size:2}x{size:<2} {mean:11.0f} {1000 * max(seconds):9.0f}"
                f" {most:5.0f}"
            )
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.house", description=__doc__)
    parser.add_argument("what", help="gnugo, random, a level of ours, scale, or levels")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--level", type=int, default=6)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--gnugo-level", type=int, default=10)
    parser.add_argument("--decided", type=float, default=inf)
    options = parser.parse_args(arguments)
    if options.what == "levels":
        sys.stdout.write("\n".join(levels_table((9, 13, 19))) + "\n")
        return 0
    if options.what == "scale":
        for row in scale_table(options.size, options.games, options.decided):
            sys.stdout.write(f"{row}\n")
            sys.stdout.flush()
        return 0
    played = match(options.what, options.size, options.level, options.games, options.gnugo_level)
    won = sum(game.winner is game.ours for game in played)
    moves = sum(len(game.seconds) for game in played)
    seconds = sum(sum(game.seconds) for game in played)
    sys.stdout.write(
        f"level {options.level} on {options.size}x{options.size} against {options.what}:"
        f" {won} of {len(played)} won; {1000 * seconds / max(moves, 1):.0f} ms a move;"
        " no illegal move\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
