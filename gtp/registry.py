"""The table of commands: each is one function whose docstring is its contract.

A handler's docstring has a summary with the section of the specification, and the headings
`Arguments`, `Fails`, `Returns` and `Example`; of the first three those are left out that would say
none, never or nothing. `list_commands`, the manual page and the tests are made from the table. Two
commands of one name are a programming fault, found at import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from godaemon.errors import GodaemonError, IllegalMove
from godaemon.system.counts import count
from gtp.argument_readers import ILLEGAL_MOVE
from gtp.client.syntax import Reply, Request, encode

Handler = TypeVar("Handler", bound=Callable[..., Any])


class Command(NamedTuple, Generic[Handler]):
    """One row of the table."""

    name: str
    handle: Handler
    slow: bool
    """Whether it may think for a while, so that a server runs it beside its event loop."""
    local: bool
    """Whether only a session of the operator's own process has it (it reads or writes files)."""
    option: str = ""
    """The option without which no session has it."""


class Registry(Generic[Handler]):
    """Commands by their names, in the order in which they were added."""

    def __init__(self) -> None:
        self._commands: dict[str, Command[Handler]] = {}

    def command(
        self,
        name: str = "",
        *,
        slow: bool = False,
        local: bool = False,
        option: str = "",
    ) -> Callable[[Handler], Handler]:
        """Add the function below as a command, under its own name where none is given."""

        def _add(handle: Handler) -> Handler:
            known = name or handle.__name__
            if known in self._commands:
                raise ValueError(f"two commands are called {known}")
            if not (handle.__doc__ or "").strip():
                raise ValueError(f"{known} has no contract")
            self._commands[known] = Command(known, handle, slow, local, option)
            return handle

        return _add

    def get(self, name: str) -> Command[Handler] | None:
        """The command of a name, which is case sensitive."""
        return self._commands.get(name)

    def __iter__(self) -> Iterator[Command[Handler]]:
        return iter(self._commands.values())


def log_fault(fault: Exception) -> None:
    """Put a fault of ours into the log; where nobody set one up, nothing is printed."""
    import logging  # noqa: PLC0415 - most sessions have no fault, and all start sooner

    log = logging.getLogger("gtp")
    if not log.hasHandlers():
        log.addHandler(logging.NullHandler())  # else Python prints it on standard error
    log.error("gtp.fault", exc_info=fault)


class Session:
    """One controller's session, on a board or in a seat: its commands, and how they fail.

    `over` is true once `quit` has been answered.
    """

    def __init__(
        self,
        commands: Iterable[Command[Callable[..., Any]]],
        report: Callable[[Exception], None] = log_fault,
    ) -> None:
        self.over = False
        self._told = False
        self.report = report
        self.commands = {one.name: one for one in commands}
        self._names = tuple(sorted(self.commands))

    def names(self) -> Sequence[str]:
        """The commands that the session names when it is asked for a list."""
        return self._names

    def knows(self, name: str) -> bool:
        """True where the session has a command of that name."""
        return name in self.commands

    def end(self) -> None:
        """Let the session end once this command is answered."""
        self.over = True

    def early(self, request: Request, line: str) -> bytes:
        """A line of the answer to a request, to be sent before the command has come to its end.

        The first has the sign of the answer before it; an empty one is that sign, or nothing.
        """
        label = b"" if self._told else b"=\n" if request.id is None else b"=%d\n" % request.id
        self._told = True
        return label + (line.encode() + b"\n" if line else b"")

    def ending(self, request: Request, reply: Reply) -> bytes:
        """The rest of the answer: all of it where nothing of it was sent early."""
        told, self._told = self._told, False
        name = request.name if self.knows(request.name) else "unknown"
        count("commands", "gtp", name, "accepted" if reply.ok else "refused")
        return b"\n" if told else encode(reply, request.id)

    def failure(self, fault: Exception) -> Reply:
        """The reply to a command that raised this; the session lives on."""
        if isinstance(fault, IllegalMove):
            return Reply(ok=False, text=ILLEGAL_MOVE)
        if isinstance(fault, GodaemonError):
            return Reply(ok=False, text=fault.public)
        self.report(fault)
        return Reply(ok=False, text="internal error")
