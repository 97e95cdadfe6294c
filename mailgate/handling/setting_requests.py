"""Requests about which letters a player gets: `emails`, `receipts`, `reviews`, `stop`, `settings`.

In answer to a letter of a game they are about that game, unless they say `everywhere`; else about
all games, where the letter is its sender's own beyond doubt; so is `reviews` in answer to a letter
of a game that is over, which has no end to come. An invitation that is not accepted is
answered otherwise: there `stop` means never again from that player. Raises `Unreadable`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.email_settings import choose, in_force
from godaemon.games.model import Game, Seat
from godaemon.games.notices import Kind
from godaemon.games.store_protocols import Preferences
from mailgate.handling import account_requests
from mailgate.handling.answer_limits import LOOP
from mailgate.handling.context import LetterContext
from mailgate.handling.sureness import Sure


def prepare(
    context: LetterContext, command: cmd.Setting, game: Game | None, seat: Seat | None
) -> Callable[[], object]:
    """The change that will be written down, once all of the letter has been looked at."""
    if isinstance(command, cmd.ShowSettings):
        return partial(_tell, context, command, game, seat, everywhere=game is None)
    if (game is None or seat is None) and context.sure < Sure.VOUCHED:
        raise Unreadable(
            "Anybody could write this in your name. Please answer one of my emails about a game, on"
            f" its first line, with: {_everywhere(command)}",
            hints=("games",),
        )
    if isinstance(command, cmd.Stop) and not command.everywhere and _invited(game, seat):
        return account_requests.prepare(context, cmd.Block(), game, seat)
    return partial(_change, context, command, game, seat)


def _invited(game: Game | None, seat: Seat | None) -> bool:
    """True for who was invited to a game that has not begun."""
    return game is not None and game.black is None and seat is Seat.INVITED


def _change(
    context: LetterContext,
    command: cmd.Emails | cmd.Receipts | cmd.Reviews | cmd.Stop,
    game: Game | None,
    seat: Seat | None,
) -> None:
    late = isinstance(command, cmd.Reviews) and game is not None and game.phase.over
    everywhere = command.everywhere or game is None or late
    choose(
        context.unit,
        _whose(context, game, seat),
        0 if everywhere or game is None else game.id,
        emails=_level(command),
        receipts=command.wanted if isinstance(command, cmd.Receipts) else None,
        reviews=command.wanted if isinstance(command, cmd.Reviews) else None,
    )
    _tell(context, command, game, seat, everywhere=everywhere)


def _tell(
    context: LetterContext,
    command: cmd.Setting,
    game: Game | None,
    seat: Seat | None,
    *,
    everywhere: bool,
) -> None:
    address = _whose(context, game, seat)
    about: dict[str, object] = {
        "asked": type(command).__name__.lower(),
        "everywhere": everywhere,
        "here": _words(in_force(context.unit, address, game.id if game else 0)),
        "elsewhere": _words(in_force(context.unit, address)),
    }
    if not context.limits.too_many(context.sender, (Kind.SETTINGS,), most=LOOP):
        context.owe(Kind.SETTINGS, game, seat, about=about)


def _whose(context: LetterContext, game: Game | None, seat: Seat | None) -> str:
    """The address whose letters are meant: the seat's, from whichever of theirs its player writes.

    A letter about no game is about its sender's.
    """
    return context.sender if game is None or seat is None else game.player(seat).address


def _level(command: cmd.Emails | cmd.Receipts | cmd.Reviews | cmd.Stop) -> cmd.EmailLevel | None:
    if isinstance(command, cmd.Emails):
        return command.wanted
    return cmd.EmailLevel.NONE if isinstance(command, cmd.Stop) else None


def _everywhere(command: cmd.Emails | cmd.Receipts | cmd.Reviews | cmd.Stop) -> str:
    """The line that asks the same for all games."""
    if isinstance(command, cmd.Emails):
        return f"emails {command.wanted} everywhere"
    if isinstance(command, cmd.Stop):
        return "stop all"
    verb = type(command).__name__.casefold()
    return f"{verb} {'on' if command.wanted else 'off'} everywhere"


def _words(preferences: Preferences) -> dict[str, str]:
    """What holds, by the words that ask for it; "" while nothing was said."""
    said = {None: "", True: "on", False: "off"}
    return {
        "emails": str(preferences.emails),
        "receipts": said[preferences.receipts],
        "reviews": said[preferences.reviews],
    }
