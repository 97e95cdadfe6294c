"""The outbox worker sends every queued letter once, whatever fails."""

import asyncio
import errno
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, MutableMapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from typing import Any, TypeVar

import pytest
import structlog

from godaemon.errors import PutOff, Temporary, Undeliverable
from godaemon.games.notices import Kind, Notice
from godaemon.games.stored_values import Unit
from mailgate import tokens
from mailgate.delivery.composing_thread import AT_ONCE, ComposingThread, Sign
from mailgate.delivery.outbox_worker import (
    COMPOSE_TRIES,
    LEASE,
    OutboxTerms,
    OutboxWorker,
    Outcomes,
)
from mailgate.delivery.smarthost import SmarthostDelivery
from mailgate.delivery.ways_out import Delivery
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.letter_data import Addition, LetterData
from tests.support.hand_clock import HandClock
from tests.support.letters import parsed
from tests.support.memory_store import MemoryUnit, MemoryWriter, Owed
from tests.support.next_hop import NextHop
from tests.support.played_games import ADDRESS, KEY
from tests.support.stores import NOW

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
class Carrier:
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
    def owed(self) -> list[Owed]:
        return [*self.state.outbox.values()]


class WithHook(Composer):
    """Writes what its hook gives, or a letter as usual if that is None."""

    def __init__(self, hook: Callable[[LetterData], Composed | None]) -> None:
        super().__init__(KEY, ADDRESS, "Go by mail", invitation_days=14)
        self.hook = hook

    def compose(self, data: LetterData) -> Composed:
        return self.hook(data) or super().compose(data)


def not_to_alice(data: LetterData) -> None:
    """Fail for a letter to Alice."""
    if data.notice.to == ALICE:
        raise ZeroDivisionError


def kind_alone(data: LetterData) -> Composed:
    """A letter that says its kind."""
    return Composed(f"<{data.uid}@x.example>", data.notice.kind.encode())


@pytest.fixture(autouse=True)
def log() -> Iterator[Log]:
    with structlog.testing.capture_logs() as entries:
        yield entries


class Round:
    """A worker by a clock that is turned by hand."""

    def __init__(
        self,
        *to: str,
        writer: Writer | None = None,
        delivery: Delivery | None = None,
        hook: Callable[[LetterData], Composed | None] = nothing,
        answer: Callable[[str], None] = nothing,
        waits: Callable[[str, bytes], bool] = lambda *_: False,
        sign: Sign = lambda raw, _: raw,
        additions: Sequence[Addition] = (),
        batch: int = 4,
        verp: bool = True,
        patient: Writer | None = None,
        **outcomes: Any,  # noqa: ANN401 - those of `Outcomes`
    ) -> None:
        self.clock = HandClock(NOW)
        self.writer, self.carrier = writer or Writer(), Carrier(answer=answer, waits=waits)
        self.composer = WithHook(hook)
        self.grace, self.may_claim = False, True
        self.lost: list[tuple[str, str, str]] = []
        """The lost letters, with recipient, error and status."""
        self.worker = OutboxWorker(
            self.writer,
            ComposingThread(self.composer, sign, additions),
            delivery or self.carrier,
            self.clock,
            OutboxTerms(
                *(5, 900, 5, verp, batch, lambda: 0.5),
                in_grace=lambda _now: self.grace,
                may_claim=lambda: self.may_claim,
            ),
            Outcomes(patient or self.writer, **{"on_lost": self._note_lost, **outcomes}),
        )
        self.owe(*to)

    def _note_lost(self, _unit: Unit, notice: Notice, error: str, status: str) -> None:
        self.lost.append((notice.to, error, status))

    def owe(self, *to: str, kind: Kind = Kind.HELP, answers: str = "") -> None:
        """Queue a letter to each recipient, and wake the worker."""
        for address in to:
            notice = Notice(kind, address, answers=answers)
            self.writer.run_sync(lambda unit, notice=notice: unit.outbox.owe(notice, NOW))  # type: ignore[misc]
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
        async with asyncio.timeout(40):
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
async def at_work(
    *to: str,
    made: Round | None = None,
    **options: Any,  # noqa: ANN401 - those of `Round`
) -> AsyncIterator[Round]:
    """A worker that works until the end of the block, with a letter owed to each of these."""
    made = made or Round(*to, **options)
    task = asyncio.create_task(made.worker.run())
    try:
        yield made
    finally:
        await made.worker.close(5)
        await task


