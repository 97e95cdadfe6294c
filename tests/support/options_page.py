"""Print the manual page of the configuration: `python -m tests.support.options_page`.

Names, types, bounds and defaults come from the models of `godaemon.config`, paragraphs and order
from `config/godaemon.toml`. The page is stored as `config/man/godaemon.toml.5`.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from godaemon.config import checks
from godaemon.config.loading import parse
from godaemon.config.mistakes import list_item_type
from godaemon.config.section import FileOption, Secret
from godaemon.config.settings import Settings
from tests.support import places
from tests.support.blocks import read_blocks

SOURCE = places.ROOT / "config/godaemon.toml"
PAGE = places.ROOT / "config/man/godaemon.toml.5"

FRAME = read_blocks(places.DATA / "man_pages.txt")


FORMS: dict[Callable[..., Any], str] = {
    checks.check_database_url: "the URL of a database",
    checks.check_engine_name: "the name of a program",
    checks.check_host_port: "HOST:PORT",
    checks.check_imap_flag: r"'\eSeen', '\eFlagged', '\eAnswered' or a keyword",
    checks.check_listener: "HOST:PORT or unix:/PATH",
    checks.check_local_listener: "HOST:PORT of this machine, or unix:/PATH",
    checks.check_own_address: "an email address",
    checks.check_network: "addresses or networks",
    checks.check_program_command: "a program and its arguments",
    checks.check_mail_command: "a program, by its absolute path, and its arguments",
    checks.check_absolute_paths: "absolute paths",
    checks.check_smarthost_url: "the URL of a mail server",
}
"""The type of an option in words, by its check."""

BOUNDS = {
    "gt": "above {}",
    "ge": "from {}",
    "lt": "below {}",
    "le": "up to {}",
    "max_length": "of at most {} characters",
}

SERVICE = {"STATE_DIRECTORY": "/var/lib/godaemon", "RUNTIME_DIRECTORY": "/run/godaemon"}

KINDS: dict[object, str] = {
    bool: "true or false",
    float: "a number",
    int: "a whole number",
    Path: "an absolute path",
    FileOption: "a file",
    Secret: "a secret",
    str: "text",
}


NAME = re.compile(r"(?:#: |#)?([a-z_]+) = ")
SECTION = re.compile(r"(?:#: )?\[(.+)\]")


def page() -> str:
    """The manual page in roff."""
    entries = heads(Settings, parse("", "none", SERVICE))
    lines = [FRAME["head of godaemon.toml.5"]]
    for section, words, names in paragraphs():
        if section and not (words or names):
            title = section.replace("mail.addresses.NAME", "[mail.addresses]")
            lines.append(f'.SS "[{roff(title)}]"')
        elif names:
            options = [entries[f"{section}.{name}".lstrip(".")] for name in names]
            lines += [".TP", "\n.TQ\n".join(options), roff(words)]
        else:
            lines += [".PP", roff(words)]
    return "\n".join([*lines, FRAME["tail of godaemon.toml.5"]]) + "\n"


def paragraphs() -> Iterator[tuple[str, str, list[str]]]:
    """Sections, each first alone, then with a paragraph and the names of its options."""
    section, words, names = "", [], []  # type: tuple[str, list[str], list[str]]
    for line in [*SOURCE.read_text("utf-8").partition("\n\n")[2].splitlines(), ""]:
        if head := SECTION.fullmatch(line):
            section = head[1].replace("engines.katago", "engines.NAME")
            section = section.replace("[mail.addresses]", "mail.addresses.NAME")
            yield section, "", []
        elif option := NAME.match(line):
            names.append(option[1])
        else:
            if words and (names or not line):
                yield section, " ".join(words), names
                words, names = [], []
            words += [line.removeprefix("#").strip()] if line else []


def heads(model: type[BaseModel], defaults: BaseModel | None, above: str = "") -> dict[str, str]:
    """The first line of each option's entry, by dotted name: type, bounds and default."""
    found = {}
    if (each := getattr(model, "each", None)) is not None:
        found.update(heads(each, None, f"{above}NAME."))
    for name, field in model.model_fields.items():
        kind, value = field.annotation, getattr(defaults, name, None)
        if (one := list_item_type(kind)) is not None:
            found.update(heads(one, None, f"{above}{name}.NAME."))
            continue
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found.update(heads(kind, value, f"{above}{name}."))
            continue
        if defaults is None and not field.is_required():
            value = field.get_default(call_default_factory=True)
        default = "" if value is None else f"; default {toml(value)}"
        default = "; required" if field.is_required() and defaults is None else default
        found[above + name] = rf"\fB{name}\fR: {type_words(kind, field.metadata)}{roff(default)}"
    return found


def type_words(kind: object, bounds: Iterable[object] = ()) -> str:
    """A type in words, with its bounds."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        return type_words(next(one for one in inner if one is not type(None)), bounds)
    if origin is Annotated:
        return type_words(inner[0], (*inner[1:], *bounds))
    if origin is Literal:
        return " or ".join((", ".join(map(toml, inner[:-1])), toml(inner[-1])))
    flat = [one for bound in bounds for one in getattr(bound, "metadata", (bound,))]
    checked = [FORMS[one] for one in (getattr(one, "func", None) for one in flat) if one in FORMS]
    if origin is list:
        return checked[0] if checked else type_words(inner[0])
    return " ".join(filter(None, [(checked or [KINDS[kind]])[0], *map(bounded, flat)]))


def bounded(bound: object) -> str:
    """One bound in words; "" for other metadata."""
    for name, words in BOUNDS.items():
        if (limit := getattr(bound, name, None)) is not None:
            return words.format(limit)
    return ""


def toml(value: object) -> str:
    if isinstance(value, str | Path) and "\\" in str(value):
        return f"'{value}'"
    return json.dumps(value, default=str, ensure_ascii=False)


def roff(words: str) -> str:
    """Escape text for roff; code becomes bold."""
    escaped = words.replace("\\", r"\e").replace("-", r"\-").replace('"', r"\(dq")
    bold = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", escaped)
    return rf"\&{bold}" if bold.startswith((".", "'")) else bold


if __name__ == "__main__":
    sys.stdout.write(page())
