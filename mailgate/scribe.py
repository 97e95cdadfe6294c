"""Who writes the letters: several in one go, never on the event loop, stored before they are had.

Composing takes milliseconds, in which the loop would answer nobody. Imports asyncio. A letter that
cannot be written is a failure of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from mailgate.compose import Composed, Composer
from mailgate.ledger import Ledger
from mailgate.matter import Matter
from mailgate.together import Together

__all__ = ["Pen", "Scribe", "threaded"]

Pen = Callable[[Sequence[Matter]], Awaitable[Sequence[Composed | Exception]]]
"""Writes the letters of some matters; an exception stands for one that cannot be written."""

AT_ONCE = 8
"""How many letters are written in one go: the first may not wait for a crowd."""


class Scribe:
    """Writes letters with a pen, and keeps them."""

    def __init__(self, pen: Pen, ledger: Ledger) -> None:
        self._ledger = ledger
        self._pages = Together[Matter, Composed](pen, AT_ONCE)

    async def write(self, number: int, matter: Matter) -> Composed:
        """The letter of a claimed notice, after its bytes are stored; raises what went wrong."""
        letter = await self._pages.ask(matter)
        await self._ledger.run(lambda desk: desk.written(number, letter.message_id, letter.raw))
        return letter


def threaded(composer: Composer, seal: Callable[[bytes], bytes] | None = None) -> Pen:
    """A pen that writes on a thread; `seal` signs each letter's bytes."""

    def written(matter: Matter) -> Composed | Exception:
        try:
            letter = composer.compose(matter)
            return replace(letter, raw=seal(letter.raw)) if seal else letter
        except Exception as fault:  # noqa: BLE001 - one bad notice never stops the others
            return fault

    async def pen(matters: Sequence[Matter]) -> Sequence[Composed | Exception]:
        return await asyncio.to_thread(lambda: list(map(written, matters)))

    return pen
