"""The letters of a game that is being counted, our opinion in them, and those of its end. Pure.

An opinion on dead stones is an engine's, and in the notice: of the program that plays, of another
one, or by itself our own player's. Where none answered it is formed here by a plainer reading,
which costs a part of a second, while the letter is written on a thread of its own. Groups of which
it is not sure are asked about, with a line for either reading. No opinion marks anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from godaemon.engine import Reading, fallback
from godaemon.games import events as ev
from godaemon.games.commands import Extent, Mark
from godaemon.games.dead_stones import first_stones, group_stones, marks_for, safe_stones
from godaemon.games.engine_seats import markable_stones
from godaemon.games.model import Game, Phase
from godaemon.games.notices import is_reviewable
from godaemon.games.ratings import MOST
from godaemon.rules import scoring
from godaemon.rules.points import Color, Point, board_order, parse_point
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import (
    Block,
    Choices,
    LetterBlocks,
    Quote,
    Words,
    body,
    join_sentences,
    words,
)
from mailgate.letters.board_blocks import stone_names
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import color_name, lead_in_words, rating_in_words, result_in_words
from mailgate.letters.shared_blocks import agreeing_body, game_board, game_letter, verdict


def scoring_started(view: LetterView) -> LetterBlocks:
    """For both players: play has stopped, and the dead stones are to be marked."""
    game = view.game
    last = _last_to_pass(view)
    passed = view.say_who(last, "passed", number=game.move_number) if last else say("both-passed")
    return opinion_letter(view, passed, say("time-to-count"), Words(say("mark-first")))


def _last_to_pass(view: LetterView) -> str | None:
    """The colour of the last pass that the letter tells of: a plan may have added to the first."""
    return next((event.color for event in reversed([*view.events_of(ev.Passed)])), None)


def marks_changed(view: LetterView) -> LetterBlocks:
    if not any(view.events_of(ev.Marked)):
        return _count_letter(view, say("marked-already"), _who_must_agree(view))
    told = view.game.dead == _net_changes(view)[0]
    blocks = (*_why_asked_again(view), *_how_to_mark_one_chain(view))
    return _count_letter(view, _what_changed(view), above=blocks, marks_told=told)


def _what_changed(view: LetterView) -> str:
    *_, last = view.events_of(ev.Marked)
    told = [
        view.say_who(last.color, key, points=stone_names(view.game, stones), count=len(stones))
        for key, stones in zip(("marked-dead", "marked-alive"), _net_changes(view), strict=True)
        if stones
    ]
    now = say("now", count_says=lead_in_words(view.game.score().result))
    return join_sentences(*told, now) if told else view.say_who(last.color, "unmarked")


def _why_asked_again(view: LetterView) -> tuple[Words, ...]:
    """Says that an earlier `done` no longer counts, because stones were marked after it."""
    before = view.data.before
    again = any(view.events_of(ev.Marked)) and before is not None and before.agreed
    return words(say("asked-again") if again else "")


def _how_to_mark_one_chain(view: LetterView) -> Iterator[Block]:
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
                yield Words(say("mark-only", point=first, line=line), small=True)
                return


def done(view: LetterView) -> LetterBlocks:
    """A player agrees to the count; the other has not yet."""
    game = view.game
    if any(view.events_of(ev.Disagreed)):
        above = (Words(say("done-fault")),)
        return _count_letter(view, say("done-to-another"), _who_must_agree(view), above=above)
    said = next((event.color for event in view.events_of(ev.Agreed)), None)
    if said is None:
        return _count_letter(view, say("done-already"), _who_must_agree(view))
    mine = view.is_mine(said)
    if mine:
        first = view.say("you-agree", count_says=lead_in_words(game.score().result))
    else:
        first = result_with_dead("they-agree", game, who=view.other)
    return _count_letter(view, first, above=_why_asked_again(view), marks_told=not mine)


def finished(view: LetterView) -> LetterBlocks:
    game = view.game
    film = say("record-film") if game.move_number else ""
    ends = words(view.say("record-attached"), film, _parting(view))
    look = words(say("look-back") if is_reviewable(game) else "")
    hidden = tuple(view.remark_line(one) for one in game.remarks if one.hidden)
    shown = [Quote(say("hidden-until-now"), hidden)] if hidden else []
    above: tuple[Block, ...] = (*_rating_change(view), *view.words(), *shown)
    return LetterBlocks(_ending(view), (*above, *game_board(view, *ends, *look)), record=True)


def _ending(view: LetterView) -> str:
    game, told = view.game, {"verdict": verdict(view)}
    why = next((event.why for event in view.events_of(ev.Finished)), "").replace(" ", "-")
    if why in {"time", "cancelled"}:
        turn = game.clock.turn if game.clock else Color.BLACK
        return view.say_who(turn.word, f"over-{why}", game=game.id, **told)
    if why:
        return view.say(f"over-{why}", **told)
    resigned = next((event.color for event in view.events_of(ev.Resigned)), None)
    how = view.say_who(resigned, "resigned") if resigned else ""
    if passed := _last_to_pass(view):  # the last of the row that settles a game
        area = say("by-area-as-it-stands") if game.undisputed else ""
        last = view.say_who(passed, "passed", number=game.move_number)
        how = join_sentences(last, say("all-alive"), area)
    how = say("agreed-void") if any(view.events_of(ev.Voided)) else how
    return join_sentences(how, view.say("over", **told))


def _rating_change(view: LetterView) -> tuple[Words, ...]:
    if not view.game.spec.rated or view.teaching:
        return ()
    if view.game.result == "Void":
        return words(say("no-rating-without-result"))
    if change := view.about.get("rated"):
        before, after = change
        key = "rating-changed" if before else "rating-first"
        old = str(before[0]) if before else ""
        return words(say(key, before=old, now=rating_in_words(after)))
    return words(say("no-rating-change", moves=max(view.game.spec.size), games=MOST))


def _parting(view: LetterView) -> str:
    if view.teaching:
        return ""
    again = "play-again" if view.facing_engine else "well-played"
    return view.say("opponent-left" if view.about.get("left") else again)


def _count_letter(
    view: LetterView,
    first: str,
    *below: Block,
    above: Iterable[Block] = (),
    marks_told: bool = False,
) -> LetterBlocks:
    """A letter of the count: its news, what can be replied, and the count as it is now."""
    if view.game.phase is not Phase.SCORING:
        return game_letter(view, first, *above)
    shown = game_board(view, *below, marks_told=marks_told)
    return LetterBlocks(first, (*view.words(), *above, *shown))


def _who_must_agree(view: LetterView) -> Words:
    return Words(view.who_must_agree(), small=True)


def _net_changes(view: LetterView) -> tuple[frozenset[Point], frozenset[Point]]:
    """The stones that have become dead, and those that have become alive."""
    after = view.game.dead
    before = view.data.before
    if before is not None:
        return after - before.dead, before.dead - after
    named = {parse_point(name) for event in view.events_of(ev.Marked) for name in event.stones}
    return frozenset(named & after), frozenset(named - after)


# -- our opinion -----------------------------------------------------------------------------------
ASKED = 4
"""How many groups one letter asks about, the largest first."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The marks that we propose: the game with them, and the lines that make them.

    Of the groups in `asked` we are not sure; they keep the marks that they have.
    """

    game: Game
    lines: tuple[str, ...]
    asked: tuple[frozenset[Point], ...]

    def __str__(self) -> str:
        """The opinion in a sentence: `I think E3 and G7 are dead: Black wins by 2.5.`."""
        if self.asked:
            return say("opinion-unsure", count=len(self.asked))
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
    """A letter with news, our opinion and the board by it; `otherwise` is said if that failed."""
    found = _proposal(view)
    first = f"{news} {found or otherwise}".strip()
    end = Words(view.who_must_agree(), small=True)
    if found is None:
        return LetterBlocks(first, (*view.words(), *below, *game_board(view, end)))
    engine = view.about.get("engine")
    whose = [Words(say("opinion-of", engine=engine))] if engine else []
    if found.asked:
        return LetterBlocks(
            first, (*view.words(), *whose, *_group_questions(found), *game_board(view, end))
        )
    shown = game_board(
        view.with_game(found.game, view.seat), end, lines=found.lines, marks_told=True
    )
    same = found.game.score().result == view.game.score().result
    return LetterBlocks(first, (*view.words(), *whose, *shown), counted=same)


def which_count(view: LetterView) -> Choices:
    """A line for each count that a `done` may mean: our proposal, and the marks as they are."""
    found, game = _proposal(view), view.game
    rows = [("done", say("as-it-stands", count_says=result_in_words(game.score().result)))]
    if found is not None and found.lines and not found.asked:
        result = result_in_words(found.game.score().result)
        rows.insert(0, (agreeing_body(found.lines), result))
    return Choices(tuple(rows))


def _proposal(view: LetterView) -> Proposal | None:
    """Our proposal; None if there is no opinion: the letter goes out without it."""
    try:
        read, game = _opinion(view), view.game
    except Exception:  # noqa: BLE001 - the letter must go out even if the opinion fails
        return None
    dead = read.dead - read.doubtful | game.dead & read.doubtful
    lines = (str(part) for mark in marks_for(game, dead) for part in mark.parts)
    asked = group_stones(replace(game, dead=read.dead | read.doubtful), read.doubtful)
    return Proposal(replace(game, dead=dead), tuple(lines), tuple(asked))


def _opinion(view: LetterView) -> Reading:
    """The stones that the engine (or we) take for dead, but for those that cannot be captured."""
    game, about = view.game, view.about
    if "dead" not in about:
        read, sure = fallback.read_dead_stones(game.position), safe_stones(game)
        return Reading(read.dead - sure, read.doubtful - sure)
    dead, doubtful = (
        markable_stones(game, map(parse_point, about.get(name, ())))
        for name in ("dead", "doubtful")
    )
    return Reading(dead, doubtful)


def _group_questions(proposal: Proposal) -> Iterator[Block]:
    """The lines of what is sure, and a question about each group that is not."""
    if proposal.lines:
        yield Choices(((body(*proposal.lines), say("mark-sure")),))
    for group in proposal.asked[:ASKED]:
        yield from _group_question(proposal.game, group)


def _group_question(game: Game, group: frozenset[Point]) -> tuple[Block, ...]:
    """The words about one group that may be dead or alive, and a line for either."""
    named, board = first_stones(game, group), game.position.board
    color = color_name(Color(board.cells[board.index(named[0])]))
    name = say("group-at", color=color, point=named[0])
    counts = {
        verb: replace(game, dead=dead).score().result
        for verb, dead in (("dead", game.dead | group), ("alive", game.dead - group))
    }
    rows = tuple(
        (str(part), say("then-lead", count_says=lead_in_words(result)))
        for verb, result in counts.items()
        for part in Mark(named, verb == "dead", Extent.CHAIN).parts
    )
    return Words(say("unsure-group", group=name, count=len(group))), Choices(rows)
