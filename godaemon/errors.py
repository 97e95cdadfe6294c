"""Every error of godaemon, as one drawn tree; siblings differ by what the caller does next.

GodaemonError                 a public sentence for the person, private detail for the log
  Refusal                     the person asked for what cannot be; nothing has changed
    Unreadable                what was written is not a form we know; say what would be
    IllegalMove               the rules of Go forbid it (`reason` says which one)
    NotYourTurn               right move, wrong moment
    WrongPhase                the game is not in a phase in which this can be done
    Stale                     written against a game that has changed since; show the present one
    NotAllowed                this person, or this many times, may not do this
    Unknown                   there is no such game, point of the record, ruleset ...
    NotRunning                no daemon is there that could be asked (exit 69)
  Temporary                   our trouble or the world's: try again later (451, retry, exit 75)
    Busy                      somebody else holds what we need (a running daemon, a lock)
    NotStarted                a program that is to run for us is not there, or does not start
    PutOff                    the recipient's mail server will not take a letter yet
    Enough                    strangers have made us write enough for today (451, tomorrow)
  Undeliverable               no next hop will ever take this letter: set it aside
  ConfigError                 the operator's file is wrong; do not restart (exit 78)
  Corrupt                     stored bytes do not mean what they must (exit 70)
    Damaged                   those of one game: it is put aside, and all others go on
    StoreDamaged              those of the database: emails wait with their servers until a restore

This module imports the texts alone. A `Refusal` reaches people as its `str()`; `detail` never does.
Anything that is *not* in this tree is our bug: it rolls back, and goes to quarantine.
"""

from __future__ import annotations

import re
from enum import Enum


class GodaemonError(Exception):
    """The root: `public` is a whole sentence for a person, `detail` is for the log alone."""

    def __init__(self, public: str, *, detail: str = "") -> None:
        super().__init__(public)
        self.public = public
        self.detail = detail

    @property
    def code(self) -> str:
        """The error in a word that never changes, for programs: `occupied`, `not-your-turn`.

        That is the reason if there is one, else the kind of error: `unreadable`, `stale`.
        """
        reason = getattr(self, "reason", None)
        words = reason.value if isinstance(reason, Reason) else _split_name(type(self).__name__)
        return words.replace(" ", "-").lower()


def _split_name(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name)


class Refusal(GodaemonError):
    """A request that cannot be met; nothing has changed.

    `hints` are exact replies that would work, in the words a player can send.
    """

    def __init__(self, public: str, *, hints: tuple[str, ...] = (), detail: str = "") -> None:
        super().__init__(public, detail=detail)
        self.hints = hints


class Unreadable(Refusal):
    """The words are in no form that we read."""


class Reason(Enum):
    """Reasons that forbid a move: the `reason` of `IllegalMove`, `NotYourTurn`, `WrongPhase`."""

    OFF_BOARD = "off board"
    OCCUPIED = "occupied"
    KO = "ko"
    SUPERKO = "superko"
    SUICIDE = "suicide"
    NOT_YOUR_TURN = "not your turn"
    GAME_OVER = "game over"


class IllegalMove(Refusal):
    """The rules of Go forbid the move; `reason` says which rule.

    For a repetition, `repeats` is the number of the move after which the board was the same; 0 is
    the start.
    """

    def __init__(self, public: str, reason: Reason, *, repeats: int | None = None) -> None:
        super().__init__(public, detail=reason.value)
        self.reason = reason
        self.repeats = repeats


class NotYourTurn(Refusal):
    """The other player is to move."""

    reason = Reason.NOT_YOUR_TURN


class WrongPhase(Refusal):
    """This cannot be done in the game's phase; `reason` is set if the game is over."""

    def __init__(
        self, public: str, *, hints: tuple[str, ...] = (), reason: Reason | None = None
    ) -> None:
        super().__init__(public, hints=hints)
        self.reason = reason


class Stale(Refusal):
    """The game has changed since this was written: show it as it is, and apply nothing."""


class NotAllowed(Refusal):
    """This person may not do this, or not so often."""


class Unknown(Refusal):
    """There is no such thing."""


class NotRunning(Refusal):
    """No daemon is running that could do it."""


class Temporary(GodaemonError):
    """Trouble that may pass: nothing has changed, and the same request may work later."""


class Busy(Temporary):
    """Somebody else holds what is needed."""


class NotStarted(Temporary):
    """A program that we run is missing, or does not start: nobody's fault but ours."""


class PutOff(Temporary):
    """A letter was not taken yet because of its recipient or itself, not because of us.

    `status` is the enhanced status code (RFC 3463: "4.2.2"), or "4.0.0" if there was none.
    """

    def __init__(self, public: str, *, detail: str = "", status: str = "4.0.0") -> None:
        super().__init__(public, detail=detail)
        self.status = status


class Enough(Temporary):
    """Strangers have made us write enough for today; the request can be repeated later.

    `guessed` is true if the letter had a token that we never gave out.
    """

    def __init__(self, public: str, *, detail: str = "", guessed: bool = False) -> None:
        super().__init__(public, detail=detail)
        self.guessed = guessed


class Undeliverable(GodaemonError):
    """A letter was refused for good: trying again will not help.

    `status` is the enhanced status code (RFC 3463: "5.1.1") if the recipient's mail server refused
    it; "" if the letter did not leave us.
    """

    def __init__(self, public: str, *, detail: str = "", status: str = "") -> None:
        super().__init__(public, detail=detail)
        self.status = status


class ConfigError(GodaemonError):
    """The operator's configuration is wrong; starting again will not help."""


class Corrupt(GodaemonError):
    """Stored bytes make no sense."""


class StoreDamaged(Corrupt):
    """The database cannot be read: its disk fails, or it needs `godaemon restore`."""


class Damaged(Corrupt):
    """A game's record has been changed: `event` is the first wrong one, `what` its fault.

    Its players read the public sentence, the operator the detail.
    """

    game = 0

    @classmethod
    def of(cls, game: int, event: int | None, what: str) -> Damaged:
        where = "" if event is None else f"event {event}: "
        # A client of the daemon must start fast, and says no sentences.
        from godaemon.texts.catalogue import sentence  # noqa: PLC0415

        made = cls(sentence("game-damaged", game=game), detail=f"{where}{what}")
        made.game = game
        return made
