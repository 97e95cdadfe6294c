r"""Mail servers that answer late, oddly or never: the fate of the letter.

In `servers.txt` a line `VERB ANSWER` says how the server answers the next time ("." is the end of a
letter, and no answer the usual one; see `OddSmtp`), and `> TO: RESULT` that a letter is handed
over: it is taken, or refused with an error's name, perhaps its status or its detail. `! lmtp` and
`! offers OPTION` come first; `! letters TO ...` (those that came to their end), `! sessions NUMBER`
and `! heard LINE` say what the server saw.
"""

import asyncio
import ssl
from pathlib import Path
from typing import Literal

import pytest
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from godaemon.errors import GodaemonError, Temporary
from mailgate.delivery.smarthost import SmarthostDelivery
from tests.support.blocks import read_blocks
from tests.support.certificate import in_one_file, make_certificate
from tests.support.next_hop import NextHop, trusting_context
from tests.support.odd_smtp import OddSmtp
from tests.support.waiting import PATIENCE, come

BOB, ALICE = "bob@players.example", "alice@players.example"
RAW = b"Subject: Go game 1\r\n\r\nYour move.\r\n.hidden\r\n"
SCRIPTS = read_blocks(Path(__file__).with_name("servers.txt"))


def way_to(server: OddSmtp, timeout: float = PATIENCE, *, lmtp: bool = False) -> SmarthostDelivery:
    """With one connection at a time, so that each is used again."""
    return SmarthostDelivery("127.0.0.1", server.port, timeout=timeout, connections=1, lmtp=lmtp)


async def deliver(way: SmarthostDelivery, to: str = BOB) -> GodaemonError | None:
    try:
        async with asyncio.timeout(PATIENCE):
            await way.deliver(to, "go@go.example", RAW, "u1")
    except GodaemonError as fault:
        return fault
    return None


