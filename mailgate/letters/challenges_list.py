"""The list of open challenges, with the reply that takes each, and that of players. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.games.model import Game
from godaemon.games.time_in_words import settings_in_words
from mailgate.letters.blocks import Block, Choices, Items, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import (
    NOT_A_REPLY,
    called,
    conditions,
    rating_in_words,
    shown_name,
    title,
)


def challenges(view: LetterView) -> LetterBlocks:
    """What can be taken, and the reader's own."""
    own = {entry["game"] for entry in view.about.get("listed", ())}
    games = [game for game, _ in view.data.waiting]
    others = [game for game in games if game.id not in own]
    named = bool(view.about.get("named"))
    ratings = view.about.get("ratings", {})
    rows = [
        (f"take {game.id}", _offer(game, ratings.get(str(game.id)), named=named)) for game in others
    ]
    mine = [
        (f"{game.id}: withdraw", f"take your own challenge back: {_terms(game)}")
        for game in games
        if game.id in own
    ]
    blocks: list[Block] = [Choices(tuple(some)) for some in (rows, mine) if some]
    if view.about.get("taking"):
        blocks.append(Words(NOT_A_REPLY, small=True))
    if not mine:
        words = "To offer a game to anybody who plays here, reply with: `new 13x13 open`"
        blocks.append(Words(words, small=True))
    first = f"{view.about.get('news', '')} {_first(view, [game.id for game in others])}".strip()
    return LetterBlocks(first, tuple(blocks))


def _first(view: LetterView, others: list[int]) -> str:
    taking = view.about.get("taking")
    if taking in others:
        return f"To begin game {taking}, reply to this email with: `take {taking}`"
    if not others:
        return "There is no open challenge for you to take at the moment."
    count = len(others)
    waits = "One open challenge waits" if count == 1 else f"{count} open challenges wait"
    return f"{waits} for somebody to play."


def _offer(game: Game, rating: Sequence[float] | None, *, named: bool) -> str:
    """With whom, and on which terms; no address, and to a stranger no name."""
    who = called(game.spec.proposer) if named else "somebody"
    rated = f" ({rating_in_words(rating)})" if rating else ""
    return f"play {who}{rated}: {_terms(game)}"


def _terms(game: Game) -> str:
    spec = game.spec
    ranks = f", for {spec.rank}" if spec.rank else ""
    color = f", you have {title(spec.color.opponent)}" if spec.color else ""
    begins = ", from a position of its own" if spec.opening else ""
    public = ", others may watch" if spec.public else ""
    return f"{conditions(game)}{begins}{color}{ranks}{public}; {settings_in_words(spec.time)}"


def players(view: LetterView) -> LetterBlocks:
    """Who is on the list, with what they say of themselves; to a stranger no names."""
    found = [(shown_name(name), *told) for name, *told in view.about.get("players", ())]
    blocks: list[Block] = []
    if found:
        blocks.append(Items(tuple(_player(*one) for one in found)))
        words = f"To invite one by name, reply with, for example: `new 9x9 vs {found[0][0]}`"
        blocks += [Words(words, small=True)] if found[0][0] != shown_name("") else []
    on = bool(view.about.get("on"))
    change = ("players off", "leave the list") if on else ("players on", "be on the list yourself")
    blocks.append(Choices((change, ("i am 5 kyu, Berlin", "your own rank, and where you are"))))
    also = "You are on the list of players" if on else "You are not on the list of players"
    players = "one player" if len(found) == 1 else f"{len(found)} players"
    count = f"it has {players}{' more' if on else ''}"
    if not found:
        count = "nobody else is on it" if on else "it is empty"
    listed = f"{also}; {count}."
    return LetterBlocks(f"{_own_rating(view)} {listed}", tuple(blocks))


def _player(name: str, line: str, rating: Sequence[float]) -> str:
    """`Alice: 5 kyu, Berlin; rating 1467, about 6 kyu`."""
    said = "; ".join(filter(None, (line, f"rating {rating_in_words(rating)}" if rating else "")))
    return f"{name}: {said}" if said else name


def _own_rating(view: LetterView) -> str:
    """The reader's, in a sentence."""
    if rating := view.about.get("rating"):
        return f"Your rating is {rating_in_words(rating)}."
    return "You have no rating yet: it begins with your first rated game."
