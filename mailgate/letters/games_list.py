"""The lists: of the reader's games, of open challenges, of players, of games to watch. Pure.

That of games comes by itself, too; a reply to it may name any of its games, one line each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from godaemon.games.awaited import Awaited, awaited
from godaemon.games.model import OPEN, Game, Phase, Seat
from godaemon.games.store_protocols import GameSummary
from godaemon.games.time_in_words import settings_in_words, span
from godaemon.rules.points import Color
from godaemon.texts.catalogue import listed, retold, say
from mailgate.letters.blocks import (
    Block,
    Choices,
    Diagram,
    Items,
    LetterBlocks,
    Offer,
    Table,
    Words,
)
from mailgate.letters.letter_data import LISTED
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import (
    accept,
    called,
    conditions,
    decline,
    lead,
    not_a_reply,
    rating_in_words,
    shown_name,
    title,
    when,
)
from mailgate.letters.possible_lines import sends
from mailgate.letters.shared_blocks import example, last_point, looked, programs
from mailgate.letters.time_phrases import time_left

Replies = tuple[tuple[str, str], ...]
Asked = tuple[str, Replies, Replies]
"""What a game waits for in words, the buttons that answer it, and the lines that do."""


def games_list(view: LetterView) -> LetterBlocks:
    """What waits for the reader, game by game, and then their other games."""
    entries = (entry for entry in view.about.get("listed", ()) if entry["awaits"])
    offers = [
        _offer(view.of(game, seat), entry)
        for (game, seat), entry in zip(view.data.waiting, entries, strict=False)
    ]
    shown = {game.id for game, _ in view.data.waiting}
    others = [row for row in view.data.games if row.id not in shown]
    news = retold(view.about.get("news", ""))
    first, waits = f"{news} {_waits(view)}".strip(), list[Block]()
    if news.endswith("`"):  # what is to be sent ends its paragraph
        first, waits = news, [Words(_waits(view))]
    if not offers and not others:
        return LetterBlocks(first, (*waits, *_how_to_begin(view)))
    return LetterBlocks(first, (*waits, *_blocks(view, offers, others)))


def _blocks(view: LetterView, offers: list[Offer], others: list[GameSummary]) -> Iterator[Block]:
    """What waits, and then the rest; how to begin a game where none goes on."""
    yield from offers
    if not offers and all(row.phase.over for row in others):
        yield from _how_to_begin(view)
    if len(offers) > 1:
        yield Words(say("several-games"), small=True)
    if view.about.get("daily"):
        yield Words(say("one-a-day"), small=True)
    yield from _others(view, others)
    if view.about.get("fresh"):
        yield Words(not_a_reply(), small=True)


def _waits(view: LetterView) -> str:
    """What waits, in numbers: `your move in 2 games and 1 score to agree on`."""
    counts = Counter(awaited(game, seat) for game, seat in view.data.waiting)
    order = (Awaited.TURN, *(one for one in Awaited if one is not Awaited.TURN))
    things = [say(f"waits-{what}", count=counts[what]) for what in order if counts[what]]
    if things:
        return say("waiting", things=listed(things))
    if not view.data.total:
        return say("no-games-yet")
    return say("nothing-waits", count=view.data.total)


def _how_to_begin(view: LetterView) -> Iterator[Block]:
    yield Words(say("start-one"))
    rows = programs(view)
    if view.about.get("challenges"):
        rows = (*rows, ("challenges", say("see-challenges")))
    if rows:
        yield Choices(rows)


# -- what waits --------------------------------------------------------------------------------
def _offer(view: LetterView, entry: Mapping[str, Any]) -> Offer:
    """One game that waits, with what can be replied; first what its writer may have meant."""
    what, number = awaited(view.game, view.seat) or Awaited.TURN, view.game.id
    line, buttons, rows = _asks(view, what, say("yourself") if view.teaching else view.other)
    sent = {line for _, line in buttons}
    said = [line for line in entry.get("meant", ()) if line not in sent]
    named = [*((line, say("do-now")) for line in said), *rows]
    numbered = ((f"{number}: {line}", does) for line, does in named)
    return Offer(
        line,
        " ".join(one.words for one in (*time_left(view), *looked(view))),
        view.last_words(),
        (*((line, line) for line in said), *buttons),
        Choices((*numbered, (f"show {number}", say("see-board")))),
        view.replies[number],
        _board(view),
    )


def _board(view: LetterView) -> Diagram | None:
    """The board of a game that goes on, whose points name the game in what they send."""
    game = view.game
    if game.black is None:
        return None
    named = {point: f"{game.id}: {said}" for point, said in sends(view).items()}
    return Diagram(game.rows(), last_point(game.position), sends=named)


def _asks(view: LetterView, what: Awaited, who: str) -> Asked:
    game, told = view.game, {"game": view.game.id, "who": who}
    show = (say("button-show"), "show")
    match what:
        case Awaited.COUNT:
            key = "offer-count-agreed" if game.agreed and not view.teaching else "offer-count"
            buttons = ((say("button-show-score"), "show"), (say("button-done"), "done"))
            rows = (("done", say("agree-to-score")),)
            return say(key, score=lead(game.score().result), **told), buttons, rows
        case Awaited.INVITATION:
            key = "offer-terms" if game.counters else "offer-invitation"
            buttons = ((say("button-accept"), "accept"), (say("button-decline"), "decline"))
            return say(key, terms=conditions(game), **told), buttons, (accept(), decline())
        case Awaited.CONFIRMATION:
            line = say("offer-confirmation", terms=conditions(game), **told)
            buttons = ((say("button-yes"), "yes"), (say("button-no"), "no"))
            return line, buttons, (("yes", say("go-ahead")), ("no", say("forget-it")))
        case Awaited.VOID:
            buttons = (show, (say("button-void"), "void"))
            return say("offer-void", **told), buttons, (("void", say("agree-to-that")),)
    line = say("offer-turn", color=title(game.to_move) if game.to_move else "", **told)
    point = example(game)
    if game.placing or point is None:
        return line, (show,), ()
    return line, (show, (say("button-pass"), "pass")), ((f"{point}", say("play-there")),)


# -- what does not -----------------------------------------------------------------------------
def _others(view: LetterView, rows: list[GameSummary]) -> Iterator[Block]:
    """The games in which nothing is for the reader to do: those that are going on first."""
    if not rows:
        return
    me = view.notice.to.casefold()
    lines = tuple(_row(row, me, view.data.clock_now) for row in rows[:LISTED])
    head = (say("list-game"), say("list-with"), say("setting-now"))
    yield Table(head, lines, figures=False)
    older = view.data.total - len(view.data.waiting) - len(lines)
    if older > 0:
        yield Words(say("older-games", count=older))
    yield Words(say("show-game", game=rows[0].id), small=True)


def _row(row: GameSummary, me: str, now: datetime) -> tuple[str, ...]:
    sides = ((row.black, row.black_name), (row.white, row.white_name))
    others = [shown_name(name or at.partition("@")[0]) for at, name in sides if at.casefold() != me]
    left = span(max(row.deadline - now, timedelta())) if row.deadline else ""
    told = {"number": row.move_number + 1, "span": left, "result": row.result, "size": row.size}
    other = listed(others) if others else say("yourself")
    return (f"{row.id}", other, say(f"row-{_state(row, me)}", **told))


def _state(row: GameSummary, me: str) -> str:
    """How a game stands that does not wait for the reader, by the key that says it."""
    if row.phase is Phase.FINISHED:
        return _result(row.result or "Void", row, me)
    if row.phase is Phase.PROPOSED and row.white == OPEN:
        return "open"
    clocked = row.phase in {Phase.PLAYING, Phase.SCORING} and row.deadline
    return f"{row.phase.value}-left" if clocked else row.phase.value


def _result(result: str, row: GameSummary, me: str) -> str:
    """Who won."""
    if result[0] not in "BW":
        return "tie" if result == "0" else "void"
    winner, loser = (row.black, row.white)[:: 1 if result[0] == "B" else -1]
    if winner.casefold() == loser.casefold():
        return "own"
    return "won" if winner.casefold() == me else "lost"


def challenges(view: LetterView) -> LetterBlocks:
    """What can be taken, and the reader's own."""
    own = {entry["game"] for entry in view.about.get("listed", ())}
    games = [game for game, _ in view.data.waiting]
    others = [game for game in games if game.id not in own]
    rows = [(f"take {game.id}", _challenge(view, game)) for game in others]
    mine = [
        (f"{game.id}: withdraw", say("withdraw-challenge", terms=_terms(game)))
        for game in games
        if game.id in own
    ]
    blocks: list[Block] = [Choices(tuple(some)) for some in (rows, mine) if some]
    if view.about.get("taking"):
        blocks.append(Words(not_a_reply(), small=True))
    if not mine:
        blocks.append(Words(say("offer-challenge"), small=True))
    news, first = retold(view.about.get("news", "")), _found(view, [game.id for game in others])
    return LetterBlocks(f"{news} {first}".strip(), tuple(blocks))


