"""GoGui's drawings over a board: `gfx` lines (GoGui's manual, "Analyze Commands").

Pure; takes boards and points, gives the text of an answer. Nothing here can fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.rules.scoring import point_states
from gtp.argument_readers import written

MOST = 60
"""Points a line; a client reads any length, but a person reads the log."""


def dead(stones: Iterable[Point]) -> str:
    """A cross on each dead stone, and how many there are."""
    marked = sorted(stones)
    many = f"{len(marked)} stones are" if len(marked) != 1 else "1 stone is"
    return "\n".join(
        [*_lines("MARK", marked), f"TEXT {many} dead" if marked else "TEXT none is dead"]
    )


def territory(rows: Sequence[str], words: str) -> str:
    """The points of both colours as squares of their influence, crosses on the dead, and words.

    `rows` are those of `rules.scoring.board_rows`, top row first.
    """
    owners: Mapping[str, int] = {"B": 1, "x": 1, "W": -1, "c": -1}
    states = list(point_states(rows))
    shares = [f"{point} {owners[state]}" for point, state in states if state in owners]
    gone = [point for point, state in states if state in "cx"]
    lines = [*_lines("INFLUENCE", shares), *_lines("MARK", gone)]
    return "\n".join([*lines, f"TEXT {words}"])


def liberties(position: Position) -> str:
    """On each stone the number of liberties of its chain; those in atari are marked."""
    counts = {point: len(free) for point, free in sorted(position.all_liberties().items())}
    labels = [f"{point} {count}" for point, count in counts.items()]
    atari = [point for point, count in counts.items() if count == 1]
    lines = [*_lines("LABEL", labels), *_lines("SQUARE", atari)]
    return "\n".join([*lines, "TEXT chains in atari stand in squares"])


def last(position: Position) -> str:
    """A circle on the last move, and what it was."""
    move = position.last
    if move is None:
        return "TEXT no move has been made"
    words = f"TEXT move {position.move_number}: {move.color.word} {written(move.point)}"
    taken = position.captured
    if taken:
        words += f", which took {len(taken)}"
    return "\n".join([*_lines("CIRCLE", [move.point] if move.point else []), words])


def result_in_words(margin: float) -> str:
    """The winner, for a status line; `margin` is Black's lead."""
    if margin == 0:
        return "a tie"
    winner = Color.BLACK if margin > 0 else Color.WHITE
    points = "point" if abs(margin) == 1 else "points"
    return f"{winner.word.capitalize()} wins by {abs(margin):g} {points}"


def _lines(kind: str, words: Sequence[object]) -> list[str]:
    parts = (words[at : at + MOST] for at in range(0, len(words), MOST))
    return [f"{kind} {' '.join(map(str, part))}" for part in parts]
