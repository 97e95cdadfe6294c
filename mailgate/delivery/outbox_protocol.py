"""The outbox as its worker and the operator need it: claims, and the outcome of each.

`godaemon.storage` satisfies these protocols; the methods are called inside `Writer.run`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from godaemon.games.notices import DueNotice, Kind
from godaemon.games.store_protocols import OutboxWriter, Unit

HELD = "held by the operator"  # the error of a notice that waits for the operator's word


class TroubledNotice(NamedTuple):
    """A notice that has not gone out, and why."""

    id: int
    kind: str
    recipient: str
    game: int | None
    status: str
    attempts: int
    last_error: str | None
    due_at: datetime
    lease: datetime | None  # until when a worker holds it


class Backlog(NamedTuple):
    """The notices that could go out now, and since when the first of them could."""

    due: int
    oldest: datetime | None


class OutboxQueue(OutboxWriter, Protocol):
    """The outbox, for sending."""

    def claim(
        self, now: datetime, seconds: float, limit: int, but: Kind | None = None
    ) -> Sequence[DueNotice]:
        """Lease up to `limit` due notices for that many seconds, skipping the kind `but`.

        A claim counts as a try. The notices come in the order in which they were queued.
        """

    def written(self, number: int, message_id: str, letter: bytes) -> bool:
        """Store the letter's bytes, before the first try; False if we have lost the lease."""

    def leased(self, number: int) -> bool:
        """Whether we still hold the notice's lease."""

    def sent(self, number: int, at: datetime) -> None:
        """Mark as sent: delete the bytes, keep the Message-ID."""

    def retry(self, number: int, error: str, due: datetime) -> bool:
        """Record a failed try; the next is at `due`. False if we have lost the lease."""

    def undeliverable(self, number: int, error: str, at: datetime) -> bool:
        """Set aside a letter that was refused for good or not written; the operator can see it.

        False if we have lost the lease.
        """

    def next_due(self, but: Kind | None = None) -> datetime | None:
        """When the next notice is due or its lease ends, skipping the kind `but`; None if never."""

    def end_leases(self, now: datetime, holder: int | None = None) -> int:
        """End the leases of a dead daemon, or those without a holder (None). Returns how many."""

    def pull_back(self, now: datetime, latest: datetime) -> int:
        """Make due now each notice that is due after `latest`; a wrong clock set it.

        Returns how many.
        """

    def tally(self) -> Mapping[str, int]:
        """How many notices there are of each status: waiting, sent, undeliverable."""

    def backlog(self, now: datetime) -> Backlog:
        """The notices that could go out now."""

    def unwritten(self) -> int:
        """How many notices were set aside before a letter was made of them."""

    def troubled(self, *, every: bool = False) -> Sequence[TroubledNotice]:
        """The notices that were refused for good or failed so far, or every one; oldest first."""

    def letter(self, number: int) -> bytes | None:
        """The bytes of one that has not gone out, if it is written; raises `Unknown`."""

    def hold(self, number: int, at: datetime) -> None:
        """Set one aside until it is revived; raises `Unknown`, and `Busy` while it is tried."""

    def drop(self, number: int) -> None:
        """Forget one that has not gone out; raises as `hold` does."""

    def revive(self, number: int, now: datetime) -> None:
        """Let a notice be tried again at once; raises `Unknown` if none waits or failed."""


class OutboxUnit(Unit, Protocol):
    """A transaction with the outbox in it."""

    @property
    def outbox(self) -> OutboxQueue:
        """The notices that are owed, to be sent."""
