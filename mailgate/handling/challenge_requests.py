"""Open challenges by letter: the list of them, and taking one.

Each function looks at what is asked, raises a `Refusal`, or gives back what writes it down. Who
only says who they are is sent the list, and a reply to that shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from godaemon.games.model import Seat
from godaemon.games.notices import Kind
from godaemon.games.open_challenges import is_own, open_to
from godaemon.games.proposal_limits import check_open
from mailgate.handling.context import LetterContext
from mailgate.handling.listed_games import OpenGame, listing
from mailgate.handling.sureness import Sure

MOST = 30
"""How many challenges one list shows, the newest ones."""


def list_open(context: LetterContext, *, taking: int = 0) -> Callable[[], object]:
    """The challenges that the sender may take, and their own; a stranger is told no names."""
    check_open(context.unit, context.games.limits, context.sender, context.now)
    rows = open_to(context.unit, context.sender)
    games = [(row, context.games.game(row.id)) for row in rows[:MOST]]
    own = [OpenGame(game, Seat.PROPOSER) for row, game in games if is_own(row, context.sender)]
    about: dict[str, object] = {
        "at": context.now.isoformat(),
        "listed": listing(own, {}),
        "open": [{"game": game.id, "length": game.length} for _, game in games],
        "named": not context.limits.is_stranger(context.sender),
        **({"taking": taking} if taking else {}),
    }
    return partial(context.owe, Kind.CHALLENGES, None, None, about=about)


def take(context: LetterContext, number: int, words: str) -> Callable[[], object]:
    """Begin the game, for the sender of a letter that is theirs beyond doubt."""
    if context.sure < Sure.VOUCHED:
        return list_open(context, taking=number)
    decided = context.games.taking(number, words, context.caller)
    return partial(context.games.carry_out, decided)
