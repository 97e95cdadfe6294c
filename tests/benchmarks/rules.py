"""Speed of the rules: `Position` and sgfmill's board replay the same real games.

    python -m tests.benchmarks.rules [--rounds N] FILE...

Each file is a game in SGF. Timed are a new board and all moves with their legality, without
parsing. sgfmill checks neither ko nor suicide, and has only square boards: other games, and those
that break positional superko, are left out.
"""

import argparse
import gc
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import thread_time

from sgfmill import boards

from godaemon.errors import GodaemonError
from godaemon.records.record import Record
from godaemon.records.replay import replay
from godaemon.records.sgf import parse_sgf
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ko, Ruleset

POSITIONAL = RULESETS["tromp-taylor"]
SITUATIONAL = POSITIONAL.replace(ko=Ko.SITUATIONAL)
SIMPLE = POSITIONAL.replace(ko=Ko.SIMPLE)


def games(files: Sequence[Path]) -> list[Record]:
    """The games of some files; raises `Unreadable`."""
    return [parse_sgf(file.read_bytes()) for file in files]


def playable(records: Sequence[Record]) -> list[Record]:
    """The games that both can play: on square boards, without repetition."""
    found = []
    for record in records:
        try:
            replay(record, POSITIONAL)
        except GodaemonError:
            continue
        if record.size.width == record.size.height and not record.edits:
            found.append(record)
    return found


Moves = list[tuple[Color, Point | None]]


def bare(records: Sequence[Record]) -> list[tuple[Record, Moves]]:
    """The games with their moves as tuples."""
    return [(record, [(move.color, move.point) for move in record.moves]) for record in records]


def first_position(record: Record, ruleset: Ruleset) -> Position:
    return Position(record.size, ruleset, record.setup_black, set_up_white=record.setup_white)


def play_games_at_once(games: Sequence[tuple[Record, Moves]], ruleset: Ruleset) -> list[Position]:
    """Play all games with one call each, as when a game is loaded."""
    played = []
    for record, moves in games:
        position = first_position(record, ruleset)
        position.play_all(moves)
        played.append(position)
    return played


def play_games_by_moves(games: Sequence[tuple[Record, Moves]], ruleset: Ruleset) -> list[Position]:
    """Play all games with one call per move."""
    played = []
    for record, moves in games:
        position = first_position(record, ruleset)
        play, pass_ = position.play, position.pass_
        for color, point in moves:
            if point is None:
                pass_(color)
            else:
                play(color, point)
        played.append(position)
    return played


Plain = tuple[int, list[tuple[str, int, int]], list[tuple[str, int, int] | None]]


def for_sgfmill(records: Sequence[Record]) -> list[Plain]:
    """The games for sgfmill: side, set-up stones and moves."""
    letters = {Color.BLACK: "b", Color.WHITE: "w"}

    def stone(color: Color, point: Point) -> tuple[str, int, int]:
        return letters[color], point.row, point.column

    found: list[Plain] = []
    for record in records:
        sides = ((Color.BLACK, record.setup_black), (Color.WHITE, record.setup_white))
        set_up = [stone(color, point) for color, points in sides for point in points]
        moves = [
            None if move.point is None else stone(move.color, move.point) for move in record.moves
        ]
        found.append((record.size.width, set_up, moves))
    return found


def sgfmills(games: Sequence[Plain]) -> list[boards.Board]:
    """Play all games with sgfmill; set-up stones are played."""
    played = []
    for side, set_up, moves in games:
        board = boards.Board(side)
        for color, row, column in set_up:
            board.play(row, column, color)
        play = board.play
        for move in moves:
            if move is not None:
                color, row, column = move
                play(row, column, color)
        played.append(board)
    return played


def undone(positions: Sequence[Position]) -> None:
    for position in positions:
        undo = position.undo
        while undo():
            pass


AT_ONCE, PLAY = "play_all, positional superko", "play, positional superko"
SGFMILL = "sgfmill, no ko"
Figures = dict[str, list[float]]
"""CPU seconds of each round, by way to play the games."""


def measure(records: Sequence[Record], rounds: int) -> Figures:
    """Time each way to play the games in each round; needs `playable` games."""
    mine, theirs, played = bare(records), for_sgfmill(records), list[Position]()
    works: dict[str, Callable[[], object]] = {
        AT_ONCE: partial(play_games_at_once, mine, POSITIONAL),
        "play, situational superko": partial(play_games_by_moves, mine, SITUATIONAL),
        "play, simple ko": partial(play_games_by_moves, mine, SIMPLE),
        PLAY: lambda: played.extend(play_games_by_moves(mine, POSITIONAL)),
        "undo": lambda: undone(played),
        SGFMILL: partial(sgfmills, theirs),
    }
    figures: Figures = {name: [] for name in works}
    for _ in range(rounds):
        played.clear()
        gc.collect()
        for name, work in works.items():
            begin = thread_time()
            work()
            figures[name].append(thread_time() - begin)
    return figures


def same_stones(records: Sequence[Record]) -> bool:
    """True if both engines end every game with the same stones."""
    colors = {1: "b", -1: "w", 0: None}
    pairs = zip(
        play_games_by_moves(bare(records), POSITIONAL), sgfmills(for_sgfmill(records)), strict=True
    )
    return all(
        board.get(*divmod(index, board.side)) == colors[cell]
        for position, board in pairs
        for index, cell in enumerate(position.board.cells)
    )


def bytes_a_move(records: Sequence[Record]) -> float:
    """Memory per move: that of played games without that of new ones."""
    games = bare(records)
    play_games_by_moves(games, POSITIONAL)  # fills caches that games of a size share
    tracemalloc.start()
    begun = play_games_by_moves([(record, []) for record in records], POSITIONAL)
    empty = tracemalloc.get_traced_memory()[0]
    played = play_games_by_moves(games, POSITIONAL)
    full = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    moves = sum(
        each.move_number - fresh.move_number for each, fresh in zip(played, begun, strict=True)
    )
    return (full - 2 * empty) / moves


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.rules", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args(arguments)
    every = games(options.files)
    records = playable(every)
    figures, moves = measure(records, options.rounds), sum(len(one.moves) for one in records)
    lines = [f"{len(records)} games, {moves} moves; left out: {len(every) - len(records)}"]
    # The best round counts: noise only slows down.
    lines += [f"{name:30}{moves / min(spent):12,.0f} moves/s" for name, spent in figures.items()]
    for name in (AT_ONCE, PLAY):
        rounds = zip(figures[name], figures[SGFMILL], strict=True)
        ratio = median(theirs / ours for ours, theirs in rounds)
        lines.append(f"{'ratio to sgfmill, ' + name.split(',')[0]:30}{ratio:12.2f}")
    lines += [
        f"{'bytes a move':30}{bytes_a_move(records):12.0f}",
        f"{'final stones agree':30}{'yes' if same_stones(records) else 'NO':>12}",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
