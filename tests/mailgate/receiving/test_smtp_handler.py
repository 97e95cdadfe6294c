"""Letters in by SMTP: a real server on loopback, spoken to as mail servers do."""

from __future__ import annotations

import asyncio
import smtplib
import socket
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import pytest

from godaemon.daemon.health import TURNED_AWAY
from godaemon.errors import Temporary
from godaemon.system.source_limits import MailLimiter
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.smtp_handler import SmtpHandler
from mailgate.receiving.smtp_session import SmtpListener, SmtpTerms
from tests.support.raw_smtp import (
    NO_LIMITS,
    KeptLetters,
    greeted,
    letter,
    listener_of,
    open_locally,
)

T = TypeVar("T")
ADDRESS = "go@go.example"
TAGGED = f"go+12-b-3-0-{'a' * 16}@go.example"
OTHER = f"go+h7-{'b' * 16}@go.example"
RAW = b"From: alice@a.example\r\nSubject: x\r\n\r\nD4\r\n..dots\r\n\xff\r\n"


class Taker:
    """Whoever keeps the letters: it can fail, or wait until it is told to go on."""

    def __init__(self) -> None:
        self.taken: list[InboundLetter] = []
        self.fault: BaseException | None = None
        self.go = asyncio.Event()
        self.go.set()
        self.began = asyncio.Event()

    async def __call__(self, inbound: InboundLetter) -> bool:
        """Keep a letter."""
        self.began.set()
        await self.go.wait()
        if self.fault is not None:
            raise self.fault
        self.taken.append(inbound)
        return True


class Server:
    """The open door, and how to speak to it from a thread."""

    def __init__(
        self, handler: SmtpHandler, listener: SmtpListener, port: int, taker: Taker
    ) -> None:
        self.handler, self.listener, self.port, self.taker = handler, listener, port, taker

    async def speak(self, words: Callable[[smtplib.SMTP], T]) -> T:
        """Have a session."""

        def session() -> T:
            with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as client:
                client.ehlo("client.example")
                return words(client)

        return await asyncio.to_thread(session)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A door on a free port that takes letters of up to 10 kB."""
    taker = Taker()
    others = ("play@club.example",)
    handler = SmtpHandler(ADDRESS, taker, limits=NO_LIMITS, most=100, others=lambda: others)
    listener = SmtpListener(handler, SmtpTerms(10_000, 300))
    host, port = await open_locally(listener)
    assert host == "127.0.0.1"
    yield Server(handler, listener, port, taker)
    taker.go.set()
    await listener.close(5)


def send(*recipients: str, raw: bytes = RAW) -> Callable[[smtplib.SMTP], tuple[int, bytes]]:
    """MAIL, RCPT for each, and DATA; the answer to DATA."""

    def words(client: smtplib.SMTP) -> tuple[int, bytes]:
        client.mail("alice@a.example")
        for recipient in recipients:
            assert client.rcpt(recipient)[0] == 250
        return client.data(raw)

    return words


class TestRecipients:
    """We take letters for ourselves, and relay for nobody."""

    @pytest.mark.parametrize(
        "to", [ADDRESS, "GO@Go.Example", TAGGED, TAGGED.upper(), OTHER, "play@club.example"]
    )
    async def test_ours(self, server: Server, to: str) -> None:
        """Our address, with and without a token, in any case; the letter's bytes as they were."""
        code, words = await server.speak(send(to))
        assert (code, words) == (250, b"2.0.0 OK, your letter is safe here")
        (inbound,) = server.taker.taken
        assert (inbound.recipient, inbound.sender) == (to, "alice@a.example")
        assert inbound.raw == RAW

    @pytest.mark.parametrize(
        "to",
        [
            "bob@b.example",
            "other@go.example",
            "go@club.example",
            "go@go.example.org",
            "go+nonsense@go.example",
            "go+12-b-3-0-short@go.example",
            "go@go.example@b.example",
            "go%b.example@go.example",
            "postmaster",
        ],
    )
    async def test_strangers(self, server: Server, to: str) -> None:
        """Everything else is refused for good."""

        def words(client: smtplib.SMTP) -> tuple[int, bytes]:
            client.mail("alice@a.example")
            return client.rcpt(to)

        code, said = await server.speak(words)
        assert 500 <= code < 560, (code, said)
        assert server.taker.taken == []

    async def test_stranger_beside_ours(self, server: Server) -> None:
        """One refused recipient does not keep the letter from the other."""

        def words(client: smtplib.SMTP) -> tuple[int, int]:
            client.mail("alice@a.example")
            refused, _ = client.rcpt("bob@b.example")
            client.rcpt(TAGGED)
            taken, _ = client.data(RAW)
            return refused, taken

        assert await server.speak(words) == (550, 250)
        assert [inbound.recipient for inbound in server.taker.taken] == [TAGGED]

    async def test_two_recipients(self, server: Server) -> None:
        """A letter to two of our addresses is kept for each, once each."""
        assert (await server.speak(send(TAGGED, OTHER, TAGGED)))[0] == 250
        assert [inbound.recipient for inbound in server.taker.taken] == [TAGGED, OTHER]

    async def test_reply_to_all(self, server: Server) -> None:
        """Our plain address beside the one with the token is the same letter, not a second."""
        assert (await server.speak(send(ADDRESS, TAGGED)))[0] == 250
        assert [inbound.recipient for inbound in server.taker.taken] == [TAGGED]

    async def test_null_sender(self, server: Server) -> None:
        """Bounces are taken; what they are worth is found out later."""

        def words(client: smtplib.SMTP) -> int:
            client.docmd("MAIL", "FROM:<>")
            client.rcpt(ADDRESS)
            return client.data(RAW)[0]

        assert await server.speak(words) == 250
        assert server.taker.taken[0].sender == ""

    async def test_address_beyond_ascii(self, server: Server) -> None:
        """SMTPUTF8 (RFC 6531): people whose address is not ASCII can write to us."""

        def words(client: smtplib.SMTP) -> int:
            client.command_encoding = "utf-8"
            client.mail("алиса@пример.example", ["SMTPUTF8"])
            client.rcpt(ADDRESS)
            return client.data(RAW)[0]

        assert await server.speak(words) == 250
        assert server.taker.taken[0].sender == "алиса@пример.example"


