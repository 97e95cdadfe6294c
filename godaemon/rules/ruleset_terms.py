"""The terms in which one ruleset differs from another: `ko=situational suicide=yes`, both ways.

Raises `Unreadable`, with valid terms as hints.
"""

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from godaemon.errors import Unreadable
from godaemon.rules.ruleset import Ruleset
from godaemon.texts.catalogue import sentence

KEYS: Mapping[str, type] = {
    field.replace("_", "-"): kind
    for field, kind in Ruleset.__annotations__.items()
    if field not in {"name", "sgf", "synonyms"}
}
"""The type of each term's value; keys are the fields of `Ruleset`, with hyphens."""

MAX_PASSES = 4
"""The limit on the passes in a row that stop play."""

_PLAIN_VALUES: Mapping[type, Mapping[str, object]] = {
    bool: {"yes": True, "no": False},
    int: {str(number): number for number in range(2, MAX_PASSES + 1)},
    float: {"6.5": 6.5, "7.5": 7.5},
}
"""The values of each type that is no enumeration; only examples of a komi."""
_OTHER_WORDS = {
    "on": "yes",
    "true": "yes",
    "off": "no",
    "false": "no",
    "psk": "positional",
    "ssk": "situational",
    "nssk": "natural",
    "0": "none",
    "n": "each",
    "n-1": "all-but-one",
}
_COMPACT = re.compile(
    r"ko(simple|positional|situational|natural)score(area|territory)tax(none|seki|all)sui([01])"
    r"(?:button0)?(?:whb(0|n-1|n))?(?:fpok[01])?(?:komi(-?[0-9]{1,3}(?:\.[05])?))?",
    re.IGNORECASE,
)


def parse_terms(terms: Iterable[str]) -> dict[str, Any]:
    """The fields of `Ruleset` that terms such as `ko=situational` set; raises `Unreadable`."""
    changes: dict[str, Any] = {}
    for term in terms:
        key, _, value = term.partition("=")
        name = _normal_text(key)
        if name not in KEYS:
            raise Unreadable(
                sentence("no-such-term", key=key.strip(), keys=tuple(KEYS)),
                hints=("ko=situational", "suicide=yes"),
            )
        changes[name.replace("-", "_")] = _parse_value(name, _normal_text(value))
    return changes


def format_terms(base: Ruleset, ruleset: Ruleset) -> tuple[str, ...]:
    """The terms in which `ruleset` differs from `base`."""
    fields = {key: key.replace("-", "_") for key in KEYS}
    values = {key: getattr(ruleset, name) for key, name in fields.items()}
    return tuple(
        f"{key}={_value_text(value)}"
        for key, value in values.items()
        if value != getattr(base, fields[key])
    )


def parse_compact(text: str) -> dict[str, Any] | None:
    """The fields set by KataGo's one-word notation; None if the text has another form.

    Texts with KataGo's "button" are not read, because no ruleset here has it.
    """
    match = _COMPACT.fullmatch(text.strip())
    if match is None:
        return None
    keys = ("ko", "scoring", "tax", "suicide", "compensation", "komi")
    terms = dict(zip(keys, match.groups(), strict=True))
    terms["suicide"] = "yes" if terms["suicide"] == "1" else "no"
    return parse_terms(f"{key}={value}" for key, value in terms.items() if value is not None)


def _normal_text(text: str) -> str:
    return re.sub(r"[\s_-]+", "-", text.strip().casefold())


def _parse_value(key: str, text: str) -> object:
    kind = KEYS[key]
    if kind is float and re.fullmatch(r"-?[0-9]{1,4}(\.[05])?", text):
        return float(text)
    values = _PLAIN_VALUES.get(kind, {})
    if issubclass(kind, Enum):
        values = {_value_text(member): member for member in kind}
    word = _OTHER_WORDS.get(text, text)
    if word in values:
        return values[word]
    raise Unreadable(
        sentence("no-such-value", term=f"{key}={text}", choices=tuple(values)),
        hints=tuple(f"{key}={choice}" for choice in [*values][:2]),
    )


def _value_text(value: Enum | float) -> str:
    if isinstance(value, Enum):
        return str(value.value).replace(" ", "-")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}"
