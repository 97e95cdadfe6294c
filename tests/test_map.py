"""Everything that the maps (README.md of the rooms) name exists."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from tests.support import places

PRODUCT = ("godaemon", "gtp", "mailgate")
WORDS = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"\.(py|md|toml|sgf|key|db|sock|lock|bin)$")
ALONE = re.compile(r"_?[A-Z][a-z]+[A-Z]\w*|[a-z]+_[a-z_]+")
STANDARD = sys.stdlib_module_names
pytestmark = pytest.mark.xdist_group("map")
"""One process reads all of the code, and no other."""
MAPS = [page for room in (*PRODUCT, "tests") if (page := places.ROOT / room / "README.md").exists()]


def quoted(page: Path) -> list[str]:
    """The code in backticks of a page, outside of drawings."""
    return WORDS.findall(re.sub(r"(?s)```.*?```", "", page.read_text("utf-8")))


@pytest.mark.parametrize("page", MAPS, ids=lambda page: page.parent.name)
def test_every_path_is_there(page: Path) -> None:
    """Files and folders, from the root of the project or from the page."""
    paths = {word for word in quoted(page) if re.fullmatch(r"[\w./-]+(\.(py|toml|md|\d)|/)", word)}
    linked = re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
    roots = places.ROOT, page.parent
    gone = [path for path in (*paths, *linked) if not any((root / path).exists() for root in roots)]
    assert gone == []


@pytest.mark.parametrize("page", MAPS, ids=lambda page: page.parent.name)
def test_every_name_is_there(page: Path) -> None:
    """`Class.method` and `module.function`, and what looks like a class or a function alone."""
    words = quoted(page)
    assert gone(words) == []
    alone = {word for word in words if ALONE.fullmatch(word)}
    assert [word for word in sorted(alone) if word not in defined()] == []


def test_every_name_in_a_docstring_is_there() -> None:
    """So that who follows one finds something."""
    lost: dict[str, list[str]] = {}
    for path in (path for room in PRODUCT for path in (places.ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Expr(ast.Constant(str(text))) if found := gone(WORDS.findall(text)):
                    lost.setdefault(str(path), []).extend(found)
                case _:
                    pass
    assert lost == {}


def gone(words: Iterable[str]) -> list[str]:
    """The dotted names of ours among some words that lead nowhere; calls count as names."""
    names = {re.sub(r"\(.*\)$", "", word) for word in words}
    dotted = {name for name in names if re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", name)}
    others = {name for name in dotted if FILE.search(name) or name.split(".")[0] in STANDARD}
    return [name for name in sorted(dotted - others) if not known(name)]


def test_every_docstring_that_points_to_a_map_points_to_a_heading() -> None:
    """(godaemon/README.md, "The log"), say."""
    found = 0
    for path in (path for room in PRODUCT for path in (places.ROOT / room).rglob("*.py")):
        for page, title in re.findall(r'([\w/]+/README\.md), "([^"]+)"', path.read_text("utf-8")):
            assert f"# {title}\n" in (places.ROOT / page).read_text("utf-8"), path
            found += 1
    assert found


def known(name: str) -> bool:
    """Whether the last part of a name belongs to the one before it: a room, module or class."""
    *_, holder, member = name.split(".")
    return any(member in members for members in inside().get(holder, ()))


@lru_cache(maxsize=1)
def inside() -> dict[str, list[set[str]]]:
    """What is defined in each room, module and class of the product and the tests, by its name."""
    found: dict[str, list[set[str]]] = {}
    for room in (*PRODUCT, "tests/support", "tests/benchmarks"):
        for path in (places.ROOT / room).rglob("*.py"):
            tree = ast.parse(path.read_text("utf-8"))
            found.setdefault(path.parent.name, []).append({path.stem})
            found.setdefault(path.parent.parent.name, []).append({path.parent.name})
            holder = path.parent.name if path.stem == "__init__" else path.stem
            found.setdefault(holder, []).append(set(names(tree)))
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    found.setdefault(node.name, []).append(set(names(node)))
    return found


@lru_cache(maxsize=1)
def defined() -> set[str]:
    return {name for scopes in inside().values() for members in scopes for name in members}


def names(scope: ast.Module | ast.ClassDef) -> Iterator[str]:
    """What is defined in a module or a class; of `__init__` what it sets."""
    for node in ast.walk(scope):
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                yield name
            case ast.alias(name, alias):
                yield alias or name
            case ast.Assign([ast.Name(name), *_]) | ast.AnnAssign(ast.Name(name)):
                yield name
            case ast.Assign([ast.Attribute(ast.Name("self"), name), *_]):
                yield name
            case ast.AnnAssign(ast.Attribute(ast.Name("self"), name)):
                yield name
            case _:
                pass


def test_a_name_that_is_gone_is_seen() -> None:
    """The check finds planted violations, and nothing else."""
    assert known("GameService.decide")
    assert known("godaemon.games.state.apply")
    assert not known("GameService.desk")
    assert not known("Postman.round")
