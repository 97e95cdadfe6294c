"""A mail server that answers late, oddly, or not at all: what becomes of the letter."""

from __future__ import annotations

import asyncio

import pytest

from godaemon.errors import GodaemonError, PutOff, Temporary, Undeliverable
from mailgate.delivery.smarthost import SmarthostDelivery
from tests.support.odd_smtp import OddSmtp

ALICE, BOB = "alice@players.example", "bob@players.example"
RAW = b"Subject: Go game 1\r\n\r\nYour move.\r\n.hidden\r\n"


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


async def test_one_connection_takes_several_letters() -> None:
    """Each letter is there byte for byte, with dots and line ends as they were."""
    async with OddSmtp() as server:
        way = way_to(server)
        assert [await tried(way), await tried(way, ALICE)] == [None, None]
        await way.close()
    assert server.letters == [(BOB, RAW), (ALICE, RAW)]
    assert server.sessions == 1
    mail = ["MAIL FROM:<go@go.example>", f"RCPT TO:<{BOB}>", "DATA", "."]
    assert server.heard[1:5] == mail


@pytest.mark.parametrize(
    ("answer", "kind", "status"),
    [
        ("550 5.1.1 nobody", Undeliverable, "5.1.1"),
        ("450 4.2.1 later", PutOff, "4.2.1"),
        ("451 4.7.1 greylisted, try again in five minutes", Temporary, None),
        ("550-5.1.1 not\r\n550 5.1.1 here", Undeliverable, "5.1.1"),
    ],
)
async def test_a_recipient_is_refused_and_the_next_letter_goes_on(
    answer: str, kind: type, status: str | None
) -> None:
    """Nothing is delivered, and the connection is good."""
    async with OddSmtp({"RCPT": [answer, ""]}) as server:
        way = way_to(server)
        fault = await tried(way)
        assert type(fault) is kind
        assert getattr(fault, "status", None) == status
        assert await tried(way, ALICE) is None
        await way.close()
    assert server.letters == [(ALICE, RAW)]
    assert server.sessions == 1


async def test_our_sender_is_refused() -> None:
    """That is the operator's trouble: the letter waits."""
    script: dict[str, str | list[str]] = {
        "MAIL": "550 5.7.1 not you",
        "RCPT": "503 5.5.1 first MAIL",
        "DATA": "503 5.5.1 first RCPT",
    }
    async with OddSmtp(script) as server:
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


@pytest.mark.parametrize("verb", ["MAIL", "RCPT", "DATA", "."])
@pytest.mark.parametrize("how", ["421 4.3.2 going down|cut", "421 4.3.2 too busy", "cut"])
async def test_a_session_that_ends_in_the_middle(verb: str, how: str) -> None:
    """The letter waits, and the next one goes out on a new connection."""
    async with OddSmtp({verb: [how, ""]}) as server:
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


@pytest.mark.parametrize("how", ["421 4.4.2 idle too long|cut", "cut"])
async def test_a_kept_connection_that_has_ended_costs_no_try(how: str) -> None:
    """A server may say so only when it is spoken to: the letter goes out all the same, once."""
    async with OddSmtp({"MAIL": ["", how, ""]}) as server:
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
    assert len(server.letters) == 2


async def test_a_cut_after_the_last_dot_is_not_tried_again_at_once() -> None:
    """The server may have the letter: whether it goes out again is for the outbox to say."""
    async with OddSmtp({".": ["", "cut"]}) as server:
        way = way_to(server)
        assert await tried(way) is None
        assert isinstance(await tried(way), Temporary)
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


@pytest.mark.parametrize("verb", ["GREETING", "EHLO", "MAIL", "RCPT"])
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
    """One that knows no EHLO is greeted by HELO."""
    async with OddSmtp({"EHLO": "500 what?"}) as server:
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
