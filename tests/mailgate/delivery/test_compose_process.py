"""The process that writes letters when there are many: the same ones, and none is lost with it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from godaemon.games import commands as cmd
from godaemon.rules.points import Size
from mailgate.delivery.compose_pool import BURST, ComposePool
from mailgate.delivery.compose_process import FAILURES, ComposeProcess
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.headers import SenderIdentity
from mailgate.letters.letter_data import LetterData
from tests.support.played_games import ADDRESS, KEY, PlayedGames, composer
from tests.support.waiting import until


@pytest.fixture(scope="module")
def letters() -> list[LetterData]:
    """The letters of a small game, from the proposal to the count."""
    games = PlayedGames()
    games.start(cmd.Propose("bob@players.example", Size(9, 9)))
    games.play("E5 C3 G7 G3 pass C7 E3 pass pass")
    return [one.data for one in games.letters()]


@pytest.fixture
def composing(monkeypatch: pytest.MonkeyPatch) -> Iterator[ComposeProcess]:
    """One who may start a process, however many cores there are."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    one = ComposeProcess()
    yield one
    one.close()


def ready(composing: ComposeProcess, letters: list[LetterData]) -> int:
    """Start the process and wait until it writes; its number."""
    composing.start()
    until(lambda: composing.compose(composer(), letters[:1]) != [None], "the process writes")
    assert composing.pid is not None
    return composing.pid


def here(letters: list[LetterData]) -> list[Composed]:
    """The letters as they are written in this process."""
    return list(map(composer().compose, letters))


def gone(pid: int) -> bool:
    """Whether there is no such process, not even one that nobody waited for."""
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True


def test_its_letters_are_the_same_to_the_byte(
    composing: ComposeProcess, letters: list[LetterData]
) -> None:
    """Who writes a letter cannot be told from it; a new key is used at once."""
    assert composing.compose(composer(), letters) == [None] * len(letters)
    ready(composing, letters)
    assert composing.compose(composer(), letters) == here(letters)
    other = composer()
    other.sign_with(b"n" * 32)
    assert composing.compose(other, letters) == list(map(other.compose, letters))
    assert composing.compose(other, letters) != here(letters)


def test_what_cannot_be_written_there_is_left_to_us(
    composing: ComposeProcess, letters: list[LetterData]
) -> None:
    """A letter that fails costs the others nothing; nor does a composer that it cannot read."""
    ready(composing, letters)
    damaged = LetterData(letters[0].uid, letters[0].owed_at, letters[0].notice)
    assert composing.compose(composer(), [damaged, letters[1]]) == [None, *here(letters[1:2])]
    local = type("Local", (Composer,), {})(KEY, ADDRESS, "Go by mail", invitation_days=14)
    for strange in (SenderIdentity(KEY, ADDRESS, "Go by mail"), local):
        assert composing.compose(strange, letters[:2]) == [None, None]  # type: ignore[arg-type]
    assert composing.compose(composer(), letters) == here(letters)


def test_one_that_is_killed_is_replaced(
    composing: ComposeProcess, letters: list[LetterData]
) -> None:
    """Its letters are left to us; the next burst starts another, and no zombie is left."""
    pid = ready(composing, letters)
    os.kill(pid, signal.SIGKILL)
    until(lambda: gone(pid), "it is dead and buried")
    assert composing.compose(composer(), letters) == [None] * len(letters)
    assert composing.pid is None
    assert ready(composing, letters) != pid


CHILD = "from multiprocessing.connection import Connection; child = Connection(0); "
USELESS = {
    "it hangs": "child.send('ready'); import time; time.sleep(60)",
    "it ends before it begins": "pass",
    "it ends when it is asked": "child.send('ready'); child.recv_bytes()",
    "too few letters": "child.send('ready'); child.recv_bytes(); child.send([])",
    "no letters": "child.send('ready'); child.recv_bytes(); child.send(7)",
    "no pickle": "child.send('ready'); child.recv_bytes(); child.send_bytes(b'nonsense')",
    "no frame": "child.send('ready'); child.recv_bytes(); import os; os.write(0, b'\\xff' * 64)",
}


