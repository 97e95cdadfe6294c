"""The decisions that a game awaits from its players, and the check for stale answers.

godaemon/README.md, "Two revisions", says which revisions a command must answer. Raises `Stale`.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from godaemon.errors import Refusal, Stale
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.dead_stones import dead_after
from godaemon.games.model import Game, Phase, Revisions, Seat, Uncounted
from godaemon.rules.points import Color
from godaemon.texts.catalogue import sentence

_DECISION_CHANGES = (
    *(ev.Started, ev.Placed, ev.Moved, ev.Passed, ev.Undone, ev.Resumed),
    *(ev.Marked, ev.Agreed, ev.Disagreed),
)
"""Events after which the next decision may be another player's."""


class Awaited(StrEnum):
    """A decision that a game awaits; lists count them in this order, turns first."""

    COUNT = "count"
    """Agree to the count, or change the marks."""
    INVITATION = "invitation"
    """Accept or decline."""
    CONFIRMATION = "confirmation"
    """Confirm their own proposal."""
    TURN = "turn"
    VOID = "void"
    """Accept or decline the opponent's offer to end the game without a result."""


def awaited_decision(game: Game, seat: Seat) -> Awaited | None:
    """The decision that a game awaits from a seat; None if there is none."""
    if game.phase is Phase.PROPOSED:
        return _awaited_before_start(game, seat)
    color, teaching = game.color_of(seat), game.spec.teaching
    if game.phase is Phase.SCORING and (teaching or color not in game.agreed):
        return Awaited.COUNT
    if game.to_move is not None and (teaching or game.to_move is color):
        return Awaited.TURN
    offered = game.phase is Phase.PLAYING and game.voiding and color not in game.voiding
    return Awaited.VOID if offered else None


def _awaited_before_start(game: Game, seat: Seat) -> Awaited | None:
    proposer = game.side(seat) is Seat.PROPOSER
    if not game.confirmed:
        return Awaited.CONFIRMATION if proposer else None
    return None if game.side(seat) is game.offering_side else Awaited.INVITATION


def last_activity(game: Game, log: Sequence[ev.LogEntry]) -> tuple[datetime, datetime | None]:
    """The moments of the last activity, and of the last warning to both players since then.

    Activity is an event of `_DECISION_CHANGES` by anybody, or any event of a player who is to act.
    """
    awaited = [color.word for color in Color if awaited_decision(game, Seat.of(color)) is not None]
    warning = None
    for entry in reversed(log):
        event = entry.event
        if isinstance(event, _DECISION_CHANGES) or getattr(event, "color", None) in awaited:
            return entry.at, warning
        if isinstance(event, ev.Reminded) and not event.to:
            warning = warning or entry.at
    return log[0].at, warning


_ABOUT_PRESENT_POSITION = (
    *(cmd.Play, cmd.Place, cmd.Pass, cmd.Resume, cmd.Void, cmd.Resign, cmd.Mark),
    *(cmd.Yes, cmd.No, cmd.Withdraw),
)
"""Commands that must answer the current position."""
_ONE_POSITION_LATE = (cmd.Undo, cmd.If, cmd.CancelIfs)
"""Commands that may answer the current position or the one before it."""
_WORDS = {cmd.Done: "done", cmd.Resign: "resign", cmd.Void: "void", cmd.Withdraw: "void"}
"""The line that a refusal suggests after a stale command."""


def check_fresh(
    game: Game,
    commands: Sequence[cmd.Command],
    seen: Revisions | None,
    seat: Seat | None = None,
    shown: Game | None = None,
) -> None:
    """Raise `Stale` if the game has changed since the email that one of the commands answers.

    `seen` has the revisions in that email, or is None for a live view; `shown` is the game at
    `seen`. If it is no longer the turn of `seat`, the error says so. Before a game starts, only an
    answer to its terms can be stale.
    """
    if seen is None or game.phase is Phase.PROPOSED:
        answers = any(isinstance(command, cmd.Yes | cmd.Counter) for command in commands)
        if answers and game.counters and seen and seen.position != game.revisions.position:
            raise Stale(sentence("stale"), hints=("accept", "decline"))
        return
    for command in commands:
        if _is_stale(game, commands, command, seen, shown):
            raise _stale_refusal(game, command, seat)
        counts = isinstance(command, cmd.Done) and game.phase is Phase.SCORING
        if counts and isinstance(seen, Uncounted) and not _marks(commands):
            raise Stale(sentence("stale-count"), hints=("done",))


def _is_stale(
    game: Game,
    commands: Sequence[cmd.Command],
    command: cmd.Command,
    seen: Revisions,
    shown: Game | None,
) -> bool:
    now, old = game.revisions, seen.position != game.revisions.position
    if isinstance(command, cmd.Done):
        other_marks = seen.marks != now.marks and not _repeats_marks(game, commands, shown)
        return other_marks or (old and game.phase is Phase.SCORING)
    if isinstance(command, _ONE_POSITION_LATE) or command == cmd.Public():
        return seen.position not in (now.position, now.position - 1)
    return old and isinstance(command, _ABOUT_PRESENT_POSITION)


def _stale_refusal(game: Game, command: cmd.Command, seat: Seat | None) -> Stale:
    color, mover = game.color_of(seat) if seat else None, game.to_move
    waits = color and mover and color is not mover and not game.spec.teaching
    who = game.player(Seat.of(mover)).name if mover and waits else ""
    if isinstance(command, cmd.Play | cmd.Pass) and who:
        last = [str(move.point) for move in game.position.moves[-1:] if move.color is color]
        if isinstance(command, cmd.Play) and str(command.point) in last:
            return Stale(sentence("played-already", point=last[0], who=who))
        return Stale(sentence("not-your-turn", who=who))
    word = _WORDS.get(type(command))
    possible = game.phase is Phase.SCORING if word == "done" else not game.phase.over
    return Stale(sentence("stale"), hints=(word,) if word and possible else ())


def _marks(commands: Sequence[cmd.Command]) -> list[cmd.Mark]:
    return [command for command in commands if isinstance(command, cmd.Mark)]


def _repeats_marks(game: Game, commands: Sequence[cmd.Command], shown: Game | None) -> bool:
    """True if an email's marks, made in the game that it answers, give exactly the current ones."""
    if shown is None or not _marks(commands):
        return False
    for mark in _marks(commands):
        with suppress(Refusal):
            shown = replace(shown, dead=dead_after(shown, mark))
    return shown.dead == game.dead
