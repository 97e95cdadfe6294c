"""The letters about being watched: to the players, and to those who watch. Pure.

What is shown to others comes as `games.public_games.spectated` has it.
"""

from __future__ import annotations

from godaemon.games import events as ev
from godaemon.games.model import Phase
from godaemon.games.state import color as color_named
from godaemon.rules.points import Color
from godaemon.texts.catalogue import listed, say
from mailgate.letters.blocks import LetterBlocks, Words, joined, words
from mailgate.letters.board_blocks import as_it_stands, in_words, score
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import conditions, move, points_ahead, title, when
from mailgate.letters.playing import one_move
from mailgate.letters.shared_blocks import in_play, public_asked, winner


# -- to the players ----------------------------------------------------------------------------
def public(view: LetterView) -> LetterBlocks:
    """One player asks whether others may watch; or that has been settled."""
    game, me = view.game, view.color
    if game.public:
        return in_play(view, view.say("public-now"), Words(say("public-seen")))
    if public_asked(view):
        return in_play(view, view.say("public-asked"))
    if me is not None and game.watchable.get(me):
        return in_play(view, view.say("public-asking"), Words(say("public-waiting")))
    key = "you-keep-private" if me in game.watchable else "they-keep-private"
    return in_play(view, view.say("private-now"), Words(view.say(key)))


# -- to those who watch ------------------------------------------------------------------------
def watch(view: LetterView) -> LetterBlocks:
    """The game as it is now, and what was played since the last letter; or why there is no more."""
    game = view.game
    if False in game.watchable.values():
        return LetterBlocks(view.say("watched-private"), ())
    told = (Words(moves),) if (moves := _moves(view)) else ()
    counted = score(game) if game.by_count else ()
    now = say("watched-counting") if game.phase is Phase.SCORING else view.whose_turn()
    blocks = (*told, *in_words(view, game), as_it_stands(game), *counted, *_small_print(view))
    return LetterBlocks(joined(_news(view), now), blocks)


def _news(view: LetterView) -> str:
    """What has happened last, in a sentence."""
    game = view.game
    if view.about.get("begins"):
        return view.say("watching-daily" if view.about.get("daily") else "watching")
    news = view.say("this-is-game", when=when(game.move_number))
    for event in view.data.events[-1:]:
        match event:
            case ev.Finished(result):
                verdict = points_ahead(result, winner(view, result))
                news = view.say("watched-over", verdict=verdict)
            case ev.Moved() | ev.Passed():
                news = one_move(view, event, game)
            case ev.Placed(stones):
                placed = {"count": len(stones), "points": say("comma").join(stones)}
                news = say("they-placed-handicap", who=view.named(Color.BLACK), **placed)
            case ev.Undone(_, moves):
                back = listed([*map(move, moves)]) if moves else say("the-handicap-stones")
                news = say("taken-back", moves=back)
            case ev.Resumed(word):
                news = say("they-play-on", who=view.named(color_named(word)))
    return news


def _moves(view: LetterView) -> str:
    """What was played since the last letter, where that is more than one move."""
    if len(view.moves) < 2 or any(view.happened(ev.Undone)):
        return ""
    last = view.game.move_number
    moves = say("comma").join(map(_move, view.moves))
    return say("moves-since", first=last - len(view.moves) + 1, last=last, moves=moves)


def _move(one: ev.Moved | ev.Passed) -> str:
    color = title(color_named(one.color))
    if isinstance(one, ev.Moved):
        return say("a-move", color=color, point=one.point)
    return say("a-pass", color=color)


def _small_print(view: LetterView) -> tuple[Words, ...]:
    """Which game it is, and how one watches less of it."""
    game = view.game
    who = view.both_colors() if game.black else ""
    facts = say("game-facts", number=game.id, conditions=conditions(game))
    out = say("ways-out-daily" if view.about.get("daily") else "ways-out")
    return (*words(who, facts, small=True), *words("" if game.phase.over else out, small=True))
