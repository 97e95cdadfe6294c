"""The email of the day: the list of what waits, owed by a timer to who wants one at this hour."""

from __future__ import annotations

from godaemon.games.commands import EmailLevel
from godaemon.games.email_settings import in_force
from godaemon.games.notices import Kind, Notice
from godaemon.games.player_calendar import BEYOND, schedule
from godaemon.games.public_games import send_due
from godaemon.games.running_clocks import AT_ONCE
from godaemon.games.service import GameService
from mailgate.handling.seated import listing, open_games


def send_digests(games: GameService) -> bool:
    """Owe what is due to players and to those who watch; whether more may be due."""
    unit, now = games.unit, games.now
    due = unit.players.digests_due(now, now + BEYOND, AT_ONCE)
    for address in due:
        late = (unit.players.profile(address).digest_due or now) > now
        schedule(unit, address, now, wanted=True)
        if not late and put_off(games, address):
            send_now(games, address, daily=True)
    watched = send_due(unit, games.game, now, AT_ONCE)
    return AT_ONCE in {len(due), watched}


def put_off(games: GameService, address: str) -> set[int]:
    """The games that await somebody who will be told so in the email of the day."""
    waiting = {one.game.id for one in open_games(games, address) if one.awaits is not None}
    levels = {game: in_force(games.unit, address, game).emails for game in waiting}
    return {game for game, level in levels.items() if level is EmailLevel.DAILY}


def send_now(games: GameService, address: str, *, daily: bool = False) -> None:
    """Owe the list of what awaits somebody, to the address as its owner writes it."""
    found, at = open_games(games, address), games.now.isoformat()
    held = (one.holder for one in found if one.holder.casefold() == address.casefold())
    about = {"engines": games.engines.told, "listed": listing(found, {}), "daily": daily}
    notice = Notice(Kind.GAMES, next(held, address.casefold()), about={"at": at, **about})
    games.unit.outbox.owe(notice, games.now)
