"""The lessons of `learn` by letter: what is asked, and what a reply to one of them means.

A reply may hold the point alone, or `next`: a letter of ours says which lesson it is. Nobody need
have a game, and nothing is kept of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from godaemon.games import commands as cmd
from godaemon.games.lessons import LAST, tried
from godaemon.games.notices import Kind, Notice
from mailgate.address import clean_quote
from mailgate.handling.context import LetterContext
from mailgate.language.game_lines import GameLine
from mailgate.language.learning import first_game, wishes_to_learn
from mailgate.language.talk import LONGEST, statements, vertices
from mailgate.language.written_moves import normalize, strip_decoration
from mailgate.reading.reply_trimming import fold_space
from mailgate.word_sets import words_of

_NEXT = words_of(
    "next skip continue forward go begin start play yes yeah yep ok okay sure ready understood got"
    " see"
)
_BESIDE = words_of(
    "i i'm i'd am it on let's lets let me us my first want to would like love against with"
    " gentle program understand now then please one lesson letter email this"
    " the that and thanks thank you fine great cool a game to let"
)
"""What may stand beside a word that asks for the next letter."""
_AGAIN = re.compile(r"(?:(?:try |once )?(?:again|more)|retry|repeat)(?: please)?")
_FEW = 30
"""In so few words a point is an answer, and no talk of it."""


def send(context: LetterContext, asked: cmd.Learn, unread: str = "") -> None:
    """Owe a lesson; the next one where the point is right, and the same where it is not.

    `unread` is a line in answer to it of which nobody knows what it means.
    """
    found = tried(asked.lesson, asked.point) if asked.point and asked.lesson < LAST else None
    about: dict[str, object] = {
        "lesson": asked.lesson + 1 if found and found.right else asked.lesson,
        "tried": str(found.point) if found else "",
        "right": bool(found and found.right),
        "engine": context.games.engines.gentlest,
        "challenges": bool(context.games.limits.open_challenges),
        **({"unread": clean_quote(unread)} if unread else {}),
    }
    context.owe(Kind.LEARN, about=about)


def answers(lines: Sequence[GameLine], notice: Notice) -> list[GameLine]:
    """The lines of a reply to a lesson, each in words that need no such letter."""
    lesson, engine = int(notice.about["lesson"]), str(notice.about["engine"])
    return [GameLine(one.line, _meant(one.said, lesson, engine), one.game) for one in lines]


def _meant(line: str, lesson: int, engine: str) -> str:
    named, plain = vertices(line), strip_decoration(normalize(line[:LONGEST]))
    if len(named) == 1 and len(plain.split()) <= _FEW and lesson < LAST:
        return line if plain.startswith("learn") else f"learn {lesson} {named[0].upper()}"
    if _AGAIN.fullmatch(plain):
        return f"learn {lesson}"
    words = set(re.findall(r"[^\W\d_]+(?:'\w+)?", plain))
    if words & _NEXT and words <= _NEXT | _BESIDE:
        return f"learn {lesson + 1}" if lesson < LAST else first_game(engine) if engine else line
    return line


def asks_to_learn(lines: Sequence[str]) -> bool:
    """True where one of the first statements of a letter asks to be taught."""
    said = [line for line in lines if fold_space(line)][:6]
    return any(wishes_to_learn(one.text) for line in said for one in statements(line[:LONGEST]))
