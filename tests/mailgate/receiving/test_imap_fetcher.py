"""Watching a mailbox: each letter has its effect once, whatever fails."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import Engine, event
from structlog.testing import capture_logs

from godaemon.errors import ConfigError, QuotaExceeded, Temporary
from godaemon.storage.writer import WriterThread
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.imap_client import ImapConnection
from mailgate.receiving.imap_fetcher import FAILURE_PAUSE, NOT_CONNECTED, QUOTA_PAUSE, ImapFetcher
from mailgate.receiving.imap_responses import FetchState, Head
from tests.support.fake_imap import imap_account
from tests.support.hand_clock import HandClock
from tests.support.memory_store import MemoryWriter
from tests.support.stores import NOW

OURS = "go@go.example"
ACCOUNT = imap_account("imap.example", 993, "tls", "go", "secret")


def letter(number: int, to: str = OURS) -> bytes:
    return f"Return-Path: <a@a>\r\nTo: {to}\r\nMessage-ID: <{number}@a>\r\n\r\nD4\r\n".encode()


class Server:
    """A mailbox that can fail on demand; `FakeMailbox` is a connection to it."""

    def __init__(self, *letters: bytes) -> None:
        self.letters = dict(enumerate(letters, start=1))
        self.marked: set[int] = set()
        self.validity = 7
        self.idles = True
        self.failing: dict[str, int] = {}
        """How many more calls of a method fail, by its name, or by name and UID."""
        self.calls: list[str] = []
        self.news = asyncio.Event()
        self.open = 0
        self.refuses_marks = False

    def put(self, raw: bytes) -> None:
        self.letters[max(self.letters, default=0) + 1] = raw
        self.news.set()


class FakeMailbox(ImapConnection):
    """One connection."""

    def __init__(self, server: Server) -> None:
        super().__init__(ACCOUNT)
        self._server = server

    def _call(self, name: str, uid: int | str = "") -> None:
        self._server.calls.append(f"{name} {uid}".strip())
        for key in (name, f"{name} {uid}"):
            if self._server.failing.get(key, 0) > 0:
                self._server.failing[key] -= 1
                raise Temporary("The server hung up.", detail=key)

    async def connect(self) -> None:
        self._server.open += 1
        self._call("connect")
        self.validity, self.supports_idle = self._server.validity, self._server.idles

    async def search(self, after: int = 0, *, unmarked: bool = False) -> list[int]:
        self._call("search", after)
        self._server.news.clear()
        marked = self._server.marked if unmarked else set()
        return [uid for uid in self._server.letters if uid > after and uid not in marked]

    async def fetch_heads(self, uids: Sequence[int]) -> dict[int, Head]:
        self._call("fetch_heads", ",".join(map(str, uids)))
        found = {uid: self._server.letters[uid] for uid in uids if uid in self._server.letters}
        return {
            uid: Head(uid, len(raw), raw.partition(b"\r\n\r\n")[0]) for uid, raw in found.items()
        }

    async def fetch(self, uid: int) -> bytes | None:
        self._call("fetch", uid)
        return self._server.letters.get(uid)

    async def mark_done(self, uid: int) -> bool:
        self._call("mark_done", uid)
        if not self._server.refuses_marks:
            self._server.marked.add(uid)
        return not self._server.refuses_marks

    async def idle(self, seconds: float) -> None:
        self._call("idle", f"{seconds:g}")
        await self._server.news.wait()

    async def close(self) -> None:
        self._server.open -= 1


class FetcherSetup:
    """A fetcher with a clock that is turned by hand; `taken` is what came in."""

    def __init__(self, server: Server, writer: MemoryWriter | None = None) -> None:
        self.server = server
        self.writer = writer or MemoryWriter()
        self.clock = HandClock(NOW)
        self.taken: list[InboundLetter] = []
        self.take_fails = 0
        self.enough: set[bytes] = set()
        """What would make us write to one stranger too many."""
        self.overloaded = False
        self.make: Callable[[], FakeMailbox] = lambda: FakeMailbox(server)
        self.fetcher = ImapFetcher(
            self._connect,
            self.take,
            self.writer,
            self.clock,
            addresses=lambda: (OURS, "play@club.example"),
            size_limit=500,
            poll=60,
            chance=lambda: 0.5,
            overloaded=lambda: self.overloaded,
        )

    def _connect(self) -> FakeMailbox:
        return self.make()

    async def take(self, inbound: InboundLetter) -> None:
        """As the intake does."""
        if self.take_fails:
            self.take_fails -= 1
            raise Temporary("The disk is full.")
        if inbound.raw in self.enough:
            raise QuotaExceeded("That is enough for today.")
        self.taken.append(inbound)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.fetcher.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def until(self, true: Callable[[], bool]) -> None:
        """Let it work, and time pass when it waits, until something is so."""
        for _ in range(5000):
            if true():
                return
            await asyncio.sleep(0)
            if self.clock.waiting:
                self.clock.advance(30)
        raise AssertionError((self.server.calls, self.fetcher.state))

    @property
    def filed(self) -> dict[int, FetchState]:
        """What is remembered of the letters, by UID."""
        return {uid: filed for (_, _, uid), filed in self.writer.state.fetched.items()}


async def test_nothing_is_fetched_during_overload() -> None:
    """Letters stay in the mailbox, unmarked, until the outbox is shorter."""
    setup = FetcherSetup(Server(letter(1), letter(2)))
    setup.overloaded = True
    async with setup.running():
        await setup.until(lambda: "waiting until the outgoing" in setup.fetcher.state)
        for _ in range(3):
            setup.clock.advance(30)
            await asyncio.sleep(0)
        assert (setup.taken, setup.server.marked, setup.fetcher.trouble) == ([], set(), None)
        setup.overloaded = False
        await setup.until(lambda: setup.server.marked == {1, 2})


async def test_letters_to_us_are_taken_once_then_marked() -> None:
    """In order, one at a time; other people's are not touched."""
    setup = FetcherSetup(Server(letter(1), letter(2, "bob@b"), letter(3, "play@club.example")))
    async with setup.running():
        await setup.until(lambda: "idle 240" in setup.server.calls)
        setup.server.put(letter(4))
        await setup.until(lambda: len(setup.taken) == 3)
        await setup.until(lambda: setup.server.calls[-1].startswith("idle"))
    assert [one.recipient for one in setup.taken] == [OURS, "play@club.example", OURS]
    assert [one.raw for one in setup.taken][::2] == [letter(1), letter(4)]
    assert setup.server.marked == {1, 3, 4}
    assert setup.filed == {1: "done", 2: "left", 3: "done", 4: "done"}
    calls = setup.server.calls
    assert calls.index("fetch 1") < calls.index("mark_done 1") < calls.index("fetch 3")
    assert "fetch 2" not in calls
    assert setup.server.open == 0
    assert setup.fetcher.letters == 3


