"""Letters over one connection, as the servers of the world answer: right, late, twice, or oddly."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import GodaemonError, PutOff, Temporary, Undeliverable
from mailgate.delivery.smarthost import SmarthostDelivery
from mailgate.delivery.smtp_client import _as_data
from tests.support.odd_smtp import OddSmtp

ALICE, BOB = "alice@players.example", "bob@players.example"
RAW = b"Subject: Go game 1\r\n\r\nYour move.\r\n.hidden\r\n"
PIPELINED = pytest.mark.parametrize("pipelining", [True, False])


def way_to(server: OddSmtp, timeout: float = 5) -> SmarthostDelivery:
    """With one connection at a time, so that each is used again."""
    return SmarthostDelivery("127.0.0.1", server.port, timeout=timeout, connections=1)


async def tried(way: SmarthostDelivery, to: str = BOB) -> GodaemonError | None:
    """What comes of one letter."""
    try:
        async with asyncio.timeout(40):
            await way.deliver(to, "go@go.example", RAW, "u1")
    except GodaemonError as fault:
        return fault
    return None


@PIPELINED
async def test_three_commands_in_one_packet_where_that_is_offered(pipelining: bool) -> None:
    """The server answers when it has all three; where it offers nothing it is waited for."""
    async with OddSmtp(pipelining=pipelining) as server:
        way = way_to(server)
        assert [await tried(way), await tried(way, ALICE)] == [None, None]
        await way.close()
    assert server.letters == [(BOB, RAW), (ALICE, RAW)]
    assert (server.sessions, server.impatient) == (1, False)
    mail = ["MAIL FROM:<go@go.example>", f"RCPT TO:<{BOB}>", "DATA", "."]
    assert server.heard[1:5] == mail


@PIPELINED
@pytest.mark.parametrize(
    ("answer", "kind", "status"),
    [
        ("550 5.1.1 nobody", Undeliverable, "5.1.1"),
        ("450 4.2.1 later", PutOff, "4.2.1"),
        ("451 4.7.1 greylisted, try again in five minutes", Temporary, None),
        ("550-5.1.1 not\r\n550 5.1.1 here", Undeliverable, "5.1.1"),
    ],
)
@pytest.mark.parametrize("after", ["354 go on", "503 5.5.1 no recipients", "554 no valid ones"])
async def test_a_recipient_is_refused_and_the_next_letter_goes_on(
    pipelining: bool, answer: str, kind: type, status: str | None, after: str
) -> None:
    """Whatever the server makes of DATA then: nothing is delivered, and the connection is good."""
    script: dict[str, str | list[str]] = {
        "RCPT": [answer, ""],
        "DATA": [after, ""] if pipelining else [""],
        ".": ["554 no recipients", ""] if pipelining and after.startswith("354") else [""],
    }
    async with OddSmtp(script, pipelining=pipelining) as server:
        way = way_to(server)
        fault = await tried(way)
        assert type(fault) is kind
        assert getattr(fault, "status", None) == status
        assert await tried(way, ALICE) is None
        await way.close()
    assert server.letters == [(ALICE, RAW)]
    assert server.sessions == 1


@PIPELINED
async def test_our_sender_is_refused(pipelining: bool) -> None:
    """That is the operator's trouble: the letter waits."""
    script: dict[str, str | list[str]] = {
        "MAIL": "550 5.7.1 not you",
        "RCPT": "503 5.5.1 first MAIL",
        "DATA": "503 5.5.1 first RCPT",
    }
    async with OddSmtp(script, pipelining=pipelining) as server:
        way = way_to(server)
        fault = await tried(way)
        await way.close()
    assert isinstance(fault, Temporary)
    assert fault.detail == "550 5.7.1 not you"


