"""How many letters a day one person may make us write: `games.limits.DailyLimits`, freely set."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """The three limits."""

    confirmations_per_sender: int = 20
    invitations_per_sender: int = 20
    invitations_per_address: int = 5
