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
from godaemon.games.dead_stones import first_stones, groups, marks_for, untakeable
from godaemon.games.engine_seats import sound
from godaemon.games.model import Game, Phase
from godaemon.games.notices import reviewable
from godaemon.games.ratings import MOST
from godaemon.rules import scoring
from godaemon.rules.points import Color, Point, board_order, parse_point
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Quote, Words, body, joined, words
from mailgate.letters.board_blocks import stones_named
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import lead, points_ahead, rating_in_words, title
from mailgate.letters.shared_blocks import agreeing, board, in_play, verdict


def scoring_started(view: LetterView) -> LetterBlocks:
    """Both players: play has stopped, and the dead stones are to be found."""
    game = view.game
    last = _last_to_pass(view)
    passed = view.tell(last, "passed", number=game.move_number) if last else say("both-passed")
    return with_opinion(view, passed, say("time-to-count"), Words(say("mark-first")))


def _last_to_pass(view: LetterView) -> str | None:
    """The colour of the last pass that the letter tells of: a plan may have added to the first."""
    return next((event.color for event in reversed([*view.happened(ev.Passed)])), None)


def marks_changed(view: LetterView) -> LetterBlocks:
    if not any(view.happened(ev.Marked)):
        return _letter(view, say("marked-already"), _awaited(view))
    told = view.game.dead == _net(view)[0]
    blocks = (*_asked_again(view), *_apart(view))
    return _letter(view, _what_changed(view), above=blocks, marks_told=told)


def _what_changed(view: LetterView) -> str:
    *_, last = view.happened(ev.Marked)
    told = [
        view.tell(last.color, key, points=stones_named(view.game, stones), count=len(stones))
        for key, stones in zip(("marked-dead", "marked-alive"), _net(view), strict=True)
        if stones
    ]
    now = say("now", count_says=lead(view.game.score().result))
    return joined(*told, now) if told else view.tell(last.color, "unmarked")


def _asked_again(view: LetterView) -> tuple[Words, ...]:
    """Says that an earlier `done` no longer counts, because stones were marked after it."""
    before = view.data.before
    again = any(view.happened(ev.Marked)) and before is not None and before.agreed
    return words(say("asked-again") if again else "")


def _apart(view: LetterView) -> Iterator[Block]:
    """How to change just one chain, if a mark has spread to several of one colour."""
    grid = view.game.position.board
    if view.about.get("exact"):
        return
    for verb, stones in zip(("alive", "dead"), _net(view), strict=True):
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
    if any(view.happened(ev.Disagreed)):
        above = (Words(say("done-fault")),)
        return _letter(view, say("done-to-another"), _awaited(view), above=above)
    said = next((event.color for event in view.happened(ev.Agreed)), None)
    if said is None:
        return _letter(view, say("done-already"), _awaited(view))
    mine = view.mine(said)
    if mine:
        first = view.say("you-agree", count_says=lead(game.score().result))
    else:
        first = told_dead("they-agree", game, who=view.other)
    return _letter(view, first, above=_asked_again(view), marks_told=not mine)


def finished(view: LetterView) -> LetterBlocks:
    game = view.game
    film = say("record-film") if game.move_number else ""
    ends = words(view.say("record-attached"), film, _parting(view))
    look = words(say("look-back") if reviewable(game) else "")
    hidden = tuple(view.remark(one) for one in game.remarks if one.hidden)
    shown = [Quote(say("hidden-until-now"), hidden)] if hidden else []
    above: tuple[Block, ...] = (*_rating(view), *view.words(), *shown)
    return LetterBlocks(_ending(view), (*above, *board(view, *ends, *look)), record=True)


def _ending(view: LetterView) -> str:
    game, told = view.game, {"verdict": verdict(view)}
    why = next((event.why for event in view.happened(ev.Finished)), "").replace(" ", "-")
    if why in {"time", "cancelled"}:
        turn = game.clock.turn if game.clock else Color.BLACK
        return view.tell(turn.word, f"over-{why}", game=game.id, **told)
    if why:
        return view.say(f"over-{why}", **told)
    resigned = next((event.color for event in view.happened(ev.Resigned)), None)
    how = view.tell(resigned, "resigned") if resigned else ""
    if passed := _last_to_pass(view):  # the last of the row that settles a game
        area = say("by-area-as-it-stands") if game.undisputed else ""
        last = view.tell(passed, "passed", number=game.move_number)
        how = joined(last, say("all-alive"), area)
    how = say("agreed-void") if any(view.happened(ev.Voided)) else how
    return joined(how, view.say("over", **told))


def _rating(view: LetterView) -> tuple[Words, ...]:
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


def _letter(
    view: LetterView,
    first: str,
    *below: Block,
    above: Iterable[Block] = (),
    marks_told: bool = False,
) -> LetterBlocks:
    """A letter of the count: its news, what can be replied, and the count as it is now."""
    if view.game.phase is not Phase.SCORING:
        return in_play(view, first, *above)
    shown = board(view, *below, marks_told=marks_told)
    return LetterBlocks(first, (*view.words(), *above, *shown))


def _awaited(view: LetterView) -> Words:
    return Words(view.awaited(), small=True)


