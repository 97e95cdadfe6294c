r"""SMTP and LMTP sessions as text: the client's lines, and the beginning of each answer.

A file of `sessions/` has sessions by their names (`== name`). In each a line `SENT => ANSWER` is a
command and the beginning of the last line of its answer, or of several answers: `250 / 451`.
`LETTER TO, TO: BYTES => ANSWER` is a whole letter up to its lone full stop; without bytes it is a
small one. `\r`, `\n` and `\xff` are bytes, `{ab*900}` is a text many times; `{old}`, `{new}` and
`{other}` are addresses with a token: for two positions of one seat, and for another seat. Other
lines begin with `!`:

    ! lmtp, ! strangers, ! postmaster, ! silent  (first) LMTP; a client that is no mail server of
                          ours; somebody keeps the postmaster's letters; no EHLO is sent
    ! overloaded REASON   no letter is accepted; without a reason letters are accepted again
    ! fault TO NAME       keeping letters to this address fails so; `! fault` none fails any more
    ! kept TO ...         what has been kept since, in its order
    ! bytes BYTES         what was kept last, byte by byte
    ! sender ADDRESS      who sent that, by its envelope
    ! trusted NUMBER      whether the server that brought it is believed: 0 or 1
    ! network NETWORK     where it came from
    ! posted NUMBER       so many letters are kept for the postmaster
    ! offered WORDS, ...  what the last answer has in its lines, beside others
    ! refused NUMBER WHY  so many letters were refused that our own mail server brought, and why
"""

import asyncio
import builtins
import re
from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from godaemon.errors import Temporary, Unreadable
from godaemon.system.counts import COUNTS
from godaemon.system.sockets import listening_socket
from godaemon.system.source_limits import MailLimiter
from mailgate.delivery.maildir import MaildirDelivery
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.postmaster import Postmaster
from mailgate.receiving.smtp_session import SmtpListener, SmtpTerms
from tests.support.blocks import read_blocks
from tests.support.gateway import ADDRESS
from tests.support.raw_smtp import (
    NO_LIMITS,
    KeptLetters,
    Line,
    greeted,
    handler_of,
    letter,
    open_locally,
    serving,
    trouble,
)
from tests.support.waiting import PATIENCE

FOLDER = Path(__file__).parent / "sessions"
SESSIONS = [
    pytest.param(text, id=f"{path.stem}: {name}")
    for path in sorted(FOLDER.glob("*.txt"))
    for name, text in read_blocks(path).items()
]
NAMES = {"go": ADDRESS} | {
    name: f"go+1-{seat}-{'a' * 16}@go.example"
    for name, seat in (("old", "b-9-0"), ("new", "b-10-0"), ("other", "w-3-0"))
}
STRANGERS = MailLimiter([], connections=9, per_source=9, letters=99, clock=lambda: 0.0)


@pytest.mark.parametrize("text", SESSIONS)
async def test_sessions(text: str) -> None:
    """Each line of the session holds."""
    lines = [line for line in text.splitlines() if line]
    await Session({line for line in lines if line in OPTIONS}).play(lines)


OPTIONS = {"! lmtp", "! strangers", "! silent"}


class Session:
    """One connection, and the letters stored from it."""

    def __init__(self, options: set[str]) -> None:
        self.options, self.lmtp = options, "! lmtp" in options
        self.box, self.postmaster, self.seen = KeptLetters(), KeptLetters(), 0
        self.busy, self.answer = "", list[str]()
        self.handler = handler_of(
            self.box,
            guard=STRANGERS if "! strangers" in options else NO_LIMITS,
            postmaster=self.postmaster,
            overloaded=lambda: self.busy,
            addresses=lambda: (ADDRESS, "play@club.example"),
        )

    async def play(self, lines: list[str]) -> None:
        """Run each line of the text, and compare the answers."""
        async with serving(self.handler, SmtpTerms(10_000, 300), lmtp=self.lmtp) as opened:
            client = await opened()
            if "! silent" not in self.options:
                await greeted(client, "LHLO x.example" if self.lmtp else "EHLO x.example")
            for line in lines:
                if line.startswith("! "):
                    self.happen(line)
                else:
                    await self.say(client, line)

    async def say(self, client: Line, line: str) -> None:
        """Send what a line says, and compare the answers."""
        sent, _, answers = line.rpartition(" => ")
        if whole := re.fullmatch(r"LETTER (.+?)(?:: (.*))?", sent):
            await client.ask(*letter([str(named(to), "utf-8") for to in whole[1].split(", ")]))
            sent = ("\\r\\nD4\\r\\n" if whole[2] is None else whole[2]) + "."
        client.send(named(sent) + b"\r\n")
        for answer in answers.split(" / "):
            self.answer = await client.read_answer()
            assert self.answer[-1].startswith(answer), line

    def happen(self, line: str) -> None:
        """What a line with an exclamation mark says."""
        verb, _, words = line.removeprefix("! ").partition(" ")
        raw, taken = named(words), self.box.taken
        if line in OPTIONS:
            return
        if verb == "fault":
            to, _, name = raw.decode().partition(" ")
            self.box.faults = {to: getattr(builtins, name, trouble)()} if to else {}
        elif verb == "overloaded":
            self.busy = words
        elif verb == "offered":
            assert set(words.split(", ")) <= {one[4:] for one in self.answer}
        elif verb == "kept":
            new, self.seen = taken[self.seen :], len(taken)
            assert [one.recipient for one in new] == raw.decode().split()
        else:
            last = taken[-1] if taken else InboundLetter("", "", b"")
            number, _, why = self.handler.rejections
            found = {
                "bytes": last.raw,
                "sender": last.sender.encode(),
                "trusted": b"%d" % last.trusted,
                "network": last.network.encode(),
                "posted": b"%d" % len(self.postmaster.taken),
                "refused": f"{number} {why}".strip().encode(),
            }[verb]
            assert found == raw, line


def named(text: str) -> bytes:
    """The bytes of a text in a file."""
    text = re.sub(r"\{(.+?)\*(\d+)\}", lambda found: found[1] * int(found[2]), text)
    for name, address in NAMES.items():
        text = text.replace(f"{{{name}}}", address)
    return text.encode().decode("unicode_escape").encode("latin-1")


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


async def test_an_unreadable_letter_is_no_complaint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator gets it like any other."""
    box, unreadable = KeptLetters(), Mock(side_effect=Unreadable("It has too many layers."))
    monkeypatch.setattr("mailgate.receiving.postmaster.read_letter", unreadable)
    assert await postmaster_in(tmp_path, box).keep(InboundLetter("postmaster", "", b"\nD4"))
    assert len([*(tmp_path / "postmaster" / "new").iterdir()]) == 1
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
