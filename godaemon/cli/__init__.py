"""The command line: one module a subcommand. `--help` loads no database and no mail stack.

May import every room, but the heavy ones inside functions alone. Begin with `app`, the table of
subcommands, and `common`, which they share; `demo_game` and `maildir_client` play a whole game by
mail. Exit statuses follow sysexits.h: 0 done, 64 wrong usage, 69 nobody to ask, 70 our fault,
75 try again later, 78 wrong configuration; 1 is a plain refusal.
"""

from __future__ import annotations

import sys

from godaemon import errors

EXIT_REFUSED, EXIT_USAGE, EXIT_UNAVAILABLE = 1, 64, 69
EXIT_SOFTWARE, EXIT_TEMPORARY, EXIT_CONFIG = 70, 75, 78


def main() -> None:
    """Run the command line; a `GodaemonError` becomes its sentence and its exit status."""
    try:
        if sys.argv[1:2] == ["gtp"]:
            from godaemon.cli import gtp

            sys.exit(gtp.main(sys.argv[2:]))
        from godaemon.cli.app import app

        app()
    except errors.GodaemonError as fault:
        print(f"godaemon: {fault.public}", file=sys.stderr)  # noqa: T201 - for the person
        sys.exit(status_of(fault))


def status_of(fault: errors.GodaemonError) -> int:
    """The exit status that tells scripts and systemd what to do about an error."""
    if isinstance(fault, errors.ConfigError):
        return EXIT_CONFIG
    if isinstance(fault, errors.Temporary):
        return EXIT_TEMPORARY
    if isinstance(fault, errors.Corrupt):
        return EXIT_SOFTWARE
    return EXIT_REFUSED
