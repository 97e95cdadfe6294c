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
from mailgate.letters.blocks import Block, LetterBlocks, Quote, Words, joined, words
from mailgate.letters.board_blocks import stones_named
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
    """How the game ended, and with which result."""
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
