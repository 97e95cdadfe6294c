"""The table of commands: each row is a function with its contract and argument readers.

The contract is the function's docstring: a summary with the section of the specification, and the
headings `Arguments`, `Fails`, `Returns` and `Example`. Empty ones are left out, and so are plain
arguments and `syntax error`, which follow from the readers. A seat's contract leaves out whatever
the free board's contract of that name says. `list_commands`, the manual page and the tests use the
table. Two commands of one name fail at import.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from godaemon.errors import GodaemonError, IllegalMove
from godaemon.system.counts import count
from gtp.argument_readers import ILLEGAL_MOVE, UNKNOWN_COMMAND
from gtp.client.syntax import CUT_OFF, TOO_LONG, Arguments, Reply, Request, encode

Handler = TypeVar("Handler", bound=Callable[..., Any])
Reader = Callable[[Arguments, int], object]

_FAULTY_LINES = {
    TOO_LONG.decode(): "line too long",
    CUT_OFF.decode(): "this line has no line end, so it was not carried out",
}
"""The replies to lines without a command."""


class Command(NamedTuple):
    """One row: `handle` is called with a session, seat or position, and each reader's value.

    Similar commands share a function, and differ in its `fixed` keyword arguments.
    """

    name: str
    handle: Callable[..., Any]
    reads: tuple[Reader, ...]
    fixed: Mapping[str, object]
    slow: bool = False
    """Whether it needs our player, which may think for a while."""

    def run(self, target: object, arguments: Arguments) -> Any:  # noqa: ANN401 - the handler's type
        """Call the handler; raises what the readers and the handler raise."""
        values = [read(arguments, at) for at, read in enumerate(self.reads)]
        return self.handle(target, *values, **self.fixed)


class CommandTable(dict[str, Command]):
    """Commands by their case-sensitive names, in the order of their addition."""

    def command(
        self, name: str, *reads: Reader, slow: bool = False, **fixed: object
    ) -> Callable[[Handler], Handler]:
        """Add the decorated function; `reads` read the command's arguments."""

        def _add(handle: Handler) -> Handler:
            if name in self:
                raise ValueError(f"two commands are called {name}")
            self[name] = Command(name, handle, reads, fixed, slow)
            return handle

        return _add


def log_fault(fault: Exception) -> None:
    """Log a bug of ours; without a log handler nothing is printed."""
    import logging  # noqa: PLC0415 - rarely needed, and slow to import

    log = logging.getLogger("gtp")
    if not log.hasHandlers():
        log.addHandler(logging.NullHandler())  # or Python prints it on standard error
    log.error("gtp.fault", exc_info=fault)


class Session:
    """One controller's session, on a board or in a seat: its commands and their failures.

    `over` is true once `quit` has been answered.
    """

    def __init__(self, commands: Mapping[str, Command]) -> None:
        self.over = False
        self._answer_begun = False
        self.report: Callable[[Exception], object] = log_fault
        """Called with each bug of ours."""
        self.commands = commands

    def names(self) -> Sequence[str]:
        """The names for `list_commands`; LizzieYzy recognises the answer by the first."""
        return tuple(self.commands)

    def knows(self, name: str) -> bool:
        return name in self.commands

    def early_line(self, request: Request, line: str) -> bytes:
        """The bytes of a line of the answer, to be sent while the command still runs.

        The first call also returns the answer's sign. An empty line adds nothing.
        """
        label = "" if request.id is None else request.id
        sign = b"" if self._answer_begun else f"={label}\n".encode()
        self._answer_begun = True
        return sign + (line.encode() + b"\n" if line else b"")

    def end_answer(self, request: Request, reply: Reply) -> bytes:
        """The rest of the answer: all of it if no line was sent early."""
        has_begun, self._answer_begun = self._answer_begun, False
        name = request.name if self.knows(request.name) else "unknown"
        count("commands", "gtp", name, "accepted" if reply.ok else "refused")
        if has_begun:
            return f"{reply.text}\n\n".encode() if reply.ok and reply.text else b"\n"
        return encode(reply, request.id)

    def unknown_reply(self, request: Request) -> Reply:
        """The reply to a command that is not in the table, or to a line that has no command."""
        return Reply(ok=False, text=_FAULTY_LINES.get(request.name, UNKNOWN_COMMAND))

    def failure_reply(self, fault: Exception) -> Reply:
        """The reply to a command that raised this; the session goes on."""
        if isinstance(fault, IllegalMove):
            return Reply(ok=False, text=ILLEGAL_MOVE)
        if isinstance(fault, GodaemonError):
            return Reply(ok=False, text=fault.public)
        self.report(fault)
        return Reply(ok=False, text="internal error")