# -- the ordinary day --------------------------------------------------------------------------
async def test_letters_go_out_and_are_logged(log: Log) -> None:
    """Each queued letter is delivered, marked as sent, and logged in one line."""
    async with at_work(ALICE, BOB) as made:
        await made.rest()
        assert sorted(made.recipients) == [ALICE, BOB]
        made.owe(CAROL)
        await made.until_taken(3)
    assert made.counts == {"waiting": 0, "sent": 3, "undeliverable": 0}
    lines = [entry for entry in log if entry["event"] == "outbox.sent"]
    assert len(lines) == 3
    to, _, raw = made.carrier.taken[0]
    assert lines[0] == {
        "event": "outbox.sent",
        "log_level": "info",
        "game": None,
        "seat": None,
        "notice": "help",
        "message_id": parsed(raw)["Message-ID"],
        "recipient": to,
    }
    assert made.carrier.closed


async def test_only_what_became_of_a_letter_is_recorded_patiently() -> None:
    """It can wait for other work; a letter that is to go out cannot."""
    writer, unsent = Writer(), list[int]()
    patient = Writer(second=writer)
    async with at_work(ALICE, BOB, writer=writer, patient=patient) as made:
        patient.after = lambda: unsent.append(made.counts["waiting"])
        await made.rest()
    assert unsent == [1, 0]


async def test_bytes_are_stored_before_the_first_try() -> None:
    """When the carrier sees the letter, the outbox holds the very same one."""
    stored: list[bytes | None] = []
    async with at_work() as made:
        made.carrier.answer = lambda _: stored.extend(one.due.letter for one in made.writer.owed)
        made.owe(ALICE)
        await made.until_taken(1)
    assert stored == [made.carrier.taken[0][2]]


async def test_a_letter_is_signed_once() -> None:
    """A second try sends the very same bytes."""
    signed: list[bytes] = []

    def sign(raw: bytes, notice: Notice) -> bytes:
        signed.append(f"Signed: {len(signed)} to {notice.to}\r\n".encode() + raw)
        return signed[-1]

    async with at_work(ALICE, sign=sign, answer=FULL) as made:
        await made.rest()
        made.carrier.answer = nothing
        await made.pass_time(60)
    assert [raw for _, _, raw in made.carrier.taken] == signed
    assert len(made.carrier.tries) == 2
    assert signed[0].startswith(b"Signed: 0 to alice@a.example\r\nFrom: ")


async def test_a_letter_goes_out_without_what_an_engine_fails_to_say(log: Log) -> None:
    """Whatever the failure, it is logged, and the rest of the letter is written as ever."""
    async with at_work(ALICE, additions=(fails(ArithmeticError()),)) as made:
        await made.until_counted(sent=1)
    assert "outbox.no-addition" in [entry["event"] for entry in log]


async def test_one_persons_letters_keep_their_order() -> None:
    """Several letters to one person go out in the order of their events."""
    kinds = [Kind.HELP, Kind.GAMES, Kind.SETTINGS, Kind.TROUBLE] * 3
    made = Round()
    for kind in kinds:
        made.owe(ALICE, kind=kind)
    async with at_work(made=made):
        await made.until_taken(len(kinds))
    assert [parsed(raw)["X-Godaemon-Notice"] for _, _, raw in made.carrier.taken] == kinds


async def test_more_letters_than_hands() -> None:
    """A crowd of letters is worked off a few at a time."""
    async with at_work(*CROWD, batch=3) as made:
        await made.until_taken(40)
    assert len(set(made.carrier.tries)) == len(made.carrier.tries) == 40


def slow_reviews() -> Round:
    """A worker whose letters contain their kind, and whose reviews wait for the gate."""
    return Round(batch=2, hook=kind_alone, waits=lambda _, raw: raw == b"review")


@pytest.mark.parametrize("agreement", ["done", "dead B2\r\ndone"])
async def test_what_a_yes_agrees_to_is_kept(agreement: str) -> None:
    """In the notice, if it is more than `done`."""
    async with at_work(ALICE, hook=lambda _: Composed("<1@x>", b"", agreement)) as made:
        await made.until_counted(sent=1)
    (owed,) = made.writer.owed
    assert owed.due.notice.about.get("agreement", "done") == agreement


async def test_nothing_waits_for_a_review() -> None:
    """Neither another letter to the same person, nor a crowd's while every hand has a review."""
    made = slow_reviews()
    made.owe(ALICE, BOB, ALICE, kind=Kind.REVIEW)
    made.owe(ALICE, BOB, CAROL, ALICE)
    async with at_work(made=made):
        await made.until_taken(4)
        made.carrier.gate.set()
        await made.until_taken(7)
    assert {raw for _, _, raw in made.carrier.taken[4:]} == {b"review"}


