"""The outbox's worker: every letter that is owed goes out once, whatever happens on its way."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import AsyncIterator, Callable, Iterator, MutableMapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from typing import Any, ClassVar, TypeVar

import pytest
import structlog

from godaemon.errors import PutOff, Temporary, Undeliverable
from godaemon.games.notices import Kind, Notice
from godaemon.games.stored_values import Unit
from mailgate import tokens
from mailgate.delivery.outbox_worker import (
    AT_ONCE,
    COMPOSE_TRIES,
    LEASE,
    OutboxWorker,
)
from mailgate.delivery.smarthost import SmarthostDelivery
from mailgate.delivery.ways_out import Delivery, envelope_sender
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.letter_data import LetterData
from tests.support.hand_clock import HandClock
from tests.support.letters import parsed
from tests.support.memory_store import MemoryUnit, MemoryWriter
from tests.support.next_hop import NextHop
from tests.support.played_games import ADDRESS, KEY
from tests.support.stores import NOW

T = TypeVar("T")
C = TypeVar("C", bound=Composer)
ALICE, BOB = "alice@a.example", "bob@b.example"
HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Patience:
    """As [mail.outgoing] has it."""

    retry_first: float = 5.0
    retry_limit: float = 900.0
    give_up_days: int = 5


@dataclass(slots=True)
class Carrier:
    """A delivery that keeps what it took; `answer` may raise, or wait, before it takes."""

    taken: list[tuple[str, str, bytes]] = field(default_factory=list)
    tries: list[str] = field(default_factory=list)
    answer: Callable[[str], None] = lambda _: None
    gate: asyncio.Event | None = None
    closed: bool = False

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Take it, unless told otherwise."""
        self.tries.append(uid)
        if self.gate is not None:
            await self.gate.wait()
        self.answer(recipient)
        self.taken.append((recipient, sender, raw))

    @staticmethod
    def refuse(_recipient: str) -> None:
        """Be full, for now."""
        raise Temporary("full", detail="450 full")

    async def close(self) -> None:
        self.closed = True


class Forgetful(MemoryWriter):
    """A writer that cannot note what was sent: as if we died after the server's 250."""

    forgetting = True

    async def run(self, work: Callable[[MemoryUnit], T]) -> T:
        """Fail where `work` would mark a letter sent."""
        before = self.state
        result = await super().run(work)
        if self.forgetting and any(owed.status == "sent" for owed in self.state.outbox.values()):
            self.state = before
            raise Temporary("The disk is gone.")
        return result


class Second(MemoryWriter):
    """Another way to the same store, which notes how many letters each unit left unsent."""

    def __init__(self, first: MemoryWriter) -> None:
        super().__init__()
        self.first = first
        self.unsent: list[int] = []

    async def run(self, work: Callable[[MemoryUnit], T]) -> T:
        result = await self.first.run(work)
        self.unsent.append(status(self.first)["waiting"])
        return result


class Overtaken(MemoryWriter):
    """A writer for whom the next lease ends as soon as it has begun, and goes to another."""

    overtaken = True

    async def run(self, work: Callable[[MemoryUnit], T]) -> T:
        result = await super().run(work)
        if not self.overtaken and any(owed.lease for owed in self.state.outbox.values()):
            self.overtaken = True
            self.run_sync(lambda unit: unit.outbox.end_leases(NOW + timedelta(hours=1)))
        return result


class Reclaimed(MemoryWriter):
    """A writer of which the note of a retry is answered after that letter was claimed again."""

    round: Round
    claimed = 0

    async def run(self, work: Callable[[MemoryUnit], T]) -> T:
        """Let so much time pass, and the worker look, before the answer is there."""
        result = await super().run(work)
        (owed,) = self.state.outbox.values()
        if owed.error and not self.claimed:
            self.claimed = 1
            self.round.clock.advance(LEASE / 2)
            await self.round.until(lambda: next(iter(self.state.outbox.values())).lease is not None)
        return result


def owe(writer: MemoryWriter, *to: str, kind: Kind = Kind.HELP, answers: str = "") -> None:
    for address in to:
        notice = Notice(kind, address, answers=answers)
        writer.run_sync(lambda unit, notice=notice: unit.outbox.owe(notice, NOW))  # type: ignore[misc]


def status(writer: MemoryWriter) -> dict[str, int]:
    """How many letters are where."""
    return writer.run_sync(lambda unit: unit.outbox.status_counts())