def _found(view: LetterView, others: list[int]) -> str:
    taking = view.about.get("taking")
    if taking in others:
        return say("start-challenge", game=taking)
    return say("challenges", count=len(others)) if others else say("no-challenges")


def _challenge(view: LetterView, game: Game) -> str:
    """With whom, and on which terms; no address, and to a stranger no name."""
    who = called(game.spec.proposer) if view.about.get("named") else say("somebody")
    if rating := view.about.get("ratings", {}).get(str(game.id)):
        told = rating_in_words(rating)
        return say("challenge-rated", who=who, rating=told, terms=_terms(game))
    return say("challenge", who=who, terms=_terms(game))


def _terms(game: Game) -> str:
    spec = game.spec
    told = [conditions(game)]
    told += [say("challenge-begins")] if spec.opening else []
    told += [say("challenge-color", color=title(spec.color.opponent))] if spec.color else []
    told += [say("challenge-rank", rank=spec.rank)] if spec.rank else []
    told += [say("challenge-watched")] if spec.public else []
    terms, time = say("comma").join(told), settings_in_words(spec.time)
    return say("challenge-terms", terms=terms, time=time)


def players(view: LetterView) -> LetterBlocks:
    """Who is on the list, with what they say of themselves; to a stranger no names."""
    found = [(shown_name(name), *told) for name, *told in view.about.get("players", ())]
    on, rating = bool(view.about.get("on")), view.about.get("rating")
    blocks: list[Block] = []
    if found:
        blocks.append(Items(tuple(_player(*one) for one in found)))
        if found[0][0] != say("a-player"):
            blocks.append(Words(say("invite-player", who=found[0][0]), small=True))
    blocks.append(Words(say("leave-list" if on else "join-list")))
    told = say("list-on" if on else "list-off", count=len(found))
    if not found:
        told = say("list-on-alone" if on else "list-off-empty")
    own = say("your-rating", rating=rating_in_words(rating)) if rating else say("no-rating-yet")
    return LetterBlocks(f"{own} {told}", tuple(blocks))


