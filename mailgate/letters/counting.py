"""The letters of a game that is being counted: dead stones, marks, and who agrees to them.

The data have an engine's opinion on dead stones: that of the program that plays, of another, or of
our player. If none answered, this module makes a simpler one on the composing thread, in a fraction
of a second. The letter asks about each doubtful group, with a line for either answer. An opinion
never marks stones by itself.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from godaemon.engine import Reading, fallback
from godaemon.games import events as ev
from godaemon.games.commands import Extent, Mark
from godaemon.games.dead_stones import first_stones, group_stones, marks_for
from godaemon.games.engine_seats import markable_stones
from godaemon.games.model import Game, Phase
from godaemon.rules import scoring
from godaemon.rules.points import Color, Point, board_order
from godaemon.texts.catalogue import say
from mailgate.letters import blocks as b
from mailgate.letters.board_blocks import stone_names
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import color_name, lead_in_words, result_in_words
from mailgate.letters.shared_blocks import agreeing_body, game_board, game_letter


def scoring_started(view: LetterView) -> b.LetterBlocks:
    """For both players: play has stopped, and the dead stones are to be marked."""
    game = view.game
    last = view.last_to_pass
    news = view.say_who(last, "passed", number=game.move_number) if last else say("both-passed")
    otherwise = b.join_sentences(say("time-to-count"), say("mark-first"))
    return opinion_letter(view, news, otherwise=otherwise)


def marks_changed(view: LetterView) -> b.LetterBlocks:
    marks = [*view.events_of(ev.Marked)]
    if not marks:
        return _count_letter(view, say("marked-already"), _missing_agreement(view))
    color, changed = marks[-1].color, _net_changes(view)
    changes = [
        view.say_who(color, key, points=stone_names(view.game, stones), count=len(stones))
        for key, stones in zip(("marked-dead", "marked-alive"), changed, strict=True)
        if stones
    ]
    now = say("now", count_says=lead_in_words(view.game.score().result))
    first = b.join_sentences(*changes, now) if changes else view.say_who(color, "unmarked")
    above = (*_note_on_changed_marks(view), *_how_to_mark_one_chain(view))
    return _count_letter(view, first, above=above, dead_named=view.game.dead == changed[0])


def _note_on_changed_marks(view: LetterView) -> tuple[b.Words, ...]:
    """A note that an earlier `done` no longer counts, because stones were marked after it."""
    before = view.data.before  # only a letter about marks has one
    return b.words(say("asked-again") if before and before.agreed else "")


def _how_to_mark_one_chain(view: LetterView) -> Iterator[b.Block]:
    """How to change just one chain, if a mark has spread to several of one colour."""
    grid = view.game.position.board
    if view.about.get("exact"):
        return
    for verb, stones in zip(("alive", "dead"), _net_changes(view), strict=True):
        for color in Color:
            chains = scoring.chains(grid, [one for one in stones if grid.color(one) is color])
            if len(chains) > 1:
                first = min(chains[0], key=board_order)
                line = f"{verb} {first} only"
                yield b.Words(say("mark-only", point=first, line=line), small=True)
                return


def done(view: LetterView) -> b.LetterBlocks:
    """A player agrees to the count; the other has not yet."""
    game = view.game
    if any(view.events_of(ev.Disagreed)):
        above = (b.Words(say("done-fault")),)
        return _count_letter(view, say("done-to-another"), _missing_agreement(view), above=above)
    color = next((event.color for event in view.events_of(ev.Agreed)), None)
    if color is None:
        return _count_letter(view, say("done-already"), _missing_agreement(view))
    is_mine = view.is_mine(color)
    if is_mine:
        result = result_in_words(game.score().result)
        return _count_letter(view, view.say("you-agree", count_says=result))
    first = _result_with_dead("they-agree", game, who=view.other)
    return _count_letter(view, first, above=_note_on_changed_marks(view), dead_named=True)


def _count_letter(
    view: LetterView,
    first: str,
    *below: b.Block,
    above: Iterable[b.Block] = (),
    dead_named: bool = False,
) -> b.LetterBlocks:
    """A letter of the count: its news, the replies, and the current count."""
    if view.game.phase is not Phase.SCORING:
        return game_letter(view, first, *above)
    board = game_board(view, *below, dead_named=dead_named)
    return b.LetterBlocks(first, (*view.words(), *above, *board))


def _missing_agreement(view: LetterView) -> b.Words:
    return b.Words(view.who_must_agree(), small=True)


def _net_changes(view: LetterView) -> tuple[frozenset[Point], frozenset[Point]]:
    """The stones that have become dead, and those that have become alive."""
    after, before = view.game.dead, view.data.before
    dead_before = before.dead if before else frozenset[Point]()
    return after - dead_before, dead_before - after


# -- proposals of dead stones ---------------------------------------------------------------------
_MAX_QUESTIONS = 4
"""Maximum number of groups that one letter asks about, the largest first."""


class _Proposal(NamedTuple):
    """The marks that we propose: the game with them, and the lines that make them.

    The `unsure` groups keep their present marks.
    """

    game: Game
    lines: tuple[str, ...]
    unsure: tuple[frozenset[Point], ...]


def _result_with_dead(key: str, game: Game, **more: object) -> str:
    """A sentence with the result of a count, and with the dead stones if there are any."""
    result, dead = result_in_words(game.score().result), game.dead
    points, end = stone_names(game, dead), "dead" if dead else "none"
    return say(f"{key}-{end}", points=points, count=len(dead), count_says=result, **more)


def estimate(view: LetterView) -> b.LetterBlocks:
    """Our opinion on a count, if the game is still being counted."""
    if view.game.phase is not Phase.SCORING:
        first = b.join_sentences(say("not-counting", game=view.game.id), view.whose_turn())
        return b.LetterBlocks(first, game_board(view))
    return opinion_letter(view, "", otherwise=say("no-answer", line="propose"))


def opinion_letter(
    view: LetterView, news: str, *above: b.Block, otherwise: str = ""
) -> b.LetterBlocks:
    """A letter with news, our opinion and its board; `otherwise` replaces a failed opinion."""
    found, end = _proposal(view), _missing_agreement(view)
    above = (*view.words(), *above)
    if found is None:
        return b.LetterBlocks(b.join_sentences(news, otherwise), (*above, *game_board(view, end)))
    engine, _ = view.data.opinion or ("", None)
    above += b.words(say("opinion-of", engine=engine) if engine else "")
    if found.unsure:
        first = b.join_sentences(news, say("opinion-unsure", count=len(found.unsure)))
        questions = (*_group_questions(found), *game_board(view, end))
        return b.LetterBlocks(first, (*above, *questions), agreement="")
    first = b.join_sentences(news, _result_with_dead("opinion", found.game))
    proposed = view.with_game(found.game, view.seat)
    board = game_board(proposed, end, lines=found.lines, dead_named=True)
    is_same = found.game.score().result == view.game.score().result
    agreement = agreeing_body(found.lines)
    return b.LetterBlocks(first, (*above, *board), counted=is_same, agreement=agreement)


def possible_counts(view: LetterView) -> b.Choices:
    """A line for each count that a `done` may mean: our proposal, and the marks as they are."""
    found, game = _proposal(view), view.game
    rows = [("done", say("as-it-stands", count_says=result_in_words(game.score().result)))]
    if found is not None and found.lines and not found.unsure:
        result = result_in_words(found.game.score().result)
        rows.insert(0, (agreeing_body(found.lines), result))
    return b.Choices(tuple(rows))


def _proposal(view: LetterView) -> _Proposal | None:
    """Our proposal; None if there is no opinion: the letter goes out without it."""
    try:
        reading, game = _opinion(view), view.game
    except Exception:  # noqa: BLE001 - the letter must go out even if the opinion fails
        return None
    dead = reading.dead - reading.doubtful | game.dead & reading.doubtful
    lines = (str(part) for mark in marks_for(game, dead) for part in mark.parts)
    unsure = group_stones(replace(game, dead=reading.dead | reading.doubtful), reading.doubtful)
    return _Proposal(replace(game, dead=dead), tuple(lines), tuple(unsure))


def _opinion(view: LetterView) -> Reading:
    """The stones that the engine (or we) take for dead, without those that cannot be captured."""
    game = view.game
    _, reading = view.data.opinion or ("", fallback.read_dead_stones(game.position))
    return Reading(*(markable_stones(game, stones) for stones in reading))


def _group_questions(proposal: _Proposal) -> Iterator[b.Block]:
    """The lines that mark sure groups, and a question about each unsure one."""
    if proposal.lines:
        yield b.Choices(((b.body(*proposal.lines), say("mark-sure")),))
    for group in proposal.unsure[:_MAX_QUESTIONS]:
        yield from _group_question(proposal.game, group)


def _group_question(game: Game, group: frozenset[Point]) -> tuple[b.Block, ...]:
    """Words about one group that may be dead or alive, and a line for either."""
    stones, board = first_stones(game, group), game.position.board
    color = color_name(Color(board.cells[board.index(stones[0])]))
    name = say("group-at", color=color, point=stones[0], count=len(group))
    rows = list[tuple[str, str]]()
    for dead in (game.dead | group, game.dead - group):
        result = say("then-lead", count_says=lead_in_words(replace(game, dead=dead).score().result))
        parts = Mark(stones, group <= dead, Extent.CHAIN).parts
        rows += [(str(part), result) for part in parts]
    return b.Words(say("unsure-group", group=name, count=len(group))), b.Choices(tuple(rows))
