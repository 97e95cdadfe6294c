"""The letter of what can be written: now, or at all. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from godaemon.games.model import Phase
from godaemon.rules.rulesets import RULESETS
from godaemon.texts.catalogue import listed, say
from mailgate.language.verb_table import topic as topic_of
from mailgate.language.verb_table import verbs
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.replies import answers, quoted, topic
from mailgate.letters.shared_blocks import how_to_count, how_to_move, programs


def help_letter(view: LetterView) -> LetterBlocks:
    """What is of use now; all that can be written; or what there is to say of one word."""
    word = view.about.get("topic")
    if word and word != "all":
        return topic(view)
    return _everything(view) if word else _short_help(view)


def _short_help(view: LetterView) -> LetterBlocks:
    """A dozen lines for where the reader stands."""
    game = view.maybe_game
    if game is None:
        ours = sorted(programs(view), key=lambda row: not row[0].endswith(" house"))[:1]
        learn, *others = _rows(_BEGINNING)
        asked = [topic_of(name).text for name in view.about.get("more", ())]
        first, *more = map(quoted, [*asked, say("to-begin")])
        return LetterBlocks(first, (*map(Words, more), Choices((learn, *ours, *others))))
    phase = Phase.FINISHED if game.phase.over else game.phase
    rows = Choices(_rows(_IN_GAME[phase]), label=WRITE)
    return LetterBlocks(say(f"can-write-{phase}"), (*_awaited(view), rows))


def _rows(lines: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((line, quoted(say(key))) for line, key in lines.items())


WRITE = "→"
"""Stands before what is only told of; no line that begins so is obeyed."""
_ALL = {"help all": "all-lines"}
_BEGINNING = {
    "learn": "help-learn",
    "new 9x9 vs bob@example.org": "help-new",
    "new 13x13 open": "offer-to-all",
    "challenges": "help-challenges",
    "watch": "help-watch",
    "games": "help-games",
    "settings": "help-settings",
    **_ALL,
}
_IN_GAME = {
    Phase.PROPOSED: {"show": "see-terms", "learn": "help-learn", **_ALL},
    Phase.PLAYING: {
        "undo": "help-undo",
        "if D4 then E5": "help-if",
        "say good luck!": "help-say",
        "note he is weak here": "help-note",
        "try D4 E5": "help-try",
        "vacation 4 days": "help-vacation",
        "settings": "help-settings",
        "resign": "help-resign",
        **_ALL,
    },
    Phase.SCORING: {
        "dead Q16 C3": "help-dead",
        "alive Q16": "help-alive",
        "say good luck!": "help-say",
        **_ALL,
    },
    Phase.FINISHED: {
        "review": "help-review",
        "rematch": "help-rematch",
        "sgf": "help-sgf",
        "kifu": "help-kifu",
        "gif": "help-gif",
        "history": "help-history",
        "games": "help-games",
        **_ALL,
    },
}


def _everything(view: LetterView) -> LetterBlocks:
    """All that can be written, from the one table of the language."""
    entries = verbs()
    rows = (*((one.examples[0], quoted(one.help)) for one in entries.values()), *programs(view))
    arguments = entries["new"].arguments.replace("|", "/")
    ends = (say("all-terms", arguments=arguments), say("all-rules", rules=listed([*RULESETS])))
    return LetterBlocks(
        say("all-first"),
        (Words(say("all-how")), *_awaited(view), Choices(rows, label=WRITE), *map(Words, ends)),
    )


def _awaited(view: LetterView) -> Iterator[Block]:
    if view.maybe_game is None or view.game.phase.over:
        return
    if view.game.phase is Phase.SCORING:
        yield replace(how_to_count(view), clicks="")  # no board to click on
    elif view.my_turn:
        yield how_to_move(view)
    else:
        yield from answers(view)
