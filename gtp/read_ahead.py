"""The queue of a connection's lines, read ahead so that a waiting command notices new input.

Needs an event loop. `TOO_LONG` replaces a line that is too long.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from gtp.client.syntax import GOODBYE, MAX_LINE, LineBuffer, is_interrupt, parse

MAX_AHEAD = 1024
"""The limit on lines read ahead of their answers."""

_LINES_PER_TURN = 32  # lines after which other tasks get a turn, even if more lines are ready


class ConnectionLines:
    """A queue of lines with an end, fed by the reader of the connection."""

    def __init__(self, longest: int = MAX_LINE) -> None:
        self.buffer = LineBuffer(longest)
        self.said_goodbye = False
        """True after `GOODBYE`; later data is ignored."""
        self._lines: deque[bytes] = deque()
        self._ended = False
        self.line_ready = asyncio.Event()
        """Set while there is a line to take, and at the end."""
        self.has_room = asyncio.Event()
        """Set while fewer than `MAX_AHEAD` lines wait."""
        self.has_room.set()
        self.taken = 0
        """The number of lines taken so far."""

    @property
    def received(self) -> int:
        """The number of lines received so far."""
        return self.taken + len(self._lines)

    def feed(self, data: bytes) -> None:
        """Add received data, in pieces of any size."""
        self._add(self.buffer.feed(data))

    def end(self) -> None:
        """Mark the end of the input; what follows the last newline becomes `CUT_OFF`."""
        self._add(self.buffer.end_seat())
        self._ended = True
        self._set_events()

    async def take(self) -> bytes | None:
        """The next line; None at the end."""
        if self.taken % _LINES_PER_TURN == 0:
            await asyncio.sleep(0)
        await self.line_ready.wait()
        return self._pop() if self._lines else None

    async def wait_for_command(self) -> None:
        """Return at the next `# interrupt`, command, or end of input.

        Interrupts, comments and blank lines are removed; a command stays in the queue.
        """
        while True:
            await self.line_ready.wait()
            if not self._lines or parse(self._lines[0]) is not None:
                return
            if is_interrupt(self._pop()):
                return

    def _pop(self) -> bytes:
        line = self._lines.popleft()
        self.taken += 1
        self._set_events()
        return line

    def _add(self, lines: list[bytes]) -> None:
        for line in lines:
            if line[:1] == b"#" and line.strip() == GOODBYE:
                self.said_goodbye = self._ended = True
            if self._ended:
                break
            self._lines.append(line)
        self._set_events()

    def _set_events(self) -> None:
        if self._lines or self._ended:
            self.line_ready.set()
        else:
            self.line_ready.clear()
        if len(self._lines) < MAX_AHEAD:
            self.has_room.set()
        else:
            self.has_room.clear()


class Listener(NamedTuple):
    """Callbacks for the lines of an analysis."""

    tell: Callable[[str], Awaitable[None]]
    """Called with each line, first with the one of the answer's sign, which may be empty."""
    wait_for_end: Callable[[], Awaitable[object]]
    """Returns when the analysis should stop."""


async def first_of(*awaitables: Awaitable[object]) -> int:
    """The index of the awaitable that finishes first; the lowest index wins a tie.

    The others are cancelled. Raises what the finished one raises.
    """
    tasks = [asyncio.ensure_future(one) for one in awaitables]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        at = next(at for at, task in enumerate(tasks) if task.done())
        await tasks[at]
        return at
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
