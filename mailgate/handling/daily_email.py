"""The one email a day, for players who want no others: who is owed one, and what it lists.

godaemon/games/player_calendar.py knows its hour.
"""

from __future__ import annotations

from godaemon.games.commands import EmailLevel
from godaemon.games.notices import Kind, Notice
from godaemon.games.player_calendar import BEYOND, schedule_daily_email
from godaemon.games.public_games import owe_due_emails
from godaemon.games.running_clocks import MOST_IN_A_ROUND
from godaemon.games.service import GameService
from godaemon.games.wanted_emails import effective_preferences
from mailgate.handling.player_games import list_entries, open_games


def send_daily_emails(games: GameService) -> bool:
    """Queue the lists that are due to players and spectators; True if more may be due."""
    unit, now = games.unit, games.now
    due = unit.players.digests_due(now, now + BEYOND, MOST_IN_A_ROUND)
    for address in due:
        late = (unit.players.profile(address).digest_due or now) > now
        schedule_daily_email(unit, address, now, wanted=True)
        if not late and postponed_games(games, address):
            send_games_list(games, address, daily=True)
    watched = owe_due_emails(unit, games.game, now, MOST_IN_A_ROUND)
    return MOST_IN_A_ROUND in {len(due), watched}


def postponed_games(games: GameService, address: str) -> set[int]:
    """The games that await somebody who will be told so in the email of the day."""
    waiting = {one.game.id for one in open_games(games, address) if one.awaits is not None}
    levels = {game: effective_preferences(games.unit, address, game).emails for game in waiting}
    return {game for game, level in levels.items() if level is EmailLevel.DAILY}


def send_games_list(games: GameService, address: str, *, daily: bool = False) -> None:
    """Owe the list of what awaits somebody, to the address as its owner writes it."""
    found, at = open_games(games, address), games.now.isoformat()
    held = (one.holder for one in found if one.holder.casefold() == address.casefold())
    about = {"engines": games.engines.help_rows, "listed": list_entries(found, {}), "daily": daily}
    notice = Notice(Kind.GAMES, next(held, address.casefold()), about={"at": at, **about})
    games.unit.outbox.owe(notice, games.now)
