"""The outbox's worker: sends each queued notice as a letter, once.

A notice is claimed with a lease, its letter is composed on a thread, and its bytes are stored
before the first delivery. So after a crash exactly the same letter goes out again, or none. For
each letter, and so for each recipient, the exception decides:

    composing    Temporary          retried
                 anything else      logged; retried, because memory or threads may be short; after
                                    many tries set aside, and only the operator is told
    delivering   Undeliverable      set aside; reported with its status, counts against the address
                 Deferred           retried
                 Temporary, timeout retried
                 anything else      logged; retried
                 the lease is gone  left to the daemon that has it now
    recording    anything           logged; recorded again from memory until it succeeds, because
                                    the letter must not go out a second time

Each wait is twice the last. After days of tries a letter is given up: set aside and reported, with
the status of a `Deferred`, or without one if the recipient's server was never the cause.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from weakref import WeakValueDictionary

import structlog

from godaemon.errors import Deferred, GodaemonError, Temporary, Undeliverable
from godaemon.games.game_cache import GameCache
from godaemon.games.notices import DueNotice, Kind, Notice
from godaemon.games.stored_values import Unit, Writer
from godaemon.system.clock import Clock
from godaemon.system.counts import count
from mailgate.delivery.composing_thread import ComposingThread
from mailgate.delivery.ways_out import Delivery
from mailgate.letters.compose import Composed
from mailgate.letters.letter_data import LetterData, load_letter_data

BATCH = 64
_MAX_PER_PERSON = 9  # maximum letters in progress, on average, for each person of a batch
LEASE = 900.0  # seconds of a lease; the leases of a dead daemon end at once
TRY_TIMEOUT = 660.0
"""Timeout of one delivery in seconds: less than the lease, and more than a mail server may take for
a letter (RFC 5321, 4.5.3.2.6)."""
MAX_COMPOSE_TRIES = 100
"""The limit on tries to compose a letter: a day's with the default [mail.outgoing]."""
_RECORD_RETRY = 5.0  # the longest wait between tries to record an outcome, in seconds
_CLAIM_POLL = 1.0  # seconds between checks while claiming is not allowed
_LONGEST_WAIT = 60.0  # seconds; so we soon notice a clock change, or a resume from suspend
_CHECK_DATES_EVERY = timedelta(minutes=1)  # interval of checks for due dates of a wrong clock

_log = structlog.get_logger("mailgate")
Claimed = tuple[DueNotice, LetterData | None]
"""A claimed notice, and the data of its letter if that could be read."""
_Lane = tuple[str, bool]
"""A recipient, and whether the letters are reviews: other letters do not wait for reviews."""


def _no_notification(*_: object) -> None:
    """The default of functions that report an outcome."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The result of one try, and the function that records it in the outbox."""

    label: str
    record: Callable[[Unit], bool]  # returns False if another daemon has taken the letter over
    detail: str = ""
    notify: Callable[[Unit], None] = _no_notification  # tells others in the same transaction


_TAKEN_OVER = _Outcome("lease-lost", lambda _unit: False)  # another daemon has the letter now


