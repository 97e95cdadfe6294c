"""Every error of godaemon, as a tree; siblings differ in what the caller does next.

GodaemonError                 a public sentence for people, private detail for the log
  Refusal                     a request that cannot be met; nothing has changed
    Unreadable                the text has no form that we know; suggest one
    IllegalMove               the rules of Go forbid it (`reason` says which one)
    NotYourTurn               the other player is to move
    WrongPhase                the game's phase does not allow the request
    Stale                     the game has changed since the request was written; show it
    NotAllowed                this person may not do this, or has reached a limit
    Unknown                   there is no such game, move, ruleset ...
    NotRunning                no daemon is running (exit 69)
    NotPermitted              this user may not open the daemon's socket (exit 77)
  Temporary                   a problem that may pass: try again later (451, retry, exit 75)
    Busy                      another process holds the resource (a running daemon, a lock)
    NotStarted                a program that we run is missing, or does not start
    Deferred                  the recipient's mail server does not accept an email yet
    QuotaExceeded             the daily limit on emails to strangers is reached (451, tomorrow)
  Undeliverable               no mail server will ever accept this email: set it aside
  ConfigError                 the operator's file is wrong; do not restart (exit 78)
  Corrupt                     stored data are damaged (exit 70)
    Damaged                   the log of one game: it is set aside, the other games go on
    StoreDamaged              the database: incoming emails wait at their servers until a restore

Imports only the texts. A `Refusal` reaches people as its `str()`; `detail` never does. An exception
outside this tree is our bug: its changes are rolled back, and its email is quarantined.
"""

import re
from enum import Enum


class GodaemonError(Exception):
    """The base of our errors: `public` is a whole sentence for people, `detail` is for the log."""

    def __init__(self, public: str, *, detail: str = "") -> None:
        super().__init__(public)
        self.public = public
        self.detail = detail

    @property
    def code(self) -> str:
        """The stable name of the reason (`not-your-turn`), or else of the class (`unreadable`)."""
        reason = getattr(self, "reason", None)
        words = reason.value if isinstance(reason, Reason) else _split_name(type(self).__name__)
        return words.replace(" ", "-").lower()


def _split_name(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name)


class Refusal(GodaemonError):
    """A request that cannot be met; nothing has changed. `hints` are replies that would work.

    `case` names a refusal that a front end treats in its own way; the log has it as the detail.
    """

    def __init__(
        self, public: str, *, hints: tuple[str, ...] = (), detail: str = "", case: str = ""
    ) -> None:
        super().__init__(public, detail=detail or case)
        self.hints = hints
        self.case = case


class Unreadable(Refusal):
    """The text has none of the forms that we know."""


class Reason(Enum):
    """Why a move was refused: the `reason` of `IllegalMove`, `NotYourTurn` and `WrongPhase`."""

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
    """The game's phase does not allow the request; `reason` is set if the game is over."""

    def __init__(
        self, public: str, *, hints: tuple[str, ...] = (), reason: Reason | None = None
    ) -> None:
        super().__init__(public, hints=hints)
        self.reason = reason


class Stale(Refusal):
    """The game has changed since the request was written; nothing was applied."""


class NotAllowed(Refusal):
    """This person may not do this, or has reached a limit."""


class Unknown(Refusal):
    """The requested thing does not exist."""


class NotRunning(Refusal):
    """No daemon is running."""


class NotPermitted(Refusal):
    """The user who runs this command may not open the daemon's socket."""


class Temporary(GodaemonError):
    """A problem that may pass: nothing has changed, and the same request may work later."""


class Busy(Temporary):
    """Another process holds the resource."""


class NotStarted(Temporary):
    """A program that we run is missing, or does not start."""


class Deferred(Temporary):
    """An email was deferred because of its recipient or its content, not because of us.

    `status` is the enhanced status code (RFC 3463: "4.2.2"), or "4.0.0" if there was none.
    """

    def __init__(self, public: str, *, detail: str = "", status: str = "4.0.0") -> None:
        super().__init__(public, detail=detail)
        self.status = status


class QuotaExceeded(Temporary):
    """The daily limit on emails to strangers is reached; the request can be repeated later.

    `guessed` is true if the email had a token that we never issued.
    """

    def __init__(self, public: str, *, detail: str = "", guessed: bool = False) -> None:
        super().__init__(public, detail=detail)
        self.guessed = guessed


class Undeliverable(GodaemonError):
    """An email was refused for good: a retry will not help.

    `status` is the enhanced status code (RFC 3463: "5.1.1") if the recipient's mail server refused
    it; "" if the email never left us.
    """

    def __init__(self, public: str, *, detail: str = "", status: str = "") -> None:
        super().__init__(public, detail=detail)
        self.status = status


class ConfigError(GodaemonError):
    """The operator's configuration is wrong; starting again will not help."""


class Corrupt(GodaemonError):
    """Stored data are damaged."""


class StoreDamaged(Corrupt):
    """The database cannot be read: its disk fails, or it needs `godaemon restore`."""


class Damaged(Corrupt):
    """The log of a game is damaged; the players see `public`, the operator `detail`."""

    game = 0

    @classmethod
    def of(cls, game: int, event: int | None, fault: str) -> "Damaged":
        """The error for a game; `event` is the number of the first damaged event, if known."""
        prefix = "" if event is None else f"event {event}: "
        # Clients of the daemon must start fast, and need no sentences.
        from godaemon.texts.catalogue import sentence  # noqa: PLC0415

        error = cls(sentence("game-damaged", game=game), detail=f"{prefix}{fault}")
        error.game = game
        return error
