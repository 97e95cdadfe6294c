"""Letters in by LMTP (RFC 2033): an answer for each recipient, and never a 500 for our trouble."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from godaemon.errors import Temporary
from godaemon.system.sockets import listening_socket
from mailgate.delivery.ways_out import MaildirDelivery
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.smtp_handler import Postmaster, SmtpHandler
from mailgate.receiving.smtp_session import SmtpListener, SmtpTerms
from tests.support.gateway import ADDRESS
from tests.support.raw_smtp import (
    NO_LIMITS,
    PATIENCE,
    KeptLetters,
    Line,
    greeted,
    letter,
    listener_of,
    trouble,
)

ONE, TWO, THREE = (f"go+{number}-b-3-0-{'a' * 16}@go.example" for number in (1, 2, 3))
BODY = b"Subject: x\r\n\r\nD4\r\n.\r\n"


def postmaster_in(folder: Path, box: KeptLetters | None = None) -> Postmaster:
    """Who keeps the postmaster's letters below a folder; complaints come into the box too."""
    return Postmaster(folder, MaildirDelivery(folder).deliver, box or KeptLetters())


async def answers(person: Line, recipients: list[str], body: bytes = BODY) -> list[str]:
    """The codes after a letter to these."""
    await person.ask(*letter(recipients))
    person.send(body)
    return [(await person.said())[0][:9] for _ in recipients]


class TestAnswers:
    """One for each recipient, in their order (RFC 2033, 4.2)."""

    @pytest.mark.parametrize(
        "fault",
        [trouble(), ValueError("x"), OSError("disk"), RecursionError(), asyncio.QueueFull()],
        ids=lambda fault: type(fault).__name__,
    )
    async def test_trouble_with_one(self, fault: Exception) -> None:
        """The others are safe, and are told so; the one shall come again."""
        box = KeptLetters()
        box.faults[TWO] = fault
        async with listener_of(box, lmtp=True) as line:
            person = await greeted(await line(), "LHLO x.example")
            assert await answers(person, [ONE, TWO, THREE]) == [
                *("250 2.0.0", "451 4.3.0", "250 2.0.0")
            ]
            box.faults.clear()
            assert await answers(person, [TWO]) == ["250 2.0.0"]
        assert [inbound.recipient for inbound in box.taken] == [ONE, THREE, TWO]

    async def test_the_same_recipient_twice(self) -> None:
        """Two answers, one letter."""
        box = KeptLetters()
        async with listener_of(box, lmtp=True) as line:
            person = await greeted(await line(), "LHLO x.example")
            assert await answers(person, [ONE, ONE]) == ["250 2.0.0"] * 2
        assert len(box.taken) == 1

    async def test_reply_to_all(self) -> None:
        """Our plain address beside one with a token is the same letter, and gets its answer."""
        box = KeptLetters()
        async with listener_of(box, lmtp=True) as line:
            person = await greeted(await line(), "LHLO x.example")
            assert await answers(person, [ADDRESS, ONE]) == ["250 2.0.0"] * 2
            box.faults[ONE] = trouble()
            assert await answers(person, [ADDRESS, ONE]) == ["451 4.3.0"] * 2
        assert [inbound.recipient for inbound in box.taken] == [ONE]

    @pytest.mark.parametrize("lmtp", [True, False])
    async def test_two_addresses_of_one_seat(self, lmtp: bool) -> None:
        """The newest counts, in whatever order they stand; each recipient is told of the letter."""
        old, new, other = (
            f"go+1-{seat}-{revision}-0-{'a' * 16}@go.example"
            for seat, revision in (("b", 9), ("b", 10), ("w", 3))
        )
        for recipients in ([old, new, ADDRESS, other], [new, other, old, new.upper()]):
            box = KeptLetters()
            async with listener_of(box, lmtp=lmtp) as line:
                person = await greeted(await line(), "LHLO x" if lmtp else "EHLO x")
                told = await answers(person, recipients if lmtp else recipients[:1])
                assert set(told) == {"250 2.0.0"}
                if not lmtp:
                    await person.ask(*letter(recipients))
                    person.send(BODY)
                    assert (await person.said())[0][:3] == "250"
            taken = {inbound.recipient.lower() for inbound in box.taken[-2:]}
            assert taken == {new, other}
            assert len(box.taken) == (2 if lmtp else 3)

    async def test_a_reply_to_all_that_opensmtpd_brings_as_two_letters(self) -> None:
        """Both are for the address with the token, so that the second one is known."""
        old, new = (f"go+1-b-{revision}-0-{'a' * 16}@go.example" for revision in (9, 10))
        body = f"To: Go <{old}>\r\nCc: {ADDRESS},\r\n {new}\r\n\r\nTo: {TWO}\r\n.\r\n".encode()
        for recipient, meant in ((new, new), (ADDRESS, new), (old, old), (TWO, TWO)):
            box = KeptLetters()
            async with listener_of(box, lmtp=True) as line:
                person = await greeted(await line(), "LHLO x")
                assert await answers(person, [recipient], body) == ["250 2.0.0"]
            assert [inbound.recipient for inbound in box.taken] == [meant]

    async def test_a_refused_recipient_gets_no_second_answer(self) -> None:
        """Who got a 550 at RCPT is not told of again."""
        box = KeptLetters()
        async with listener_of(box, lmtp=True) as line:
            person = await greeted(await line(), "LHLO x.example")
            await person.ask("MAIL FROM:<a@x.example>")
            assert await person.codes("RCPT TO:<b@x.example>", f"RCPT TO:<{ONE}>") == ["550", "250"]
            await person.ask("DATA")
            person.send(BODY)
            assert (await person.said())[0][:3] == "250"
            assert await person.codes("NOOP") == ["250"]


