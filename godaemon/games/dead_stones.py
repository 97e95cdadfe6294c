"""Marks of dead stones: the stones that a mark changes, and refusals that offer a choice.

`dead V` marks a group by a flood fill (godaemon/README.md, "Counting"). Through an open border the
flood may reach unconditionally alive stones (Benson), most of a colour's live stones, or its last
ones. Then nothing is marked, and the refusal offers the same points with other extents; each
offered line is known to work. Unconditionally alive stones can never be marked dead.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from godaemon.errors import Refusal, Unknown
from godaemon.games.commands import POINTS_PER_LINE, Action, Extent, Mark
from godaemon.games.model import Game
from godaemon.rules import benson, scoring
from godaemon.rules.board import Board
from godaemon.rules.inseparable_chains import inseparable_stones
from godaemon.rules.points import Color, Point, board_order
from godaemon.texts.catalogue import join_sentences, sentence


def join_marks(commands: Sequence[Action]) -> list[Action]:
    """The commands of an email, with consecutive marks of one kind joined."""
    joined: list[Action] = []
    for command in commands:
        last = joined[-1] if joined else None
        if (
            isinstance(command, Mark)
            and isinstance(last, Mark)
            and (command.dead, command.extent) == (last.dead, last.extent)
        ):
            joined[-1] = replace(last, points=(*last.points, *command.points))
        else:
            joined.append(command)
    return joined


def changed_stones(game: Game, mark: Mark) -> tuple[Point, ...]:
    """The stones whose status a mark changes, in the order of the board.

    Raises like `dead_after`; the refusal offers lines that work.
    """
    try:
        after = dead_after(game, mark)
    except Refusal as refusal:
        raise _refusal_with_choice(game, mark, refusal) from None
    return tuple(sorted(game.dead ^ after, key=board_order))


def dead_after(game: Game, mark: Mark) -> frozenset[Point]:
    """The dead stones after a mark, which may name several stones of one group.

    Raises `Unknown` for a point without a stone, and `Refusal` for a mark that goes too far.
    """
    for point in mark.points:
        _check_point(game, mark, point)
    dead = game.dead
    for point in mark.points:
        stones = _stones_at(game, dead, point, mark.extent)
        if mark.dead and (sure := stones & safe_stones(game)):
            raise Refusal(sentence("border-open", point=point, sure=min(sure, key=board_order)))
        if mark.dead and mark.extent is Extent.GROUP:
            _check_reach(game, mark, point, stones, dead | stones)
        dead = dead | stones if mark.dead else dead - stones
    return dead


def safe_stones(game: Game) -> frozenset[Point]:
    """The unconditionally alive stones of both colours (Benson)."""
    return _safe_stones(game.position.board.copy(), game.spec.ruleset.suicide)


@lru_cache(maxsize=16)
def _safe_stones(board: Board, suicide: bool) -> frozenset[Point]:  # noqa: FBT001
    """The stones of `safe_stones`, cached, because each candidate mark needs the same board."""
    black, white = (benson.alive_stones(board, color, suicide=suicide) for color in Color)
    return black | white


def _stones_at(
    game: Game, dead: frozenset[Point], point: Point, extent: Extent
) -> frozenset[Point]:
    board = game.position.board
    if extent is Extent.CHAIN:
        return scoring.chain(board, point)
    if extent is Extent.JOINED:
        return inseparable_stones(board, point)
    return scoring.group(board, dead, point)


# -- groups -------------------------------------------------------------------------------------
def group_stones(game: Game, stones: Collection[Point]) -> list[frozenset[Point]]:
    """The stones by groups that live or die together, the largest group first."""
    board = game.position.board
    left = set(stones)
    groups = list[frozenset[Point]]()
    while left:
        group = scoring.group(board, game.dead | {*stones}, min(left, key=board_order)) & {*stones}
        groups.append(group)
        left -= group
    return sorted(groups, key=lambda group: (-len(group), board_order(min(group, key=board_order))))


def first_stones(game: Game, stones: Iterable[Point]) -> tuple[Point, ...]:
    """One stone of each chain, by which we name it: the leftmost of its lowest row."""
    chains = scoring.chains(game.position.board, stones)
    return tuple(min(chain, key=board_order) for chain in chains)


def marks_for(game: Game, dead: frozenset[Point]) -> Iterator[Mark]:
    """The marks that make exactly these stones dead: by group if possible, else chain by chain."""
    wrong = game.dead - dead
    for is_dead, stones in ((True, dead), (False, wrong)) if dead != game.dead else ():
        after = game.dead | stones if is_dead else game.dead - stones
        named = tuple(min(one, key=board_order) for one in group_stones(game, stones))
        chosen = Mark(first_stones(game, stones), is_dead, Extent.CHAIN)
        with suppress(Refusal):
            plain = Mark(named, is_dead)
            chosen = plain if dead_after(game, plain) == after else chosen
        if stones:
            yield chosen
        game = replace(game, dead=after)


# -- refusals -----------------------------------------------------------------------------------
def _check_point(game: Game, mark: Mark, point: Point) -> None:
    size = game.spec.size
    if not size.has(point):
        raise Unknown(sentence("off-board", point=point, size=size, last=size.last))
    if game.position.board.color(point) is None:
        raise Unknown(sentence("no-stone", point=point))
    if mark.dead and point in safe_stones(game):
        raise Refusal(sentence("never-taken", point=point))


def _check_reach(
    game: Game, mark: Mark, point: Point, stones: frozenset[Point], after: frozenset[Point]
) -> None:
    """Refuse a mark that would kill all of a colour, or most of it through a gap in a border."""
    board = game.position.board
    wiped_out = _wiped_out_colors(game, after)
    joined = scoring.chain if wiped_out else inseparable_stones
    named = frozenset().union(*(joined(board, one) for one in mark.points))
    other = min(stones - game.dead - named, key=board_order, default=None)
    parted = [] if other is None else [sentence("parted", point=point, other=other)]
    if wiped_out:
        every = sentence("marks-every", color=sentence(wiped_out[0].word))
        raise Refusal(join_sentences(*parted, every))
    color = board.color(point)
    if not parted or color is None:
        return
    alive = {board.point(index) for index in board.stones(color)} - game.dead
    taken = len(alive & stones)
    if 2 * taken > len(alive):
        most = sentence("marks-most", color=sentence(color.word), taken=taken, count=len(alive))
        raise Refusal(join_sentences(*parted, most))


def _wiped_out_colors(game: Game, after: frozenset[Point]) -> list[Color]:
    board = game.position.board
    stones = {color: {board.point(index) for index in board.stones(color)} for color in Color}
    return [color for color in Color if stones[color] <= after and not stones[color] <= game.dead]


# -- suggestions --------------------------------------------------------------------------------
def _refusal_with_choice(game: Game, mark: Mark, refusal: Refusal) -> Refusal:
    """The refusal with lines that work instead, and the effect of each."""
    valid = tuple(one for one in dict.fromkeys(mark.points) if _can_be_named(game, mark, one))
    if len(valid) < len(set(mark.points)):
        rest = replace(mark, points=valid)
        lines = _lines(_options(game, rest, Extent.CHAIN, mark.extent)[-1:])
        others = ("done", "resume") if type(refusal) is Refusal else ()
        return type(refusal)(refusal.public, hints=lines or others)
    choice = _options(game, replace(mark, points=valid), Extent.JOINED, Extent.CHAIN, Extent.ALL)
    short = [one for one in choice if len(one.points) <= POINTS_PER_LINE]
    more = [_effect_of_line(one) for one in short]
    if choice and not short:
        more.append(sentence("lines-work"))
    return type(refusal)(join_sentences(refusal.public, *more), hints=_lines(short or choice[:1]))


def _lines(marks: Sequence[Mark]) -> tuple[str, ...]:
    return tuple(str(part) for mark in marks for part in mark.parts)


def _can_be_named(game: Game, mark: Mark, point: Point) -> bool:
    with suppress(Refusal):
        _check_point(game, mark, point)
        return True
    return False


def _options(game: Game, mark: Mark, *extents: Extent) -> list[Mark]:
    """The mark with each extent that works; of extents with the same effect the last one."""
    options: dict[frozenset[Point], Mark] = {}
    for extent in extents:
        one = replace(mark, extent=extent)
        with suppress(Refusal):
            after = dead_after(game, one)
            alone = extent is not Extent.ALL or len(_wiped_out_colors(game, after)) == 1
            if after != game.dead and alone:
                options[after] = _shorten_mark(game, one, after)
    return list(options.values())


def _shorten_mark(game: Game, mark: Mark, after: frozenset[Point]) -> Mark:
    """The mark; if it is too long for one line, without points that its other points include."""
    kept, reached = list[Point](), set[Point]()
    for point in mark.points if len(mark.points) > POINTS_PER_LINE else ():
        if point not in reached:
            kept.append(point)
            reached |= _stones_at(game, game.dead, point, mark.extent)
    short = replace(mark, points=tuple(kept))
    return short if kept and dead_after(game, short) == after else mark


def _effect_of_line(mark: Mark) -> str:
    if mark.extent is Extent.ALL:
        return sentence("line-marks-all", line=mark)
    key = "line-marks-joined" if mark.extent is Extent.JOINED else "line-marks-chain"
    return sentence(key, line=mark, count=len(mark.points), point=mark.points[0])
