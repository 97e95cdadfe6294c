"""The rounds of what a daemon does for ever: a fault ends one of them, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from godaemon.errors import ConfigError, GodaemonError
from godaemon.system.clock import Clock

_log = structlog.get_logger("godaemon")


@contextmanager
def one_round(event: str) -> Iterator[None]:
    """Log whatever is raised in it by the name of `event`, and go on: it may have passed by then.

    `ConfigError` alone is raised: with that a daemon cannot go on.
    """
    try:
        yield
    except ConfigError:
        raise
    except GodaemonError as trouble:
        _log.warning(event, detail=trouble.detail or trouble.public)
    except Exception:  # noqa: BLE001 - a fault of ours over one row must not end the others
        _log.exception(event)


async def rest(clock: Clock, seconds: float) -> None:
    """Wait so long for the next one."""
    await clock.wait(asyncio.Event(), seconds)
