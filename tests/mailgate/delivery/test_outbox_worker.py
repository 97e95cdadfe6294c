"""The outbox worker sends every queued letter once, whatever fails."""

import asyncio
import errno
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, MutableMapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from typing import Any, TypeVar
from unittest.mock import AsyncMock

import pytest
import structlog

from godaemon.errors import Deferred, Temporary, Undeliverable
from godaemon.games.notices import Kind, Notice
from godaemon.games.stored_values import Unit
from mailgate import tokens
from mailgate.delivery.composing_thread import MAX_BATCH, ComposingThread, Sign
from mailgate.delivery.outbox_worker import LEASE, MAX_COMPOSE_TRIES, OutboxWorker
from mailgate.delivery.smarthost import SmarthostDelivery
from mailgate.delivery.ways_out import Delivery
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.letter_data import EngineAnswers, LetterData
from tests.support.hand_clock import HandClock
from tests.support.letters import parsed
from tests.support.memory_store import MemoryUnit, MemoryWriter, QueuedNotice
from tests.support.next_hop import NextHop
from tests.support.played_games import ADDRESS, KEY
from tests.support.stores import NOW
from tests.support.waiting import PATIENCE

T = TypeVar("T")
Log = list[MutableMapping[str, Any]]
ALICE, BOB, CAROL = "alice@a.example", "bob@b.example", "carol@c.example"
CROWD = [f"p{number}@x.example" for number in range(40)]
HOUR = 3600.0
MONTH = 30 * 24 * HOUR


def fails(fault: BaseException) -> Callable[..., Any]:
    """A function that raises this, whatever it is given."""

    def fail(*_: object) -> None:
        raise fault

    return fail


def nothing(*_: object) -> None:
    """Do nothing."""


FULL = fails(Temporary("full", detail="450 full"))


@dataclass(slots=True)
class FakeDelivery:
    """A delivery that keeps what it took.

    A letter that `waits` is not taken before the `gate` is open; `answer` may refuse one.
    """

    taken: list[tuple[str, str, bytes]] = field(default_factory=list)
    tries: list[str] = field(default_factory=list)
    answer: Callable[[str], None] = nothing
    waits: Callable[[str, bytes], bool] = lambda *_: False
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    closed: bool = False

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        self.tries.append(uid)
        if self.waits(recipient, raw):
            await self.gate.wait()
        self.answer(recipient)
        self.taken.append((recipient, sender, raw))

    async def close(self) -> None:
        self.closed = True


class Writer(MemoryWriter):
    """A writer that calls `before` and `after` in each of its transactions; what raises undoes it.

    `second` is another way to the same store.
    """

    def __init__(self, second: MemoryWriter | None = None) -> None:
        super().__init__()
        self.second = second
        self.before: Callable[[], None] = nothing
        self.after: Callable[[], Awaitable[None] | None] = nothing

    async def run(self, work: Callable[[MemoryUnit], T]) -> T:
        self.before()
        state = self.state
        result = await (self.second.run(work) if self.second else super().run(work))
        try:
            if (waiting := self.after()) is not None:
                await waiting
        except Temporary:
            self.state = state
            raise
        return result

    @property
    def queue(self) -> list[QueuedNotice]:
        return [*self.state.outbox.values()]


class WithHook(Composer):
    """Writes what its hook gives, or a letter as usual if that is None."""

    def __init__(self, hook: Callable[[LetterData], Composed | None]) -> None:
        super().__init__(KEY, ADDRESS, "Go by mail", invitation_days=14)
        self.hook = hook

    def compose(self, data: LetterData) -> Composed:
        return self.hook(data) or super().compose(data)


def fail_for_alice(data: LetterData) -> None:
    if data.notice.to == ALICE:
        raise ZeroDivisionError


def compose_kind(data: LetterData) -> Composed:
    """A letter that contains its kind alone."""
    return Composed(f"<{data.uid}@x.example>", data.notice.kind.encode())


@pytest.fixture(autouse=True)
def log() -> Iterator[Log]:
    with structlog.testing.capture_logs() as entries:
        yield entries


