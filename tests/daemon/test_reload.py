"""`godaemon reload`: what its answer says; `tests/cli/test_operating.py` tests its effects."""

import socket
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from godaemon.config.loading import parse
from godaemon.daemon.reload import Reload
from godaemon.system import log_setup
from godaemon.system.passed_sockets import PassedSockets


async def test_an_address_that_systemd_does_not_hold_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bug: only a restart was asked for, which failed."""
    monkeypatch.setattr(log_setup, "configure", Mock())
    with socket.create_server(("127.0.0.1", 0)) as tcp:
        port, text = tcp.getsockname()[1], '[mail.lmtp]\nlisten = "127.0.0.1:{}"\n'
        startup = SimpleNamespace(passed=PassedSockets((tcp,)), environ={})
        core = SimpleNamespace(
            live=parse(text.format(port), "", {}), startup=startup, notify=Mock()
        )
        way_in = SimpleNamespace(certificate=None)
        status: Any = SimpleNamespace(core=core, mail=way_in, gtp=way_in, line="")
        reload = Reload(status, Mock(), Mock())
        startup.reread = lambda: core.live
        assert "install-units" not in (await reload.reload())["sentence"]
        startup.reread = lambda: parse(text.format(9), "", {})
        answer = (await reload.reload())["sentence"]
    assert "need a restart: mail.lmtp.listen\nsystemd listens at" in answer
    assert "install-units --sockets" in answer
