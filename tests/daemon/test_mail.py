"""Mail in and out as configured: certificate renewal, LMTP, limits, host name."""

import asyncio
import grp
import os
import smtplib
import socket
import ssl
from importlib.metadata import version
from pathlib import Path

import pytest

from godaemon.config.loading import parse
from godaemon.config.settings import Settings
from godaemon.daemon.core import Startup
from godaemon.daemon.mail import MailListeners, delivery
from godaemon.errors import ConfigError
from godaemon.system.clock import Clock
from tests.support.certificate import make_certificate
from tests.support.odd_smtp import OddSmtp
from tests.support.raw_smtp import KeptLetters, Line, greeted, letter
from tests.support.waiting import PATIENCE

BODY = b"Subject: x\r\n\r\nD4\r\n.\r\n"


def listeners(folder: Path, box: KeptLetters, mail: str) -> MailListeners:
    """The listeners that some sections of a configuration describe."""
    text = f'state_directory = "{folder}"\n{mail}'
    settings = parse(text, "test", {"HOME": str(folder)})
    return listening(settings, box)


def listening(settings: Settings, box: KeptLetters) -> MailListeners:
    """The listeners of a daemon with these settings."""
    startup = Startup(settings, lambda: settings, {}, Clock())
    return MailListeners(startup, box, lambda: (settings.mail.address,))


def certificate_name(port: int) -> str:
    """The name in the certificate that a client gets."""
    with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        client.starttls(context=context)
        assert isinstance(client.sock, ssl.SSLSocket)
        der = client.sock.getpeercert(binary_form=True)
        assert der is not None
        return "first" if b"first" in der else "second" if b"second" in der else "?"


@pytest.mark.peer("openssl")
async def test_a_renewed_certificate_is_used_at_once(tmp_path: Path) -> None:
    """By the next session; one that is damaged, or has a wrong or no key, changes nothing."""
    certificate, key = make_certificate(tmp_path, "first")
    section = (
        '[mail.smtp]\nlisten = "127.0.0.1:0"\n'
        f'tls_certificate = {{ file = "{certificate}" }}\ntls_key = {{ file = "{key}" }}\n'
    )
    both = listeners(tmp_path / "state", KeptLetters(), section)
    await both.open()
    port = int(str(both.smtp).rpartition(":")[2])
    try:
        assert await asyncio.to_thread(certificate_name, port) == "first"
        fresh, fresh_key = make_certificate(tmp_path, "second")
        os.replace(fresh_key, key)  # noqa: PTH105 - as certbot's hooks do
        assert await asyncio.to_thread(certificate_name, port) == "first"
        os.replace(fresh, certificate)  # noqa: PTH105 - the same
        assert await asyncio.to_thread(certificate_name, port) == "second"
        assert both.certificate is not None
        good = certificate.read_bytes()
        for spoil in (
            lambda: certificate.write_text("-----BEGIN CERTIFICATE-----\n"),
            lambda: key.write_bytes(good),
            key.unlink,
        ):
            spoil()
            for _ in range(2):  # a handshake in between has seen the files as they are
                with pytest.raises(ConfigError, match=str(certificate)):
                    both.certificate.renew()
                assert await asyncio.to_thread(certificate_name, port) == "second"
            certificate.write_bytes(good)
    finally:
        await both.close(5)


@pytest.mark.parametrize("kind", ["unix", "tcp"])
async def test_lmtp_and_smtp_accept_letters(tmp_path: Path, kind: str) -> None:
    """Those to the postmaster are kept in the state folder."""
    path = tmp_path / "lmtp.sock"
    listen = f"unix:{path}" if kind == "unix" else "127.0.0.1:0"
    box = KeptLetters()
    section = f'[mail.smtp]\nlisten = "127.0.0.1:0"\n[mail.lmtp]\nlisten = "{listen}"\n'
    both = listeners(tmp_path / "state", box, section)
    await both.open()
    assert both.smtp
    assert both.lmtp
    try:
        for place, hello in ((both.smtp, "EHLO x"), (both.lmtp, "LHLO x")):
            host, _, port = place.rpartition(":")
            opening = (
                asyncio.open_unix_connection(path)
                if host == "unix"
                else asyncio.open_connection(host, int(port))
            )
            person = await greeted(Line(*await opening), hello)
            await person.ask(*letter(["go@localhost", "postmaster"]))
            person.send(hello.encode() + b"\r\n" + BODY)
            assert (await person.read_answer())[0][:3] == "250"
            person.writer.close()
    finally:
        await both.close(5)
    assert [inbound.recipient for inbound in box.taken] == ["go@localhost"] * 2
    assert len(list((tmp_path / "state" / "postmaster" / "new").iterdir())) == 2