class TestTrouble:
    """Our trouble is a 451, whatever it is: the sender's server keeps the letter."""

    @pytest.mark.parametrize(
        "fault",
        [Temporary("no"), ValueError("x"), OSError("disk"), KeyError("k"), RecursionError()],
        ids=lambda fault: type(fault).__name__,
    )
    async def test_never_for_good(self, server: Server, fault: Exception) -> None:
        """The answer is 451, says nothing of the fault, and the letter can come again."""
        server.taker.fault = fault

        def words(client: smtplib.SMTP) -> tuple[tuple[int, bytes], int]:
            first = send(ADDRESS)(client)
            server.taker.fault = None
            return first, send(ADDRESS)(client)[0]

        (code, said), again = await server.speak(words)
        assert (code, said) == (451, b"4.3.0 Our trouble, not yours: please try again later")
        assert again == 250
        assert len(server.taker.taken) == 1

    async def test_second_recipient_fails(self, server: Server) -> None:
        """Nothing is acknowledged that is not safe for every recipient."""
        kept = server.taker.__call__

        async def moody(inbound: InboundLetter) -> bool:
            if inbound.recipient == OTHER:
                raise Temporary("full", detail="disk full")
            return await kept(inbound)

        server.listener._handler._deliver = moody
        assert (await server.speak(send(TAGGED, OTHER)))[0] == 451

    async def test_too_large(self, server: Server) -> None:
        """A letter beyond the limit is refused for good, whether it is announced or not."""

        def announced(client: smtplib.SMTP) -> int:
            return client.mail("alice@a.example", ["SIZE=10001"])[0]

        large = b"Subject: x\r\n\r\n" + b"x" * 70 + b"\r\n" * 6_000
        assert await server.speak(announced) == 552
        assert (await server.speak(send(ADDRESS, raw=large)))[0] == 552
        assert server.taker.taken == []
        assert (await server.speak(send(ADDRESS)))[0] == 250


class TestLongLines:
    """RFC 5321, 4.5.3.1.6, has lines of at most 1000 octets; not every program keeps to it."""

    async def test_a_long_line_is_taken(self, server: Server) -> None:
        """A 500 would make the sender's server give the letter up for good."""
        long = RAW + b"x" * 5_000 + b"\r\n"
        assert (await server.speak(send(ADDRESS, raw=long)))[0] == 250
        (taken,) = server.taker.taken
        assert b"x" * 5_000 in taken.raw