@pytest.fixture(autouse=True)
def log() -> Iterator[list[MutableMapping[str, Any]]]:
    with structlog.testing.capture_logs() as entries:
        yield entries


def letters_of(kind: type[C]) -> C:
    """One that composes, of that kind."""
    return kind(KEY, ADDRESS, "Go by mail", invitation_days=14)


class Round:
    """A worker by a clock that is turned by hand."""

    def __init__(
        self,
        writer: MemoryWriter,
        carrier: Delivery,
        composer: Composer | None = None,
        batch: int = 4,
        patient: MemoryWriter | None = None,
    ) -> None:
        self.clock = HandClock(NOW)
        self.grace, self.held = False, True
        self.worker = OutboxWorker(
            writer,
            composer or letters_of(Composer),
            carrier,
            self.clock,
            retry=Patience(),
            batch=batch,
            chance=lambda: 0.5,
            in_grace=lambda _now: self.grace,
            held=lambda: self.held,
            patient=patient,
        )

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for a condition, without turning the clock."""
        async with asyncio.timeout(40):
            while not true():  # noqa: ASYNC110 - the condition is anybody's
                await asyncio.sleep(0.001)

    async def turn_until(self, true: Callable[[], bool], step: float = 1.0) -> None:
        """Turn the clock until a condition holds."""

        def turned() -> bool:
            self.clock.advance(step)
            return true()

        await self.until(turned)

    async def rest(self) -> None:
        """Wait until there is nothing to do before time passes."""
        await self.until(lambda: self.clock.waiting and not self.worker._in_hand)

    async def pass_time(self, seconds: float, step: float = 30.0) -> None:
        """Let time pass, with rest after each step."""
        for _ in range(int(seconds / step)):
            self.clock.advance(step)
            await asyncio.sleep(0)
            await self.rest()


@asynccontextmanager
async def at_work(
    writer: MemoryWriter,
    carrier: Delivery,
    *to: str,
    composer: Composer | None = None,
    batch: int = 4,
    patient: MemoryWriter | None = None,
) -> AsyncIterator[Round]:
    """A worker that works until the end of the block, with a letter owed to each of those."""
    owe(writer, *to)
    made = Round(writer, carrier, composer, batch, patient)
    task = asyncio.create_task(made.worker.run())
    try:
        yield made
    finally:
        await made.worker.close(5)
        await task


# -- the ordinary day --------------------------------------------------------------------------
async def test_letters_go_out_and_are_logged(log: list[MutableMapping[str, Any]]) -> None:
    """Each owed letter is delivered, marked, and told of in one line."""
    writer, carrier = MemoryWriter(), Carrier()
    async with at_work(writer, carrier, ALICE, BOB) as made:
        await made.rest()
        assert sorted(to for to, _, _ in carrier.taken) == [ALICE, BOB]
        owe(writer, "carol@c.example")
        made.worker.notify()
        await made.until(lambda: len(carrier.taken) == 3)
    assert status(writer) == {"waiting": 0, "sent": 3, "undeliverable": 0}
    lines = [entry for entry in log if entry["event"] == "outbox.sent"]
    assert len(lines) == 3
    sent = parsed(carrier.taken[0][2])
    assert lines[0] == {
        "event": "outbox.sent",
        "log_level": "info",
        "game": None,
        "seat": None,
        "notice": "help",
        "message_id": sent["Message-ID"],
        "recipient": carrier.taken[0][0],
    }
    assert carrier.closed


async def test_only_what_became_of_a_letter_is_recorded_patiently() -> None:
    """It can wait for other work; a letter that is to go out cannot."""
    writer = MemoryWriter()
    patient = Second(writer)
    async with at_work(writer, Carrier(), ALICE, BOB, patient=patient) as made:
        await made.rest()
    assert patient.unsent == [1, 0]


async def test_bytes_are_stored_before_the_first_try() -> None:
    """When the carrier sees the letter, the outbox holds the very same one."""
    writer, carrier = MemoryWriter(), Carrier()
    owe(writer, ALICE)
    stored: list[bytes | None] = []
    carrier.answer = lambda _: stored.extend(
        owed.due.letter for owed in writer.state.outbox.values()
    )
    async with at_work(writer, carrier) as made:
        await made.rest()
    assert stored == [carrier.taken[0][2]]


async def test_a_letter_goes_out_without_what_an_engine_fails_to_say(
    log: list[MutableMapping[str, Any]],
) -> None:
    """Whatever the failure, it is logged, and the rest of the letter is written as ever."""

    async def fails(_: LetterData) -> LetterData:
        raise ArithmeticError

    writer, carrier = MemoryWriter(), Carrier()
    async with at_work(writer, carrier, ALICE) as made:
        made.worker._additions = (fails,)
        await made.until(lambda: status(writer)["sent"] == 1)
    assert "outbox.no-addition" in [entry["event"] for entry in log]


async def test_one_persons_letters_keep_their_order() -> None:
    """Who is told several things is told them in the order in which they happened."""
    writer, carrier = MemoryWriter(), Carrier()
    kinds = [Kind.HELP, Kind.GAMES, Kind.SETTINGS, Kind.TROUBLE] * 3
    for kind in kinds:
        owe(writer, ALICE, kind=kind)
    async with at_work(writer, carrier) as made:
        await made.until(lambda: len(carrier.taken) == len(kinds))
    assert [parsed(raw)["X-Godaemon-Notice"] for _, _, raw in carrier.taken] == kinds


async def test_more_letters_than_hands() -> None:
    """A crowd of letters is worked off a few at a time."""
    writer, carrier = MemoryWriter(), Carrier()
    owe(writer, *(f"p{number}@x.example" for number in range(40)))
    async with at_work(writer, carrier, batch=3) as made:
        await made.until(lambda: len(carrier.taken) == 40)
    assert len(set(carrier.tries)) == len(carrier.tries) == 40


class Kinds(Composer):
    """Writes of each letter its kind alone."""

    def __init__(self) -> None:
        super().__init__(KEY, ADDRESS, "Go by mail", invitation_days=14)

    def compose(self, data: LetterData) -> Composed:
        """The kind."""
        return Composed(f"<{data.uid}@x.example>", data.notice.kind.encode())


@dataclass(slots=True)
class SlowReviews(Carrier):
    """A delivery of letters that say their kinds; each review waits until all are `done`."""

    done: asyncio.Event = field(default_factory=asyncio.Event)
    reviews: int = 0
    """In hand."""

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        if raw == b"review":
            self.reviews += 1
            await self.done.wait()
        await Carrier.deliver(self, recipient, sender, raw, uid)


async def test_nothing_waits_for_a_review() -> None:
    """Neither another letter to the same person, nor a crowd's while every hand has a review."""
    writer, carrier = MemoryWriter(), SlowReviews()
    for who in (ALICE, BOB, ALICE):
        owe(writer, who, kind=Kind.REVIEW)
    owe(writer, ALICE, BOB, "carol@c.example", ALICE)
    async with at_work(writer, carrier, composer=Kinds(), batch=2) as made:
        await made.until(lambda: len(carrier.taken) == 4)
        carrier.done.set()
        await made.until(lambda: len(carrier.taken) == 7)
    assert {raw for _, _, raw in carrier.taken[4:]} == {b"review"}


