"""Log events are named THING.WHAT-HAPPENED, with the things of the manual page."""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.support import places
from tests.support.product_code import expressions

pytestmark = pytest.mark.xdist_group("code")
LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}
NAME = re.compile(r"([a-z]+)\.(?:[a-z]+(?:-[a-z]+)*)?")
PAGE = (places.ROOT / "config/man/godaemon.1").read_text("utf-8")


@cache
def names() -> dict[str, str]:
    """The known part of each log event's name, and its place."""
    found = {}
    for file, call in expressions():
        if isinstance(call, ast.Call) and call.args and _logs(call.func):
            place = f"{file.relative_to(places.ROOT)}:{call.lineno}"
            found.update(dict.fromkeys(_words(call.args[0]), place))
    return found


def _logs(called: ast.expr) -> bool:
    """True for a logging call: `_log.info`, or a `log` that is one of them."""
    if isinstance(called, ast.Name):
        return called.id == "log"
    if not isinstance(called, ast.Attribute) or called.attr not in LEVELS:
        return False
    return ast.unparse(called.value).endswith(("_log", "log", "get_logger()"))


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


def test_log_events_are_named_thing_dot_what_happened() -> None:
    """Each kind of call is found, and has a name to search the journal by."""
    assert names().keys() >= {"daemon.ready", "engine.too-late", "letter.", "health.trouble"}
    assert [f"{place}: {name}" for name, place in names().items() if not NAME.fullmatch(name)] == []


def test_the_manual_lists_the_things_of_the_log() -> None:
    """All of them, and no other."""
    assert things() == {name.partition(".")[0] for name in names()}
