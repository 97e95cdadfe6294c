"""The SMTP listener: shutdown, Unix socket, and the postmaster's mailbox."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from godaemon.errors import Temporary
from godaemon.system.counts import COUNTS
from godaemon.system.sockets import listening_socket
from mailgate.delivery.maildir import MaildirDelivery
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.postmaster import Postmaster
from mailgate.receiving.smtp_session import SmtpListener, SmtpTerms
from tests.support.gateway import ADDRESS
from tests.support.raw_smtp import (
    KeptLetters,
    Line,
    greeted,
    handler_of,
    letter,
    open_locally,
    serving,
)
from tests.support.waiting import PATIENCE

BODY = "Subject: x\r\n\r\nD4\r\n."


class BlockedLetters(KeptLetters):
    """Stores letters once the event is set."""

    def __init__(self) -> None:
        super().__init__()
        self.began, self.go = asyncio.Event(), asyncio.Event()

    async def __call__(self, inbound: InboundLetter) -> bool:
        self.began.set()
        await self.go.wait()
        return await super().__call__(inbound)


class Closing:
    """A listener that is closing while a letter is being handled."""

    def __init__(self) -> None:
        self.box = BlockedLetters()
        self.listener = SmtpListener(handler_of(self.box), SmtpTerms(10_000, 300))

    async def open(self) -> None:
        self.place = await open_locally(self.listener)
        self.client = await greeted(Line(*await asyncio.open_connection(*self.place)))
        await self.client.ask(*letter([ADDRESS]))
        self.client.send(f"{BODY}\r\n".encode())
        await self.box.began.wait()

    async def begin_to_close(self) -> asyncio.Task[None]:
        """Have it go on as far as it can."""
        closing = asyncio.create_task(self.listener.close(30))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not closing.done()
        return closing


@pytest.fixture
async def one() -> AsyncIterator[Closing]:
    """A listener that is handling a letter."""
    one = Closing()
    await one.open()
    yield one
    one.box.go.set()
    one.client.writer.close()
    await one.listener.close(1)  # the second time there is nothing to do


async def test_closing_finishes_the_current_letter(one: Closing) -> None:
    """It is stored and answered with 250; no new client gets in."""
    closing = await one.begin_to_close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(*one.place)
    one.box.go.set()
    await closing
    assert [answer[:3] for answer in await one.client.rest()] == ["250"]
    assert len(one.box.taken) == 1


async def test_closing_has_a_timeout(one: Closing) -> None:
    """A letter that is not stored in time is deferred."""
    await one.listener.close(0.05)
    assert [answer[:3] for answer in await one.client.rest()] == ["421"]


async def test_closing_ends_idle_sessions(one: Closing) -> None:
    """They do not delay the shutdown."""
    idle = Line(*await asyncio.open_connection(*one.place))
    assert (await idle.read_answer())[0].startswith("220 localhost ESMTP")
    closing = await one.begin_to_close()
    one.box.go.set()
    await closing
    assert await idle.rest() == []
    idle.writer.close()


async def test_a_unix_socket(tmp_path: Path) -> None:
    """All local users may deliver; a socket left behind by a kill is replaced."""
    path, box = tmp_path / "lmtp.sock", KeptLetters()
    listening_socket(path, mode=0o666).close()
    listener = SmtpListener(handler_of(box), SmtpTerms(10_000, 300), lmtp=True)
    listener.open_on(listening_socket(path, mode=0o666))
    assert path.stat().st_mode & 0o777 == 0o666
    client = await greeted(Line(*await asyncio.open_unix_connection(path)), "LHLO x")
    assert (await client.codes(*letter([ADDRESS]), BODY))[-1] == "250"
    await listener.close(5)
    async with asyncio.timeout(PATIENCE):
        assert await client.reader.read() == b""
    client.writer.close()
    assert len(box.taken) == 1


def postmaster_in(folder: Path, box: KeptLetters | None = None) -> Postmaster:
    """Who keeps the postmaster's letters below a folder; complaints come into the box too."""
    return Postmaster(folder, MaildirDelivery(folder).deliver, box or KeptLetters())


async def test_letters_to_the_postmaster_are_filed_once(tmp_path: Path) -> None:
    """In the operator's Maildir, even if repeated."""
    box = KeptLetters()
    async with serving(handler_of(box, postmaster=postmaster_in(tmp_path).keep)) as line:
        client = await greeted(await line())
        for _ in range(2):
            assert (await client.codes(*letter(["postmaster"]), BODY))[-1] == "250"
    (kept,) = (tmp_path / "postmaster" / "new").iterdir()
    assert kept.read_bytes() == b"Return-Path: <a@x.example>\nSubject: x\n\nD4\n"
    assert box.taken == []


async def test_a_complaint_is_also_counted(tmp_path: Path) -> None:
    """The operator gets a report to abuse (RFC 2142), and so does the gateway."""
    box, counted = KeptLetters(), COUNTS["letters_in", "for-postmaster"]
    keep = postmaster_in(tmp_path, box).keep
    raw = b"Subject: x\r\n\r\nFeedback-Type: abuse\r\nVersion: 1\r\n"
    await keep(InboundLetter("abuse@go.example", "fbl@provider.example", raw))
    await keep(InboundLetter("abuse@go.example", "a@x.example", b"Subject: x\r\n\r\nD4\r\n"))
    assert [inbound.raw for inbound in box.taken] == [raw]
    assert len(list((tmp_path / "postmaster" / "new").iterdir())) == 2
    assert COUNTS["letters_in", "for-postmaster"] == counted + 1


async def test_unread_letters_to_the_postmaster_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Further ones are deferred."""
    monkeypatch.setattr("mailgate.receiving.postmaster.MAX_UNREAD", 2)
    keep = postmaster_in(tmp_path).keep
    for number in range(2):
        assert await keep(InboundLetter("postmaster", "", b"%d" % number))
    with pytest.raises(Temporary):
        await keep(InboundLetter("postmaster", "", b"more"))
