"""Parsed answers of an IMAP server.

An answer in an unknown form raises `Temporary`, because the connection is out of step.
"""

import base64
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from godaemon.errors import Temporary


class FetchState(StrEnum):
    """The state of a letter in a mailbox that we fetch from."""

    OWED = "owed"  # handled, but not yet marked in the mailbox
    DONE = "done"  # handled, and marked in the mailbox
    LEFT = "left"  # not for us: left untouched


_UID = re.compile(rb"\bUID ([0-9]{1,10})\b", re.IGNORECASE)
_SIZE = re.compile(rb"\bRFC822\.SIZE ([0-9]{1,20})\b", re.IGNORECASE)
_FETCH = re.compile(rb"[0-9]+ FETCH \(", re.IGNORECASE)
_VALIDITY = re.compile(rb"\[UIDVALIDITY ([0-9]{1,10})\]", re.IGNORECASE)

Line = bytes | bytearray  # a part of aioimaplib's answer: lines are bytes, literals bytearrays


@dataclass(frozen=True, slots=True)
class Head:
    """A letter in a mailbox before it is fetched whole: its size in bytes, and headers."""

    uid: int
    size: int
    headers: bytes


def letters_to_do(
    found: Iterable[int],
    known: Mapping[int, FetchState],
    failures: Mapping[int, int],
    resting: Container[int] = (),
) -> tuple[list[int], list[int]]:
    """The letters to read, and those to mark again because the first attempt is uncertain.

    They are in the order of arrival. Letters that could not be fetched (`failures` counts how
    often) come last, or not at all while they rest, so that none delays the others.
    """
    present = sorted(set(found))
    fresh = [uid for uid in present if uid not in known and uid not in resting]
    fresh.sort(key=lambda uid: (failures.get(uid, 0), uid))
    return fresh, [uid for uid in present if known.get(uid) is FetchState.OWED]


def parse_uids(lines: Sequence[Line]) -> list[int]:
    """The numbers of a SEARCH response (RFC 3501, 7.2.5); the last line is the tagged one."""
    rows = (bytes(line).removeprefix(b"SEARCH").split() for line in lines[:-1])
    return [int(word) for row in rows if all(map(bytes.isdigit, row)) for word in row]


def parse_uid_validity(lines: Sequence[Line]) -> int:
    """UIDVALIDITY of an opened folder (RFC 3501, 2.3.1.1); raises `Temporary` without one."""
    for line in lines:
        if found := _VALIDITY.search(bytes(line)):
            return int(found[1])
    raise _odd_response("it gave the folder no UIDVALIDITY")


def find_letter(lines: Sequence[Line], uid: int) -> tuple[bytes, bytes] | None:
    """A FETCH response about a letter: its items without the literal, and the literal.

    None if there is none (the letter is gone). Servers may send responses about other letters, too.
    An empty literal may come as `""` or NIL.
    """
    for group in _fetch_responses(lines):
        items = b" ".join(bytes(line) for line in group if isinstance(line, bytes))
        number = _UID.search(items)
        if number is None or int(number[1]) != uid or b"BODY[" not in items.upper():
            continue
        literals = [bytes(line) for line in group if isinstance(line, bytearray)]
        return items, literals[0] if literals else b""
    return None


def parse_head(lines: Sequence[Line], uid: int) -> Head | None:
    """Size and headers from a FETCH response; None if the letter is gone."""
    if (found := find_letter(lines, uid)) is None:
        return None
    items, headers = found
    if (size := _SIZE.search(items)) is None:
        raise _odd_response("it gave a letter no size")
    return Head(uid, int(size[1]), headers)


def encode_folder_name(name: str) -> str:
    """A folder's name in modified UTF-7 (RFC 3501, 5.1.3): "Züge" is "Z&APw-ge"."""
    return re.sub(r"[^\x20-\x7e]+", _encode_shifted, name.replace("&", "&-"))


def quote_string(text: str) -> str:
    """A quoted string (RFC 3501, 4.3)."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _encode_shifted(found: re.Match[str]) -> str:
    coded = base64.b64encode(found[0].encode("utf-16-be")).rstrip(b"=").replace(b"/", b",")
    return f"&{coded.decode('ascii')}-"


def _fetch_responses(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines of each FETCH response, without the tagged last line."""
    groups: list[list[Line]] = []
    for line in lines[:-1]:
        if isinstance(line, bytes) and _FETCH.match(line):
            groups.append([])
        if groups:
            groups[-1].append(line)
    return groups


def _odd_response(detail: str) -> Temporary:
    return Temporary("The mail server's answer cannot be understood.", detail=detail)
