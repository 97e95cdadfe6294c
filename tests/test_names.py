"""The check of names in CI passes the product, and finds planted violations."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import places

CONTRACTS = """
[tool.importlinter]
[[tool.importlinter.contracts]]
name = "Down"
layers = ["upper", "lower | lowest"]
"""
HIDDEN = '''"""A seat."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gtp.board import Board
'''
SOUND = {
    "pyproject.toml": CONTRACTS,
    "godaemon/errors.py": '"""Errors."""\n',
    "godaemon/board/__init__.py": '"""Boards."""\n',
    "godaemon/board/points.py": '"""Points."""\n\n\nclass Point:\n    """A point."""\n',
    "gtp/board.py": '"""A room may be called as a module elsewhere is."""\n\n\nclass _Point: ...\n',
    "gtp/start.py": HIDDEN.replace("TYPE_CHECKING:", "TYPE_CHECKING:  # starts fast"),
    "gtp/commands/points.py": '"""A command."""\n',
}


def check(tree: dict[str, str], root: Path) -> subprocess.CompletedProcess[str]:
    """Run the check on a tree that is written for it."""
    for name, text in tree.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return run(root)


def run(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(places.ROOT / ".ci" / "names"), str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_product_keeps_the_rules() -> None:
    """Every name is listed once."""
    done = run(places.ROOT)
    assert (done.stdout, done.returncode) == ("", 0)


def test_functions_within_functions_are_private_or_say_what_they_are() -> None:
    """As those that are not within others; the check of style looks at these alone."""
    rooms = (
        path
        for room in ("godaemon", "gtp", "mailgate")
        for path in (places.ROOT / room).rglob("*.py")
    )
    found = [f"{path.relative_to(places.ROOT)}: {name}" for path in rooms for name in nested(path)]
    assert found == []


def nested(path: Path) -> Iterator[str]:
    """The public functions within functions of a module that have no docstring."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    for outer in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(outer, functions):
            for one in ast.walk(outer):
                if one is not outer and isinstance(one, functions) and not ast.get_docstring(one):
                    yield from [] if one.name.startswith("_") else [one.name]


def test_a_sound_tree_passes(tmp_path: Path) -> None:
    """Rooms, families of commands and private classes do not count against modules."""
    done = check(SOUND, tmp_path)
    assert (done.stdout, done.returncode) == ("", 0)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("mailgate/points.py", '"""More."""\n', "module points: godaemon/board/points.py, mailg"),
        ("mailgate/more.py", '"""M."""\n\n\nclass Point:\n    """A."""\n', "class Point: godaemon"),
        (
            "gtp/board/__init__.py",
            '"""A board."""\n',
            "room board: godaemon/board/__init__.py, gtp",
        ),
        ("godaemon/more.py", '"""More."""\n', "godaemon/more.py: a loose module"),
        (
            "gtp/seat.py",
            '"""Whether it is a seat."""\n',
            "gtp/seat.py: the docstring does not begin",
        ),
        ("gtp/seat.py", HIDDEN, "gtp/seat.py:5: imports only for types, without a reason"),
        ("pyproject.toml", CONTRACTS.replace(" | ", " : "), "a circle is allowed in lower : l"),
    ],
)
def test_violations_are_reported(file: str, text: str, message: str, tmp_path: Path) -> None:
    """One line each, and the exit status for CI."""
    done = check({**SOUND, file: text}, tmp_path)
    assert message in done.stdout
    assert done.stdout.count("\n") == 1
    assert done.returncode == 1
