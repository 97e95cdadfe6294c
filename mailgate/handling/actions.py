"""What a letter's commands mean in a game, and what is said of that game in its answer. Pure."""

from __future__ import annotations

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.model import Game, Phase, Seat
from godaemon.rules.points import parse_point
from mailgate.language.parser import ParsedText

__all__ = ["actions", "acts", "opponent", "opponent_name", "possible", "verbs"]

_ACTIONS = (
    *(cmd.Play, cmd.Place, cmd.Pass, cmd.Resign, cmd.Done, cmd.Resume, cmd.Void),
    *(cmd.Yes, cmd.No, cmd.Withdraw, cmd.Mark, cmd.Say),
)


def acts(reading: ParsedText) -> bool:
    """Whether any of the commands acts on a game."""
    return any(isinstance(spoken.command, _ACTIONS) for spoken in reading.commands)


def actions(reading: ParsedText, game: Game) -> tuple[cmd.Action, ...]:
    """The commands that act on the game, with the words for the opponent as the last of them."""
    found = tuple(
        spoken.command for spoken in reading.commands if isinstance(spoken.command, _ACTIONS)
    )
    if game.phase is Phase.PROPOSED and cmd.No() in found:
        return (cmd.No(reading.message),)
    if game.phase is Phase.PROPOSED and any(
        isinstance(spoken.command, cmd.Block) for spoken in reading.commands
    ):
        return (*found, cmd.No())
    told = game.phase is not Phase.PROPOSED or cmd.Yes() in found
    if reading.message and (told or not reading.commands):
        proposing = game.phase is Phase.PROPOSED and not game.confirmed
        if not proposing or not found:
            return (*found, cmd.Say(reading.message))
    return found


def opponent(game: Game, seat: Seat) -> str | None:
    """The address of the other player, where that is another person."""
    color = game.color_of(seat)
    if color is None or game.spec.teaching:
        return None
    other = game.player(Seat.of(color.opponent))
    return None if other.engine is not None else other.address


def opponent_name(game: Game | None, seat: Seat | None) -> str:
    """What the other player is called, for a result."""
    color = game.color_of(seat) if game and seat else None
    if game is None or color is None or game.spec.teaching:
        return "the record" if game and game.spec.teaching else "your opponent"
    return game.player(Seat.of(color.opponent)).name or "your opponent"


def possible(hint: str, game: Game | None) -> bool:
    """Whether a hint could work: it names no point that this game's board does not have."""
    return game is None or all(_on_board(word, game) for word in hint.split())


def _on_board(word: str, game: Game) -> bool:
    try:
        return game.spec.size.has(parse_point(word))
    except Unreadable:
        return True


def verbs(reading: ParsedText) -> str:
    """What was done, for the log."""
    named = [type(spoken.command).__name__.lower() for spoken in reading.commands]
    return ",".join(named) or "say"
