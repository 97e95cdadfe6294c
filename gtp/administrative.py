"""Administrative commands (GTP 2 draft 2, 6.1): every session has them, and they never fail."""

from __future__ import annotations

from collections.abc import Callable

from godaemon import installed_version
from gtp.client.syntax import Arguments
from gtp.registry import Registry, Session

ANY: Registry[Callable[[Session, Arguments], str]] = Registry()
"""The commands that every session has."""


@ANY.command()
def protocol_version(_: Session, __: Arguments) -> str:
    """The version of the protocol (6.1).

    Returns: 2.
    Example: `protocol_version` -> `= 2`
    """
    return "2"


@ANY.command()
def name(_: Session, __: Arguments) -> str:
    """The program's name, without its version (6.1).

    Returns: godaemon.
    Example: `name` -> `= godaemon`
    """
    return "godaemon"


@ANY.command()
def version(_: Session, __: Arguments) -> str:
    """The program's version (6.1).

    Returns: the version's number.
    Example: `version` -> `= 1.0.0`
    """
    return installed_version()


@ANY.command()
def known_command(session: Session, arguments: Arguments) -> str:
    """Whether a command is known here (6.1).

    Arguments: a command's name; without one the answer is false.
    Returns: true or false.
    Example: `known_command genmove` -> `= true`
    """
    return "true" if arguments and session.knows(arguments[0]) else "false"


@ANY.command()
def list_commands(session: Session, _: Arguments) -> str:
    """All commands that are known here (6.1).

    Returns: one name a line.
    Example: `list_commands` -> `= protocol_version` and so on, line by line
    """
    return "\n".join(session.names())


@ANY.command("quit")
def quit_(session: Session, _: Arguments) -> str:
    """End the session; the answer goes out first, and then the program ends (6.1).

    Example: `quit` -> `=`
    """
    session.end()
    return ""
