"""One process of an engine: starts it with limits, asks it, and ends it with its children.

Imports asyncio and nothing of the games. An engine that dies, hangs or speaks no GTP raises
`Temporary`, and its process group is killed; an answer with `?` raises `Refusal`.
"""

import asyncio
import os
import re
import shutil
import signal
from asyncio.subprocess import PIPE, SubprocessStreamProtocol
from contextlib import suppress
from pathlib import Path
from typing import Self

import structlog

from godaemon.errors import GodaemonError, NotStarted, Refusal, Temporary
from gtp.engines.control_groups import NO_GROUPS, ControlGroups, remove
from gtp.engines.engine_program import EngineProgram, contained_command, reason_file, remove_tree
from gtp.read_ahead import Listener

MAX_RESPONSE = 2**18
"""The limit on bytes of a response and other output before it."""
MAX_LOGGED = 4096
"""The limit on bytes of an engine's standard error in the log; the rest is dropped."""
NOISE_PAUSE = 0.01
"""Seconds between reads of output to drop, so that a noisy engine cannot use up our CPU time."""
LAST_WORDS_SECONDS = 0.5
"""Seconds to wait for the last line on a dead engine's standard error."""
ENDING_SECONDS = 2.0
"""Seconds that an engine has to exit after `quit`."""

_RESPONSE = re.compile(r"([=?])(\d*)(?![=?])\s*(.*)")
_CONTROLS = dict.fromkeys([*range(9), *range(10, 32), 127])
_log = structlog.get_logger("godaemon.engine")