async def test_a_crowd_s_reviews_wait_for_each_other() -> None:
    """Claiming all at once would fill the memory; letters due later do not block others."""
    made = slow_reviews()
    made.owe(*CROWD[:9], kind=Kind.REVIEW)
    made.owe(ALICE)
    async with at_work(made=made):
        await made.until_taken(1)
        made.owe(BOB)
        await made.until_taken(2)
        assert len(made.carrier.tries) - 2 < 2 * 2
        made.carrier.gate.set()
        await made.until_taken(11)


async def test_many_letters_to_one_person_keep_nobody_waiting() -> None:
    """They are sent in sequence; those beyond the limit stay in the store."""
    async with at_work(*[ALICE] * 10, BOB, batch=2, waits=lambda to, _: to == ALICE) as made:
        await made.until_taken(1)
        assert made.recipients == [BOB]
        made.owe(*[ALICE] * 20)
        await made.until(lambda: len(made.worker._running) == 18)
        made.carrier.gate.set()
        await made.until_taken(31)


# -- trouble -----------------------------------------------------------------------------------
async def test_a_server_down_for_an_hour_loses_and_repeats_nothing() -> None:
    """Real connections are refused for an hour; then each letter arrives, once."""
    hop = NextHop()
    await hop.start()
    await hop.stop()
    delivery = SmarthostDelivery("127.0.0.1", hop.port, timeout=5)
    async with at_work(*CROWD[:6], delivery=delivery) as made:
        await made.rest()
        await made.pass_time(HOUR)
        assert made.counts["waiting"] == 6
        await hop.start()
        await made.pass_time(HOUR / 2)
        assert made.counts["sent"] == 6
    await hop.stop()
    ids = [str(parsed(raw)["Message-ID"]) for _, _, raw in hop.taken]
    assert len(ids) == len(set(ids)) == 6


async def test_each_wait_is_twice_the_last() -> None:
    """Tries come at doubling distances, up to the limit, and end after days with the reason."""
    tried: list[float] = []
    made = Round(ALICE)

    def refuse(to: str) -> None:
        tried.append((made.clock.now() - NOW).total_seconds())
        FULL(to)

    made.carrier.answer = refuse
    async with at_work(made=made):
        await made.pass_time(2 * HOUR, step=1)
        waits = [round(after - before) for before, after in pairwise(tried)]
        assert waits[:8] == [5, 10, 20, 40, 80, 160, 320, 640]
        assert set(waits[8:]) == {900}
        made.clock.advance(5 * 24 * HOUR)
        await made.until_counted(undeliverable=1)
    assert [one.error for one in made.writer.owed] == ["given up: 450 full"]


async def test_a_clock_that_goes_back_leaves_no_letter_waiting_for_a_month() -> None:
    """What waits for a moment to which no wait of ours can lead goes out within a minute."""
    async with at_work(ALICE) as made:
        made.grace = True
        made.clock.step(MONTH)
        made.carrier.answer = FULL
        await made.rest()
        made.carrier.answer = nothing
        made.clock.step(-MONTH)
        await made.pass_time(90)
        assert made.counts["sent"] == 1


async def test_nothing_is_given_up_in_grace() -> None:
    """After the clock has left out a month, a letter is tried for some days more."""
    async with at_work(ALICE, answer=FULL) as made:
        await made.rest()
        made.grace = True
        made.clock.advance(MONTH)
        await made.until(lambda: len(made.carrier.tries) == 2)
        await made.rest()
        assert made.counts["waiting"] == 1
        made.grace = False
        made.clock.advance(HOUR)
        await made.until_counted(undeliverable=1)


async def test_refused_for_good_is_set_aside() -> None:
    """It is tried once, and stays for the operator with the server's words."""
    refuse = fails(Undeliverable("no", detail="550 no such user"))
    async with at_work(ALICE, answer=refuse) as made:
        await made.until_counted(undeliverable=1)
        await made.pass_time(HOUR)
    assert len(made.carrier.tries) == 1
    assert [one.error for one in made.writer.owed] == ["550 no such user"]