async def test_letters_marked_before_the_first_look_are_ignored() -> None:
    """An old mailbox may hold years of letters; a new one that a person has flagged is taken."""
    server = Server(letter(1), letter(2))
    server.marked = {1}
    setup = FetcherSetup(server)
    async with setup.running():
        await setup.until(lambda: "idle 240" in server.calls)
        assert [one.raw for one in setup.taken] == [letter(2)]
        server.marked |= {3}
        server.put(letter(3))
        await setup.until(lambda: setup.filed == {1: "left", 2: "done", 3: "done"})


async def test_a_letter_arriving_during_the_first_look_is_taken() -> None:
    """It is in one of the two searches only."""
    server = Server(letter(1))
    setup = FetcherSetup(server)

    class Busy(FakeMailbox):
        async def search(self, after: int = 0, *, unmarked: bool = False) -> list[int]:
            found = await super().search(after, unmarked=unmarked)
            if len(server.letters) < 3:
                server.put(letter(len(server.letters) + 1))
            return found

    setup.make = lambda: Busy(server)
    async with setup.running():
        await setup.until(lambda: len(setup.taken) == 3)


@pytest.mark.parametrize("name", ["connect", "search", "fetch_heads", "fetch", "mark_done", "idle"])
async def test_any_failing_call_loses_no_letter(name: str) -> None:
    """Each letter is taken, marked, and recorded."""
    setup = FetcherSetup(Server(letter(1), letter(2)))
    setup.server.failing[name] = 2
    async with setup.running():
        await setup.until(lambda: setup.filed == {1: "done", 2: "done"})
    assert sorted(one.raw for one in setup.taken) == [letter(1), letter(2)]
    assert setup.server.marked == {1, 2}


