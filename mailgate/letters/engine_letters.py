"""The letters with our player's estimate of a game, and its look back on one. Pure.

What it makes of the board is in the notice; it was asked beside the daemon (`with_estimate`,
`with_review`). An estimate is of the position alone: nobody's plans are in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from godaemon.diagrams.symbols import Part, around
from godaemon.engine.look_back import LookBack, Mistake, read
from godaemon.games import events as ev
from godaemon.games.model import Game
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.rules.scoring import board_rows
from godaemon.texts.catalogue import listed, say
from mailgate.letters.blocks import Block, Cut, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import title
from mailgate.letters.shared_blocks import verdict

_AHEAD, _DECIDED, _OPEN = 0.65, 0.95, 0.25
"""The chances with which a colour is ahead and has won, and with which a game is not lost yet."""
_LARGE = 3.0
"""The weight of a move that mattered (`Mistake.weight`)."""


def review(view: LetterView) -> LetterBlocks:
    """How the game went, what was good, and the moves that mattered, each with a board."""
    said = view.about.get("review")
    if not said:
        first = say("review-none", game=view.game.id)
        return LetterBlocks(first, (Words(say("no-answer", line="review")),))
    found = _played(view.game, read(said))
    positions = _positions(view.game.position, found.mistakes)
    blocks: list[Block] = [Words(" ".join([verdict(view), *_praise(view, found)]))]
    blocks.append(Words(_greeting(found.mistakes)))
    for one in found.mistakes:
        told = " ".join(_told(view, found, one, positions))
        blocks += [Words(told), Cut(_part(positions[one.number], one))]
    first = f"{say('review-of', game=view.game.id)} {_story(found)}"
    return LetterBlocks(first, (*blocks, _parting(view)))


def _played(game: Game, found: LookBack) -> LookBack:
    """What is said of the moves that the players have made: not those of a record before them."""
    if game.spec.opening is None:
        return found
    given = len(game.spec.opening.moves)
    mistakes = [one for one in found.mistakes if one.number > given]
    good = {number: move for number, move in found.good.items() if number > given}
    return replace(found, mistakes=mistakes, good=good, expected={})


def _story(found: LookBack) -> str:
    """Who was ahead from when on, and since when nothing could change it."""
    turns: list[tuple[int, Color]] = []
    for number, chance in enumerate(found.chances):
        color = Color.BLACK if chance > 0.5 else Color.WHITE
        if max(chance, 1 - chance) >= _AHEAD and (not turns or turns[-1][1] is not color):
            turns.append((number, color))
    if not turns:
        return say("story-close")
    number, color = turns[-1]
    still_open = [at for at, chance in enumerate(found.chances) if _of(color, chance) < _DECIDED]
    if not still_open:
        return say("story-far", color=title(color))
    decided = still_open[-1] + 1
    if decided <= number:
        return say("story-turn", color=title(color), number=number)
    begun = "move" if number else "start"
    end = "decided" if decided < len(found.chances) - 1 else "open"
    return say(f"story-{begun}-{end}", color=title(color), number=number, decided=decided)


def _of(color: Color, blacks: float) -> float:
    return 0.5 + color * (blacks - 0.5)


def _praise(view: LetterView, found: LookBack) -> Iterator[str]:
    """What was done well: what anybody would have played, and what nobody saw coming."""
    for color, (hits, of) in found.expected.items():
        if (view.teaching or color is view.color) and hits * 2 >= of > 1:
            key = "colour-expected" if view.teaching else "you-expected"
            yield say(key, count=hits, all=of, color=title(color))
    first = {one.color: (number, one.point) for number, one in reversed([*found.good.items()])}
    if moves := [_found(view, color, *first[color]) for color in Color if color in first]:
        yield say("well-found", moves=listed(moves))


def _found(view: LetterView, color: Color, number: int, point: Point | None) -> str:
    if view.teaching:
        return say("colour-find", color=title(color), point=point, number=number)
    return view.tell(color.word, "find", point=point, number=number)


def _greeting(mistakes: Sequence[Mistake]) -> str:
    if not mistakes:
        return say("review-nothing")
    large = any(one.weight >= _LARGE for one in mistakes)
    first = say("review-large", count=len(mistakes)) if large else say("review-small")
    return f"{first} {say('review-legend')}"


def _parting(view: LetterView) -> Words:
    unasked = any(view.happened(ev.Finished))
    switch = say("reviews-off" if unasked else "reviews-on")
    return Words(f"{say('review-caution')} {switch}", small=True)


def _positions(end: Position, mistakes: Sequence[Mistake]) -> dict[int, Position]:
    twin, found = end.copy(), dict[int, Position]()
    for one in reversed(mistakes):
        while twin.move_number >= one.number:
            twin.undo()
        found[one.number] = twin.copy()
    return found


def _told(
    view: LetterView, found: LookBack, mistake: Mistake, positions: dict[int, Position]
) -> Iterator[str]:
    """One move: what it cost, what was better, and why."""
    number, (color, point), lost, _, (best, *_), _ = mistake
    you = color is view.color and not view.teaching
    small = mistake.weight < _LARGE
    yield say(
        "mistake-small" if small else f"mistake{_consequence(found, mistake)}",
        number=number,
        move=say("passing") if point is None else point,
        who=say("colour-you", color=title(color)) if you else title(color),
        count=max(1, round(lost)),
        better=say("passing") if best is None else say("numbered-one", point=best),
    )
    yield from _why(positions[number], mistake)
    moves = view.game.position.moves
    if best is not None and number < len(moves) and moves[number].point == best:
        yield say("played-there", color=title(color.opponent))


def _consequence(found: LookBack, mistake: Mistake) -> str:
    before = _of(mistake.move.color, found.chances[mistake.number - 1])
    if mistake.chance < 0.05:
        return "" if _OPEN < before < 1 - _OPEN else "-decided"
    return "-lead" if before >= 0.5 > before - mistake.chance else ""


def _why(position: Position, mistake: Mistake) -> Iterator[str]:
    """What the better move does, where that can be said: stones that it takes, saves or kills."""
    color, best, group = mistake.move.color, mistake.better[0], mistake.group
    if best is None:
        return
    if taken := position.copy().play(color, best):
        yield say("why-takes", count=len(taken))
    elif group is not None:
        yield say("why-saves" if position.board.color(group) is color else "why-kills", point=group)


def _part(position: Position, mistake: Mistake) -> Part:
    """The surroundings of the move that was played, where it stands, and of the better one."""
    color, played = mistake.move
    about = (played, mistake.better[0], mistake.group)
    shown = [point for point in about if point is not None]
    size = position.size
    columns, lines = around(shown or [Point(size.width // 2, size.height // 2)], size)
    rows = [list(row) for row in board_rows(position.board, None)]
    signs = dict[Point, str]()
    if played is not None:
        rows[-1 - played.row][played.column] = color.word[0]
    for number, point in enumerate(mistake.better, start=1):
        if point is None or point.column not in columns or point.row not in lines:
            break
        if rows[-1 - point.row][point.column] != ".":
            break
        signs[point] = str(number)
        rows[-1 - point.row][point.column] = color.word[0]
        color = color.opponent
    return Part(["".join(row) for row in rows], columns, lines, played, signs)
