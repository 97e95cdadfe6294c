"""The command line. Commands that ask a running daemon load no database, mail stack or settings.

May import every room, but the heavy ones only inside functions. Read `command_table` and `common`
first, which all commands share.
"""

import contextlib
import os
import sys
from collections.abc import Sequence

from godaemon import errors
from godaemon.cli.exit_statuses import EXIT_INTERRUPTED, EXIT_IO, status_of


def main() -> None:
    """Run the command line; a `GodaemonError` becomes its sentence and its exit status."""
    words = sys.argv[1:]
    try:
        status = run(words)
        if sys.stdout is not None:
            sys.stdout.flush()
        sys.exit(status)
    except errors.GodaemonError as fault:
        if "--json" in words:
            _print_json(fault)
        _end(fault.public, status_of(fault))
    except KeyboardInterrupt:
        _end("", EXIT_INTERRUPTED)
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        _end("", EXIT_IO)
    except OSError as fault:
        if words[:1] == ["serve"]:  # the traceback goes to its log
            raise
        reason = ": ".join(filter(None, (fault.strerror or str(fault), fault.filename)))
        if isinstance(fault, PermissionError) and os.geteuid():
            from godaemon.control.daemon_here import sudo_command

            reason += f". Try: {sudo_command()}"
        _end(reason, EXIT_IO)


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


def _print_json(fault: errors.GodaemonError) -> None:
    import json

    answer = {"error": fault.public, "code": fault.code}
    with contextlib.suppress(OSError, ValueError):
        print(json.dumps(answer, ensure_ascii=False), flush=True)


def _end(reason: str, status: int) -> None:
    """Exit with a sentence on standard error, if any; after `EXIT_IO` unwritten output is lost."""
    if reason:
        with contextlib.suppress(OSError):
            print(f"godaemon: {reason}", file=sys.stderr)
    if status == EXIT_IO:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(status)
