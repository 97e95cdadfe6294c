"""The letters with our player's estimate or review of a game.

The data have the player's answer (`with_engine_answer`). An estimate is of the position alone,
without planned moves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from godaemon.diagrams.symbols import Part, ranges_around
from godaemon.engine.results import GameReview, Mistake, ScoreEstimate, parse_review
from godaemon.games import events as ev
from godaemon.games.model import Game
from godaemon.rules import scoring
from godaemon.rules.board import EMPTY, Board, components
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Scoring
from godaemon.rules.scoring import board_rows
from godaemon.texts.catalogue import join_and, say
from mailgate.letters import blocks as b
from mailgate.letters.board_blocks import middle_point, position_at
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import color_name
from mailgate.letters.playing import moves_in_words
from mailgate.letters.shared_blocks import game_board, verdict

_AHEAD, _DECIDED, _OPEN = 0.65, 0.95, 0.25
"""Winning chances from which a colour is ahead, has won, and still has hope."""
_MIN_WEIGHT = 3.0
"""The weight of a move that mattered (`Mistake.weight`)."""


def review(view: LetterView) -> b.LetterBlocks:
    """The review of a game: how it went, the good moves, and each mistake with a board."""
    text = view.data.review
    if not text:
        return b.LetterBlocks(view.say("review-none"), (b.Words(say("no-answer", line="review")),))
    found = _drop_opening(view.game, parse_review(text))
    blocks: list[b.Block] = [b.Words(" ".join([verdict(view), *_praise(view, found)]))]
    blocks.append(b.Words(_mistakes_introduction(found.mistakes)))
    for one in found.mistakes:
        before = position_at(view.game.position, one.number - 1)
        sentences = " ".join(_mistake_sentences(view, found, one, before))
        blocks += [b.Words(sentences), _board_part(before, one)]
    switch = say("reviews-off" if any(view.events_of(ev.Finished)) else "reviews-on")
    blocks.append(b.Words(b.join_sentences(say("review-caution"), switch), small=True))
    first = b.join_sentences(view.say("review-of"), _story(found))
    return b.LetterBlocks(first, tuple(blocks))


def _drop_opening(game: Game, game_review: GameReview) -> GameReview:
    """The review without the moves of an opening record, which the players did not choose."""
    if game.spec.opening is None:
        return game_review
    given = len(game.spec.opening.moves)
    mistakes = [one for one in game_review.mistakes if one.number > given]
    good = {number: move for number, move in game_review.good.items() if number > given}
    return replace(game_review, mistakes=mistakes, good=good, expected={})


def _story(game_review: GameReview) -> str:
    """The course of the game: who was ahead from which move on, and when it was decided."""
    turns: list[tuple[int, Color]] = []
    for number, chance in enumerate(game_review.chances):
        color = Color.BLACK if chance > 0.5 else Color.WHITE
        if max(chance, 1 - chance) >= _AHEAD and (not turns or turns[-1][1] is not color):
            turns.append((number, color))
    if not turns:
        return say("story-close")
    number, color = turns[-1]
    chances = [_chance_of(color, chance) for chance in game_review.chances]
    decided = max((at for at, one in enumerate(chances, 1) if one < _DECIDED), default=0)
    if not decided:
        return say("story-far", color=color_name(color))
    if decided <= number:
        return say("story-turn", color=color_name(color), number=number)
    beginning = "move" if number else "start"
    end = "decided" if decided < len(chances) - 1 else "open"
    return say(f"story-{beginning}-{end}", color=color_name(color), number=number, decided=decided)


def _chance_of(color: Color, black_chance: float) -> float:
    return 0.5 + color * (black_chance - 0.5)


def _praise(view: LetterView, game_review: GameReview) -> Iterator[str]:
    """Sentences on the good moves, expected by us or not."""
    for color, (hits, total) in game_review.expected.items():
        if (view.teaching or color is view.color) and hits * 2 >= total > 1:
            yield say("colour-expected", count=hits, all=total, color=color_name(color))
    first = {one.color: at for at, one in reversed([*game_review.good.items()])}
    moves = [
        say("colour-find", color=color_name(color), point=game_review.good[at].point, number=at)
        for color in Color
        if (at := first.get(color))
    ]
    if moves:
        yield say("well-found", moves=join_and(moves))


def _mistakes_introduction(mistakes: Sequence[Mistake]) -> str:
    if not mistakes:
        return say("review-nothing")
    large = any(one.weight >= _MIN_WEIGHT for one in mistakes)
    first = say("review-large", count=len(mistakes)) if large else say("review-small")
    return f"{first} {say('review-legend')}"


def _mistake_sentences(
    view: LetterView, game_review: GameReview, mistake: Mistake, before: Position
) -> Iterator[str]:
    """One move: what it cost, what was better, and why."""
    number, (color, point), lost, _, (best, *_), _ = mistake
    is_reader = color is view.color and not view.teaching
    is_small = mistake.weight < _MIN_WEIGHT
    yield say(
        "mistake-small" if is_small else f"mistake{_consequence_key(game_review, mistake)}",
        number=number,
        move=say("passing") if point is None else point,
        who=say("colour-you", color=color_name(color)) if is_reader else color_name(color),
        count=max(1, round(lost)),
        better=say("passing") if best is None else say("numbered-one", point=best),
    )
    yield from _reasons(before, mistake)
    moves = view.game.position.moves
    if best is not None and number < len(moves) and moves[number].point == best:
        yield say("played-there", color=color_name(color.opponent))


def _consequence_key(game_review: GameReview, mistake: Mistake) -> str:
    before = _chance_of(mistake.move.color, game_review.chances[mistake.number - 1])
    if mistake.chance < 0.05:
        return "" if _OPEN < before < 1 - _OPEN else "-decided"
    return "-lead" if before >= 0.5 > before - mistake.chance else ""


def _reasons(position: Position, mistake: Mistake) -> Iterator[str]:
    """The effect of the better move, if it takes, saves or kills stones."""
    color, best, group = mistake.move.color, mistake.better[0], mistake.group
    if best is None:
        return
    if taken := position.copy().play(color, best):
        yield say("why-takes", count=len(taken))
    elif group is not None:
        yield say("why-saves" if position.board.color(group) is color else "why-kills", point=group)


def _board_part(position: Position, mistake: Mistake) -> Part:
    """The surroundings of the move that was played, with that move, and of the better one."""
    (color, played), size = mistake.move, position.size
    about = (played, mistake.better[0], mistake.group)
    shown = [point for point in about if point is not None]
    columns, lines = ranges_around(shown or [Point(size.width // 2, size.height // 2)], size)
    rows = [list(row) for row in board_rows(position.board, None)]
    signs = dict[Point, str]()
    if played is not None:
        rows[-1 - played.row][played.column] = color.word[0]
    for number, point in enumerate(mistake.better, start=1):
        in_part = point is not None and point.column in columns and point.row in lines
        if point is None or not in_part or rows[-1 - point.row][point.column] != ".":
            break
        signs[point] = str(number)
        rows[-1 - point.row][point.column] = color.word[0]
        color = color.opponent
    return Part(["".join(row) for row in rows], columns, lines, played, signs)


_SETTLED = 0.6
"""The certainty, from 0 to 1, from which a point is shown as a colour's."""
_LARGE_AREA, _NAMED = 4, 5
"""Minimum points of an open area that is named, and maximum places named, largest first."""


