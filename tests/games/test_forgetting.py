"""A forgotten player's words, names and addresses are removed from each kind of event."""

from dataclasses import Field, fields
from typing import Any, get_args

import pytest

from godaemon.games import events as ev
from godaemon.games import forgetting

ALICE = "alice@a.example"
SIDES = frozenset(["proposer", "invited"])
FORMER = forgetting._FormerPlayer(ALICE, "@", SIDES, frozenset(["black", "white"]))
PERSONAL = {"words", "text", "address", "name", *SIDES, "proposer_name", "invited_name"}
TERMS = ev.Proposed(9, 9, "japanese", 6.5, 0, None, ALICE, "Alice", ALICE, "Alice", "n")
OTHERS = {"color": "black", "side": "proposer", "terms": ev.encode(TERMS)}
KINDS = [kind for kind in get_args(ev.Event) if not PERSONAL.isdisjoint(kind.__match_args__)]


def value(field: Field[Any]) -> object:
    if field.name in PERSONAL:
        return ALICE
    return OTHERS.get(field.name, 1 if field.type in (int, float) else "")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_nothing_personal_is_left(kind: Any) -> None:  # noqa: ANN401 - a class of events
    """An event with words or an address needs a case in `anonymise`."""
    event = kind(*map(value, fields(kind)))
    left = FORMER.anonymise(event)
    assert [name for name in kind.__match_args__ if getattr(left, name) == ALICE] == []
