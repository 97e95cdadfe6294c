"""Events survive encoding and decoding, also by later versions."""

import contextlib
import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Corrupt
from godaemon.games import events as ev

_TYPES = get_args(ev.Event)
_WORDS = st.text(max_size=40)


@given(st.deferred(lambda: st.one_of(*(st.from_type(cls) for cls in _TYPES))))
def test_events_are_decoded_as_encoded(event: ev.Event) -> None:
    """And encoded the same again."""
    text = ev.encode(event)
    decoded = ev.decode(ev.name(event), ev.VERSION, text)
    assert repr(decoded) == repr(event)  # of the same type, and a NaN is no other NaN's equal
    assert ev.encode(decoded) == text


@pytest.mark.parametrize("cls", _TYPES, ids=lambda cls: cls.__name__)
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
