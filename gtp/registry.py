"""The table of commands: each is one function whose docstring is its contract.

A handler's docstring has a summary with the section of the specification, and the four headings
`Arguments`, `Fails`, `Returns` and `Example`; `list_commands`, the reference and the tests are made
from the table. Pure; two commands of one name are a programming fault, found at import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

Handler = TypeVar("Handler", bound=Callable[..., Any])


class Command(NamedTuple, Generic[Handler]):
    """One row of the table."""

    name: str
    handle: Handler
    slow: bool
    """Whether it may think for a while, so that a server runs it beside its event loop."""
    local: bool
    """Whether only a session on the operator's own terminal has it (it reads or writes files)."""
    option: str = ""
    """The option without which no session has it."""
    listed: bool = True
    """Whether `list_commands` names it; it is known all the same."""


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
        listed: bool = True,
    ) -> Callable[[Handler], Handler]:
        """Add the function below as a command, under its own name where none is given."""

        def add(handle: Handler) -> Handler:
            known = name or handle.__name__
            self._check(known, handle)
            self._commands[known] = Command(known, handle, slow, local, option, listed)
            return handle

        return add

    def get(self, name: str) -> Command[Handler] | None:
        """The command of a name, which is case sensitive."""
        return self._commands.get(name)

    def __iter__(self) -> Iterator[Command[Handler]]:
        return iter(self._commands.values())

    def _check(self, name: str, handle: Handler) -> None:
        if name in self._commands:
            raise ValueError(f"two commands are called {name}")
        if not (handle.__doc__ or "").strip():
            raise ValueError(f"{name} has no contract")


HEADINGS = ("Arguments", "Fails", "Returns", "Example")
"""The parts of a contract, in their order."""


class Contract(NamedTuple):
    """A command's docstring taken apart, for the reference."""

    summary: str
    parts: dict[str, str]
    more: str = ""
    """What stands between the summary and the parts."""


def contract(handle: Callable[..., Any]) -> Contract:
    """The contract of a handler; raises `ValueError` where a heading is missing."""
    lines = [line.strip() for line in (handle.__doc__ or "").strip().splitlines()]
    parts: dict[str, str] = {"": ""}
    current = ""
    for line in lines[1:]:
        heading, colon, rest = line.partition(":")
        if colon and heading in HEADINGS:
            current = heading
            parts[current] = rest.strip()
        elif line:
            parts[current] = f"{parts[current]} {line}".lstrip()
    more = parts.pop("")
    if tuple(parts) != HEADINGS:
        raise ValueError(f"{getattr(handle, '__name__', handle)}: {tuple(parts)}")
    return Contract(lines[0], parts, more)
