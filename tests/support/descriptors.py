"""File descriptors that cannot be written to; the given stack closes them."""

import os
import pty
from contextlib import ExitStack, suppress


def closed_terminal(stack: ExitStack) -> int:
    """A terminal whose other end is closed: EIO."""
    main, other = pty.openpty()
    os.close(main)
    stack.callback(os.close, other)
    return other


def dead_pipe(stack: ExitStack) -> int:
    """A pipe without a reader, as after a killed `| tee`: EPIPE."""
    reader, writer = os.pipe()
    os.close(reader)
    stack.callback(os.close, writer)
    return writer


def full_disk(stack: ExitStack) -> int:
    """A file on a full disk: ENOSPC."""
    full = os.open("/dev/full", os.O_WRONLY)
    stack.callback(os.close, full)
    return full


def full_pipe(stack: ExitStack) -> tuple[int, int]:
    """The two ends, reader first, of a pipe whose buffer is full."""
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
