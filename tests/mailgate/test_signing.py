"""DKIM: what goes out is signed over the bytes that go out, and stays as it is."""

from __future__ import annotations

import asyncio
from pathlib import Path

import dkim
import pytest

from godaemon.errors import ConfigError
from godaemon.games.notices import Kind, Notice
from mailgate.compose import Composer
from mailgate.outbound import Postman
from mailgate.signing import Signer
from mailgate.smarthost import SmarthostDelivery
from tests.support.club import ADDRESS, KEY
from tests.support.hand_clock import HandClock
from tests.support.memory_store import MemoryWriter
from tests.support.next_hop import NextHop
from tests.support.stores import NOW

DATA = Path(__file__).parents[1] / "data" / "dkim"
KEYS = ("sel.key", "sel.pkcs8.key")
"""One key in the two PEM forms that openssl writes; `sel.txt` is what DNS has of it."""


class Patience:
    """As [mail.outgoing] has it."""

    retry_first = 5.0
    retry_limit = 900.0
    give_up_days = 5


def signer(name: str = KEYS[0]) -> Signer:
    """One for go.example."""
    return Signer("go.example", "sel", (DATA / name).read_bytes())


def verified(raw: bytes) -> bool:
    """Whether another server would find the signature good."""
    asked: list[bytes] = []

    def dns(name: bytes, timeout: int = 5) -> bytes:
        asked.append(name)
        return (DATA / "sel.txt").read_bytes()

    good: bool = dkim.verify(raw, dnsfunc=dns)
    assert asked == [b"sel._domainkey.go.example."]
    return good


LETTER = b"From: go@go.example\r\nTo: bob@b.example\r\nSubject: Go\r\n\r\nYour move.\r\n"


@pytest.mark.parametrize("name", KEYS)
def test_signed(name: str) -> None:
    """The letter itself is not touched: the signature stands above it."""
    raw = signer(name).sign(LETTER)
    assert raw.startswith(b"DKIM-Signature:")
    assert raw.endswith(LETTER)
    assert verified(raw)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"Your move", b"My move"),
        (b"Subject: Go", b"Subject: No"),
        (b"From: go@", b"From: eve@e.example\r\nFrom: go@"),
        (b"To: bob@", b"To: eve@"),
    ],
)
def test_what_is_changed_is_found(old: bytes, new: bytes) -> None:
    """Nothing that a reader sees can be changed or added on the way."""
    assert not verified(signer().sign(LETTER).replace(old, new))


@pytest.mark.parametrize("key", [b"", b"secret", b"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n"])
def test_a_key_that_is_none(key: bytes) -> None:
    """The operator is told at the start, not with the first letter."""
    with pytest.raises(ConfigError, match="DKIM"):
        Signer("go.example", "sel", key)


async def test_over_the_bytes_that_go_out() -> None:
    """What the next hop gets is signed; a second try sends the very same bytes."""
    writer, clock = MemoryWriter(), HandClock(NOW)
    for kind, to in ((Kind.HELP, "bob@b.example"), (Kind.GAMES, "bøb@b.example")):
        notice = Notice(kind, to)
        writer.run_sync(lambda unit, notice=notice: unit.owe(notice, NOW))  # type: ignore[misc]
    async with NextHop() as hop:
        hop.after_data = ["451 4.3.0 later", "451 4.3.0 later"]
        postman = Postman(
            writer,
            Composer(KEY, ADDRESS, "Go by mail"),
            SmarthostDelivery("127.0.0.1", hop.port, timeout=5),
            clock,
            retry=Patience(),
            seal=signer().sign,
        )
        task = asyncio.create_task(postman.run())
        async with asyncio.timeout(20):
            while len(hop.taken) < 2:
                stored = [owed.due.letter for owed in writer.state.outbox.values()]
                clock.advance(30)
                await asyncio.sleep(0.01)
        await postman.close(5)
        await task
    letters = [raw for _, _, raw in hop.taken]
    assert all(map(verified, letters))
    assert {raw for raw in stored if raw is not None} <= set(letters)
    assert all(sender.startswith("go+bounce-") for sender, _, _ in hop.taken)