class WorkerSetup:
    """A worker with a fake delivery, on a clock that is advanced manually."""

    def __init__(
        self,
        *to: str,
        writer: Writer | None = None,
        delivery: Delivery | None = None,
        hook: Callable[[LetterData], Composed | None] = nothing,
        answer: Callable[[str], None] = nothing,
        waits: Callable[[str, bytes], bool] = lambda *_: False,
        sign: Sign = lambda raw, _: raw,
        engines: EngineAnswers | None = None,
        batch: int = 4,
        verp: bool = True,
        patient: Writer | None = None,
        **outcomes: Any,  # noqa: ANN401 - functions that report an outcome
    ) -> None:
        self.clock = HandClock(NOW)
        self.writer, self.carrier = writer or Writer(), FakeDelivery(answer=answer, waits=waits)
        self.composer = WithHook(hook)
        self.grace, self.may_claim = False, True
        self.lost: list[tuple[str, str, str]] = []
        """The lost letters, with recipient, error and status."""
        self.worker = OutboxWorker(
            self.writer,
            ComposingThread(self.composer, sign, engines),
            delivery or self.carrier,
            self.clock,
            patient or self.writer,
            retry_first=5,
            retry_limit=900,
            give_up_days=5,
            verp=verp,
            batch=batch,
            chance=lambda: 0.5,
            in_grace=lambda _now: self.grace,
            may_claim=lambda: self.may_claim,
            **{"on_lost": self._note_lost, **outcomes},
        )
        self.queue(*to)

    def _note_lost(self, _unit: Unit, notice: Notice, error: str, status: str) -> None:
        self.lost.append((notice.to, error, status))

    def queue(self, *to: str, kind: Kind = Kind.HELP, answers: str = "") -> None:
        """Queue a letter to each recipient, and wake the worker."""
        for address in to:
            notice = Notice(kind, address, answers=answers)
            self.writer.run_sync(lambda unit, notice=notice: unit.outbox.queue(notice, NOW))  # type: ignore[misc]
        self.worker.notify()

    @property
    def counts(self) -> dict[str, int]:
        """How many letters there are in each state."""
        return self.writer.run_sync(lambda unit: unit.outbox.status_counts())

    @property
    def recipients(self) -> list[str]:
        return [to for to, _, _ in self.carrier.taken]

    async def until(self, true: Callable[[], bool], step: float = 0) -> None:
        """Wait for a condition; with a `step` turn the clock until it holds."""
        async with asyncio.timeout(PATIENCE):
            while not true():
                if step:
                    self.clock.advance(step)
                await asyncio.sleep(0.001)

    async def until_counted(self, step: float = 0, **counts: int) -> None:
        """Wait until that many letters have these states."""
        await self.until(lambda: counts.items() <= self.counts.items(), step)

    async def until_taken(self, count: int, step: float = 0) -> None:
        """Wait until that many letters were taken."""
        await self.until(lambda: len(self.carrier.taken) == count, step)

    async def rest(self) -> None:
        """Wait until there is nothing to do before time passes."""
        await self.until(lambda: self.clock.waiting and not self.worker._running)

    async def pass_time(self, seconds: float, step: float = 30.0) -> None:
        """Let time pass, with rest after each step."""
        for _ in range(int(seconds / step)):
            self.clock.advance(step)
            await asyncio.sleep(0)
            await self.rest()


@asynccontextmanager
async def running(
    *to: str,
    setup: WorkerSetup | None = None,
    **options: Any,  # noqa: ANN401 - those of `WorkerSetup`
) -> AsyncIterator[WorkerSetup]:
    """Run a worker during the block, with a letter queued to each of these."""
    setup = setup or WorkerSetup(*to, **options)
    task = asyncio.create_task(setup.worker.run())
    try:
        yield setup
    finally:
        await setup.worker.close(5)
        await task


