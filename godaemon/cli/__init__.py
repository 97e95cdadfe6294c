"""The command line: one module a subcommand. `--help` loads no database and no mail stack.

May import every room, but the heavy ones inside functions alone. Begin with `app`, the table of
subcommands, and `common`, which they share; `demo_game` and `maildir_client` play a whole game by
mail. Exit statuses follow sysexits.h: 0 done, 64 wrong usage, 65 done but for what is damaged, 69
nobody to ask, 70 our fault, 74 not to be read or written, 75 try again later, 78 wrong
configuration; 1 is a plain refusal.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Sequence

from godaemon import errors

EXIT_REFUSED, EXIT_USAGE, EXIT_DAMAGED, EXIT_UNAVAILABLE = 1, 64, 65, 69
EXIT_SOFTWARE, EXIT_IO, EXIT_TEMPORARY, EXIT_CONFIG = 70, 74, 75, 78


def main() -> None:
    """Run the command line; a `GodaemonError` becomes its sentence and its exit status."""
    words = sys.argv[1:]
    try:
        sys.exit(run(words))
    except errors.GodaemonError as fault:
        if "--json" in words:
            _tell_json(fault)
        _end(fault.public, status_of(fault))
    except OSError as fault:
        if words[:1] == ["serve"]:  # its log has more to say of it
            raise
        why = ": ".join(filter(None, (fault.strerror or str(fault), fault.filename)))
        if isinstance(fault, PermissionError) and os.geteuid():
            from godaemon.control.daemon_here import as_owner

            why += f". Try: {as_owner(fault.filename or '')}"
        _end(why, EXIT_IO)


def run(words: Sequence[str]) -> int:
    """Do what the words after `godaemon` say; the exit status, unless typer exits with it."""
    # structlog would load it, for colours.
    sys.modules.setdefault("rich", None)  # type: ignore[arg-type]
    if sys.stdout is None and words[:1] != ["serve"]:
        raise OSError("Standard output is closed")
    if words[:1] == ["gtp"]:
        from godaemon.cli import gtp

        return gtp.main([*words[1:]])
    if words and words in (["serve"], ["serve", "--config", words[-1]]):
        start(words[2] if words[2:] else None)
        return 0
    import typer

    from godaemon.cli.app import app

    # The class of all wrong usage, which typer does not export: its own status is 2.
    typer.BadParameter.mro()[1].exit_code = EXIT_USAGE  # type: ignore[attr-defined]
    app(words, prog_name="godaemon")
    return 0


def start(config: str | os.PathLike[str] | None) -> None:
    """Be the daemon. What is loaded for it stays, and is not looked through for garbage.

    A start as units have it comes here without typer, which is not needed for that.
    """
    import gc

    gc.disable()
    from godaemon.daemon import main

    gc.freeze()
    gc.enable()
    main.serve(config)


def _tell_json(fault: errors.GodaemonError) -> None:
    import json

    answer = {"error": fault.public, "code": fault.code}
    with contextlib.suppress(OSError, ValueError):
        print(json.dumps(answer, ensure_ascii=False), flush=True)  # noqa: T201 - for programs


def _end(why: str, status: int) -> None:
    """End with a sentence for the person; what is still unwritten is thrown away."""
    with contextlib.suppress(OSError):
        print(f"godaemon: {why}", file=sys.stderr)  # noqa: T201 - for the person
    if status == EXIT_IO:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(status)


def status_of(fault: errors.GodaemonError) -> int:
    """The exit status that tells scripts and systemd what to do about an error.

    Our units start nobody again who ended by the configuration: so what only could not be read this
    time, as no descriptor or no memory was left, is no fault of that.
    """
    if isinstance(fault, errors.ConfigError):
        return EXIT_TEMPORARY if _passes(fault) else EXIT_CONFIG
    if isinstance(fault, errors.Temporary):
        return EXIT_TEMPORARY
    if isinstance(fault, errors.Corrupt):
        return EXIT_SOFTWARE
    return EXIT_UNAVAILABLE if isinstance(fault, errors.NotRunning) else EXIT_REFUSED


def _passes(fault: BaseException) -> bool:
    """True for what follows from an error of the system that may not be there the next time."""
    cause = fault.__cause__ or fault.__context__
    return cause is not None and (getattr(cause, "errno", None) in _PASSING or _passes(cause))


_PASSING = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EINTR, errno.EIO}
