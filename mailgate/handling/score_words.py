"""Words on the score while a game is counted: agreement, dispute, and what becomes of stones.

Pure; raises `Unreadable` alone, with the lines that would do what the words may mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.dead_stones import changes
from godaemon.games.model import Game, Phase
from godaemon.rules.board import points_of
from godaemon.rules.inseparable_chains import joined
from godaemon.rules.points import Point, parse_point
from mailgate.address import clean_quote
from mailgate.handling.seated import Seated
from mailgate.language.closings import without_names
from mailgate.language.consent import asks, read_consent, taken_back
from mailgate.language.counted import agrees, all_live, marks_said
from mailgate.language.parser import ParsedText
from mailgate.language.talk import vertices
from mailgate.language.third_person import says_to
from mailgate.language.written_moves import normalize
from mailgate.late_patterns import late


def agrees_to_score(text: ParsedText, lines: Sequence[str], at: Seated) -> bool:
    """True for `done` in other words: a yes to who has said it, or agreement in so many words."""
    waited_for = _other_agreed(at)
    plays_on = _PLAYED_ON.search(normalize(" ".join(lines[:6]))) or asks(lines)
    said_yes = (_yes(text) and not taken_back(lines)) or (not text.commands and read_consent(lines))
    if waited_for and said_yes and not plays_on:
        return True
    if at.game.phase is not Phase.SCORING or text.commands:
        return False
    said = without_names(lines, at.game.player(at.seat).name)
    return bool(agrees(said, asked=waited_for and not _spoken_to(at)))


def _other_agreed(at: Seated) -> bool:
    """True where only the sender's word on the score is missing."""
    game, color = at.game, at.color
    counting = game.phase is Phase.SCORING and not game.spec.teaching
    return counting and set(game.agreed) == {color.opponent if color else None}


def _spoken_to(at: Seated) -> bool:
    """True where the other has said something while the game is counted, which a yes may answer."""
    game = at.game
    said = [one.color for one in game.chat if one.move_number == game.move_number]
    return any(color is not at.color for color in said)


def _yes(text: ParsedText) -> bool:
    return [type(one.command) for one in text.commands] == [cmd.Yes]


def ask_back_counting(
    message: str, said: Sequence[str], quoted: str, at: Seated, besides: tuple[str, ...]
) -> None:
    """The same while the score is counted; `besides` are lines to offer whatever is meant."""
    plain, gives_up = normalize(message[:1_000]), "resign" in besides
    offer_marks(said, at)
    to_them = normalize(at.opponent.name).partition(" ")[0] in re.findall(r"\w+", plain)
    if _OPINION.search(plain) and "?" in message and not to_them:
        raise Unreadable(
            "To get my opinion on which stones are dead, reply propose: it marks nothing, and you"
            " need not agree.",
            hints=("propose", *besides),
        )
    if _DISPUTED.search(plain) and not vertices(message):
        raise Unreadable(
            f"“{quoted}” settles nothing yet, so I have done nothing. Where you two do not agree on"
            " which stones are dead, reply resume, and play on until nobody doubts it.",
            hints=("resume", "propose", *besides),
        )
    if not gives_up and agrees(said) is None:
        raise Unreadable(
            f"I am not sure that “{quoted}” is your word on the score, so I have done nothing."
            " If you agree to it, reply done",
            hints=("done",),
        )
    talks = says_to(message, at.opponent.name)
    if gives_up or _COUNTED.search(plain) or vertices(message) or not talks:
        raise Unreadable(
            f"I am not sure what “{quoted}” means for the score, so I have done nothing. If the"
            " score is right, reply done; to go back to playing, resume; to mark a group dead,"
            f" name one of its stones{_example(at.game)}",
            hints=("done", "resume", "propose", *besides),
        )


def offer_marks(lines: Sequence[str], at: Seated) -> None:
    """Raise the lines that mark what sentences about a count say of stones; none marks by itself.

    Of stones of which nothing is said either is offered, where nothing is said of any other.
    """
    game = at.game
    if game.phase is not Phase.SCORING:
        return
    if living := all_live(lines):
        raise _offer_life(living, at)
    said = {name: dead for name, dead in marks_said(lines).items() if at.stands(name)}
    told = {dead: [one for one in said if said[one] is dead] for dead in (True, False)}
    if not any(told.values()):
        words = normalize(" ".join(lines))
        dead = _DEAD.search(words) and not _ALIVE.search(words)
        told = {True: list(said), False: [] if dead else list(said)}
    marks = (_mark(names, game, dead=dead) for dead, names in told.items() if names)
    hints = tuple(str(part) for mark in marks for part in mark.parts)
    if hints:
        quoted = clean_quote(next(filter(vertices, lines), ""))
        either = " or " if None in said.values() and told[True] == told[False] else " and "
        raise Unreadable(
            f"“{quoted}” names stones, and I am not sure what is to become of them, so I have done"
            f" nothing. To mark them, reply {either.join(f'`{hint}`' for hint in hints)}"
            f"{', each on a line, in one email' if either == ' and ' and hints[1:] else ''}",
            hints=(*hints, *(("resume",) if _GOES_ON.search(" ".join(lines)) else ()), "propose"),
        )


