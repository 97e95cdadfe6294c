"""`godaemon serve`: the daemon itself, in the foreground."""

from __future__ import annotations

from godaemon.cli import start
from godaemon.cli.common import Config


def serve(config: Config = None) -> None:
    """Run the daemon: letters in and out, GTP, until Ctrl-C or SIGTERM."""
    start(config)
