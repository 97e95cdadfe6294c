"""Sample mutants of some modules, and list those that the tests do not kill.

    python -m tests.support.mutants --count 40 godaemon/rules gtp/seat/cursor.py
    python -m tests.support.mutants --repo ../older --seed 1 --also tests/wire godaemon/games

A mutant is one small fault in one function: a comparison turned round, a number one higher, a
statement deleted. It is known by its function's name and its own text, so that one seed picks the
same faults in two versions of a repository, wherever both have the function. Each is tried in a
copy of the repository, first on the tests that import its module, then on those of its folder.
"""

import argparse
import ast
import copy
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_PAIRS = [
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn)),
    *((ast.Is, ast.IsNot), (ast.And, ast.Or), (ast.Add, ast.Sub)),
]
OPPOSITES = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
NO_TESTS_COLLECTED = 5
"""The exit status of pytest that collected no test."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault in a function of a module: the code before and after."""

    module: Path
    function: str
    before: str
    after: str
    source: bytes
    """The source of the faulty module."""

    def sort_key(self, seed: int) -> str:
        """A key that sorts mutants into a random order, which depends on the seed and the fault."""
        known_by = f"{seed} {self.function} {self.before} {self.after}"
        return hashlib.sha256(known_by.encode()).hexdigest()

    def __str__(self) -> str:
        return f"{self.module} {self.function}: {self.before}  ->  {self.after}"


def changed(node: ast.AST) -> str:
    """The code of a node after a fault was inserted; "" for a node without faults."""
    other = copy.deepcopy(node)
    match other:
        case ast.Compare(ops=[op, *rest]):
            other.ops = [OPPOSITES[type(op)](), *rest]  # type: ignore[list-item]
        case ast.BoolOp(op=op) | ast.BinOp(op=ast.Add() | ast.Sub() as op):
            other.op = OPPOSITES[type(op)]()  # type: ignore[assignment]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            other = operand
        case ast.Constant(value=bool() as value):
            other.value = not value
        case ast.Constant(value=int() as value):
            other.value = value + 1
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            return "return None"
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign() | ast.Raise():
            return "pass"
        case _:
            return ""
    return f"({ast.unparse(other)})"


def nodes(node: ast.AST, within: str = "") -> Iterator[tuple[str, ast.AST]]:
    """The nodes that run in each function or class, with its name; no defaults or f-strings."""
    if isinstance(node, ast.JoinedStr | ast.arguments | ast.AnnAssign):
        return
    children: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        within, children = f"{within}.{node.name}".lstrip("."), node.body
    elif within:
        yield within, node
    for child in children:
        yield from nodes(child, within)


def mutants(repo: Path, module: Path) -> Iterator[Mutant]:
    """All mutants of a module that compile."""
    source = (repo / module).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for function, node in nodes(ast.parse(source)):
        if after := changed(node):
            assert isinstance(node, ast.stmt | ast.expr)
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            faulty = source[:begin] + after.encode() + source[end:]
            try:
                compile(faulty, str(module), "exec", dont_inherit=True)
            except SyntaxError:
                continue
            yield Mutant(module, function, ast.unparse(node), after, faulty)


def folder_of_tests(repo: Path, module: Path) -> str:
    """The folder of a module's tests: the one that mirrors its own, or the nearest above."""
    parts = [part for part in module.parts[:-1] if part != "godaemon"]
    while parts and not (repo / "tests" / Path(*parts)).is_dir():
        parts.pop()
    return str(Path("tests", *parts))


def importing_tests(repo: Path, module: Path, folder: str) -> list[str]:
    """The files of tests in a folder that import a module."""
    dotted = ".".join(module.with_suffix("").parts)
    files = sorted((repo / folder).rglob("test_*.py"))
    return [str(one.relative_to(repo)) for one in files if dotted in one.read_text("utf-8")]


class MutableCopy:
    """A copy of a repository for faults, one at a time."""

    def __init__(self, repo: Path, folder: Path, timeout: float) -> None:
        self.repo, self.folder, self.timeout = repo, folder, timeout
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=repo, check=True, capture_output=True
        )
        for name in listed.stdout.decode().rstrip("\0").split("\0"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(repo / name, folder / name)
        inside = repo / ".venv" / "bin" / "python"
        self.python = str(inside if inside.exists() else sys.executable)

    def fails(self, tests: list[str]) -> bool:
        """True if a test fails, or the tests run out of time."""
        processes = "0" if all(test.endswith(".py") for test in tests) else "2"
        options = ("-q", "-x", "-p", "no:cacheprovider", "-n", processes, "--dist", "loadgroup")
        command = [self.python, "-m", "pytest", *options, *tests]
        with subprocess.Popen(
            [*command, "-m", "not slow"],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as running:
            try:
                return running.wait(self.timeout) not in {0, NO_TESTS_COLLECTED}
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, 9)
                return True

    def kills(self, mutant: Mutant, also: list[str]) -> bool:
        place = self.folder / mutant.module
        place.write_bytes(mutant.source)
        try:
            tests = [folder_of_tests(self.folder, mutant.module), *also]
            near = importing_tests(self.folder, mutant.module, tests[0])
            return (bool(near) and self.fails(near)) or self.fails(tests)
        finally:
            shutil.copy2(self.repo / mutant.module, place)


def main() -> None:
    """Sample mutants, test them, and print the survivors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="+", type=Path, help="modules, or folders of them")
    parser.add_argument(
        "--repo", type=Path, default=Path(), help="the repository; here unless told"
    )
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=240, help="seconds for each run of pytest")
    parser.add_argument("--also", action="append", default=[], help="tests of another folder too")
    asked = parser.parse_args()
    repo = asked.repo.resolve()
    modules = [
        one.relative_to(repo)
        for given in asked.modules
        for one in sorted(
            (repo / given).rglob("*.py") if (repo / given).is_dir() else [repo / given]
        )
    ]
    sample = sorted(
        (mutant for module in modules for mutant in mutants(repo, module)),
        key=lambda mutant: mutant.sort_key(asked.seed),
    )[: asked.count]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tried = MutableCopy(repo, Path(folder), asked.timeout)
        for tests in sorted({folder_of_tests(repo, mutant.module) for mutant in sample}):
            if tried.fails([tests, *asked.also]):
                sys.exit(f"{tests} fails, or takes too long, without any mutant")
        results = Counter[str]()
        for mutant in sample:
            result = "killed" if tried.kills(mutant, asked.also) else "SURVIVED"
            results[result] += 1
            sys.stdout.write(f"{result:8}  {mutant}\n")
            sys.stdout.flush()
    sys.stdout.write(", ".join(f"{count} {result}" for result, count in results.items()) + "\n")


if __name__ == "__main__":
    main()
