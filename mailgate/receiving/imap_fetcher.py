"""Fetches letters by IMAP: watches a mailbox, and handles each letter for us once.

A letter is marked only after COMMIT. The store has the state of each letter, by UIDVALIDITY and
UID, and the fingerprint of each handled one, so a crash between COMMIT and the mark repeats
nothing. Any trouble is logged, shown in the status, and retried forever.
"""

import random
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog

from godaemon.errors import GodaemonError, QuotaExceeded, Temporary
from godaemon.games.stored_values import Unit, Writer
from godaemon.system.clock import Clock
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.envelopes import Envelope, normalize_line_ends, read_envelope
from mailgate.receiving.imap_client import ImapConnection
from mailgate.receiving.imap_responses import FetchState, Head, letters_to_do

FIRST_WAIT, LONGEST_WAIT = 1.0, 300.0
"""The first and the longest wait before a retry, in seconds; each is twice the last."""
FAILURE_PAUSE = timedelta(minutes=10)
"""The pause for a letter that could not be fetched `MAX_FAILURES` times."""
QUOTA_PAUSE = timedelta(hours=1)
"""The pause for a letter that would exceed the daily quota for strangers."""
MAX_FAILURES = 3
OVERLOAD_POLL = 5.0  # seconds between checks whether we are overloaded
UNREPORTED_FAILURES = 2  # failures in a row that `status` does not report: connections break
NOT_CONNECTED = "not connected; of several godaemons with one database only one connects"
BATCH = 20  # headers fetched at a time: old mailboxes hold many thousand letters

_log = structlog.get_logger("godaemon.imap")


@dataclass(slots=True)
class _FolderState:
    """The state of a mailbox's folder, valid for one UIDVALIDITY."""

    box: str
    validity: int
    known: dict[int, FetchState]
    """The state of each letter, by UID."""
    failures: dict[int, int] = field(default_factory=dict)
    """How often a letter could not be fetched, by UID."""
    retry_at: dict[int, datetime] = field(default_factory=dict)
    """When to try a letter again, by UID."""
    done_up_to: int = 0
    """All letters up to this UID are done; the next SEARCH starts behind it."""
    one_by_one: bool = False
    """True if letters are fetched one by one, because a batch has failed."""


