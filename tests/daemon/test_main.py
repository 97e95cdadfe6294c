"""The daemon's threads are started in advance, so that none can fail to start later."""

import asyncio
import threading

import pytest
import uvloop

from godaemon.daemon.main import work_threads


def lack_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the system has no thread to give."""

    def refuse(_self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)


def test_work_runs_without_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no thread can start, the caller does the work, once."""
    with work_threads(2) as pool:
        lack_threads(monkeypatch)
        assert list(pool.map(str, range(9))) == [str(number) for number in range(9)]


def test_the_end_of_a_program_is_seen_without_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a mail program would get half a letter, and send it after our end."""

    async def run() -> bytes:
        with monkeypatch.context() as broken:
            lack_threads(broken)
            program = await asyncio.create_subprocess_exec(
                "cat", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
            output, _ = await program.communicate(b"a letter")
        return output

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(run()) == b"a letter"
