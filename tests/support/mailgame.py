"""Playing a recorded game by letters, from the invitation to the last pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from godaemon.records.record import Record
from godaemon.records.sgf import parse_sgf
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Move
from tests.support import places
from tests.support.letters import plain
from tests.support.players import MailPlayer

DATA = places.DATA / "games"

Before = Callable[[int, MailPlayer], None]
"""Called before move number N is sent, with the player whose turn it is."""


def recorded(name: str) -> Record:
    return parse_sgf((DATA / f"{name}.sgf").read_bytes())


def begin(alice: MailPlayer, bob: MailPlayer, terms: str) -> int:
    """Alice, with black, proposes and confirms; Bob accepts; the game's number."""
    alice.write(f"new {terms} as black vs {bob.address}")
    alice.expect("confirm")
    alice.reply("yes")
    bob.expect("invitation")
    bob.reply("accept")
    bob.expect("started")
    return int(str(alice.expect("started")["X-Godaemon-Game"]))


def seat_key(player: MailPlayer) -> str:
    """The key that a player gets by asking in answer to their newest letter."""
    player.reply("gui")
    words = plain(player.expect("gui")).split()
    return words[words.index("--key") + 1]


def word(move: Move) -> str:
    return "pass" if move.point is None else str(move.point)


def play(
    black: MailPlayer, white: MailPlayer, moves: Sequence[Move], before: Before | None = None
) -> None:
    """Send every move as a reply to the mover's turn letter; ends with the scoring letters."""
    for number, move in enumerate(moves, start=1):
        mover, other = (black, white) if move.color is Color.BLACK else (white, black)
        if before is not None:
            before(number, mover)
        mover.reply(word(move))
        if number < len(moves):
            other.expect("your-turn")
    black.expect("scoring-started")
    white.expect("scoring-started")


def dead_stones(rows: Sequence[str]) -> list[Point]:
    """The stones that a seven-state board has as dead."""
    height = len(rows)
    return [
        Point(column, height - 1 - down)
        for down, row in enumerate(rows)
        for column, state in enumerate(row)
        if state in "cx"
    ]
