"""The row of a game for lists and timers: whose it is, how it stands, when to look at its clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from godaemon.games.game_clock import WRONG
from godaemon.games.model import PUBLIC, Game, Phase, Player
from godaemon.games.store_protocols import Alarm, GameSummary

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_LOOKS = timedelta(days=28)


def addresses_of(game: Game) -> set[str]:
    """The addresses whose game it is."""
    known = {game.spec.proposer.address}
    if game.confirmed and not (game.spec.open and game.phase.over):
        known.add(game.spec.invited.address)
    if game.public:
        known.add(PUBLIC)
    return known.union(*game.addresses.values())


def summary_of(game: Game, now: datetime) -> GameSummary:
    """A game's row for lists, as it is now."""
    black: Player = game.black or game.spec.proposer
    white: Player = game.white or game.spec.invited
    return GameSummary(
        id=game.id,
        phase=game.phase,
        size=str(game.spec.size),
        rules=game.spec.rules,
        black=black.address,
        white=white.address,
        move_number=game.move_number,
        to_move=game.to_move.word if game.to_move else None,
        result=game.result,
        updated=now,
        black_name=black.name,
        white_name=white.name,
        **alarms_of(game, now)._asdict(),
    )


def alarms_of(game: Game, now: datetime) -> Alarm:
    """When the flag falls, and when to look at the clock next: `WRONG` from now at the latest.

    What is to ring later than that was written while the machine's clock was ahead.
    """
    clock = game.clock
    alarm = clock.alarm if clock else None
    if alarm is None and game.phase in {Phase.PLAYING, Phase.SCORING}:
        alarm = next_look(game.id, now)
    return Alarm(clock.soonest if clock else None, alarm and min(alarm, now + WRONG))


def next_look(number: int, now: datetime) -> datetime:
    """When to see next whether a game without a clock has waited too long.

    These moments are of the game's number alone: nothing that happens in it puts them off.
    """
    first = _EPOCH + number * timedelta(hours=1)
    return first + _LOOKS * ((now - first) // _LOOKS + 1)
