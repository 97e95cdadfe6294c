"""The process that writes letters when there are many: the same ones, and none is lost with it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from godaemon.games import commands as cmd
from godaemon.rules.points import Size
from mailgate.delivery.compose_child import asked
from mailgate.delivery.compose_pool import BURST, ComposePool
from mailgate.delivery.compose_process import FAILURES, ComposeProcess
from mailgate.delivery.grouped_transactions import GroupedTransactions
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.headers import Ours
from mailgate.letters.letter_data import LetterData
from tests.support.club import ADDRESS, KEY, Club, composer
from tests.support.memory_store import MemoryWriter
from tests.support.waiting import until


@pytest.fixture(scope="module")
def matters() -> list[LetterData]:
    """The letters of a small game, from the proposal to the count."""
    club = Club()
    club.start(cmd.Propose("bob@players.example", Size(9, 9)))
    club.play("E5 C3 G7 G3 pass C7 E3 pass pass")
    return [one.matter for one in club.letters()]


@pytest.fixture
def copyist(monkeypatch: pytest.MonkeyPatch) -> Iterator[ComposeProcess]:
    """One who may start a process, however many cores there are."""
    monkeypatch.setattr("mailgate.delivery.compose_process._cores", lambda: 2)
    one = ComposeProcess()
    yield one
    one.close()


def ready(copyist: ComposeProcess, matters: list[LetterData]) -> int:
    """Start the process and wait until it writes; its number."""
    copyist.start()
    until(lambda: copyist.write(composer(), matters[:1]) != [None], "the process writes")
    assert copyist.pid is not None
    return copyist.pid


def here(matters: list[LetterData]) -> list[Composed]:
    """The letters as they are written in this process."""
    return list(map(composer().compose, matters))


def gone(pid: int) -> bool:
    """Whether there is no such process, not even one that nobody waited for."""
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True


def test_its_letters_are_the_same_to_the_byte(
    copyist: ComposeProcess, matters: list[LetterData]
) -> None:
    """Who writes a letter cannot be told from it; a new key is used at once."""
    assert copyist.write(composer(), matters) == [None] * len(matters)
    ready(copyist, matters)
    assert copyist.write(composer(), matters) == here(matters)
    other = composer()
    other.sign_with(b"n" * 32)
    assert copyist.write(other, matters) == list(map(other.compose, matters))
    assert copyist.write(other, matters) != here(matters)


def test_what_cannot_be_written_there_is_left_to_us(
    copyist: ComposeProcess, matters: list[LetterData]
) -> None:
    """A letter that fails costs the others nothing; nor does a composer that it cannot read."""
    ready(copyist, matters)
    damaged = LetterData(matters[0].uid, matters[0].owed_at, matters[0].notice)
    assert copyist.write(composer(), [damaged, matters[1]]) == [None, *here(matters[1:2])]
    local = type("Local", (Composer,), {})(KEY, ADDRESS, "Go by mail")
    for strange in (Ours(KEY, ADDRESS, "Go by mail"), local):
        assert copyist.write(strange, matters[:2]) == [None, None]  # type: ignore[arg-type]
    assert copyist.write(composer(), matters) == here(matters)


def test_one_that_is_killed_is_replaced(copyist: ComposeProcess, matters: list[LetterData]) -> None:
    """Its letters are left to us; the next burst starts another, and no zombie is left."""
    pid = ready(copyist, matters)
    os.kill(pid, signal.SIGKILL)
    until(lambda: gone(pid), "it is dead and buried")
    assert copyist.write(composer(), matters) == [None] * len(matters)
    assert copyist.pid is None
    assert ready(copyist, matters) != pid


def test_one_that_hangs_is_killed(
    copyist: ComposeProcess, matters: list[LetterData], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever; whoever fails again and again is not asked any more."""
    monkeypatch.setattr("mailgate.delivery.compose_process.PATIENCE", 0.2)
    for _ in range(FAILURES):
        copyist._failures = copyist._failures or 0
        copyist.start()
        pid, process = copyist.pid, copyist._process
        assert pid is not None
        assert process is not None
        copyist._ready = True  # as it will be; it does not come to that
        os.kill(pid, signal.SIGSTOP)
        assert copyist.write(composer(), matters) == [None] * len(matters)
        assert gone(pid)
    copyist.start()
    assert copyist.pid is None


def test_closing_waits_for_no_letter(copyist: ComposeProcess, matters: list[LetterData]) -> None:
    """A daemon that is told to stop does not wait for one who hangs."""
    pid = ready(copyist, matters)
    os.kill(pid, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(copyist.write, composer(), matters)
        until(copyist._gate.locked, "it has been asked")
        copyist.close()
        assert gone(pid)
        assert asked.result(5) == [None] * len(matters)


def test_it_ends_with_us(copyist: ComposeProcess, matters: list[LetterData]) -> None:
    """By being told, and by the end of its input, which comes however the daemon ends."""
    pid = ready(copyist, matters)
    copyist.close()
    assert gone(pid)
    pid = ready(copyist, matters)
    process = copyist._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    until(lambda: gone(pid), "it has ended by itself")


def test_it_says_nothing_where_nobody_reads_it(
    copyist: ComposeProcess, matters: list[LetterData], capfd: pytest.CaptureFixture[str]
) -> None:
    """The daemon may be gone before its letters are written: no traceback stands in its log."""
    pid = ready(copyist, matters)
    process = copyist._process
    assert process is not None
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.close()
    process.stdin.write(asked(composer(), matters))
    process.stdin.close()
    until(lambda: gone(pid), "it has ended by itself")
    assert "Traceback" not in capfd.readouterr().err


def test_it_is_told_no_secret_but_by_pipe(
    copyist: ComposeProcess, matters: list[LetterData]
) -> None:
    """Neither its arguments nor its environment hold anything of ours."""
    pid = ready(copyist, matters)
    assert Path(f"/proc/{pid}/environ").read_bytes() == b""
    assert KEY not in Path(f"/proc/{pid}/cmdline").read_bytes()


async def test_only_a_burst_is_worth_a_process(
    monkeypatch: pytest.MonkeyPatch, matters: list[LetterData]
) -> None:
    """A letter now and then is written on a thread; many at a time start the process."""
    monkeypatch.setattr("mailgate.delivery.compose_process._cores", lambda: 2)
    scribe = ComposePool(composer(), GroupedTransactions(MemoryWriter()))
    try:
        for matter in matters[: BURST - 1]:
            assert await scribe._pages.ask(matter) == here([matter])[0]
        assert scribe._copyist.pid is None
        assert await scribe._pages_of(matters) == here(matters)
        assert scribe._copyist.pid is not None
    finally:
        await scribe.close()
    assert scribe._copyist.pid is None


def test_one_core_has_no_room_for_it(
    monkeypatch: pytest.MonkeyPatch, matters: list[LetterData]
) -> None:
    """There a process would only be in our way."""
    monkeypatch.setattr("mailgate.delivery.compose_process._cores", lambda: 1)
    copyist = ComposeProcess()
    copyist.start()
    assert copyist.pid is None
    assert copyist.write(composer(), matters[:1]) == [None]
