"""The control socket passes requests and errors, and only its owner can open it."""

import asyncio
import contextlib
import json
import os
import pwd
import socket
import stat
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from godaemon import errors
from godaemon.cli import status_of
from godaemon.control.control_client import ask, is_running, sudo_command
from godaemon.control.control_server import ControlServer
from godaemon.errors import ConfigError, GodaemonError, NotPermitted, Temporary, Unknown
from tests.support.waiting import PATIENCE

KINDS = (
    *(errors.Unknown, errors.WrongPhase, errors.NotAllowed, errors.Stale),
    *(errors.Temporary, errors.Busy, errors.ConfigError, errors.Corrupt),
)


class Control:
    """A daemon's control socket, and the command line's side of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fault: BaseException | None = None
        self.server = ControlServer({"echo": self.echo, "fail": self.fail})

    async def echo(self, **words: Any) -> Any:  # noqa: ANN401 - JSON
        return words

    async def fail(self) -> None:
        """Raise the configured exception."""
        if self.fault is not None:
            raise self.fault

    async def ask(self, request: str, **words: Any) -> Any:  # noqa: ANN401 - JSON
        return await asyncio.to_thread(lambda: ask(self.path, request, patience=PATIENCE, **words))

    async def raw(self, *lines: bytes) -> list[dict[str, Any]]:
        """What is answered to some lines of one session."""
        reader, writer = await asyncio.open_unix_connection(str(self.path))
        writer.writelines(lines)
        answers = [json.loads(await reader.readline()) for _ in lines]
        writer.close()
        await writer.wait_closed()
        return answers


@pytest.fixture
async def control(tmp_path: Path) -> AsyncIterator[Control]:
    control = Control(tmp_path / "run" / "control.sock")
    acceptor = await control.server.open(control.path)
    yield control
    await acceptor.close()


class TestRequests:
    """One JSON object a line each way."""

    async def test_values_arrive_unchanged(self, control: Control) -> None:
        """Numbers and text of every kind; None is an answer."""
        words = {"number": 7, "text": "Grüße, 囲碁\n", "list": [1, None, True]}
        assert await control.ask("echo", **words) == words
        assert await control.ask("fail") is None

    @pytest.mark.parametrize(
        "line",
        [
            *(b"\n", b"hello\n", b"[]\n", b"7\n", b"null\n", b"{}\n", b"\xff\xfe\n"),
            *(b'{"do": "nonsense"}\n', b'{"do": ["echo"]}\n'),
        ],
    )
    async def test_an_unknown_request_is_refused(self, control: Control, line: bytes) -> None:
        """Whatever it is, and the session goes on."""
        first, *others = await control.raw(line, b'{"do": "echo", "n": 2}\n')
        assert first == {"error": "The daemon does not know that request.", "kind": "Unknown"}
        assert others == [{"ok": {"n": 2}}]

    async def test_an_endless_line_ends_its_session(self, control: Control) -> None:
        """Others are answered."""
        reader, writer = await asyncio.open_unix_connection(str(control.path))
        block = b"x" * (1024 * 1024)
        with contextlib.suppress(ConnectionError):
            for _ in range(64):
                writer.write(block)
                await writer.drain()
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
        assert await control.ask("echo") == {}


class TestRefusals:
    """A handler's error is raised again on the other side."""

    @pytest.mark.parametrize(
        ("fault", "kind"),
        [
            *((kind("That cannot be."), kind) for kind in KINDS),
            (errors.IllegalMove("That cannot be.", errors.Reason.KO), Unknown),
            (ValueError("That cannot be."), Temporary),
        ],
    )
    async def test_an_error_keeps_its_class(
        self, control: Control, fault: Exception, kind: type[GodaemonError]
    ) -> None:
        """With its sentence, but no detail: a bug of ours says nothing about its inside."""
        control.fault = fault
        if isinstance(fault, GodaemonError):
            fault.detail = "private"
        with pytest.raises(GodaemonError) as caught:
            await control.ask("fail")
        assert type(caught.value) is kind
        assert (caught.value.public == "That cannot be.") is isinstance(fault, GodaemonError)
        assert caught.value.detail == ""
        assert await control.ask("echo") == {}

    async def test_an_unknown_error_becomes_one_of_ours(self, tmp_path: Path) -> None:
        """A newer daemon may have more."""
        path = tmp_path / "odd.sock"
        server = await _answering(path, b'{"error": "Odd.", "kind": "Odd"}\n')
        with pytest.raises(Temporary, match="Odd"):
            await asyncio.to_thread(ask, path, "echo", patience=PATIENCE)
        server.close()


