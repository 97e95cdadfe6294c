"""The letters of a game that is being counted: marks, and who agrees to them. Pure."""

from collections.abc import Iterable, Iterator

from godaemon.games import events as ev
from godaemon.games.model import Phase
from godaemon.rules import scoring
from godaemon.rules.points import Color, Point, board_order, parse_point
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import Block, LetterBlocks, Words, join_sentences, words
from mailgate.letters.board_blocks import stone_names
from mailgate.letters.dead_stone_proposals import opinion_letter, result_with_dead
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import lead_in_words, result_in_words
from mailgate.letters.shared_blocks import game_board, game_letter


def scoring_started(view: LetterView) -> LetterBlocks:
    """For both players: play has stopped, and the dead stones are to be marked."""
    game = view.game
    last = view.last_to_pass
    news = view.say_who(last, "passed", number=game.move_number) if last else say("both-passed")
    return opinion_letter(view, news, say("time-to-count"), Words(say("mark-first")))


def marks_changed(view: LetterView) -> LetterBlocks:
    if not any(view.events_of(ev.Marked)):
        return _count_letter(view, say("marked-already"), _who_must_agree(view))
    dead_named = view.game.dead == _net_changes(view)[0]
    blocks = (*_why_asked_again(view), *_how_to_mark_one_chain(view))
    return _count_letter(view, _what_changed(view), above=blocks, dead_named=dead_named)


def _what_changed(view: LetterView) -> str:
    *_, last = view.events_of(ev.Marked)
    changes = [
        view.say_who(last.color, key, points=stone_names(view.game, stones), count=len(stones))
        for key, stones in zip(("marked-dead", "marked-alive"), _net_changes(view), strict=True)
        if stones
    ]
    now = say("now", count_says=lead_in_words(view.game.score().result))
    return join_sentences(*changes, now) if changes else view.say_who(last.color, "unmarked")


def _why_asked_again(view: LetterView) -> tuple[Words, ...]:
    """That an earlier `done` no longer counts, because stones were marked after it."""
    before = view.data.before
    had_agreement = any(view.events_of(ev.Marked)) and before is not None and before.agreed
    return words(say("asked-again") if had_agreement else "")


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
    color = next((event.color for event in view.events_of(ev.Agreed)), None)
    if color is None:
        return _count_letter(view, say("done-already"), _who_must_agree(view))
    is_mine = view.is_mine(color)
    if is_mine:
        first = view.say("you-agree", count_says=result_in_words(game.score().result))
    else:
        first = result_with_dead("they-agree", game, who=view.other)
    return _count_letter(view, first, above=_why_asked_again(view), dead_named=not is_mine)


def _count_letter(
    view: LetterView,
    first: str,
    *below: Block,
    above: Iterable[Block] = (),
    dead_named: bool = False,
) -> LetterBlocks:
    """A letter of the count: its news, the replies, and the current count."""
    if view.game.phase is not Phase.SCORING:
        return game_letter(view, first, *above)
    board = game_board(view, *below, dead_named=dead_named)
    return LetterBlocks(first, (*view.words(), *above, *board))


def _who_must_agree(view: LetterView) -> Words:
    return Words(view.who_must_agree(), small=True)


def _net_changes(view: LetterView) -> tuple[frozenset[Point], frozenset[Point]]:
    """The stones that have become dead, and those that have become alive."""
    after = view.game.dead
    before = view.data.before
    if before is not None:
        return after - before.dead, before.dead - after
    marked = {parse_point(name) for event in view.events_of(ev.Marked) for name in event.stones}
    return frozenset(marked & after), frozenset(marked - after)
