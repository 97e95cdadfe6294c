"""The letters of what was, and what could be: moves and talk, one's notes, a dry run. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from godaemon.games import events as ev
from godaemon.games.model import Phase, Remark
from godaemon.games.plans import after
from godaemon.games.state import color as color_named
from godaemon.rules.points import Color
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Quote, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import plural, title, when
from mailgate.letters.playing import what_happened
from mailgate.letters.shared_blocks import board, drawn, in_words

PAGE = 50
"""How many moves one page of the history has."""
LONGEST = 500
"""How much of one message it repeats; the record has all."""


def note(view: LetterView) -> LetterBlocks:
    """What was noted, and who will see it."""
    game = view.game
    kept = game.remarks[-len(tuple(view.happened(ev.Noted))) :]
    later, seen = {one.hidden for one in kept}, "only you ever see it"
    if True in later:
        it = "it" if later == {True} else "what is hidden, and not the rest,"
        seen = f"{view.other} sees {it} once the game is over"
    news = f"I have kept your note in game {game.id}; {seen}."
    if view.moves:
        news = f"{what_happened(view)} Your note is kept; {seen}."
    noted = [
        Quote(f"You noted {when(number)}:", tuple(_lines(kept, number)))
        for number in dict.fromkeys(one.move_number for one in kept)
    ]
    words = Words("It stands in your record of the game: `sgf`. All your notes: `history`")
    return LetterBlocks(
        f"{news} {view.whose_turn()}".strip(), (*noted, words, *view.words(), *board(view))
    )


def _lines(kept: tuple[Remark, ...], number: int) -> Iterator[str]:
    for one in kept:
        if one.move_number == number:
            yield from one.text.split("\n")


def history(view: LetterView) -> LetterBlocks:
    """A page of the moves and of what was said and noted, the newest unless another was asked."""
    game = view.game
    pages = max(1, -(-game.move_number // PAGE))
    page = min(view.about.get("page") or pages, pages)
    first, last = (page - 1) * PAGE + 1, min(page * PAGE, game.move_number)
    lines = tuple(_told(view, first if page > 1 else 0, last))
    where = f"Page {page} of {pages}" if pages > 1 else "All"
    blocks: list[Block] = [Quote(f"{where} of the moves, and what was said:", lines)]
    if page > 1:
        blocks.append(Choices(((f"history {page - 1}", "the page before"),)))
    return LetterBlocks(
        f"The history of game {game.id}. {view.whose_turn()}".strip(), (*blocks, *board(view))
    )


def _told(view: LetterView, first: int, last: int) -> Iterator[str]:
    game = view.game
    notes = game.notes_for(view.color)
    for number in range(first, last + 1):
        if number:
            color, point = game.position.moves[number - 1]
            yield f"{number}. {title(color)} {point or 'pass'}"
        for verb, said in (
            *(("wrote:", game.chat), ("took back:", game.undone), ("noted:", notes)),
            ("asked for", game.estimates),
        ):
            for one in said:
                if one.move_number == number:
                    text = " ".join(one.text.split())[:LONGEST]
                    yield f"– {view.doer(one.color.word)} {verb} {text}"


def dry_run(view: LetterView) -> LetterBlocks:
    """The board after moves that nobody has made."""
    game = view.game
    line = tuple(view.about["line"])
    mover = color_named(view.about["mover"])
    there = after(game.position, mover, line)
    taken = [
        f"{title(color)} would have taken {plural(more, 'stone')}."
        for color in Color
        if (more := there.prisoners[color] - game.position.prisoners[color])
    ]
    then = replace(game, position=there, phase=Phase.PLAYING, dead=frozenset())
    return LetterBlocks(
        f"Game {game.id} as it would be after {' then '.join(line)}, {title(mover)} first.",
        (
            Words(" ".join(["This is only tried: nothing is played, and nobody is told.", *taken])),
            in_words(view, then),
            drawn(there),
            Words("For the game as it is, reply with: `show`"),
        ),
        counted=False,
    )
