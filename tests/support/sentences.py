"""All that people read in our emails, in one file for an editor's eye.

First the paragraphs as they are read, from a tour through all kinds of emails; then what stands in
the code, refusals and pieces of sentences, with {...} for what is filled in. Each stands there
once: the module, the kind of email or error (or else the function), and the words.

REGENERATE_LETTERS=1 pytest tests/mailgate/letters/test_sentences.py      writes the file anew
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from godaemon import errors
from mailgate.language.parser import is_command_line
from mailgate.letters.blocks import Block, Choices, Diagram, Items, Quote
from mailgate.letters.letter_kinds import WRITERS
from tests.support import places
from tests.support.letter_tour import Toured, tour

FILE = places.DATA / "sentences.txt"
ROOMS = (
    *("godaemon/games", "godaemon/rules", "godaemon/diagrams", "mailgate"),
    *("mailgate/handling", "mailgate/language", "mailgate/letters"),
)
UNREAD = frozenset(["decision_table.py", "kata_rules.py"])
"""Lines that stand in other files, and what only GTP says."""
SAID = ("text", "help", "fails", "arguments")
"""What people read of an entry in a file of data."""
_ERRORS = {name for name, one in vars(errors).items() if isinstance(one, type)}
_ALIKE = tuple(
    (re.compile(pattern), same)
    for pattern, same in (
        (r"`[^`]*`(?: \| [^`|]*`[^`]*`)*", "``"),
        (r"“[^”]*”", "“”"),
        (r"\b[\w.]+@[\w.]+", "bob@players.example"),
        (r"\b[A-HJ-Z]\d{1,2}\b", "D4"),
        (r"\d+(?:\.\d+)?", "1"),
        (r"(?:1 Black (?:D4|passed)(?:, )?)+", "1 Black D4"),
        (r"D4(?: D4)+", "D4"),
        (r"\b(?:Alice|Bob|alice|bob|house)\b", "Alice"),
    )
)
"""What is the same sentence: what it suggests or quotes, addresses, points, numbers and names."""
_WORDS = re.compile(r"[^\W\d_]{2,}[^\n]*\s[^\n]*[^\W\d_]{2,}|^[A-Z][a-z]+[.!?]$")


def page() -> str:
    """The file."""
    lines = [*(__doc__ or "").splitlines(), "", "", "EMAILS, AS THEY ARE READ"]
    for (module, kind), paragraphs in _emails():
        lines += ["", f"{module} - {kind}", *(f"    {one}" for one in paragraphs)]
    lines += ["", "", "SENTENCES AND THEIR PIECES, AS THEY STAND IN THE CODE AND ITS DATA"]
    for module, found in _code():
        lines += ["", module, *(f"    {kind}: {words}" for kind, words in found)]
    return "\n".join(lines) + "\n"


# -- as they are read --------------------------------------------------------------------------
def _emails() -> list[tuple[tuple[str, str], list[str]]]:
    """The paragraphs of each kind that no kind before it has."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    seen: set[str] = set()
    for toured in sorted(tour(), key=_place):
        for words in (toured.subject, *paragraphs(toured)):
            if (form := _form(words)) not in seen:
                seen.add(form)
                found[_place(toured)].append(words)
    return list(found.items())


def _place(toured: Toured) -> tuple[str, str]:
    kind = toured.data.notice.kind
    return WRITERS[kind].__module__.rpartition(".")[2], kind.value


def _form(words: str) -> str:
    """A paragraph without what differs from game to game."""
    alike = words.replace("White", "Black")
    for pattern, same in _ALIKE:
        alike = pattern.sub(same, alike)
    return alike


def paragraphs(toured: Toured) -> Iterator[str]:
    """What a letter says, block by block, without its boards."""
    yield toured.blocks.first
    for block in toured.blocks.blocks:
        yield from _said(block)


