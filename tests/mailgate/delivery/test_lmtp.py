"""Letters handed to a mail server by LMTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from godaemon.errors import GodaemonError, PutOff, Temporary, Undeliverable
from mailgate.delivery.smarthost import SmarthostDelivery
from tests.support.odd_smtp import OddSmtp

Served = tuple["Store", SmarthostDelivery]
BOB = "bob@players.example"
RAW = b"Subject: Go game 1\r\n\r\nYour move.\r\n.hidden\r\n"


class Store:
    """Keeps what it took; answers RCPT and DATA as it is told to."""

    def __init__(self) -> None:
        self.taken: list[tuple[str | None, list[str], bytes]] = []
        self.rcpt, self.data = "250 2.1.5 OK", "250 2.0.0 OK"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd names it so
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _more: list[str]
    ) -> str:
        """Take a recipient, or not."""
        if self.rcpt.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.rcpt

    async def handle_DATA(  # noqa: N802 - aiosmtpd names it so
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Take a letter, or not."""
        if self.data.startswith("250"):
            raw = envelope.content if isinstance(envelope.content, bytes) else b""
            self.taken.append((envelope.mail_from, envelope.rcpt_tos, raw))
        return self.data


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A server on a Unix socket, and the way there."""
    store, path = Store(), tmp_path / "lmtp"
    loop = asyncio.get_running_loop()
    server = await loop.create_unix_server(lambda: LMTP(store, hostname="mx"), str(path))
    way = SmarthostDelivery(str(path), 0, timeout=10, lmtp=True)
    yield store, way
    await way.close()
    server.close()


async def test_taken(served: Served) -> None:
    """The letter arrives byte for byte, with its envelope."""
    store, way = served
    await way.deliver(BOB, "go+bounce-1@go.example", RAW, "u1")
    await way.close()
    assert store.taken == [("go+bounce-1@go.example", [BOB], RAW)]


@pytest.mark.parametrize(
    ("rcpt", "data", "fault", "status"),
    [
        ("550 5.1.1 no such user", "250 OK", Undeliverable, "5.1.1"),
        ("450 4.2.1 later", "250 OK", PutOff, "4.2.1"),
        ("250 OK", "552 5.2.2 box full", Undeliverable, "5.2.2"),
        ("250 OK", "451 4.3.0 later", Temporary, ""),
    ],
)
async def test_refused(
    served: Served,
    rcpt: str,
    data: str,
    fault: type[GodaemonError],
    status: str,
) -> None:
    """Before DATA or after it: 4yz may pass, 5yz will not, and says what it says of the box."""
    store, way = served
    store.rcpt, store.data = rcpt, data
    with pytest.raises(fault) as caught:
        await way.deliver(BOB, "", RAW, "u1")
    assert getattr(caught.value, "status", "") == status
    assert store.taken == []


async def test_nobody_there(tmp_path: Path) -> None:
    """A server that is down is the world's trouble."""
    way = SmarthostDelivery(str(tmp_path / "none"), 0, timeout=5, lmtp=True)
    with pytest.raises(Temporary):
        await way.deliver(BOB, "", RAW, "u1")


async def test_no_line_end_gets_into_the_envelope(served: Served) -> None:
    """An address with a command in it is refused before anything is said."""
    store, way = served
    with pytest.raises(Undeliverable):
        await way.deliver("bob@x.example>\r\nRCPT TO:<eve@x.example", "", RAW, "u1")
    assert store.taken == []


async def test_a_server_that_knows_no_such_addresses(
    served: Served,
) -> None:
    """Without SMTPUTF8 nobody beyond ASCII is reached, today or in five days: that is told now."""
    store, way = served
    with pytest.raises(Undeliverable) as caught:
        await way.deliver("bøb@players.example", "", RAW, "u1")
    assert caught.value.status == "5.6.7"
    assert store.taken == []


@pytest.mark.parametrize(
    "script", [{"MAIL": "hang"}, {"DATA": "cut"}, {".": "cut"}, {"GREETING": "nonsense"}]
)
async def test_a_server_in_trouble(script: dict[str, str | list[str]]) -> None:
    """Silence, a cut line, and what makes no sense are trouble that passes."""
    async with OddSmtp({"LHLO": "250 odd", **script}) as server:
        way = SmarthostDelivery("127.0.0.1", server.port, timeout=0.2, lmtp=True)
        with pytest.raises(Temporary):
            await way.deliver(BOB, "", RAW, "u1")