# -- the ordinary day --------------------------------------------------------------------------
async def test_letters_are_sent_and_logged(log: Log) -> None:
    """Each queued letter is delivered, marked as sent, and logged in one line."""
    async with running(ALICE, BOB) as setup:
        await setup.rest()
        assert sorted(setup.recipients) == [ALICE, BOB]
        setup.queue(CAROL)
        await setup.until_taken(3)
    assert setup.counts == {"waiting": 0, "sent": 3, "undeliverable": 0}
    lines = [entry for entry in log if entry["event"] == "outbox.sent"]
    assert len(lines) == 3
    to, _, raw = setup.carrier.taken[0]
    assert lines[0] == {
        "event": "outbox.sent",
        "log_level": "info",
        "game": None,
        "seat": None,
        "notice": "help",
        "message_id": parsed(raw)["Message-ID"],
        "recipient": to,
    }
    assert setup.carrier.closed


async def test_outcomes_are_recorded_by_the_patient_writer() -> None:
    """They can wait for other work; a letter that must be sent cannot."""
    writer, unsent = Writer(), list[int]()
    patient = Writer(second=writer)
    async with running(ALICE, BOB, writer=writer, patient=patient) as setup:
        patient.after = lambda: unsent.append(setup.counts["waiting"])
        await setup.rest()
    assert unsent == [1, 0]


async def test_a_letter_is_stored_before_the_first_try() -> None:
    """The outbox already has the bytes that are delivered."""
    stored: list[bytes | None] = []
    async with running() as setup:
        setup.carrier.answer = lambda _: stored.extend(one.due.letter for one in setup.writer.queue)
        setup.queue(ALICE)
        await setup.until_taken(1)
    assert stored == [setup.carrier.taken[0][2]]


async def test_a_letter_is_signed_once() -> None:
    """A retry sends the same bytes."""
    signed: list[bytes] = []

    def sign(raw: bytes, notice: Notice) -> bytes:
        signed.append(f"Signed: {len(signed)} to {notice.to}\r\n".encode() + raw)
        return signed[-1]

    async with running(ALICE, sign=sign, answer=FULL) as setup:
        await setup.rest()
        setup.carrier.answer = nothing
        await setup.pass_time(60)
    assert [raw for _, _, raw in setup.carrier.taken] == signed
    assert len(setup.carrier.tries) == 2
    assert signed[0].startswith(b"Signed: 0 to alice@a.example\r\nFrom: ")