@dataclass(slots=True, eq=False)
class OutboxWorker:
    """Sends letters: `run` until `close`; `notify` wakes it for a new notice.

    Waits are in seconds.
    """

    writer: Writer
    composing: ComposingThread
    delivery: Delivery
    clock: Clock
    recorder: Writer  # of low priority: no person waits for the record of an outcome
    _: KW_ONLY
    retry_first: float  # the wait after the first failure; it doubles each time
    retry_limit: float  # the limit on a wait
    give_up_days: int  # days of tries after which a letter is set aside
    verp: bool = True
    """Whether each letter has its own return path, which identifies it in a bounce."""
    batch: int = BATCH  # the limit on recipients whose letters are in progress at a time
    chance: Callable[[], float] = random.random
    in_grace: Callable[[datetime], bool] = lambda _now: False
    """While this is true, no letter is given up for its age."""
    may_claim: Callable[[], bool] = lambda: True
    """False while other daemons may take us for dead, and end our leases."""
    on_lost: Callable[[Unit, Notice, str, str], None] = _no_notification
    """Called in the record's transaction for a letter that was set aside, with the reason and the
    status (RFC 3463) of the recipient's server, "" if that was never reached."""
    on_sent: Callable[[Unit, Notice], None] = _no_notification
    """Called in the record's transaction for a letter that the next hop has accepted."""
    cache: GameCache | None = None
    _dates_checked: datetime | None = field(default=None, init=False)
    _wake: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _ended: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _stopping: bool = field(default=False, init=False)
    _claiming: bool = field(default=False, init=False)
    _full: bool = field(default=False, init=False)
    """True if more letters may be due than may be started; each finished one then wakes `run`."""
    _running: dict[asyncio.Task[None], _Lane] = field(default_factory=dict, init=False)
    _locks_by_lane: WeakValueDictionary[_Lane, asyncio.Lock] = field(
        default_factory=WeakValueDictionary, init=False
    )
    """The order of letters to one person."""

    def __post_init__(self) -> None:
        self._ended.set()

    def notify(self) -> None:
        """Wake the worker for a new notice. Called on the loop, after COMMIT."""
        self._wake.set()

    def claim_queued(self, unit: Unit) -> Callable[[], None]:
        """Claim a transaction's notices before COMMIT; returns the function for the loop after it.

        Called on the writer's thread. Claims nothing during another claim, because two letters to
        one person could then go out in the wrong order.
        """
        room, skip = self._find_room()
        busy = self._claiming or self._stopping or self._ended.is_set()
        if busy or room <= 0 or not self.may_claim():
            return self.notify
        claimed = self._claim(self.clock.now(), room, skip, unit)
        return partial(self._start_all, claimed, room, skip)

    async def run(self) -> None:
        """Work until `close`; then finish the letters in progress."""
        self._ended.clear()
        try:
            while not self._stopping:
                self._wake.clear()
                pause = await self._claim_and_start()
                await self.clock.wait(self._wake, pause)
            while self._running:
                await asyncio.wait(self._running)
        finally:
            for task in self._running:
                task.cancel()
            self._ended.set()

    async def close(self, seconds: float) -> None:
        """Claim nothing more, and finish the letters in progress within `seconds`.

        Unfinished ones stay in the outbox, and go out after the next start.
        """
        self._stopping = True
        self._wake.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)
        for task in self._running:
            task.cancel()
        await self.delivery.close()

    # -- claims --------------------------------------------------------------------------------
    async def _claim_and_start(self) -> float:
        """Claim due notices and start them; returns the seconds to wait unless woken."""
        room, skip = self._find_room()
        if not self.may_claim():
            return _CLAIM_POLL
        self._full = room <= 0
        if self._full:
            return _LONGEST_WAIT
        now, self._claiming = self.clock.now(), True
        try:
            claimed, due = await self.writer.run(partial(self._claim_due, now, room, skip))
            self._start_all(claimed, room, skip)
        except GodaemonError as fault:
            _log.warning("outbox.not-read", detail=fault.detail or fault.public)
            return self.retry_first
        except Exception:  # noqa: BLE001 - any fault may pass: retry
            _log.exception("outbox.not-read")
            return self.retry_first
        finally:
            self._claiming = False
        wait = (due - now).total_seconds() if due else _LONGEST_WAIT
        return min(max(wait, 0.01), _LONGEST_WAIT)

    def _find_room(self) -> tuple[int, Kind | None]:
        """The number of letters that may be started, and the kind whose limit is reached, if any.

        Reviews have a limit of their own, and take no room from others.
        """
        lanes, batch = [*self._running.values()], self.batch  # a copy: the loop may change it
        reviews = sum(is_review for _, is_review in lanes)
        people = len({person for person, is_review in lanes if not is_review})
        letters = len(lanes) - reviews
        room = min(batch - people, _MAX_PER_PERSON * batch - letters)
        return room, Kind.REVIEW if reviews >= batch else None

    def _claim_due(
        self, now: datetime, room: int, skip: Kind | None, unit: Unit
    ) -> tuple[Sequence[Claimed], datetime | None]:
        claimed = self._claim(now, room, skip, unit)
        return claimed, None if len(claimed) == room else unit.outbox.next_due(skip)

    def _claim(self, now: datetime, room: int, skip: Kind | None, unit: Unit) -> Sequence[Claimed]:
        """Claim due notices, with the data of each letter; none of the kind `skip`."""
        if self._dates_checked is None or abs(now - self._dates_checked) >= _CHECK_DATES_EVERY:
            self._dates_checked = now
            # A due date beyond our longest wait was set by a wrong clock.
            longest = timedelta(seconds=max(LEASE, self.retry_limit * 1.25))
            if count := unit.outbox.pull_back(now, now + longest):
                _log.warning("outbox.pulled-back", letters=count)
        claimed = unit.outbox.claim(now, LEASE, room, skip)
        return [(due, self._load_data(unit, due)) for due in claimed]

    def _load_data(self, unit: Unit, due: DueNotice) -> LetterData | None:
        """The data of a letter; None if it is composed already, or unreadable."""
        with suppress(Exception):  # `_stored_letter` loads it again
            return None if due.letter else load_letter_data(unit, due, self.cache)
        return None

    def _start_all(self, claimed: Sequence[Claimed], room: int, skip: Kind | None) -> None:
        """Start the tries; if they fill the room, more may be due."""
        if self._ended.is_set():
            return  # the worker has stopped: the lease ends at the next start
        for due, data in claimed:
            self._start(due, data)
        if len(claimed) == room or skip is not None:
            self._full = True
            if claimed and self._find_room()[0] > 0:  # few recipients: other letters may be due
                self._wake.set()

    def _start(self, due: DueNotice, data: LetterData | None) -> None:
        # A letter that is claimed again during a try waits until that ends, then checks its lease.
        review = due.notice.kind is Kind.REVIEW  # no other letter to the same person waits for it
        lane = (due.notice.to.casefold(), review)
        turn = self._locks_by_lane.setdefault(lane, asyncio.Lock())
        task = asyncio.create_task(self._process(due, data, turn), name=f"letter {due.uid}")
        self._running[task] = lane
        if review:
            self._wake.set()  # its place is free
        task.add_done_callback(self._finish_task)

    def _finish_task(self, task: asyncio.Task[None]) -> None:
        del self._running[task]
        if self._full:
            self._wake.set()

    # -- one letter ----------------------------------------------------------------------------
    async def _process(self, due: DueNotice, data: LetterData | None, turn: asyncio.Lock) -> None:
        async with turn:  # letters to one person go out in the order of the outbox
            outcome, message_id = await self._send(due, data)
            if not await self._record(due, outcome):
                outcome = _TAKEN_OVER
            count("letters_out", outcome.label)
            notice = due.notice
            log = _log.info if outcome.label == "sent" else _log.warning
            log(
                f"outbox.{outcome.label}",
                game=notice.game,
                seat=notice.seat.word if notice.seat else None,
                notice=notice.kind.value,
                message_id=message_id,
                recipient=notice.to,
                **({"detail": outcome.detail} if outcome.detail else {}),
            )
        if outcome.label == "retry":
            self._wake.set()

    async def _send(self, due: DueNotice, data: LetterData | None) -> tuple[_Outcome, str | None]:
        """Compose and deliver one letter; the module's table has the effect of each exception."""
        try:
            letter = await self._stored_letter(due, data)
            if letter is None:
                return _TAKEN_OVER, due.message_id
        except Temporary as fault:
            return self._try_again(due, fault.detail or fault.public), due.message_id
        except Exception as fault:  # noqa: BLE001 - one bad notice never stops the others
            _log.exception("outbox.not-composed", uid=due.uid, game=due.notice.game)
            error, last = f"cannot be written: {fault!r}", due.attempts + 1 >= MAX_COMPOSE_TRIES
            fail = self._set_aside if last else self._try_again
            return fail(due, error, None), due.message_id
        return await self._deliver(due, letter), letter.message_id

    async def _stored_letter(self, due: DueNotice, data: LetterData | None) -> Composed | None:
        """The letter, composed once and stored; None if another daemon has taken it over."""
        if due.letter is not None and due.message_id is not None:
            has_lease = await self.writer.run(lambda unit: unit.outbox.has_lease(due.id))
            return Composed(due.message_id, due.letter) if has_lease else None
        if data is None:
            data = await self.writer.run(lambda unit: load_letter_data(unit, due))
        letter = await self.composing.compose(data, due.uid)
        more = {} if letter.agreement == "done" else {"agreement": letter.agreement}
        stored = (due.id, letter.message_id, letter.raw, more)
        has_lease = await self.writer.run(lambda unit: unit.outbox.store_letter(*stored))
        return letter if has_lease else None

    async def _deliver(self, due: DueNotice, letter: Composed) -> _Outcome:
        notice = due.notice
        try:
            async with asyncio.timeout(TRY_TIMEOUT):
                sender = self._envelope_sender(due)
                await self.delivery.deliver(notice.to, sender, letter.raw, due.uid)
        except Undeliverable as fault:
            return self._set_aside(due, fault.detail or fault.public, fault.status)
        except Exception as fault:  # noqa: BLE001 - a fault of ours may be corrected
            if not isinstance(fault, Temporary | TimeoutError):
                _log.exception("outbox.fault", uid=due.uid)
            error = getattr(fault, "detail", "") or f"{fault!r}"
            return self._try_again(due, error, fault.status if isinstance(fault, Deferred) else "")
        now = self.clock.now()

        def _record_sent(unit: Unit) -> bool:
            unit.outbox.mark_sent(due.id, now)
            return True  # it was sent, even if another daemon holds the lease by now

        notify = self.on_sent
        return _Outcome("sent", _record_sent, notify=lambda unit: notify(unit, notice))

    def _envelope_sender(self, due: DueNotice) -> str:
        """MAIL FROM of a letter; "" for an answer, so that nobody answers it (RFC 3834, 3.3)."""
        if due.notice.answers:
            return ""
        if self.verp:  # so that a bounce identifies the letter
            return self.composing.composer.return_path(due.uid, due.notice.our_address)
        return self.composing.composer.sender_identity(due.notice.our_address).address

    def _try_again(self, due: DueNotice, error: str, status: str | None = "") -> _Outcome:
        """Retry later, after twice the last wait; give up after days."""
        now = self.clock.now()
        is_overdue = now - due.queued_at >= timedelta(days=self.give_up_days)
        if is_overdue and not self.in_grace(now):
            return self._set_aside(due, f"given up: {error}", status)
        doubled = self.retry_first * 2.0 ** min(due.attempts, 30)
        wait = min(doubled, self.retry_limit) * (0.75 + self.chance() / 2)
        due_at = now + timedelta(seconds=wait)
        return _Outcome("retry", lambda unit: unit.outbox.retry_later(due.id, error, due_at), error)

    def _set_aside(self, due: DueNotice, error: str, status: str | None) -> _Outcome:
        """Give up; `on_lost` is called unless the letter could not be composed (status None)."""
        notify = self.on_lost if status is not None else _no_notification
        now = self.clock.now()
        return _Outcome(
            "undeliverable",
            lambda unit: unit.outbox.mark_undeliverable(due.id, error, now),
            error,
            lambda unit: notify(unit, due.notice, error, status or ""),
        )

    async def _record(self, due: DueNotice, outcome: _Outcome) -> bool:
        """Record the outcome, with retries; False if another daemon has the letter."""
        wait, writer = min(self.retry_first, _RECORD_RETRY), self.recorder
        while True:
            try:
                return await writer.run(partial(self._record_in_transaction, outcome))
            except Exception as fault:  # noqa: BLE001 - any fault may pass: retry
                if not isinstance(fault, GodaemonError):  # perhaps `notify` failed: drop it
                    outcome = replace(outcome, notify=_no_notification)
                detail = getattr(fault, "detail", "") or f"{fault!r}"
                about = {"uid": due.uid, "outcome": outcome.label, "detail": detail}
                _log.warning("outbox.outcome-not-saved", **about)
            await self.clock.sleep(wait)
            wait = min(wait * 2, _RECORD_RETRY)

    def _record_in_transaction(self, outcome: _Outcome, unit: Unit) -> bool:
        has_lease = outcome.record(unit)
        try:
            if has_lease:
                outcome.notify(unit)
        except GodaemonError as fault:  # otherwise a damaged game would cause a second letter
            _log.warning("outbox.not-told", detail=fault.detail)
        return has_lease
