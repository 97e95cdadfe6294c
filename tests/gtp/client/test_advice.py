"""Advice if the daemon cannot be reached; certificates of its own."""

import asyncio
import socket
import ssl
import sys
from pathlib import Path

import pytest

from gtp.client.connect import NotAdmitted, Tcp, advice
from tests.gtp.test_client_file import answered, started
from tests.gtp.test_server import served_strangers
from tests.support.certificate import make_certificate

pytestmark = pytest.mark.peer("openssl")


def context_of(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


async def answer(where: str, *words: str) -> str:
    """The answers that a Go program gets from a client with these options."""
    command = (sys.executable, "-m", "gtp.client.program", "--connect", where)
    process = await started(*command, "--key", "white-key", *words)
    out, _ = await answered(process, b"name\nquit\n")
    return out.decode()


async def test_tls_to_a_port_without_it_suggests_no_tls(tmp_path: Path) -> None:
    """The client cannot know whether that is intended."""
    async with served_strangers(tmp_path) as (_, where):
        assert "does not use TLS; if that is intended, add --no-tls" in await answer(where, "--tls")


async def test_a_self_signed_certificate_is_accepted_if_named(tmp_path: Path) -> None:
    """Without --tls or --ca the answer says which option is missing."""
    certificate, key = make_certificate(tmp_path)
    async with served_strangers(tmp_path, context_of(certificate, key)) as (_, where):
        assert "add --tls" in await answer(where)
        refused = await answer(where, "--tls")
        assert "self-signed" in refused
        assert "add --ca FILE" in refused
        assert await answer(where, "--tls", "--ca", str(certificate)) == "= godaemon\n\n= \n\n"


async def test_a_certificate_for_another_name_is_refused(tmp_path: Path) -> None:
    """The address may be wrong, or the server a stranger."""
    certificate, key = make_certificate(tmp_path, names="DNS:go.example")
    async with served_strangers(tmp_path, context_of(certificate, key)) as (_, where):
        assert "is for another name" in await answer(where, "--tls", "--ca", str(certificate))


@pytest.mark.parametrize("greeting", [b"220 mail.example ESMTP\r\n", b"HTTP/1.0 400 What?\r\n\r\n"])
async def test_another_server_is_recognised_at_once(greeting: bytes) -> None:
    """The client does not wait for a greeting."""

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        await writer.drain()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    where = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    said = "? that program is not a godaemon; check the address after --connect\n\n"
    assert await answer(where) == f"{said}= \n\n"  # to quit, which never fails
    server.close()


UNKNOWN_HOST = (
    "no computer called go.example was found: check the address after --connect,"
    " and whether your network is up"
)
UNREACHABLE = (
    "go.example:7000 cannot be reached: it is not running, or your network is down"
    " ({}). Try again later, or answer by email"
)


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (socket.gaierror(-2, "Name or service not known"), UNKNOWN_HOST),
        (NotAdmitted("try again later: too many"), "try again later: too many"),
        (ConnectionRefusedError(111, "It refused"), UNREACHABLE.format("It refused")),
        (TimeoutError("timed out"), UNREACHABLE.format("timed out")),
    ],
)
def test_a_failed_connection_is_explained(fault: Exception, text: str) -> None:
    """The advice says what to do; a daemon's own refusal passes unchanged."""
    assert advice(fault, Tcp("go.example", 7000, tls=True)) == text
    assert "network" not in advice(FileNotFoundError(2, "No such file"), "/run/gtp.sock")
