"""Attacks on the SMTP server, beside those in `sessions/`."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest
import uvloop
from structlog.testing import capture_logs

from godaemon.errors import QuotaExceeded
from godaemon.system.counts import COUNTS
from godaemon.system.sockets import listen
from godaemon.system.source_limits import MailLimiter
from mailgate.receiving.envelopes import normalize_line_ends
from mailgate.receiving.smtp_session import MailSession, SmtpListener, SmtpTerms
from tests.support.certificate import make_certificate
from tests.support.cost import peak
from tests.support.gateway import ADDRESS
from tests.support.raw_smtp import KeptLetters, Line, greeted, handler_of, letter, serving
from tests.support.waiting import PATIENCE, come

HIDDEN = b"MAIL FROM:<b@x.example>\r\nRCPT TO:<go@go.example>\r\nDATA\r\n\r\nresign\r\n"
TOKENS = [f"go+{number}-b-3-0-{'a' * 16}@go.example" for number in range(1_000)]


def limiter_for_strangers(**limits: int) -> MailLimiter:
    """A limiter that treats nobody as our mail server."""
    return MailLimiter(
        [], **{"connections": 100, "per_source": 100, "letters": 100, **limits}, clock=lambda: 0.0
    )


@pytest.mark.parametrize(
    "end",
    [
        *(b"\n.\n", b"\r.\r", b"\n.\r\n", b"\r.\r\n", b"\r\n.\n", b"\r\n.\r", b"\n.\r"),
        *(b"\r\n.\r\r\n", b"\r\n..\r\n", b"\r\n.\x00\r\n", b"\r\n\x00.\r\n", b"\r\n. \r\n"),
    ],
)
async def test_smuggling(end: bytes) -> None:
    """Only CR LF, a full stop and CR LF end a letter; no bare CR or LF is stored."""
    box = KeptLetters()
    async with serving(handler_of(box)) as line:
        person = await greeted(await line())
        await person.ask(*letter([ADDRESS]))
        person.send(b"Subject: x\r\n\r\nD4" + end + HIDDEN + b"\r\n.\r\n")
        assert (await person.read_answer())[0][:3] == "250"
        assert await person.codes("QUIT") == ["221"]
    (raw,) = box.bodies
    assert b"resign" in raw
    assert raw == normalize_line_ends(raw)


def test_a_letter_that_is_too_long_takes_no_memory() -> None:
    """Fifty megabytes take no more than a small letter."""

    async def flood() -> None:
        async with serving(handler_of(KeptLetters())) as line:
            person = await greeted(await line())
            await person.ask(*letter([ADDRESS]))
            for _ in range(850):
                person.send(b"x" * 60_000 + b"\r\n")
                await person.writer.drain()
            assert await person.codes(".") == ["552"]

    assert peak(lambda: asyncio.run(flood())) < 5_000_000


async def test_reading_a_long_letter_gives_way() -> None:
    """Others have a turn after every 200 pieces, though all are here already."""
    session = MailSession(handler_of(KeptLetters()), SmtpTerms(10_000, 300))
    session._reader = asyncio.StreamReader()
    session._reader.feed_data(b"D4.\r\n" * 598 + b".\r\n")
    turns = 0

    async def take_turns() -> None:
        """Count the turns that are given."""
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(take_turns())
    assert await session._read_letter() == b"D4.\r\n" * 598
    other.cancel()
    assert turns == 2


async def test_recipients_per_letter_are_limited() -> None:
    """A hundred are accepted; the others are deferred (RFC 5321, 4.5.3.1.10)."""
    box = KeptLetters()
    async with serving(handler_of(box)) as line:
        person = await greeted(await line())
        await person.ask("MAIL FROM:<a@x.example>")
        codes = await person.codes(*(f"RCPT TO:<{one}>" for one in TOKENS))
        assert codes == ["250"] * 100 + ["452"] * 900
        assert await person.codes("DATA", "\r\nD4\r\n.") == ["354", "250"]
    assert len(box.taken) == 100


async def test_guessing_addresses_ends_the_session() -> None:
    """After some recipients that are not ours."""
    async with serving(handler_of(KeptLetters(), guard=limiter_for_strangers())) as line:
        person = await greeted(await line())
        person.send(b"MAIL FROM:<a@x.example>\r\n")
        person.send(b"".join(b"RCPT TO:<a%d@go.example>\r\n" % i for i in range(1_000)))
        codes = [answer[:3] for answer in await person.rest()]
    assert codes[0] == "250"
    assert 20 <= codes.count("550") <= 22
    assert "421" in codes


async def test_our_own_mail_server_may_name_many_wrong_recipients() -> None:
    """It relays the mistakes of many people."""
    async with serving(handler_of(KeptLetters())) as line:
        person = await greeted(await line())
        await person.ask("MAIL FROM:<a@x.example>")
        codes = await person.codes(*(["RCPT TO:<b@x.example>"] * 50))
    assert codes == ["550"] * 50


@pytest.mark.parametrize("limits", [{"per_source": 2}, {"connections": 2}])
async def test_connections_are_limited(limits: dict[str, int]) -> None:
    """A further one is refused until another has closed."""
    async with serving(handler_of(KeptLetters(), guard=limiter_for_strangers(**limits))) as line:
        first, second = await line(), await line()
        assert [(await one.read_answer())[0][:3] for one in (first, second)] == ["220", "220"]
        third = await line()
        assert [answer[:9] for answer in await third.rest()] == ["421 4.7.0"]
        assert await first.codes("QUIT") == ["221"]
        await first.rest()
        assert (await (await line()).read_answer())[0][:3] == "220"


async def test_letters_per_minute_are_limited() -> None:
    """Others are deferred at MAIL, and accepted later."""
    now, deferred = [0.0], COUNTS["letters_in", "put-off"]
    guard = MailLimiter([], connections=9, per_source=9, letters=3, clock=lambda: now[0])
    box = KeptLetters()
    async with serving(handler_of(box, guard=guard)) as line:
        person = await greeted(await line())
        one = [*letter([ADDRESS]), "\r\nD4\r\n."]
        for _ in range(3):
            assert (await person.codes(*one))[-1] == "250"
        with capture_logs() as log:
            assert (await person.ask(one[0]))[0].startswith("450 4.7.1 Too many emails")
        assert [(line["event"], line["peer"]) for line in log] == [("smtp.too-many", "127.0.0.1")]
        assert COUNTS["letters_in", "put-off"] == deferred + 1
        now[0] = 20.0
        assert (await person.codes(*one))[-1] == "250"
        assert await person.codes(one[0]) == ["450"]
    assert len(box.taken) == 4


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ([TOKENS[:1], TOKENS[1:2], TOKENS[2:3], TOKENS[3:4], [ADDRESS]], [0.5, 1, 2, 4]),
        ([TOKENS[:3], TOKENS[3:6], TOKENS[50:53]], [2, 16, 30]),
    ],
)
async def test_each_wrong_token_doubles_the_delay(
    letters: list[list[str]], expected: list[float]
) -> None:
    """Deferred or not, for each recipient of a letter; our own mail servers never wait."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    box = KeptLetters()
    box.wrong = set(TOKENS)
    box.faults[TOKENS[1]] = QuotaExceeded("Please bring it again tomorrow.", guessed=True)
    relay = MailLimiter(["127.0.0.0/8"], connections=1, per_source=1, letters=1, clock=lambda: 0.0)
    for guard in (limiter_for_strangers(), relay):
        async with serving(handler_of(box, guard=guard, sleep=sleep)) as line:
            person = await greeted(await line())
            for recipients in letters:
                await person.ask(*letter(recipients), "\r\nD4\r\n.")
    assert waits == expected


