"""Rules about names; the check of CI (.ci/names) finds planted violations."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import places
from tests.support.product_code import PRODUCT, modules, statements

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
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
    command = [sys.executable, str(places.ROOT / ".ci" / "names"), str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.xdist_group("code")
def test_inner_functions_are_private_or_documented() -> None:
    """The linter checks only outer functions."""
    found = {
        f"{path}: {inner.name}"
        for path, module in modules(*PRODUCT).items()
        for outer in statements(module)
        if isinstance(outer, FUNCTIONS)
        for inner in statements(outer)
        if isinstance(inner, FUNCTIONS) and not ast.get_docstring(inner)
        if not inner.name.startswith("_")
    }
    assert found == set()


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