_DEAD = late(
    r"\b(?:dead|captured|goner|gone|taken|tot|mort[eosai]?s?|muert[oa]s?|dood|död[a]?|martw[ey]"
    r"|м[её]ртв\w+)\b|死|取られ|잡"
)
_ALIVE = late(
    r"n't\b|\b(?:not|no|never|alive|lives?|living|nicht|kein\w*|lebt|leben|pas|viv\w+|non|niet|inte"
    r"|nie|не|жив\w+)\b|活|살|ない|ません"
)
_GOES_ON = late(
    r"(?i)\b(?:(?:keep|go on|continue|carry on) (?:on )?playing|play (?:on|it out|(?:a (?:bit"
    r"|little) )?(?:further|longer|more))|resume|go on)\b"
)
"""Says that the game is not over for its writer."""


def _offer_life(living: str, at: Seated) -> Unreadable:
    """What to send where all stones live, or all of one player: one of each group marked dead."""
    game, mine = at.game, at.color
    marked = set(game.dead)
    if living != "all":
        color = game.position.board.color
        marked = {one for one in marked if (color(one) is mine) == (living == "mine")}
    if not marked:
        return Unreadable(
            "No such stone is marked dead now, so there is nothing to change. If the score is"
            " right, reply done",
            hints=("done",),
        )
    named = list[Point]()
    while marked:
        named.append(min(marked))
        marked -= {named[-1], *changes(game, cmd.Mark((named[-1],), dead=False))}
    lines = tuple(map(str, cmd.Mark(tuple(named), dead=False).parts))
    reply = " and ".join(f"`{line}`" for line in lines)
    return Unreadable(
        f"To have those stones alive, reply {reply}. I have done nothing yet.", hints=lines
    )


def _mark(names: Sequence[str], game: Game, *, dead: bool) -> cmd.Mark:
    """The mark of those stones, and of no others where more could not be marked."""
    mark = cmd.Mark(tuple(map(parse_point, names)), dead=dead)
    try:
        changes(game, mark)
    except Refusal:
        mark = replace(mark, extent=cmd.Extent.CHAIN)
    return mark


def _example(game: Game) -> str:
    """A mark as it may be written, of a stone of the smallest group; none on an empty board."""
    board = game.position.board
    left = {point for point in points_of(game.spec.size) if board.color(point)}
    groups = list[frozenset[Point]]()
    while left:
        groups.append(joined(board, min(left)))
        left -= groups[-1]
    smallest = min(groups, key=len, default=None)
    return f", such as: dead {min(smallest)}" if smallest else ""


_OPINION = late(
    r"\b(?:your (?:opinion|advice|view)|what (?:do|would) you (?:think|say|suggest)|you think"
    r"|can you (?:help|tell|say|judge)|help me|wer|was meinst du|qu'en pens\w+|qué opinas)\b"
)
"""Asks what somebody thinks of it."""
_COUNTED = late(
    r"\b(?:done|finish(?:ed)?|dis-?agree[ds]?|agree[ds]?|ok|okay|fine|right|correct|wrong|looks?"
    r"|dead|alive|live|living|captured|gone|score[ds]?|count(?:ed|s)?|points?|territory|komi|dame"
    r"|seki|result|mark(?:ed|s)?|remove[ds]?|resume|continue|play on|over|yes|no|nope|accept(?:ed)?"
    r"|won|win|winner|area|prisoners?|pass(?:ed|ing)?|skip|decline|playing)\b"
)
"""Words that may say something about the score."""
_DISPUTED = late(
    r"\b(?:(?:do not|don't|can't|cannot|never|not) agree(?! with you about)"
    r"|(?<!n't )(?<!not )dis-?agree|settle|dispute|who(?:'s| is) right|(?:let us|let's|should"
    r"|want to) play on)\b"
)
"""Says that the players see the dead stones differently."""
_PLAYED_ON = late(r"\b(?:play|playing|go on|continue|it|was|this|that|love|like|with|new)\b")
"""Words that a yes to the score does not hold."""
