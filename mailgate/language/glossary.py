"""Words of Go that people ask the meaning of: `what is a ladder?`, `what does sente mean`.

Pure; raises nothing. Each is explained without words of Go that a beginner would have to ask next.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mailgate.language.wishes import OPENING
from mailgate.late_patterns import late


class Word(NamedTuple):
    """A word of Go: its name, the words that name it (an expression, lower case), what it is."""

    name: str
    words: str
    meaning: str


GLOSSARY = (
    Word(
        "aji",
        r"(?:bad )?aji",
        "Aji is what is still left in stones that look lost: a threat for later.",
    ),
    Word(
        "area",
        r"area(?: scoring| counting| rules)?",
        "Counted by area, as in China, a player has the points with own stones on them and"
        " the empty points that these surround.",
    ),
    Word(
        "byo-yomi",
        r"byo-?yomi|(?:time |overtime )?periods?",
        "Byo-yomi is time in periods: a move made within one costs nothing, and who uses one"
        " up has a period less. When the last is used up, the game is lost.",
    ),
    Word(
        "chain",
        r"chains?|strings?|groups?",
        "A chain is stones of one colour that touch along the lines; they are taken together."
        " A group is chains near each other that live or die together.",
    ),
    Word(
        "dame",
        r"dame|neutral points?",
        "Dame are empty points between the colours that belong to neither: nobody gains or"
        " loses by them where territory is counted.",
    ),
    Word(
        "double atari",
        r"double[- ]atari",
        "A double atari is a move that leaves two chains one free point each: only one can be"
        " saved.",
    ),
    Word(
        "eye",
        r"eyes?|two eyes|real eyes?",
        "An eye is an empty place that a group surrounds. With two of them a group can never"
        " be taken, as the other player cannot fill both at once.",
    ),
    Word(
        "false eye",
        r"false eyes?",
        "A false eye looks like one, but the stones around it are not connected: some can be"
        " taken, and then it must be filled.",
    ),
    Word(
        "fuseki",
        r"fuseki|opening",
        "Fuseki is the beginning of a game, while the board is open.",
    ),
    Word(
        "gote",
        r"gote",
        "A move in gote needs no answer, so that the other player may choose where to play next.",
    ),
    Word(
        "hane",
        r"hane",
        "A hane bends around a stone of the other colour that it touches.",
    ),
    Word(
        "hoshi",
        r"hoshi|star[- ]points?|tengen|dots?(?: on the board)?",
        "Hoshi are the points with a dot, where handicap stones stand; tengen is the middle"
        " one. They are like all other points.",
    ),
    Word(
        "joseki",
        r"joseki",
        "A joseki is a known order of moves in a corner that is fair to both players.",
    ),
    Word(
        "ladder",
        r"ladders?|shicho",
        "In a ladder a chain has one free point left, runs, and has only one left again, move"
        " after move, to the edge of the board. It gets away only where a stone of its own"
        " stands in the way.",
    ),
    Word(
        "liberty",
        r"libert(?:y|ies)|breath(?:ing space)?s?",
        "The liberties of a chain are the empty points beside it, along the lines. Without"
        " one it is taken off the board.",
    ),
    Word(
        "miai",
        r"miai",
        "Miai are two points of which each player will get one: if you take the one, they"
        " take the other.",
    ),
    Word(
        "moyo",
        r"moyo|framework",
        "A moyo is a large place that may still become territory.",
    ),
    Word(
        "net",
        r"nets?|geta",
        "A net holds stones from a distance: whichever way they run, they are surrounded.",
    ),
    Word(
        "nigiri",
        r"nigiri",
        "Nigiri draws the colours by lot; here I draw them.",
    ),
    Word(
        "prisoners",
        r"prisoners?|captives|captures",
        "Prisoners are the stones that a player has taken. Where territory is counted, each"
        " is a point.",
    ),
    Word(
        "rank",
        r"ranks?|kyus?|dans?|(?:\d{1,2})[- ]?(?:k|kyu|d|dan)",
        "Ranks tell how strong a player is: from 30 kyu, who has just begun, up to 1 kyu, and"
        " then from 1 dan up. Each step is about one handicap stone.",
    ),
    Word(
        "seki",
        r"seki",
        "In a seki two groups live side by side without two eyes: who plays there first loses"
        " theirs, so that nobody does.",
    ),
    Word(
        "semeai",
        r"semeai|capturing race",
        "A semeai is a race between two groups: who runs out of free points first is taken.",
    ),
    Word(
        "sente",
        r"sente",
        "A move in sente must be answered, so that its player may choose where to play next.",
    ),
    Word(
        "snapback",
        r"snap-?back",
        "In a snapback somebody takes a stone, and by that has so few free points that the"
        " whole chain is taken at once.",
    ),
    Word(
        "tenuki",
        r"tenuki",
        "Tenuki is to leave the last move unanswered, and play elsewhere.",
    ),
    Word(
        "territory",
        r"territor(?:y|ies)(?: scoring| counting| rules)?",
        "Territory is the empty points that one colour surrounds. Counted by it, as in Japan,"
        " a player has that and the stones taken.",
    ),
    Word(
        "utc",
        r"utc|gmt|u\.t\.c",
        "UTC is the time of the world's clocks, that of London in winter. To read all hours as your"
        " own clock has them, name your city, such as: `timezone London`",
    ),
    Word(
        "tesuji",
        r"tesuji",
        "A tesuji is the best, often surprising, move in a fight.",
    ),
)

_ASKED = late(
    rf"(?:.{{0,60}}: )?{OPENING}"
    r"(?:what(?:'s|s)?(?: on earth| exactly)?(?: (?:is|are|was|were|does|do|did|means?))?"
    r"|explain(?: to me)?|define"
    r"|(?:what is )?(?:the )?meaning of|(?:can|could|would) (?:you|someone|somebody)"
    r"(?: please)? (?:explain|tell me)(?: to me)?(?: what(?: is| are)?)?|tell me what(?: is| are)?"
    r"|i (?:(?:do not|don't|dont) (?:know|understand)|have no idea) what(?: is| are)?)"
    r"(?: (?:the (?:word|term)|an?|the|this|these|that|you mean by|is meant by|meant by|called"
    r"|actually))*"
    r" [\"'“‘(]?(?P<word>[\w '-]{2,24}?)[\"'”’)]?"
    r"(?: (?:is|are|means?|meant|stands? for|in go|here|again|exactly|please|anyway|then|there"
    r"|supposed to (?:be|mean)|thing|move|shape|point|rank)s?)*"
)


def word_of_go(statement: str) -> str:
    """The word of Go that a normalized statement asks the meaning of; "" for any other statement.

    >>> word_of_go('what does "sente" mean'), word_of_go("i don't know what a ladder is")
    ('sente', 'ladder')
    >>> word_of_go("what is your rank"), word_of_go("what a net"), word_of_go("what is the score")
    ('', '', '')
    """
    found = _ASKED.fullmatch(statement)
    if found is None or _EXCLAIMED.match(statement) or _THEIRS.search(statement):
        return ""
    return next((one.name for one in GLOSSARY if re.fullmatch(one.words, found["word"])), "")


_EXCLAIMED = late(r"what an? (?!\w+ (?:is|are|means?)\b)")
_THEIRS = late(r"\b(?:your|my|our|his|her|their)\b")
