"""Errors of the event loop reach the log."""

import asyncio

import structlog

from godaemon.daemon.main import log_loop_fault


async def test_an_error_of_the_event_loop_is_logged() -> None:
    """With its traceback; for example, of a task that nobody awaits."""
    asyncio.get_running_loop().set_exception_handler(log_loop_fault)
    with structlog.testing.capture_logs() as lines:
        asyncio.get_running_loop().call_soon(lambda: 1 // 0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    (line,) = lines
    assert line["event"] == "loop.fault"
    assert isinstance(line["exc_info"], ZeroDivisionError)
