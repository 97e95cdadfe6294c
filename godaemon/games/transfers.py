"""Moves a player's seats to another address, after both addresses agreed. Raises a `Refusal`."""

from contextlib import suppress
from dataclasses import replace

from godaemon.errors import NotAllowed, Refusal, Unreadable, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import OPEN_PHASES, Game, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.people import person
from godaemon.games.player_calendar import schedule_daily_email
from godaemon.games.player_settings import Preferences, Profile
from godaemon.games.seat_keys import issue_keys
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Transfer, Unit
from godaemon.games.wanted_emails import effective_preferences, move_our_address
from godaemon.texts.catalogue import sentence

MAX_GAMES = 200
"""Maximum number of games in one transfer."""


def check_transfer(game: Game, seat: Seat, new: str, *, knows_other: bool = True) -> None:
    """Raise a `Refusal` if a seat cannot move to a new address.

    Without `knows_other`, no refusal reveals that the new address is the opponent's.
    """
    if game.phase.over:
        raise WrongPhase(sentence("nothing-to-move"), hints=("games",))
    if new.casefold() == game.player(seat).address.casefold():
        raise Unreadable(sentence("goes-there-already", address=new))
    same = game.player(seat.other).address.casefold() == new.casefold()
    if knows_other and same and not game.spec.teaching:
        raise NotAllowed(sentence("both-at-one-address"))


def carry_out_transfer(games: GameService, transfer: Transfer, caller: Caller) -> tuple[Game, ...]:
    """Move a seat, or all open ones, and email each game to the new address; returns the games.

    A game that cannot be moved or read stays unchanged.
    """
    moved = list[Game]()
    if transfer.game is None:
        _move_watching(games.unit, transfer.old, transfer.new)
        _move_profile(games, transfer.old, transfer.new)
        move_our_address(games.unit, transfer.old, transfer.new)
    rows = games.unit.games.summaries(transfer.old, OPEN_PHASES, MAX_GAMES)
    for number in [row.id for row in rows] if transfer.game is None else [transfer.game]:
        game = games.readable_game(number)
        seat = game.seat_held_by(transfer.old) if game is not None else None
        if game is not None and seat is not None:
            with suppress(Refusal):
                check_transfer(game, seat, transfer.new)
                moved.append(_move_seat(games, game, seat, transfer, caller))
    return tuple(moved)


def _move_watching(unit: Unit, old: str, new: str) -> None:
    for watched in unit.watchers.of_person(old):
        unit.watchers.end(old, watched.game)
        unit.watchers.save(replace(watched, address=new))
        move_our_address(unit, old, new, watched.game)


def _move_profile(games: GameService, old: str, new: str) -> None:
    """Move blocks; also the profile, settings and rating, unless the new address has its own."""
    players = games.unit.players
    if players.profile(new) == Profile():
        profile = players.profile(old)
        players.set_profile(new, profile)
        players.set_profile(old, replace(profile, listed=None, digest_due=None))
    for other in players.blocks(person(old)):
        players.block(person(new), other)
    _move_preferences(games, old, new)
    if (last := players.last_rated_game(old)) is not None and players.last_rated_game(new) is None:
        players.set_rated_game(replace(last, address=new))


def _move_preferences(games: GameService, old: str, new: str, game: int = 0) -> None:
    """Move a player's email settings in a game, or (0) in all."""
    unit, place = games.unit, int(game > 0)
    before, present = (unit.players.preferences(one, game)[place] for one in (old, new))
    if before != present and replace(present, receipts_sent=0) == Preferences():
        unit.players.set_preferences(new, before, game)
    daily = effective_preferences(unit, new, game).emails is cmd.EmailLevel.DAILY
    if daily and unit.players.profile(new).digest_due is None:
        schedule_daily_email(unit, new, games.now, wanted=True)


def _move_seat(
    games: GameService, game: Game, seat: Seat, transfer: Transfer, caller: Caller
) -> Game:
    move_our_address(games.unit, transfer.old, transfer.new, game.id)
    _move_preferences(games, transfer.old, transfer.new, game.id)
    issue_keys(games.unit, game, seat, on=False)  # somebody else may have the old key
    event = ev.Transferred(game.side(seat).word, transfer.new)
    after = games.add_event(game, event, seat, caller).after
    games.unit.outbox.queue(Notice.of(Kind.SHOW, after, seat, caller.address), games.now)
    return after
