"""The daemon's threads are started in advance, so that none can fail to start later."""

import asyncio
import threading

import pytest
import uvloop

from godaemon.system.work_threads import work_threads


def none_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the system has no thread to give."""

    def refuse(_self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)


def test_work_goes_on_where_no_thread_can_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is done once."""
    with work_threads(2) as pool:
        none_to_be_had(monkeypatch)
        assert list(pool.map(str, range(9))) == [str(number) for number in range(9)]


def test_a_program_is_seen_to_its_end_where_no_thread_can_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Or a mail program would be left with half a letter, which it sends once we are gone."""

    async def run() -> bytes:
        with monkeypatch.context() as broken:
            none_to_be_had(broken)
            program = await asyncio.create_subprocess_exec(
                "cat", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
            output, _ = await program.communicate(b"a letter")
        return output

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(run()) == b"a letter"