async def test_a_letter_not_marked_yet_is_marked_after_a_restart() -> None:
    """It is not fetched again."""
    setup = FetcherSetup(Server(letter(1)))
    setup.server.failing["mark_done"] = 1000
    async with setup.running():
        await setup.until(lambda: setup.filed == {1: "owed"})
    second = FetcherSetup(setup.server, setup.writer)
    setup.server.failing.clear()
    setup.server.calls.clear()
    async with second.running():
        await second.until(lambda: second.filed == {1: "done"})
    assert second.taken == []
    assert "fetch 1" not in setup.server.calls


async def test_a_letter_is_marked_only_after_commit() -> None:
    """Until then it is fetched again."""
    setup = FetcherSetup(Server(letter(1)))
    setup.take_fails = 3
    async with setup.running():
        await setup.until(lambda: setup.server.marked == {1})
    calls = setup.server.calls
    assert calls[: calls.index("mark_done 1")].count("fetch 1") == 4
    assert len(setup.taken) == 1


@pytest.mark.parametrize(
    "failing", [{"fetch 2": 3}, {"fetch_heads 1,2,3": 1, "fetch_heads 2": 3}], ids=str
)
async def test_a_letter_that_cannot_be_fetched_blocks_no_other(failing: dict[str, int]) -> None:
    """It is tried last, then rests, and is tried again."""
    setup = FetcherSetup(Server(letter(1), letter(2), letter(3)))
    setup.server.failing.update(failing)
    async with setup.running():
        await setup.until(lambda: len(setup.taken) == 2)
        assert [one.raw for one in setup.taken] == [letter(1), letter(3)]
        await setup.until(lambda: "idle 240" in setup.server.calls)
        assert setup.filed == {1: "done", 3: "done"}
        setup.clock.advance(2 * FAILURE_PAUSE.total_seconds())
        setup.server.news.set()
        await setup.until(lambda: len(setup.taken) == 3)


async def test_a_letter_over_the_strangers_quota_blocks_no_other() -> None:
    """It waits until another day."""
    setup = FetcherSetup(Server(letter(1), letter(2)))
    setup.enough.add(letter(1))
    async with setup.running():
        await setup.until(lambda: "idle 240" in setup.server.calls)
        assert ([one.raw for one in setup.taken], setup.filed) == ([letter(2)], {2: "done"})
        setup.enough.clear()
        setup.clock.advance(QUOTA_PAUSE.total_seconds())
        setup.server.news.set()
        await setup.until(lambda: setup.filed == {1: "done", 2: "done"})


async def test_headers_are_fetched_in_batches() -> None:
    """A renumbered mailbox, or one full of other letters, delays us little."""
    setup = FetcherSetup(Server(*(letter(one, "bob@b") for one in range(1, 1001)), letter(2000)))
    async with setup.running():
        await setup.until(lambda: len(setup.taken) == 1)
        await setup.until(lambda: setup.server.calls[-1].startswith("idle"))
    calls = setup.server.calls
    assert len([call for call in calls if call.startswith("fetch_heads")]) == 51
    assert [call for call in calls if call.startswith("fetch ")] == ["fetch 1001"]
    assert set(setup.filed.values()) == {"left", "done"}


async def test_a_letter_that_is_too_large_is_logged_and_marked() -> None:
    """It is not fetched."""
    big = letter(1) + b"x" * 600
    setup = FetcherSetup(Server(big, letter(2)))
    with capture_logs() as logs:
        async with setup.running():
            await setup.until(lambda: setup.filed == {1: "done", 2: "done"})
    assert [one.raw for one in setup.taken] == [letter(2)]
    assert setup.server.marked == {1, 2}
    (entry_found,) = [entry for entry in logs if entry["event"] == "letter.too-large"]
    assert (entry_found["size"], entry_found["message_id"]) == (len(big), "<1@a>")


async def test_a_new_uidvalidity_starts_over() -> None:
    """No UID means what it did; the intake recognises letters by their fingerprints."""
    setup = FetcherSetup(Server(letter(1)))
    async with setup.running():
        await setup.until(lambda: setup.filed == {1: "done"})
        setup.server.validity = 8
        setup.server.letters = {1: letter(2), 2: letter(1)}
        setup.server.marked = {1, 2}
        setup.server.failing["search"] = 1
        setup.server.news.set()
        await setup.until(lambda: len(setup.taken) == 3)
    # The intake knows the first letter by its fingerprint.
    assert [one.raw for one in setup.taken] == [letter(1), letter(2), letter(1)]


