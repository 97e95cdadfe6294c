"""Composes and signs letters on a thread, so that the event loop stays responsive."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

import structlog

from godaemon.games.notices import Notice
from godaemon.system.outages_and_pauses import Pause
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.letter_data import EngineAnswers, LetterData, with_engine_answer

MAX_BATCH = 8  # maximum letters of one batch, so that the first is not delayed by many others

Sign = Callable[[bytes, Notice], bytes]  # signs the bytes of a notice's letter
_log = structlog.get_logger("mailgate")


@dataclass(slots=True, eq=False)
class ComposingThread:
    """Composes letters on one thread at a time, because a second would only slow down the first.

    `engines` give their opinions, if any; `paused` returns the pause of all clocks, if any.
    """

    composer: Composer
    sign: Sign = lambda raw, _notice: raw
    engines: EngineAnswers | None = None
    paused: Callable[[], Pause | None] = lambda: None
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _waiting: deque[tuple[LetterData, Future[Composed]]] = field(default_factory=deque, init=False)

    async def compose(self, data: LetterData, uid: str) -> Composed:
        """The signed letter, composed together with others that wait."""
        try:
            data = await with_engine_answer(data, self.engines) if self.engines else data
        except Exception:  # noqa: BLE001 - the letter goes out without the engine's opinion
            _log.exception("outbox.no-engine-answer", uid=uid)
        letter = Future[Composed]()
        self._waiting.append((replace(data, paused=self.paused()), letter))
        async with self._turn:
            while not letter.done():
                await asyncio.to_thread(self._compose_some)
        return letter.result()

    def _compose_some(self) -> None:
        for _ in range(min(MAX_BATCH, len(self._waiting))):
            data, letter = self._waiting.popleft()
            try:
                composed = self.composer.compose(data)
                letter.set_result(replace(composed, raw=self.sign(composed.raw, data.notice)))
            except Exception as fault:  # noqa: BLE001 - one bad notice never stops the others
                letter.set_exception(fault)
