"""Parses the command line, because a library for that takes longer to load than the client."""

import getopt
import os
import re
from collections.abc import Mapping, Sequence

KEY = "GODAEMON_KEY"
"""The environment variable for the key, which hides it from lists of processes."""

USAGE = 64
"""The exit status of wrong usage (EX_USAGE of sysexits.h)."""


class OptionError(Exception):
    """Invalid or conflicting options."""


def options_of(help_text: str) -> dict[str, str]:
    """The options in a help text, each with the name of its value; "" without one."""
    return dict(re.findall(r"(--[a-z-]+)( [A-Z<]\S*)?", help_text))


def read_options(words: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """The options and their values, in their order on the command line; raises `OptionError`."""
    long = [option[2:] + "=" * bool(value) for option, value in known.items()]
    try:
        found, extra = getopt.gnu_getopt(words, "h", long)
    except getopt.GetoptError as fault:
        hint = "" if f"--{fault.opt}" in known else f"; there are {', '.join(known)}"
        raise OptionError(f"{fault.msg}{hint}.") from fault
    options: dict[str, str] = {}
    for option, value in found:
        name = "--help" if option == "-h" else option
        options.pop(name, None)
        options[name] = value
    if extra and "--help" not in options:
        raise OptionError(f"unexpected words: {' '.join(extra)}.")
    return options


def read_key(options: Mapping[str, str]) -> str:
    """The key from the options, its file or, with --connect, the environment; "" without one."""
    if options.keys() >= {"--key", "--key-file"}:
        raise OptionError("--key and --key-file cannot be used together.")
    key = options.get("--key")
    file = options.get("--key-file")
    if file is not None:
        try:
            with open(file, encoding="utf-8") as opened:
                key = opened.read(4096)
        except (OSError, UnicodeDecodeError) as fault:
            raise OptionError(f"the key in {file} cannot be read: {fault}.") from fault
    return (key or (os.environ.get(KEY, "") if "--connect" in options else "")).strip()
