"""The rules of Go in three letters, each with a board; the last one offers a first game. Pure."""

from __future__ import annotations

from godaemon.diagrams.description import stones_by_row
from godaemon.games import lessons
from godaemon.games.lessons import Tried
from godaemon.rules.points import Color, parse_point
from mailgate.letters.blocks import Block, Choices, Diagram, LetterBlocks, Table, Todo, Words
from mailgate.letters.letter_view import LetterView

_TITLES = (
    "Go in three short emails. The first: stones, and how they are captured.",
    "The second email on Go: what lives, and what may not be played.",
    "The third and last email on Go: how a game ends, and your first one.",
)
_STONES = (
    (
        "Black and White take turns to put a stone on a crossing of the lines, at the edge too."
        " Black begins. A stone never moves, but it can be captured."
    ),
    (
        "The empty crossings beside a stone, along the lines, are its liberties. Stones of one"
        " colour that touch along the lines are a chain, and share their liberties. When its last"
        " liberty is filled, a chain is captured: its stones are taken off the board."
    ),
)
_KO = (
    "You may not put a stone where it has no liberty, unless it captures something there.",
    (
        "Nor may you bring the position back that was there before your opponent's move. Here Black"
        " can capture the stone on B3 by playing C3. White could capture that one on B3 at once,"
        " and so on for ever. This is called ko: White has to play somewhere else first."
    ),
)
_LIFE = (
    "A chain around two separate empty points lives: White may play on neither, and so can never"
    " fill both. Such points are eyes. A chain that is shut in and has only one eye is lost."
)
_QUESTIONS = (
    "Your stones are black. White's two stones have one liberty left. Where do you capture them?",
    "Your stones are black, and shut in. Where do you play to have two eyes?",
)
_DONE = ("{} captures both stones", "{} makes two eyes")
_ESCAPES = (
    "after {0} White plays {1}, and the chain has {2} liberties. It was that point that you needed."
)
_ONE_EYE = (
    "after {0} White plays {1}, and what you have left is never more than one eye. It was that"
    " point that you needed."
)
_ENDS = (
    (
        "Empty points that only your stones surround are your territory. Each is a point, and so is"
        " each stone that you have captured. Whoever has more points wins."
    ),
    (
        "When no move gains anything any more, you pass. When both have passed, play stops. Stones"
        " that could not escape any more are marked dead and count as captured; then you count."
        " Here the left is Black's, with a dead white stone in it, and the right is White's:"
    ),
)
_KOMI = (
    "White also gets the komi, some points for Black's first move. There is no more to know; the"
    " rest is playing."
)


def learn(view: LetterView) -> LetterBlocks:
    """A lesson; or, after a point that was not right, why, and its board once more."""
    lesson, said = view.about.get("lesson", 1), view.about.get("tried", "")
    title = _TITLES[lesson - 1]
    if view.about.get("unread"):
        title = f"I am not sure what “{view.about['unread']}” is to do. {title}"
    if said and not view.about.get("right"):
        found = lessons.tried(lesson, parse_point(said))
        return LetterBlocks(_why(lesson, found), (*_shown(found), *_exercise(lesson)))
    if said:
        title = f"Well done, {_DONE[lesson - 2].format(said)}! {title}"
    return LetterBlocks(title, (_first, _second, _third)[lesson - 1](view))


def _why(lesson: int, found: Tried) -> str:
    """Why a point is not the one, and nothing is lost by it."""
    if not found.on_board:
        return f"This board is small: it has no {found.point}. Try another point."
    if found.answer is None:
        return f"There is a stone on {found.point} already. Try an empty point."
    what = _ESCAPES if lesson == 1 else _ONE_EYE
    told = what.format(found.point, found.answer, found.liberties)
    return f"Not yet: {told} Try again, as often as you like."


def _shown(found: Tried) -> tuple[Block, ...]:
    if not found.rows:
        return ()
    return (_in_words(found.rows), Diagram(found.rows, found.answer), Words("Once more:"))


def _exercise(lesson: int) -> tuple[Block, ...]:
    """The board on which a point is asked for, each of which can be clicked."""
    rows = lessons.rows_of(lesson)
    free = lessons.position(rows).legal_moves(Color.BLACK)
    go_on = f"learn {lesson + 1}"
    todo = Todo(
        "Reply with the point, its letter and its number. To go on without it, reply with:"
        f" `{go_on}`",
        "Click the point, or reply with its letter and its number, and send what opens.",
        (("Go on without it", go_on),),
    )
    sends = {point: f"learn {lesson} {point}" for point in free}
    return (Words(_QUESTIONS[lesson - 1]), _in_words(rows), Diagram(rows, sends=sends, reply=todo))


def _in_words(rows: tuple[str, ...]) -> Words:
    """The board for who does not see it."""
    return Words(" ".join(stones_by_row(rows)), small=True)


# -- the three ---------------------------------------------------------------------------------
def _first(_: LetterView) -> tuple[Block, ...]:
    return (*map(Words, _STONES), *_exercise(1))


def _second(_: LetterView) -> tuple[Block, ...]:
    ko = (_in_words(lessons.KO), Diagram(lessons.KO))
    return (*map(Words, _KO), *ko, Words(_LIFE), *_exercise(2))


def _third(view: LetterView) -> tuple[Block, ...]:
    rows, score = lessons.count()
    sides = (score.black, score.white)
    table = Table(
        ("The points", "Black", "White"),
        (
            ("Territory", *(f"{side.territory}" for side in sides)),
            ("Captures and dead stones", *(f"{side.prisoners}" for side in sides)),
            ("Together", *(f"{side.total:g}" for side in sides)),
        ),
        total=True,
    )
    board = (_in_words(rows), Diagram(rows), table)
    return (*map(Words, _ENDS), *board, Words(_KOMI), *_who_plays(view))


def _who_plays(view: LetterView) -> tuple[Block, ...]:
    """A first game with one click, or how to find somebody."""
    engine = view.about.get("engine", "")
    rows = [("players", "see who plays here"), ("learn", "read it all once more")]
    if view.about.get("challenges"):
        rows.insert(0, ("challenges", "see which games you could take"))
    if engine:
        rows.insert(0, (first_game(engine), "your first game, against a gentle program"))
    return (
        Choices(tuple(rows)),
        Words(
            "To play somebody whom you know, reply with their address:"
            " `new 9x9 vs bob@example.org`",
            small=True,
        ),
    )


def first_game(engine: str) -> str:
    """The line by which somebody who has learnt the rules begins a game with a program."""
    return f"new 9x9 as black vs {engine}"