def _net(view: LetterView) -> tuple[frozenset[Point], frozenset[Point]]:
    """The stones that are dead now and were not, and the other way round."""
    after = view.game.dead
    before = view.data.before
    if before is not None:
        return after - before.dead, before.dead - after
    named = {parse_point(name) for event in view.happened(ev.Marked) for name in event.stones}
    return frozenset(named & after), frozenset(named - after)


# -- our opinion -----------------------------------------------------------------------------------
ASKED = 4
"""How many groups one letter asks about, the largest first."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What we would mark: the game as it would be then, and the lines that make it so.

    Of the groups in `asked` we are not sure; they keep the marks that they have.
    """

    game: Game
    lines: tuple[str, ...]
    asked: tuple[frozenset[Point], ...]

    def __str__(self) -> str:
        """The opinion in a sentence: `I think E3 and G7 are dead: Black wins by 2.5.`."""
        if self.asked:
            return say("opinion-unsure", count=len(self.asked))
        return told_dead("opinion", self.game)


def told_dead(key: str, game: Game, **more: object) -> str:
    """A sentence with the result of a count, and with the dead stones if there are any."""
    result, dead = points_ahead(game.score().result), game.dead
    if not dead:
        return say(f"{key}-none", count_says=result, **more)
    points = stones_named(game, dead)
    return say(f"{key}-dead", points=points, count=len(dead), count_says=result, **more)


def estimate(view: LetterView) -> LetterBlocks:
    """What we would mark, if the game is still counted by the log that the letter tells of."""
    if view.game.phase is not Phase.SCORING:
        first = f"{say('not-counting', game=view.game.id)} {view.whose_turn()}".strip()
        return LetterBlocks(first, board(view))
    return with_opinion(view, "", say("no-answer", line="propose"))


def with_opinion(view: LetterView, news: str, otherwise: str, *below: Block) -> LetterBlocks:
    """A letter with news, our opinion and the board by it; `otherwise` is said if that failed."""
    found = _proposal(view)
    first = f"{news} {found or otherwise}".strip()
    end = Words(view.awaited(), small=True)
    if found is None:
        return LetterBlocks(first, (*view.words(), *below, *board(view, end)))
    engine = view.about.get("engine")
    whose = [Words(say("opinion-of", engine=engine))] if engine else []
    if found.asked:
        return LetterBlocks(first, (*view.words(), *whose, *_asked(found), *board(view, end)))
    shown = board(view.of(found.game, view.seat), end, lines=found.lines, marks_told=True)
    same = found.game.score().result == view.game.score().result
    return LetterBlocks(first, (*view.words(), *whose, *shown), counted=same)


def which_count(view: LetterView) -> Choices:
    """To a `done` that may mean our proposal or the marks as they are: a line for each."""
    found, game = _proposal(view), view.game
    rows = [("done", say("as-it-stands", count_says=points_ahead(game.score().result)))]
    if found is not None and found.lines and not found.asked:
        result = points_ahead(found.game.score().result)
        rows.insert(0, (agreeing(found.lines), result))
    return Choices(tuple(rows))


def _proposal(view: LetterView) -> Proposal | None:
    """What we would mark; None if there is no opinion: the letter goes out without it."""
    try:
        read, game = _opinion(view), view.game
    except Exception:  # noqa: BLE001 - the letter must go out even if the opinion fails
        return None
    dead = read.dead - read.doubtful | game.dead & read.doubtful
    lines = (str(part) for mark in marks_for(game, dead) for part in mark.parts)
    asked = groups(replace(game, dead=read.dead | read.doubtful), read.doubtful)
    return Proposal(replace(game, dead=dead), tuple(lines), tuple(asked))


def _opinion(view: LetterView) -> Reading:
    """The stones that the engine (or we) take for dead, but for those that cannot be captured."""
    game, about = view.game, view.about
    if "dead" not in about:
        read, sure = fallback.read(game.position), untakeable(game)
        return Reading(read.dead - sure, read.doubtful - sure)
    dead, doubtful = (
        sound(game, map(parse_point, about.get(name, ()))) for name in ("dead", "doubtful")
    )
    return Reading(dead, doubtful)


def _asked(found: Proposal) -> Iterator[Block]:
    """The lines of what is sure, and a question about each group that is not."""
    if found.lines:
        yield Choices(((body(*found.lines), say("mark-sure")),))
    for group in found.asked[:ASKED]:
        yield from _question(found.game, group)


def _question(seen: Game, group: frozenset[Point]) -> tuple[Block, ...]:
    """The words about one group that may be dead or alive, and a line for either."""
    named, board = first_stones(seen, group), seen.position.board
    color = title(Color(board.cells[board.index(named[0])]))
    name = say("group-at", color=color, point=named[0])
    counts = {
        verb: replace(seen, dead=dead).score().result
        for verb, dead in (("dead", seen.dead | group), ("alive", seen.dead - group))
    }
    rows = tuple(
        (str(part), say("then-lead", count_says=lead(result)))
        for verb, result in counts.items()
        for part in Mark(named, verb == "dead", Extent.CHAIN).parts
    )
    return Words(say("unsure-group", group=name, count=len(group))), Choices(rows)
