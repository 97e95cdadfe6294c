"""Calls of the service: who calls, what a call decides, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Game, Seat
from godaemon.games.quotas import Origin

_NOWHERE = Origin()


@dataclass(frozen=True, slots=True)
class Caller:
    """The actor, and by what: `cause` goes into the log, `answers` is the letter's Message-ID."""

    cause: str
    address: str = ""
    name: str = ""
    answers: str = ""
    told: bool = False
    """True where a letter of its own says what was done, so that no move needs a receipt."""
    seated: bool = False
    """True for a Go program in the actor's seat."""
    origin: Origin = _NOWHERE
    """Where the letter came from."""
    aside: Mapping[str, object] = field(default_factory=dict, hash=False)
    """What the letter that tells the actor what was done says besides; it comes for that alone."""
    ours: str = ""
    """The address of ours that it came to; "" for the main one."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a call: the game before and after, and the events between."""

    before: Game
    after: Game
    events: tuple[ev.Event, ...]
    asked: Game | None = None
    """The game as the commands alone make it, where it went on by itself: by the other's plan."""

    def has(self, *kinds: type) -> bool:
        """Whether an event of one of these kinds is among them."""
        return any(isinstance(event, kinds) for event in self.events)


@dataclass(frozen=True, slots=True)
class Decision:
    """The result that a call will have: all that is left to do is to write it down."""

    known: int
    """How many of the game's events are in the store already."""
    result: Result
    actor: Seat
    commands: tuple[cmd.Command, ...]
    caller: Caller

    @property
    def after(self) -> Game:
        """The game as it will be."""
        return self.result.after
