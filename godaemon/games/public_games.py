"""Public games: open challenges, and games that others may watch.

A block hides the challenges and games of either person from the other. A game is public while both
players allow it. Spectators see the board and the players' names, but no words, notes, plans,
clocks or addresses. They get at most one email an hour, or one a day with `daily` or `my-turn`; the
last one comes at once. Within one transaction; raises `NotAllowed` and `Unknown`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from godaemon.errors import Corrupt, NotAllowed, Unknown
from godaemon.games import events as ev
from godaemon.games.commands import EmailLevel
from godaemon.games.model import OPEN, PUBLIC, Game, Phase, Player, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.people import has_block, person
from godaemon.games.player_calendar import MAX_AHEAD, next_daily_email
from godaemon.games.player_settings import Preferences
from godaemon.games.stored_values import GameSummary, Unit, Watcher
from godaemon.games.wanted_emails import allow_emails, change_preferences, effective_preferences
from godaemon.rules.points import Color
from godaemon.texts.catalogue import sentence


def challenges_for(unit: Unit, address: str) -> list[GameSummary]:
    """The open challenges that an address may take, and its own challenges; the newest first."""
    rows = unit.games.summaries(OPEN, {Phase.PROPOSED})
    return [row for row in rows if is_own(row, address) or is_welcome(unit, row.black, address)]


def is_own(row: GameSummary, address: str) -> bool:
    return person(row.black) == person(address)


def check_taking(unit: Unit, number: int, address: str) -> None:
    """Raise if an address cannot see a challenge, or opened it itself."""
    row = next((one for one in challenges_for(unit, address) if one.id == number), None)
    if row is None:
        raise Unknown(sentence("no-such-challenge", number=number), hints=("challenges",))
    if is_own(row, address):
        raise NotAllowed(sentence("challenge-is-yours", number=number), hints=("challenges",))


def is_welcome(unit: Unit, opener: str, taker: str) -> bool:
    """True if neither has blocked the other, and the opener wants and receives emails."""
    silent = unit.players.preferences(opener)[0].emails is EmailLevel.NONE
    lost = unit.players.bouncing_address(opener)
    return not (has_block(unit, opener, taker) or silent or (lost is not None and lost.suspended))


MAX_GAMES = 10
"""Maximum number of games that a person may watch at a time."""
MAX_WATCHERS = 100
"""Maximum number of people who may watch a game."""
EMAIL_INTERVAL = timedelta(hours=1)
"""The shortest time between two emails about a game."""
VISIBLE_EVENTS = (ev.Placed, ev.Moved, ev.Passed, ev.Undone, ev.Resumed, ev.Finished)
"""Events that spectators see."""


def watchable_games(unit: Unit, address: str) -> list[GameSummary]:
    """The public games of others that an address may watch."""
    rows = unit.games.summaries(PUBLIC)
    return [row for row in rows if not (_plays(row, address) or _is_blocked(unit, row, address))]


def check_watching(unit: Unit, number: int, address: str) -> None:
    """Raise if an address may not watch a game, or a limit is reached."""
    row = next((one for one in unit.games.summaries(PUBLIC) if one.id == number), None)
    if row is not None and _plays(row, address):
        raise NotAllowed(sentence("own-game", game=number), hints=(f"show {number}",))
    if row is None or _is_blocked(unit, row, address):
        raise Unknown(sentence("not-watchable", game=number), hints=("watch",))
    mine, others = unit.watchers.of_person(address), unit.watchers.of_game(number)
    if number in [one.game for one in mine]:
        return
    if len(mine) >= MAX_GAMES:
        raise NotAllowed(
            sentence("watching-enough", count=MAX_GAMES),
            hints=(f"unwatch {mine[-1].game}", "watch"),
        )
    if len(others) >= MAX_WATCHERS:
        raise NotAllowed(sentence("watched-enough", game=number), hints=("watch",))


def _plays(row: GameSummary, address: str) -> bool:
    return person(address) in {person(row.black), person(row.white)}


def _is_blocked(unit: Unit, row: GameSummary, address: str) -> bool:
    return any(has_block(unit, one, address) for one in (row.black, row.white))


def watch(unit: Unit, game: Game, address: str, now: datetime, *, daily: bool | None) -> None:
    """Let a person watch a game; `daily` sets how often they get emails (None: no change)."""
    allow_emails(unit, address, game.id)
    if daily is not None:
        level = EmailLevel.DAILY if daily else EmailLevel.ALL
        change_preferences(unit, address, Preferences(emails=level), game.id)
    unit.watchers.save(Watcher(game.id, address, now))


def spectator_view(game: Game) -> Game:
    """The game without the players' private information."""
    black, white = (_anonymous(one, game.player(Seat.of(one))) for one in Color)
    proposer, invited = (black, white)[:: int(game.color_of(Seat.PROPOSER) or Color.BLACK)]
    spec = replace(game.spec, proposer=proposer, invited=invited, words="")
    view = replace(game, spec=spec, black=black, white=white, clock=None, plans={}, addresses={})
    view = replace(view, undo_asked=None, public_asked=None, voiding=frozenset())
    return replace(view, chat=(), remarks=(), undone=(), agreed={}, estimates=())


