"""Open challenges by letter: the list of them, and taking one; and the list of players.

Each function looks at what is asked, raises a `Refusal`, or gives back what writes it down. Who
only says who they are is sent the list, and a reply to that shows it.
"""

from __future__ import annotations

from functools import partial

from godaemon.games import ratings
from godaemon.games.invitation_blocks import wants_none
from godaemon.games.model import Player, Seat
from godaemon.games.notices import Kind
from godaemon.games.open_challenges import is_own, open_to, welcome
from godaemon.games.people import person
from godaemon.games.proposal_limits import check_open_here
from mailgate.handling.context import Answer, LetterContext
from mailgate.handling.listed_games import listing
from mailgate.handling.seated import Seated
from mailgate.handling.sureness import Sure

MOST = 30
"""How many challenges one list shows, the newest ones."""
LISTED = 200
"""How many players are listed."""


def list_open(context: LetterContext, **more: object) -> Answer:
    """The challenges that the sender may take, and their own; a stranger is told no names.

    `more` is what else the letter says: what they want to take, or what became of their lines.
    """
    check_open_here(context.games.limits)
    rows = open_to(context.unit, context.sender)
    found = [(row, context.games.readable(row.id)) for row in rows[:MOST]]
    games = [(row, game) for row, game in found if game is not None]
    own = [Seated(game, Seat.PROPOSER) for row, game in games if is_own(row, context.sender)]
    about: dict[str, object] = {
        "listed": listing(own, {}),
        "open": [{"game": game.id, "length": game.length} for _, game in games],
        "ratings": {
            str(game.id): rating
            for _, game in games
            if (rating := _rating(context, game.spec.proposer.address))
        },
        "named": not context.limits.is_stranger(context.sender),
        **more,
    }
    return partial(context.owe, Kind.CHALLENGES, about=about)


def list_players(context: LetterContext) -> None:
    """Those who are on the list of players, but whom the sender has blocked or is blocked by."""
    players, named = context.unit.players, not context.limits.is_stranger(context.sender)
    found = [
        (one.name, players.profile(one.address).line, _rating(context, one.address))
        for one in listed_players(context)
    ]
    about: dict[str, object] = {
        "players": [[name if named else "", line or "", rating] for name, line, rating in found],
        "on": players.profile(context.sender).listed is not None,
        "rating": _rating(context, context.sender),
    }
    context.owe(Kind.PLAYERS, about=about)


def _rating(context: LetterContext, address: str) -> list[float]:
    return ratings.told(ratings.rating_of(context.unit, address))


def listed_players(context: LetterContext) -> list[Player]:
    """Those who are on the list and may be invited by the sender, by the names that it has."""
    unit, me = context.unit, context.sender
    others = (one for one in unit.players.listed(LISTED) if person(one) != person(me))
    found = (one for one in others if welcome(unit, one, me) and not wants_none(unit, one))
    return [Player(one, unit.players.profile(one).shown) for one in found]


def take(context: LetterContext, number: int | None, words: str) -> Answer:
    """Begin the game, for the sender of a letter that is theirs beyond doubt."""
    if number is None:
        return list_open(context)
    if context.sure < Sure.VOUCHED:
        return list_open(context, taking=number)
    decided = context.games.taking(number, words, context.caller)
    return partial(context.games.carry_out, decided)
