"""The daemon's process, with one event loop and one state folder.

May import every room but the command line, which alone imports it. Starting raises `ConfigError`
(exit 78) or `Busy`.
"""

import asyncio
import os
import signal
import threading
from asyncio import sslproto
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Any

import structlog
import uvloop

from godaemon import installed_version
from godaemon.config.config_file import File
from godaemon.config.loading import load_private
from godaemon.daemon.app import open_daemon
from godaemon.daemon.core import Deadline, Startup
from godaemon.errors import GodaemonError
from godaemon.games.people import public_suffixes
from godaemon.storage.locks import state_lock
from godaemon.storage.restore import finish_restore
from godaemon.system import log_setup, lossy_stream
from godaemon.system.clock import Clock
from godaemon.system.passed_sockets import PassedSockets

TLS_BUFFER = 2**14
"""The size in bytes of a connection's TLS read buffer; asyncio's default is 256 KiB."""
WORK_THREADS = min(32, (os.cpu_count() or 1) + 4)
"""The number of threads for blocking work that asyncio would start."""
STOP_TIMEOUT = 10.0
"""Grace period in seconds for emails and sessions in progress after a signal to stop."""

StartLines = Callable[[dict[str, Any]], Iterable[str]]
"""Formats the status as lines for the terminal."""
_log = structlog.get_logger("godaemon")


def serve(config: File | None, start_lines: StartLines) -> None:
    """Run a daemon in this process until a signal stops it; prints `start_lines` of its status."""
    lossy_stream.install()
    environ = dict(os.environ)
    settings = load_private(config, environ)
    log_setup.configure(settings.log.level, settings.log.format, environ)
    sslproto.SSLProtocol.max_size = TLS_BUFFER  # for all connections: STARTTLS has no option
    passed = PassedSockets.from_environ(environ, os.getpid())
    passed.require_wanted(settings.listeners.values())
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        reread = partial(load_private, config, environ)
        runner.run(run(Startup(settings, reread, environ, Clock(), passed), start_lines))


async def run(startup: Startup, start_lines: StartLines) -> None:
    """Open everything, report readiness, wait for SIGTERM or SIGINT, and close everything."""
    stop, deadline = asyncio.Event(), Deadline()
    _stop_on_signals(stop)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log_loop_fault)
    loop.set_default_executor(work_threads(WORK_THREADS))
    # Read now, before file descriptors can run out.
    public_suffixes()
    installed_version()
    state = startup.settings.state_directory
    with state_lock(state):
        finish_restore(state)
        async with AsyncExitStack() as stack:
            status = await open_daemon(startup, stack, deadline)
            status.core.notify(READY=1, STATUS=status.line)
            with suppress(OSError, GodaemonError):  # a shortage: the daemon runs all the same
                lines = start_lines(await status.report())
                print(*lines, sep="\n", flush=True)  # noqa: T201 - for the terminal
            _log.info("daemon.ready", version=installed_version(), state=str(state))
            await stop.wait()
            deadline.set(STOP_TIMEOUT)
            status.core.notify(STOPPING=1, STATUS="Finishing work in progress")
            _log.info("daemon.stopping")
        _log.info("daemon.stopped")


def work_threads(count: int) -> ThreadPoolExecutor:
    """A pool whose threads start at once.

    The standard pool starts threads on demand, and raises if the system cannot start one, although
    the work is queued and will be done later. The retry of an email would then send it twice.
    """
    pool, barrier = ThreadPoolExecutor(count, "work"), threading.Barrier(count)
    for _ in range(count):
        pool.submit(barrier.wait, 10.0)
    return pool


def log_loop_fault(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The event loop's exception handler: logs an unhandled exception."""
    message = str(context.get("message", ""))
    _log.error("loop.fault", detail=message, exc_info=context.get("exception"))


def _stop_on_signals(stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()

    def _stop() -> None:
        if stop.is_set():  # the second signal
            os._exit(75)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _stop)
