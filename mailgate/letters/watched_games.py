"""The letters about being watched: to the players, and to those who watch. Pure.

What is shown to others comes as `games.public_games.spectated` has it.
"""

from __future__ import annotations

from godaemon.games import events as ev
from godaemon.games.model import Phase
from godaemon.games.state import color as color_named
from godaemon.rules.points import Color
from godaemon.texts.catalogue import listed, say
from mailgate.letters.blocks import LetterBlocks, Words
from mailgate.letters.count_blocks import score
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import conditions, move, points_ahead, title, when
from mailgate.letters.shared_blocks import (
    as_it_stands,
    captured,
    in_play,
    in_words,
    public_asked,
    winner,
)


# -- to the players ----------------------------------------------------------------------------
def public(view: LetterView) -> LetterBlocks:
    """One player asks whether others may watch; or that has been settled."""
    game, me = view.game, view.color
    told = {"game": game.id, "who": view.other}
    if game.public:
        return in_play(view, say("public-now", **told), Words(say("public-seen")))
    if public_asked(view):
        return in_play(view, say("public-asked", **told))
    if me is not None and game.watchable.get(me):
        return in_play(view, say("public-asking", **told), Words(say("public-waiting")))
    key = "you-keep-private" if me in game.watchable else "they-keep-private"
    return in_play(view, say("private-now", **told), Words(say(key, **told)))


# -- to those who watch ------------------------------------------------------------------------
def watch(view: LetterView) -> LetterBlocks:
    """The game as it is now, and what was played since the last letter; or why there is no more."""
    game = view.game
    if False in game.watchable.values():
        return LetterBlocks(say("watched-private", game=game.id), ())
    told = (Words(moves),) if (moves := _moves(view)) else ()
    counted = score(game) if game.by_count else ()
    return LetterBlocks(
        f"{_news(view)} {_now(view)}".strip(),
        (*told, *in_words(view, game), as_it_stands(game), *counted, *_small_print(view)),
    )


def _news(view: LetterView) -> str:
    """What has happened last, in a sentence."""
    game = view.game
    if view.about.get("begins"):
        return say("watching-daily" if view.about.get("daily") else "watching", game=game.id)
    news = say("this-is-game", game=game.id, when=when(game.move_number))
    for event in view.data.events[-1:]:
        match event:
            case ev.Finished(result):
                verdict = points_ahead(result, winner(view, result))
                news = say("watched-over", game=game.id, verdict=verdict)
            case ev.Moved() | ev.Passed():
                key = "they-played" if isinstance(event, ev.Moved) else "they-passed"
                told = {"who": view.named(color_named(event.color)), "number": game.move_number}
                news = f"{say(key, point=_point(event), **told)} {captured(game)}".strip()
            case ev.Placed(stones):
                placed = {"count": len(stones), "points": say("comma").join(stones)}
                news = say("they-placed-handicap", who=view.named(Color.BLACK), **placed)
            case ev.Undone(_, moves) if moves:
                news = say("watched-back", count=len(moves), moves=listed([*map(move, moves)]))
            case ev.Undone():
                news = say("watched-stones-back")
            case ev.Resumed(word):
                news = say("they-play-on", who=view.named(color_named(word)))
    return news


def _now(view: LetterView) -> str:
    if view.game.phase is Phase.SCORING:
        return say("watched-counting")
    return view.whose_turn()


def _moves(view: LetterView) -> str:
    """What was played since the last letter, where that is more than one move."""
    if len(view.moves) < 2 or any(view.happened(ev.Undone)):
        return ""
    last = view.game.move_number
    moves = say("comma").join(map(_move, view.moves))
    return say("moves-since", first=last - len(view.moves) + 1, last=last, moves=moves)


def _move(one: ev.Moved | ev.Passed) -> str:
    key = "a-move" if isinstance(one, ev.Moved) else "a-pass"
    return say(key, color=title(color_named(one.color)), point=_point(one))


def _point(one: ev.Moved | ev.Passed) -> str:
    return one.point if isinstance(one, ev.Moved) else ""


def _small_print(view: LetterView) -> tuple[Words, ...]:
    """Which game it is, and how one watches less of it."""
    game = view.game
    told = [view.both_colors()] if game.black else []
    told += [say("game-facts", number=game.id, conditions=conditions(game))]
    out = say("ways-out-daily" if view.about.get("daily") else "ways-out")
    facts = Words(" ".join(told), small=True)
    return (facts,) if game.phase.over else (facts, Words(out, small=True))
