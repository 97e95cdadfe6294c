"""Notices that a player's own Go program spares them while it sits in the seat.

What the program did itself, and a move that it waits for, its player sees there. Should it go while
that still awaits them, the letter is owed then, once: it is kept in the transaction that would have
owed it, so that nothing is lost where the program or the daemon dies. So is the letter of a pass
that has had no answer for a while: a program that counts by itself, as Sabaki does, sends the
second pass to nobody. Never spared are words, which programs do not show, the start of a count,
and the end. Within one transaction; raises nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from godaemon.games import events as ev
from godaemon.games.awaited import awaited
from godaemon.games.email_settings import in_force, wanted
from godaemon.games.model import Game, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.store_protocols import KeptNotice, Unit
from godaemon.rules.points import Color

SEATED = "seated"
"""What a notice is about that was kept: its reader's program has sat in the seat."""


def spared(kind: Kind, events: Sequence[ev.Event], *, did: bool, watches: bool) -> bool:
    """True where a seat's program shows what a letter would tell.

    `did` says that the program did it, `watches` that it waits for the opponent's move.
    """
    if did:
        return kind not in {Kind.SCORING_STARTED, Kind.FINISHED, Kind.REVIEW}
    silent = not any(isinstance(event, ev.Said) for event in events)
    return watches and silent and kind is Kind.YOUR_TURN


def keep(unit: Unit, kind: Kind, game: Game, seat: Seat, since: int) -> None:
    """Keep a notice for when the program has gone, where something awaits its player now.

    That a note was kept is no news, and takes the place of none.
    """
    if awaited(game, seat) and kind is not Kind.NOTE:
        kept = KeptNotice(kind, since, game.length, game.digest)
        unit.seats.keep_notice(game.id, seat.word, kept)


def owe_kept(unit: Unit, game: Game, seat: Seat, now: datetime) -> None:
    """Owe the notice that was kept for a seat, if nothing but talk has happened since."""
    kept = unit.seats.take_kept(game.id, seat.word)
    if kept is None or kept.digest != game.digest or not awaited(game, seat):
        return
    to = game.player(seat).address
    if wanted(in_force(unit, to, game.id).emails, kept.kind, game, seat):
        what, since, until = kept.kind, kept.since, kept.until
        unit.outbox.owe(Notice(what, to, "", game.id, seat, since, until, "", {SEATED: True}), now)


def silent_passes(unit: Unit, before: datetime) -> Sequence[tuple[int, Color]]:
    """The seats that have not answered a pass since `before`, and for which a notice is kept."""
    kept = ((number, Color[color.upper()]) for number, color in unit.seats.kept_seats())
    return [seat for seat in kept if _passed(unit.games.log(seat[0]), before)]


def _passed(log: Sequence[ev.LogEntry], before: datetime) -> bool:
    last = next(entry for entry in reversed(log) if not isinstance(entry.event, ev.QUIET))
    return isinstance(last.event, ev.Passed) and last.at <= before
