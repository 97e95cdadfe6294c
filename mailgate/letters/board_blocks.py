"""A board as a diagram and in words, the lines to send from it, and the count."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from godaemon.diagrams.description import Chain, chains_in_atari, describe_stones
from godaemon.diagrams.symbols import hoshi
from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games import special_moves
from godaemon.games.commands import Extent, Mark
from godaemon.games.dead_stones import dead_after, safe_stones
from godaemon.games.decisions import check_counting, decide
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.notices import Kind, is_reviewable
from godaemon.rules import scoring
from godaemon.rules.board import points_of
from godaemon.rules.named_rulesets import rules_text
from godaemon.rules.points import Color, Point, Size, board_order
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Scoring, Tax
from godaemon.rules.scoring import board_rows
from godaemon.texts.catalogue import format_number, join_and, say
from mailgate.language.parser import parse_text
from mailgate.letters import blocks as b
from mailgate.letters.letter_view import LetterView
from mailgate.letters.page_words import spoken_board
from mailgate.letters.phrases import color_name, conditions, point_names


def example_move(game: Game) -> Point | None:
    """A legal move as an example, a star point if possible; None if there is no legal move."""
    to_move = game.to_move or Color.BLACK
    likely = _points_by_preference(game.spec.size)
    return next((one for one in likely if game.position.is_legal(to_move, one)), None)


@lru_cache(maxsize=32)
def _points_by_preference(size: Size) -> tuple[Point, ...]:
    """All points of a board in order of preference: star points, then near the third line."""

    def _distance_from_third_line(point: Point) -> int:
        column, row = point
        return abs(min(column, row, size.width - 1 - column, size.height - 1 - row) - 2)

    stars = sorted(hoshi(size), key=board_order)
    return (*stars, *sorted(points_of(size), key=_distance_from_third_line))


def last_point(position: Position) -> Point | None:
    """The point of the last stone; None after a pass or a suicide."""
    point = position.last.point if position.last else None
    return point if point and position.board.color(point) is not None else None


def position_at(position: Position, number: int) -> Position:
    """An earlier position of a game, after the move of that number."""
    earlier = position.copy()
    while earlier.move_number > number:
        earlier.undo()
    return earlier


def game_diagram(game: Game) -> b.Diagram:
    """The board of a game, with its last move and nothing to click on."""
    return b.Diagram(game.rows(), last_point(game.position), taken=game.position.captured)


def position_diagram(position: Position) -> b.Diagram:
    """The board of a position other than the current one of a game."""
    return b.Diagram(board_rows(position.board, None), last_point(position))


def describe_boards(letter: b.LetterBlocks) -> b.LetterBlocks:
    """Replace each board of a letter by sentences, row by row; leave out the boards of a list."""
    blocks = list[b.Block]()
    for block in letter.blocks:
        if isinstance(block, b.Diagram):
            first = spoken_board(block.rows, block.last)
            blocks.append(b.Items((first, *describe_stones(block.rows))))
            blocks += [block.reply] if block.reply else []
        elif isinstance(block, b.Offer):
            rest = tuple(one for one in block.blocks if not isinstance(one, b.Diagram))
            blocks.append(replace(block, blocks=rest))
        else:
            blocks.append(block)
    return replace(letter, blocks=tuple(blocks))


# -- a position in words -----------------------------------------------------------------------
MOVE_NEWS = frozenset({*(Kind.YOUR_TURN, Kind.MOVED, Kind.NOTE, Kind.SCORE, Kind.IFS), Kind.WATCH})
"""Kinds of emails that begin with moves."""


def position_in_words(
    view: LetterView, game: Game, rows: Sequence[str] = ()
) -> tuple[b.Words, ...]:
    """The position in words, for readers who do not see the board; without the first line's news.

    `rows` are the board's, if they are known.
    """
    rows = rows or game.rows()
    if game.phase is Phase.SCORING or game.ended_by_count:
        dead = stone_names(game, game.dead)
        none = say("none-dead") if game.phase is Phase.SCORING else ""
        return b.words(say("marked-dead", points=dead) if dead else none, small=True)
    named = view.notice.kind in MOVE_NEWS and (view.moves or any(view.events_of(ev.Placed)))
    atari, taken = _chain_names(view, chains_in_atari(rows)), game.position.prisoners
    black, white = (taken[color] for color in Color)
    return b.words(
        "" if named else _last_move(game),
        say("in-atari", chains=atari) if atari else "",
        say("prisoners", black=black, white=white) if black or white else "",
        small=True,
    )


def _chain_names(view: LetterView, chains: Sequence[Chain]) -> str:
    """Chains in atari by their first stones, the reader's own first, with their liberties."""
    own_color = view.color if not view.teaching else None
    names = []
    for chain in sorted(chains, key=lambda one: one.color is not own_color)[:MAX_SHOWN]:
        prefix = "your" if chain.color is own_color else "colour"
        at, color = chain.stones[0], color_name(chain.color)
        named = say(f"{prefix}-chain", color=color, point=at, count=len(chain.stones))
        names.append(say("with-liberty", chain=named, liberty=chain.liberties[0]))
    names += [say("more-chains", count=len(chains) - MAX_SHOWN)] if len(chains) > MAX_SHOWN else []
    return say("comma").join(names)


