"""The letters of a game that is being counted, and of its end. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from godaemon.games import events as ev
from godaemon.games.event_notices import reviewable
from godaemon.games.model import Phase
from godaemon.games.ratings import MOST
from godaemon.rules import scoring
from godaemon.rules.points import Color, Point, board_order, parse_point
from mailgate.letters.blocks import Block, Items, LetterBlocks, Quote, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import lead, listed, plural, points, rating_in_words, title
from mailgate.letters.shared_blocks import board, in_play, verdict

CHAINS = 12
"""How many changed chains are named one by one."""


def scoring_started(view: LetterView) -> LetterBlocks:
    """Both players: play has stopped, and the dead stones are to be found."""
    game = view.game
    last = _last_to_pass(view)
    passed = f"{view.doer(last)} passed" if last else "Both players passed"
    first = f"{passed} (move {game.move_number}), so play stops: now the score is counted."
    return LetterBlocks(
        first,
        (
            *view.words(),
            Words(
                "Which stones are dead? Until they are marked every stone counts as alive, so the"
                " score below is not yet the one that will count."
            ),
            *board(view, Words(_agreement(view), small=True)),
        ),
    )


def _last_to_pass(view: LetterView) -> str | None:
    """The colour of the last pass that the letter tells of: a plan may have added to the first."""
    return next((event.color for event in reversed([*view.happened(ev.Passed)])), None)


def marks_changed(view: LetterView) -> LetterBlocks:
    """Stones were marked, or a mark changed nothing."""
    if not any(view.happened(ev.Marked)):
        first = "Those stones are marked like that already, so nothing has changed."
        return _letter(view, first, ())
    return _letter(view, _what_changed(view), _changed(view))


def _what_changed(view: LetterView) -> str:
    """Who marked how many stones, and the count by it."""
    *_, last = view.happened(ev.Marked)
    who = view.doer(last.color)
    dead, alive = _net(view)
    stones = len(dead) + len(alive)
    what = "dead" if dead and not alive else "alive again" if alive and not dead else "anew"
    if not stones:
        return f"{who} marked stones and took the marks back: all is as it was."
    return f"{who} marked {plural(stones, 'stone')} {what}: now {lead(view.game.score().result)}."


def _changed(view: LetterView) -> Iterator[Block]:
    """Which stones were marked, and whose `done` counts no more; nothing where none were."""
    if not any(view.happened(ev.Marked)):
        return
    dead, alive = _net(view)
    changed = [*_chains(view, dead, "dead now"), *_chains(view, alive, "alive again")]
    if not alive and dead == view.game.dead:
        changed = []  # all that are marked: they are told beside the board
    if changed:
        yield Items(tuple(changed))
    yield from _apart(view, "alive", dead) or _apart(view, "dead", alive)
    before = view.data.before
    if before is not None and before.agreed:
        said = " and ".join(view.doer(color.word) for color in before.agreed)
        yield Words(f"{said} had said done to the score before; that no longer counts.")


def _apart(view: LetterView, verb: str, stones: frozenset[Point]) -> list[Block]:
    """How one of several chains is taken out again, by whom the flood has surprised."""
    grid = view.game.position.board
    sides = ([one for one in stones if grid.color(one) is color] for color in Color)
    chains = next((found for side in sides if len(found := scoring.chains(grid, side)) > 1), None)
    if chains is None:
        return []
    first = min(chains[0], key=board_order)
    others = "dead" if verb == "alive" else "alive"
    return [
        Words(
            f"A mark takes in all of a group. To have the chain at {first} alone {verb}, and the"
            f" others {others} as they are now, reply with: `{verb} {first} only`",
            small=True,
        )
    ]


def done(view: LetterView) -> LetterBlocks:
    """A player agrees to the count; the other has not yet."""
    game = view.game
    if any(view.happened(ev.Disagreed)):
        first = "Both of you said done, but not to the same board: please look once more."
        blame = Words("This is a fault of mine and not of yours; neither word counts.")
        return _letter(view, first, (blame,))
    said = next((event.color for event in view.happened(ev.Agreed)), None)
    now = lead(game.score().result)
    if said is None:
        first = "You had said done to this score already: nothing has changed."
        return _letter(view, first, ())
    if view.mine(said):
        first = f"You said done to this score, by which {now}. {view.other} has not said so yet."
        return _letter(view, first, _changed(view))
    after = " after marking stones" if any(view.happened(ev.Marked)) else ""
    first = f"{view.other} said done to this score{after}, by which {now}. Do you agree?"
    return _letter(view, first, _changed(view))


def finished(view: LetterView) -> LetterBlocks:
    """The result, to both."""
    game = view.game
    resigned = next((event.color for event in view.happened(ev.Resigned)), None)
    passed = _last_to_pass(view)
    how = f"{view.doer(resigned)} resigned. " if resigned else ""
    if passed:  # the last of the row that settles a game
        how = f"{view.doer(passed)} passed, and so every stone on the board is alive. "
        if game.undisputed:
            how += "After three disputes the board is counted by area, as it stands. "
    if any(view.happened(ev.Voided)):
        how = "You have both agreed to end it. "
    first = f"Game {game.id} is over. {how}{verdict(view)}"
    if (why := next((event.why for event in view.happened(ev.Finished)), "")) in _WHY:
        turn = view.game.clock.turn if view.game.clock else Color.BLACK
        whose = "Your" if view.teaching or turn is view.color else f"{view.named(turn)}'s"
        first = _WHY[why].format(game=game.id, whose=whose, verdict=verdict(view))
    end = Words(
        f"The record is attached as game-{game.id}.sgf; any Go program opens it. {_after(view)}"
    )
    look = Words("To look back on the game with me, reply with: `review`")
    ends = (end, look) if reviewable(game) else (end,)
    words: tuple[Block, ...] = (*_rating(view), *view.words(), *_hidden(view))
    return LetterBlocks(first, (*words, *board(view, *ends)), record=True)


def _rating(view: LetterView) -> Iterator[Words]:
    """What a rated game has made of the reader's rating."""
    if not view.game.spec.rated or view.teaching:
        return
    if view.game.result == "Void":
        yield Words("Without a result no rating changes.")
    elif change := view.about.get("rated"):
        before, after = change
        now = rating_in_words(after)
        yield Words(
            f"Your rating: {before[0]} -> {now}." if before else f"Your first rating: {now}."
        )
    else:
        yield Words(
            f"No rating changes: a game of fewer than {max(view.game.spec.size)} moves does not"
            f" count, nor do more than {MOST} games of the same two players in a month."
        )


