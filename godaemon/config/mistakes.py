"""Sentences for mistakes in a configuration file, each with its line: "FILE:LINE: option: why".

Pure. Neither `tomllib` nor pydantic gives the line of a key, so the text is scanned again.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

_QUOTE_MISSING = "a quote is missing at the end of the value"
_FORM_OF_LINE = "write NAME = VALUE or [SECTION] on the line, and # before a remark"
_REMEDIES = {
    "Illegal character '\\n'": _QUOTE_MISSING,
    "Unterminated string": _QUOTE_MISSING,
    "Expected \"'": _QUOTE_MISSING,
    "Invalid value": (
        'put everything but numbers, true and false between quotes, as in "word", and close every'
        " [ and {"
    ),
    "Expected newline": "only a # may follow the value: is a quote missing, or one too many?",
    "Expected '='": _FORM_OF_LINE,
    "Invalid statement": _FORM_OF_LINE,
    "Expected ']'": "a ] is missing at the end of the section's name",
    "Cannot overwrite": "this option is in the file twice: leave one",
    "Cannot declare": "this section is in the file twice: put its options together in one",
    "Unescaped": r"write \\ for \, or put the value between single quotes",
}
"""The remedy, by the beginning of tomllib's message."""


def explain_syntax(source: str, fault: str, text: str) -> str:
    """One line for a text that is not TOML; tomllib names the place at the end of its message."""
    match = re.fullmatch(
        r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)", fault, re.DOTALL
    )
    if match is None:
        return f"{source}: {fault}"
    line = match[2] or len(text.rstrip().split("\n"))
    advice = next((remedy for begins, remedy in _REMEDIES.items() if fault.startswith(begins)), "")
    other = f"{match[1]}; see https://toml.io for how such a file is written"
    return f"{source}:{line}: {advice or other}"


