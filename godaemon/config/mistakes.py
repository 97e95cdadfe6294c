"""Sentences for mistakes in a configuration file, in the form "FILE:LINE: option: reason".

Neither `tomllib` nor pydantic returns the line of a key, so the text is scanned again.
"""

import difflib
import re
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

_QUOTE_MISSING = "a quote is missing at the end of the value"
_FORM_OF_LINE = "write NAME = VALUE or [SECTION] on the line, and # before a comment"
_REMEDIES = {
    "Illegal character '\\n'": _QUOTE_MISSING,
    "Unterminated string": _QUOTE_MISSING,
    "Expected \"'": _QUOTE_MISSING,
    "Invalid value": (
        'put everything but numbers, true and false between straight quotes, as in "word", and'
        " close every [ and {"
    ),
    "Expected newline": "only a # may follow the value: is a quote missing, or one too many?",
    "Expected '='": _FORM_OF_LINE,
    "Invalid statement": _FORM_OF_LINE,
    "Expected ']'": "a ] is missing at the end of the section's name",
    "Cannot overwrite": "this option is in the file twice: leave one",
    "Cannot declare": "this section is in the file twice: put all its options into one",
    "Unescaped": r"write \\ for \, or put the value between single quotes",
}
"""The remedy by the start of tomllib's message."""


def explain_syntax(source: str, fault: str, text: str) -> str:
    """A line for a text that is not TOML; tomllib's message ends with the position."""
    match = re.fullmatch(
        r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)", fault, re.DOTALL
    )
    if match is None:
        return f"{source}: {fault}"
    line = match[2] or len(text.rstrip().split("\n"))
    advice = next((remedy for start, remedy in _REMEDIES.items() if fault.startswith(start)), "")
    message = f"{match[1]}; see https://toml.io for the syntax"
    return f"{source}:{line}: {advice or message}"


