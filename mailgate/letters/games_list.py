"""The list of the reader's games: those that wait for them first, with what can be replied. Pure.

It is an answer, or comes by itself; a reply to it may name any of its games, one line each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from godaemon.games.awaited import Awaited, awaited
from godaemon.games.model import OPEN, Phase
from godaemon.games.store_protocols import GameSummary
from godaemon.games.time_in_words import span
from mailgate.letters.blocks import Block, Choices, Diagram, LetterBlocks, Offer, Table, Words
from mailgate.letters.board_links import sends
from mailgate.letters.letter_data import LISTED
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import (
    ACCEPT,
    DECLINE,
    NOT_A_REPLY,
    capital,
    conditions,
    lead,
    listed,
    plural,
    shown_name,
    title,
    when,
)
from mailgate.letters.shared_blocks import example, last_point, looked, programs
from mailgate.letters.time_phrases import time_left

_WAITS = {
    Awaited.TURN: ("your turn in one game", "your turn in {} games"),
    Awaited.COUNT: ("one score to agree on", "{} scores to agree on"),
    Awaited.INVITATION: ("one invitation", "{} invitations"),
    Awaited.CONFIRMATION: ("one game to confirm", "{} games to confirm"),
    Awaited.VOID: ("one game to end without a result", "{} games to end without a result"),
}

_CHALLENGES = ("challenges", "see whom you could play, and take a game")

Reply = tuple[str, str]
Asked = tuple[str, tuple[Reply, ...], tuple[Reply, ...]]
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
    news = view.about.get("news", "")
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
        yield Words("One reply may answer several games, one line each.", small=True)
    if view.about.get("daily"):
        words = "You get one email a day while anything waits for you. To change that: `settings`"
        yield Words(words, small=True)
    yield from _others(view, others)
    if view.about.get("fresh"):
        yield Words(NOT_A_REPLY, small=True)


def _waits(view: LetterView) -> str:
    """What waits, in numbers: `your turn in 2, one score to agree on`."""
    counts = Counter(awaited(game, seat) for game, seat in view.data.waiting)
    waits = [
        (one if counts[what] == 1 else many).format(counts[what])
        for what, (one, many) in _WAITS.items()
        if counts[what]
    ]
    if waits:
        return f"Waiting for you: {', '.join(waits)}."
    if not view.data.total:
        return "You have no games here yet."
    return f"Nothing waits for you; you have {plural(view.data.total, 'game')} here."


def _how_to_begin(view: LetterView) -> Iterator[Block]:
    yield Words("To begin one, reply with, for example: `new 9x9 vs bob@example.org`")
    if view.about.get("engines"):
        yield Choices(programs(view))
    if view.about.get("challenges"):
        yield Choices((_CHALLENGES,))


# -- what waits --------------------------------------------------------------------------------
def _offer(view: LetterView, entry: Mapping[str, Any]) -> Offer:
    """One game that waits, with what can be replied; first what its writer may have meant."""
    words, buttons, rows = _ASKS[awaited(view.game, view.seat) or Awaited.TURN](view)
    number, other = view.game.id, "yourself" if view.teaching else view.other
    words = " ".join([words, *(one.words for one in (*time_left(view), *looked(view)))])
    sent = {line for _, line in buttons}
    said = [line for line in entry.get("meant", ()) if line not in sent]
    named = [*((line, "do that now") for line in said), *rows]
    return Offer(
        f"Game {number} with {other}:",
        words,
        view.last_words(),
        (*((line, line) for line in said), *buttons),
        Choices(
            (
                *((f"{number}: {line}", does) for line, does in named),
                (f"show {number}", "see the board"),
            )
        ),
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


def _turn(view: LetterView) -> Asked:
    game = view.game
    color = title(game.to_move) if game.to_move else ""
    where = f"{game.spec.size}, {when(game.move_number)}"
    words = f"your turn, {color} ({where})."
    show = ("Show the board", "show")
    point = example(game)
    if game.placing or point is None:
        return words, (show,), ()
    return words, (show, ("Pass", "pass")), ((f"{point}", "play there, or at your own point"),)


def _count(view: LetterView) -> Asked:
    agreed = "" if view.teaching or not view.game.agreed else f" {view.other} agrees to it."
    words = f"the score. {capital(lead(view.game.score().result))}.{agreed}"
    buttons = (("Show the score", "show"), ("Done: I agree", "done"))
    return words, buttons, (("done", "agree to this score"),)


def _invitation(view: LetterView) -> Asked:
    what = "other terms for it" if view.game.counters else "an invitation"
    words = f"{what} ({conditions(view.game)})."
    return words, (("Accept", "accept"), ("Decline", "decline")), (ACCEPT, DECLINE)


def _confirmation(view: LetterView) -> Asked:
    words = f"did you ask for it? ({conditions(view.game)})"
    rows = (("yes", "go ahead"), ("no", "forget about it"))
    return words, (("Yes, go ahead", "yes"), ("No", "no")), rows


def _void(view: LetterView) -> Asked:
    buttons = (("Show the board", "show"), ("End it without a result", "void"))
    words = f"{view.other} would end it without a result."
    return words, buttons, (("void", "agree to that"),)


_ASKS = {
    Awaited.TURN: _turn,
    Awaited.COUNT: _count,
    Awaited.INVITATION: _invitation,
    Awaited.CONFIRMATION: _confirmation,
    Awaited.VOID: _void,
}


# -- what does not -----------------------------------------------------------------------------
def _others(view: LetterView, rows: list[GameSummary]) -> Iterator[Block]:
    """The games in which nothing is for the reader to do: those that are going on first."""
    if not rows:
        return
    me = view.notice.to.casefold()
    lines = tuple(_row(row, me, view.data.clock_now) for row in rows[:LISTED])
    yield Table(("Game", "With", "Now"), lines, figures=False)
    older = view.data.total - len(view.data.waiting) - len(lines)
    if older > 0:
        yield Words(f"... and {older} older ones.")
    yield Words(f"To see a board, reply with: `show {rows[0].id}`", small=True)


def _row(row: GameSummary, me: str, now: datetime) -> tuple[str, ...]:
    sides = ((row.black, row.black_name), (row.white, row.white_name))
    others = [shown_name(name or at.partition("@")[0]) for at, name in sides if at.casefold() != me]
    other = listed(others) if others else "yourself"
    return (f"{row.id}", other, f"{_now(row, me, now)} ({row.size})")


def _now(row: GameSummary, me: str, now: datetime) -> str:
    if row.phase is Phase.FINISHED:
        return f"over, {_result(row.result or 'Void', row, me)}"
    left = f", {span(max(row.deadline - now, timedelta()))} left" if row.deadline else ""
    words = {
        Phase.PLAYING: f"their turn, move {row.move_number + 1}{left}",
        Phase.SCORING: f"the score waits for them{left}",
        Phase.PROPOSED: "open" if row.white == OPEN else "waits for their answer",
    }
    return words.get(row.phase, row.phase.value)


def _result(result: str, row: GameSummary, me: str) -> str:
    """Who won, and how in SGF's form: `you won, W+6.5`."""
    if result[0] not in "BW":
        return "a tie" if result == "0" else "no result"
    winner, loser = (row.black, row.white)[:: 1 if result[0] == "B" else -1]
    if winner.casefold() == loser.casefold():
        return result
    return f"{'you' if winner.casefold() == me else 'they'} won, {result}"