def score(view: LetterView) -> b.LetterBlocks:
    found, shown = view.data.estimate, game_board(view)
    first = view.say("score-none")
    blocks: tuple[b.Block, ...] = (b.Words(say("no-answer", line="score")),)
    if found is not None:
        rows = _ownership_rows(view.game, found)
        shown = tuple(
            replace(one, rows=rows) if isinstance(one, b.Diagram) else one for one in shown
        )
        first = _lead_sentence(view, found)
        table, places = _score_table(view.game, found), _unsettled_places(view.game, found)
        told = "" if view.teaching or view.facing_engine else view.say("score-told")
        blocks = (table, *places, *b.words(say("score-caution"), told, small=True))
    news = moves_in_words(view) if view.moves else ""
    first = b.join_sentences(news, first, view.whose_turn())
    return b.LetterBlocks(first, (*view.words(), *blocks, *shown), counted=False)


def _lead_sentence(view: LetterView, estimate: ScoreEstimate) -> str:
    """Who is ahead, in words that depend on how large the lead is against its error."""
    lead, error = round(abs(estimate.lead)), max(1, round(estimate.spread))
    color = Color.BLACK if estimate.lead > 0 else Color.WHITE
    is_reader = color is view.color and not view.teaching
    who = say("colour-you", color=color_name(color)) if is_reader else color_name(color)
    key = "score-open" if lead else "score-even"
    if lead >= 2 * error:
        key = "score-sure"
    elif lead >= error:
        key = "score-likely"
    return view.say(key, who=who, count=lead, spread=error)