async def test_a_letter_that_is_too_long_is_told_by_its_size() -> None:
    """Where the server wants to know the size (RFC 1870), it refuses the letter by MAIL."""
    script: dict[str, str | list[str]] = {
        "MAIL": "552 5.3.4 too big",
        "RCPT": "503 no",
        "DATA": "503 no",
    }
    async with OddSmtp(script) as server:
        server.options.append("SIZE 10")
        way = way_to(server)
        fault = await tried(way)
        await way.close()
    assert isinstance(fault, Undeliverable)
    assert fault.status == "5.3.4"
    assert server.heard[1] == f"MAIL FROM:<go@go.example> SIZE={len(RAW)}"


@PIPELINED
@pytest.mark.parametrize("verb", ["MAIL", "RCPT", "DATA", "."])
@pytest.mark.parametrize("how", ["421 4.3.2 going down|cut", "421 4.3.2 too busy", "cut"])
async def test_a_session_that_ends_in_the_middle(pipelining: bool, verb: str, how: str) -> None:
    """The letter waits, and the next one goes out on a new connection."""
    async with OddSmtp({verb: [how, ""]}, pipelining=pipelining) as server:
        way = way_to(server)
        fault = await tried(way)
        assert isinstance(fault, Temporary)
        assert "421" not in how or "421 4.3.2" in fault.detail
        taken = len(server.letters)
        assert await tried(way) is None
        await way.close()
    assert server.sessions == 2
    # Cut after the last dot, a letter may be there twice: byte for byte the same one.
    assert (taken, server.letters[taken:]) == (1 if verb == "." else 0, [(BOB, RAW)])


@PIPELINED
@pytest.mark.parametrize("how", ["421 4.4.2 idle too long|cut", "cut"])
async def test_a_kept_connection_that_has_ended_costs_no_try(pipelining: bool, how: str) -> None:
    """A server may say so only when it is spoken to: the letter goes out all the same, once."""
    async with OddSmtp({"MAIL": ["", how, ""]}, pipelining=pipelining) as server:
        way = way_to(server)
        assert [await tried(way), await tried(way, ALICE)] == [None, None]
        await way.close()
    assert server.letters == [(BOB, RAW), (ALICE, RAW)]
    assert server.sessions == 2


async def test_goodbye_said_unasked_is_not_taken_for_an_answer() -> None:
    """What comes while nobody asks belongs to no letter."""
    async with OddSmtp() as server:
        way = way_to(server)
        assert await tried(way) is None
        server.speak("250 2.0.0 lies")
        await asyncio.sleep(0.01)
        assert await tried(way, ALICE) is None
        await way.close()
    assert (len(server.letters), server.sessions) == (2, 2)


async def test_a_cut_after_the_last_dot_is_not_tried_again_at_once() -> None:
    """The server may have the letter: whether it goes out again is for the outbox to say."""
    async with OddSmtp({".": ["", "cut"]}) as server:
        way = way_to(server)
        assert await tried(way) is None
        assert isinstance(await tried(way), Temporary)
        await way.close()
    assert len(server.letters) == 2


async def test_what_was_said_of_the_recipient_stands_when_the_line_is_cut() -> None:
    """The refusal came before the cut: it is the recipient's, and no reason to try again."""
    async with OddSmtp({"RCPT": "550 5.1.1 nobody", "DATA": "cut"}) as server:
        way = way_to(server)
        fault = await tried(way)
        await way.close()
    assert isinstance(fault, Undeliverable)
    assert fault.status == "5.1.1"


GARBAGE = [
    "hello",
    "25",
    "999 what",
    "\xff\x00\x80",
    "HTTP/1.1 400 Bad Request\r\n\r\n",
    "250 " + "x" * 10_000,
    "\r\n".join(["250-more"] * 200),
]


