"""The letter with an estimate of how a game stands, while it is played. Pure.

What our player makes of the board is in the notice; it was asked beside the daemon
(`with_estimate`). It is of the position alone: nobody's plans are in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from godaemon.engine.estimate import ScoreEstimate, read
from godaemon.games.model import Game
from godaemon.rules import scoring
from godaemon.rules.board import EMPTY, Board, components
from godaemon.rules.points import Color
from godaemon.rules.rulesets import Scoring
from godaemon.texts.catalogue import listed, say
from mailgate.letters.blocks import Block, Diagram, LetterBlocks, Table, Words
from mailgate.letters.count_blocks import middle
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import title
from mailgate.letters.playing import what_happened
from mailgate.letters.shared_blocks import board

_SETTLED = 0.6
"""From 0 to 1: so surely is a point somebody's that it is shown as theirs."""
_LARGE, _NAMED = 4, 5
"""Open areas of so many points are named, and so many of what is open, the largest first."""


def score(view: LetterView) -> LetterBlocks:
    """Who is ahead and by how much, whose each point seems to be, and what is not settled."""
    said = view.about.get("estimate")
    if not said:
        return _letter(
            view, say("score-none", game=view.game.id), (Words(say("no-answer", line="score")),)
        )
    found = read(said)
    blocks: tuple[Block, ...] = (_numbers(view.game, found), *_open(view.game, found), _told(view))
    return _letter(view, _lead(view, found), blocks)


def _letter(view: LetterView, first: str, blocks: tuple[Block, ...]) -> LetterBlocks:
    seen = view.about.get("estimate")
    shown = [
        replace(one, rows=_rows(view.game, read(seen)))
        if seen and isinstance(one, Diagram)
        else one
        for one in board(view)
    ]
    news = what_happened(view) if view.moves else ""
    first = " ".join(filter(None, (news, first, view.whose_turn())))
    return LetterBlocks(first, (*view.words(), *blocks, *shown), counted=False)


def _lead(view: LetterView, found: ScoreEstimate) -> str:
    """Who is ahead, and how sure that is, in words that promise no more than is known."""
    by, spread = round(abs(found.lead)), max(1, round(found.spread))
    color = Color.BLACK if found.lead > 0 else Color.WHITE
    mine = color is view.color and not view.teaching
    who = say("colour-you", color=title(color)) if mine else title(color)
    sure = "sure" if by >= 2 * spread else "likely" if by >= spread else "open" if by else "even"
    return say(f"score-{sure}", game=view.game.id, who=who, count=by, spread=spread)


def _numbers(game: Game, found: ScoreEstimate) -> Table:
    """About how many points each will have; they differ by the lead."""
    black, white = _shares(game, found)
    more = (found.lead - (black - white)) / 2
    sides = (f"{max(0, round(black + more))}", f"{max(0, round(white - more))}")
    head = (say("score-table"), say("black"), say("white"))
    return Table(head, ((say("score-points"), *sides),))


def _shares(game: Game, found: ScoreEstimate) -> tuple[float, float]:
    prisoners, territory = game.position.prisoners, game.ruleset.scoring is Scoring.TERRITORY
    totals = {color: float(prisoners[color] if territory else 0) for color in Color}
    totals[Color.WHITE] += game.spec.komi + game.ruleset.handicap_points(game.spec.handicap)
    for cell, own in zip(game.position.board.cells, found.owned, strict=True):
        for color in Color:
            share = (1 + color * own) / 2
            worth = 1 if not territory or cell == EMPTY else 0 if cell == color else 2
            totals[color] += share * worth
    return totals[Color.BLACK], totals[Color.WHITE]


def _rows(game: Game, found: ScoreEstimate) -> tuple[str, ...]:
    """The seven-state board with what is surely somebody's; the rest is as it is played."""
    board = game.position.board
    lost = {
        board.point(at)
        for chain in _chains(board)
        for at in chain
        if fmean(found.owned[one] for one in chain) * board.cells[at] <= -_SETTLED
    }
    cells = list("".join(reversed(scoring.board_rows(board, None))))
    for at, own in enumerate(found.owned):
        if board.cells[at] == EMPTY and abs(own) >= _SETTLED:
            cells[at] = "B" if own > 0 else "W"
        elif board.point(at) in lost:
            cells[at] = "c" if board.cells[at] == Color.BLACK else "x"
    width = game.spec.size.width
    rows = ["".join(cells[at : at + width]) for at in range(0, len(cells), width)]
    return tuple(reversed(rows))


def _chains(board: Board) -> list[Sequence[int]]:
    stones = [board.point(at) for at, cell in enumerate(board.cells) if cell != EMPTY]
    return [[board.index(one) for one in chain] for chain in scoring.chains(board, stones)]


def _open(game: Game, found: ScoreEstimate) -> Iterator[Words]:
    """The groups and the areas of which nobody can say yet whose they are."""
    board = game.position.board
    unsure = [
        chain
        for chain in _chains(board)
        if abs(fmean(found.owned[one] for one in chain)) < _SETTLED
    ]
    groups = [
        (
            len(chain),
            say(
                "group-at",
                color=title(Color(board.cells[chain[0]])),
                point=board.point(min(chain)),
            ),
        )
        for chain in unsure
    ]
    free = [
        at for at, own in enumerate(found.owned) if board.cells[at] == EMPTY and abs(own) < _SETTLED
    ]
    areas = [
        (
            len(area),
            say("points-around", count=len(area), point=middle([board.point(at) for at in area])),
        )
        for area in components(free, board.neighbours)
        if len(area) >= _LARGE
    ]
    named = [name for _, name in sorted(groups + areas, key=lambda one: -one[0])[:_NAMED]]
    if named:
        yield Words(say("unsettled", places=listed(named)))


def _told(view: LetterView) -> Words:
    """How far to trust it, and who hears of it."""
    alone = view.teaching or view.facing_engine
    told = [] if alone else [say("score-told", who=view.other)]
    return Words(" ".join([say("score-caution"), *told]), small=True)