def _score_table(game: Game, estimate: ScoreEstimate) -> b.Table:
    """The points that each player may expect; they differ by the lead."""
    black, white = _expected_points(game, estimate)
    excess = (estimate.lead - (black - white)) / 2
    sides = (f"{max(0, round(black + excess))}", f"{max(0, round(white - excess))}")
    head = (say("score-table"), say("black"), say("white"))
    return b.Table(head, ((say("score-points"), *sides),))


def _expected_points(game: Game, estimate: ScoreEstimate) -> tuple[float, float]:
    prisoners, territory = game.position.prisoners, game.ruleset.scoring is Scoring.TERRITORY
    totals = {color: float(prisoners[color] if territory else 0) for color in Color}
    totals[Color.WHITE] += game.spec.komi + game.ruleset.handicap_points(game.spec.handicap)
    for cell, ownership in zip(game.position.board.cells, estimate.owners, strict=True):
        for color in Color:
            share = (1 + color * ownership) / 2
            points = 1
            if territory and cell != EMPTY:  # its own stone is no point, a captured one is two
                points = 0 if cell == color else 2
            totals[color] += share * points
    return totals[Color.BLACK], totals[Color.WHITE]


def _ownership_rows(game: Game, estimate: ScoreEstimate) -> tuple[str, ...]:
    """The seven-state board with sure territory and dead stones; other points as on the board."""
    board, width = game.position.board, game.spec.size.width
    cells = list("".join(reversed(board_rows(board, None))))
    for chain in _chains(board):
        stone = board.cells[chain[0]]
        if fmean(estimate.owners[one] for one in chain) * stone <= -_SETTLED:
            for at in chain:
                cells[at] = "c" if stone == Color.BLACK else "x"
    for at, ownership in enumerate(estimate.owners):
        if board.cells[at] == EMPTY and abs(ownership) >= _SETTLED:
            cells[at] = "B" if ownership > 0 else "W"
    rows = ["".join(cells[at : at + width]) for at in range(0, len(cells), width)]
    return tuple(reversed(rows))


def _chains(board: Board) -> list[Sequence[int]]:
    stones = [board.point(at) for at, cell in enumerate(board.cells) if cell != EMPTY]
    return [[board.index(one) for one in chain] for chain in scoring.chains(board, stones)]


def _unsettled_places(game: Game, estimate: ScoreEstimate) -> tuple[b.Words, ...]:
    """The unsettled groups and areas."""
    board, owners, candidates = game.position.board, estimate.owners, list[tuple[int, str]]()
    for chain in _chains(board):
        if abs(fmean(owners[one] for one in chain)) < _SETTLED:
            color = color_name(Color(board.cells[chain[0]]))
            group = say("group-at", color=color, point=board.point(min(chain)), count=len(chain))
            candidates.append((len(chain), group))
    free = [at for at, own in enumerate(owners) if board.cells[at] == EMPTY and abs(own) < _SETTLED]
    for area in components(free, board.neighbours):
        if len(area) >= _LARGE_AREA:
            point = middle_point([board.point(at) for at in area])
            candidates.append((len(area), say("points-around", count=len(area), point=point)))
    places = [name for _, name in sorted(candidates, key=lambda one: -one[0])[:_NAMED]]
    return b.words(say("unsettled", places=join_and(places)) if places else "")
