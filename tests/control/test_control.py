"""The control socket: requests and refusals cross it whole, and only its owner can open it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from godaemon import errors
from godaemon.control.control_client import ask
from godaemon.control.control_server import ControlServer
from godaemon.control.daemon_here import is_running
from godaemon.errors import Busy, ConfigError, GodaemonError, Temporary, Unknown


class Control:
    """A daemon's control socket, and the command line's side of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fault: BaseException | None = None
        self.server = ControlServer({"echo": self.echo, "fail": self.fail})

    async def echo(self, **words: Any) -> Any:  # noqa: ANN401 - JSON
        return words

    async def fail(self) -> None:
        """Raise what it was told to."""
        if self.fault is not None:
            raise self.fault

    async def ask(self, request: str, **words: Any) -> Any:  # noqa: ANN401 - JSON
        return await asyncio.to_thread(lambda: ask(self.path, request, patience=20, **words))

    async def raw(self, line: bytes) -> dict[str, Any]:
        reader, writer = await asyncio.open_unix_connection(str(self.path))
        writer.write(line)
        answer = await reader.readline()
        writer.close()
        await writer.wait_closed()
        said: dict[str, Any] = json.loads(answer)
        return said


@pytest.fixture
async def control(tmp_path: Path) -> AsyncIterator[Control]:
    control = Control(tmp_path / "run" / "control.sock")
    await control.server.open(control.path)
    yield control
    await control.server.close()


class TestRequests:
    """One JSON object a line each way."""

    async def test_values_cross(self, control: Control) -> None:
        """Words and numbers of every kind, beyond ASCII too."""
        words = {"number": 7, "text": "Grüße, 囲碁\n", "list": [1, None, True]}
        assert await control.ask("echo", **words) == words

    async def test_nothing_is_an_answer(self, control: Control) -> None:
        """A request that has nothing to tell is answered all the same."""
        assert await control.ask("fail") is None

    @pytest.mark.parametrize(
        "line",
        [
            *(b"\n", b"hello\n", b"[]\n", b"7\n", b"null\n", b"{}\n", b"\xff\xfe\n"),
            *(b'{"do": "nonsense"}\n', b'{"do": ["echo"]}\n'),
        ],
    )
    async def test_unknown_request(self, control: Control, line: bytes) -> None:
        """It is refused in words, whatever it is."""
        answer = await control.raw(line)
        assert answer == {"error": "The daemon does not know that request.", "kind": "Unknown"}

    async def test_unknown_request_by_the_command_line(self, control: Control) -> None:
        """A newer command line and an older daemon understand that they do not."""
        with pytest.raises(Unknown, match="does not know"):
            await control.ask("nonsense")

    async def test_session_goes_on(self, control: Control) -> None:
        """Several requests on one line, a bad one among them."""
        reader, writer = await asyncio.open_unix_connection(str(control.path))
        writer.write(b'{"do": "echo"}\nnonsense\n{"do": "echo", "n": 2}\n')
        answers = [json.loads(await reader.readline()) for _ in range(3)]
        writer.close()
        await writer.wait_closed()
        assert [answer.get("ok") for answer in answers] == [{}, None, {"n": 2}]

    async def test_endless_line(self, control: Control) -> None:
        """Who sends no line end is hung up on; others are answered."""
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
    """What a handler raises is raised again on the other side, as what it was."""

    @pytest.mark.parametrize(
        "kind",
        [
            *(errors.Unknown, errors.WrongPhase, errors.NotAllowed, errors.Stale),
            *(errors.Temporary, errors.Busy, errors.ConfigError, errors.Corrupt),
        ],
    )
    async def test_class_and_sentence(self, control: Control, kind: type[GodaemonError]) -> None:
        """The command line's exit code depends on the class."""
        control.fault = kind("That cannot be.")
        control.fault.detail = "private"
        with pytest.raises(GodaemonError) as caught:
            await control.ask("fail")
        assert type(caught.value) is kind
        assert caught.value.public == "That cannot be."
        assert caught.value.detail == ""

    async def test_illegal_move(self, control: Control) -> None:
        """A class that needs more than a sentence arrives as its nearest kin."""
        control.fault = errors.IllegalMove("No.", errors.Reason.KO)
        with pytest.raises(errors.Refusal, match=r"No\."):
            await control.ask("fail")

    async def test_fault(self, control: Control) -> None:
        """A fault of ours tells nothing of its inside, and the daemon goes on."""
        control.fault = ValueError("secret")
        with pytest.raises(Temporary) as caught:
            await control.ask("fail")
        assert "secret" not in caught.value.public
        assert await control.ask("echo") == {}

    async def test_kind_that_is_no_error(self, tmp_path: Path) -> None:
        """Whatever a stranger daemon calls its errors, ours is one of the tree."""
        path = tmp_path / "odd.sock"
        for kind in ("Enum", "annotations", "nonsense", "__name__"):
            answer = json.dumps({"error": "Odd.", "kind": kind}).encode() + b"\n"
            server = await _answering(path, answer)
            with pytest.raises(GodaemonError, match="Odd"):
                await asyncio.to_thread(ask, path, "echo", patience=20)
            server.close()
            path.unlink()