async def test_our_own_server_gets_in_during_a_flood() -> None:
    """Connections are limited, however many sources there are."""
    guard = MailLimiter(["127.0.0.1"], connections=5, per_source=2, letters=9, clock=lambda: 0.0)
    async with serving(handler_of(KeptLetters(), guard=guard)) as line:
        flood = [await line(f"127.0.1.{number}") for number in range(1, 21)]
        greetings = [(await one.read_answer())[0][:3] for one in flood]
        assert (greetings.count("220"), greetings.count("421")) == (5, 15)
        assert (await (await line()).read_answer())[0][:3] == "220"
        flood[greetings.index("220")].writer.close()
        codes = ["421"]
        while codes == ["421"]:
            codes = [answer[:3] for answer in await (await line("127.0.2.1")).read_answer()]
        assert codes == ["220"]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param([], id="before EHLO"),
        pytest.param(["EHLO x"], id="in a command"),
        pytest.param(["EHLO x", *letter([ADDRESS])], id="in a letter"),
    ],
)
@pytest.mark.parametrize("slow", [False, True])
async def test_an_idle_client_is_disconnected(words: list[str], slow: bool) -> None:
    """With an answer, if it reads any; a byte now and then does not extend the timeout."""
    box = KeptLetters()
    async with serving(handler_of(box), SmtpTerms(100_000, timeout=0.8)) as line:
        person = await line()
        await person.read_answer()
        answers = await person.ask(*words)
        drops = asyncio.create_task(send_slowly(person)) if slow else None
        rest = await person.rest()
        last = [answer[:9] for answer in [*answers, *rest] if answer][-1:]
        assert last == ["421 4.4.2"] or (slow and not rest)
        if drops is not None:
            drops.cancel()
    assert box.taken == []


async def test_unknown_commands_do_not_extend_the_timeout() -> None:
    """Nor do commands that are none."""
    async with serving(handler_of(KeptLetters()), SmtpTerms(100_000, timeout=0.8)) as line:
        person = await greeted(await line())
        while (await person.codes("XYZZY"))[0] in {"500", "502"}:
            pass
        assert await person.rest() == []


