"""Staleness: a letter that was written against a game which has changed since is refused. Pure.

The table is that of godaemon/README.md, "Two revisions". Raises `Stale`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from godaemon.errors import Refusal, Stale
from godaemon.games import commands as cmd
from godaemon.games.dead_stones import dead_after
from godaemon.games.model import Game, Phase, Revisions, Seat, Uncounted
from godaemon.texts.catalogue import told


def check_fresh(
    game: Game,
    commands: Sequence[cmd.Command],
    seen: Revisions | None,
    seat: Seat | None = None,
) -> None:
    """Raise `Stale` where a command was written against a game that has changed since.

    `seen` are the revisions the player saw, None for one who sees the game as it is; who has the
    `seat` is told, if so, that it is not their turn any more. The table
    is that of godaemon/README.md, "Two revisions"; a whole letter is checked once, before its first
    command. What comes before the start is refused for that, and not for its age.
    """
    if seen is None or game.phase is Phase.PROPOSED:
        answers = any(isinstance(command, cmd.Yes | cmd.Counter) for command in commands)
        if answers and game.counters and seen and seen.position != game.revisions.position:
            raise Stale(told("stale-terms"), hints=("accept", "decline"))
        return
    now, counted = game.revisions, game.phase is Phase.SCORING
    for command in commands:
        if isinstance(command, cmd.Done):
            other = seen.marks != now.marks and not _restates(game, commands, seen)
            stale = other or (counted and seen.position != now.position)
        elif isinstance(
            command,
            (cmd.Play | cmd.Place | cmd.Pass | cmd.Resume | cmd.Void | cmd.Resign | cmd.Mark)
            | (cmd.Yes | cmd.No | cmd.Withdraw),
        ):
            stale = seen.position != now.position
        elif isinstance(command, cmd.Undo | cmd.If | cmd.CancelIfs) or command == cmd.Public():
            stale = seen.position not in (now.position, now.position - 1)
        else:
            stale = False
        if stale:
            raise _refusal(game, command, seat)
        if isinstance(command, cmd.Done) and counted and isinstance(seen, Uncounted):
            _check_marked(commands)


def _refusal(game: Game, command: cmd.Command, seat: Seat | None) -> Stale:
    if isinstance(command, cmd.Play | cmd.Pass) and (other := _mover(game, seat)):
        return Stale(told("stale-turn", who=other))
    if _has_its_time(game, command):
        return Stale(told(_STALE.get(type(command), "stale")), hints=_stale_hints(command))
    return Stale(told("stale"))


def _mover(game: Game, seat: Seat | None) -> str:
    """The name of who is to move, where that is not who has a seat: most often they just have."""
    color = game.color_of(seat) if seat else None
    waits = color is not None and color is not game.to_move and not game.spec.teaching
    return game.player(Seat.of(game.to_move)).name if waits and game.to_move else ""


_STALE = {
    cmd.Done: "stale-done",
    cmd.Resign: "stale-resign",
    cmd.Void: "stale-void",
    cmd.Withdraw: "stale-void",
}


def _check_marked(commands: Sequence[cmd.Command]) -> None:
    """Raise `Stale` for a bare `done` to a letter with another count than the game's.

    Beside marks it agrees to what they make of the game.
    """
    if not any(isinstance(command, cmd.Mark) for command in commands):
        raise Stale(told("stale-count"), hints=("done",))


def _restates(game: Game, commands: Sequence[cmd.Command], seen: Revisions) -> bool:
    """True where an answer to our proposal has the marks that there are now: all, and no others."""
    proposed = replace(game, dead=frozenset())
    for command in commands if isinstance(seen, Uncounted) else ():
        if isinstance(command, cmd.Mark):
            with suppress(Refusal):
                proposed = replace(proposed, dead=dead_after(proposed, command))
    return isinstance(seen, Uncounted) and proposed.dead == game.dead


def _has_its_time(game: Game, command: cmd.Command) -> bool:
    """Whether a fresh command of the kind could be meant now: nobody is told to say it in vain."""
    if isinstance(command, cmd.Done):
        return game.phase is Phase.SCORING
    return not game.phase.over


def _stale_hints(command: cmd.Command) -> tuple[str, ...]:
    hints = {cmd.Done: ("done",), cmd.Resign: ("resign",)}
    hints |= dict.fromkeys((cmd.Void, cmd.Withdraw), ("void",))
    return hints.get(type(command), ())
