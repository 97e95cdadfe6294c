"""The arguments and the results of the service: who calls it, and what it decides."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Game, Seat
from godaemon.games.stranger_limits import Origin

_NO_ORIGIN = Origin()


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller: `cause` goes into the log, `message_id` is that of the caller's email."""

    cause: str
    address: str = ""
    name: str = ""
    message_id: str = ""
    receipt_included: bool = False
    """True if another email reports the result, so that a move needs no receipt."""
    from_program: bool = False
    """True for a Go program in the actor's seat."""
    origin: Origin = _NO_ORIGIN
    extra_facts: Mapping[str, object] = field(default_factory=dict, hash=False)
    """Additional facts for our answer, which is then sent even without other facts."""
    our_address: str = ""
    """The address of ours that the email was sent to; "" for the main one."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on a request: the events, and the game before and after them."""

    before: Game
    after: Game
    events: tuple[ev.Event, ...]
    actor: Seat
    caller: Caller
    commands: tuple[cmd.Command, ...] = ()
    before_replies: Game | None = None
    """The game after the commands alone, if planned replies followed."""

    @property
    def stored_events(self) -> int:
        """The number of the game's events that are in the store before these."""
        return 0 if self.has(ev.Proposed) else self.before.length

    def has(self, *kinds: type) -> bool:
        return any(isinstance(event, kinds) for event in self.events)
