"""Whose word we take on who wrote a letter: the topmost results of the one server we trust."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.games.notices import Kind
from mailgate.sender_checks import vouched
from tests.support.gateway import Gateway

OURS = "mx.go.example"
ALICE = "alice@players.example"
PASS = f"{OURS}; spf=pass smtp.mailfrom=players.example; dmarc=pass header.from=players.example"


@pytest.mark.parametrize(
    "field",
    [
        PASS,
        f"{OURS} 1; dmarc=pass (p=reject dis=none) header.from=Players.Example",
        f"{OURS.upper()};\r\n\tdkim=pass header.d=x.example;\r\n\tdmarc=pass",
        f"(by us) {OURS} ; dmarc/1 = pass",
        f'"{OURS}"; dmarc=pass header.from="players.example"',
    ],
)
def test_a_pass(field: str) -> None:
    """In any of the forms that RFC 8601 allows."""
    assert vouched([field], OURS, ALICE)


@pytest.mark.parametrize(
    "field",
    [
        "",
        OURS,
        f"{OURS}; none",
        f"{OURS}; dmarc=fail header.from=players.example",
        f"{OURS}; dmarc=fail (dmarc=pass)",
        f'{OURS}; dmarc=fail reason="; dmarc=pass"',
        f"{OURS}; x-dmarc=pass",
        f"{OURS}; dmarc=passed",
        f"{OURS}; spf=pass; dkim=pass header.d=players.example",
        f"{OURS}; dmarc=pass header.from=evil.example",
        f"evil.example; dmarc=pass ({OURS})",
        f"{OURS}.evil.example; dmarc=pass",
        f"evil.example {OURS}; dmarc=pass",
        f"({OURS}; dmarc=pass",
    ],
)
def test_no_pass(field: str) -> None:
    """What is no pass of DMARC by our server, for that address, is none."""
    assert not vouched([field], OURS, ALICE)


def test_only_the_topmost_of_ours_counts() -> None:
    """What stands below came with the letter; other servers' fields above do no harm."""
    fail = f"{OURS}; dmarc=fail"
    assert not vouched([fail, PASS], OURS, ALICE)
    assert vouched([PASS, fail], OURS, ALICE)
    assert vouched(["relay.example; dmarc=fail", PASS], OURS, ALICE)
    assert not vouched(["relay.example; dmarc=pass"], OURS, ALICE)


def test_nobody_is_trusted_unasked() -> None:
    """Without a configured name no field counts, nor one without a name."""
    assert not vouched([PASS, "; dmarc=pass"], "", ALICE)


@given(st.lists(st.text(max_size=80), max_size=4), st.text(max_size=20), st.text(max_size=20))
def test_any_fields(results: list[str], name: str, author: str) -> None:
    """Nothing in a header troubles the judge."""
    assert vouched(results, name, author) in (True, False)


def proposal(gateway: Gateway, *results: str) -> list[str]:
    """Alice proposes a game by a letter with these fields; what she and Bob are sent."""
    alice = gateway.person("Alice")
    letter = EmailMessage()
    for field in results:
        letter["Authentication-Results"] = field
    for name, value in alice.letter("new 9x9 vs bob@players.example").items():
        letter[name] = value
    letter.set_payload("new 9x9 vs bob@players.example\n")
    alice.post(letter)
    return [f"{name} {kind}" for name, kind in gateway.told()]


def test_a_vouched_proposal_needs_no_confirmation() -> None:
    """The invitation goes out at once."""
    told = proposal(Gateway(trusted=OURS), PASS)
    assert sorted(told) == ["alice invited", "bob invitation"]


@pytest.mark.parametrize(
    ("trusted", "results"),
    [
        (OURS, ()),
        ("", (PASS,)),
        (OURS, (f"{OURS}; dmarc=fail", PASS)),
        (OURS, ("evil.example; dmarc=pass",)),
    ],
)
def test_any_other_proposal_is_confirmed_first(trusted: str, results: tuple[str, ...]) -> None:
    """Nobody else is written to before."""
    assert proposal(Gateway(trusted=trusted), *results) == [f"alice {Kind.CONFIRM.value}"]
