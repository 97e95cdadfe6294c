"""Wishes to be taught the game: `learn`, `teach me`, `I don't know the rules`, `learn 1 D4`.

Pure; raises `Unreadable` alone, for a lesson that there is not.
"""

from __future__ import annotations

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.lessons import LAST
from godaemon.rules.points import parse_point
from mailgate.language.wishes import OPENING
from mailgate.late_patterns import late

_GO = r"(?:the )?(?:(?:board )?game of )?(?:go|baduk|weiqi)"
_GAME = rf"(?:{_GO}|(?:the|this) game)"
_PLAY = (
    rf"(?:how )?to play(?: (?:{_GAME}|it|this))?|how (?:it|this|{_GAME}) (?:works|is played)"
    rf"|how you play(?: {_GAME})?"
)
_RULES = (
    r"(?:(?:any|all) (?:of )?)?(?:the |these )?(?:basic )?(?:go )?(?:rules|basics)"
    rf"(?: of {_GAME})?"
)
_IT = rf"(?:{_PLAY}|{_RULES}|{_GO}|this game)"
_ASKED = (
    (
        r"(?:(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody) )?(?:please"
        rf" )?(?:teach(?: me| us)(?: (?:about )?{_IT})?|explain(?: to)?(?: me| us)? {_IT}"
        rf"|(?:show|tell)(?: me| us)? (?:{_PLAY}|{_RULES}))"
    ),
    (
        r"(?:i(?:'d| would)? (?:want|like|love|wish|need|hope) to |help me (?:to )?|let me "
        rf"|(?:how|where) (?:do|can|could|should) (?:i|one|you|we) |can i "
        rf"|may i )?learn(?: (?:about )?{_IT})?"
    ),
    rf"how (?:do|can|should|must|does|would) (?:i|one|you|we|people) play {_GO}|how to play {_GO}",
    rf"how (?:is {_GAME} played|does {_GAME} work)",
    rf"(?:what (?:are|is) )?(?:the )?(?:basics|(?:basic )?rules of {_GAME}|go rules)",
    rf"what (?:is|kind of game is|sort of game is) {_GO}|what is {_GAME} about",
    (
        r"(?:is there |do you have |i need |i want |(?:(?:can|could) you )?send me |start |begin )?"
        r"(?:an? |any |some |the )?(?:tutorial|lessons?|introduction|instructions)(?: (?:one|1))?"
        rf"(?: (?:to|in|on|for) (?:{_GO}|beginners?))?|(?:the |go )?rules please"
    ),
    r"erklär(?:en sie)?(?: mir)? die (?:spiel)?regeln|wie spielt man (?:das|go)",
    r"ich (?:will|möchte) go lernen|comment (?:on joue|jouer|joue-t-on)(?: au go)?",
    r"cómo se juega(?: al go)?|come si gioca(?: a go)?|hoe speel je go",
)
"""What is said to nobody but us."""
_OWNED = (
    (
        r"i(?:'m afraid i)? (?:do not|don't|dont|didn't|never|cannot|can't|hardly)(?: really"
        rf"| even)? (?:know|understand|learn(?:ed|t)?|remember) {_IT}"
    ),
    rf"(?:i(?:'ve| have)? )?never (?:even )?played(?: {_GAME}| it| this)?",
    rf"i(?:'ve| have)? (?:forgot(?:ten)?|no (?:idea|clue)(?: of| about)?) (?:{_PLAY}|{_RULES})",
    r"i(?:'m| am) an? (?:complete|total|absolute|bloody) (?:beginner|newbie)",
    rf"i(?:'m| am) (?:an? )?(?:\w+ )?(?:beginner|newbie|new) (?:at|to|in|with) {_GO}",
    r"ich kenne die (?:spiel)?regeln (?:noch )?nicht",
    r"je ne connais pas les règles(?: du (?:go|jeu))?",
    r"no (?:conozco|sé) las reglas(?: del go)?|no sé jugar(?: al go)?",
    r"non conosco le regole(?: del go)?|ik ken de (?:spel)?regels niet",
)
"""What an opponent may be told too."""
_AFTER = (
    r"(?:[ ,]+(?:please|(?:to|for) (?:me|us|beginners)|first|at all|yet|before|from scratch|here"
    r"|thanks|thank you|well|very well|myself|exactly|though|by e?-?mail|bitte|svp|por favor))*"
)
_FOR_US, _WISH = (
    late(f"{OPENING}(?:{'|'.join(wishes)}){_AFTER}") for wishes in (_ASKED, (*_ASKED, *_OWNED))
)
_LESSON = late(
    r"learn[ :,]{0,9}(?:lesson |letter |email |part )?(\d)?[ :,]{0,9}(?:point )?([a-z]-?\d{1,2})?"
)
_LONGEST = 120


def read_learn(line: str) -> cmd.Learn | None:
    """The lesson that a normalized line asks for; None for any other line.

    >>> read_learn("teach me how to play go"), read_learn("learn 2").lesson
    (Learn(lesson=1, point=None), 2)
    >>> read_learn("i never learn") is None
    True
    """
    if (found := _LESSON.fullmatch(line)) is not None:
        lesson = int(found[1] or 1)
        if not 1 <= lesson <= LAST:
            raise Unreadable(
                f"There are {LAST} emails on how to play. Nothing was done.",
                hints=tuple(f"learn {one}" for one in range(1, LAST + 1)),
            )
        return cmd.Learn(lesson, parse_point(found[2].replace("-", "")) if found[2] else None)
    asked = line.rstrip(" ?")
    return cmd.Learn() if len(asked) <= _LONGEST and _FOR_US.fullmatch(asked) else None


def wishes_to_learn(statement: str) -> bool:
    """True where a normalized statement says that its writer would be taught, or knows no rules.

    >>> wishes_to_learn("i don't know the rules"), wishes_to_learn("the rules are odd")
    (True, False)
    """
    return len(statement) <= _LONGEST and _WISH.fullmatch(statement) is not None


def first_game(engine: str) -> str:
    """The line by which somebody who has learnt the rules begins a game with a program."""
    return f"new 9x9 as black vs {engine}"
