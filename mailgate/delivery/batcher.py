"""What several ask at one time, answered together: one at work, and the others wait for the next.

So a crowd costs few rounds of whatever is dear, and one who comes alone waits for nobody. Imports
asyncio. A question that fails is a failure of its own; all of them fail where the round does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["Batcher"]

Q = TypeVar("Q")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class _Asked(Generic[Q, A]):
    question: Q
    answer: asyncio.Future[A]

    def settle(self, answer: A | Exception) -> None:
        if self.answer.done():
            return  # who asked is gone
        if isinstance(answer, Exception):
            self.answer.set_exception(answer)
        else:
            self.answer.set_result(answer)


class Batcher(Generic[Q, A]):
    """Answers up to `most` questions at once by `answer`, in the order in which they came.

    That one returns, for each of them, what it is answered with, or an exception to be raised.
    """

    def __init__(
        self, answer: Callable[[Sequence[Q]], Awaitable[Sequence[A | Exception]]], most: int
    ) -> None:
        self._answer, self._most = answer, most
        self._waiting: list[_Asked[Q, A]] = []
        self._busy: asyncio.Task[None] | None = None

    async def ask(self, question: Q, patience: float = 0.0) -> A:
        """The answer, after the round that it is given in.

        With `patience`, no round begins for its sake for so many seconds.
        """
        loop = asyncio.get_running_loop()
        asked: _Asked[Q, A] = _Asked(question, loop.create_future())
        self._waiting.append(asked)
        if patience:
            loop.call_later(patience, self._begin)
        else:
            self._begin()
        return await asked.answer

    def _begin(self) -> None:
        if self._busy is None and self._waiting:
            self._busy = asyncio.create_task(self._work())

    async def _work(self) -> None:
        try:
            while self._waiting:
                asked, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
                await self._round(asked)
        finally:
            self._busy = None
            for left in self._waiting:  # somebody has ended us
                left.answer.cancel()

    async def _round(self, asked: Sequence[_Asked[Q, A]]) -> None:
        answers: Sequence[A | Exception]
        try:
            answers = await self._answer([one.question for one in asked])
        except Exception as fault:  # noqa: BLE001 - it is for those who asked
            answers = [fault] * len(asked)
        except BaseException:
            for one in asked:
                one.answer.cancel()
            raise
        for one, answer in zip(asked, answers, strict=True):
            one.settle(answer)