async def test_the_lmtp_socket_is_open_to_the_configured_group(tmp_path: Path) -> None:
    """That of the mail server; nobody else can connect."""
    path, group = tmp_path / "lmtp.sock", grp.getgrgid(os.getgid()).gr_name
    section = f'[mail.smtp]\nlisten = ""\n[mail.lmtp]\nlisten = "unix:{path}"\n'
    both = listeners(tmp_path / "state", KeptLetters(), f'{section}group = "{group}"\n')
    await both.open()
    found = path.stat()
    await both.close(5)
    assert (found.st_mode & 0o777, found.st_gid) == (0o660, os.getgid())
    nobody = listeners(tmp_path / "state", KeptLetters(), f'{section}group = "no-such-group"\n')
    with pytest.raises(ConfigError, match="no group no-such-group"):
        await nobody.open()
    await nobody.close(5)


HOST_NAMES = [("", "go.example"), ('hostname = "mx.go.example"\n', "mx.go.example")]


def settings(folder: Path, mail: str, more: str = "") -> Settings:
    text = f'state_directory = "{folder}"\n[mail]\naddress = "go@go.example"\n{mail}{more}'
    return parse(text, "test", {"HOME": str(folder)})


@pytest.mark.parametrize(("option", "name"), HOST_NAMES)
async def test_greetings_have_our_host_name(tmp_path: Path, option: str, name: str) -> None:
    """And no program, version or computer."""
    found = settings(tmp_path, option, '[mail.smtp]\nlisten = "127.0.0.1:0"\n')
    door = listening(found, KeptLetters())
    await door.open()
    try:
        answers = await asyncio.to_thread(_answers, int(str(door.smtp).rpartition(":")[2]))
    finally:
        await door.close(1)
    assert answers[0] == f"220 {name} ESMTP"
    assert answers[1].splitlines()[0] == name
    words = " ".join(answers).lower()
    private = ("godaemon", "python", "aiosmtpd", version("godaemon"), socket.gethostname().lower())
    assert [one for one in private if one in words] == []


def _answers(port: int) -> list[str]:
    """The answers of the server from the greeting to QUIT."""
    with smtplib.SMTP(timeout=PATIENCE) as client:
        first = "{} {}".format(*_plain(client.connect("127.0.0.1", port)))
        verbs = (client.ehlo("x"), client.docmd("HELP"), client.docmd("VRFY", "a"))
        return [first, *(_plain(answer)[1] for answer in (*verbs, client.docmd("QUIT")))]


def _plain(answer: tuple[int, bytes]) -> tuple[int, str]:
    return answer[0], answer[1].decode()


@pytest.mark.parametrize(("option", "name"), HOST_NAMES)
@pytest.mark.parametrize("way", ["smarthost", "lmtp"])
async def test_our_ehlo_and_lhlo_have_our_host_name(
    tmp_path: Path, option: str, name: str, way: str
) -> None:
    """To a smarthost and by LMTP."""
    script: dict[str, str | list[str]] = {"LHLO": "250 odd"} if way == "lmtp" else {}
    async with OddSmtp(script) as server:
        to = {"smarthost": f"smtp://127.0.0.1:{server.port}", "lmtp": f"127.0.0.1:{server.port}"}
        out = settings(tmp_path, option, f'[mail.outgoing]\n{way} = "{to[way]}"\n')
        deliver = delivery(out.mail, {})
        await deliver.deliver("bob@players.example", "", b"Subject: x\r\n\r\nD4\r\n", "u1")
        await deliver.close()
    assert server.commands[0].split()[1] == name
