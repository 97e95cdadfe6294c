"""`games.proposal_limits.DailyLimits`, freely set: letters a day that one person makes us write."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """The three limits."""

    confirmations_per_sender: int = 20
    invitations_per_sender: int = 20
    invitations_per_address: int = 5
