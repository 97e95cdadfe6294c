"""godaemon: play Go by email and by GTP on one daemon.

This package holds the rules, the games, the storage and the daemon; the two front ends are its
neighbours `gtp` and `mailgate`. Importing it loads nothing else, so that `--version` is instant.
"""

from __future__ import annotations

__version__ = "0.1.0"
