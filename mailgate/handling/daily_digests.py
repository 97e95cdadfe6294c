"""The email of the day: the list of what waits, owed by a timer to who wants one at this hour.

Owed and put forward in one transaction, so that it comes once. Raises nothing of its own.
"""

from __future__ import annotations

from datetime import datetime

from godaemon.games.commands import EmailLevel
from godaemon.games.daily_digest import BEYOND, schedule
from godaemon.games.email_settings import in_force
from godaemon.games.notices import Kind, Notice
from godaemon.games.running_clocks import AT_ONCE
from godaemon.games.service import GameService
from godaemon.games.spectators import send_due
from mailgate.handling.listed_games import listing, open_games
from mailgate.handling.seated import Seated


def send_digests(games: GameService) -> bool:
    """Owe what is due to players and to those who watch; whether more may be due."""
    unit, now = games.unit, games.now
    due = unit.players.digests_due(now, now + BEYOND, AT_ONCE)
    for address in due:
        late = (unit.players.profile(address).digest_due or now) > now
        schedule(unit, address, now, wanted=True)
        found = open_games(games, address)
        if not late and any(_waits(games, address, one) for one in found):
            _owe(games, address, found, now)
    watched = send_due(unit, games.game, now, AT_ONCE)
    return AT_ONCE in {len(due), watched}


def put_off(games: GameService, address: str) -> set[int]:
    """The games that await somebody who will be told so in the email of the day."""
    found = open_games(games, address)
    return {one.game.id for one in found if _waits(games, address, one)}


def send_now(games: GameService, address: str) -> None:
    """Owe the list of what awaits somebody who has been waiting for the email of the day."""
    _owe(games, address.casefold(), open_games(games, address), games.now, daily=False)


def _waits(games: GameService, address: str, one: Seated) -> bool:
    """True for a game that awaits somebody who has put it off to the email of the day."""
    level = in_force(games.unit, address, one.game.id).emails
    return one.awaits is not None and level is EmailLevel.DAILY


def _owe(
    games: GameService, address: str, found: list[Seated], now: datetime, *, daily: bool = True
) -> None:
    """To the address as its owner writes it."""
    to = next((one.holder for one in found if one.holder.casefold() == address), address)
    about: dict[str, object] = {
        "at": now.isoformat(),
        "engines": games.engines.told,
        "listed": listing(found, {}),
        "daily": daily,
    }
    games.unit.outbox.owe(Notice(Kind.GAMES, to, about=about), now)
