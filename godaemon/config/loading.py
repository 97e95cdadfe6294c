"""The settings that a configuration file means.

Whatever is wrong with the file raises `ConfigError` with a line "FILE:LINE: option: why" for each
fault; nothing is guessed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

from pydantic import ValidationError

from godaemon.config.config_file import File, around, find, read_text
from godaemon.config.report import complaints
from godaemon.config.settings import Settings
from godaemon.errors import ConfigError


def load(path: File | None, environ: Mapping[str, str]) -> Settings:
    """The settings of the file that `find` finds; ConfigError says all that is wrong with it."""
    source = find(path, environ)
    if source is None:
        return parse("", "godaemon's defaults", environ)
    return parse(read_text(source), source, around(source, environ))


def parse(text: str, shown: str, environ: Mapping[str, str]) -> Settings:
    """The settings that a TOML text means; `shown` is what the text is called in a ConfigError."""
    try:
        return Settings.model_validate(tomllib.loads(text), context=environ)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(_syntax(shown, str(error), text)) from error
    except ValidationError as error:
        raise ConfigError("\n".join(complaints(error.errors(), Settings, shown, text))) from error


_OPEN = "a quote is missing at the end of the value"
_ONE_LINE = "write NAME = VALUE or [SECTION] on the line, and # before a remark"
_REMEDIES = {
    "Illegal character '\\n'": _OPEN,
    "Unterminated string": _OPEN,
    "Expected \"'": _OPEN,
    "Invalid value": (
        'put all but numbers, true and false between quotes, as in "word", and close what [ or {'
        " has begun"
    ),
    "Expected newline": "only a # may follow the value: is a quote missing, or one too many?",
    "Expected '='": _ONE_LINE,
    "Invalid statement": _ONE_LINE,
    "Expected ']'": "a ] is missing at the end of the section's name",
    "Cannot overwrite": "this option stands in the file twice: leave one",
    "Cannot declare": "this section stands in the file twice: put its options together in one",
    "Unescaped": r"write \\ for \, or put the value between single quotes",
}
"""What to do, by how tomllib's message begins."""


def _syntax(shown: str, fault: str, text: str) -> str:
    """One line for a text that is not TOML; tomllib names the place at the end of its message."""
    match = re.fullmatch(
        r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)", fault, re.DOTALL
    )
    if match is None:
        return f"{shown}: {fault}"
    line = match[2] or len(text.rstrip().split("\n"))
    advice = next((said for begins, said in _REMEDIES.items() if fault.startswith(begins)), "")
    other = f"{match[1]}; see https://toml.io for how such a file is written"
    return f"{shown}:{line}: {advice or other}"