_PART = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
"""One part of a key, bare or between quotes."""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*\[\[?\s*({_DOTTED})\s*\]")
_KEY = re.compile(rf"\s*({_DOTTED})\s*=")

_ADVICE = {
    "bool_type": "write true or false",
    "float_type": "write a number",
    "int_type": "write a whole number, without quotes or a point",
    "int_from_float": "write a whole number",
    "is_instance_of": 'write an absolute path between quotes, as in "/var/lib/godaemon"',
    "list_type": 'write a list, as in ["word"]',
    "missing": "this option is required",
    "model_type": 'write { credential = "NAME" } or { file = "PATH" }',
    "string_pattern_mismatch": "write letters and digits, with . - or _ between them",
    "string_too_long": "this is too long",
    "string_too_short": "write at least one character",
    "string_type": 'write this between quotes, as in "word"',
}
"""The remedy by the type of pydantic's error."""

Key = tuple[str, ...]
"""The path of a table or an option from the top of the file: ("mail", "smtp", "listen")."""


def key_lines(text: str) -> dict[Key, int]:
    r"""The first line, counted from 1, of each table and key in a TOML text.

    Tables in a list have their index as a name: `mail.addresses.0`. This is no full parser: three
    quotes in a comment mislead it.

    >>> key_lines('[gtp]\nsocket = "/run/gtp.sock"')
    {('gtp',): 1, ('gtp', 'socket'): 2}
    """
    lines: dict[Key, int] = {}
    table: Key = ()
    counts: dict[Key, int] = {}
    in_string = False
    for number, line in enumerate(text.split("\n"), start=1):
        if not in_string:
            if header := _HEADER.match(line):
                table = _split_key(header[1])
                if line.lstrip().startswith("[["):
                    lines.setdefault(table, number)
                    counts[table] = counts.get(table, -1) + 1
                    table = (*table, str(counts[table]))
                lines.setdefault(table, number)
            elif key := _KEY.match(line):
                lines.setdefault(table + _split_key(key[1]), number)
        if (line.count('"""') + line.count("'''")) % 2:
            in_string = not in_string
    return lines


ANY_NAME = "NAME"
"""Placeholder in an option's path for a name that the operator chooses, or for an index."""


def option_names(model: type[BaseModel], parent: Key = ()) -> Iterator[Key]:
    """The path of each option in a model of sections."""
    section_type = getattr(model, "each", None)
    if section_type is not None:
        yield from option_names(section_type, (*parent, ANY_NAME))
    for name, field in model.model_fields.items():
        section = field.annotation
        if (item_type := list_item_type(section)) is not None:
            yield from option_names(item_type, (*parent, name, ANY_NAME))
        elif isinstance(section, type) and issubclass(section, BaseModel):
            yield from option_names(section, (*parent, name))
        else:
            yield (*parent, name)


def list_item_type(kind: object) -> type[BaseModel] | None:
    """The type of the sections in a list of sections; None for another option."""
    item = next(iter(get_args(kind)), None) if get_origin(kind) is list else None
    return item if isinstance(item, type) and issubclass(item, BaseModel) else None


def explain_errors(
    errors: list[ErrorDetails], model: type[BaseModel], source: str, text: str
) -> list[str]:
    """A line for each mistake, in the order of the file: "FILE:LINE: option: reason"."""
    lines = key_lines(text)
    rows = []
    for error in errors:
        key = tuple(str(part) for part in error["loc"])
        number = _line_of(key, lines)
        place = f"{source}:{number}" if number else source
        prefix = f"{'.'.join(key)}: " if key else ""
        rows.append((number, f"{place}: {prefix}{_explain(error, key, model)}"))
    return [line for _, line in sorted(rows, key=lambda item: item[0])]


def _split_key(dotted: str) -> Key:
    return tuple(part.strip("\"'") for part in re.findall(_PART, dotted))


def _line_of(key: Key, lines: dict[Key, int]) -> int:
    """The line of a key, else of the nearest table above it, else 0."""
    while key:
        if key in lines:
            return lines[key]
        numbers = [number for path, number in lines.items() if path[: len(key)] == key]
        if numbers:
            return min(numbers)
        key = key[:-1]
    return 0


def _explain(error: ErrorDetails, key: Key, model: type[BaseModel]) -> str:
    """The mistake in an option, or its remedy."""
    if error["type"] == "extra_forbidden":
        return _explain_unknown(key, model)
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    if error["type"] == "literal_error":
        return f"write one of {error['ctx']['expected']}"
    if section := _find_section(error, key, model):
        return f"this is a section: write {section}, and its options below"
    if words := _ADVICE.get(error["type"]):
        return words
    return _explain_limits(error.get("ctx", {})) or error["msg"]


def _find_section(error: ErrorDetails, key: Key, model: type[BaseModel]) -> str:
    """The section that a key names, in TOML; "" if the key is an option."""
    name, kind = ".".join(key), error.get("ctx", {}).get("class_name", "Secret")
    if error["type"] == "list_type":
        is_list = any(path[:-1] == (*key, ANY_NAME) for path in option_names(model))
        return f"[[{name}]]" if is_list else ""
    if kind in {"FileOption", "Secret"}:
        return ""
    return f"[[{name.rpartition('.')[0]}]]" if key[-1].isdigit() else f"[{name}]"


def _explain_limits(context: dict[str, Any]) -> str:
    """The limits of a number as a sentence; "" for another kind of mistake."""
    signs = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    words = [f"{sign} {context[name]}" for name, sign in signs.items() if name in context]
    return f"this must be {' and '.join(words)}" if words else ""


def _explain_unknown(key: Key, model: type[BaseModel]) -> str:
    """The most similar options or sections: of this section, or of others by the whole path."""
    paths = {path[:end] for path in option_names(model) for end in range(1, len(path) + 1)}
    names = difflib.get_close_matches(key[-1], {path[-1] for path in paths}, n=1)
    similar = difflib.get_close_matches(".".join(key), map(".".join, paths))
    meant = {(*key[:-1], name) for name in names} & paths or {
        path
        for path in paths
        if path[-1] in names and (path[-1].startswith(key[-1]) or ".".join(path) in similar)
    }
    if not meant:
        return "there is no such option; all options are in godaemon.toml(5)"
    return f"there is no such option; did you mean {' or '.join(sorted(map('.'.join, meant)))}?"