async def test_a_session_has_a_maximum_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeated NOOPs do not keep a connection open."""
    monkeypatch.setattr("mailgate.receiving.smtp_session.MAX_SESSION", 0.3)
    async with serving(handler_of(KeptLetters())) as line:
        person = await greeted(await line())
        ends, late = asyncio.get_running_loop().time() + 0.3, 0
        while (await person.codes("NOOP"))[0] == "250":
            late += asyncio.get_running_loop().time() > ends
            assert late < 100
        assert await person.rest() == []


async def test_a_client_that_reads_nothing_is_disconnected() -> None:
    """Answers do not pile up."""
    async with serving(handler_of(KeptLetters()), SmtpTerms(100_000, timeout=0.8)) as line:
        place = (await line()).writer.get_extra_info("peername")
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(place)
        person = await greeted(Line(*await asyncio.open_connection(sock=narrow)))
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(ConnectionError):
                await ask_forever(person)


async def ask_forever(person: Line) -> None:
    while True:
        person.send(b"HELP\r\n" * 1_000)
        await person.writer.drain()


async def send_slowly(person: Line) -> None:
    """Send a byte now and then."""
    while not person.writer.is_closing():
        person.send(b"x")
        await asyncio.sleep(0.02)


@pytest.mark.peer("openssl")
class TestStartTls:
    """STARTTLS (RFC 3207): nothing that was said in clear counts afterwards."""

    @pytest.fixture
    def terms(self, tmp_path: Path) -> SmtpTerms:
        """A door with a certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*make_certificate(tmp_path))
        return SmtpTerms(100_000, 300, tls=lambda: context)

    async def encrypted(self, person: Line) -> Line:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        async with asyncio.timeout(PATIENCE):
            await person.writer.start_tls(context)
        return person

    async def test_a_letter_under_tls(self, terms: SmtpTerms) -> None:
        """STARTTLS is offered and done once."""
        box = KeptLetters()
        async with serving(handler_of(box), terms) as line:
            person = await line()
            await person.read_answer()
            person.send(b"EHLO x\r\n")
            assert "250-STARTTLS" in await person.read_answer()
            assert await person.codes("STARTTLS") == ["220"]
            await self.encrypted(person)
            person.send(b"EHLO x\r\n")
            offered = await person.read_answer()
            assert not [one for one in offered if "STARTTLS" in one or "AUTH" in one]
            codes = await person.codes(*letter([ADDRESS]), "\r\nD4\r\n.", "QUIT")
            assert codes == ["250", "250", "354", "250", "221"]
        assert len(box.taken) == 1

    async def test_commands_before_the_handshake_are_dropped(self, terms: SmtpTerms) -> None:
        """Those sent together with STARTTLS are neither answered nor done (CVE-2024-34083)."""
        box = KeptLetters()
        async with serving(handler_of(box), terms) as line:
            person = await greeted(await line())
            evil = "\r\n".join(["EHLO evil", *letter([ADDRESS]), "", "resign", ".", ""])
            person.send(b"STARTTLS\r\n" + evil.encode())
            assert (await person.read_answer())[0][:3] == "220"
            try:
                await self.encrypted(person)
            except (ssl.SSLError, ConnectionError):
                pass  # the bytes were taken for a handshake, which is as good
            else:
                assert await person.codes("MAIL FROM:<a@x.example>") == ["503"]
        assert box.taken == []

    async def test_starttls_resets_the_session(self, terms: SmtpTerms) -> None:
        """Sender and recipients named before are forgotten (RFC 3207, 4.2)."""
        box = KeptLetters()
        async with serving(handler_of(box), terms) as line:
            person = await greeted(await line())
            await person.ask(*letter([ADDRESS])[:2], "STARTTLS")
            await self.encrypted(person)
            assert await person.codes("DATA", "EHLO x", "DATA") == ["503", "250", "503"]
        assert box.taken == []

    async def test_a_failed_handshake_ends_only_its_connection(self, terms: SmtpTerms) -> None:
        """Bug: the log had an error with a traceback, without the peer."""
        with capture_logs() as logs:
            async with serving(handler_of(KeptLetters()), terms) as line:
                for words in (b"NOOP\r\n" * 10, b""):
                    person = await greeted(await line())
                    await person.ask("STARTTLS")
                    person.send(words)
                    person.writer.write_eof()
                    await person.rest()
                assert (await (await line()).read_answer())[0][:3] == "220"
        assert all(entry.pop("detail") for entry in logs)
        once = {"event": "smtp.handshake-failed", "log_level": "info", "peer": "127.0.0.1"}
        assert logs == [once, once]


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_client_that_hangs_up_before_the_greeting_frees_its_slot(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    """As port scans do, on a daemon that has just restarted."""
    limits = MailLimiter([], connections=9, per_source=9, letters=9, clock=lambda: 0.0)
    handler = handler_of(KeptLetters(), guard=limits)
    listener = SmtpListener(handler, SmtpTerms(100_000, 300))

    async def run() -> None:
        (opened,) = await listen(("127.0.0.1", 0), failure="Nobody can write")
        for _ in range(5):
            socket.create_connection(opened.getsockname()).close()
        listener.open_on(opened)
        last = Line(*await asyncio.open_connection(*opened.getsockname()))
        assert (await last.read_answer())[0][:3] == "220", "those before it were let in"
        await come(lambda: limits.total <= 1)
        last.writer.close()
        await listener.close(5)

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(run())
