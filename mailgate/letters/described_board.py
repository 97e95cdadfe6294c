"""The letter that tells a board in sentences, or a part of it, for who hears it read. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from godaemon.diagrams import description
from godaemon.games.commands import Look
from godaemon.games.model import Phase
from godaemon.rules.points import Color, Point, column_name, parse_point
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import Block, Items, LetterBlocks, Words, joined, words
from mailgate.letters.board_blocks import example, in_words, last_point
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import lead, when
from mailgate.letters.replies import show
from mailgate.letters.shared_blocks import how_it_stands, how_to_reply

_PARTS = {
    Look.NEAR: description.near,
    Look.GROUP: description.group,
    Look.ROW: description.row,
    Look.COLUMN: description.column,
}


def describe(view: LetterView) -> LetterBlocks:
    """The board or the part of it that was asked for, with no drawing; then what to reply."""
    game = view.game
    if game.black is None:
        return show(view)
    look, point = Look(view.about.get("look", Look.BOARD)), view.about.get("point")
    place = parse_point(point) if point else game.position.board.point(0)
    look = look if point else Look.BOARD
    key = "near" if look is Look.GROUP else look.value
    first = view.say(f"describe-{key}", when=when(game.move_number), **_at(place))
    tell = _PARTS.get(look)
    told = [Items(tuple(tell(game.rows(), place)))] if tell else [*_whole(view)]
    reply = how_to_reply(view)
    last = last_point(game.position) or example(game) or game.position.board.point(0)
    more = Words(say("describe-more", **_at(last)), small=True)
    blocks = (*told, *([reply] if reply else []), more)
    return LetterBlocks(joined(first, how_it_stands(view)), blocks)


def _at(point: Point) -> dict[str, object]:
    """A point, its row and its column, for a sentence."""
    return {"point": point, "row": point.row + 1, "column": column_name(point.column)}


def _whole(view: LetterView) -> Iterator[Block]:
    game = view.game
    rows, (width, height) = game.rows(), game.spec.size
    counted = game.phase is Phase.SCORING
    yield from words(
        "" if view.teaching else view.both_colors(),
        *(one.words for one in in_words(view, game)),
        say("now", count_says=lead(game.score().result)) if counted else "",
    )
    key = "board-size-no-i" if width > len("ABCDEFGH") else "board-size"
    yield Words(say(key, width=width, height=height, far=Point(width - 1, height - 1)))
    yield Items(tuple(description.stones_by_row(rows)))
    if chains := [one for color in Color for one in description.chains_of(rows, color)]:
        yield Words(say("board-chains"))
        yield Items(tuple(chains))
