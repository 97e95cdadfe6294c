"""The command line. Commands that ask a running daemon load no database, mail stack or settings.

May import every room, but the heavy ones only inside functions. Read `command_table` and `common`
first, which all commands share. The exit statuses are those of sysexits.h: 0 success, 64 wrong
usage, 65 success except for damaged parts, 69 no daemon runs, 70 internal error or damaged data, 74
input or output error, 75 try again later, 77 not permitted, 78 wrong configuration; 1 is any other
refusal.
"""

import contextlib
import errno
import os
import sys
from collections.abc import Sequence

from godaemon import errors

EXIT_REFUSED, EXIT_USAGE, EXIT_DAMAGED, EXIT_UNAVAILABLE = 1, 64, 65, 69
EXIT_SOFTWARE, EXIT_IO, EXIT_TEMPORARY, EXIT_NO_PERMISSION = 70, 74, 75, 77
EXIT_CONFIG, EXIT_INTERRUPTED = 78, 130
_PASSING_ERRORS = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EINTR, errno.EIO}


class UsageError(errors.GodaemonError):
    """The arguments are wrong (exit 64)."""


def main() -> None:
    """Run the command line; a `GodaemonError` becomes its sentence and its exit status."""
    words = sys.argv[1:]
    try:
        status = run(words)
        if sys.stdout is not None:
            sys.stdout.flush()
        sys.exit(status)
    except errors.GodaemonError as fault:
        _end(fault.public, status_of(fault), fault.code)
    except KeyboardInterrupt:
        _end("", EXIT_INTERRUPTED)
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        _end("", EXIT_IO)
    except OSError as fault:
        if words[:1] == ["serve"]:  # the traceback goes to its log
            raise
        reason = ": ".join(filter(None, (fault.strerror or str(fault), fault.filename)))
        if isinstance(fault, PermissionError) and os.geteuid():
            from godaemon.control.control_client import sudo_command

            reason += f". Try: {sudo_command(fault.filename or os.getcwd())}"
        _end(reason, EXIT_IO, "io-error")


def run(words: Sequence[str]) -> int:
    """Run the subcommand that the arguments name; returns the exit status."""
    if sys.stdout is None and words[:1] != ["serve"]:
        raise OSError("Standard output is closed")
    if words[:1] == ["gtp"]:
        from godaemon.cli import gtp

        return gtp.main([*words[1:]])
    from godaemon.cli.command_table import build_parser, load_function, match_subcommand

    name = match_subcommand(words)
    if name is None:
        from godaemon.cli.help import run_without_command

        return run_without_command(words)
    arguments = build_parser(name).parse_intermixed_args(words[len(name.split()) :])
    return load_function(name)(**vars(arguments)) or 0


def daemon_socket(name: str, config: str | os.PathLike[str] | None) -> str | None:
    """The socket of [gtp] or [control] of the daemon that runs for a configuration, or None.

    The file is not checked, so that a mistake in it does not hide a running daemon.
    """
    from godaemon.config.config_file import socket_of
    from godaemon.control import control_client

    socket = socket_of(name, config, os.environ)
    if socket is None:  # a mistake in the file: read it as the daemon does
        from godaemon.config.loading import load

        socket = str(getattr(load(config, os.environ), name).socket)
    return socket if control_client.is_running(socket) else None


def _end(reason: str, status: int, code: str = "") -> None:
    """Exit with a sentence on standard error, if any, and with an object for `--json`.

    After `EXIT_IO` unwritten output is lost.
    """
    if code and "--json" in sys.argv:
        import json

        with contextlib.suppress(OSError, ValueError):
            print(json.dumps({"error": reason, "code": code}, ensure_ascii=False), flush=True)
    if reason:
        with contextlib.suppress(OSError):
            print(f"godaemon: {reason}", file=sys.stderr)
    if status == EXIT_IO:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(status)


def status_of(error: errors.GodaemonError) -> int:
    """The exit status of an error, for scripts and systemd.

    Our units do not restart a daemon after a configuration error. So a file that cannot be read for
    lack of descriptors or memory is a temporary error.
    """
    if isinstance(error, UsageError):
        return EXIT_USAGE
    if isinstance(error, errors.ConfigError):
        return EXIT_TEMPORARY if _may_pass(error) else EXIT_CONFIG
    if isinstance(error, errors.Temporary):
        return EXIT_TEMPORARY
    if isinstance(error, errors.Corrupt):
        return EXIT_SOFTWARE
    if isinstance(error, errors.NotPermitted):
        return EXIT_NO_PERMISSION
    return EXIT_UNAVAILABLE if isinstance(error, errors.NotRunning) else EXIT_REFUSED


def _may_pass(fault: BaseException) -> bool:
    cause = fault.__cause__ or fault.__context__
    return cause is not None and (
        getattr(cause, "errno", None) in _PASSING_ERRORS or _may_pass(cause)
    )
