"""The words of a command line, read here because a library for them loads longer than the client.

Raises `Misused`, before anything is opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

KEY = "GODAEMON_KEY"
"""Where the key can stand, so that it is in no list of processes."""

USAGE = 64
"""The exit status of wrong usage (EX_USAGE of sysexits.h)."""


class Misused(Exception):
    """Words that make no sense, or do not go together."""


def options_of(help_text: str) -> dict[str, str]:
    """The options that a help names, each with the value that it wants, or nothing."""
    return dict(re.findall(r"(--[a-z-]+)( [A-Z<]\S*)?", help_text))


def read_options(words: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """The options and their values, those that were given last at the end; raises `Misused`."""
    given: dict[str, str] = {}
    extra: list[str] = []
    left = [*words]
    while left:
        word = left.pop(0)
        word = "--help" if word == "-h" else word
        if word == "--":
            extra += left
            break
        if not word.startswith("-") or word == "-":
            extra.append(word)
            continue
        option, equals, value = word.partition("=")
        if option not in known:
            raise Misused(f"No such option: {option}{_near(option, known)}")
        if equals and not known[option]:
            raise Misused(f"Option '{option}' does not take a value.")
        if known[option] and not (equals or left):
            raise Misused(f"Option '{option}' requires an argument.")
        given.pop(option, None)
        given[option] = left.pop(0) if known[option] and not equals else value
    if extra and "--help" not in given:
        raise Misused(f"Got unexpected extra argument(s) ({' '.join(extra)})")
    return given


def _near(option: str, known: Mapping[str, str]) -> str:
    import difflib  # noqa: PLC0415 - only who mistypes needs it

    near = ", ".join(sorted(difflib.get_close_matches(option, known)))
    return f" (Possible options: {near})" if near else ""


def read_key(given: Mapping[str, str]) -> str:
    """The key, from wherever it is; the environment is only asked where one is needed."""
    if given.keys() >= {"--key", "--key-file"}:
        raise Misused("--key and --key-file say the same: give one.")
    key = given.get("--key")
    file = given.get("--key-file")
    if file is not None:
        try:
            with open(file, encoding="utf-8") as opened:
                key = opened.read(4096)
        except (OSError, UnicodeDecodeError) as fault:
            raise Misused(f"the key in {file} cannot be read: {fault}.") from fault
    return (key or (os.environ.get(KEY, "") if "--connect" in given else "")).strip()
