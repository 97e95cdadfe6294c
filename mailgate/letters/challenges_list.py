"""The list of open challenges, with the reply that takes each, and that of players. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.games.model import Game
from godaemon.games.time_in_words import settings_in_words
from godaemon.texts.catalogue import retold, say
from mailgate.letters.blocks import Block, Choices, Items, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import (
    called,
    conditions,
    not_a_reply,
    rating_in_words,
    shown_name,
    title,
)


def challenges(view: LetterView) -> LetterBlocks:
    """What can be taken, and the reader's own."""
    own = {entry["game"] for entry in view.about.get("listed", ())}
    games = [game for game, _ in view.data.waiting]
    others = [game for game in games if game.id not in own]
    rows = [(f"take {game.id}", _offer(view, game)) for game in others]
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
    news, first = retold(view.about.get("news", "")), _first(view, [game.id for game in others])
    return LetterBlocks(f"{news} {first}".strip(), tuple(blocks))


def _first(view: LetterView, others: list[int]) -> str:
    taking = view.about.get("taking")
    if taking in others:
        return say("start-challenge", game=taking)
    return say("challenges", count=len(others)) if others else say("no-challenges")


def _offer(view: LetterView, game: Game) -> str:
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
