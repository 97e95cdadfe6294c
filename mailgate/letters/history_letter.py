"""The letters of what was, and what could be: moves and talk, notes, plans, a dry run. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from godaemon.games import events as ev
from godaemon.games.model import Chat, Phase, Remark
from godaemon.games.planned_moves import Line, after, tree
from godaemon.games.state import color as color_named
from godaemon.rules.points import Color
from godaemon.texts.catalogue import retold, say, stored
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Quote, Words, joined
from mailgate.letters.board_blocks import drawn, in_words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import move, title, when
from mailgate.letters.playing import what_happened
from mailgate.letters.shared_blocks import board, in_play

PAGE = 50
"""How many moves one page of the history has."""
DRAWN = 3
"""How many plans are drawn, too."""
LONGEST = 500
"""How much of one message it repeats; the record has all."""


def note(view: LetterView) -> LetterBlocks:
    kept = view.game.remarks[-len(tuple(view.happened(ev.Noted))) :]
    hidden = [one.hidden for one in kept]
    seen = "hidden" if all(hidden) else "hidden-some" if any(hidden) else "only-you"
    moves = what_happened(view) if view.moves else ""
    news = joined(moves, view.say("note-is-kept"), view.say(f"note-{seen}"), view.whose_turn())
    lines = dict[int, list[str]]()
    for one in kept:
        lines.setdefault(one.move_number, []).extend(one.text.split("\n"))
    noted = [Quote(say("noted-when", when=when(at)), tuple(told)) for at, told in lines.items()]
    return LetterBlocks(news, (*noted, Words(say("note-where")), *view.words(), *board(view)))


def history(view: LetterView) -> LetterBlocks:
    moves = view.game.move_number
    pages = max(1, -(-moves // PAGE))
    page = min(view.about.get("page") or pages, pages)
    first, last = (page - 1) * PAGE + 1, min(page * PAGE, moves)
    lines = tuple(_told(view, first if page > 1 else 0, last))
    where = say("history-page" if pages > 1 else "history-all", page=page, pages=pages)
    before = [Choices(((f"history {page - 1}", say("page-before")),))] if page > 1 else []
    told = joined(view.say("history-of"), view.whose_turn())
    return LetterBlocks(told, (Quote(where, lines), *before, *board(view)))


def _told(view: LetterView, first: int, last: int) -> Iterator[str]:
    game = view.game
    said: dict[str, Sequence[Chat | Remark]] = {
        "said": game.chat,
        "undid": game.undone,
        "noted": game.notes_for(view.color),
        "estimate": game.estimates,
    }
    for number in range(first, last + 1):
        if number:
            color, point = game.position.moves[number - 1]
            played = move(str(point or "pass"))
            yield say("history-move", number=number, color=title(color), move=played)
        for how, all_said in said.items():
            for one in all_said:
                if one.move_number == number:
                    words = retold(stored(one.text))
                    words = " ".join(words.split())[:LONGEST]
                    yield f"– {say(f'comment-{how}', who=view.who(one.color), words=words)}"


def dry_run(view: LetterView) -> LetterBlocks:
    game, line = view.game, tuple(view.about["line"])
    mover = color_named(view.about["mover"])
    there = after(game.position, mover, line)
    more = {color: there.prisoners[color] - game.position.prisoners[color] for color in Color}
    taken = [
        say("try-takes", color=title(color), count=count) for color, count in more.items() if count
    ]
    then = replace(game, position=there, phase=Phase.PLAYING, dead=frozenset())
    moves = reduce(lambda told, one: say("then-move", first=told, next=one), map(move, line))
    only = Words(joined(say("try-only"), *taken, say("try-show")))
    first = view.say("try-of", moves=moves, color=title(mover))
    return LetterBlocks(first, (only, *in_words(view, then), drawn(there)), counted=False)


def ifs(view: LetterView) -> LetterBlocks:
    lines = view.game.plans.get(view.color or Color.BLACK, ())
    news = what_happened(view) if view.moves else view.say(f"plans-{'kept' if lines else 'none'}")
    return in_play(view, news, *(_plan(view, lines) if lines else ()))


def _plan(view: LetterView, lines: tuple[Line, ...]) -> Iterator[Block]:
    yield Words(view.say("plans-how"))
    yield Quote(say("plans-yours"), tuple(map(_branch, tree(lines))))
    yield Choices.of({"cancel ifs": "plans-cancel"})
    for line in lines[:DRAWN]:
        yield Words(say("plans-board", moves=tuple(map(move, line))))
        yield drawn(after(view.game.position, view.game.position.to_move, line))
    yield Words(say("plans-now"))


def _branch(line: str) -> str:
    """A line of the tree, for one who reads it without the others above."""
    deeper = line.count("... ")
    return f"{'– ' * deeper}{say('plan-deeper', line=line[4 * deeper :])}" if deeper else line
