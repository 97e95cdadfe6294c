"""Advice if the daemon cannot be reached; certificates of its own."""

import asyncio
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gtp.client.connect import NotNow, Tcp, Unix, advice
from gtp.server.connection import Peer
from tests.gtp.server.test_connection import Daemon
from tests.support import places
from tests.support.certificate import make_certificate

pytestmark = pytest.mark.peer("openssl")
HERE = Tcp("go.example", 7000, tls=True)


@asynccontextmanager
async def door(folder: Path, certificate: tuple[Path, Path] | None) -> AsyncIterator[str]:
    """Where a daemon is, with TLS where it has a certificate."""
    context = None
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
    one = Daemon(folder / "gtp.sock")
    one.peer = Peer(known=False)
    server = await asyncio.start_server(one.serve, "127.0.0.1", 0, ssl=context)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await one.stop()


async def answer(where: str, *words: str) -> str:
    """What a Go program is answered by the client that these words start."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "gtp.client.program"),
        *("--connect", where, "--key", "white-key", *words),
        cwd=places.ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    out, _ = await asyncio.wait_for(process.communicate(b"name\nquit\n"), 20)
    return out.decode()


async def test_a_port_with_tls_and_none_here(tmp_path: Path) -> None:
    """The advice is to add `--tls`."""
    async with door(tmp_path, make_certificate(tmp_path)) as where:
        assert "add --tls" in await answer(where)


async def test_tls_here_and_a_port_without(tmp_path: Path) -> None:
    """Nothing of the kind is there: it may be meant so."""
    async with door(tmp_path, None) as where:
        assert "does not use TLS; if that is intended, add --no-tls" in await answer(where, "--tls")


async def test_a_certificate_signed_by_itself(tmp_path: Path) -> None:
    """Is good once it is named, and the seat is taken."""
    certificate, key = make_certificate(tmp_path)
    async with door(tmp_path, (certificate, key)) as where:
        refused = await answer(where, "--tls")
        assert "self-signed" in refused
        assert "add --ca FILE" in refused
        assert await answer(where, "--tls", "--ca", str(certificate)) == "= godaemon\n\n= \n\n"


async def test_a_certificate_of_somebody_else(tmp_path: Path) -> None:
    """Its name is another's: one that was written wrong, or a stranger."""
    certificate, key = make_certificate(tmp_path, names="DNS:go.example")
    async with door(tmp_path, (certificate, key)) as where:
        assert "is for another name" in await answer(where, "--tls", "--ca", str(certificate))


@pytest.mark.parametrize("greeting", [b"220 mail.example ESMTP\r\n", b"HTTP/1.0 400 What?\r\n\r\n"])
async def test_a_port_of_something_else(greeting: bytes) -> None:
    """It is said at once that this is no godaemon, not after a wait, and never nothing."""

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        await writer.drain()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    where = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    said = "? the program there is not a godaemon; check the address after --connect\n\n"
    assert await answer(where) == f"{said}= \n\n"  # to quit, which never fails
    server.close()


def test_a_name_that_nobody_knows() -> None:
    """A wrong host name is not reported as a stopped daemon."""
    fault = socket.gaierror(-2, "Name or service not known")
    assert advice(fault, HERE) == (
        "no computer called go.example was found: check the address after --connect,"
        " and whether your network is up"
    )


def test_the_words_of_a_daemon_pass_as_they_are() -> None:
    """A refusal for now says itself when to come again."""
    assert advice(NotNow("try again later: too many"), HERE) == "try again later: too many"


def test_nobody_there() -> None:
    """No number of an error, but what to do."""
    assert advice(ConnectionRefusedError(111, "Connection refused"), HERE) == (
        "go.example:7000 cannot be reached: it is not running, or your network is down"
        " (Connection refused). Try again later, or answer by email"
    )
    assert "is down (timed out)." in advice(TimeoutError("timed out"), HERE)
    assert "network" not in advice(FileNotFoundError(2, "No such file"), Unix("/run/gtp.sock"))
