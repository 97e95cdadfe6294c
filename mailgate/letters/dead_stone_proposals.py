"""Proposals of dead stones while a game is counted, with the lines that mark them. Pure.

The notice has an engine's opinion: that of the program that plays, of another, or of our player. If
none answered, a plainer reading here takes a part of a second on the composing thread. The letter
asks about each unsure group, with a line for either answer. No opinion marks anything.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from godaemon.engine import Reading, fallback
from godaemon.games.commands import Extent, Mark
from godaemon.games.dead_stones import first_stones, group_stones, marks_for, safe_stones
from godaemon.games.engine_seats import markable_stones
from godaemon.games.model import Game, Phase
from godaemon.rules.points import Color, Point, parse_point
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Words, body
from mailgate.letters.board_blocks import stone_names
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import color_name, lead_in_words, result_in_words
from mailgate.letters.shared_blocks import agreeing_body, game_board

ASKED = 4
"""Maximum groups that one letter asks about, the largest first."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The marks that we propose: the game with them, and the lines that make them.

    The `unsure` groups keep their present marks.
    """

    game: Game
    lines: tuple[str, ...]
    unsure: tuple[frozenset[Point], ...]

    def __str__(self) -> str:
        """The opinion in a sentence: `I think E3 and G7 are dead: Black wins by 2.5 points.`."""
        if self.unsure:
            return say("opinion-unsure", count=len(self.unsure))
        return result_with_dead("opinion", self.game)


def result_with_dead(key: str, game: Game, **more: object) -> str:
    """A sentence with the result of a count, and with the dead stones if there are any."""
    result, dead = result_in_words(game.score().result), game.dead
    if not dead:
        return say(f"{key}-none", count_says=result, **more)
    points = stone_names(game, dead)
    return say(f"{key}-dead", points=points, count=len(dead), count_says=result, **more)


def estimate(view: LetterView) -> LetterBlocks:
    """Our opinion on a count, if the game is still being counted."""
    if view.game.phase is not Phase.SCORING:
        first = f"{say('not-counting', game=view.game.id)} {view.whose_turn()}".strip()
        return LetterBlocks(first, game_board(view))
    return opinion_letter(view, "", say("no-answer", line="propose"))


def opinion_letter(view: LetterView, news: str, otherwise: str, *below: Block) -> LetterBlocks:
    """A letter with news, our opinion and its board; `otherwise` replaces a failed opinion."""
    found = _proposal(view)
    first = f"{news} {found or otherwise}".strip()
    end = Words(view.who_must_agree(), small=True)
    if found is None:
        return LetterBlocks(first, (*view.words(), *below, *game_board(view, end)))
    engine = view.about.get("engine")
    source = [Words(say("opinion-of", engine=engine))] if engine else []
    if found.unsure:
        questions = (*_group_questions(found), *game_board(view, end))
        return LetterBlocks(first, (*view.words(), *source, *questions), agreement="")
    proposed = view.with_game(found.game, view.seat)
    board = game_board(proposed, end, lines=found.lines, dead_named=True)
    is_same = found.game.score().result == view.game.score().result
    blocks = (*view.words(), *source, *board)
    return LetterBlocks(first, blocks, counted=is_same, agreement=agreeing_body(found.lines))


def which_count(view: LetterView) -> Choices:
    """A line for each count that a `done` may mean: our proposal, and the marks as they are."""
    found, game = _proposal(view), view.game
    rows = [("done", say("as-it-stands", count_says=result_in_words(game.score().result)))]
    if found is not None and found.lines and not found.unsure:
        result = result_in_words(found.game.score().result)
        rows.insert(0, (agreeing_body(found.lines), result))
    return Choices(tuple(rows))


def _proposal(view: LetterView) -> Proposal | None:
    """Our proposal; None if there is no opinion: the letter goes out without it."""
    try:
        reading, game = _opinion(view), view.game
    except Exception:  # noqa: BLE001 - the letter must go out even if the opinion fails
        return None
    dead = reading.dead - reading.doubtful | game.dead & reading.doubtful
    lines = (str(part) for mark in marks_for(game, dead) for part in mark.parts)
    unsure = group_stones(replace(game, dead=reading.dead | reading.doubtful), reading.doubtful)
    return Proposal(replace(game, dead=dead), tuple(lines), tuple(unsure))


def _opinion(view: LetterView) -> Reading:
    """The stones that the engine (or we) take for dead, without those that cannot be captured."""
    game, about = view.game, view.about
    if "dead" not in about:
        reading, sure = fallback.read_dead_stones(game.position), safe_stones(game)
        return Reading(reading.dead - sure, reading.doubtful - sure)
    dead, doubtful = (
        markable_stones(game, map(parse_point, about.get(name, ())))
        for name in ("dead", "doubtful")
    )
    return Reading(dead, doubtful)


def _group_questions(proposal: Proposal) -> Iterator[Block]:
    """The lines that mark sure groups, and a question about each unsure one."""
    if proposal.lines:
        yield Choices(((body(*proposal.lines), say("mark-sure")),))
    for group in proposal.unsure[:ASKED]:
        yield from _group_question(proposal.game, group)


def _group_question(game: Game, group: frozenset[Point]) -> tuple[Block, ...]:
    """Words about one group that may be dead or alive, and a line for either."""
    stones, board = first_stones(game, group), game.position.board
    color = color_name(Color(board.cells[board.index(stones[0])]))
    name = say("group-at", color=color, point=stones[0], count=len(group))
    results = {
        verb: replace(game, dead=dead).score().result
        for verb, dead in (("dead", game.dead | group), ("alive", game.dead - group))
    }
    rows = tuple(
        (str(part), say("then-lead", count_says=lead_in_words(result)))
        for verb, result in results.items()
        for part in Mark(stones, verb == "dead", Extent.CHAIN).parts
    )
    return Words(say("unsure-group", group=name, count=len(group))), Choices(rows)