class EngineProcess:
    """A running engine; takes one command at a time."""

    def __init__(
        self,
        program: EngineProgram,
        folder: Path,
        group: Path | None,
        transport: asyncio.SubprocessTransport,
        process: asyncio.subprocess.Process,
    ) -> None:
        self._program, self._folder, self._group = program, folder, group
        self._transport, self._process = transport, process
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise AssertionError  # all three are pipes
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self.pid = process.pid
        self._serial = 0
        self._killed = False
        self._last_words = ""
        """The last line on its standard error."""
        self._reading_errors = asyncio.create_task(self._read_errors())

    @classmethod
    async def start(
        cls, program: EngineProgram, folder: Path, groups: ControlGroups = NO_GROUPS
    ) -> Self:
        """Start the program in a folder of its own; raises `NotStarted`."""
        if shutil.which(program.command[0]) is None:
            detail = f"{program.command[0]} is not there"
            raise NotStarted("it could not be started", detail=detail)
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        group = groups.make(folder.name, tasks=program.tasks, memory=program.memory_mib << 20)
        command = await asyncio.to_thread(contained_command, program, folder, group)
        loop = asyncio.get_running_loop()
        try:
            transport, protocol = await loop.subprocess_exec(
                lambda: SubprocessStreamProtocol(MAX_RESPONSE, loop),
                *command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                cwd=folder,
                env=_environment(program, folder),
                start_new_session=True,
            )
        except OSError as fault:
            await asyncio.to_thread(_remove_files, folder)
            if group is not None:
                remove(group)
            detail = f"{program.command[0]}: {fault}"
            raise NotStarted("it could not be started", detail=detail) from fault
        process = asyncio.subprocess.Process(transport, protocol, loop)
        _log.info("engine.started", engine=program.name, pid=process.pid)
        return cls(program, folder, group, transport, process)

    @property
    def alive(self) -> bool:
        """True unless it was killed or is known to have ended."""
        return not self._killed and self._transport.get_returncode() is None

    async def ask(
        self, line: str, seconds: float | None = None, listener: Listener | None = None
    ) -> str:
        """The text of the answer to one command, without `=` and blanks around it.

        A listener gets its lines instead. Raises `Refusal` for a `?`, with the engine's words for a
        listener. Raises `Temporary` and kills the process if it has died, does not answer in time,
        or does not speak GTP.
        """
        self._serial += 1
        limit = self._program.seconds if seconds is None else seconds
        try:
            async with asyncio.timeout(limit):
                sign, text = await self._answer(f"{self._serial} {line}\n", listener)
        except TimeoutError as fault:
            self.kill()
            detail = f"{line!r}: nothing in {limit:g} s"
            raise Temporary("it gave no answer in time", detail=detail) from fault
        except (OSError, EOFError) as fault:
            self.kill()
            await asyncio.wait({self._reading_errors}, timeout=LAST_WORDS_SECONDS)
            detail = f"{line!r}: {fault}; its last words: {self._last_words}"
            raise Temporary("it ended without an answer", detail=detail) from fault
        except BaseException:
            self.kill()
            raise
        if sign == "?":
            reason = text if listener else "it refused a command"
            raise Refusal(reason, detail=f"{line!r}: ? {text[:200]}")
        return text

    def end_analysis(self) -> None:
        """Send an empty line, which ends an analysis."""
        with suppress(EOFError):  # `ask` raises it
            self._write(b"\n")

    async def _answer(self, line: str, listener: Listener | None) -> tuple[str, str]:
        """Send a line and read its response; output before the response is dropped."""
        self._write(line.encode(errors="replace"))
        await self._stdin.drain()
        size = 0
        lines: list[str] = []
        sign = ""
        while True:
            raw = await self._read_line()
            size += len(raw)
            if size > MAX_RESPONSE:
                raise _protocol_error(f"more than {MAX_RESPONSE} bytes")
            text = raw.decode("utf-8", "replace").translate(_CONTROLS).strip()
            if sign and not text:
                return sign, "\n".join(lines).strip()
            if sign == "=" and listener is not None:
                await listener.tell(text)
                size = 0
            elif sign:
                lines.append(text)
            elif (match := _RESPONSE.fullmatch(text)) and match[2] in {"", str(self._serial)}:
                sign = match[1]
                lines.append(match[3])
                if sign == "=" and listener is not None:
                    await listener.tell(match[3])

    def _write(self, data: bytes) -> None:
        """Write to its standard input; raises `EOFError` if that is closed."""
        try:
            self._stdin.write(data)
        except RuntimeError as fault:  # raised by uvloop
            raise EOFError("end of its input") from fault

    async def _read_line(self) -> bytes:
        try:
            raw = await self._stdout.readline()
        except ValueError as fault:  # a line longer than the reader's limit
            raise _protocol_error(f"a line of more than {MAX_RESPONSE} bytes") from fault
        if not raw.endswith(b"\n"):
            raise EOFError("end of its output")
        return raw

    def kill(self) -> None:
        """Kill it and all processes of its session; never fails."""
        self._killed = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    async def end(self) -> None:
        """Stop it: quit, then kill, then remove its files."""
        if self.alive:
            with suppress(GodaemonError):
                await self.ask("quit", ENDING_SECONDS)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), ENDING_SECONDS)
        await self.kill_and_remove()

    async def kill_and_remove(self) -> None:
        """Kill it if it is alive, wait until it has ended, and remove its folder."""
        self.kill()
        with suppress(TimeoutError):  # a child that left its session may hold the pipes open
            await asyncio.wait_for(self._process.wait(), ENDING_SECONDS)
        self._transport.close()
        self._reading_errors.cancel()
        await asyncio.gather(self._reading_errors, return_exceptions=True)
        with suppress(OSError):
            why = reason_file(self._folder).read_text("utf-8")
            _log.warning("engine.stopped", engine=self._program.name, why=why)
        if self._group is not None:
            remove(self._group)
        await asyncio.to_thread(_remove_files, self._folder)

    async def _read_errors(self) -> None:
        """Read standard error to its end, so that it never blocks; log the beginning."""
        logged = 0
        with suppress(OSError):
            while data := await self._stderr.read(2**16):
                text = data.decode(errors="replace")
                lines = [line.translate(_CONTROLS) for line in text.split("\n") if line.strip()]
                self._last_words = lines[-1][:200] if lines else self._last_words
                if logged < MAX_LOGGED:
                    words = text[: MAX_LOGGED - logged].strip()
                    _log.debug("engine.stderr", engine=self._program.name, words=words)
                else:
                    await asyncio.sleep(NOISE_PAUSE)
                logged += len(data)


def _remove_files(folder: Path) -> None:
    remove_tree(folder)
    reason_file(folder).unlink(missing_ok=True)


def _environment(program: EngineProgram, folder: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        **program.environment,
    }


def _protocol_error(detail: str) -> Temporary:
    return Temporary("its answer made no sense", detail=detail)
