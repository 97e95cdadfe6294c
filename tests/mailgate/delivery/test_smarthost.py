"""A real mail server on loopback takes our letters, or says why not."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Literal

import pytest

from godaemon.errors import GodaemonError, PutOff, Temporary, Undeliverable
from mailgate.delivery.smarthost import SmarthostDelivery
from tests.support.certificate import in_one_file, make_certificate
from tests.support.next_hop import NextHop, trusting

BOB = "bob@players.example"
RAW = b"Subject: Go game 1\r\n\r\nYour move.\r\n.hidden\r\n"


Security = Literal["none", "tls", "starttls"]


def delivery(hop: NextHop, security: Security = "none") -> SmarthostDelivery:
    """To that server, without a login."""
    return SmarthostDelivery("127.0.0.1", hop.port, security=security, timeout=5)


async def test_hands_letters_over_on_one_connection() -> None:
    """The letter arrives byte for byte, with its envelope, and the connection is kept."""
    async with NextHop() as hop:
        way = delivery(hop)
        await way.deliver(BOB, "go@go.example", RAW, "u1")
        await way.deliver(BOB, "", RAW, "u2")
        await way.close()
    assert hop.taken == [("go@go.example", BOB, RAW), ("", BOB, RAW)]
    assert hop.sessions == 1


async def test_an_idle_connection_may_have_gone() -> None:
    """A server that hung up meanwhile is called again, without an error."""
    async with NextHop() as hop:
        way = delivery(hop)
        await way.deliver(BOB, "", RAW, "u1")
        hop.hang_up()
        await way.deliver(BOB, "", RAW, "u2")
        await way.close()
    assert len(hop.taken) == 2
    assert hop.sessions == 2


async def test_a_server_that_is_down_is_told_in_words() -> None:
    """The administrator reads why in the queue, not the name of a class of a library."""
    async with NextHop() as hop:
        way = delivery(hop)
    with pytest.raises(Temporary) as caught:
        await way.deliver(BOB, "", RAW, "u1")
    assert caught.value.detail.startswith("Error connecting to ")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("450 4.2.1 the box is full", PutOff),
        ("421 4.3.2 going down", Temporary),
        ("550 5.1.1 no such user", Undeliverable),
        ("552 5.2.2 over quota", Undeliverable),
        ("554 5.7.1 <bob>: Relay access denied", Temporary),
        ("550 5.7.1 Unable to relay", Temporary),
        ("530 5.7.0 Authentication required", Temporary),
        ("550 5.1.1 no relayed mailbox", Undeliverable),
    ],
)
async def test_refused_recipients(answer: str, fault: type[GodaemonError]) -> None:
    """4yz may pass and 5yz will not, but where it is us who may not send: then nobody is to blame.

    The next letter goes out all the same.
    """
    async with NextHop() as hop:
        hop.answers[BOB] = answer
        way = delivery(hop)
        with pytest.raises(fault) as caught:
            await way.deliver(BOB, "", RAW, "u1")
        assert answer[4:9] in caught.value.detail
        await way.deliver("alice@players.example", "", RAW, "u2")
        await way.close()
    assert [recipient for _, recipient, _ in hop.taken] == ["alice@players.example"]


@pytest.mark.parametrize(
    ("answer", "fault"),
    [("451 4.3.0 later", Temporary), ("554 5.7.1 spam", Undeliverable)],
)
async def test_refused_letters(answer: str, fault: type[GodaemonError]) -> None:
    """The same for a letter that was refused after DATA."""
    async with NextHop() as hop:
        hop.after_data = [answer]
        way = delivery(hop)
        with pytest.raises(fault):
            await way.deliver(BOB, "", RAW, "u1")
        await way.deliver(BOB, "", RAW, "u1")
        await way.close()
    assert len(hop.taken) == 1


async def test_nobody_there() -> None:
    """A server that is down is the world's trouble."""
    hop = NextHop()
    await hop.start()
    await hop.stop()
    with pytest.raises(Temporary):
        await delivery(hop).deliver(BOB, "", RAW, "u1")


