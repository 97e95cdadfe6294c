"""The composing of letters: several in one go, and never on the event loop.

Composing takes milliseconds, in which the loop would answer nobody. A few letters are composed on a
thread; many by a process beside us, while there are many. Imports asyncio. A letter that cannot be
composed is a failure of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import structlog

from godaemon.games.notices import Notice
from mailgate.delivery.compose_process import ComposeProcess
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.letter_data import LetterData

AT_ONCE = 8
"""How many letters are composed in one go: the first may not wait for a crowd."""
BURST = 10
"""So many within a second begin to be work for a process."""
IDLE = 120.0
"""For how many seconds without letters the process is kept."""

Sign = Callable[[bytes, Notice], bytes]
"""Signs the bytes of a notice's letter."""
_log = structlog.get_logger("mailgate")


class ComposePool:
    """Composes letters in the order in which they are asked for; `sign` signs their bytes."""

    def __init__(self, composer: Composer, sign: Sign | None = None) -> None:
        self._composer, self._sign = composer, sign
        self._process = ComposeProcess()
        self._waiting: list[tuple[LetterData, asyncio.Future[Composed]]] = []
        self._working: asyncio.Task[None] | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._second, self._lately = 0.0, 0

    async def compose(self, data: LetterData) -> Composed:
        """The letter, composed with those that wait beside it; raises what went wrong."""
        letter: asyncio.Future[Composed] = asyncio.get_running_loop().create_future()
        self._waiting.append((data, letter))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        return await letter

    async def close(self) -> None:
        """Compose nothing more."""
        if self._idle is not None:
            self._idle.cancel()
        await asyncio.to_thread(self._process.close)

    async def _work(self) -> None:
        """Compose until nobody waits."""
        while self._waiting:
            asked, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
            data = [one for one, _ in asked]
            found: Sequence[Composed | Exception]
            try:
                found = await asyncio.to_thread(self._compose, data, self._is_burst(len(data)))
            except Exception as fault:  # noqa: BLE001 - whoever waits is told, whatever it is
                found = [fault] * len(asked)
            for (_, letter), composed in zip(asked, found, strict=True):
                if letter.done():
                    continue  # who asked is gone
                if isinstance(composed, Exception):
                    letter.set_exception(composed)
                else:
                    letter.set_result(composed)
            self._keep_process()

    def _is_burst(self, count: int) -> bool:
        """True where so many more letters make it a burst."""
        now = asyncio.get_running_loop().time()
        if now - self._second > 1.0:
            self._second, self._lately = now, 0
        self._lately += count
        return self._lately >= BURST

    def _keep_process(self) -> None:
        """End the process once it has had no work for a while."""
        if self._idle is not None:
            self._idle.cancel()
        if self._process.pid is not None:
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(IDLE, loop.run_in_executor, None, self._process.close)

    # -- on a thread -----------------------------------------------------------------------------
    def _compose(self, data: Sequence[LetterData], burst: bool) -> list[Composed | Exception]:  # noqa: FBT001
        composed: Sequence[Composed | None] = [None] * len(data)
        try:
            if burst:
                self._process.start()
            composed = self._process.compose(self._composer, data)
        except Exception:  # noqa: BLE001 - whatever ails the process, no letter waits for it
            _log.exception("composer.fault")
        return [self._finished(*one) for one in zip(data, composed, strict=True)]

    def _finished(self, data: LetterData, composed: Composed | None) -> Composed | Exception:
        try:
            letter = composed or self._composer.compose(data)
            if self._sign is None:
                return letter
            return replace(letter, raw=self._sign(letter.raw, data.notice))
        except Exception as fault:  # noqa: BLE001 - one bad notice never stops the others
            return fault