async def test_a_bug_in_a_delivery_is_tried_again(log: Log) -> None:
    """What no one foresaw is logged with its traceback and costs no letter."""
    async with at_work(ALICE, answer=fails(KeyError("surprise"))) as made:
        await made.rest()
        made.carrier.answer = nothing
        await made.pass_time(60)
    assert made.counts["sent"] == 1
    assert [entry["log_level"] for entry in log][:2] == ["error", "warning"]


async def test_letters_that_wait_are_composed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """On one thread after the other, and what cannot be written is a failure of its own."""
    threads: list[object] = []
    to_thread = asyncio.to_thread

    async def counted(work: Callable[..., T], *values: object) -> T:
        threads.append(work)
        return await to_thread(work, *values)

    monkeypatch.setattr(asyncio, "to_thread", counted)
    people = CROWD[: 2 * AT_ONCE]
    async with at_work(ALICE, *people, hook=not_to_alice, batch=99) as made:
        await made.until_taken(len(people))
    assert len(threads) <= 4
    assert made.counts == {"waiting": 1, "sent": len(people), "undeliverable": 0}


async def test_a_notice_that_cannot_be_written_stops_no_other() -> None:
    """It waits with what went wrong, and the ones behind it go out; so many tries, and no more.

    It is our fault: no opponent hears that somebody cannot be reached.
    """
    made = Round(ALICE, BOB, hook=not_to_alice)
    made.writer.run_sync(lambda unit: unit.outbox.owe(Notice(Kind.SHOW, BOB, game=99), NOW))
    async with at_work(made=made):
        await made.rest()
        assert made.recipients == [BOB]
        assert made.counts == {"waiting": 2, "sent": 1, "undeliverable": 0}
        assert "ZeroDivisionError" in (made.writer.owed[0].error or "")
        await made.pass_time(26 * HOUR, step=450)
    assert made.counts == {"waiting": 0, "sent": 1, "undeliverable": 2}
    assert made.writer.owed[0].due.attempts == COMPOSE_TRIES
    assert "ZeroDivisionError" in (made.writer.owed[0].error or "")
    assert made.lost == []


PASSING = [
    RuntimeError("can't start new thread"),
    BlockingIOError(errno.EAGAIN, "fork"),
    OSError(errno.EMFILE, "open"),
    MemoryError(),
    BrokenProcessPool(),
]


@pytest.mark.parametrize("fault", PASSING, ids=repr)
async def test_a_passing_fault_while_composing_costs_no_letter(fault: Exception) -> None:
    """Nobody knows that it will pass; so it is tried again, later each time."""
    async with at_work(ALICE, BOB, hook=fails(fault)) as made:
        await made.rest()
        await made.pass_time(HOUR)
        assert made.counts == {"waiting": 2, "sent": 0, "undeliverable": 0}
        made.composer.hook = nothing
        await made.pass_time(HOUR / 2)
    assert made.counts["sent"] == 2