async def test_a_letter_is_sent_without_a_failed_answer_of_an_engine(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure is logged."""
    asking = "mailgate.delivery.composing_thread.with_engine_answer"
    monkeypatch.setattr(asking, fails(ArithmeticError()))
    async with running(ALICE, engines=AsyncMock()) as setup:
        await setup.until_counted(sent=1)
    assert "outbox.no-engine-answer" in [entry["event"] for entry in log]


async def test_letters_to_one_person_keep_their_order() -> None:
    """They are sent in the order of their events."""
    kinds = [Kind.HELP, Kind.GAMES, Kind.SETTINGS, Kind.TROUBLE] * 3
    setup = WorkerSetup()
    for kind in kinds:
        setup.queue(ALICE, kind=kind)
    async with running(setup=setup):
        await setup.until_taken(len(kinds))
    assert [parsed(raw)["X-Godaemon-Notice"] for _, _, raw in setup.carrier.taken] == kinds


def with_slow_reviews() -> WorkerSetup:
    """A worker whose letters contain their kind, and whose reviews wait for the gate."""
    return WorkerSetup(batch=2, hook=compose_kind, waits=lambda _, raw: raw == b"review")


@pytest.mark.parametrize("agreement", ["done", "dead B2\r\ndone"])
async def test_the_agreement_of_a_letter_is_stored(agreement: str) -> None:
    """In the notice, if it is more than `done`."""
    async with running(ALICE, hook=lambda _: Composed("<1@x>", b"", agreement)) as setup:
        await setup.until_counted(sent=1)
    (queued,) = setup.writer.queue
    assert queued.due.notice.about.get("agreement", "done") == agreement


async def test_reviews_delay_no_other_letter() -> None:
    """Neither to the same person, nor while each slot has a review."""
    setup = with_slow_reviews()
    setup.queue(ALICE, BOB, ALICE, kind=Kind.REVIEW)
    setup.queue(ALICE, BOB, CAROL, ALICE)
    async with running(setup=setup):
        await setup.until_taken(4)
        setup.carrier.gate.set()
        await setup.until_taken(7)
    assert {raw for _, _, raw in setup.carrier.taken[4:]} == {b"review"}


async def test_few_reviews_are_claimed_at_a_time() -> None:
    """All at once would fill the memory."""
    setup = with_slow_reviews()
    setup.queue(*CROWD[:9], kind=Kind.REVIEW)
    setup.queue(ALICE)
    async with running(setup=setup):
        await setup.until_taken(1)
        setup.queue(BOB)
        await setup.until_taken(2)
        assert len(setup.carrier.tries) - 2 < 2 * 2
        setup.carrier.gate.set()
        await setup.until_taken(11)


async def test_letters_to_one_person_delay_no_others() -> None:
    """They are sent in sequence; those beyond the limit stay in the store."""
    async with running(*[ALICE] * 10, BOB, batch=2, waits=lambda to, _: to == ALICE) as setup:
        await setup.until_taken(1)
        assert setup.recipients == [BOB]
        setup.queue(*[ALICE] * 20)
        await setup.until(lambda: len(setup.worker._running) == 18)
        setup.carrier.gate.set()
        await setup.until_taken(31)


# -- trouble -----------------------------------------------------------------------------------
async def test_an_hour_without_a_server_loses_and_repeats_no_letter() -> None:
    """Real connections are refused; then each letter arrives once."""
    hop = NextHop()
    await hop.start()
    await hop.stop()
    delivery = SmarthostDelivery("127.0.0.1", hop.port, timeout=PATIENCE)
    async with running(*CROWD[:6], delivery=delivery) as setup:
        await setup.rest()
        await setup.pass_time(HOUR)
        assert setup.counts["waiting"] == 6
        await hop.start()
        await setup.pass_time(HOUR / 2)
        assert setup.counts["sent"] == 6
    await hop.stop()
    ids = [str(parsed(raw)["Message-ID"]) for _, _, raw in hop.taken]
    assert len(ids) == len(set(ids)) == 6


async def test_retries_back_off_and_end() -> None:
    """Delays double up to the limit; after days the letter is undeliverable, with the reason."""
    tried: list[float] = []
    setup = WorkerSetup(ALICE)

    def refuse(to: str) -> None:
        tried.append((setup.clock.now() - NOW).total_seconds())
        FULL(to)

    setup.carrier.answer = refuse
    async with running(setup=setup):
        await setup.pass_time(2 * HOUR, step=1)
        waits = [round(after - before) for before, after in pairwise(tried)]
        assert waits[:8] == [5, 10, 20, 40, 80, 160, 320, 640]
        assert set(waits[8:]) == {900}
        setup.clock.advance(5 * 24 * HOUR)
        await setup.until_counted(undeliverable=1)
    assert [one.error for one in setup.writer.queue] == ["given up: 450 full"]


async def test_a_clock_set_back_delays_no_letter() -> None:
    """A retry time that is too far ahead is ignored."""
    async with running(ALICE) as setup:
        setup.grace = True
        setup.clock.step(MONTH)
        setup.carrier.answer = FULL
        await setup.rest()
        setup.carrier.answer = nothing
        setup.clock.step(-MONTH)
        await setup.pass_time(90)
        assert setup.counts["sent"] == 1


async def test_no_letter_is_given_up_in_grace() -> None:
    """After a month that the clock skipped, retries go on for some days."""
    async with running(ALICE, answer=FULL) as setup:
        await setup.rest()
        setup.grace = True
        setup.clock.advance(MONTH)
        await setup.until(lambda: len(setup.carrier.tries) == 2)
        await setup.rest()
        assert setup.counts["waiting"] == 1
        setup.grace = False
        setup.clock.advance(HOUR)
        await setup.until_counted(undeliverable=1)


async def test_an_unexpected_error_is_logged_and_retried(log: Log) -> None:
    """It costs no letter."""
    async with running(ALICE, answer=fails(KeyError("surprise"))) as setup:
        await setup.rest()
        setup.carrier.answer = nothing
        await setup.pass_time(60)
    assert setup.counts["sent"] == 1
    assert [entry["log_level"] for entry in log][:2] == ["error", "warning"]


async def test_waiting_letters_are_composed_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """On one thread after the other, off the event loop; a failure affects only its letter."""
    threads: list[object] = []
    to_thread = asyncio.to_thread

    async def counted(work: Callable[..., T], *values: object) -> T:
        threads.append(work)
        return await to_thread(work, *values)

    monkeypatch.setattr(asyncio, "to_thread", counted)
    people = CROWD[: 2 * MAX_BATCH]
    async with running(ALICE, *people, hook=fail_for_alice, batch=99) as setup:
        await setup.until_taken(len(people))
    assert 0 < len(threads) <= 4
    assert setup.counts == {"waiting": 1, "sent": len(people), "undeliverable": 0}


async def test_a_notice_that_cannot_be_composed_blocks_no_other() -> None:
    """It is retried a limited number of times. As it is our bug, no opponent is told."""
    setup = WorkerSetup(ALICE, BOB, hook=fail_for_alice)
    setup.writer.run_sync(lambda unit: unit.outbox.queue(Notice(Kind.SHOW, BOB, game=99), NOW))
    async with running(setup=setup):
        await setup.rest()
        assert setup.recipients == [BOB]
        assert setup.counts == {"waiting": 2, "sent": 1, "undeliverable": 0}
        assert "ZeroDivisionError" in (setup.writer.queue[0].error or "")
        await setup.pass_time(26 * HOUR, step=450)
    assert setup.counts == {"waiting": 0, "sent": 1, "undeliverable": 2}
    assert setup.writer.queue[0].due.attempts == MAX_COMPOSE_TRIES
    assert "ZeroDivisionError" in (setup.writer.queue[0].error or "")
    assert setup.lost == []


TRANSIENT = [
    RuntimeError("can't start new thread"),
    BlockingIOError(errno.EAGAIN, "fork"),
    OSError(errno.EMFILE, "open"),
    MemoryError(),
    BrokenProcessPool(),
]


@pytest.mark.parametrize("fault", TRANSIENT, ids=repr)
async def test_a_transient_error_while_composing_loses_no_letter(fault: Exception) -> None:
    """It is retried with growing delays."""
    async with running(ALICE, BOB, hook=fails(fault)) as setup:
        await setup.rest()
        await setup.pass_time(HOUR)
        assert setup.counts == {"waiting": 2, "sent": 0, "undeliverable": 0}
        setup.composer.hook = nothing
        await setup.pass_time(HOUR / 2)
    assert setup.counts["sent"] == 2


async def test_a_transient_error_of_a_thread_loses_no_letter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An error before the first letter is begun reaches the caller that waits."""
    async with running(ALICE, BOB) as setup:
        with monkeypatch.context() as broken:
            broken.setattr(asyncio, "to_thread", fails(TRANSIENT[0]))
            await setup.rest()
            assert setup.counts == {"waiting": 2, "sent": 0, "undeliverable": 0}
        await setup.pass_time(60)
    assert setup.counts["sent"] == 2


@pytest.mark.parametrize("fault", [MemoryError(), Temporary("The disk is full.")], ids=repr)
async def test_a_failing_store_is_retried(fault: Exception) -> None:
    """Nothing is sent meanwhile; afterwards everything is."""
    async with running(ALICE) as setup:
        setup.writer.before = fails(fault)
        await setup.rest()
        assert setup.carrier.taken == []
        setup.writer.before = nothing
        await setup.pass_time(60)
    assert setup.counts["sent"] == 1


def failing_to_record_sent(setup: WorkerSetup) -> Callable[[], None]:
    """A transaction that fails once a letter was sent, as if we died after the server's 250."""

    def fail() -> None:
        if any(one.status == "sent" for one in setup.writer.queue):
            raise Temporary("The disk is gone.")

    return fail


async def test_a_crash_after_the_servers_250_repeats_the_same_bytes() -> None:
    """The one unavoidable repetition."""
    setup = WorkerSetup(ALICE)
    setup.writer.after = failing_to_record_sent(setup)
    task = asyncio.create_task(setup.worker.run())
    await setup.until_taken(1)
    task.cancel()
    assert setup.counts["waiting"] == 1
    setup.writer.after = nothing
    setup.writer.run_sync(lambda unit: unit.outbox.end_leases(NOW))
    async with running(writer=setup.writer, hook=fail_for_alice) as second:
        await second.until_counted(sent=1)
    assert second.carrier.taken == setup.carrier.taken


async def test_a_letter_claimed_by_another_daemon_is_not_sent() -> None:
    """Neither at the first try nor at a retry, after ours had lost the store."""
    async with running(answer=FULL) as setup:
        setup.queue(ALICE)
        overtaken = list[bool]()

        def overtake() -> None:
            if not overtaken and any(one.lease for one in setup.writer.queue):
                overtaken.append(True)
                setup.writer.run_sync(lambda unit: unit.outbox.end_leases(NOW + timedelta(hours=1)))

        setup.writer.after = overtake
        for tries in (0, 1):
            overtaken.clear()
            await setup.until(lambda: bool(overtaken), step=1)
            await setup.rest()
            assert (len(setup.carrier.tries), setup.counts["waiting"]) == (tries, 1)
            await setup.until(lambda: len(setup.carrier.tries) == tries + 1, step=1)  # noqa: B023


async def test_a_try_with_an_expired_lease_reports_no_outcome() -> None:
    """The new lease holder reports it."""
    setup = WorkerSetup(ALICE)

    def refuse(_to: str) -> None:
        setup.writer.run_sync(lambda unit: unit.outbox.end_leases(NOW))
        setup.writer.run_sync(lambda unit: unit.outbox.mark_sent(1, NOW))
        raise Undeliverable("no such mailbox", status="5.1.1")

    setup.carrier.answer = refuse
    async with running(setup=setup):
        await setup.until(lambda: len(setup.carrier.tries) == 1)
        await setup.rest()
    assert (setup.counts["sent"], setup.lost) == (1, [])


async def test_a_daemon_without_a_heartbeat_claims_no_letter() -> None:
    """Another daemon would claim it too."""
    async with running() as setup:
        setup.may_claim = False
        setup.queue(ALICE)
        setup.writer.run_sync(setup.worker.claim_queued)()
        for _ in range(5):
            await setup.rest()
            setup.clock.advance(1)
        assert not setup.carrier.tries
        setup.may_claim = True
        await setup.until_taken(1, step=1)


async def test_a_failed_record_of_an_outcome_is_retried(log: Log) -> None:
    """No letter is sent twice, however long the disk is full; it is logged once recorded."""
    setup = WorkerSetup(ALICE, BOB)
    setup.writer.after = failing_to_record_sent(setup)
    async with running(setup=setup):
        await setup.until_taken(2)
        end = setup.clock.now() + timedelta(seconds=3 * LEASE)
        await setup.until(lambda: setup.clock.now() > end, step=30)
        assert {entry["event"] for entry in log} == {"outbox.outcome-not-saved"}
        assert setup.counts == {"waiting": 2, "sent": 0, "undeliverable": 0}
        setup.writer.after = nothing
        await setup.until_counted(step=1, sent=2)
        await setup.pass_time(2 * LEASE)
    assert [entry["event"] for entry in log].count("outbox.sent") == 2
    assert len(setup.carrier.tries) == 2


async def test_a_letter_claimed_again_before_its_retry_is_sent() -> None:
    """The store was away for longer than the delay; the lease had to expire."""
    setup = WorkerSetup(ALICE, answer=FULL)
    claimed_again = list[bool]()

    async def keep_waiting() -> None:
        if setup.writer.queue[0].error and not claimed_again:
            claimed_again.append(True)
            setup.carrier.answer = nothing
            setup.clock.advance(LEASE / 2)
            await setup.until(lambda: setup.writer.queue[0].lease is not None)

    setup.writer.after = keep_waiting
    async with running(setup=setup):
        await setup.until(lambda: bool(claimed_again))
        await setup.until_counted(sent=1)
    assert len(setup.carrier.tries) == 2


# -- the end of the day ------------------------------------------------------------------------
async def test_closing_finishes_the_letter_being_delivered() -> None:
    """Others wait for the next start."""
    async with running(ALICE, BOB, batch=1, waits=lambda *_: True) as setup:
        await setup.until(lambda: len(setup.carrier.tries) == 1)
        closing = asyncio.create_task(setup.worker.close(5))
        await asyncio.sleep(0)
        assert not setup.carrier.closed
        setup.carrier.gate.set()
        await closing
    assert setup.counts == {"waiting": 1, "sent": 1, "undeliverable": 0}
    assert setup.carrier.closed


async def test_closing_has_a_timeout() -> None:
    """A letter whose server never answers stays queued."""
    async with running(ALICE, waits=lambda *_: True) as setup:
        await setup.until(lambda: len(setup.carrier.tries) == 1)
        await setup.worker.close(0.05)
    assert setup.counts["waiting"] == 1


async def test_closing_a_worker_that_never_ran() -> None:
    """It returns at once."""
    await WorkerSetup().worker.close(5)


async def test_a_refused_letter_is_set_aside_and_counted() -> None:
    """It is tried once. Its status counts against the address."""
    codes = {ALICE: "5.1.1", BOB: "5.7.1", CAROL: ""}

    def refuse(recipient: str) -> None:
        code = codes[recipient]
        raise Undeliverable("No.", detail=f"550 {code}", status=code)

    async with running(*codes, answer=refuse) as setup:
        await setup.until_counted(undeliverable=3)
        await setup.pass_time(HOUR)
    assert len(setup.carrier.tries) == 3
    assert [one.error for one in setup.writer.queue] == [f"550 {code}" for code in codes.values()]
    assert sorted(setup.lost) == [(to, f"550 {code}", code) for to, code in codes.items()]


async def test_an_error_while_counting_a_refusal_blocks_no_letter() -> None:
    """The letter is still set aside, and the next one is tried."""
    refuse = fails(Undeliverable("No.", detail="550 5.1.1", status="5.1.1"))
    lost = fails(ZeroDivisionError())
    async with running(ALICE, ALICE, answer=refuse, on_lost=lost) as setup:
        await setup.until_counted(step=1, undeliverable=2)


class Retrying(Writer):
    """A writer that runs a failed unit a second time, as on a server."""

    async def run(self, work: Callable[[MemoryUnit], T]) -> T:
        try:
            return await super().run(work)
        except ZeroDivisionError:
            return await super().run(work)


async def test_the_callback_runs_again_with_its_transaction() -> None:
    """Else a clock would not start if another daemon came between."""
    tries = list[str]()

    def tell(_unit: Unit, notice: Notice) -> None:
        tries.append(notice.to)
        if len(tries) == 1:
            raise ZeroDivisionError

    async with running(ALICE, writer=Retrying(), on_sent=tell) as setup:
        await setup.until_counted(step=1, sent=1)
    assert tries == [ALICE, ALICE]


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (Deferred("Later.", detail="450 4.2.1 full", status="4.2.1"), "4.2.1"),
        (Temporary("Nobody there.", detail="450 4.2.1 full"), ""),
        (TimeoutError(), ""),
    ],
)
async def test_a_letter_given_up_is_reported(fault: Exception, status: str) -> None:
    """With the status, if the recipient's server deferred it."""
    async with running(ALICE, answer=fails(fault)) as setup:
        await setup.pass_time(HOUR)
        assert setup.lost == []
        setup.clock.advance(5 * 24 * HOUR)
        await setup.until(lambda: bool(setup.lost))
    ((to, error, code),) = setup.lost
    assert (to, code) == (ALICE, status)
    assert error.startswith("given up: ")


@pytest.mark.parametrize("verp", [True, False])
async def test_envelope_senders(verp: bool) -> None:
    """With VERP each letter has its own; an answer never has one (RFC 3834, 3.3)."""
    setup = WorkerSetup(ALICE, BOB, verp=verp)
    setup.queue(ALICE, answers="<1@a.example>")
    async with running(setup=setup):
        await setup.until_counted(sent=3)
    senders = sorted(sender for _, sender, _ in setup.carrier.taken)
    if not verp:
        assert senders == ["", ADDRESS, ADDRESS]
        return
    found = [tokens.token_of(sender, ADDRESS) for sender in senders[1:]]
    assert senders[0] == ""
    assert {one.fields[0] for one in found if one and one.is_valid(KEY)} == {f"{1:016}", f"{2:016}"}