@pytest.mark.parametrize("verb", ["MAIL", "DATA", "."])
@pytest.mark.parametrize("garbage", GARBAGE)
async def test_answers_that_make_no_sense(verb: str, garbage: str) -> None:
    """The connection is given up, and the letter waits."""
    async with OddSmtp({verb: [garbage, ""]}) as server:
        way = way_to(server)
        fault = await tried(way)
        assert isinstance(fault, Temporary)
        assert fault.detail.startswith("The mail server's answer ")
        assert await tried(way) is None
        await way.close()
    assert server.sessions == 2


@pytest.mark.parametrize("verb", ["GREETING", "EHLO", "MAIL", "RCPT", "DATA"])
async def test_a_server_that_falls_silent(verb: str) -> None:
    """Each answer has its limit."""
    async with OddSmtp({verb: "hang"}) as server:
        way = way_to(server, timeout=0.05)
        assert isinstance(await tried(way), Temporary)
        await way.close()


@pytest.mark.parametrize("greeting", ["554 5.7.1 go away", "421 4.7.0 too many connections"])
async def test_turned_away_at_the_door(greeting: str) -> None:
    """Not for good, whatever the server says: it is we who are meant, and not the letter."""
    async with OddSmtp({"GREETING": greeting}) as server:
        way = way_to(server)
        fault = await tried(way)
        await way.close()
    assert isinstance(fault, Temporary)
    assert fault.detail == greeting


async def test_a_server_of_the_old_kind() -> None:
    """One that knows no EHLO is greeted by HELO, and sent one command at a time."""
    async with OddSmtp({"EHLO": "500 what?"}, pipelining=False) as server:
        way = way_to(server)
        assert await tried(way) is None
        await way.close()
    assert server.letters == [(BOB, RAW)]


async def test_an_address_that_the_server_cannot_write_to_leaves_the_connection_good() -> None:
    """Without SMTPUTF8 nobody outside ASCII can be reached; that is told, and the others are."""
    async with OddSmtp() as server:
        way = way_to(server)
        fault = await tried(way, "bøb@players.example")
        assert isinstance(fault, Undeliverable)
        assert fault.status == "5.6.7"
        assert await tried(way) is None
        await way.close()
    assert server.sessions == 1


async def test_a_password_is_asked_for_at_each_login() -> None:
    """A wrong one can be put right while the daemon runs."""
    asked: list[str] = []

    def password() -> str:
        asked.append("secret")
        return asked[-1]

    async with OddSmtp({"AUTH": "235 2.7.0 in", ".": ["421 4.3.2 restarting|cut", ""]}) as server:
        server.options.append("AUTH PLAIN")
        way = SmarthostDelivery(
            "127.0.0.1", server.port, user="go", password=password, timeout=5, connections=1
        )
        assert isinstance(await tried(way), Temporary)
        assert await tried(way) is None
        await way.close()
    assert len(asked) == 2


async def test_a_connection_without_work_is_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a farewell; servers count open connections."""
    monkeypatch.setattr("mailgate.delivery.smarthost.IDLE", 0.01)
    async with OddSmtp() as server:
        way = way_to(server)
        assert await tried(way) is None
        async with asyncio.timeout(40):
            while server.heard[-1] != "QUIT":  # noqa: ASYNC110 - the server's
                await asyncio.sleep(0.005)
        await way.close()


@given(st.lists(st.sampled_from([b".", b"..", b"\r", b"\n", b"\r\n", b"x", b"\r\n.\r\n"])))
def test_no_letter_ends_before_its_end(pieces: list[bytes]) -> None:
    """However dots and line ends stand in it (no smuggling), and nothing of it is lost."""
    raw = b"".join(pieces)
    data = _as_data(raw)
    assert data.endswith(b"\r\n.\r\n") or data == b".\r\n" or not raw
    *lines, end = data.removesuffix(b"\r\n").split(b"\r\n")
    assert end == b"."
    assert not any(b"\r" in line or b"\n" in line or line == b"." for line in lines)
    again = b"\r\n".join(line.removeprefix(b".") for line in lines)
    plain = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n")
    assert again == plain.replace(b"\n", b"\r\n")
