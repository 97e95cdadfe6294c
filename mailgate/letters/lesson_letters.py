"""The rules of Go in three letters, each with a board; the last one offers a first game. Pure."""

from __future__ import annotations

from godaemon.diagrams.description import stones_by_row
from godaemon.games import lessons
from godaemon.games.lessons import Tried
from godaemon.rules.points import Color, parse_point
from godaemon.texts.catalogue import number, say
from mailgate.letters.blocks import Block, Choices, Diagram, LetterBlocks, Table, Todo, Words
from mailgate.letters.letter_view import LetterView

_TOLD = {1: ("turns", "liberties"), 2: ("suicide", "ko"), 3: ("territory", "end")}
"""What each lesson says before its first board."""


def learn(view: LetterView) -> LetterBlocks:
    """A lesson; or, after a point that was not right, why, and its board once more."""
    lesson, said = view.about.get("lesson", 1), view.about.get("tried", "")
    unread, first = view.about.get("unread"), say(f"learn-title-{lesson}")
    if unread:
        first = f"{say('learn-unread', words=unread)} {first}"
    if said and not view.about.get("right"):
        found = lessons.tried(lesson, parse_point(said))
        return LetterBlocks(_why(lesson, found), (*_shown(found), *_exercise(lesson)))
    if said:
        first = f"{say(f'learn-right-{lesson - 1}', point=said)} {first}"
    return LetterBlocks(first, (*_words(*_TOLD[lesson]), *_rest(view, lesson)))


def _words(*keys: str) -> tuple[Words, ...]:
    return tuple(Words(say(f"learn-{key}")) for key in keys)


def _rest(view: LetterView, lesson: int) -> tuple[Block, ...]:
    if lesson == 1:
        return _exercise(1)
    if lesson == 2:
        return (*_board(lessons.KO), *_words("life"), *_exercise(2))
    return (*_count(), *_words("komi"), *_who_plays(view))


def _why(lesson: int, found: Tried) -> str:
    """Why a point is not the one, and nothing is lost by it."""
    key = "off-board" if not found.on_board else "taken" if found.answer is None else ""
    key = key or f"not-{lesson}"
    return say(f"learn-{key}", point=found.point, answer=found.answer, count=found.liberties)


def _shown(found: Tried) -> tuple[Block, ...]:
    if not found.rows:
        return ()
    return (_in_words(found.rows), Diagram(found.rows, found.answer), *_words("once-more"))


def _exercise(lesson: int) -> tuple[Block, ...]:
    rows, go_on = lessons.rows_of(lesson), f"learn {lesson + 1}"
    free = lessons.position(rows).legal_moves(Color.BLACK)
    skip = ((say("learn-skip"), go_on),)
    todo = Todo(say("learn-point", line=go_on), say("learn-click"), skip)
    sends = {point: f"learn {lesson} {point}" for point in free}
    return (
        *_words(f"question-{lesson}"),
        _in_words(rows),
        Diagram(rows, sends=sends, reply=todo),
    )


def _in_words(rows: tuple[str, ...]) -> Words:
    return Words(" ".join(stones_by_row(rows)), small=True)


def _board(rows: tuple[str, ...]) -> tuple[Block, ...]:
    return (_in_words(rows), Diagram(rows))


def _count() -> tuple[Block, ...]:
    rows, score = lessons.count()
    sides = (score.black, score.white)
    counted = (
        (say("count-territory"), *(f"{side.territory}" for side in sides)),
        (say("count-captures"), *(f"{side.prisoners}" for side in sides)),
        (say("count-total"), *(number(side.total) for side in sides)),
    )
    head = (say("count-score"), say("black"), say("white"))
    return (*_board(rows), Table(head, counted, total=True))


def _who_plays(view: LetterView) -> tuple[Block, ...]:
    """A first game with one click, or how to find somebody."""
    engine = view.about.get("engine", "")
    rows = [(first_game(engine), say("learn-first-game"))] if engine else []
    rows += [("challenges", say("learn-challenges"))] if view.about.get("challenges") else []
    rows += [("players", say("learn-players")), ("learn", say("learn-again"))]
    return (Choices(tuple(rows)), Words(say("learn-friend"), small=True))


def first_game(engine: str) -> str:
    """The line by which somebody who has learnt the rules begins a game with a program."""
    return f"new 9x9 as black vs {engine}"
