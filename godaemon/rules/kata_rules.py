"""Rules in the form of KataGo's GTP commands: a JSON object of seven keys, or a name.

KataGo knows fewer rules than we do: natural superko becomes situational, stone scoring becomes
group tax, and rules without a key (passes, resumption, placing) do not change. Raises `Unreadable`
or `Unknown`.
"""

import json
from collections.abc import Mapping

from godaemon.errors import Unreadable
from godaemon.rules.named_rulesets import RULESETS, parse_ruleset
from godaemon.rules.ruleset import Compensation, Ko, Ruleset, Scoring, Tax

_BONUS = {Compensation.NONE: "0", Compensation.EACH: "N", Compensation.ALL_BUT_ONE: "N-1"}

VALUES: Mapping[str, Mapping[str, tuple[str, object]]] = {
    "ko": {name: ("ko", Ko[name]) for name in ("SIMPLE", "POSITIONAL", "SITUATIONAL")},
    "scoring": {name: ("scoring", Scoring[name]) for name in ("AREA", "TERRITORY")},
    "tax": {name: ("tax", Tax[name]) for name in ("NONE", "SEKI", "ALL")},
    "suicide": {"true": ("suicide", True), "false": ("suicide", False)},
    "hasButton": {"false": ("", None)},
    "whiteHandicapBonus": {word: ("compensation", kind) for kind, word in _BONUS.items()},
    "friendlyPassOk": {"true": ("removal", True), "false": ("removal", False)},
}
"""For each key its values, and the field of `Ruleset` that each sets. We know no button."""


def kata_json(ruleset: Ruleset) -> dict[str, object]:
    """The seven keys of a ruleset, as `kata-get-rules` returns them."""
    stones = ruleset.scoring is Scoring.STONES
    return {
        "friendlyPassOk": ruleset.removal,
        "hasButton": False,
        "ko": (Ko.SITUATIONAL if ruleset.ko is Ko.NATURAL else ruleset.ko).name,
        "scoring": "AREA" if stones else ruleset.scoring.name,
        "suicide": ruleset.suicide,
        "tax": "ALL" if stones else ruleset.tax.name,
        "whiteHandicapBonus": _BONUS[ruleset.compensation],
    }


def as_json(ruleset: Ruleset) -> str:
    return json.dumps(kata_json(ruleset), separators=(",", ":"))


def parse_kata_rules(text: str, present: Ruleset) -> Ruleset:
    """The rules of a name or a JSON object; missing keys keep their `present` value."""
    if not text.lstrip().startswith("{"):
        return parse_ruleset(text)
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Unreadable("these rules are not a JSON object", detail=str(fault)) from fault
    texts = {str(key): json.dumps(value).strip('"') for key, value in values.items()}
    return change_kata_rules(present, texts)


def change_kata_rules(present: Ruleset, new_values: Mapping[str, str]) -> Ruleset:
    """Change some keys; returns a named ruleset if one has all the values. Raises `Unreadable`."""
    changes: dict[str, object] = {}
    for key, value in new_values.items():
        if key not in VALUES:
            raise Unreadable(f"rules have no {key}; they have {', '.join(VALUES)}")
        changes_by_word = {word.casefold(): change for word, change in VALUES[key].items()}
        if value.casefold() not in changes_by_word:
            values = ", ".join(VALUES[key])
            raise Unreadable(f"{key} {value} is not known here; use {values}")
        field, field_value = changes_by_word[value.casefold()]
        if field and str(kata_json(present)[key]).casefold() != value.casefold():
            changes[field] = field_value
    if not changes:
        return present
    result = present.replace(**changes)
    if result.scoring is Scoring.STONES and "tax" in changes:
        result = result.replace(scoring=Scoring.AREA)
    matches = [row for row in RULESETS.values() if kata_json(row) == kata_json(result)]
    return matches[0] if matches else result
