"""Authentication-Results count only from the one trusted server, and only the topmost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.games.notices import Kind
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.message import read_letter
from mailgate.sender_checks import Verdict, dmarc_verdict
from tests.support.gateway import ADDRESS, Gateway
from tests.support.rows import each_row

OURS = "mx.go.example"
ALICE = "alice@players.example"
PASS = f"{OURS}; spf=pass smtp.mailfrom=players.example; dmarc=pass header.from=players.example"


ALIKE = (
    *("ｍｘ.go.example", "mx.go.ex\u00adample", f"{OURS}.", f'"{OURS}"', f"(by us) {OURS}"),
    *("mx.go.exampl\u0435", "mx.\u200bgo.example", f"{OURS}\u2060", "mx。go.example", f"{OURS}(x)"),
)
"""What only means our server, or looks like it: such a field it may let in from outside."""


def vouched(results: list[str], server: str, author: str) -> bool:
    """True if the server vouches for the author."""
    return dmarc_verdict(results, server, author) is Verdict.PASS


@pytest.mark.parametrize(
    "field",
    [
        PASS,
        f"{OURS} 1; dmarc=pass (p=reject dis=none) header.from=Players.Example",
        f"{OURS.upper()};\r\n\tdkim=pass;\r\n\tdmarc=pass header.from=players.example",
        f"\r\n {OURS} ; dmarc/1 = pass (by us) header.from=players.example",
        f'{OURS}; dmarc=pass header.from="players.example"',
    ],
)
def test_a_dmarc_pass_counts(field: str) -> None:
    """In any form of RFC 8601."""
    assert vouched([field], OURS, ALICE)


@each_row(
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
        f"{OURS}; dmarc=pass",
        f"{OURS}; spf=pass; dkim=pass header.d=players.example",
        f"{OURS}; dmarc=pass header.from=evil.example",
        f"evil.example; dmarc=pass ({OURS})",
        f"{OURS}.evil.example; dmarc=pass",
        f"evil.example {OURS}; dmarc=pass",
        f"({OURS}; dmarc=pass",
        *(PASS.replace(OURS, name) for name in ALIKE),
    ],
)
def test_anything_else_is_no_dmarc_pass(field: str) -> None:
    """Another server, another domain, another method."""
    assert not vouched([field], OURS, ALICE)


def verdict(*results: str, author: str = ALICE, several: bool = False) -> Verdict:
    return dmarc_verdict(results, OURS, author, several=several)


@pytest.mark.parametrize(
    "field",
    [
        f"{OURS}; dmarc=fail header.from=players.example",
        f"{OURS}; dmarc=fail (p=none dis=none) header.from=players.example",
        f"{OURS}; dmarc=fail action=oreject header.from=players.example; compauth=fail",
        f"{OURS.upper()} 1;\r\n\tspf=pass;\r\n\tDMARC = FAIL",
        f"{OURS}; dmarc/2=fail",
        f"{OURS}; dmarc=fail; arc=pass (i=1)",
        f"{OURS}; spf=pass smtp.mailfrom=a; dmarc=pass; dmarc=fail header.from=players.example",
        f"{OURS}; spf=fail (domain of a(b@evil.example) smtp.mailfrom=x; dmarc=fail",
        f'{OURS}; spf=fail smtp.mailfrom="a@evil.example; dmarc=fail',
        f"{OURS}; spf=none (x) y; dmarc=pass (c) z; dmarc=fail",
        f"{OURS};{' dkim=fail header.d=evil.example;' * 700} dmarc=fail",
    ],
)
def test_a_dmarc_failure_counts(field: str) -> None:
    """With any policy, other results and padding."""
    assert verdict(field) is Verdict.FAIL
    assert verdict(field, PASS) is Verdict.FAIL
    assert dmarc_verdict([field], "mx.other.example", ALICE) is Verdict.NONE


@pytest.mark.parametrize("result", ["none", "temperror", "permerror", "bestguesspass"])
def test_a_missing_policy_is_no_verdict(result: str) -> None:
    """Nor is a temporary error."""
    field = f"{OURS}; dmarc={result} header.from=players.example"
    assert verdict(field, PASS) is Verdict.NONE
    assert verdict(field, f"{OURS}; dmarc=fail") is Verdict.NONE


def test_several_authors_get_no_pass() -> None:
    """Anything but a pass counts against them."""
    assert verdict(PASS, several=True) is Verdict.NONE
    assert verdict(f"{OURS}; dmarc=none", several=True) is Verdict.FAIL
    assert verdict(several=True) is Verdict.NONE


def test_international_names_are_compared_in_any_form() -> None:
    """As written or as in DNS; our name as configured."""
    for name, found in (("mx.münchen.example", False), ("MX.xn--mnchen-3ya.example", True)):
        field = f"{name}; dmarc=pass header.from=MÜNCHEN.example"
        author, ours = "a@xn--mnchen-3ya.example", "mx.xn--mnchen-3ya.example"
        assert vouched([field], ours, author) is found


def test_only_our_topmost_field_counts() -> None:
    """Fields below came with the letter."""
    fail = f"{OURS}; dmarc=fail"
    assert not vouched([fail, PASS], OURS, ALICE)
    assert vouched([PASS, fail], OURS, ALICE)
    assert vouched(["relay.example; dmarc=fail", PASS], OURS, ALICE)
    assert not vouched(["relay.example; dmarc=pass"], OURS, ALICE)


def test_no_server_is_trusted_by_default() -> None:
    """Nor a field without a name."""
    assert not vouched([PASS, "; dmarc=pass"], "", ALICE)


@given(st.lists(st.text(max_size=80), max_size=4), st.text(max_size=20), st.text(max_size=20))
def test_any_fields_get_a_verdict(results: list[str], name: str, author: str) -> None:
    """Whatever they contain."""
    assert vouched(results, name, author) in (True, False)


SIGNED = "v=1; a=rsa-sha256; d=players.example; s=x; h=From:To:Date:Subject; b=abc"
COPIES: dict[str, dict[str, str]] = {
    "to somebody else": {"to": "carl@players.example"},
    "by his name alone": {"to": '"go@go.example" <carl@players.example>'},
    "a comment alone": {"to": "carl@players.example (go@go.example)"},
    "another host": {"to": "go@go.example.evil.example"},
    "resent": {"to": "carl@players.example", "resent-to": ADDRESS, "delivered-to": ADDRESS},
    "of last month": {"date": "Tue, 20 Oct 2026 03:00:00 +0000"},
    "of tomorrow": {"date": "Mon, 23 Nov 2026 04:00:00 +0000"},
    "of no day": {"date": "soon"},
    "a Cc that is not signed": {
        "to": "carl@players.example",
        "cc": ADDRESS,
        "dkim-signature": SIGNED,
    },
    "a date that is not signed": {"dkim-signature": SIGNED.replace(":Date", "")},
    "a To that one of two leaves out": {"dkim-signature": SIGNED.replace(":To", "")},
}
"""Fields in which a letter that Alice truly wrote may differ from one to us."""


@pytest.mark.parametrize("fields", COPIES.values(), ids=list(COPIES))
@pytest.mark.parametrize(
    "text", ["block all", "stop", "vacation 2 weeks", "new 9x9 vs b@b.example"]
)
def test_a_replayed_letter_to_others_must_be_confirmed(text: str, fields: dict[str, str]) -> None:
    """Its signature is valid, but anybody may replay it."""
    gateway = Gateway(trusted=OURS)
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    before = len(gateway.outbox)
    done = alice.write(text, header={"authentication-results": PASS, **fields})
    notices = gateway.notices(before)
    assert {name for name, _ in notices} == {"alice"}
    assert done.event == "refused" or notices == [("alice", "confirm")]


@pytest.mark.parametrize(
    "fields",
    [
        {"to": "carl@players.example, Go <GO@go.example>"},
        {"to": "carl@players.example", "cc": "go@go.example"},
        {"to": f"go+12-b-3-0-{'a' * 16}@go.example"},
        {"to": "play@club.example"},
        {"dkim-signature": SIGNED},
        {"cc": ADDRESS, "to": "carl@a.example", "dkim-signature": SIGNED.replace("To", "To : Cc")},
        {"date": "Sat, 14 Nov 2026 23:00:00 -0500"},
    ],
)
def test_a_recent_letter_to_us_needs_no_confirmation(fields: dict[str, str]) -> None:
    """To any of our addresses, as its author signed it."""
    gateway = Gateway(trusted=OURS, others={"play@club.example": "The Club"})
    alice = gateway.person("Alice")
    alice.write("new 9x9 vs bob@b.example", header={"authentication-results": PASS, **fields})
    assert sorted(kind for _, kind in gateway.notices()) == ["invitation", "invited"]


TO, CC, DATE = f"To: {ADDRESS}", f"Cc: {ADDRESS}", "Date: Sun, 22 Nov 2026 03:00:00 +0000"
PARTIAL = f"DKIM-Signature: {SIGNED.replace(':To', '')}"


@pytest.mark.parametrize(
    ("head", "addressees", "dated"),
    [
        ([TO, DATE], (ADDRESS,), True),
        ([TO, "To: carl@x.example", CC, DATE, DATE], (ADDRESS,), False),
        ([TO, TO, CC, CC, DATE], (), True),
        ([TO, *[f"DKIM-Signature: {SIGNED}"] * 50, DATE], (ADDRESS,), True),
        ([TO, *[f"DKIM-Signature: {SIGNED}"] * 50, PARTIAL, DATE], (), True),
        ([TO, DATE, *["X-Filler: x"] * 60_000, PARTIAL], (), True),
        ([TO, DATE, "no field", PARTIAL.replace("; ", ";\r\n\t")], (), True),
        ([TO, DATE, f"X: {'x' * 2_000_000}", PARTIAL.lower()], (), True),
    ],
)
def test_unsigned_and_repeated_fields_do_not_count(
    head: list[str], addressees: tuple[str, ...], dated: bool
) -> None:
    """They may have been added."""
    raw = "\r\n".join(["From: a@x.example", *head, "", "help", ""]).encode()
    found = read_letter(raw, sender="a@x.example", recipient=ADDRESS)
    assert (found.addressees, found.date is not None) == (addressees, dated)


def test_a_dmarc_pass_covers_one_author_only() -> None:
    """Two authors in From must confirm."""
    gateway = Gateway(trusted=OURS)
    bob = gateway.person("Bob")
    both = {"from": "eve@players.example, bob@players.example", "sender": "bob@players.example"}
    for several in ({}, both):
        header = {"authentication_results": PASS, **several}
        bob.write("new 9x9 vs carol@players.example", header=header)
    assert [due.notice.kind for due in bob.letters()] == [Kind.INVITED, Kind.CONFIRM]


def test_an_untrusted_client_cannot_vouch() -> None:
    """Its negative results still count."""
    gateway = Gateway(trusted=OURS)
    alice = gateway.person("Alice")
    for result, kinds in ((PASS, ["confirm"]), (PASS.replace("dmarc=pass", "dmarc=fail"), [])):
        before = len(gateway.outbox)
        written = alice.letter(
            "new 9x9 vs bob@b.example", {"authentication-results": result}
        ).as_bytes()
        gateway.take(InboundLetter(ADDRESS, alice.address, written))
        assert [kind for _, kind in gateway.notices(before)] == kinds


def test_a_failed_letter_gets_no_apology() -> None:
    """She has not written it."""
    gateway = Gateway(trusted=OURS)
    failed = f"{OURS}; dmarc=fail (p=reject) header.from=players.example"
    letter = gateway.person("Alice").letter("hello", {"authentication_results": failed})
    read = read_letter(letter.as_bytes(), sender=ALICE, recipient=ADDRESS)
    apologise = gateway.intake.dispatcher.apologise
    gateway.writer.run_sync(lambda unit: apologise(unit, read, gateway.now))
    assert gateway.notices() == []
