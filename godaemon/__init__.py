"""godaemon: play Go by email and by GTP on one daemon.

This package holds the rules, the games, the storage and the daemon; the two front ends are its
neighbours `gtp` and `mailgate`. Importing it loads nothing else.
"""

from functools import cache


@cache
def installed_version() -> str:
    """The version that is installed: that of the tag in git, as pyproject.toml has it."""
    from importlib import metadata  # noqa: PLC0415 - most programs never ask, and it takes long

    try:
        return metadata.version("godaemon")
    except metadata.PackageNotFoundError:
        return "0+not.installed"
