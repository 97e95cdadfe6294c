"""`godaemon serve`: the daemon itself, in the foreground."""

from __future__ import annotations

from godaemon.cli.common import Config


def serve(config: Config = None) -> None:
    """Run the daemon: letters in and out, GTP, until Ctrl-C or SIGTERM."""
    from godaemon.daemon import main

    main.serve(config)