class Box:
    """Keeps what a server of aiosmtpd took."""

    def __init__(self) -> None:
        self.taken: list[tuple[str | None, list[str], object]] = []

    async def handle_DATA(  # noqa: N802 - aiosmtpd names it so
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        self.taken.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return "250 2.0.0 OK"


@pytest.mark.parametrize("name", SCRIPTS)
async def test_server_scripts(name: str) -> None:
    """Each line of the script holds."""
    lines = [line.replace("\\r\\n", "\r\n") for line in SCRIPTS[name].split("\n")]
    lmtp = "! lmtp" in lines
    async with OddSmtp({"LHLO": "250 odd"} if lmtp else {}) as server:
        way = way_to(server, lmtp=lmtp)
        for line in lines:
            verb, _, rest = line.partition(" ")
            if verb == ">":
                await hand_over(way, *rest.rsplit(": ", 1))
            elif verb == "!":
                seen(server, *rest.split())
            else:
                answers = server.script.setdefault(verb, [])
                assert isinstance(answers, list)
                answers.append(rest)
        await way.close()


async def hand_over(way: SmarthostDelivery, to: str, result: str) -> None:
    """A letter to somebody, with the expected result."""
    fault = await deliver(way, f"{to}@players.example")
    kind, _, more = result.partition(" ")
    assert type(fault).__name__ == (kind if kind != "taken" else "NoneType"), to
    assert more in {"", getattr(fault, "status", ""), getattr(fault, "detail", "")}


def seen(server: OddSmtp, kind: str, *words: str) -> None:
    """What the server saw of us, or offers."""
    if kind == "offers":
        server.options.append(" ".join(words))
    elif kind == "heard":
        assert " ".join(words) in server.commands
    elif kind == "sessions":
        assert server.sessions == int(*words)
    elif kind == "letters":
        assert server.letters == [(f"{to}@players.example", RAW) for to in words]


@pytest.mark.parametrize("verb", ["MAIL", "RCPT", "DATA", "."])
@pytest.mark.parametrize("how", ["421 4.3.2 going down|cut", "421 4.3.2 too busy", "cut"])
async def test_a_dropped_session_is_retried_on_a_new_connection(verb: str, how: str) -> None:
    """The letter waits, and the next one is sent."""
    async with OddSmtp({verb: [how, ""]}) as server:
        way = way_to(server)
        fault = await deliver(way)
        assert isinstance(fault, Temporary)
        assert "421" not in how or "421 4.3.2" in fault.detail
        taken = len(server.letters)
        assert await deliver(way) is None
        await way.close()
    assert server.sessions == 2
    # Cut after the last dot, a letter may be there twice: byte for byte the same one.
    assert (taken, server.letters[taken:]) == (1 if verb == "." else 0, [(BOB, RAW)])


async def test_an_unsolicited_line_is_no_answer() -> None:
    """It does not count for the next letter."""
    async with OddSmtp() as server:
        way = way_to(server)
        assert await deliver(way) is None
        server.push("250 2.0.0 lies")
        await asyncio.sleep(0.01)
        assert await deliver(way, ALICE) is None
        await way.close()
    assert len(server.letters) == 2


GARBAGE = [
    "hello",
    "25",
    "999 what",
    "\xff\x00\x80",
    "HTTP/1.1 400 Bad Request\r\n\r\n",
    "250 " + "x" * 10_000,
]


@pytest.mark.parametrize("verb", ["MAIL", "DATA", "."])
@pytest.mark.parametrize("garbage", GARBAGE)
async def test_a_nonsensical_answer_drops_the_connection(verb: str, garbage: str) -> None:
    """The letter is retried."""
    async with OddSmtp({verb: [garbage, ""]}) as server:
        way = way_to(server)
        fault = await deliver(way)
        assert isinstance(fault, Temporary)
        assert fault.detail.startswith("The mail server's answer ")
        assert await deliver(way) is None
        await way.close()
    assert server.sessions == 2


@pytest.mark.parametrize("verb", ["GREETING", "EHLO", "MAIL", "RCPT"])
async def test_a_silent_server_times_out(verb: str) -> None:
    """At each command."""
    async with OddSmtp({verb: "hang"}) as server:
        way = way_to(server, timeout=0.05)
        assert isinstance(await deliver(way), Temporary)
        await way.close()


async def test_the_password_is_read_at_each_login() -> None:
    """It can be corrected while the daemon runs."""
    logins: list[str] = []

    def password() -> str:
        logins.append("secret")
        return logins[-1]

    async with OddSmtp({"AUTH": "235 2.7.0 in", ".": ["421 4.3.2 restarting|cut", ""]}) as server:
        server.options.append("AUTH PLAIN")
        way = SmarthostDelivery(
            "127.0.0.1", server.port, user="go", password=password, timeout=PATIENCE, connections=1
        )
        assert isinstance(await deliver(way), Temporary)
        assert await deliver(way) is None
        await way.close()
    assert len(logins) == 2


async def test_an_idle_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With QUIT, as servers count open connections."""
    monkeypatch.setattr("mailgate.delivery.smarthost.IDLE_TIMEOUT", 0.01)
    async with OddSmtp() as server:
        way = way_to(server)
        assert await deliver(way) is None
        await come(lambda: server.commands[-1] == "QUIT")
        await way.close()


async def test_closing_hangs_up_at_once() -> None:
    """It does not wait for the server, and no timer says goodbye again."""
    async with OddSmtp() as server:
        way = way_to(server)
        assert await deliver(way) is None
        ((client, timer),) = way._idle.items()
        await way.close()
        assert not client.is_connected
        assert timer.cancelled()
        assert way._idle == {}


async def test_lmtp_on_a_unix_socket(tmp_path: Path) -> None:
    """The letter arrives unchanged with its envelope; a missing server is a temporary error."""
    box, path = Box(), tmp_path / "lmtp"
    way = SmarthostDelivery(str(path), 0, timeout=PATIENCE, lmtp=True)
    assert isinstance(await deliver(way), Temporary)
    loop = asyncio.get_running_loop()
    server = await loop.create_unix_server(lambda: LMTP(box, hostname="mx"), str(path))
    assert await deliver(way) is None
    await way.close()
    server.close()
    assert box.taken == [("go@go.example", [BOB], RAW)]


Security = Literal["tls", "starttls"]


async def test_an_unreachable_server_is_explained() -> None:
    """In the queue, the operator reads a sentence, not a class name."""
    async with OddSmtp() as server:
        way = way_to(server)
    fault = await deliver(way)
    assert isinstance(fault, Temporary)
    assert fault.detail.startswith("Error connecting to ")


@pytest.mark.peer("openssl")
@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_tls_and_starttls(security: Security) -> None:
    """With a login."""
    async with NextHop(security=security, login=("go", "secret")) as hop:
        way = SmarthostDelivery(
            "localhost",
            hop.port,
            security=security,
            user="go",
            password=lambda: "secret",
            timeout=PATIENCE,
            trust=trusting_context(),
        )
        await way.deliver(BOB, "go@go.example", RAW, "u1")
        await way.close()
    assert hop.taken == [("go@go.example", BOB, RAW)]


@pytest.mark.peer("openssl")
async def test_an_untrusted_certificate_is_refused() -> None:
    """The letter is retried."""
    async with NextHop(security="tls") as hop:
        way = SmarthostDelivery("localhost", hop.port, security="tls", timeout=PATIENCE)
        with pytest.raises(Temporary):
            await way.deliver(BOB, "", RAW, "u1")
    assert hop.taken == []


@pytest.mark.peer("openssl")
@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_a_certificate_of_another_name_is_refused(tmp_path: Path, security: Security) -> None:
    """Even if it is trusted."""
    made = in_one_file(*make_certificate(tmp_path, "other", "DNS:mx.else.example"))
    trust = ssl.create_default_context(cafile=made)
    async with NextHop(security=security, certificate=made) as hop:
        way = SmarthostDelivery(
            "localhost", hop.port, security=security, timeout=PATIENCE, trust=trust
        )
        with pytest.raises(Temporary, match="did not accept") as caught:
            await way.deliver(BOB, "", RAW, "u1")
    assert "localhost" in caught.value.detail
    assert hop.taken == []


async def test_a_server_without_starttls_gets_no_letter() -> None:
    """If it is required."""
    async with OddSmtp() as server:
        way = SmarthostDelivery("127.0.0.1", server.port, security="starttls", timeout=PATIENCE)
        assert isinstance(await deliver(way), Temporary)
        await way.close()
    assert server.letters == []


@pytest.mark.peer("openssl")
async def test_a_wrong_password_is_a_temporary_error() -> None:
    """The letter waits until the operator corrects it."""
    async with NextHop(security="starttls", login=("go", "secret")) as hop:
        way = SmarthostDelivery(
            "localhost",
            hop.port,
            security="starttls",
            user="go",
            password=lambda: "x",
            trust=trusting_context(),
        )
        with pytest.raises(Temporary) as caught:
            await way.deliver(BOB, "", RAW, "u1")
    assert "535" in caught.value.detail
    assert "secret" not in caught.value.detail
