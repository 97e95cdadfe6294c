"""Files of scenes: what happens line by line, and what must hold then.

A file begins with what it is about (`#`), and may have a block `given` that is played before each
of its scenes. A scene's name stands behind `*`; its lines are indented. `each: pass | resign` makes
a test for each, with {1} in the other lines; columns are split by ` ; `. What a line means is for
whoever plays it: `scenes` for emails, `tests/games/test_played.py` for games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from pathlib import Path

from godaemon.rules.points import Color, Point, Size

ENDS = re.compile(r"(.*?)(?: => (.*?))?(?: >> (.*))?")
STATE = re.compile(r"(game\d*|[A-Z]\w*)\.([\w.]+) (=|has|lacks) ?(.*)")


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene of a file, with one row of its table."""

    name: str
    lines: tuple[tuple[int, str], ...]
    """Each line, with its number in the file."""

    def play(self, do: Callable[[str], object], first: int = 0) -> None:
        """Have each line done, from `first` on; raises with the one that does not hold."""
        for number, line in self.lines[first:]:
            try:
                do(line)
            except Exception as error:
                raise AssertionError(f"line {number}: {line}\n{error!r}") from error


def read_scenes(path: Path) -> list[Scene]:
    """The scenes of a file, one for each row of each."""
    given: list[tuple[int, str]] = []
    found: list[tuple[str, list[tuple[int, str]]]] = []
    lines = given
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("* "):
            lines = [*given]
            found.append((line[2:], lines))
        elif line.startswith(" ") and not line.strip().startswith("#"):
            lines.append((number, line.strip()))
        elif line.strip() and line != "given" and not line.strip().startswith("#"):
            raise ValueError(f"{path.name}:{number}: {line}")
    return [scene for name, lines in found for scene in _rows(name, lines)]


def _rows(name: str, lines: list[tuple[int, str]]) -> list[Scene]:
    each = [line.removeprefix("each:") for _, line in lines if line.startswith("each:")]
    rest = [(number, line) for number, line in lines if not line.startswith("each:")]
    if not each:
        return [Scene(name, tuple(rest))]
    columns = [re.split(r" ;(?= |$)", line) for line in each]
    rows = columns if len(columns[0]) > 1 else [[one] for line in each for one in line.split(" | ")]
    return [
        Scene(
            f"{name} [{row[0].strip()}]",
            tuple((number, _filled(line, row)) for number, line in rest),
        )
        for row in rows
    ]


def _filled(line: str, row: Iterable[str]) -> str:
    for number, cell in enumerate(row, 1):
        line = line.replace(f"{{{number}}}", cell.strip())
    return line


def ends(line: str) -> tuple[str, str, str]:
    """The text of an email, what it comes to, and what its writer reads then; "" for none."""
    found = ENDS.fullmatch(line)
    assert found
    text, wanted, read = (part or "" for part in found.groups())
    return text.replace("⏎", "\n").strip(), wanted, read


def holds(found: str, how: str, wanted: str) -> None:
    """Compare a value with what a scene says of it: `=`, `has` or `lacks`."""
    fits = {"=": wanted == found, "has": wanted in found, "lacks": wanted not in found}
    assert fits[how], f"it is {found!r}"


def shown(value: object) -> str:
    """A value as it stands in a scene."""
    match value:
        case Point() | Size():
            found = str(value)
        case Color():
            found = value.name.casefold()
        case Enum():
            found = str(value.value)
        case timedelta():
            found = f"{value / timedelta(days=1):g} days"
        case None | True | False:
            found = {None: "none", True: "yes", False: "no"}[value]
        case list() | tuple() | set() | frozenset() | Mapping():
            found = " | ".join(map(shown, value))
        case _:
            found = str(value)
    return found.replace("\n", "⏎")
