"""The one clock: everything else takes the present moment as an argument, or a `Clock`."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits; tests have one that they turn by hand."""

    def now(self) -> datetime:
        """The present moment, in UTC."""

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for an event, but no longer than that; says whether it came."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        return datetime.now(UTC)  # noqa: TID251 - this is the place

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for an event, but no longer than that; says whether it came."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), seconds)
        return event.is_set()