@dataclass(slots=True, eq=False)
class ImapFetcher:
    """Watches one mailbox.

    `connect` makes a connection; `take` handles a letter and returns after COMMIT. `addresses`
    returns ours; `size_limit` is in bytes. Both intervals of checks for new letters are in seconds:
    `poll` for a server that does not announce them, `renewal` for one that does. While we are
    `overloaded`, letters wait in the mailbox.
    """

    connect: Callable[[], ImapConnection]
    take: Callable[[InboundLetter], Awaitable[object]]
    writer: Writer
    clock: Clock
    _: KW_ONLY
    addresses: Callable[[], tuple[str, ...]]
    size_limit: int
    poll: float
    renewal: float = 240
    chance: Callable[[], float] = random.random
    overloaded: Callable[[], object] = lambda: False
    state: str = field(default=NOT_CONNECTED, init=False)  # in words for the operator
    letters: int = field(default=0, init=False)  # number of letters taken since the start
    _folder: _FolderState | None = field(default=None, init=False)
    _failures: int = field(default=0, init=False)

    async def run(self) -> None:
        """Watch until cancelled; another godaemon may then take over."""
        try:
            await self._watch_forever()
        finally:  # from now on the other one reports the mailbox's status
            self.state, self._failures, self._folder = NOT_CONNECTED, 0, None

    async def _watch_forever(self) -> None:
        while True:
            try:
                await self._watch()
            except GodaemonError as trouble:
                wait = self._next_wait()
                words = f"{trouble.public} {trouble.detail}".strip()
                self.state = f"failed, will try again: {words}"
                _log.warning("imap.trouble", detail=words, again_in=round(wait, 1))
            except Exception:  # noqa: BLE001 - a bug here must not end the daemon's other tasks
                wait = self._next_wait()
                self.state = "failed, will try again; the log has the error"
                _log.exception("imap.failed", again_in=round(wait, 1))
            await self.clock.sleep(wait)

    def _next_wait(self) -> float:
        """The next wait: twice the last, with jitter so that daemons do not retry together."""
        doubled = FIRST_WAIT * 2.0 ** min(self._failures, 30)
        self._failures += 1
        return min(doubled, LONGEST_WAIT) * (0.5 + self.chance())

    async def _watch(self) -> None:
        """Connect, and check whenever there may be mail, until something raises."""
        mailbox = self.connect()
        try:
            await mailbox.connect()
            folder = await self._open(mailbox)
            _log.info("imap.connected", box=mailbox.account.name, idle=mailbox.supports_idle)
            while True:
                await self._check_mail(mailbox, folder)
                self._failures = 0
                if mailbox.supports_idle:
                    self.state = "connected, the server announces new emails"
                    await mailbox.idle(self.renewal)
                else:
                    self.state = f"connected, looking every {self.poll:g} seconds"
                    await self.clock.sleep(self.poll)
        finally:
            await mailbox.close()

    # -- letters -------------------------------------------------------------------------------
    async def _open(self, mailbox: ImapConnection) -> _FolderState:
        """Load the folder's known letters; the first time, ignore those that are marked already."""
        name, validity = mailbox.account.name, mailbox.validity
        if self._folder is not None and self._folder.validity == validity:
            self._folder.done_up_to = 0
            return self._folder

        def _load_known(unit: Unit) -> tuple[dict[int, FetchState], bool]:
            return dict(unit.imap.fetch_states(name, validity)), unit.imap.has_fetched(name)

        known, is_known_box = await self.writer.run(_load_known)
        folder = _FolderState(name, validity, known)
        if is_known_box and not known:
            _log.warning("imap.renumbered", box=name, validity=validity)
        if not is_known_box:
            found = await mailbox.search()
            fresh = await mailbox.search(unmarked=True)  # second, so that a letter between is new
            marked = sorted({*found} - {*fresh})
            await self._record(folder, marked, FetchState.LEFT)
        self._folder = folder
        return folder

    async def _check_mail(self, mailbox: ImapConnection, folder: _FolderState) -> None:
        found = await mailbox.search(folder.done_up_to)
        resting = {uid for uid, until in folder.retry_at.items() if until > self.clock.now()}
        fresh, unmarked = letters_to_do(found, folder.known, folder.failures, resting)
        for uid in unmarked:
            await self._mark(mailbox, folder, uid, "")
        step = 1 if folder.one_by_one else BATCH
        for start in range(0, len(fresh), step):
            while self.overloaded():
                self.state = "connected, waiting until the outgoing queue is shorter"
                await self.clock.sleep(OVERLOAD_POLL)
            await self._take_batch(mailbox, folder, fresh[start : start + step])
        folder.one_by_one = False
        # Stop before the first letter that must be tried again.
        waiting = [uid for uid in found if uid in folder.retry_at and uid not in folder.known]
        folder.done_up_to = min(waiting) - 1 if waiting else max([folder.done_up_to, *found])

    async def _take_batch(
        self, mailbox: ImapConnection, folder: _FolderState, uids: Sequence[int]
    ) -> None:
        """Handle the letters for us among these, in order; fetches all headers at once.

        A letter that cannot be fetched comes last in the next round.
        """
        try:
            heads = await mailbox.fetch_heads(uids)
        except Temporary:
            if len(uids) == 1:
                self._count_failure(folder, uids[0])
            folder.one_by_one = True  # after `_watch_forever` has reconnected
            raise
        addresses = self.addresses()
        envelopes = {uid: read_envelope(head.headers, *addresses) for uid, head in heads.items()}
        others = [uid for uid, found in envelopes.items() if found is None]
        if others:
            await self._record(folder, others, FetchState.LEFT)
        for uid, found in envelopes.items():
            if found is not None:
                await self._take_letter(mailbox, folder, heads[uid], found)

    async def _take_letter(
        self, mailbox: ImapConnection, folder: _FolderState, head: Head, envelope: Envelope
    ) -> None:
        uid, size = head.uid, head.size
        if size > self.size_limit:
            _log.warning("letter.too-large", uid=uid, size=size, message_id=envelope.message_id)
        else:
            try:
                raw = await mailbox.fetch(uid)
            except Temporary:
                self._count_failure(folder, uid)
                raise
            if raw is None:
                return  # it has been deleted or moved
            content, sender = normalize_line_ends(raw), envelope.sender
            try:
                await self.take(InboundLetter(envelope.recipient, sender, content, trusted=True))
            except QuotaExceeded as enough:  # go on with the letters of others
                _log.info("letter.put-off", uid=uid, detail=enough.detail)
                folder.retry_at[uid] = self.clock.now() + QUOTA_PAUSE
                return
            self.letters += 1
        await self._record(folder, [uid], FetchState.OWED)
        await self._mark(mailbox, folder, uid, envelope.message_id)

    def _count_failure(self, folder: _FolderState, uid: int) -> None:
        folder.failures[uid] = folder.failures.get(uid, 0) + 1
        if folder.failures[uid] >= MAX_FAILURES:
            folder.retry_at[uid] = self.clock.now() + FAILURE_PAUSE
            _log.error("imap.letter-not-fetched", uid=uid, tries=folder.failures[uid])

    async def _mark(
        self, mailbox: ImapConnection, folder: _FolderState, uid: int, message_id: str
    ) -> None:
        if not await mailbox.mark_done(uid):
            _log.warning("imap.not-marked", uid=uid, message_id=message_id or None)
        await self._record(folder, [uid], FetchState.DONE)

    async def _record(self, folder: _FolderState, uids: Collection[int], state: FetchState) -> None:
        about = (folder.box, folder.validity, uids, state, self.clock.now())
        await self.writer.run(lambda unit: unit.imap.note_fetch_states(*about))
        folder.known.update(dict.fromkeys(uids, state))

    @property
    def trouble(self) -> str | None:
        """Why the mailbox cannot be read; None until several tries in a row have failed."""
        return self.state if self._failures > UNREPORTED_FAILURES else None

    def status(self) -> dict[str, Any]:
        """The part of `godaemon status` about the mailbox."""
        return {"state": self.state, "letters": self.letters}
