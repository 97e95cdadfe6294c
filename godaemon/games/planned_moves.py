"""Plans: conditional moves, which only their owner may see.

A line alternates the opponent's moves and one's own, `("D4", "Q16", "R4", "C3")`; lines with the
same beginning are branches of one tree. Raises a `Refusal`.
"""

from collections.abc import Iterable, Sequence

from godaemon.errors import IllegalMove, NotAllowed, NotYourTurn, Refusal, Unreadable, WrongPhase
from godaemon.games.model import Game, Phase
from godaemon.rules.points import Color, parse_point
from godaemon.rules.position import Position
from godaemon.texts.catalogue import sentence

ANY = "any"
"""Stands for any stone of the opponent that no other line names."""
PASS = "pass"  # noqa: S105 - a move
MAX_MOVES = 100
"""Maximum number of moves in all lines of a plan."""

Line = tuple[str, ...]


def add_plan(game: Game, color: Color, line: Line) -> tuple[Line, ...]:
    """A colour's plans with one more line, checked on the board; raises a `Refusal`."""
    if game.spec.teaching or game.phase is Phase.SCORING or game.to_place:
        raise WrongPhase(sentence("plan-not-now"))
    if game.to_move is color:
        raise NotYourTurn(sentence("plan-your-move"))
    if ANY in line[1::2]:
        raise Unreadable(sentence("plan-any"), hints=("if any then C3",))
    position_after(game.position, game.to_move or color.opponent, line)
    lines = _merge_lines([*game.plans.get(color, ()), line])
    if sum(map(len, lines)) > MAX_MOVES:
        raise NotAllowed(sentence("plan-too-long", count=MAX_MOVES))
    _check_one_answer(lines)
    return lines


def position_after(position: Position, color: Color, line: Line) -> Position:
    """The position after a line that `color` begins; raises a `Refusal`."""
    after = position.copy()
    for at, word in enumerate(line):
        if at and after.count_passes() >= after.ruleset.passes:
            raise WrongPhase(sentence("plan-stops", line=line[:at]))
        if word in (ANY, PASS):
            after.pass_(color)
        else:
            try:
                after.play(color, parse_point(word))
            except IllegalMove as fault:
                why = sentence("plan-illegal", line=line[: at + 1], why=fault.public)
                raise IllegalMove(why, fault.reason) from fault
        color = color.opponent
    return after


def line_text(line: Line) -> str:
    """A line as text: `if D4 then Q16, if R4 then C3`."""
    pairs = [line[at : at + 2] for at in range(0, len(line), 2)]
    return ", ".join(f"if {' then '.join(pair)}" for pair in pairs)


def remaining_lines(
    lines: Sequence[Line], word: str, position: Position, color: Color
) -> tuple[Line, ...]:
    """The playable rest of a plan after the move `word`; `color` is to move now."""
    rests = [line[1:] for line in lines if line[0] == word]
    if not rests and word != PASS:
        rests = [line[1:] for line in lines if line[0] == ANY]
    parts = (_playable_part(position, color, rest) for rest in rests)
    return _merge_lines(part for part in parts if part)


def _playable_part(position: Position, color: Color, line: Line) -> Line:
    """The longest beginning of a line, in pairs of moves, that can be played."""
    try:
        position_after(position, color, line)
    except Refusal:
        return _playable_part(position, color, line[:-2])
    return line


def plan_tree(lines: Sequence[Line], depth: int = 0) -> list[str]:
    """A plan as a tree: one text line for each pair of moves, indented by depth."""
    tree: list[str] = []
    for pair in dict.fromkeys(line[:2] for line in lines):
        tree.append("... " * depth + line_text(pair))
        tree += plan_tree([line[2:] for line in lines if line[:2] == pair and line[2:]], depth + 1)
    return tree


def _merge_lines(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines, without duplicates and without lines that others continue."""
    all_ = tuple(dict.fromkeys(lines))
    return tuple(
        line for line in all_ if not any(line != one and line == one[: len(line)] for one in all_)
    )


def _check_one_answer(lines: Sequence[Line]) -> None:
    """Raise a `Refusal` if two lines answer the same moves differently."""
    answers: dict[Line, str] = {}
    for line in lines:
        for at in range(1, len(line), 2):
            answer = answers.setdefault(line[:at], line[at])
            if answer != line[at]:
                known = line_text((*line[:at], answer))
                raise Refusal(sentence("plan-differs", line=known), hints=("cancel ifs",))
