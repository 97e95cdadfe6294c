"""Begin games by letters, and read recorded ones."""

from collections.abc import Sequence

from godaemon.records.record import Record
from godaemon.records.sgf import parse_sgf
from godaemon.rules.points import Point
from godaemon.rules.position import Move
from tests.support import places
from tests.support.board_reader import parse_rows
from tests.support.letters import plain
from tests.support.players import MailPlayer

DATA = places.DATA / "games"


def recorded(name: str) -> Record:
    return parse_sgf((DATA / f"{name}.sgf").read_bytes())


def begin(alice: MailPlayer, bob: MailPlayer, terms: str) -> int:
    """Start a game with Alice as Black, and return its number."""
    alice.write(f"new {terms} as black vs {bob.address}")
    alice.expect("confirm")
    alice.reply("yes")
    bob.expect("invitation")
    bob.reply("accept")
    bob.expect("started")
    return int(str(alice.expect("started")["X-Godaemon-Game"]))


def seat_key(player: MailPlayer) -> str:
    """Request a seat key in reply to the player's newest letter."""
    player.reply("gui")
    words = plain(player.expect("gui")).split()
    return words[words.index("--key") + 1]


def word(move: Move) -> str:
    return "pass" if move.point is None else str(move.point)


def dead_stones(rows: Sequence[str]) -> list[Point]:
    """The dead stones of a seven-state board."""
    return sorted(parse_rows(rows).dead)
