"""The letter that looks back on a game that is over: the moves that lost most. Pure.

What our player found out is in the notice; it was asked beside the daemon (`with_review`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from godaemon.diagrams.text import text_part
from godaemon.engine.look_back import LookBack, Mistake, read
from godaemon.games import events as ev
from godaemon.games.model import Game
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.rules.scoring import board_rows
from mailgate.letters.blocks import Block, Cut, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import listed, plural, title
from mailgate.letters.shared_blocks import verdict

LARGE = 5.0
"""Moves that lost more points than this are counted in the first line."""
_AROUND = 3
"""So many points are drawn on each side of what a diagram is about."""
_EVEN = 1.0


def review(view: LetterView) -> LetterBlocks:
    """The mistakes in the game's order, each with a part of the board and what was better."""
    said = view.about.get("review")
    if not said:
        return LetterBlocks(
            f"I cannot look back on game {view.game.id} just now.",
            (Words("The program that does it gave no answer. Please ask again later: `review`"),),
        )
    found = read(str(said))
    named = [one for one in found.mistakes if one.better]
    drawn = _drawn(view.game, named)
    blocks = [block for one in named for block in (Words(_told(view, one)), Cut(drawn[one.number]))]
    return LetterBlocks(
        f"A look back on game {view.game.id}: {_count(found)}. {_who_led(found)}",
        (
            Words(f"{verdict(view)} {_greeting(named)}"),
            *blocks,
            *_parting(named, unasked=any(view.happened(ev.Finished))),
        ),
    )


def _greeting(named: Sequence[Mistake]) -> str:
    if not named:
        return "I found no move that lost three points or more. Well played, both of you!"
    return (
        "Every game has moves like these, and nowhere is there more to learn. Here are those that"
        " lost most, in the order in which they were played. On the boards, ( ) is the move that "
        "was played, 1 the better one, and 2, 3 ... how it might have gone on."
    )


def _parting(named: Sequence[Mistake], *, unasked: bool) -> tuple[Block, ...]:
    words = "This is only what I make of the game, and points are rough guesses: I err too."
    how = "get no more of these" if unasked else "get one after each game"
    switch = Words(
        f"To {how}, reply with: `reviews {'off' if unasked else 'on'} everywhere`", small=True
    )
    return (Words(words, small=True), switch) if named else (switch,)


def _count(found: LookBack) -> str:
    """How many moves lost much, of either colour: `4 moves of Black's and 1 of White's ...`."""
    large = [one.move.color for one in found.mistakes if one.lost > LARGE]
    if not large:
        return f"no move lost more than {LARGE:g} points"
    counts = [f"{plural(large.count(color), 'move')} of {title(color)}'s" for color in Color]
    return f"{listed(counts)} lost more than {LARGE:g} points each"


def _who_led(found: LookBack) -> str:
    """Who was ahead after each third of the game, and at its end."""
    moves = len(found.leads) - 1
    parts = [
        f"{_ahead(found.leads[at])} {f'after move {at}' if at < moves else 'at the end'}"
        for at in sorted({moves // 3, moves * 2 // 3, moves} - {0})
    ]
    return f"Who led, as I see it: {listed(parts)}."


def _ahead(lead: float) -> str:
    if abs(lead) < _EVEN:
        return "nobody"
    return f"{title(Color.BLACK if lead > 0 else Color.WHITE)} by {_points(abs(lead))}"


def _points(count: float) -> str:
    return plural(max(1, round(count)), "point")


def _told(view: LetterView, mistake: Mistake) -> str:
    """One move: `Move 34, D4 by White (you), lost about 8 points. Better was C3, then D3`."""
    number, (color, point), lost, (best, *then) = mistake
    played = "the pass" if point is None else str(point)
    you = " (you)" if color is view.color and not view.teaching else ""
    better = "to pass" if best is None else f"{best} (1)"
    follows = f", and then perhaps {', '.join(map(_named, then))}" if then else ""
    return (
        f"Move {number}, {played} by {title(color)}{you}, lost about {_points(lost)}."
        f" Better was {better}{follows}."
    )


def _named(point: Point | None) -> str:
    return "a pass" if point is None else str(point)


def _drawn(game: Game, mistakes: Sequence[Mistake]) -> dict[int, str]:
    """For each mistake the part of the board where it happened, as it stood then."""
    position, found = game.position.copy(), dict[int, str]()
    for mistake in reversed(mistakes):
        while position.move_number >= mistake.number:
            position.undo()
        found[mistake.number] = _part(position, mistake)
    return found


def _part(position: Position, mistake: Mistake) -> str:
    """The surroundings of the move that was played, where it stands, and of the better one."""
    played, size = mistake.move.point, position.size
    signs = dict(_signs(position, mistake))  # those elsewhere are cut off with their points
    about = [point for point in (played, mistake.better[0]) if point is not None]
    about = about or [Point(size.width // 2, size.height // 2)]
    columns, lines = zip(*about, strict=True)
    low = Point(max(min(columns) - _AROUND, 0), max(min(lines) - _AROUND, 0))
    high = Point(
        min(max(columns) + _AROUND, size.width - 1), min(max(lines) + _AROUND, size.height - 1)
    )
    rows = [list(row) for row in board_rows(position.board, None)]
    if played is not None:
        rows[-1 - played.row][played.column] = mistake.move.color.word[0]
    return text_part(["".join(row) for row in rows], low, high, last=played, signs=signs)


def _signs(position: Position, mistake: Mistake) -> Iterator[tuple[Point, str]]:
    """The numbers of what was better, on points that are free and not where was played."""
    seen = {mistake.move.point}
    for number, point in enumerate(mistake.better, start=1):
        if point is not None and point not in seen and position.board.color(point) is None:
            seen.add(point)
            yield point, str(number)