def facts(view: LetterView) -> str:
    """The game's number and rules; and the players' colours, in the first letters."""
    game = view.game
    counted = game.phase is Phase.SCORING  # the count has the komi, and the board its size
    terms = rules_text(game.spec.ruleset) if counted else conditions(game)
    return b.join_sentences(
        view.both_colors() if game.to_move is None or game.move_number < 2 else "",
        say("game-facts", number=game.id, conditions=terms),
        say("others-may-watch") if game.public else "",
    )


def _last_move(game: Game) -> str:
    last, black, white = game.position.last, game.position.handicap, game.position.set_up_white
    if last is None:
        key = "no-move-yet-both" if white else "no-move-yet-stones"
        names = {"black": point_names(black), "white": point_names(white)}
        return say(key if black else "no-move-yet", **names)
    key = "last-passed" if last.point is None else "last-played"
    return say(key, color=color_name(last.color), point=last.point, number=game.move_number)


def captured_stones(game: Game) -> str:
    """The stones that the last move took, in a sentence; "" if it took none."""
    taken, last = game.position.captured, game.position.last
    if not taken or last is None or last.point is None:
        return ""
    if game.position.board.color(last.point) is None:
        return say("took-itself", count=len(taken))
    return say("took", count=len(taken), points=point_names(taken, MAX_SHOWN))


MAX_SHOWN, MAX_DEAD_CHAINS = 6, 4
"""The limits on stones or groups in a sentence, and on dead chains of one colour by name."""


def score_blocks(game: Game) -> Iterator[b.Block]:
    """The count of a game that is or was counted; nothing for any other."""
    if game.phase is Phase.SCORING or game.ended_by_count:
        yield _count_table(game)
        if game.phase is Phase.SCORING and game.ruleset.scoring is not Scoring.STONES:
            yield from _open_areas(game)
            yield from _open_dame(game)
        yield from _uncounted_points(game)


def _count_table(game: Game) -> b.Table:
    score, spec, kind = game.score(), game.spec, game.ruleset.scoring
    sides, rows = (score.black, score.white), list[tuple[str, ...]]()
    if kind is not Scoring.STONES:
        rows.append((say("count-territory"), *(f"{side.territory}" for side in sides)))
    if kind is Scoring.TERRITORY:
        rows.append((say("count-captures"), *(f"{side.prisoners}" for side in sides)))
    else:
        rows.append((say("count-stones"), *(f"{side.stones}" for side in sides)))
        bonus = game.ruleset.handicap_points(spec.handicap)
        rows += [(say("count-handicap"), "", str(bonus))] if bonus else []
    if any(side.tax for side in sides):
        rows.append((say("count-tax"), *(f"-{side.tax}" if side.tax else "0" for side in sides)))
    rows.append((say("count-komi"), "", format_number(spec.komi)))
    rows.append((say("count-total"), *(format_number(side.total) for side in sides)))
    return b.Table((say("count-score"), say("black"), say("white")), tuple(rows), total=True)


def _open_areas(game: Game) -> Iterator[b.Words]:
    """The areas that count for nobody while a game is counted, as their borders are open."""
    areas = scoring.open_regions(game.position.board, game.dead)
    if not areas:
        return
    score = game.score()
    if not (score.black.territory or score.white.territory):
        yield b.Words(say("none-closed"))
        return
    found = ((len(one), middle_point(one)) for one in areas[:MAX_SHOWN])
    named = [say("points-around", count=count, point=point) for count, point in found]
    yield b.Words(say("areas-open", areas=join_and(named)))


def _open_dame(game: Game) -> Iterator[b.Words]:
    """The dame that are still open in the count, if the rules make them worth a point."""
    dame = scoring.dame(game.position.board, game.dead)
    if dame and game.ruleset.scoring is Scoring.AREA:
        yield b.Words(say("dame-in-area", count=len(dame), points=point_names(dame, MAX_SHOWN)))


