"""Delivery to a real mail server on loopback, which accepts or refuses."""

import ssl
from pathlib import Path
from typing import Literal

import pytest

from godaemon.errors import Temporary
from mailgate.delivery.smarthost import SmarthostDelivery
from tests.support.certificate import in_one_file, make_certificate
from tests.support.next_hop import NextHop, trusting_context
from tests.support.waiting import PATIENCE

BOB = "bob@players.example"
RAW = b"Subject: Go game 1\r\n\r\nYour move.\r\n.hidden\r\n"


Security = Literal["none", "tls", "starttls"]


def delivery(hop: NextHop, security: Security = "none") -> SmarthostDelivery:
    """To that server, without a login."""
    return SmarthostDelivery("127.0.0.1", hop.port, security=security, timeout=PATIENCE)


async def test_an_unreachable_server_is_explained() -> None:
    """In the queue, the operator reads a sentence, not a class name."""
    async with NextHop() as hop:
        way = delivery(hop)
    with pytest.raises(Temporary) as caught:
        await way.deliver(BOB, "", RAW, "u1")
    assert caught.value.detail.startswith("Error connecting to ")


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
    async with NextHop() as hop:
        with pytest.raises(Temporary):
            await delivery(hop, "starttls").deliver(BOB, "", RAW, "u1")
    assert hop.taken == []


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
