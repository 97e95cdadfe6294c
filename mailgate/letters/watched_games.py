"""The letters about being watched: to the players, and to those who watch. Pure.

What is shown to others comes as `games.spectators.spectated` has it.
"""

from __future__ import annotations

from godaemon.games import events as ev
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.state import color as color_named
from godaemon.rules.points import Color
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Table, Words
from mailgate.letters.count_blocks import score
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import (
    NOT_A_REPLY,
    capital,
    conditions,
    listed,
    plural,
    points_ahead,
    title,
    when,
)
from mailgate.letters.shared_blocks import (
    as_it_stands,
    captured,
    in_play,
    in_words,
    public_asked,
    winner,
)

_SEEN = "They see the board and what you are called; no words, notes or plans, and no address."


# -- to the players ----------------------------------------------------------------------------
def public(view: LetterView) -> LetterBlocks:
    """One player asks whether others may watch; or that has been settled."""
    asked = () if public_asked(view) else (Words(_settled(view)),)
    return in_play(view, _question(view), *asked)


def _question(view: LetterView) -> str:
    game = view.game
    if game.public:
        return f"Game {game.id} is public: others may watch it from now on."
    if public_asked(view):
        return f"{view.other} asks whether others may watch game {game.id}."
    if view.color is not None and game.watchable.get(view.color):
        return f"I have asked {view.other} whether others may watch game {game.id}."
    return f"Nobody else may watch game {game.id}."


def _settled(view: LetterView) -> str:
    if view.game.public:
        return f"{_SEEN} To end that at once: `private`"
    mine = view.color is not None and view.game.watchable.get(view.color)
    if mine:
        return "You hear from me when they answer. To take the question back: `private`"
    by = view.color is not None and view.color in view.game.watchable
    whose = "you have" if by else f"{view.other} has"
    return f"That is what {whose} said. Who watched it is sent no more of it."


# -- to those who watch ------------------------------------------------------------------------
def watch(view: LetterView) -> LetterBlocks:
    """The game as it is now, and what was played since the last letter; or why there is no more."""
    game = view.game
    if False in game.watchable.values():
        first = f"Game {game.id} is not public any more, so you do not watch it any longer."
        return LetterBlocks(first, ())
    told = (Words(moves),) if (moves := _moves(view)) else ()
    counted = score(game) if game.by_count else ()
    return LetterBlocks(
        f"{_news(view)} {_now(view)}".strip(),
        (*told, in_words(view, game), as_it_stands(game), *counted, _who(view), *_ways_out(view)),
    )


def _news(view: LetterView) -> str:
    """What has happened last, in a sentence."""
    game = view.game
    news = f"This is game {game.id}, {when(game.move_number)}."
    if view.about.get("begins"):
        daily = view.about.get("daily")
        how = f", in one email {'a day' if daily else 'an hour at most, while it is played'}"
        return f"You watch game {game.id} from now on{how}. It is {when(game.move_number)}."
    for event in view.data.events[-1:]:
        match event:
            case ev.Finished(result):
                news = f"Game {game.id} is over: {points_ahead(result, winner(view, result))}."
            case ev.Moved() | ev.Passed():
                played = "" if isinstance(event, ev.Passed) else "played "
                what = f"{played}{_point(event)} (move {game.move_number}){captured(game)}"
                news = f"{view.named(color_named(event.color))} {what}."
            case ev.Placed(stones):
                number = plural(len(stones), "handicap stone")
                news = f"{view.named(Color.BLACK)} placed the {number}."
            case ev.Undone(_, moves):
                back = listed(moves) if moves else "the handicap stones"
                news = f"{capital(back)} {'are' if len(moves) != 1 else 'is'} taken back."
            case ev.Resumed(word):
                news = f"{view.named(color_named(word))} took the game back from counting."
    return news


def _now(view: LetterView) -> str:
    game = view.game
    if game.phase is Phase.SCORING:
        return "Play has stopped, and the score is being counted."
    if game.to_move is None:
        return ""
    return f"{view.named(game.to_move)} ({title(game.to_move)}) is to move."


def _moves(view: LetterView) -> str:
    """What was played since the last letter, where that is more than one move."""
    if len(view.moves) < 2 or any(view.happened(ev.Undone)):
        return ""
    first = view.game.move_number - len(view.moves) + 1
    said = [f"{title(color_named(one.color))} {_point(one)}" for one in view.moves]
    return f"Since my last email, from move {first}: {', '.join(said)}."


def _point(event: ev.Moved | ev.Passed) -> str:
    return event.point if isinstance(event, ev.Moved) else "passed"


def _who(view: LetterView) -> Table:
    game = view.game
    players = (("Players:", f"{view.both_colors()}."),) if game.black else ()
    rows = (*players, ("Game:", f"number {game.id}, {conditions(game)}."))
    return Table((), rows, figures=False, small=True)


def _ways_out(view: LetterView) -> tuple[Block, ...]:
    if view.game.phase.over:
        return ()
    words = "You only watch: nothing that you write comes to the players."
    often = ("emails daily", "one email a day of this game")
    if view.about.get("daily"):
        often = ("emails all", "an email an hour, while it is played")
    return (Choices((often, ("unwatch", "no more of it"))), Words(words, small=True))


def public_games(view: LetterView) -> LetterBlocks:
    """Which games the reader may watch, and watches."""
    games = [game for game, _ in view.data.waiting]
    named, watched = bool(view.about.get("named")), view.about.get("watched", ())
    rows = [(f"watch {one.id}", _offer(view, one, named)) for one in games if one.id not in watched]
    mine = [(f"unwatch {number}", "you watch it: no more of that") for number in watched]
    blocks: list[Block] = [Choices(tuple(some)) for some in (rows, mine) if some]
    if view.about.get("wanted"):
        blocks.append(Words(NOT_A_REPLY, small=True))
    if not rows:
        words = "A game can be watched when both its players have said so, each with: `public`"
        blocks.append(Words(words, small=True))
    return LetterBlocks(_first(view, len(rows)), tuple(blocks))


def _first(view: LetterView, others: int) -> str:
    if wanted := view.about.get("wanted"):
        return f"To be sure that it is you who asks, reply to this email with: `{wanted}`"
    news = view.about.get("news", "")
    if "ended" in view.about:
        game = view.about["ended"]
        news = f"You no longer watch {f'game {game}' if game else 'any game'}."
    other = "other " if view.about.get("watched") else ""
    found = plural(others, f"{other}game") if others else f"no {other}game"
    return f"{news} {capital(found)} can be watched at the moment.".strip()


def _offer(view: LetterView, game: Game, named: bool) -> str:  # noqa: FBT001 - told above
    view = view.of(game, Seat.BLACK)
    names = listed([view.named(color) for color in Color]) if named else "two players"
    return f"{names}: {game.spec.size}, {when(game.move_number)}"