def _said(block: Block) -> Iterator[str]:
    match block:
        case Choices(rows, label, clicks):
            yield from (f"{label} {said} - {does}" for said, does in rows)
            yield from filter(None, [clicks])
        case Items(items):
            yield from items
        case Quote(whose, lines):
            yield whose
            yield from (said for line in lines for said in re.findall(r"   (\(.*\))$", line))
        case Diagram(reply=reply):
            yield from _said(reply) if reply is not None else ()
        case _:
            yield from _texts(block)


def _texts(value: object) -> Iterator[str]:
    """All strings in a block that people read; a row of a table is one."""
    match value:
        case str():
            yield from filter(str.strip, [" ".join(value.split())])
        case tuple() if value and all(isinstance(cell, str) for cell in value):
            yield " | ".join(value)
        case tuple():
            for one in value:
                yield from _texts(one)
        case _ if is_dataclass(value):
            for field in fields(value):
                yield from _texts(getattr(value, field.name))
        case _:
            pass


# -- as they stand in the code -----------------------------------------------------------------
def _code() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each module with its sentences and pieces, and where each stands: an error or a function."""
    for path in sorted(path for room in ROOMS for path in (places.ROOT / room).glob("*.py")):
        if path.name in UNREAD:
            continue
        tree = ast.parse(path.read_text("utf-8"))
        found = dict.fromkeys(one for one in _strings(tree, "module") if _sentence(one[1]))
        if found:
            yield str(path.relative_to(places.ROOT)), list(found)
    for path in sorted((places.ROOT / "mailgate" / "language").glob("*.toml")):
        entries = _entries(tomllib.loads(path.read_text("utf-8")))
        yield (
            str(path.relative_to(places.ROOT)),
            [(name, words) for name, words in entries if _sentence(words)],
        )


def _entries(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The sentences of a file of data, each with the name of its entry."""
    for name, entry in data.items():
        yield from ((name, entry[key]) for key in SAID if isinstance(entry.get(key), str))
        yield from _entries({key: one for key, one in entry.items() if isinstance(one, dict)})


def _sentence(words: str) -> bool:
    # Headers, tags and patterns are none, nor are styles.
    if re.search(r"^(Content-|<|related;)|\(\?:|\\[bsw]", words):
        return False
    if re.search(r"(?:padding|weight|margin|width):|_TOP|<b ", words):
        return False
    return bool(_WORDS.search(re.sub(r"\{[^}]*\}", "x", words))) and not is_command_line(words)


def _strings(node: ast.AST, where: str) -> Iterator[tuple[str, str]]:
    """The strings below a node in their order, without docstrings, patterns and what is logged."""
    match node:
        case ast.Constant(str(text)):
            yield where, " ".join(text.split())
        case ast.JoinedStr(values):
            yield where, " ".join("".join(map(_piece, values)).split())
        case ast.Expr(ast.Constant()) | ast.Assert():
            pass
        case ast.Call(func=function):
            name = ast.unparse(function)
            if not re.match(r"(re|_log|getattr|AssertionError)\b", name):
                inside = name if name in _ERRORS else where
                yield from _all(_told(node), inside)
        case ast.FunctionDef(name=name, body=body):
            yield from _all(body, name.strip("_"))
        case ast.Assign([ast.Name(name)], value) if where == "module":
            yield from _strings(value, name.strip("_"))
        case ast.AnnAssign(ast.Name(name), _, ast.expr() as value) if where == "module":
            yield from _strings(value, name.strip("_"))
        case ast.ClassDef(name=name, body=body):
            yield from _all(body, name.strip("_"))
        case _:
            yield from _all(ast.iter_child_nodes(node), where)


def _told(call: ast.Call) -> list[ast.AST]:
    """What of a call people read; `detail` is for the log."""
    return [*call.args, *(more.value for more in call.keywords if more.arg != "detail")]


def _all(nodes: Iterable[ast.AST], where: str) -> Iterator[tuple[str, str]]:
    for node in nodes:
        yield from _strings(node, where)


def _piece(value: ast.expr) -> str:
    match value:
        case ast.Constant(text):
            return str(text)
        case ast.FormattedValue(value=inside):
            return f"{{{ast.unparse(inside)}}}".replace('"', "'")
        case _:
            raise AssertionError