@pytest.mark.parametrize("fault", PASSING, ids=repr)
async def test_a_passing_fault_of_the_threads_costs_no_letter(
    fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error before the first letter is begun reaches the caller that waits."""
    async with at_work(ALICE, BOB) as made:
        with monkeypatch.context() as broken:
            broken.setattr(asyncio, "to_thread", fails(fault))
            await made.rest()
            assert made.counts == {"waiting": 2, "sent": 0, "undeliverable": 0}
        await made.pass_time(60)
    assert made.counts["sent"] == 2


@pytest.mark.parametrize("fault", [MemoryError(), Temporary("The disk is full.")], ids=repr)
async def test_a_store_that_fails_is_waited_for(fault: Exception) -> None:
    """Nothing is sent while it fails, whatever the fault; when it works again, everything is."""
    async with at_work(ALICE) as made:
        made.writer.before = fails(fault)
        await made.rest()
        assert made.carrier.taken == []
        made.writer.before = nothing
        await made.pass_time(60)
    assert made.counts["sent"] == 1


async def test_letters_are_not_written_on_the_loop() -> None:
    """Composing takes milliseconds, in which the loop would answer nobody."""
    threads = set[int]()
    async with at_work(ALICE, BOB, hook=lambda _: threads.add(threading.get_ident())) as made:
        await made.until_taken(2)
    assert threads
    assert threading.get_ident() not in threads


def forgetful(made: Round) -> Callable[[], None]:
    """A writer that cannot record what was sent, as if we died after the server's 250."""

    def fail() -> None:
        if any(one.status == "sent" for one in made.writer.owed):
            raise Temporary("The disk is gone.")

    return fail


async def test_a_crash_after_the_servers_250_sends_the_same_letter() -> None:
    """The one unavoidable repetition is the same letter byte for byte."""
    made = Round(ALICE)
    made.writer.after = forgetful(made)
    task = asyncio.create_task(made.worker.run())
    await made.until_taken(1)
    task.cancel()
    assert made.counts["waiting"] == 1
    made.writer.after = nothing
    made.writer.run_sync(lambda unit: unit.outbox.end_leases(NOW))
    async with at_work(writer=made.writer, hook=not_to_alice) as second:
        await second.until_counted(sent=1)
    assert second.carrier.taken == made.carrier.taken


async def test_a_letter_that_was_taken_over_is_let_go() -> None:
    """Another daemon has claimed it while ours had lost the store: at the first try and later."""
    async with at_work(answer=FULL) as made:
        made.owe(ALICE)
        overtaken = list[bool]()

        def overtake() -> None:
            if not overtaken and any(one.lease for one in made.writer.owed):
                overtaken.append(True)
                made.writer.run_sync(lambda unit: unit.outbox.end_leases(NOW + timedelta(hours=1)))

        made.writer.after = overtake
        for tries in (0, 1):
            overtaken.clear()
            await made.until(lambda: bool(overtaken), step=1)
            await made.rest()
            assert (len(made.carrier.tries), made.counts["waiting"]) == (tries, 1)
            await made.until(lambda: len(made.carrier.tries) == tries + 1, step=1)  # noqa: B023


async def test_a_try_that_another_has_gone_on_with_is_not_told_of() -> None:
    """Ours was suspended, and then refused; the new lease holder reports the outcome."""
    made = Round(ALICE)

    def refuse(_to: str) -> None:
        made.writer.run_sync(lambda unit: unit.outbox.end_leases(NOW))
        made.writer.run_sync(lambda unit: unit.outbox.mark_sent(1, NOW))
        raise Undeliverable("no such mailbox", status="5.1.1")

    made.carrier.answer = refuse
    async with at_work(made=made):
        await made.until(lambda: len(made.carrier.tries) == 1)
        await made.rest()
    assert (made.counts["sent"], made.lost) == (1, [])


async def test_nothing_is_claimed_by_who_is_taken_for_dead() -> None:
    """Another would have it, too; once they are seen to live it goes out."""
    async with at_work() as made:
        made.may_claim = False
        made.owe(ALICE)
        made.writer.run_sync(made.worker.claim_owed)()
        for _ in range(5):
            await made.rest()
            made.clock.advance(1)
        assert not made.carrier.tries
        made.may_claim = True
        await made.until_taken(1, step=1)


async def test_a_note_that_fails_is_written_again_from_memory() -> None:
    """Where nothing has died no letter goes out twice, however long the disk is full."""
    made = Round(ALICE, BOB)
    made.writer.after = forgetful(made)
    async with at_work(made=made):
        await made.until_taken(2)
        end = made.clock.now() + timedelta(seconds=3 * LEASE)
        await made.until(lambda: made.clock.now() > end, step=30)
        assert made.counts == {"waiting": 2, "sent": 0, "undeliverable": 0}
        made.writer.after = nothing
        await made.until_counted(step=1, sent=2)
        await made.pass_time(2 * LEASE)
    assert len(made.carrier.tries) == 2


async def test_what_was_sent_is_noted_before_it_is_logged(log: Log) -> None:
    """A log may be slow, or worse: the letter does not go out again for that."""
    made = Round(ALICE)
    made.writer.after = forgetful(made)
    async with at_work(made=made):
        await made.until(lambda: bool(log))
        assert [entry["event"] for entry in log] == ["outbox.not-noted"]
        made.writer.after = nothing
        await made.until(lambda: log[-1]["event"] == "outbox.sent", step=1)
        assert made.counts["sent"] == 1


async def test_a_letter_that_is_claimed_again_before_its_retry_is_told() -> None:
    """The store was away longer than the retry time: the letter waited for the end of its lease."""
    made = Round(ALICE, answer=FULL)
    claimed_again = list[bool]()

    async def keep_waiting() -> None:
        if made.writer.owed[0].error and not claimed_again:
            claimed_again.append(True)
            made.carrier.answer = nothing
            made.clock.advance(LEASE / 2)
            await made.until(lambda: made.writer.owed[0].lease is not None)

    made.writer.after = keep_waiting
    async with at_work(made=made):
        await made.until(lambda: bool(claimed_again))
        await made.until_counted(sent=1)
    assert len(made.carrier.tries) == 2


# -- the end of the day ------------------------------------------------------------------------
async def test_stopping_finishes_what_is_in_hand() -> None:
    """A letter that is being handed over is finished; others wait for the next start."""
    async with at_work(ALICE, BOB, batch=1, waits=lambda *_: True) as made:
        await made.until(lambda: len(made.carrier.tries) == 1)
        closing = asyncio.create_task(made.worker.close(5))
        await asyncio.sleep(0)
        assert not made.carrier.closed
        made.carrier.gate.set()
        await closing
    assert made.counts == {"waiting": 1, "sent": 1, "undeliverable": 0}
    assert made.carrier.closed


async def test_stopping_does_not_wait_for_ever() -> None:
    """A server that never answers holds nobody up; its letter stays owed."""
    async with at_work(ALICE, waits=lambda *_: True) as made:
        await made.until(lambda: len(made.carrier.tries) == 1)
        await made.worker.close(0.05)
    assert made.counts["waiting"] == 1


async def test_closing_one_that_never_worked() -> None:
    """Closing comes back at once."""
    await Round().worker.close(5)


async def test_a_refusal_counts_against_the_address() -> None:
    """A rejection by the recipient's server is reported with its status; a composing error too."""
    codes = {ALICE: "5.1.1", BOB: "5.7.1", CAROL: ""}

    def refuse(recipient: str) -> None:
        code = codes[recipient]
        raise Undeliverable("No.", detail=f"550 {code}", status=code)

    async with at_work(*codes, answer=refuse) as made:
        await made.until_counted(undeliverable=3)
    assert sorted(made.lost) == [(to, f"550 {code}", code) for to, code in codes.items()]


async def test_a_fault_in_counting_a_refusal_holds_nothing_up() -> None:
    """The letter is still set aside, and the next one to that person goes out."""
    refuse = fails(Undeliverable("No.", detail="550 5.1.1", status="5.1.1"))
    lost = fails(ZeroDivisionError())
    async with at_work(ALICE, ALICE, answer=refuse, on_lost=lost) as made:
        await made.until_counted(step=1, undeliverable=2)


class Crossed(Writer):
    """A writer that runs a failed unit a second time, as on a server."""

    async def run(self, work: Callable[[MemoryUnit], T]) -> T:
        try:
            return await super().run(work)
        except ZeroDivisionError:
            return await super().run(work)


async def test_who_is_told_of_a_letter_is_told_where_the_writer_runs_it_again() -> None:
    """The first time another daemon came between: no game is left without its clock for that."""
    tries = list[str]()

    def tell(_unit: Unit, notice: Notice) -> None:
        tries.append(notice.to)
        if len(tries) == 1:
            raise ZeroDivisionError

    async with at_work(ALICE, writer=Crossed(), on_sent=tell) as made:
        await made.until_counted(step=1, sent=1)
    assert tries == [ALICE, ALICE]


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (PutOff("Later.", detail="450 4.2.1 full", status="4.2.1"), "4.2.1"),
        (Temporary("Nobody there.", detail="450 4.2.1 full"), ""),
        (TimeoutError(), ""),
    ],
)
async def test_a_letter_that_was_given_up_is_reported(fault: Exception, status: str) -> None:
    """After days of tries; whether it was the recipient's server that put it off is known."""
    async with at_work(ALICE, answer=fails(fault)) as made:
        await made.pass_time(HOUR)
        assert made.lost == []
        made.clock.advance(5 * 24 * HOUR)
        await made.until(lambda: bool(made.lost))
    ((to, error, code),) = made.lost
    assert (to, code) == (ALICE, status)
    assert error.startswith("given up: ")


@pytest.mark.parametrize("verp", [True, False])
async def test_each_letter_has_an_envelope_sender_of_its_own(verp: bool) -> None:
    """By it a letter that comes back is known; without VERP it is our plain address.

    An answer has none, so that no program answers or bounces it (RFC 3834, 3.3).
    """
    made = Round(ALICE, BOB, verp=verp)
    made.owe(ALICE, answers="<1@a.example>")
    async with at_work(made=made):
        await made.until_counted(sent=3)
    senders = sorted(sender for _, sender, _ in made.carrier.taken)
    if not verp:
        assert senders == ["", ADDRESS, ADDRESS]
        return
    found = [tokens.token_of(sender, ADDRESS) for sender in senders[1:]]
    assert senders[0] == ""
    assert {one.fields[0] for one in found if one and one.is_valid(KEY)} == {f"{1:016}", f"{2:016}"}
