"""The open games of an address, as a list of them tells and a reply to the list is held against.

Reads games and writes nothing; raises nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from godaemon.games import commands as cmd
from godaemon.games.awaited import Awaited
from godaemon.games.model import GOING, Game, Phase, Seat
from godaemon.games.service import GameService
from godaemon.games.store_protocols import GameSummary
from mailgate.handling.seated import Seated

MOST = 50
"""How many open games are looked at; of those that are not, a list tells without buttons."""

_ANSWERS: dict[Awaited, tuple[type, ...]] = {
    Awaited.TURN: (cmd.Play, cmd.Place, cmd.Pass, cmd.Undo, cmd.Resign),
    Awaited.COUNT: (cmd.Mark, cmd.Done, cmd.Resume, cmd.Estimate),
    Awaited.INVITATION: (cmd.Yes, cmd.No, cmd.Counter),
    Awaited.CONFIRMATION: (cmd.Yes, cmd.No, cmd.Withdraw),
    Awaited.VOID: (cmd.Void, cmd.Withdraw, cmd.No),
}
"""What answers each decision that a game awaits."""


def open_games(games: GameService, address: str) -> list[Seated]:
    """The open games of an address, `MOST` of them: those that await its decision, newest first."""
    going = games.unit.games.summaries(address, GOING)
    rows = sorted(going, key=lambda row: row.updated, reverse=True)
    rows.sort(key=lambda row: _idle(row, address.casefold()))
    readable = filter(None, (games.readable(row.id) for row in rows[:MOST]))
    found = filter(None, (seated_in(game, address) for game in readable))
    return sorted(found, key=lambda one: one.awaits is None)


def by_name(games: GameService, address: str) -> dict[str, int]:
    """The open games of an address by the name of the opponent, and by the first part of that.

    A name of whom more than one game is open stands for none.
    """
    found: dict[str, set[int]] = {}
    for row in games.unit.games.summaries(address, GOING):
        for holder, name in ((row.black, row.black_name), (row.white, row.white_name)):
            if holder.casefold() != address.casefold():
                for called in {name.casefold(), *name.casefold().split()[:1]} - _NOBODY:
                    found.setdefault(called, set()).add(row.id)
    return {called: min(ids) for called, ids in found.items() if len(ids) == 1}


_NOBODY = {
    *("", "the", "a", "an", "my", "i", "you", "he", "she", "it", "we", "they", "me", "mr", "mrs"),
    *("ms", "dr", "hi", "hello", "hey", "dear", "thanks", "please", "yes", "no", "now", "time"),
}
"""Words with which names begin, and which mean nobody by themselves."""


def last_ended(games: GameService, address: str) -> list[Seated]:
    """The game of an address that is the last of those that are over; none where none is.

    And where this program cannot read that one.
    """
    rows = games.unit.games.summaries(address, set(Phase) - GOING)
    last = max(rows, key=lambda row: row.updated, default=None)
    game = games.readable(last.id) if last is not None else None
    found = seated_in(game, address) if game is not None else None
    return [found] if found is not None else []


def listing(games: Sequence[Seated], said: Mapping[int, list[str]]) -> list[dict[str, object]]:
    """What the notice of a list remembers of these games, and what may have been meant in them."""
    return [{**one.entry(), "meant": said.get(one.game.id, [])} for one in games]


def meant(waits: Mapping[int, str | None], command: cmd.Command | None = None) -> list[int]:
    """The games, of those that await what is told, that a command may be about.

    Where none awaits such a command, all that wait for anything; where none waits, all.
    """
    waiting = [number for number, awaits in waits.items() if awaits]
    fitting = [one for one in waiting if fits(command, waits[one])]
    return fitting or waiting or list(waits)


def fits(command: cmd.Command | None, awaits: str | None) -> bool:
    """True where a command answers what a game awaits."""
    return awaits is not None and isinstance(command, _ANSWERS[Awaited(awaits)])


def _idle(row: GameSummary, address: str) -> bool:
    holder = row.black if row.to_move == "black" else row.white
    return row.phase is Phase.PLAYING and holder.casefold() != address


def seated_in(game: Game, address: str) -> Seated | None:
    """An address in its first seat; None where it has none, or one that was not yet asked for."""
    seats = game.seats_of(address)
    if not seats or (seats[0] is Seat.INVITED and not game.confirmed):
        return None
    return Seated(game, seats[0])