def middle_point(area: Collection[Point]) -> Point:
    """The point of an area that is nearest to all the others."""
    column, row = (sum(along) / len(area) for along in zip(*area, strict=True))
    return min(sorted(area), key=lambda at: (at.column - column) ** 2 + (at.row - row) ** 2)


def stone_names(game: Game, stones: Collection[Point]) -> str:
    """Stones by their chains: `the 6 black stones at C1 and the white stone at E3`."""
    board, named = game.position.board, list[tuple[int, str]]()
    for color in Color:
        own = [point for point in stones if board.color(point) is color]
        chains = scoring.chains(board, own)
        if len(chains) > MAX_DEAD_CHAINS:
            phrase = say(f"chains-{color.word}", number=len(own), count=len(chains))
            named.append((len(own), phrase))
            continue
        for chain in chains:
            point, count = min(chain, key=board_order), len(chain)
            named.append((count, say(f"stones-{color.word}", point=point, count=count)))
    return join_and([phrase for _, phrase in sorted(named, key=lambda one: -one[0])])


def _uncounted_points(game: Game) -> Iterator[b.Words]:
    """The surrounded points that the rules leave out of the count, and why."""
    ruleset, grid = game.ruleset, game.position.board
    if ruleset.tax is Tax.NONE or ruleset.scoring is Scoring.STONES:
        return
    seki, false = list[str](), list[Point]()
    for family in scoring.living_families(grid, game.dead):
        if family.seki and family.points | family.filled:
            point = grid.point(min(family.stones))
            seki.append(say("colour-at", color=color_name(family.color), point=point))
        elif ruleset.scoring is Scoring.TERRITORY:
            false += map(grid.point, family.filled)
    if seki:
        yield b.Words(say("seki-left-out", groups=join_and(seki[:MAX_SHOWN])), small=True)
    if false:
        yield b.Words(say("false-eyes-left-out", points=point_names(false)), small=True)


# -- lines that can be sent ------------------------------------------------------------------------
def is_possible(game: Game, seat: Seat, line: str) -> bool:
    """False if the game would refuse the line now: an occupied point, a mark without a stone."""
    try:
        for one in parse_text([line]).commands:
            if isinstance(one.command, cmd.Action):
                decide(game, seat, one.command, lambda: Color.BLACK)
            elif isinstance(one.command, cmd.Estimate):
                check_counting(game, seat)
            elif isinstance(one.command, cmd.Review) and game.phase.over:
                return is_reviewable(game)
    except Refusal:
        return False
    return True


def point_commands(view: LetterView) -> Mapping[Point, str]:
    """The command of each point that can be clicked; {} if there is nothing to do."""
    game = view.game
    if game.phase is Phase.SCORING:
        return _mark_commands(game)
    if game.to_move is None or not view.my_turn or game.to_place:
        return {}
    names = _point_names(game.spec.size)
    return {point: names[point] for point in game.position.legal_moves(game.to_move)}


@lru_cache(maxsize=16)
def _point_names(size: Size) -> dict[Point, str]:
    return {point: str(point) for point in points_of(size)}


def buttons(game: Game) -> tuple[tuple[str, str], ...]:
    """The button for the player to move, if any: its words, and the line that it sends.

    There is no Resign beside Pass that a finger could hit.
    """
    if not game.to_place:
        return ((say("button-pass"), "pass"),)
    return ((say("button-stars"), "place stars"),) if special_moves.has_star_points(game) else ()


def _mark_commands(game: Game) -> dict[Point, str]:
    """`dead V` on live stones, `alive V` on dead ones, in the form that changes their chain."""
    board, sure = game.position.board, safe_stones(game)
    stones = frozenset(board.point(index) for color in Color for index in board.stones(color))
    found: dict[Point, str] = {}
    for chain in scoring.chains(board, stones - sure):
        named = min(chain)
        if named not in found:
            found |= _mark_lines(game, named)
    return found


def _mark_lines(game: Game, point: Point) -> dict[Point, str]:
    """The line that marks the stone on a point, for each of the stones that it marks."""
    dead = point not in game.dead
    for extent in (Extent.GROUP, Extent.JOINED, Extent.CHAIN):
        with suppress(Refusal):
            marked = game.dead ^ dead_after(game, Mark((point,), dead, extent))
            end = "" if extent is Extent.GROUP else f" {extent.value}"
            return {one: f"{'dead' if dead else 'alive'} {one}{end}" for one in marked}
    return {}
