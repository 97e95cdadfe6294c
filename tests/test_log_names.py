"""Log events are named THING.WHAT-HAPPENED, with the things of the manual page."""

import ast
import re
from collections.abc import Iterator
from functools import cache

from tests.support import places

LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}
NAME = re.compile(r"([a-z]+)\.(?:[a-z]+(?:-[a-z]+)*)?")
PAGE = (places.ROOT / "config/man/godaemon.1").read_text("utf-8")


@cache
def names() -> dict[str, str]:
    """The known part of each log event's name, and its place."""
    found = {}
    for room in ("godaemon", "gtp", "mailgate"):
        for file in sorted((places.ROOT / room).rglob("*.py")):
            for call in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(call, ast.Call) and call.args and _logs(call.func):
                    place = f"{file.relative_to(places.ROOT)}:{call.lineno}"
                    found.update(dict.fromkeys(_words(call.args[0]), place))
    return found


def _logs(called: ast.expr) -> bool:
    """Whether something is called that logs: `_log.info`, `getattr(self._log, level)`."""
    if isinstance(called, ast.Call) and isinstance(called.func, ast.Name):
        return called.func.id == "getattr" and ast.unparse(called.args[0]).endswith("_log")
    logger = ast.unparse(called.value) if isinstance(called, ast.Attribute) else ""
    return logger.endswith(("_log", "log", "get_logger()")) and _level(called)


def _level(called: ast.expr) -> bool:
    return isinstance(called, ast.Attribute) and called.attr in LEVELS


def _words(name: ast.expr) -> Iterator[str]:
    match name:
        case ast.Constant(value=str(word)):
            yield word
        case ast.IfExp(body=one, orelse=other):
            yield from (*_words(one), *_words(other))
        case ast.JoinedStr(values=[first, *_]):
            yield from _words(first)


def things() -> set[str]:
    section = PAGE.partition("\n.SH LOG\n")[2].partition("\n.SH ")[0]
    return set(re.findall(r"\\fB([a-z]+)\\fR", section))


def test_the_lines_are_found() -> None:
    """Those of every kind of call."""
    assert names().keys() >= {"daemon.ready", "engine.too-late", "letter.", "health.trouble"}


def test_a_line_has_a_name_of_the_scheme() -> None:
    """Each name has a thing and what happened to it, to search the journal by."""
    assert len(names()) > 50
    assert [f"{place}: {name}" for name, place in names().items() if not NAME.fullmatch(name)] == []


def test_the_manual_names_the_things() -> None:
    """All of them, and no other."""
    assert things() == {name.partition(".")[0] for name in names()}
