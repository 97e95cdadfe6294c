"""Delivery to a real mail server on loopback, which accepts or refuses."""

import ssl
from pathlib import Path
from typing import Literal

import pytest

from godaemon.errors import Temporary
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


async def test_a_server_that_is_down_is_reported_in_words() -> None:
    """The administrator reads why in the queue, not the name of a class of a library."""
    async with NextHop() as hop:
        way = delivery(hop)
    with pytest.raises(Temporary) as caught:
        await way.deliver(BOB, "", RAW, "u1")
    assert caught.value.detail.startswith("Error connecting to ")


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
    """A valid certificate of another server is refused."""
    made = in_one_file(*make_certificate(tmp_path, "other", "DNS:mx.else.example"))
    trust = ssl.create_default_context(cafile=made)
    async with NextHop(security=security, certificate=made) as hop:
        way = SmarthostDelivery("localhost", hop.port, security=security, timeout=5, trust=trust)
        with pytest.raises(Temporary, match="did not take") as caught:
            await way.deliver(BOB, "", RAW, "u1")
    assert "localhost" in caught.value.detail
    assert hop.taken == []


async def test_no_encryption_no_letter() -> None:
    """If STARTTLS is required and not offered, nothing is sent."""
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
