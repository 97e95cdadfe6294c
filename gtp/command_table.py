"""The table of commands: a row is one function, its arguments' readers, and its contract.

A function's docstring is the contract: a summary with the section of the specification, and the
headings `Arguments`, `Fails`, `Returns` and `Example`. Those that would say none, never or nothing
are left out, and so is what the readers say already: the plain arguments, and `syntax error`. A
seat's command leaves out what a free board's of that name says. `list_commands`, the manual page
and the tests are made from the table. Two commands of one name fail at import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from godaemon.errors import GodaemonError, IllegalMove
from godaemon.system.counts import count
from gtp.argument_readers import ILLEGAL_MOVE, UNKNOWN_COMMAND
from gtp.client.resend import CHANGES
from gtp.client.syntax import TOO_LONG, Arguments, Reply, Request, encode

Handler = TypeVar("Handler", bound=Callable[..., Any])
Reader = Callable[[Arguments, int], object]


class Command(NamedTuple):
    """One row: `handle` gets what the command acts on, and a value from each reader.

    Commands that differ in little share a function, which is told what is `fixed` for each.
    """

    name: str
    handle: Callable[..., Any]
    reads: tuple[Reader, ...]
    fixed: Mapping[str, object]
    looks: bool = False
    """True if it acts on a position, and not on a session."""
    slow: bool = False
    """Whether it is about our player, who may think for a while.

    A server runs it beside its event loop, and a client leaves it to its daemon.
    """
    local: bool = False
    """Whether only a session of the operator's own process has it (it reads or writes files)."""

    changes: str = ""
    """Its changes: size, board, moves, choice or settings; "" for none."""

    def run(self, on: object, arguments: Arguments) -> Any:  # noqa: ANN401 - as the handler says
        """Call the handler; raises what the readers and the handler raise."""
        values = [read(arguments, at) for at, read in enumerate(self.reads)]
        return self.handle(on, *values, **self.fixed)


class CommandTable(dict[str, Command]):
    """Commands by their case-sensitive names, in the order of their addition."""

    def __init__(self, *, looks: bool = False) -> None:
        super().__init__()
        self._looks = looks

    def command(
        self,
        name: str,
        *reads: Reader,
        slow: bool = False,
        local: bool = False,
        **fixed: object,
    ) -> Callable[[Handler], Handler]:
        """Add the decorated function; `reads` read its arguments after the first."""

        def _add(handle: Handler) -> Handler:
            if name in self:
                raise ValueError(f"two commands are called {name}")
            if not (handle.__doc__ or "").strip():
                raise ValueError(f"{name} has no contract")
            changes = CHANGES.get(name, "")
            self[name] = Command(name, handle, reads, fixed, self._looks, slow, local, changes)
            return handle

        return _add


def log_fault(fault: Exception) -> None:
    """Log a fault of ours; without any log handler nothing is printed."""
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
        self, commands: Mapping[str, Command], report: Callable[[Exception], None] = log_fault
    ) -> None:
        self.over = False
        self._answer_begun = False
        self.report = report
        self.commands = commands

    def names(self) -> Sequence[str]:
        """The commands that `list_commands` names: LizzieYzy knows its answer by the first."""
        return tuple(self.commands)

    def knows(self, name: str) -> bool:
        return name in self.commands

    def early_line(self, request: Request, line: str) -> bytes:
        """A line of the answer to a request, to be sent while the command still runs.

        The first one begins with the sign of the answer; an empty line is that sign alone, if any.
        """
        label = (
            b"" if self._answer_begun else b"=\n" if request.id is None else b"=%d\n" % request.id
        )
        self._answer_begun = True
        return label + (line.encode() + b"\n" if line else b"")

    def end_answer(self, request: Request, reply: Reply) -> bytes:
        """The rest of the answer, or all of it if nothing was sent early."""
        begun, self._answer_begun = self._answer_begun, False
        name = request.name if self.knows(request.name) else "unknown"
        count("commands", "gtp", name, "accepted" if reply.ok else "refused")
        if begun:
            return f"{reply.text}\n\n".encode() if reply.ok and reply.text else b"\n"
        return encode(reply, request.id)

    def unknown_reply(self, request: Request) -> Reply:
        """The reply to a command that is not in the table, or to a line that was too long."""
        long = request.name == TOO_LONG.decode()
        return Reply(ok=False, text="line too long" if long else UNKNOWN_COMMAND)

    def failure_reply(self, fault: Exception) -> Reply:
        """The reply to a command that raised this; the session goes on."""
        if isinstance(fault, IllegalMove):
            return Reply(ok=False, text=ILLEGAL_MOVE)
        if isinstance(fault, GodaemonError):
            return Reply(ok=False, text=fault.public)
        self.report(fault)
        return Reply(ok=False, text="internal error")
