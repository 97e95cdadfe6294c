"""Everything that the maps (README.md of the rooms) name exists."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support import places
from tests.support.product_code import PRODUCT, modules, statements

WORDS = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"\.(py|md|toml|html|sgf|key|db|sock|lock|bin)$")
ALONE = re.compile(r"_?[A-Z][a-z]+[A-Z]\w*|[a-z]+_[a-z_]+")
STANDARD = sys.stdlib_module_names
pytestmark = pytest.mark.xdist_group("code")
"""One process parses all of the code."""
MAPS = [page for room in (*PRODUCT, "tests") if (page := places.ROOT / room / "README.md").exists()]


def quoted(page: Path) -> list[str]:
    """The code in backticks of a page, outside of drawings."""
    return WORDS.findall(re.sub(r"(?s)```.*?```", "", page.read_text("utf-8")))


@pytest.mark.parametrize("page", MAPS, ids=lambda page: page.parent.name)
def test_a_map_names_only_existing_files(page: Path) -> None:
    """Files and folders, from the root of the project or from the page."""
    paths = {word for word in quoted(page) if re.fullmatch(r"[\w./-]+(\.(py|toml|md|\d)|/)", word)}
    linked = re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
    roots = places.ROOT, page.parent
    gone = [path for path in (*paths, *linked) if not any((root / path).exists() for root in roots)]
    assert gone == []


@pytest.mark.parametrize("page", MAPS, ids=lambda page: page.parent.name)
def test_a_map_names_only_existing_code(page: Path) -> None:
    """`Class.method` and `module.function`, and what looks like a class or a function alone."""
    words = quoted(page)
    assert gone(words) == []
    alone = {word for word in words if ALONE.fullmatch(word)}
    assert [word for word in sorted(alone) if word not in defined()] == []


def test_docstrings_name_only_existing_code() -> None:
    """Dotted names in backticks are defined somewhere."""
    texts = {
        path: " ".join(ast.unparse(node) for node in statements(module) if is_docstring(node))
        for path, module in modules(*PRODUCT).items()
    }
    lost = {path: found for path, text in texts.items() if (found := gone(WORDS.findall(text)))}
    assert lost == {}


def gone(words: Iterable[str]) -> list[str]:
    """The dotted names of ours that nothing defines; a call counts as its name."""
    names = {re.sub(r"\(.*\)$", "", word) for word in words}
    dotted = {name for name in names if re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", name)}
    others = {name for name in dotted if FILE.search(name) or name.split(".")[0] in STANDARD}
    return [name for name in sorted(dotted - others) if not known(name)]


def is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_docstrings_name_only_existing_headings() -> None:
    """Such as (godaemon/README.md, "The log")."""
    found = 0
    for path in modules(*PRODUCT):
        for page, title in re.findall(r'([\w/]+/README\.md), "([^"]+)"', path.read_text("utf-8")):
            assert f"# {title}\n" in (places.ROOT / page).read_text("utf-8"), path
            found += 1
    assert found


def known(name: str) -> bool:
    """Whether the last part of a name belongs to the one before it: a room, module or class."""
    *_, holder, member = name.split(".")
    return any(member in members for members in inside().get(holder, ()))


@cache
def inside() -> dict[str, list[set[str]]]:
    """The names defined in each room, module and class of product and tests, by its name."""
    found: dict[str, list[set[str]]] = {}
    for path, tree in modules(*PRODUCT, "tests/support", "tests/benchmarks").items():
        found.setdefault(path.parent.name, []).append({path.stem})
        found.setdefault(path.parent.parent.name, []).append({path.parent.name})
        holder = path.parent.name if path.stem == "__init__" else path.stem
        found.setdefault(holder, []).append(set(names(tree)))
        for node in statements(tree):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(set(names(node)))
    return found


@cache
def defined() -> set[str]:
    return {name for scopes in inside().values() for members in scopes for name in members}


def names(scope: ast.Module | ast.ClassDef) -> Iterator[str]:
    """The names defined in a module or a class, and the attributes set in methods."""
    for node in statements(scope):
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


def test_missing_names_are_found() -> None:
    """Modules and methods, and no invented ones."""
    assert known("GameService.decide")
    assert known("godaemon.games.state.apply")
    assert not known("GameService.desk")
    assert not known("Postman.round")
