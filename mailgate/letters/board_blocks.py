"""A board as a diagram and in words, and what was captured. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from godaemon.diagrams.description import Chain, in_atari
from godaemon.diagrams.symbols import hoshi
from godaemon.games import events as ev
from godaemon.games.model import Game, Phase
from godaemon.games.notices import Kind
from godaemon.rules.board import points_of
from godaemon.rules.points import Color, Point, Size, board_order
from godaemon.rules.position import Position
from godaemon.rules.rulesets import rules_in_words
from godaemon.rules.scoring import board_rows
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import Diagram, Words, joined, words
from mailgate.letters.count_blocks import SHOWN, stones_named
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import conditions, points, title


def example(game: Game) -> Point | None:
    """A legal move to show how one is written, a star point if one is free; None if none is."""
    to_move = game.to_move or Color.BLACK
    likely = _likely(game.spec.size)
    return next((one for one in likely if game.position.is_legal(to_move, one)), None)


@lru_cache(maxsize=32)
def _likely(size: Size) -> tuple[Point, ...]:
    """All points of a board, those first that people like to begin with."""

    def from_third_line(point: Point) -> int:
        column, row = point
        return abs(min(column, row, size.width - 1 - column, size.height - 1 - row) - 2)

    stars = sorted(hoshi(size), key=board_order)
    return (*stars, *sorted(points_of(size), key=from_third_line))


def last_point(position: Position) -> Point | None:
    """Where the last stone was put; None where the last move was a pass, or took itself off."""
    point = position.last.point if position.last else None
    return point if point and position.board.color(point) is not None else None


def as_it_stands(game: Game) -> Diagram:
    """The board of a game, with its last move and nothing to click on."""
    return Diagram(game.rows(), last_point(game.position), taken=game.position.captured)


def drawn(position: Position) -> Diagram:
    """The board of a position that is not the game's own, or not any more."""
    return Diagram(board_rows(position.board, None), last_point(position))


# -- a position in words -----------------------------------------------------------------------
TURNS = frozenset({*(Kind.YOUR_TURN, Kind.MOVED, Kind.NOTE, Kind.SCORE, Kind.IFS), Kind.WATCH})
"""The kinds of emails that begin with the moves that they tell of."""


def in_words(view: LetterView, game: Game, rows: Sequence[str] = ()) -> tuple[Words, ...]:
    """The position for who does not see the board, less what the letter's first line has told.

    `rows` are the board's, where they are known.
    """
    rows = rows or game.rows()
    if game.phase is Phase.SCORING or game.by_count:
        dead = stones_named(game, game.dead)
        return words(say("marked-dead", points=dead) if dead else say("none-dead"), small=True)
    told = view.notice.kind in TURNS and (view.moves or any(view.happened(ev.Placed)))
    atari, taken = _chains_of(view, in_atari(rows)), game.position.prisoners
    black, white = (taken[color] for color in Color)
    return words(
        "" if told else _last_move(game),
        say("in-atari", chains=atari) if atari else "",
        say("prisoners", black=black, white=white) if black or white else "",
        small=True,
    )


def _chains_of(view: LetterView, found: Sequence[Chain]) -> str:
    """Chains by their first stones, the reader's own first: `your stone A3, White's chain D4`."""
    mine = view.color if not view.teaching else None
    told = []
    for chain in sorted(found, key=lambda one: one.color is not mine)[:SHOWN]:
        whose = "your" if chain.color is mine else "colour"
        kind = "stone" if len(chain.stones) == 1 else "chain"
        at, color = chain.stones[0], title(chain.color)
        named = say(f"{whose}-{kind}", color=color, point=at, count=len(chain.stones))
        free = chain.liberties[0] if chain.in_atari else None
        told.append(say("with-liberty", chain=named, liberty=free) if free else named)
    told += [say("more-chains", count=len(found) - SHOWN)] if len(found) > SHOWN else []
    return say("comma").join(told)


def facts(view: LetterView) -> str:
    """Which game it is, by what rules; and who is who, where the letter does not say it."""
    game = view.game
    counted = game.phase is Phase.SCORING  # the count has the komi, and the board its size
    terms = rules_in_words(game.spec.ruleset) if counted else conditions(game)
    return joined(
        view.both_colors() if not view.my_turn or game.move_number < 2 else "",
        say("game-facts", number=game.id, conditions=terms),
        say("others-may-watch") if game.public else "",
    )


def _last_move(game: Game) -> str:
    last, stones = game.position.last, game.position.handicap
    if last is None:
        white = game.position.set_up_white
        key = "-both" if stones and white else "-stones" if stones else ""
        return say(f"no-move-yet{key}", black=points(stones), white=points(white))
    key = "last-passed" if last.point is None else "last-played"
    return say(key, color=title(last.color), point=last.point, number=game.move_number)


def captured(game: Game) -> str:
    """The stones that the last move took, in a sentence; empty where it took none."""
    taken, last = game.position.captured, game.position.last
    if not taken or last is None or last.point is None:
        return ""
    if game.position.board.color(last.point) is None:
        return say("took-itself", count=len(taken))
    if len(taken) > SHOWN:
        return say("took-many", count=len(taken))
    return say("took", count=len(taken), points=points(taken))
