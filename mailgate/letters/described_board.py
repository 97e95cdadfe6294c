"""The letter that tells a board in sentences, or a part of it, for who hears it read. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from godaemon.diagrams import description
from godaemon.games.commands import Describe, Look
from godaemon.games.model import Game, Phase
from godaemon.rules.points import Color, Point, column_name, parse_point
from mailgate.letters.blocks import Block, Items, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import capital, lead, title, when
from mailgate.letters.replies import show
from mailgate.letters.shared_blocks import (
    example,
    how_it_stands,
    how_to_reply,
    in_words,
    last_point,
)

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
    reply = how_to_reply(view)
    first, told = f"Game {game.id} in words", _whole(view)
    if look in _PARTS and point:
        place = parse_point(point)
        part = Describe(look, place).part
        first = f"{capital(part)} in game {game.id}"
        told = iter([Items(tuple(_PARTS[look](game.rows(), place)))])
    return LetterBlocks(
        f"{first}, {when(game.move_number)}. {how_it_stands(view)}".strip(),
        (*told, *([reply] if reply else []), _more(game)),
    )


def _whole(view: LetterView) -> Iterator[Block]:
    game = view.game
    rows, (width, height) = game.rows(), game.spec.size
    if not view.teaching:
        yield Words(f"{view.both_colors()}.")
    yield in_words(view, game)
    if game.phase is Phase.SCORING:
        yield Words(f"As it is marked, {lead(game.score().result)}.")
    far = Point(width - 1, height - 1)
    no_i = ", with no column I" if width > len("ABCDEFGH") else ""
    yield Words(
        f"The board is {width} by {height}, from A1 in the lower left corner to {far} in the upper"
        f" right one{no_i}. Its rows from the top, each from left to right:"
    )
    yield Items(tuple(description.stones_by_row(rows)))
    for color in Color:
        if chains := description.chains_of(rows, color):
            yield Words(
                f"{title(color)}'s chains, each by its lowest stone, those with the fewest"
                " liberties first:"
            )
            # Without a word before it `A1, 1 stone: in atari` would be a move, and talk.
            yield Items(tuple(f"Chain {chain}" for chain in chains))


def _more(game: Game) -> Words:
    """What else can be asked, about the last move or a point where one may begin."""
    point = last_point(game.position) or example(game) or game.position.board.point(0)
    return Words(
        f"To hear more, reply with: `column {column_name(point.column)}`, `near {point}`, `group"
        f" {point}`, `row {point.row + 1}` (whichever you choose), or: `describe`. For the board"
        " drawn: `show`",
        small=True,
    )
