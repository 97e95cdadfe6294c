"""The product's code, parsed once in each process."""

import ast
import gc
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.support import places

PRODUCT = ("godaemon", "gtp", "mailgate")


@cache
def modules(*folders: str) -> Mapping[Path, ast.Module]:
    """The modules of some folders, by path."""
    files = [file for folder in folders for file in sorted((places.ROOT / folder).rglob("*.py"))]
    gc.disable()  # it would walk all nodes again and again
    parsed = {file: ast.parse(file.read_text("utf-8")) for file in files}
    gc.freeze()
    gc.enable()
    return parsed


@cache
def expressions() -> tuple[tuple[Path, ast.Call | ast.Attribute], ...]:
    """All calls and attributes of the product, each with its module."""
    return tuple(
        (file, node)
        for file, module in modules(*PRODUCT).items()
        for node in ast.walk(module)
        if isinstance(node, ast.Call | ast.Attribute)
    )


def statements(scope: ast.AST) -> Iterator[ast.AST]:
    """All statements and imported names within a scope, nested ones too."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.stmt | ast.alias | ast.ExceptHandler | ast.match_case):
            yield node
            yield from statements(node)
