"""The daily email: who is due one, and which games it lists (its hour: `games.player_calendar`)."""

from godaemon.games.commands import EmailLevel
from godaemon.games.notices import Kind, Notice
from godaemon.games.player_calendar import MAX_AHEAD, schedule_daily_email
from godaemon.games.public_games import queue_due_emails
from godaemon.games.running_clocks import BATCH
from godaemon.games.service import GameService
from godaemon.games.wanted_emails import effective_preferences
from mailgate.handling.player_games import list_entries, open_games


def send_daily_emails(games: GameService) -> bool:
    """Queue the lists that are due to players and spectators; True if more may be due."""
    unit, now = games.unit, games.now
    due = unit.players.digests_due(now, now + MAX_AHEAD, BATCH)
    for address in due:
        misdated = (unit.players.profile(address).digest_due or now) > now
        schedule_daily_email(unit, address, now, wanted=True)
        if not misdated and postponed_games(games, address):
            send_games_list(games, address, daily=True)
    spectator_emails = queue_due_emails(unit, games.game, now, BATCH)
    return BATCH in {len(due), spectator_emails}


def postponed_games(games: GameService, address: str) -> set[int]:
    """The numbers of the games that await an address and are left to its daily email."""
    waiting = {one.game.id for one in open_games(games, address) if one.awaits is not None}
    levels = {game: effective_preferences(games.unit, address, game).emails for game in waiting}
    return {game for game, level in levels.items() if level is EmailLevel.DAILY}


def send_games_list(games: GameService, address: str, *, daily: bool = False) -> None:
    """Queue the list of games, to the address as its owner spells it."""
    views, at = open_games(games, address), games.now.isoformat()
    spellings = (one.holder for one in views if one.holder.casefold() == address.casefold())
    about = {"engines": games.engines.help_rows, "listed": list_entries(views, {}), "daily": daily}
    notice = Notice(Kind.GAMES, next(spellings, address.casefold()), about={"at": at, **about})
    games.unit.outbox.queue(notice, games.now)
