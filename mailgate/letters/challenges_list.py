"""The list of open challenges: what is played, with whom, and the reply that takes each. Pure."""

from __future__ import annotations

from godaemon.games.model import Game
from godaemon.games.time_in_words import settings_in_words
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import NOT_A_REPLY, called, capital, conditions, title


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
    return LetterBlocks(_first(view, [game.id for game in others]), tuple(blocks))


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
    color = f", you have {title(spec.color.opponent)}" if spec.color else ""
    return f"{conditions(game)}{color}; {settings_in_words(spec.time)}"
