"""The name by which we greet mail servers, and the computer's own, which nobody is told."""

from __future__ import annotations

import asyncio
import smtplib
import socket
from importlib.metadata import version
from pathlib import Path

import pytest

from godaemon.config.loading import parse
from godaemon.config.settings import Settings
from godaemon.daemon.mail import MailListeners, delivery
from tests.support.odd_smtp import OddSmtp
from tests.support.raw_smtp import KeptLetters

SAID = [("", "go.example"), ('hostname = "mx.go.example"\n', "mx.go.example")]


def settings(folder: Path, mail: str, more: str = "") -> Settings:
    """A configuration."""
    text = f'state_directory = "{folder}"\n[mail]\naddress = "go@go.example"\n{mail}{more}'
    return parse(text, "test", {"HOME": str(folder)})


@pytest.mark.parametrize(("option", "name"), SAID)
async def test_whoever_comes_in(tmp_path: Path, option: str, name: str) -> None:
    """The greeting and the answer to EHLO have our name, and no program, version or computer."""
    found = settings(tmp_path, option, '[mail.smtp]\nlisten = "127.0.0.1:0"\n')
    door = MailListeners(found, {}, KeptLetters())
    await door.open()
    try:
        said = await asyncio.to_thread(_all_said, int(str(door.smtp).rpartition(":")[2]))
    finally:
        await door.close(1)
    assert said[0] == f"220 {name} ESMTP"
    assert said[1].splitlines()[0] == name
    words = " ".join(said).lower()
    for told in (
        "godaemon",
        "python",
        "aiosmtpd",
        version("godaemon"),
        socket.gethostname().lower(),
    ):
        assert told not in words


def _all_said(port: int) -> list[str]:
    """What a client is told from the greeting to QUIT."""
    with smtplib.SMTP(timeout=20) as client:
        first = "{} {}".format(*_plain(client.connect("127.0.0.1", port)))
        verbs = (client.ehlo("x"), client.docmd("HELP"), client.docmd("VRFY", "a"))
        return [first, *(_plain(answer)[1] for answer in (*verbs, client.docmd("QUIT")))]


def _plain(answer: tuple[int, bytes]) -> tuple[int, str]:
    return answer[0], answer[1].decode()


@pytest.mark.parametrize(("option", "name"), SAID)
@pytest.mark.parametrize("way", ["smarthost", "lmtp"])
async def test_where_letters_go(tmp_path: Path, option: str, name: str, way: str) -> None:
    """So does our EHLO, or LHLO."""
    script: dict[str, str | list[str]] = {"LHLO": "250 odd"} if way == "lmtp" else {}
    async with OddSmtp(script) as server:
        to = {"smarthost": f"smtp://127.0.0.1:{server.port}", "lmtp": f"127.0.0.1:{server.port}"}
        out = settings(tmp_path, option, f'[mail.outgoing]\n{way} = "{to[way]}"\n')
        deliver = delivery(out.mail, {})
        await deliver.deliver("bob@players.example", "", b"Subject: x\r\n\r\nD4\r\n", "u1")
        await deliver.close()
    assert server.heard[0].split()[1] == name