async def test_a_crowd_s_reviews_wait_for_each_other() -> None:
    """All of them at once would fill the memory; a letter that becomes due later goes by them."""
    writer, carrier = MemoryWriter(), SlowReviews()
    for number in range(9):
        owe(writer, f"p{number}@x.example", kind=Kind.REVIEW)
    owe(writer, ALICE)
    async with at_work(writer, carrier, composer=Kinds(), batch=2) as made:
        await made.until(lambda: len(carrier.taken) == 1)
        owe(writer, BOB)
        made.worker.notify()
        await made.until(lambda: len(carrier.taken) == 2)
        assert carrier.reviews < 2 * 2
        carrier.done.set()
        await made.until(lambda: len(carrier.taken) == 11)


@dataclass(slots=True)
class SlowForAlice(Carrier):
    """A delivery in which all that goes to Alice waits until it is `done`."""

    done: asyncio.Event = field(default_factory=asyncio.Event)

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        if recipient == ALICE:
            await self.done.wait()
        await Carrier.deliver(self, recipient, sender, raw, uid)


async def test_many_letters_to_one_person_keep_nobody_waiting() -> None:
    """They stand in one line; more of them than can be held at a time stay in the store."""
    writer, carrier = MemoryWriter(), SlowForAlice()
    owe(writer, *[ALICE] * 10, BOB)
    async with at_work(writer, carrier, batch=2) as made:
        await made.until(lambda: len(carrier.taken) == 1)
        assert carrier.taken[0][0] == BOB
        owe(writer, *[ALICE] * 20)
        made.worker.notify()
        await made.until(lambda: len(made.worker._in_hand) == 18)
        carrier.done.set()
        await made.until(lambda: len(carrier.taken) == 31)