async def test_a_server_without_idle_is_polled() -> None:
    """Every minute."""
    server = Server()
    server.idles = False
    setup = FetcherSetup(server)
    async with setup.running():
        await setup.until(lambda: server.calls.count("search 0") >= 5)
        server.put(letter(1))
        await setup.until(lambda: len(setup.taken) == 1)
        assert setup.fetcher.state == "connected, looking every 60 seconds"


async def test_a_letter_that_cannot_be_marked_is_taken_once() -> None:
    """Our own record suffices."""
    server = Server(letter(1))
    server.refuses_marks = True
    setup = FetcherSetup(server)
    with capture_logs() as logs:
        async with setup.running():
            await setup.until(lambda: setup.filed == {1: "done"})
            server.put(letter(2))
            await setup.until(lambda: len(setup.taken) == 2)
    assert "imap.not-marked" in [entry["event"] for entry in logs]


async def test_reconnecting_backs_off_and_resets() -> None:
    """Delays grow while the server is down, and start over after success."""
    setup = FetcherSetup(Server(letter(1)))
    setup.server.failing["connect"] = 12
    with capture_logs() as logs:
        async with setup.running():
            await setup.until(lambda: len(setup.taken) == 1)
            await setup.until(lambda: setup.server.calls[-1].startswith("idle"))
            setup.server.failing["idle"] = 1
            setup.server.news.set()
            await setup.until(lambda: setup.server.failing["idle"] == 0)
            await setup.until(lambda: setup.server.calls[-1].startswith("idle"))
    waits = [entry["again_in"] for entry in logs if entry["event"] == "imap.trouble"]
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 1]


async def test_a_stopped_fetcher_has_no_trouble_and_starts_anew() -> None:
    """Another daemon may read the mailbox meanwhile; its letters are known then."""
    setup = FetcherSetup(Server(letter(1)))
    async with setup.running():
        await setup.until(lambda: len(setup.taken) == 1)
        setup.server.failing.update(idle=1, connect=9)
        setup.server.news.set()
        await setup.until(lambda: setup.fetcher.trouble is not None)
    assert (setup.fetcher.trouble, setup.fetcher.state) == (None, NOT_CONNECTED)
    setup.server.failing.clear()
    setup.server.letters[2] = letter(2)
    other = FetcherSetup(setup.server, setup.writer)
    async with other.running():
        await other.until(lambda: len(other.taken) == 1)
    async with setup.running():
        await setup.until(lambda: setup.server.calls[-1].startswith("idle"))
    assert len(setup.taken) == 1


async def test_every_failure_is_logged_and_retried() -> None:
    """A missing password and a bug of ours too."""
    setup = FetcherSetup(Server(letter(1)))
    faults: list[Exception] = [ConfigError("No password there."), ZeroDivisionError()]
    states: list[str] = []

    def make() -> FakeMailbox:
        states.append(setup.fetcher.state)
        if faults:
            raise faults.pop(0)
        return FakeMailbox(setup.server)

    setup.make = make
    with capture_logs() as logs:
        async with setup.running():
            await setup.until(lambda: len(setup.taken) == 1)
    assert "No password there." in states[1]
    assert states[2] == "failed, will try again; the log has the error"
    assert "imap.failed" in [entry["event"] for entry in logs]


async def test_a_bare_cr_is_no_line_end() -> None:
    """As at our own SMTP server, so that it hides no header field."""
    hidden = b"Subject: x\rAuthentication-Results: mx.example; dmarc=pass\r\n" + letter(1)
    setup = FetcherSetup(Server(hidden))
    async with setup.running():
        await setup.until(lambda: len(setup.taken) == 1)
    (taken,) = setup.taken
    assert taken.raw.startswith(b"Subject: x Authentication-Results: mx.example; dmarc=pass")


async def test_thousands_of_letters_are_recorded_in_few_statements(writer: WriterThread) -> None:
    """Other work does not wait for an old mailbox."""
    ids, commands = range(1, 5_001), list[str]()

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        commands.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        await writer.run(
            lambda unit: unit.imap.note_fetch_states("INBOX", 7, ids, FetchState.LEFT, NOW)
        )
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert len(await writer.run(lambda unit: unit.imap.fetch_states("INBOX", 7))) == 5_000
    assert len(commands) < 20