def _player(name: str, line: str, rating: Sequence[float]) -> str:
    """`Alice: 5 kyu, Berlin; rating 1467, about 6 kyu`."""
    if not rating:
        return say("listed-player", who=name, said=line) if line else name
    key = "listed-player-both" if line else "listed-player-rating"
    return say(key, who=name, said=line, rating=rating_in_words(rating))


def public_games(view: LetterView) -> LetterBlocks:
    """Which games the reader may watch, and watches."""
    games, watched = [game for game, _ in view.data.waiting], view.about.get("watched", ())
    rows = [(f"watch {one.id}", _public_game(view, one)) for one in games if one.id not in watched]
    mine = [(f"unwatch {number}", say("stop-watching")) for number in watched]
    blocks: list[Block] = [Choices(tuple(some)) for some in (rows, mine) if some]
    if view.about.get("wanted"):
        blocks.append(Words(not_a_reply(), small=True))
    if not rows:
        blocks.append(Words(say("how-public"), small=True))
    return LetterBlocks(_watchable(view, len(rows)), tuple(blocks))


def _watchable(view: LetterView, others: int) -> str:
    if wanted := view.about.get("wanted"):
        return say("sure-first", line=wanted)
    news, more = retold(view.about.get("news", "")), "-more" if view.about.get("watched") else ""
    if "ended" in view.about:
        game = view.about["ended"]
        news = say("stopped-watching" if game else "stopped-watching-all", game=game)
    found = say(f"watchable{more}", count=others) if others else say(f"watchable-none{more}")
    return f"{news} {found}".strip()


def _public_game(view: LetterView, game: Game) -> str:
    """Who plays, but to a stranger no names; and how far they are."""
    view = view.of(game, Seat.BLACK)
    names = listed([view.named(color) for color in Color])
    who = names if view.data.notice.about.get("named") else say("two-players")
    return say("public-game", players=who, size=game.spec.size, when=when(game.move_number))
