"""Descriptors that nothing can be written to: each is closed with the stack it is given."""

from __future__ import annotations

import os
import pty
from contextlib import ExitStack, suppress


def closed_terminal(stack: ExitStack) -> int:
    """A terminal whose window was closed: EIO."""
    main, other = pty.openpty()
    os.close(main)
    stack.callback(os.close, other)
    return other


def dead_pipe(stack: ExitStack) -> int:
    """A pipe whose reader is gone, as of a `| tee` that was killed: EPIPE."""
    reader, writer = os.pipe()
    os.close(reader)
    stack.callback(os.close, writer)
    return writer


def full_disk(stack: ExitStack) -> int:
    """A file on a disk without room: ENOSPC."""
    full = os.open("/dev/full", os.O_WRONLY)
    stack.callback(os.close, full)
    return full


def full_pipe(stack: ExitStack) -> tuple[int, int]:
    """A pipe, its reading end first, that nobody reads and that takes not a byte more."""
    reader, writer = os.pipe()
    stack.callback(os.close, reader)
    stack.callback(os.close, writer)
    os.set_blocking(writer, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writer, b"x" * 4096)
    with suppress(BlockingIOError):
        while True:
            os.write(writer, b"x")
    os.set_blocking(writer, True)
    return reader, writer