class TestSocket:
    """Only its owner can open it."""

    async def test_a_socket_of_a_killed_daemon_is_replaced(self, control: Control) -> None:
        """Nobody else may open it or its folder."""
        assert stat.S_IMODE(control.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(control.path.parent.stat().st_mode) == 0o700
        assert list(control.path.parent.iterdir()) == [control.path]
        other = control.path.with_name("other.sock")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
            dead.bind(str(other))
        assert not is_running(other)
        second = ControlServer({"echo": control.echo})
        acceptor = await second.open(other)
        assert await asyncio.to_thread(ask, other, "echo", patience=PATIENCE) == {}
        await acceptor.close()

    async def test_a_socket_that_cannot_be_made_is_a_configuration_error(
        self, tmp_path: Path
    ) -> None:
        """The operator learns which file, and why."""
        (tmp_path / "file").write_text("")
        with pytest.raises(ConfigError, match="cannot be made"):
            await ControlServer({}).open(tmp_path / "file" / "control.sock")

    async def test_a_running_daemon_is_recognized(self, control: Control) -> None:
        """If it answers there."""
        assert await asyncio.to_thread(is_running, control.path)
        assert not is_running(control.path.with_name("nothing.sock"))
        assert not is_running(control.path / "below")

    async def test_a_socket_of_another_user_means_a_running_daemon(
        self, control: Control, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The store must not be touched."""

        def refuse(*_: object) -> None:
            raise PermissionError

        monkeypatch.setattr(socket.socket, "connect", refuse)
        with pytest.raises(NotPermitted, match="you may not open") as refused:
            is_running(control.path)
        assert status_of(refused.value) == 77, "to try again would not help"

    @pytest.mark.parametrize(
        ("answer", "patience", "words"),
        [(None, 0.05, "does not answer"), (b"", PATIENCE, "closed the connection")],
    )
    async def test_a_hanging_daemon_is_given_up(
        self, tmp_path: Path, answer: bytes | None, patience: float, words: str
    ) -> None:
        """One that closes the connection has not answered either."""
        path = tmp_path / "odd.sock"
        with pytest.raises(Temporary, match="does not answer"):
            ask(path, "echo")
        server = await _answering(path, answer)
        with pytest.raises(Temporary, match=words):
            await asyncio.to_thread(ask, path, "echo", patience=patience)
        server.close()


async def _answering(path: Path, answer: bytes | None) -> asyncio.Server:
    """A daemon that answers a line so and hangs up; None never answers."""

    async def session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        if answer is None:
            await reader.read()
        else:
            writer.write(answer)
        writer.close()

    return await asyncio.start_unix_server(session, path)


@pytest.mark.parametrize("user", ["root", "nobody"])
def test_the_owner_of_a_file_is_proposed(user: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: root was proposed, whose files the owner's daemon could not have read."""
    owner, folders = pwd.getpwnam(user), {"/", "/srv", "/srv/go"}
    monkeypatch.setattr(sys, "argv", ["godaemon", "sgf", "a b"])
    monkeypatch.setattr(os.path, "lexists", lambda path: path in folders)
    found: dict[str, Any] = {"/srv/go": owner}
    monkeypatch.setattr(os, "lstat", lambda path: SimpleNamespace(st_uid=found[path].pw_uid))
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    asked = sudo_command("/srv/go/games/control.sock")
    assert asked == f"sudo {'' if user == 'root' else '-u nobody '}godaemon sgf 'a b'"
