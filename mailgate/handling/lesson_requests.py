"""The lessons of `learn` by letter: what is asked, and what a reply to one of them means."""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.games import commands as cmd
from godaemon.games.lessons import LAST, tried
from godaemon.games.notices import Kind, Notice
from mailgate.address import clean_quote
from mailgate.handling.context import LetterContext
from mailgate.language.consent import read_consent
from mailgate.language.game_lines import GameLine
from mailgate.language.lexicon import lexicon
from mailgate.language.statements import LONGEST, vertices
from mailgate.language.written_moves import normalize, strip_decoration
from mailgate.letters.lesson_letters import first_game

_FEW = 30  # in so few words a point is an answer, and no talk of it


def send(context: LetterContext, asked: cmd.Learn, unread: str = "") -> None:
    """Owe a lesson, the next one where the point is right; `unread` is an answer not understood."""
    found = tried(asked.lesson, asked.point) if asked.point and asked.lesson < LAST else None
    context.owe(
        Kind.LEARN,
        lesson=asked.lesson + 1 if found and found.right else asked.lesson,
        tried=str(found.point) if found else "",
        right=bool(found and found.right),
        engine=context.games.engines.gentlest,
        challenges=bool(context.games.limits.open_challenges),
        **({"unread": clean_quote(unread)} if unread else {}),
    )


def answers(lines: Sequence[GameLine], notice: Notice) -> list[GameLine]:
    """The lines of a reply to a lesson, each in words that need no such letter."""
    lesson, engine = int(notice.about["lesson"]), str(notice.about["engine"])
    return [GameLine(one.line, _meant(one.said, lesson, engine), one.game) for one in lines]


def _meant(line: str, lesson: int, engine: str) -> str:
    named, plain = vertices(line), strip_decoration(normalize(line[:LONGEST]))
    if len(named) == 1 and len(plain.split()) <= _FEW and lesson < LAST:
        return line if plain.startswith("learn") else f"learn {lesson} {named[0]}"
    if plain in lexicon().again:
        return f"learn {lesson}"
    if plain in lexicon().go_on or read_consent([line]):
        return f"learn {lesson + 1}" if lesson < LAST else first_game(engine) if engine else line
    return line