class TestClosing:
    """Whoever stops us waits for what is in hand."""

    async def test_letter_in_hand_is_finished(self, server: Server) -> None:
        """`close` returns when the letter is kept and its 250 is on the way."""
        server.taker.go.clear()
        sending = asyncio.create_task(server.speak(send(ADDRESS)))
        await server.taker.began.wait()
        closing = asyncio.create_task(server.listener.close(30))
        await _turns()
        assert not closing.done()
        server.taker.go.set()
        await closing
        assert (await sending)[0] == 250
        assert len(server.taker.taken) == 1

    async def test_nobody_else_is_let_in(self, server: Server) -> None:
        """While we close, no new session begins."""
        server.taker.go.clear()
        sending = asyncio.create_task(server.speak(send(ADDRESS)))
        await server.taker.began.wait()
        closing = asyncio.create_task(server.listener.close(30))
        await _turns()

        def knock() -> None:
            socket.create_connection(("127.0.0.1", server.port), timeout=5).close()

        with pytest.raises(ConnectionRefusedError):
            await asyncio.to_thread(knock)
        server.taker.go.set()
        await closing
        await sending

    async def test_patience_ends(self, server: Server) -> None:
        """A letter that is never kept does not keep us for ever; it shall come again."""
        server.taker.go.clear()
        sending = asyncio.create_task(server.speak(send(ADDRESS)))
        await server.taker.began.wait()
        await server.listener.close(0.05)
        assert (await sending)[0] == 421

    async def test_idle_session_is_ended(self, server: Server) -> None:
        """A session in which nothing is going on holds nobody up."""
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        assert (await reader.readline()).startswith(b"220 localhost ESMTP")
        await server.listener.close(30)
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()

    async def test_closing_twice(self, server: Server) -> None:
        """The second time there is nothing to do."""
        await server.listener.close(1)
        await server.listener.close(1)


async def _turns() -> None:
    """Let everything that can go on do so."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize("lmtp", [False, True])
async def test_while_too_many_letters_wait_to_go_out_senders_are_asked_to_wait(lmtp: bool) -> None:
    """Before a letter is begun, with the reason: nothing comes back, nothing is lost."""
    waiting, box = ["There is no room here just now"], KeptLetters()
    async with listener_of(box, lmtp=lmtp, overloaded=lambda: waiting[0]) as opened:
        line = await greeted(await opened(), "LHLO x" if lmtp else "EHLO x")
        (told,) = await line.ask("MAIL FROM:<alice@a.example>")
        assert told == ("451 4.3.2 There is no room here just now: please try again later")
        waiting[0] = ""
        assert await line.codes("MAIL FROM:<alice@a.example>") == ["250"]


async def test_what_our_own_mail_server_brings_in_vain_is_counted(server: Server) -> None:
    """Until a letter is taken: an address that is nobody's, and what could not be kept."""
    handler = server.handler
    await server.speak(lambda client: [client.mail("a@a.example"), client.rcpt("go@old.example")])
    assert handler.turned_away == (1, "550 5.1.1 Nobody plays Go at that address", "go@old.example")
    server.taker.fault = Temporary("Not now.", detail="disk I/O error")
    await server.speak(send(ADDRESS))
    assert (handler.turned_away.number, handler.turned_away.why) == (2, "disk I/O error")
    server.taker.fault = None
    await server.speak(send(ADDRESS))
    assert handler.turned_away.number == 0


async def test_addresses_that_somebody_guesses_at_are_no_trouble_of_ours(server: Server) -> None:
    """Whoever brings them; one that comes again and again is our own mail server's mistake."""

    def asked(client: smtplib.SMTP, *addresses: str) -> int:
        for address in addresses:
            client.rcpt(address)
        return server.handler.turned_away.number

    def words(client: smtplib.SMTP) -> None:
        client.mail("eve@e.example")
        guesses = (f"{name}@go.example" for name in ("root", "info", "admin", "sales"))
        assert asked(client, *guesses) == 1
        assert asked(client, *["go@old.example"] * TURNED_AWAY) == TURNED_AWAY

    await server.speak(words)


@pytest.mark.parametrize(
    ("relays", "trusted"), [(["127.0.0.0/8"], True), (["192.0.2.0/24"], False)]
)
async def test_only_a_mail_server_of_ours_is_believed(relays: list[str], trusted: bool) -> None:
    """In what it says of a letter's sender."""
    box = KeptLetters()
    limits = MailLimiter(relays, connections=9, per_source=9, letters=9, clock=lambda: 0.0)
    async with listener_of(box, guard=limits) as opened:
        line = await greeted(await opened())
        await line.ask(*letter([ADDRESS]), RAW + b".")
    assert [inbound.trusted for inbound in box.taken] == [trusted]
