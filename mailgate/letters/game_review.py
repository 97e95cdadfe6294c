"""The letter that looks back on a game that is over: where it turned, and what was done well. Pure.

What our player found out is in the notice; it was asked beside the daemon (`with_review`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from godaemon.diagrams.part import Part, around
from godaemon.engine.look_back import LookBack, Mistake, read
from godaemon.games import events as ev
from godaemon.games.model import Game
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.rules.scoring import board_rows
from mailgate.letters.blocks import Block, Cut, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import listed, no_answer, plural, title
from mailgate.letters.shared_blocks import verdict

_AHEAD, _DECIDED, _OPEN = 0.65, 0.95, 0.25
"""The chances with which a colour is ahead and has won, and with which a game is not lost yet."""
_LARGE = 3.0
"""The weight of a move that mattered (`Mistake.weight`)."""


def review(view: LetterView) -> LetterBlocks:
    """How the game went, what was good, and the moves that mattered, each with a board."""
    said = view.about.get("review")
    if not said:
        return LetterBlocks(
            f"I cannot look back on game {view.game.id} just now.",
            (Words(no_answer("review")),),
        )
    found = _played(view.game, read(said))
    positions = _positions(view.game.position, found.mistakes)
    blocks: list[Block] = [Words(f"{verdict(view)} {_praise(view, found)}".strip())]
    blocks.append(Words(_greeting(found.mistakes)))
    for one in found.mistakes:
        blocks += [
            Words(_told(view, found, one, positions)),
            Cut(_part(positions[one.number], one)),
        ]
    return LetterBlocks(
        f"A look back on game {view.game.id}: {_story(found)}", (*blocks, *_parting(view))
    )


def _played(game: Game, found: LookBack) -> LookBack:
    """What is said of the moves that the players have made: not those of a record before them."""
    if game.spec.opening is None:
        return found
    given = len(game.spec.opening.moves)
    mistakes = [one for one in found.mistakes if one.number > given]
    good = {number: move for number, move in found.good.items() if number > given}
    return replace(found, mistakes=mistakes, good=good, expected={})


def _story(found: LookBack) -> str:
    """Who was ahead from when on, and since when nothing could change it."""
    turns: list[tuple[int, Color]] = []
    for number, chance in enumerate(found.chances):
        color = Color.BLACK if chance > 0.5 else Color.WHITE
        if max(chance, 1 - chance) >= _AHEAD and (not turns or turns[-1][1] is not color):
            turns.append((number, color))
    if not turns:
        return "it was close from the first move to the last."
    number, color = turns[-1]
    still_open = [at for at, chance in enumerate(found.chances) if _of(color, chance) < _DECIDED]
    if not still_open:
        return f"{title(color)} was far ahead from the first move to the last."
    told = f"{title(color)} took the lead for good with move {number}"
    if not number:
        told = f"{title(color)} was ahead from the start"
    decided = still_open[-1] + 1
    if decided < len(found.chances) - 1:
        return f"{told}. From move {decided} on the game was decided."
    return f"{told}, but the game stayed open to the end."


def _of(color: Color, blacks: float) -> float:
    """A colour's chance, from Black's."""
    return 0.5 + color * (blacks - 0.5)


def _praise(view: LetterView, found: LookBack) -> str:
    """What was done well: what anybody would have played, and what nobody saw coming."""
    sentences = []
    for color, (hits, of) in found.expected.items():
        if (view.teaching or color is view.color) and hits * 2 >= of > 1:
            many = plural(of, "move")
            sentences.append(f"I had thought of {hits} of {_whose(view, color)} {many} too.")
    stones = []
    for color in Color:
        good = [(n, one.point) for n, one in found.good.items() if one.color is color]
        stones += [f"{_whose(view, color)} {point} (move {number})" for number, point in good[:1]]
    if stones:
        sentences.append(f"Well found: {listed(stones)}, which I had not seen.")
    return " ".join(sentences)


def _whose(view: LetterView, color: Color) -> str:
    if view.teaching:
        return f"{title(color)}'s"
    return "your" if color is view.color else f"{view.named(color)}'s"


def _greeting(mistakes: Sequence[Mistake]) -> str:
    if not mistakes:
        return "I found no move that I would change. Well played, both of you!"
    first = "Nobody made a big mistake. There are only places where I would have played elsewhere."
    if any(one.weight >= _LARGE for one in mistakes):
        many = f"These {len(mistakes)} moves" if len(mistakes) > 1 else "This move"
        first = f"{many} mattered most; every game has such moves, and there is most to learn here."
    return (
        f"{first} On each board the move that was played is marked, 1 is a better one, and 2, 3"
        " ... are how it might have gone on."
    )


def _parting(view: LetterView) -> Iterator[Block]:
    yield Words(
        "This is only what I make of the game, and points are guesses: I err too.", small=True
    )
    unasked = any(view.happened(ev.Finished))
    how = "get no more of these" if unasked else "get one after each game"
    switch = f"reviews {'off' if unasked else 'on'} everywhere"
    yield Words(f"To {how}, reply with: `{switch}`", small=True)


def _positions(end: Position, mistakes: Sequence[Mistake]) -> dict[int, Position]:
    """The position before each mistake."""
    twin, found = end.copy(), dict[int, Position]()
    for one in reversed(mistakes):
        while twin.move_number >= one.number:
            twin.undo()
        found[one.number] = twin.copy()
    return found


def _told(
    view: LetterView, found: LookBack, mistake: Mistake, positions: dict[int, Position]
) -> str:
    """One move: what it cost, what was better, and why."""
    number, (color, point), lost, _, (best, *_), _ = mistake
    you = " (you)" if color is view.color and not view.teaching else ""
    played = f"Move {number}, {'the pass' if point is None else point} by {title(color)}{you}"
    better = "to pass" if best is None else f"{best} (1)"
    why = _why(positions[number], mistake)
    if mistake.weight < _LARGE:
        sentences = [f"{played}: I would rather have chosen {better}{why}."]
    else:
        cost = f"{plural(max(1, round(lost)), 'point')}{_consequence(found, mistake)}"
        sentences = [f"{played}, cost about {cost}.", f"Better was {better}{why}."]
    moves = view.game.position.moves
    if best is not None and number < len(moves) and moves[number].point == best:
        sentences.append(f"{title(color.opponent)} played there at once.")
    return " ".join(sentences)


def _consequence(found: LookBack, mistake: Mistake) -> str:
    """What the move meant for the game."""
    color = mistake.move.color
    before = _of(color, found.chances[mistake.number - 1])
    after = before - mistake.chance
    if mistake.chance < 0.05:
        return ", though the game was decided by then" if not _OPEN < before < 1 - _OPEN else ""
    if before >= 0.5 > after:
        return ", and the lead with them"
    return ""


def _why(position: Position, mistake: Mistake) -> str:
    """What the better move does, where that can be said: stones that it takes, saves or kills."""
    color, best = mistake.move.color, mistake.better[0]
    if best is None:
        return ""
    after = position.copy()
    taken = after.play(color, best)
    if taken:
        return f", which takes {plural(len(taken), 'stone')}"
    if mistake.group is not None and position.board.color(mistake.group) is color:
        return f": the stones around {mistake.group} live by it, and are lost without it"
    if mistake.group is not None:
        return f": it kills the stones around {mistake.group}"
    return ""


def _part(position: Position, mistake: Mistake) -> Part:
    """The surroundings of the move that was played, where it stands, and of the better one."""
    color, played = mistake.move
    about = (played, mistake.better[0], mistake.group)
    shown = [point for point in about if point is not None]
    size = position.size
    columns, lines = around(shown or [Point(size.width // 2, size.height // 2)], size)
    rows = [list(row) for row in board_rows(position.board, None)]
    signs = dict[Point, str]()
    if played is not None:
        rows[-1 - played.row][played.column] = color.word[0]
    for number, point in enumerate(mistake.better, start=1):
        if point is None or point.column not in columns or point.row not in lines:
            break
        if rows[-1 - point.row][point.column] != ".":
            break
        signs[point] = str(number)
        rows[-1 - point.row][point.column] = color.word[0]
        color = color.opponent
    return Part(["".join(row) for row in rows], columns, lines, played, signs)