class TestVerbs:
    """LHLO in place of EHLO."""

    async def test_lhlo(self) -> None:
        """It offers what RFC 2033, 5, asks for."""
        async with listener_of(KeptLetters(), lmtp=True) as line:
            person = await line()
            await person.said()
            assert await person.codes("EHLO x", "HELO x", "MAIL FROM:<a@x.example>") == [
                *("500", "500", "503")
            ]
            person.send(b"LHLO x.example\r\n")
            offered = {said[4:] for said in await person.said()}
        assert {"PIPELINING", "ENHANCEDSTATUSCODES", "8BITMIME", "SMTPUTF8"} <= offered
        assert "SIZE 100000" in offered

    async def test_pipelining(self) -> None:
        """All of a session in one breath, but for the letter (RFC 2920)."""
        box = KeptLetters()
        async with listener_of(box, lmtp=True) as line:
            person = await line()
            words = ["LHLO x", *letter([ONE, "b@x.example", TWO]), ""]
            person.send("\r\n".join(words).encode())
            said = [(await person.said())[-1][:3] for _ in range(7)]
            assert said == ["220", "250", "250", "250", "550", "250", "354"]
            person.send(BODY + b"QUIT\r\n")
            assert [answer[:3] for answer in await person.rest()] == ["250", "250", "221"]
        assert len(box.taken) == 2

    async def test_codes_have_their_long_form(self) -> None:
        """Each answer 2xx, 4xx and 5xx has an enhanced code of its class (RFC 2034)."""
        words = [
            "NOOP",
            "RSET",
            "VRFY x",
            "XYZZY",
            "RCPT TO:<a@b>",
            "MAIL FROM:<",
            "EXPN a",
            "QUIT",
        ]
        async with listener_of(KeptLetters(), lmtp=True) as line:
            person = await greeted(await line(), "LHLO x")
            for said in await person.ask(*words):
                assert said[4:6] == f"{said[0]}.", said


async def test_a_unix_socket(tmp_path: Path) -> None:
    """Everybody on this machine may bring letters; one left behind by a kill is replaced."""
    path, box = tmp_path / "lmtp.sock", KeptLetters()
    listening_socket(path, mode=0o666).close()
    listener = SmtpListener(
        SmtpHandler(ADDRESS, box, limits=NO_LIMITS, most=100),
        SmtpTerms(10_000, 300),
        lmtp=True,
    )
    listener.open_on(listening_socket(path, mode=0o666))
    assert path.stat().st_mode & 0o777 == 0o666
    person = await greeted(Line(*await asyncio.open_unix_connection(path)), "LHLO x")
    assert await answers(person, [ONE, TWO]) == ["250 2.0.0"] * 2
    await listener.close(5)
    async with asyncio.timeout(PATIENCE):
        assert await person.reader.read() == b""
    person.writer.close()


class TestPostmaster:
    """The postmaster is taken letters for (RFC 5321, 4.5.1), which the operator reads."""

    @pytest.mark.parametrize(
        "to", ["postmaster", "Postmaster@Go.Example", "POSTMASTER", "abuse@go.example"]
    )
    async def test_kept(self, tmp_path: Path, to: str) -> None:
        """It is filed once in the Maildir, and no game hears of it."""
        box = KeptLetters()
        async with listener_of(box, postmaster=postmaster_in(tmp_path).keep) as line:
            person = await greeted(await line())
            for _ in range(2):
                assert (await person.codes(*letter([to])))[1] == "250"
                person.send(BODY)
                assert (await person.said())[0][:3] == "250"
        (kept,) = (tmp_path / "postmaster" / "new").iterdir()
        assert kept.read_bytes() == b"Return-Path: <a@x.example>\nSubject: x\n\nD4\n"
        assert box.taken == []

    async def test_beside_a_seat(self, tmp_path: Path) -> None:
        """Both get theirs."""
        box = KeptLetters()
        async with listener_of(box, postmaster=postmaster_in(tmp_path).keep, lmtp=True) as line:
            person = await greeted(await line(), "LHLO x")
            assert await answers(person, [ONE, "postmaster"]) == ["250 2.0.0"] * 2
        assert [inbound.recipient for inbound in box.taken] == [ONE]
        assert len(list((tmp_path / "postmaster" / "new").iterdir())) == 1

    async def test_a_complaint_is_heeded_too(self, tmp_path: Path) -> None:
        """Providers send them to abuse (RFC 2142): the operator has it, and so has the gateway."""
        box = KeptLetters()
        keep = postmaster_in(tmp_path, box).keep
        raw = b"Subject: x\r\n\r\nFeedback-Type: abuse\r\nVersion: 1\r\n"
        await keep(InboundLetter("abuse@go.example", "fbl@provider.example", raw))
        await keep(InboundLetter("abuse@go.example", "a@x.example", b"Subject: x\r\n\r\nD4\r\n"))
        assert [inbound.raw for inbound in box.taken] == [raw]
        assert len(list((tmp_path / "postmaster" / "new").iterdir())) == 2

    async def test_enough(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nobody fills the disk by writing to them."""
        monkeypatch.setattr("mailgate.receiving.smtp_handler.MOST_UNREAD", 2)
        keep = postmaster_in(tmp_path).keep
        for number in range(2):
            assert await keep(InboundLetter("postmaster", "", b"%d" % number))
        with pytest.raises(Temporary):
            await keep(InboundLetter("postmaster", "", b"more"))
