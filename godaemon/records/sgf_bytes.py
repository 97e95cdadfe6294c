"""From the bytes of an SGF file to the nodes of its main line, in UTF-8. Pure.

Raises `Unreadable` alone. Bytes are decoded before they are parsed, because in the older East
Asian encodings a letter's second byte can be a bracket or a backslash.
"""

from __future__ import annotations

import codecs
import re

from sgfmill import sgf_grammar

from godaemon.errors import Unreadable

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes; the longest games with every comment stay far below this."""

Node = dict[str, list[bytes]]
"""The properties of one node by name, their values as they stand between the brackets, in UTF-8."""

_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_:.+-]{1,40})\s*\]")
_CHARSETS = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp\d+|koi8-[ru]|gbk?|gb\w+|big5\w*|shift_jis\w*|euc_\w+"
)


def main_line(data: bytes) -> list[Node]:
    """The nodes of the first game's first line of play; raises `Unreadable`."""
    if len(data) > LARGEST_FILE:
        raise Unreadable(
            f"This file is larger than {LARGEST_FILE // 2**20} MB: no game needs that."
        )
    try:
        tree = sgf_grammar.parse_sgf_game(_as_utf8(data))
    except ValueError as error:
        message = "This is not a whole SGF file: such a file begins with “(;” and ends with “)”."
        raise Unreadable(message, detail=str(error)) from error
    return list(sgf_grammar.main_sequence_iter(tree))


def _as_utf8(data: bytes) -> bytes:
    """The file in UTF-8: from the encoding it names (CA), else from what its bytes look like."""
    named = _CHARSET.search(data)
    name = named[1].decode("ascii") if named else ""
    try:
        charset = codecs.lookup(name).name if name else ""
    except LookupError:
        charset = ""
    if not _CHARSETS.fullmatch(charset):
        charset = "utf-8"
    try:
        text = data.decode(charset)
    except UnicodeDecodeError:
        text = data.decode("utf-8" if named else "iso8859-1", "replace")
    return text.removeprefix("\ufeff").encode("utf-8", "replace")


def simple_text(node: Node, name: str, default: str = "") -> str:
    """A property's one line of text."""
    if name not in node:
        return default
    value: bytes = sgf_grammar.simpletext_value(node[name][0])
    return one_line(value.decode("utf-8"))


def text(node: Node, name: str) -> str:
    """A property's text of any number of lines; empty where there is none."""
    if name not in node:
        return ""
    value: bytes = sgf_grammar.text_value(node[name][0])
    return clean(value.decode("utf-8"))


def clean(words: str) -> str:
    """A text as SGF can hold it: line ends are kept, tabs are blanks, other controls are gone."""
    lines = words.replace("\r\n", "\n").replace("\r", "\n").expandtabs(1)
    return "".join(sign for sign in lines if sign == "\n" or (sign >= " " and sign != "\x7f"))


def one_line(words: str) -> str:
    """A text of one line, with single blanks between its words."""
    return " ".join(clean(words).split())
