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
from mailgate.letters.blocks import Block, Diagram, LetterBlocks, Table, Words
from mailgate.letters.count_blocks import middle
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import listed, no_answer, plural, title
from mailgate.letters.playing import what_happened
from mailgate.letters.shared_blocks import board

_SETTLED = 0.6
"""From 0 to 1: so surely is a point somebody's that it is shown as theirs."""
_LARGE, _NAMED = 4, 5
"""Open areas of so many points are named, and so many of what is open, the largest first."""


def score(view: LetterView) -> LetterBlocks:
    """Who is ahead and by how much, whose each point seems to be, and what is not settled."""
    news = what_happened(view) if view.moves else ""
    said = view.about.get("estimate")
    if not said:
        first = f"I cannot estimate the score of game {view.game.id} just now."
        return _letter(view, f"{news} {first}", (Words(no_answer("score")),))
    found = read(said)
    first = f"{news} An estimate of game {view.game.id}: {_lead(view, found)}."
    return _letter(
        view, first, (*_numbers(view.game, found), *_open(view.game, found), _told(view))
    )


def _letter(view: LetterView, first: str, blocks: tuple[Block, ...]) -> LetterBlocks:
    seen = view.about.get("estimate")
    shown = [
        replace(one, rows=_rows(view.game, read(seen)))
        if seen and isinstance(one, Diagram)
        else one
        for one in board(view)
    ]
    return LetterBlocks(
        f"{first} {view.whose_turn()}".strip(), (*view.words(), *blocks, *shown), counted=False
    )


def _lead(view: LetterView, found: ScoreEstimate) -> str:
    """Who is ahead, and how sure that is, in words that promise no more than is known."""
    by, spread = round(abs(found.lead)), max(1, round(found.spread))
    margin = f"give or take {spread}"
    if not by:
        return f"the two of you are about even, {margin}"
    color = Color.BLACK if found.lead > 0 else Color.WHITE
    mine = color is view.color and not view.teaching
    who = f"you ({title(color)})" if mine else title(color)
    many = plural(by, "point")
    if by >= 2 * spread:
        return f"{who} {'are' if mine else 'is'} about {many} ahead, {margin}"
    if by >= spread:
        return f"{who} {'are' if mine else 'is'} probably ahead, by about {many}, {margin}"
    return f"{who} may be ahead, by about {many}, {margin}: it is still open"


def _numbers(game: Game, found: ScoreEstimate) -> tuple[Block, ...]:
    """About how many points each will have; they differ by the lead."""
    black, white = _shares(game, found)
    more = (found.lead - (black - white)) / 2
    sides = (f"{max(0, round(black + more))}", f"{max(0, round(white - more))}")
    return (Table(("An estimate", "Black", "White"), (("Points, about", *sides),)),)


def _shares(game: Game, found: ScoreEstimate) -> tuple[float, float]:
    """What each will have, as each point is shared by how surely it is theirs."""
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
        (len(chain), f"{title(Color(board.cells[chain[0]]))}'s group at {board.point(min(chain))}")
        for chain in unsure
    ]
    free = [
        at for at, own in enumerate(found.owned) if board.cells[at] == EMPTY and abs(own) < _SETTLED
    ]
    areas = [
        (len(area), f"{len(area)} points around {middle([board.point(at) for at in area])}")
        for area in components(free, board.neighbours)
        if len(area) >= _LARGE
    ]
    named = [name for _, name in sorted(groups + areas, key=lambda one: -one[0])[:_NAMED]]
    if named:
        yield Words(f"Not settled yet: {listed(named)}.")


def _told(view: LetterView) -> Words:
    """How far to trust it, and who hears of it."""
    words = "This is what I make of the board if both play well from here, and I err at times."
    if not (view.teaching or view.facing_engine):
        words += f" My next email to {view.other} says that you looked."
    return Words(words, small=True)
