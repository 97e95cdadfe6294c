"""The daemon: one process, one event loop, one state folder, until it is told to stop.

Imports everything below it and is imported by the command line alone. Starting fails with
`ConfigError` (exit 78) or `Busy`.
"""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

from godaemon.config import Settings, load
from godaemon.daemon.app import Daemon, Startup
from godaemon.storage.lock import StateLock
from godaemon.system import log_setup
from godaemon.system.clock import SystemClock
from godaemon.system.loop_errors import tell_faults


def serve(config: Path | None) -> None:
    """Run a daemon in this process until it is told to stop."""
    environ = dict(os.environ)

    def read() -> Settings:
        return load(config, environ)

    settings = read()
    log_setup.configure(settings.log.level, settings.log.format, environ)

    def told(line: str) -> None:
        print(line, flush=True)  # noqa: T201 - these lines are for the terminal

    asyncio.run(run(Startup(settings, read, environ, told, SystemClock())))


async def run(given: Startup) -> None:
    """Serve until SIGTERM or SIGINT, then finish what is in hand."""
    stop = asyncio.Event()
    _on_signals(stop)
    asyncio.get_running_loop().set_exception_handler(tell_faults())
    with StateLock(given.settings.state_directory):
        await Daemon(given).serve(stop)


def _on_signals(stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()

    def stopping() -> None:
        if stop.is_set():  # asked twice: whoever asks does not want to wait
            os._exit(75)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping)