def _hidden(view: LetterView) -> Iterator[Quote]:
    """What both had written to be shown now."""
    if lines := tuple(view.remark(one) for one in view.game.remarks if one.hidden):
        yield Quote("Hidden until now:", lines)


_WHY = {
    "time": "{whose} time has run out, so game {game} is over. {verdict}",
    "cancelled": (
        "{whose} time has run out before the first move, so game {game} is cancelled: nobody has"
        " lost."
    ),
    "called off": "Game {game} is cancelled before both of you had moved: nobody has lost.",
    "adjudicated": "Game {game} was decided by the people who run this server. {verdict}",
    "abandoned": (
        "Game {game} has waited for an answer for a year, so it is closed without a result."
    ),
}
"""What ended a game, where neither the count nor a player's word did."""


def _after(view: LetterView) -> str:
    if view.teaching:
        return "Thank you for playing."
    if view.about.get("left"):
        return "Thank you for playing. Your opponent has left, and reads no emails here any more."
    again = "To play again, with colours exchanged, reply with: `rematch`"
    if view.facing_engine:
        return again
    return f"Thank you for playing. Words that you reply with still go to {view.other}. {again}"


def _letter(view: LetterView, first: str, blocks: Iterable[Block]) -> LetterBlocks:
    """A letter of the count: its news, what can be replied, and the count as it is now."""
    if view.game.phase is not Phase.SCORING:
        return in_play(view, first, *blocks)
    agreement = Words(_agreement(view), small=True)
    return LetterBlocks(first, (*view.words(), *blocks, *board(view, agreement)))


def _agreement(view: LetterView) -> str:
    if view.teaching:
        return view.awaited()
    return (
        f"{view.awaited()} The game is over when both of you have said it to the same board;"
        " marking a stone asks both again."
    )


def _net(view: LetterView) -> tuple[frozenset[Point], frozenset[Point]]:
    """The stones that are dead now and were not, and the other way round."""
    after = view.game.dead
    before = view.data.before
    if before is not None:
        return after - before.dead, before.dead - after
    named = {parse_point(name) for event in view.happened(ev.Marked) for name in event.stones}
    return frozenset(named & after), frozenset(named - after)


def _chains(view: LetterView, stones: frozenset[Point], what: str) -> Iterator[str]:
    """One line for each colour: its chains, of many the first."""
    grid = view.game.position.board
    for color in Color:
        mine = [stone for stone in stones if grid.color(stone) is color]
        chains = [points(chain) for chain in scoring.chains(grid, mine)]
        more = len(chains) - CHAINS
        named = [*chains[:CHAINS], plural(more, "more chain")] if more > 0 else chains
        if named:
            yield f"{title(color)} {listed(named)} ({plural(len(mine), 'stone')}): {what}"
