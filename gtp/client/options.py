"""The words of a command line, read here because a library for them loads longer than the client.

Raises `Misused`, before anything is opened.
"""

from __future__ import annotations

import getopt
import os
import re
from collections.abc import Mapping, Sequence

KEY = "GODAEMON_KEY"
"""The environment variable for the key, which keeps it out of lists of processes."""

USAGE = 64
"""The exit status of wrong usage (EX_USAGE of sysexits.h)."""


class Misused(Exception):
    """Invalid or conflicting options."""


def options_of(help_text: str) -> dict[str, str]:
    """The options in a help text, each with the name of its value, or ""."""
    return dict(re.findall(r"(--[a-z-]+)( [A-Z<]\S*)?", help_text))


def read_options(words: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """The options and their values, in the order given; raises `Misused`."""
    long = [option[2:] + "=" * bool(value) for option, value in known.items()]
    try:
        found, extra = getopt.gnu_getopt(words, "h", long)
    except getopt.GetoptError as wrong:
        known_ones = "" if f"--{wrong.opt}" in known else f"; there are {', '.join(known)}"
        raise Misused(f"{wrong.msg}{known_ones}.") from wrong
    given: dict[str, str] = {}
    for option, value in found:
        name = "--help" if option == "-h" else option
        given.pop(name, None)
        given[name] = value
    if extra and "--help" not in given:
        raise Misused(f"unexpected words: {' '.join(extra)}.")
    return given


def read_key(given: Mapping[str, str]) -> str:
    """The key from the options, its file or, with --connect, the environment; or ""."""
    if given.keys() >= {"--key", "--key-file"}:
        raise Misused("--key and --key-file cannot be used together.")
    key = given.get("--key")
    file = given.get("--key-file")
    if file is not None:
        try:
            with open(file, encoding="utf-8") as opened:
                key = opened.read(4096)
        except (OSError, UnicodeDecodeError) as fault:
            raise Misused(f"the key in {file} cannot be read: {fault}.") from fault
    return (key or (os.environ.get(KEY, "") if "--connect" in given else "")).strip()
