"""CPU time to compose letters.

    python -m tests.benchmarks.compose [--rounds N]

The letters are about one 19x19 game: the turn letter after 120 moves with a link for each legal
point, the scoring letter, and a receipt without links. Cached rows of its board help. The turn
letters of strange games are about a hundred unrelated boards, too many for the cache.
"""

import argparse
import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from random import Random
from statistics import median
from time import process_time

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.state import replay
from godaemon.rules.points import Size
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import LetterData
from tests.support.mailgame import recorded
from tests.support.played_games import ADDRESS, KEY, PlayedGames, PostedLetter
from tests.support.stores import NOW

GAME = "nineteen-lines"
GOAL = 15.0
"""Milliseconds for the turn letter."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A timed task: its output size in bytes, and the seconds of each round."""

    name: str
    size: int
    seconds: Sequence[float]

    @property
    def milliseconds(self) -> float:
        return median(self.seconds) * 1000


def letters() -> dict[str, PostedLetter]:
    """The letters to time."""
    moves = [str(move.point) for move in recorded(GAME).moves if move.point is not None]
    games = PlayedGames()
    games.start(cmd.Propose("bob@players.example", Size(19, 19)))
    games.play(" ".join(moves[:120]))
    found = {one.kind: one for one in games.letters()}
    games.play(" ".join([*moves[120:], "pass", "pass"]))
    counted = {one.kind: one for one in games.letters()}
    return {
        "turn letter": found["your-turn"],
        "letter of the count": counted["scoring-started"],
        "receipt": found["moved"],
    }


def strange() -> Iterator[LetterData]:
    """An endless cycle of turn letters about a hundred games of 120 random moves."""
    luck, found = Random(1), list[LetterData]()
    notice = Notice(Kind.YOUR_TURN, "alice@players.example", game=1, seat=Seat.BLACK)
    names = ("alice@players.example", "Alice", "bob@players.example", "Bob")
    for number in range(100):
        first = ev.Proposed(19, 19, "japanese", 6.5, 0, "black", *names, f"nonce {number}")
        game = replay(1, (first, ev.Confirmed(), ev.Started("proposer", "Bob")))
        while game.move_number < 120:
            color = game.position.to_move
            game.position.play(color, luck.choice(game.position.legal_moves(color)))
        found.append(LetterData(f"{number:016x}", NOW, notice, None, game))
    return cycle(found)


def measure(rounds: int) -> list[Figure]:
    """Time every letter, interleaved so that noise affects all."""
    composer, made = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14), letters()

    def composed(matter: LetterData) -> bytes:
        return composer.compose(matter).raw

    works: dict[str, Callable[[], bytes]] = {
        name: partial(composed, posted.data) for name, posted in made.items()
    }
    unseen = strange()
    works["turn letters of strange games"] = lambda: composed(next(unseen))
    spent: dict[str, list[float]] = {name: [] for name in works}
    sizes = {name: len(work()) for name, work in works.items()}
    gc.collect()
    for _ in range(rounds):
        for name, work in works.items():
            start = process_time()
            work()
            spent[name].append(process_time() - start)
    return [Figure(name, sizes[name], spent[name]) for name in works]


def report(figures: Sequence[Figure]) -> str:
    """A table of the figures, and whether the goal is met."""
    turn = figures[0]
    lines = [f"{'':46}{'ms CPU':>8}{'bytes':>9}"]
    lines += [f"{one.name:46}{one.milliseconds:8.2f}{one.size:9}" for one in figures]
    kept = "yes" if turn.milliseconds < GOAL else "NO"
    return "\n".join([*lines, f"turn letter under {GOAL:g} ms: {kept}"])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.benchmarks.compose")
    parser.add_argument("--rounds", type=int, default=50)
    sys.stdout.write(report(measure(parser.parse_args(arguments).rounds)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
