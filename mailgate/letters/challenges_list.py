"""The list of open challenges, with the reply that takes each, and that of players. Pure."""

from __future__ import annotations

from godaemon.games.model import Game
from godaemon.games.time_in_words import settings_in_words
from mailgate.letters.blocks import Block, Choices, Items, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import NOT_A_REPLY, called, capital, conditions, shown_name, title


def challenges(view: LetterView) -> LetterBlocks:
    """What can be taken, and the reader's own."""
    own = {entry["game"] for entry in view.about.get("listed", ())}
    games = [game for game, _ in view.data.waiting]
    others = [game for game in games if game.id not in own]
    named = bool(view.about.get("named"))
    rows = [(f"take {game.id}", _offer(game, named=named)) for game in others]
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
    return f"{capital(waiting(len(others)))} for somebody to play."


def waiting(count: int) -> str:
    """How many wait: `an open challenge waits`."""
    return "one open challenge waits" if count == 1 else f"{count} open challenges wait"


def _offer(game: Game, *, named: bool) -> str:
    """With whom, and on which terms; no address, and to a stranger no name."""
    return f"play {called(game.spec.proposer) if named else 'somebody'}: {_terms(game)}"


def _terms(game: Game) -> str:
    spec = game.spec
    ranks = f", for {spec.rank}" if spec.rank else ""
    color = f", you have {title(spec.color.opponent)}" if spec.color else ""
    begins = ", from a position of its own" if spec.opening else ""
    return f"{conditions(game)}{begins}{color}{ranks}; {settings_in_words(spec.time)}"


def players(view: LetterView) -> LetterBlocks:
    """Who is on the list, with what they say of themselves; to a stranger no names."""
    found = [(shown_name(name), line) for name, line in view.about.get("players", ())]
    blocks: list[Block] = []
    if found:
        blocks.append(Items(tuple(f"{name}: {line}" if line else name for name, line in found)))
        words = f"To invite one by name, reply with, for example: `new 9x9 vs {found[0][0]}`"
        blocks += [Words(words, small=True)] if found[0][0] != shown_name("") else []
    on = bool(view.about.get("on"))
    change = ("players off", "leave the list") if on else ("players on", "be on the list yourself")
    blocks.append(Choices((change, ("i am 5 kyu, Berlin", "say your own rank, and where you are"))))
    count = "one player" if len(found) == 1 else f"{len(found) or 'no'} players"
    also = "You are on the list of players" if on else "You are not on the list of players"
    return LetterBlocks(f"{also}; it has {count}{' more' if on else ''}.", tuple(blocks))
