"""The letters with moves and talk, notes, plans, and moves to try."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import groupby

from godaemon.games import events as ev
from godaemon.games.model import Phase, Remark
from godaemon.games.planned_moves import Line, plan_tree, position_after
from godaemon.rules.points import Color
from godaemon.texts.catalogue import say, sentence_from_json, sentence_to_json
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Quote, Words, join_sentences
from mailgate.letters.board_blocks import position_diagram, position_in_words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import after_move, color_name, move_name
from mailgate.letters.playing import moves_in_words
from mailgate.letters.shared_blocks import game_board, game_letter

PAGE_MOVES = 50
"""Moves on one page of the history."""
MAX_DRAWN = 3
"""Maximum number of plans that are also drawn."""
MAX_MESSAGE = 500
"""Maximum characters of a message that it repeats; the record has all."""


def note(view: LetterView) -> LetterBlocks:
    remarks = view.game.remarks[-len(tuple(view.events_of(ev.Noted))) :]
    hidden = {one.hidden for one in remarks}
    readers = "note-hidden" if hidden == {True} else "note-only-you"
    readers = "note-hidden-some" if len(hidden) > 1 else readers
    moves = moves_in_words(view) if view.moves else ""
    news = join_sentences(moves, view.say("note-is-kept"), view.say(readers), view.whose_turn())
    quotes = list[Quote]()
    for at, notes in groupby(remarks, lambda one: one.move_number):
        lines = "\n".join(one.text for one in notes).split("\n")
        quotes.append(Quote(say("noted-when", when=after_move(at)), tuple(lines)))
    return LetterBlocks(news, (*quotes, Words(say("note-where")), *view.words(), *game_board(view)))


def history(view: LetterView) -> LetterBlocks:
    moves = view.game.move_number
    pages = max(1, -(-moves // PAGE_MOVES))
    page = min(view.about.get("page") or pages, pages)
    first, last = (page - 1) * PAGE_MOVES + 1, min(page * PAGE_MOVES, moves)
    lines = tuple(_history_lines(view, first if page > 1 else 0, last))
    where = say("history-page" if pages > 1 else "history-all", page=page, pages=pages)
    before = [Choices(((f"history {page - 1}", say("page-before")),))] if page > 1 else []
    news = join_sentences(view.say("history-of"), view.whose_turn())
    return LetterBlocks(news, (Quote(where, lines), *before, *game_board(view)))


def _history_lines(view: LetterView, first: int, last: int) -> Iterator[str]:
    game = view.game
    comments: dict[str, Sequence[Remark]] = {
        "said": game.chat,
        "undid": game.undone,
        "noted": game.notes_for(view.color),
        "estimate": game.estimates,
    }
    for number in range(first, last + 1):
        if number:
            color, point = game.position.moves[number - 1]
            played = move_name(str(point or "pass"))
            yield say("history-move", number=number, color=color_name(color), move=played)
        for key, remarks in comments.items():
            for one in remarks:
                if one.move_number == number:
                    words = sentence_from_json(sentence_to_json(one.text))
                    words = " ".join(words.split())[:MAX_MESSAGE]
                    yield f"– {say(f'comment-{key}', who=view.you_or_name(one.color), words=words)}"


def dry_run(view: LetterView) -> LetterBlocks:
    game, line = view.game, tuple(view.about["line"])
    mover = Color.named(view.about["mover"])
    position = position_after(game.position, mover, line)
    gains = {color: position.prisoners[color] - game.position.prisoners[color] for color in Color}
    takers = [color for color in Color if gains[color]]
    taken = [say("try-takes", color=color_name(one), count=gains[one]) for one in takers]
    after = replace(game, position=position, phase=Phase.PLAYING, dead=frozenset())
    moves = reduce(lambda told, one: say("then-move", first=told, next=one), map(move_name, line))
    note = Words(join_sentences(say("try-only"), *taken, say("try-show")))
    first = view.say("try-of", moves=moves, color=color_name(mover))
    blocks: list[Block] = [note, *position_in_words(view, after), position_diagram(position)]
    return LetterBlocks(first, tuple(blocks), counted=False)


def ifs(view: LetterView) -> LetterBlocks:
    lines = view.game.plans.get(view.color or Color.BLACK, ())
    news = moves_in_words(view) if view.moves else view.say(f"plans-{'kept' if lines else 'none'}")
    return game_letter(view, news, *(_plan_blocks(view, lines) if lines else ()))


def _plan_blocks(view: LetterView, lines: tuple[Line, ...]) -> Iterator[Block]:
    yield Words(view.say("plans-how"))
    yield Quote(say("plans-yours"), tuple(map(_branch_line, plan_tree(lines))))
    yield Choices.from_keys({"cancel ifs": "plans-cancel"})
    for line in lines[:MAX_DRAWN]:
        yield Words(say("plans-board", moves=tuple(map(move_name, line))))
        yield position_diagram(position_after(view.game.position, view.game.position.to_move, line))
    yield Words(say("plans-now"))


def _branch_line(line: str) -> str:
    """A line of the plan tree that is clear without the lines above it."""
    depth = line.count("... ")
    return f"{'– ' * depth}{say('plan-deeper', line=line[4 * depth :])}" if depth else line
