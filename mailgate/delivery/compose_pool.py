"""Who writes the letters: several in one go, never on the event loop, stored before they are had.

Composing takes milliseconds, in which the loop would answer nobody. A few letters are written on a
thread; many by a process beside us, while there are many. Imports asyncio. A letter that cannot be
written is a failure of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import structlog

from mailgate.delivery.batcher import Batcher
from mailgate.delivery.compose_process import ComposeProcess
from mailgate.delivery.grouped_transactions import GroupedTransactions
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.letter_data import LetterData

__all__ = ["ComposePool"]

AT_ONCE = 8
"""How many letters are written in one go: the first may not wait for a crowd."""
BURST = 10
"""So many within a second begin to be work for a process."""
IDLE = 120.0
"""For how many seconds without letters the process is kept."""

_log = structlog.get_logger("mailgate")


class ComposePool:
    """Writes letters and keeps them; `seal` signs their bytes."""

    def __init__(
        self,
        composer: Composer,
        ledger: GroupedTransactions,
        seal: Callable[[bytes], bytes] | None = None,
    ) -> None:
        self._composer, self._ledger, self._seal = composer, ledger, seal
        self._copyist = ComposeProcess()
        self._rest: asyncio.TimerHandle | None = None
        self._second, self._lately = 0.0, 0
        self._pages = Batcher[LetterData, Composed](self._pages_of, AT_ONCE)

    async def write(self, number: int, matter: LetterData) -> Composed:
        """The letter of a claimed notice, after its bytes are stored; raises what went wrong."""
        letter = await self._pages.ask(matter)
        await self._ledger.run(lambda desk: desk.written(number, letter.message_id, letter.raw))
        return letter

    async def close(self) -> None:
        """Write nothing more."""
        if self._rest is not None:
            self._rest.cancel()
        await asyncio.to_thread(self._copyist.close)

    async def _pages_of(self, matters: Sequence[LetterData]) -> Sequence[Composed | Exception]:
        letters = await asyncio.to_thread(self._written, matters, self._busy(len(matters)))
        if self._copyist.pid is not None:
            if self._rest is not None:
                self._rest.cancel()
            self._rest = asyncio.get_running_loop().call_later(IDLE, self._tire)
        return letters

    def _busy(self, count: int) -> bool:
        """Whether so many more letters make it a burst."""
        now = asyncio.get_running_loop().time()
        if now - self._second > 1.0:
            self._second, self._lately = now, 0
        self._lately += count
        return self._lately >= BURST

    def _tire(self) -> None:
        asyncio.get_running_loop().run_in_executor(None, self._copyist.close)

    # -- on a thread -----------------------------------------------------------------------------
    def _written(self, matters: Sequence[LetterData], busy: bool) -> list[Composed | Exception]:  # noqa: FBT001
        copied: Sequence[Composed | None] = [None] * len(matters)
        try:
            if busy:
                self._copyist.start()
            copied = self._copyist.write(self._composer, matters)
        except Exception:  # noqa: BLE001 - whatever ails the process, no letter waits for it
            _log.exception("copyist.fault")
        return [self._page(*one) for one in zip(matters, copied, strict=True)]

    def _page(self, matter: LetterData, copied: Composed | None) -> Composed | Exception:
        try:
            letter = copied or self._composer.compose(matter)
            return replace(letter, raw=self._seal(letter.raw)) if self._seal else letter
        except Exception as fault:  # noqa: BLE001 - one bad notice never stops the others
            return fault