class TestSocket:
    """The file is its owner's alone, and a daemon that is not there is not waited for."""

    async def test_mode(self, control: Control) -> None:
        """Nobody else may open it, or look into a folder made for it."""
        assert stat.S_IMODE(control.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(control.path.parent.stat().st_mode) == 0o700
        assert list(control.path.parent.iterdir()) == [control.path]

    async def test_left_behind(self, control: Control) -> None:
        """What a killed daemon left is replaced."""
        other = control.path.with_name("other.sock")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
            dead.bind(str(other))
        assert not is_running(other)
        again = ControlServer({"echo": control.echo})
        await again.open(other)
        assert await asyncio.to_thread(ask, other, "echo", patience=20) == {}
        await again.close()

    async def test_cannot_be_made(self, tmp_path: Path) -> None:
        """The operator is told which, and why."""
        (tmp_path / "file").write_text("")
        with pytest.raises(ConfigError, match="cannot be made"):
            await ControlServer({}).open(tmp_path / "file" / "control.sock")

    async def test_running(self, control: Control) -> None:
        """Whether a daemon answers there."""
        assert await asyncio.to_thread(is_running, control.path)
        assert not is_running(control.path.with_name("nothing.sock"))
        assert not is_running(control.path / "below")

    async def test_not_ours_to_open(
        self, control: Control, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A daemon of another user is running, too: the store is not to be touched."""

        def refuse(*_: object) -> None:
            raise PermissionError

        monkeypatch.setattr(socket.socket, "connect", refuse)
        with pytest.raises(Busy, match="not yours"):
            is_running(control.path)

    def test_nobody_there(self, tmp_path: Path) -> None:
        """Asking nobody is said at once."""
        with pytest.raises(Temporary, match="does not answer"):
            ask(tmp_path / "nothing.sock", "echo")

    async def test_silent(self, tmp_path: Path) -> None:
        """A daemon that hangs is given up on after the patience given."""
        path = tmp_path / "silent.sock"
        server = await _answering(path, None)
        with pytest.raises(Temporary, match="does not answer"):
            await asyncio.to_thread(ask, path, "echo", patience=0.05)
        server.close()

    async def test_gone(self, tmp_path: Path) -> None:
        """One that ends before it has answered is not taken for an answer."""
        path = tmp_path / "gone.sock"
        server = await _answering(path, b"")
        with pytest.raises(Temporary, match="closed the connection"):
            await asyncio.to_thread(ask, path, "echo", patience=20)
        server.close()

    async def test_closing_twice(self, control: Control) -> None:
        """The second time there is nothing to do."""
        await control.server.close()
        await control.server.close()


async def _answering(path: Path, answer: bytes | None) -> asyncio.Server:
    """A daemon that answers every line so and hangs up; with None it never answers."""

    async def session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        if answer is None:
            await reader.read()
        else:
            writer.write(answer)
        writer.close()

    return await asyncio.start_unix_server(session, path)