def _anonymous(color: Color, player: Player) -> Player:
    """A player without address, and without a name that is only the part before its @."""
    name = "" if player.name == player.address.partition("@")[0] else player.name
    return Player(f"@{color.word}", name)


def tell_spectators(
    unit: Unit, before: Game, after: Game, events: Sequence[ev.Event], now: datetime
) -> None:
    """Queue emails to spectators, or schedule them; at the game's end they stop watching."""
    ended = before.public and not after.public
    if not before.public or not (
        ended or any(isinstance(event, VISIBLE_EVENTS) for event in events)
    ):
        return
    for one in unit.watchers.of_game(after.id):
        level = effective_preferences(unit, one.address, after.id).emails
        since = one.since if one.due else before.length
        due = now if ended else one.due or _due_moment(unit, one, level, now)
        unit.watchers.save(replace(one, since=since, due=due))
        players = [after.player(seat).address for seat in after.seats]
        blocked = any(has_block(unit, player, one.address) for player in players)
        if level is EmailLevel.NONE or blocked:
            unit.watchers.end(one.address, after.id)
        elif due <= now:
            _queue_email(unit, after, replace(one, since=since), now)
        if ended:
            unit.watchers.end(one.address, after.id)


def _due_moment(unit: Unit, watcher: Watcher, level: EmailLevel | None, now: datetime) -> datetime:
    if level in {EmailLevel.DAILY, EmailLevel.MY_TURN}:
        return next_daily_email(unit.players.profile(watcher.address), now)
    return min(max(now, watcher.told + EMAIL_INTERVAL), now + EMAIL_INTERVAL)


def queue_due_emails(unit: Unit, load: Callable[[int], Game], now: datetime, limit: int) -> int:
    """Queue the emails to spectators that are due, at most `limit`; returns their number."""
    due = unit.watchers.due(now, now + MAX_AHEAD, limit)
    for one in due:
        try:
            _queue_email(unit, load(one.game), one, now)
        except Corrupt:  # the game is set aside
            unit.watchers.end(one.address, one.game)
    return len(due)


def _queue_email(unit: Unit, game: Game, watcher: Watcher, now: datetime) -> None:
    """Queue an email; a spectator whose address is suspended stops watching."""
    about, to = {"at": now.isoformat()}, watcher.address
    notice = Notice(Kind.WATCH, to, "", game.id, None, watcher.since, game.length, about=about)
    if unit.outbox.queue(notice, now):
        unit.watchers.save(Watcher(game.id, watcher.address, now))
    else:
        unit.watchers.end(watcher.address, game.id)
