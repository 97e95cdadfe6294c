"""The letters of a game that is being counted, and of its end. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from godaemon.games import events as ev
from godaemon.games.model import Phase
from godaemon.games.notices import reviewable
from godaemon.games.ratings import MOST
from godaemon.rules import scoring
from godaemon.rules.points import Color, Point, board_order, parse_point
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import Block, LetterBlocks, Quote, Words
from mailgate.letters.count_blocks import stones_named
from mailgate.letters.dead_stones_opinion import told_dead, with_opinion
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import lead, rating_in_words
from mailgate.letters.shared_blocks import board, in_play, verdict


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
    """Stones were marked, or a mark changed nothing."""
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
    if not told:
        return view.tell(last.color, "unmarked")
    return " ".join([*told, say("now", count_says=lead(view.game.score().result))])


def _asked_again(view: LetterView) -> Iterator[Block]:
    """That a `done` counts no more, where stones were marked after it."""
    before = view.data.before
    if any(view.happened(ev.Marked)) and before is not None and before.agreed:
        yield Words(say("asked-again"))


def _apart(view: LetterView) -> Iterator[Block]:
    """How one of several chains is taken out again, by whom the flood has surprised."""
    grid = view.game.position.board
    for verb, stones in zip(("alive", "dead"), _net(view), strict=True):
        for color in Color:
            chains = scoring.chains(grid, [one for one in stones if grid.color(one) is color])
            if len(chains) > 1:
                first = min(chains[0], key=board_order)
                line = f"{verb} {first} only"
                yield Words(say(f"{verb}-only", point=first, line=line), small=True)
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
        first = say("you-agree", count_says=lead(game.score().result), who=view.other)
    else:
        first = told_dead("they-agree", game, who=view.other)
    return _letter(view, first, above=_asked_again(view), marks_told=not mine)


def finished(view: LetterView) -> LetterBlocks:
    """The result, to both."""
    game = view.game
    resigned = next((event.color for event in view.happened(ev.Resigned)), None)
    passed = _last_to_pass(view)
    how = view.tell(resigned, "resigned") if resigned else ""
    if passed:  # the last of the row that settles a game
        how = f"{view.tell(passed, 'passed', number=game.move_number)} {say('all-alive')}"
        if game.undisputed:
            how += f" {say('by-area-as-it-stands')}"
    if any(view.happened(ev.Voided)):
        how = say("agreed-void")
    result = verdict(view)
    first = " ".join(filter(None, (how, say("over", game=game.id, verdict=result))))
    if why := next((event.why for event in view.happened(ev.Finished)), "").replace(" ", "-"):
        told = {"game": game.id, "verdict": result}
        turn = view.game.clock.turn if view.game.clock else Color.BLACK
        late = why in {"time", "cancelled"}
        first = view.tell(turn.word, f"over-{why}", **told) if late else say(f"over-{why}", **told)
    film = [say("record-film")] if game.move_number else []
    end = Words(" ".join([say("record-attached", game=game.id), *film, *_after(view)]))
    look = Words(say("look-back"))
    ends = (end, look) if reviewable(game) else (end,)
    words: tuple[Block, ...] = (*_rating(view), *view.words(), *_hidden(view))
    return LetterBlocks(first, (*words, *board(view, *ends)), record=True)


def _rating(view: LetterView) -> Iterator[Words]:
    if not view.game.spec.rated or view.teaching:
        return
    if view.game.result == "Void":
        yield Words(say("no-rating-without-result"))
    elif change := view.about.get("rated"):
        before, after = change
        now = rating_in_words(after)
        key = "rating-changed" if before else "rating-first"
        yield Words(say(key, before=str(before[0]) if before else "", now=now))
    else:
        shortest = max(view.game.spec.size)
        yield Words(say("no-rating-change", moves=shortest, games=MOST))


def _hidden(view: LetterView) -> Iterator[Quote]:
    if lines := tuple(view.remark(one) for one in view.game.remarks if one.hidden):
        yield Quote(say("hidden-until-now"), lines)


def _after(view: LetterView) -> Iterator[str]:
    if view.teaching:
        return
    if view.about.get("left"):
        yield say("opponent-left")
        return
    yield say("play-again" if view.facing_engine else "well-played", who=view.other)


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