@pytest.mark.peer("openssl")
@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_encrypted(security: Security) -> None:
    """TLS from the start and after STARTTLS, with a login."""
    async with NextHop(security=security, login=("go", "secret")) as hop:
        way = SmarthostDelivery(
            "localhost",
            hop.port,
            security=security,
            user="go",
            password=lambda: "secret",
            timeout=5,
            trust=trusting(),
        )
        await way.deliver(BOB, "go@go.example", RAW, "u1")
        await way.close()
    assert hop.taken == [("go@go.example", BOB, RAW)]


@pytest.mark.peer("openssl")
async def test_strangers_are_not_believed() -> None:
    """A certificate that nobody signed ends the try, and the letter waits."""
    async with NextHop(security="tls") as hop:
        way = SmarthostDelivery("localhost", hop.port, security="tls", timeout=5)
        with pytest.raises(Temporary):
            await way.deliver(BOB, "", RAW, "u1")
    assert hop.taken == []


@pytest.mark.peer("openssl")
@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_a_certificate_of_another_name_is_not_believed(
    tmp_path: Path, security: Security
) -> None:
    """However good it is: whoever has it need not be the server that was meant."""
    made = in_one_file(*make_certificate(tmp_path, "other", "DNS:mx.else.example"))
    trust = ssl.create_default_context(cafile=made)
    async with NextHop(security=security, certificate=made) as hop:
        way = SmarthostDelivery("localhost", hop.port, security=security, timeout=5, trust=trust)
        with pytest.raises(Temporary, match="did not take") as caught:
            await way.deliver(BOB, "", RAW, "u1")
    assert "localhost" in caught.value.detail
    assert hop.taken == []


async def test_no_encryption_no_letter() -> None:
    """Where STARTTLS is asked for and not offered, nothing is sent in the clear."""
    async with NextHop() as hop:
        with pytest.raises(Temporary):
            await delivery(hop, "starttls").deliver(BOB, "", RAW, "u1")
    assert hop.taken == []


@pytest.mark.peer("openssl")
async def test_a_wrong_password_is_the_operators_trouble() -> None:
    """The letter is not at fault: it waits until the password is mended."""
    async with NextHop(security="starttls", login=("go", "secret")) as hop:
        way = SmarthostDelivery(
            "localhost",
            hop.port,
            security="starttls",
            user="go",
            password=lambda: "x",
            trust=trusting(),
        )
        with pytest.raises(Temporary) as caught:
            await way.deliver(BOB, "", RAW, "u1")
    assert "535" in caught.value.detail
    assert "secret" not in caught.value.detail


async def test_addresses_beyond_ascii() -> None:
    """They go out where the server knows them (RFC 6531), and come back to us where not."""
    for utf8, fault in ((True, None), (False, Undeliverable)):
        async with NextHop(utf8=utf8) as hop:
            way = delivery(hop)
            if fault is None:
                await way.deliver("bøb@players.example", "", RAW, "u1")
            else:
                with pytest.raises(fault):
                    await way.deliver("bøb@players.example", "", RAW, "u1")
            await way.close()
            assert len(hop.taken) == (fault is None)


async def test_no_line_end_gets_into_the_envelope() -> None:
    """An address with a command in it is refused before anything is said."""
    async with NextHop() as hop:
        with pytest.raises(Undeliverable):
            await delivery(hop).deliver("bob@x.example>\r\nRCPT TO:<eve@x.example", "", RAW, "u1")
    assert hop.taken == []


@pytest.mark.parametrize(
    ("rcpt", "data", "status"),
    [
        ("550 5.1.1 no such user", "", "5.1.1"),
        ("550 nobody here", "", "5.0.0"),
        ("", "554 5.7.1 spam", "5.7.1"),
        ("", "554 no", "5.0.0"),
    ],
)
async def test_what_a_refusal_says_of_the_address(rcpt: str, data: str, status: str) -> None:
    """By the enhanced status code where there is one; else its words are all that tells."""
    async with NextHop() as hop:
        if rcpt:
            hop.answers[BOB] = rcpt
        hop.after_data = [data] if data else []
        with pytest.raises(Undeliverable) as caught:
            await delivery(hop).deliver(BOB, "", RAW, "u1")
    assert caught.value.status == status


async def test_an_address_we_cannot_write_counts_against_nobody() -> None:
    """What never reached the recipient's server says nothing of its mailbox."""
    async with NextHop() as hop:
        with pytest.raises(Undeliverable) as caught:
            await delivery(hop).deliver("bob at x.example", "", RAW, "u1")
    assert caught.value.status == ""