# -- trouble -----------------------------------------------------------------------------------
async def test_a_server_down_for_an_hour_loses_and_repeats_nothing() -> None:
    """Real connections are refused for an hour; then each letter arrives, once."""
    writer, hop = MemoryWriter(), NextHop()
    await hop.start()
    await hop.stop()
    owe(writer, *(f"p{number}@x.example" for number in range(6)))
    delivery = SmarthostDelivery("127.0.0.1", hop.port, timeout=5)
    async with at_work(writer, delivery) as made:
        await made.rest()
        await made.pass_time(HOUR)
        assert status(writer)["waiting"] == 6
        await hop.start()
        await made.pass_time(HOUR / 2)
        assert status(writer) == {"waiting": 0, "sent": 6, "undeliverable": 0}
    await hop.stop()
    ids = [str(parsed(raw)["Message-ID"]) for _, _, raw in hop.taken]
    assert len(ids) == len(set(ids)) == 6


async def test_each_wait_is_twice_the_last() -> None:
    """Tries come at doubling distances, up to the limit, and end after days with the reason."""
    writer, carrier = MemoryWriter(), Carrier()
    tried: list[float] = []
    async with at_work(writer, carrier, ALICE) as made:

        def refuse(_: str) -> None:
            tried.append((made.clock.now() - NOW).total_seconds())
            raise Temporary("full", detail="450 full")

        carrier.answer = refuse
        await made.pass_time(2 * HOUR, step=1)
        waits = [round(after - before) for before, after in pairwise(tried)]
        assert waits[:8] == [5, 10, 20, 40, 80, 160, 320, 640]
        assert set(waits[8:]) == {900}
        made.clock.advance(timedelta(days=5).total_seconds())
        await made.until(lambda: status(writer)["undeliverable"] == 1)
    (owed,) = writer.state.outbox.values()
    assert owed.error == "given up: 450 full"


async def test_a_clock_that_goes_back_leaves_no_letter_waiting_for_a_month() -> None:
    """What waits for a moment to which no wait of ours can lead goes out within a minute."""
    writer, carrier = MemoryWriter(), Carrier()
    async with at_work(writer, carrier, ALICE) as made:
        made.grace = True
        made.clock.step(30 * 24 * HOUR)
        carrier.answer = Carrier.refuse
        await made.rest()
        carrier.answer = lambda _: None
        made.clock.step(-30 * 24 * HOUR)
        await made.pass_time(90)
        assert status(writer)["sent"] == 1


async def test_nothing_is_given_up_in_grace() -> None:
    """After the clock has left out a month, a letter is tried for some days more."""
    writer, carrier = MemoryWriter(), Carrier(answer=Carrier.refuse)
    async with at_work(writer, carrier, ALICE) as made:
        await made.rest()
        made.grace = True
        made.clock.advance(30 * 24 * HOUR)
        await made.until(lambda: len(carrier.tries) == 2)
        await made.rest()
        assert status(writer)["waiting"] == 1
        made.grace = False
        made.clock.advance(HOUR)
        await made.until(lambda: status(writer)["undeliverable"] == 1)


async def test_refused_for_good_is_set_aside() -> None:
    """It is tried once, and stays for the operator with the server's words."""
    writer, carrier = MemoryWriter(), Carrier()

    def refuse(_: str) -> None:
        raise Undeliverable("no", detail="550 no such user")

    carrier.answer = refuse
    async with at_work(writer, carrier, ALICE) as made:
        await made.until(lambda: status(writer)["undeliverable"] == 1)
        await made.pass_time(HOUR)
    assert len(carrier.tries) == 1
    (owed,) = writer.state.outbox.values()
    assert owed.error == "550 no such user"


