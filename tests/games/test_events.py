"""Events survive encoding and decoding, also by later versions, and are made anonymous."""

import contextlib
import json
from dataclasses import Field, fields
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Corrupt
from godaemon.games import events as ev
from godaemon.games import forgetting
from tests.support.rows import each_row

_TYPES = get_args(ev.Event)
_WORDS = st.text(max_size=40)


@given(st.deferred(lambda: st.one_of(*(st.from_type(cls) for cls in _TYPES))))
def test_events_are_decoded_as_encoded(event: ev.Event) -> None:
    """And encoded the same again."""
    text = ev.encode(event)
    decoded = ev.decode(ev.name(event), ev.VERSION, text)
    assert repr(decoded) == repr(event)  # of the same type, and a NaN is no other NaN's equal
    assert ev.encode(decoded) == text


@each_row("cls", _TYPES)
def test_every_event_has_a_name(cls: type) -> None:
    """Each can be stored and read."""
    assert ev._BY_NAME[cls.__name__.lower()] is cls


def test_an_unknown_kind_or_version_is_corrupt() -> None:
    """Only a newer program can read it."""
    for kind, version in (("castled", ev.VERSION), ("passed", ev.VERSION + 1)):
        with pytest.raises(Corrupt, match="newer"):
            ev.decode(kind, version, '{"color":"black"}')


def test_unknown_fields_are_ignored() -> None:
    """They were added without a new version."""
    assert ev.decode("passed", 1, '{"color":"black","mood":"sad"}') == ev.Passed("black")


@given(
    st.sampled_from([cls.__name__.lower() for cls in _TYPES]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | _WORDS,
        lambda inner: st.lists(inner) | st.dictionaries(_WORDS, inner),
        max_leaves=5,
    ).map(json.dumps)
    | _WORDS,
)
def test_any_payload_is_decoded_or_corrupt(kind: str, payload: str) -> None:
    """Anything else in a row is `Corrupt` or an event, and nothing worse."""
    with contextlib.suppress(Corrupt):
        assert ev.name(ev.decode(kind, 1, payload)) == kind


@pytest.mark.parametrize("payload", ["", "[]", "null", "7", "{}", '{"colour":"black"}', "\ud800"])
def test_a_damaged_payload_is_reported(payload: str) -> None:
    """Not as a newer program's."""
    with pytest.raises(Corrupt, match="damaged"):
        ev.decode("passed", 1, payload)


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
