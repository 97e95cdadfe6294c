"""What asyncio tells by itself reaches the log, once where it would be told without end."""

from __future__ import annotations

import asyncio
import errno

import structlog

from godaemon.system.loop_errors import EVERY, tell_faults


class Clock:
    """An event loop, as far as it is needed."""

    now = 5.0

    def time(self) -> float:
        """What it is."""
        return self.now


def test_a_shortage_is_told_once_in_a_while() -> None:
    """A hundred connections that could not be accepted are one line."""
    clock, handler = Clock(), tell_faults()
    fault = OSError(errno.EMFILE, "Too many open files")
    with structlog.testing.capture_logs() as lines:
        for _ in range(100):
            handler(clock, {"message": "accept", "exception": fault})  # type: ignore[arg-type]
        clock.now += EVERY
        handler(clock, {"message": "accept", "exception": fault})  # type: ignore[arg-type]
    assert [line["event"] for line in lines] == ["loop.shortage"] * 2
    assert lines[0]["detail"] == "accept: Too many open files"


async def test_any_other_fault_is_told_with_its_traceback() -> None:
    """A task that failed and that nobody waited for, for one."""
    asyncio.get_running_loop().set_exception_handler(tell_faults())
    with structlog.testing.capture_logs() as lines:
        asyncio.get_running_loop().call_soon(lambda: 1 // 0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    (line,) = lines
    assert line["event"] == "loop.fault"
    assert isinstance(line["exc_info"], ZeroDivisionError)