async def test_a_bug_in_a_delivery_is_tried_again(log: list[MutableMapping[str, Any]]) -> None:
    """What no one foresaw is logged with its traceback and costs no letter."""
    writer, carrier = MemoryWriter(), Carrier()

    def fail(_: str) -> None:
        carrier.answer = lambda _: None
        raise KeyError("surprise")

    carrier.answer = fail
    async with at_work(writer, carrier, ALICE) as made:
        await made.rest()
        await made.pass_time(60)
    assert status(writer)["sent"] == 1
    assert [entry["log_level"] for entry in log][:2] == ["error", "warning"]


class Broken(Composer):
    """Cannot write to Alice."""

    def compose(self, matter: LetterData) -> Composed:
        if matter.notice.to == ALICE:
            raise ZeroDivisionError
        return super().compose(matter)


async def test_letters_that_wait_are_composed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """On one thread after the other, and what cannot be written is a failure of its own."""
    threads: list[object] = []
    to_thread = asyncio.to_thread

    async def counted(work: Callable[..., T], *values: object) -> T:
        threads.append(work)
        return await to_thread(work, *values)

    monkeypatch.setattr(asyncio, "to_thread", counted)
    writer, carrier = MemoryWriter(), Carrier()
    people = [f"{number}@b.example" for number in range(2 * AT_ONCE)]
    to = (ALICE, *people)
    async with at_work(writer, carrier, *to, composer=letters_of(Broken), batch=99) as made:
        await made.until(lambda: len(carrier.taken) == len(people))
    assert len(threads) <= 4
    assert status(writer) == {"waiting": 1, "sent": len(people), "undeliverable": 0}


async def test_a_notice_that_cannot_be_written_stops_no_other() -> None:
    """It waits with what went wrong, and the ones behind it go out; so many tries, and no more."""
    writer, carrier = MemoryWriter(), Carrier()
    owe(writer, ALICE, BOB)
    writer.run_sync(lambda unit: unit.outbox.owe(Notice(Kind.SHOW, BOB, game=99), NOW))
    async with at_work(writer, carrier, composer=letters_of(Broken)) as made:
        await made.rest()
        assert [to for to, _, _ in carrier.taken] == [BOB]
        assert status(writer) == {"waiting": 2, "sent": 1, "undeliverable": 0}
        assert "ZeroDivisionError" in (writer.state.outbox[1].error or "")
        await made.pass_time(26 * HOUR, step=450)
    assert status(writer) == {"waiting": 0, "sent": 1, "undeliverable": 2}
    assert writer.state.outbox[1].due.attempts == COMPOSE_TRIES
    assert "ZeroDivisionError" in (writer.state.outbox[1].error or "")


class Weak(Composer):
    """Cannot write while its machine has not what it takes."""

    fault: Exception | None = None

    def compose(self, matter: LetterData) -> Composed:
        if self.fault is not None:
            raise self.fault
        return super().compose(matter)


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
    writer, carrier = MemoryWriter(), Carrier()
    owe(writer, ALICE, BOB)
    composer = letters_of(Weak)
    composer.fault = fault
    async with at_work(writer, carrier, composer=composer) as made:
        await made.rest()
        await made.pass_time(HOUR)
        assert status(writer) == {"waiting": 2, "sent": 0, "undeliverable": 0}
        composer.fault = None
        await made.pass_time(HOUR / 2)
    assert status(writer)["sent"] == 2


