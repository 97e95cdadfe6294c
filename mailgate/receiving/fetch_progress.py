"""The store as the IMAP fetcher needs it: what became of each letter of a mailbox elsewhere.

`godaemon.storage` satisfies these protocols; the methods are called inside `Writer.run`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Protocol


class FetchState(StrEnum):
    """What became of a letter in a mailbox that we fetch from."""

    OWED = "owed"
    """It has had its effect; that is still to be marked in the mailbox."""
    DONE = "done"
    """It has had its effect, and is marked there."""
    LEFT = "left"
    """It is not for us, and stays as it was."""


class ImapStore(Protocol):
    """What became of each letter of a mailbox elsewhere."""

    def fetched(self, box: str, validity: int) -> Mapping[int, FetchState]:
        """The letters of a mailbox looked at so far, by UID; `validity` is its UIDVALIDITY."""

    def fetched_before(self, box: str) -> bool:
        """Whether any letter of that mailbox was ever looked at, under whatever UIDVALIDITY."""

    def note_fetched(
        self, box: str, validity: int, uids: Collection[int], filed: FetchState, at: datetime
    ) -> None:
        """Remember what became of letters, by UID; the last word counts."""


class ImapUnit(Protocol):
    """One transaction, with the letters of mailboxes elsewhere."""

    @property
    def imap(self) -> ImapStore:
        """What became of them."""
