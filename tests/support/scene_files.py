"""Scene files: lines of actions and checks.

A file begins with a comment (`#`). An optional block `given` is played before each scene. `* NAME`
begins a scene; its lines are indented. `each: pass | resign` makes a test for each value, which
replaces {1} in the other lines; ` ; ` separates columns. The lines are interpreted by `scenes` for
emails and by `tests/games/test_played.py` for games.
"""

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
    """A scene, with one row of its table filled in."""

    name: str
    lines: tuple[tuple[int, str], ...]
    """The lines with their numbers in the file."""

    def play(self, do: Callable[[str], object], first: int = 0) -> None:
        """Run the lines from index `first` on; raises `AssertionError` naming the failed line."""
        for number, line in self.lines[first:]:
            try:
                do(line)
            except Exception as error:
                raise AssertionError(f"line {number}: {line}\n{error!r}") from error


def read_scenes(path: Path) -> list[Scene]:
    """The scenes of a file; one for each row of an `each` table."""
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


def split_outcome(line: str) -> tuple[str, str, str]:
    """Split `TEXT => OUTCOME >> REPLY`; missing parts are ""."""
    found = ENDS.fullmatch(line)
    assert found
    text, wanted, read = (part or "" for part in found.groups())
    return text.replace("⏎", "\n").strip(), wanted, read


def check_value(found: str, operator: str, wanted: str) -> None:
    """Check a value by `=`, `has` or `lacks`; raises `AssertionError`."""
    fits = {"=": wanted == found, "has": wanted in found, "lacks": wanted not in found}
    assert fits[operator], f"it is {found!r}"


def as_text(value: object) -> str:
    """A value as written in a scene."""
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
            found = " | ".join(map(as_text, value))
        case _:
            found = str(value)
    return found.replace("\n", "⏎")