@pytest.mark.parametrize("fault", PASSING, ids=repr)
async def test_a_passing_fault_of_the_threads_costs_no_letter(
    fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does one that comes before any letter is begun: whoever waits for it hears of it."""
    writer, carrier = MemoryWriter(), Carrier()
    owe(writer, ALICE, BOB)

    async def refuse(*_: object) -> None:
        raise fault

    async with at_work(writer, carrier) as made:
        with monkeypatch.context() as broken:
            broken.setattr(asyncio, "to_thread", refuse)
            await made.rest()
            assert status(writer) == {"waiting": 2, "sent": 0, "undeliverable": 0}
        await made.pass_time(60)
    assert status(writer)["sent"] == 2


class Weary(MemoryWriter):
    """A writer with faults of its own, which pass."""

    faults: ClassVar[list[Exception]] = []

    async def run(self, work: Callable[[MemoryUnit], T]) -> T:
        if self.faults:
            raise self.faults.pop()
        return await super().run(work)


async def test_a_fault_while_the_outbox_is_read_ends_nothing() -> None:
    """Whatever it is."""
    writer, carrier = Weary(), Carrier()
    owe(writer, ALICE)
    writer.faults.append(MemoryError())
    async with at_work(writer, carrier) as made:
        await made.rest()
        await made.pass_time(60)
    assert status(writer)["sent"] == 1


class Watched(Composer):
    """Notes on which threads it writes."""

    threads: ClassVar[set[int]] = set()

    def compose(self, matter: LetterData) -> Composed:
        self.threads.add(threading.get_ident())
        return super().compose(matter)


async def test_letters_are_not_written_on_the_loop() -> None:
    """Composing takes milliseconds, in which the loop would answer nobody."""
    writer, carrier = MemoryWriter(), Carrier()
    owe(writer, ALICE, BOB)
    async with at_work(writer, carrier, composer=letters_of(Watched)) as made:
        await made.rest()
    assert len(carrier.taken) == 2
    assert Watched.threads
    assert threading.get_ident() not in Watched.threads


async def test_a_crash_after_the_servers_250_sends_the_same_letter() -> None:
    """The one repetition that cannot be avoided is byte for byte the same letter."""
    writer, carrier = Forgetful(), Carrier()
    owe(writer, ALICE)
    made = Round(writer, carrier)
    task = asyncio.create_task(made.worker.run())
    await made.until(lambda: len(carrier.taken) == 1)
    task.cancel()
    assert status(writer)["waiting"] == 1
    writer.forgetting = False
    writer.run_sync(lambda unit: unit.outbox.end_leases(NOW))
    async with at_work(writer, carrier, composer=letters_of(Broken)) as again:
        await again.until(lambda: status(writer)["sent"] == 1)
    first, second = carrier.taken
    assert first == second


async def test_a_letter_that_was_taken_over_is_let_go() -> None:
    """Another daemon has it, as ours had lost the store for a while: at the first try and later."""
    writer, carrier = Overtaken(), Carrier()
    carrier.answer = carrier.refuse
    async with at_work(writer, carrier, ALICE) as made:
        for tries in (0, 1):
            writer.overtaken = False
            await made.turn_until(lambda: writer.overtaken)
            await made.rest()
            assert (len(carrier.tries), status(writer)["waiting"]) == (tries, 1)
            await made.turn_until(lambda: len(carrier.tries) == tries + 1)  # noqa: B023


async def test_a_try_that_another_has_gone_on_with_is_not_told_of() -> None:
    """Ours slept, and woke up to a refusal; whoever has the letter now tells what became of it."""
    writer, carrier, lost = MemoryWriter(), Carrier(), list[str]()

    def refuse(_to: str) -> None:
        writer.run_sync(lambda unit: unit.outbox.end_leases(NOW))
        writer.run_sync(lambda unit: unit.outbox.mark_sent(1, NOW))
        raise Undeliverable("no such mailbox", status="5.1.1")

    carrier.answer = refuse
    async with at_work(writer, carrier, ALICE) as made:
        made.worker._on_lost = lambda _unit, notice, *_: lost.append(notice.to)
        await made.until(lambda: len(carrier.tries) == 1)
        await made.rest()
    assert (status(writer)["sent"], lost) == (1, [])


async def test_nothing_is_claimed_by_who_is_taken_for_dead() -> None:
    """Another would have it, too; once they are seen to live it goes out."""
    writer, carrier = MemoryWriter(), Carrier()
    async with at_work(writer, carrier) as made:
        made.held = False
        owe(writer, ALICE)
        made.worker.notify()
        writer.run_sync(made.worker.claim_owed)()
        for _ in range(5):
            await made.rest()
            made.clock.advance(1)
        assert not carrier.tries
        made.held = True
        await made.turn_until(lambda: len(carrier.taken) == 1)


async def test_a_note_that_fails_is_written_again_from_memory() -> None:
    """Where nothing has died no letter goes out twice, however long the disk is full."""
    writer, carrier = Forgetful(), Carrier()
    async with at_work(writer, carrier, ALICE, BOB) as made:
        await made.until(lambda: len(carrier.taken) == 2)
        end = made.clock.now() + timedelta(seconds=3 * LEASE)
        await made.turn_until(lambda: made.clock.now() > end, step=30.0)
        assert status(writer) == {"waiting": 2, "sent": 0, "undeliverable": 0}
        writer.forgetting = False
        await made.turn_until(lambda: status(writer)["sent"] == 2)
        await made.pass_time(2 * LEASE)
    assert len(carrier.tries) == 2


async def test_what_was_sent_is_noted_before_it_is_logged(
    log: list[MutableMapping[str, Any]],
) -> None:
    """A log may be slow, or worse: the letter does not go out again for that."""
    writer, carrier = Forgetful(), Carrier()
    async with at_work(writer, carrier, ALICE) as made:
        await made.until(lambda: len(carrier.taken) == 1)
        await made.until(lambda: bool(log))
        assert [entry["event"] for entry in log] == ["outbox.not-noted"]
        writer.forgetting = False
        await made.turn_until(lambda: log[-1]["event"] == "outbox.sent")
        assert status(writer)["sent"] == 1


async def test_a_store_that_fails_is_waited_for() -> None:
    """While COMMIT fails nothing is sent; when it works again, everything is."""
    writer, carrier = MemoryWriter(), Carrier()
    owe(writer, ALICE)
    writer.failing = True
    async with at_work(writer, carrier) as made:
        await made.rest()
        assert carrier.taken == []
        writer.failing = False
        await made.pass_time(60)
    assert status(writer)["sent"] == 1


async def test_a_letter_that_is_claimed_again_before_its_retry_is_told() -> None:
    """The store was away for longer than the wait: nobody had it in hand until its lease ended."""
    writer, carrier = Reclaimed(), Carrier()
    carrier.answer = carrier.refuse
    async with at_work(writer, carrier, ALICE) as made:
        writer.round = made
        await made.until(lambda: bool(carrier.tries))
        carrier.answer = lambda _: None
        await made.until(lambda: bool(writer.claimed))
        await made.until(lambda: status(writer)["sent"] == 1)
    assert len(carrier.tries) == 2


# -- the end of the day ------------------------------------------------------------------------
async def test_stopping_finishes_what_is_in_hand() -> None:
    """A letter that is being handed over is finished; others wait for the next start."""
    writer, carrier = MemoryWriter(), Carrier(gate=asyncio.Event())
    owe(writer, ALICE, BOB)
    made = Round(writer, carrier, batch=1)
    task = asyncio.create_task(made.worker.run())
    await made.until(lambda: len(carrier.tries) == 1)
    closing = asyncio.create_task(made.worker.close(5))
    await asyncio.sleep(0)
    assert carrier.gate is not None
    assert not carrier.closed
    carrier.gate.set()
    await closing
    await task
    assert status(writer) == {"waiting": 1, "sent": 1, "undeliverable": 0}
    assert carrier.closed


async def test_stopping_does_not_wait_for_ever() -> None:
    """A server that never answers holds nobody up; its letter stays owed."""
    writer, carrier = MemoryWriter(), Carrier(gate=asyncio.Event())
    owe(writer, ALICE)
    made = Round(writer, carrier)
    task = asyncio.create_task(made.worker.run())
    await made.until(lambda: len(carrier.tries) == 1)
    await made.worker.close(0.05)
    await task
    assert status(writer)["waiting"] == 1


async def test_closing_one_that_never_worked() -> None:
    """Closing comes back at once."""
    made = Round(MemoryWriter(), Carrier())
    await made.worker.close(5)


def test_answers_have_no_envelope_sender() -> None:
    """What answers a letter cannot be answered or bounced; what we begin can (RFC 3834, 3.3)."""
    assert envelope_sender(Notice(Kind.HELP, ALICE, answers="<1@x>"), ADDRESS) == ""
    assert envelope_sender(Notice(Kind.YOUR_TURN, ALICE), ADDRESS) == ADDRESS


def told_of(made: Round) -> list[tuple[str, str, str]]:
    """The letters that are told to be lost from now on."""
    told: list[tuple[str, str, str]] = []

    def on_lost(_unit: object, notice: Notice, error: str, status: str) -> None:
        told.append((notice.to, error, status))

    made.worker._on_lost = on_lost
    return told


async def test_a_refusal_counts_against_the_address() -> None:
    """What the recipient's server refuses is told on with its status; what we cannot write, too."""

    def answer(recipient: str) -> None:
        status = {ALICE: "5.1.1", BOB: "5.7.1"}.get(recipient, "")
        raise Undeliverable("No.", detail=f"550 {status}", status=status)

    writer = MemoryWriter()
    owe(writer, ALICE, BOB, "carol@c.example", kind=Kind.GAMES)
    made = Round(writer, Carrier(answer=answer))
    told = told_of(made)
    task = asyncio.create_task(made.worker.run())
    await made.until(lambda: status(writer)["undeliverable"] == 3)
    await made.worker.close(5)
    await task
    expected = [(ALICE, "5.1.1"), (BOB, "5.7.1"), ("carol@c.example", "")]
    assert sorted(told) == [(to, f"550 {code}", code) for to, code in expected]


async def test_a_fault_in_counting_a_refusal_holds_nothing_up() -> None:
    """The letter is set aside all the same, and the next one to that person goes its way."""
    writer = MemoryWriter()
    owe(writer, ALICE, ALICE)

    def refuse(_: str) -> None:
        raise Undeliverable("No.", detail="550 5.1.1", status="5.1.1")

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    async with at_work(writer, Carrier(answer=refuse)) as made:
        made.worker._on_lost = fail
        await made.turn_until(lambda: status(writer)["undeliverable"] == 2)


class Crossed(MemoryWriter):
    """A writer that runs a unit once more where it has failed, as one on a server may."""

    async def run(self, work: Callable[[MemoryUnit], T]) -> T:
        """Run it, and where it raises, again."""
        try:
            return await super().run(work)
        except ZeroDivisionError:
            return await super().run(work)


async def test_who_is_told_of_a_letter_is_told_where_the_writer_runs_it_again() -> None:
    """The first time another daemon came between: no game is left without its clock for that."""
    writer, tries = Crossed(), list[str]()
    owe(writer, ALICE)

    def tell(_unit: Unit, notice: Notice) -> None:
        tries.append(notice.to)
        if len(tries) == 1:
            raise ZeroDivisionError

    async with at_work(writer, Carrier()) as made:
        made.worker._on_sent = tell
        await made.turn_until(lambda: status(writer)["sent"] == 1)
    assert tries == [ALICE, ALICE]


@pytest.mark.parametrize(
    ("fault", "status_told"),
    [
        (PutOff("Later.", detail="450 4.2.1 full", status="4.2.1"), "4.2.1"),
        (Temporary("Nobody there.", detail="450 4.2.1 full"), ""),
        (TimeoutError(), ""),
    ],
)
async def test_a_letter_that_was_given_up_is_told_of(fault: Exception, status_told: str) -> None:
    """After days of tries; whether it was the recipient's server that put it off is known."""

    def refuse(_: str) -> None:
        raise fault

    writer = MemoryWriter()
    owe(writer, ALICE)
    async with at_work(writer, Carrier(answer=refuse)) as made:
        told = told_of(made)
        await made.pass_time(HOUR)
        assert told == []
        made.clock.advance(timedelta(days=5).total_seconds())
        await made.until(lambda: bool(told))
    ((to, error, code),) = told
    assert (to, code) == (ALICE, status_told)
    assert error.startswith("given up: ")


async def test_what_cannot_be_written_is_told_to_the_operator_alone() -> None:
    """It is our fault: no opponent hears that somebody cannot be reached."""
    writer = MemoryWriter()
    owe(writer, ALICE)
    async with at_work(writer, Carrier(), composer=letters_of(Broken)) as made:
        told = told_of(made)
        await made.pass_time(26 * HOUR, step=450)
        assert status(writer)["undeliverable"] == 1
    assert told == []


@pytest.mark.parametrize("verp", [True, False])
async def test_each_letter_has_an_envelope_sender_of_its_own(verp: bool) -> None:
    """By it a letter that comes back is known; without VERP it is our plain address."""
    writer, carrier = MemoryWriter(), Carrier()
    owe(writer, ALICE, BOB)
    owe(writer, ALICE, answers="<1@a.example>")
    made = Round(writer, carrier)
    made.worker._verp = verp
    task = asyncio.create_task(made.worker.run())
    await made.until(lambda: status(writer)["sent"] == 3)
    await made.worker.close(5)
    await task
    senders = sorted(sender for _, sender, _ in carrier.taken)
    if not verp:
        assert senders == ["", ADDRESS, ADDRESS]
        return
    found = [tokens.token_of(sender, ADDRESS) for sender in senders[1:]]
    assert senders[0] == ""
    assert {one.fields[0] for one in found if one and one.is_valid(KEY)} == {f"{1:016}", f"{2:016}"}