@pytest.mark.parametrize("how", USELESS)
def test_one_that_is_of_no_use_is_killed(
    how: str,
    composing: ComposeProcess,
    letters: list[LetterData],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody waits for ever; whoever fails again and again is not asked any more."""
    monkeypatch.setattr("mailgate.delivery.compose_process.TIMEOUT", 0.2)
    monkeypatch.setattr("mailgate.delivery.compose_process._CODE", CHILD + USELESS[how])
    long = replace(letters[0], uid="x" * 2_000_000)  # more than a socket holds
    for request in ([long], letters, letters)[:FAILURES]:
        composing.start()
        pid = composing.pid
        assert pid is not None
        while composing.pid is not None:
            assert composing.compose(composer(), request) == [None] * len(request)
            sleep(0.01)
        assert gone(pid)
    composing.start()
    assert composing.pid is None


def test_one_that_failed_is_tried_again_after_a_while(
    composing: ComposeProcess, letters: list[LetterData], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever there was too little of may be there again: no process is left behind meanwhile."""
    started: list[int] = []

    def refuse(_self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    def noted(*arguments: Any, **keys: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401 - as Popen's
        process = real(*arguments, **keys)
        started.append(process.pid)
        return process

    real = subprocess.Popen
    with monkeypatch.context() as broken:
        broken.setattr(threading.Thread, "start", refuse)
        broken.setattr(subprocess, "Popen", noted)
        for _ in range(FAILURES + 2):
            composing.start()
            assert composing.pid is None
    assert len(started) == FAILURES
    assert all(map(gone, started))
    composing.start()
    assert composing.pid is None
    monkeypatch.setattr("mailgate.delivery.compose_process.PAUSE", 0.0)
    ready(composing, letters)


def test_closing_waits_for_no_letter(composing: ComposeProcess, letters: list[LetterData]) -> None:
    """A daemon that is told to stop does not wait for one who hangs."""
    pid = ready(composing, letters)
    os.kill(pid, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(composing.compose, composer(), letters)
        until(composing._lock.locked, "it has been asked")
        composing.close()
        assert gone(pid)
        assert asked.result(5) == [None] * len(letters)


def test_it_ends_with_us(composing: ComposeProcess, letters: list[LetterData]) -> None:
    """By being told, and by the end of its input, which comes however the daemon ends."""
    pid = ready(composing, letters)
    composing.close()
    assert gone(pid)
    pid = ready(composing, letters)
    assert composing._child is not None
    composing._child.connection.close()
    until(lambda: gone(pid), "it has ended by itself")


def test_it_says_nothing_where_nobody_reads_it(
    composing: ComposeProcess, letters: list[LetterData], capfd: pytest.CaptureFixture[str]
) -> None:
    """The daemon may be gone before its letters are written: no traceback stands in its log."""
    pid = ready(composing, letters)
    assert composing._child is not None
    parent = composing._child.connection
    parent.send((composer(), letters))
    parent.close()
    until(lambda: gone(pid), "it has ended by itself")
    assert "Traceback" not in capfd.readouterr().err


def test_it_is_told_no_secret_but_by_pipe(
    composing: ComposeProcess, letters: list[LetterData]
) -> None:
    """Neither its arguments nor its environment hold anything of ours."""
    pid = ready(composing, letters)
    assert Path(f"/proc/{pid}/environ").read_bytes() == b""
    assert KEY not in Path(f"/proc/{pid}/cmdline").read_bytes()


async def test_only_a_burst_is_worth_a_process(
    monkeypatch: pytest.MonkeyPatch, letters: list[LetterData]
) -> None:
    """A letter now and then is written on a thread; many at a time start the process."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    pool = ComposePool(composer())
    try:
        for data in letters[: BURST - 1]:
            assert await pool.compose(data) == here([data])[0]
        assert pool._process.pid is None
        assert await asyncio.gather(*map(pool.compose, letters)) == here(letters)
        assert pool._process.pid is not None
    finally:
        await pool.close()
    assert pool._process.pid is None


def test_one_core_has_no_room_for_it(
    monkeypatch: pytest.MonkeyPatch, letters: list[LetterData]
) -> None:
    """There a process would only be in our way."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    composing = ComposeProcess()
    composing.start()
    assert composing.pid is None
    assert composing.compose(composer(), letters[:1]) == [None]