_PART = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
"""One word of a key, bare or between quotes."""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*\[\[?\s*({_DOTTED})\s*\]")
_KEY = re.compile(rf"\s*({_DOTTED})\s*=")

_ADVICE = {
    "bool_type": "write true or false",
    "float_type": "write a number",
    "int_type": "write a whole number, without quotes or a point",
    "int_from_float": "write a whole number",
    "is_instance_of": 'write a whole path between quotes, as in "/var/lib/godaemon"',
    "list_type": 'write a list, as in ["word"]',
    "missing": "this option is needed",
    "model_type": 'write { credential = "NAME" } or { file = "PATH" }',
    "string_pattern_mismatch": "write letters and digits, with . - or _ between them",
    "string_too_long": "this is too long",
    "string_too_short": "write at least one character",
    "string_type": 'write this between quotes, as in "word"',
}
"""What to write, by the type of pydantic's error."""

Key = tuple[str, ...]
"""The path of a table or an option from the top of the file: ("mail", "smtp", "listen")."""


def key_lines(text: str) -> dict[Key, int]:
    r"""The line, counted from 1, where each table and key of a TOML text first occurs.

    Tables in a list are named by their index: `mail.addresses.0`. This is no parser of TOML: three
    quotes in a remark mislead it.

    >>> key_lines('[gtp]\nsocket = "/run/gtp.sock"')
    {('gtp',): 1, ('gtp', 'socket'): 2}
    """
    lines: dict[Key, int] = {}
    table: Key = ()
    listed: dict[Key, int] = {}
    in_string = False
    for number, line in enumerate(text.split("\n"), start=1):
        if not in_string:
            if header := _HEADER.match(line):
                table = _split_key(header[1])
                if line.lstrip().startswith("[["):
                    lines.setdefault(table, number)
                    listed[table] = listed.get(table, -1) + 1
                    table = (*table, str(listed[table]))
                lines.setdefault(table, number)
            elif key := _KEY.match(line):
                lines.setdefault(table + _split_key(key[1]), number)
        if (line.count('"""') + line.count("'''")) % 2:
            in_string = not in_string
    return lines


ANY = "NAME"
"""Placeholder in an option's path for a name that the operator chooses, or an index."""


def option_names(model: type[BaseModel], above: Key = ()) -> Iterator[Key]:
    """Every option that a model of sections knows, as its path from the top."""
    each = getattr(model, "each", None)
    if each is not None:
        yield from option_names(each, (*above, ANY))
    for name, field in model.model_fields.items():
        section = field.annotation
        if (one := list_item_type(section)) is not None:
            yield from option_names(one, (*above, name, ANY))
        elif isinstance(section, type) and issubclass(section, BaseModel):
            yield from option_names(section, (*above, name))
        else:
            yield (*above, name)


def list_item_type(kind: object) -> type[BaseModel] | None:
    """The type of the sections in an option that is a list of them; else None."""
    one = next(iter(get_args(kind)), None) if get_origin(kind) is list else None
    return one if isinstance(one, type) and issubclass(one, BaseModel) else None


def explain_errors(
    errors: list[ErrorDetails], model: type[BaseModel], source: str, text: str
) -> list[str]:
    """One line for each thing that is wrong, in the order of the file: "FILE:LINE: key: why"."""
    lines = key_lines(text)
    found = []
    for error in errors:
        key = tuple(str(part) for part in error["loc"])
        number = _line_of(key, lines)
        where = f"{source}:{number}" if number else source
        named = f"{'.'.join(key)}: " if key else ""
        found.append((number, f"{where}: {named}{_explain(error, key, model)}"))
    return [line for _, line in sorted(found, key=lambda item: item[0])]


def _split_key(dotted: str) -> Key:
    return tuple(part.strip("\"'") for part in re.findall(_PART, dotted))


def _line_of(key: Key, lines: dict[Key, int]) -> int:
    """The line of a key, else of the nearest table above it, else 0."""
    while key:
        if key in lines:
            return lines[key]
        inside = [number for other, number in lines.items() if other[: len(key)] == key]
        if inside:
            return min(inside)
        key = key[:-1]
    return 0


def _explain(error: ErrorDetails, key: Key, model: type[BaseModel]) -> str:
    """What is wrong with an option, and what to write instead."""
    if error["type"] == "extra_forbidden":
        return _explain_unknown(key, model)
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    if error["type"] == "literal_error":
        return f"write one of {error['ctx']['expected']}"
    if error["type"] in {"model_type", "list_type"} and (sections := _suggest_sections(key, model)):
        return f"this is a section: write {sections}, and its options below"
    if words := _ADVICE.get(error["type"]):
        return words
    return _explain_limits(error.get("ctx", {})) or error["msg"]


def _generalize(key: Key, known: set[Key]) -> Key:
    """The path with `ANY` for the name that the operator gave a section."""
    for at in range(1, len(key)):
        if any(option[: at + 1] == (*key[:at], ANY) for option in known):
            return (*key[:at], ANY, *key[at + 1 :])
    return key


def _explain_limits(context: dict[str, Any]) -> str:
    """The limits that a number exceeds, as a sentence; "" for another kind of mistake."""
    signs = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    words = [f"{sign} {context[name]}" for name, sign in signs.items() if name in context]
    return f"this must be {' and '.join(words)}" if words else ""


def _explain_unknown(key: Key, model: type[BaseModel]) -> str:
    known = set(option_names(model))
    *above, name = _generalize(key, known)
    tables = {option[:end] for option in known for end in range(1, len(option))}
    beside = [path[-1] for path in known | tables if path[:-1] == tuple(above)]
    if close := difflib.get_close_matches(name, beside, n=1):
        return f"there is no such option; did you mean {close[0]}?"
    if places := {option[:-1] for option in known if option[-1] == name}:
        return f"there is no such option here; {name} belongs in {_join_sections(places, known)}"
    if inside := {option for option in known if option[-1].startswith(f"{name}_")}:
        options = ", ".join(sorted({option[-1] for option in inside}))
        places = {option[:-1] for option in inside}
        return f"there is no such section; write {options} in {_join_sections(places, known)}"
    if not beside:
        return _ADVICE["model_type"]
    return f"there is no such option; here you may write {', '.join(sorted(beside))}"


def _suggest_sections(key: Key, model: type[BaseModel]) -> str:
    """The sections that may be written instead of a key; "" if the key is a plain option."""
    known = set(option_names(model))
    general = _generalize(key, known)
    places = {option[:-1] for option in known if option[:-1] in {general, (*general, ANY)}}
    return _join_sections(places, known)


def _join_sections(places: set[Key], known: set[Key]) -> str:
    """Some sections as written in the file; those that may occur several times come last."""
    ordered = sorted(places, key=lambda place: (ANY in place, place))
    return " or ".join(_format_section(place, known) for place in ordered)


def _format_section(place: Key, known: set[Key]) -> str:
    """A section as it is written in the file: `[mail.smtp]`, or `[[mail.addresses]]` for a list."""
    if not place:
        return "the top of the file"
    *above, last = place
    beside = {option[len(above)] for option in known if option[: len(above)] == tuple(above)}
    return f"[[{'.'.join(above)}]]" if beside == {last} == {ANY} else f"[{'.'.join(place)}]"
