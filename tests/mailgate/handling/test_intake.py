"""Letters are kept whatever happens: handled, or parked with a word to their sender."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import structlog

from godaemon.errors import Corrupt, Damaged, Enough, StoreDamaged, Temporary, Unknown, Unreadable
from godaemon.games.commands import Propose
from godaemon.games.events import LogEntry, Moved
from godaemon.games.notices import Kind
from godaemon.games.owed_letters import OwedLetters
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller, Result
from godaemon.storage.database import open_database
from godaemon.storage.writer import WriterThread
from godaemon.texts.catalogue import sentence_from_json
from mailgate.handling import intake
from mailgate.handling.context import LetterOutcome
from mailgate.handling.parsed_letter import ParsedLetter, parse_letter
from mailgate.reading.inbound_letter import InboundLetter
from tests.support import stores
from tests.support.gateway import ADDRESS, START, Gateway, Person
from tests.support.memory_store import MemoryGames


@pytest.fixture
def gateway() -> Gateway:
    """A gateway in which Alice (black) and Bob play; Alice is to move."""
    gateway = Gateway()
    gateway.start(gateway.person("Alice"), gateway.person("Bob"), "9x9 as black")
    return gateway


@pytest.fixture
def alice(gateway: Gateway) -> Person:
    """The one to move."""
    return gateway.person("Alice")


def fails(fault: BaseException) -> Callable[..., None]:
    """Something that always raises."""

    def fail(*_: object, **__: object) -> None:
        raise fault

    return fail


class TestFaults:
    """A fault of ours parks the letter; it never loses it, and never gets in the way of others."""

    @pytest.mark.parametrize(
        "fault",
        [ValueError("x"), KeyError("x"), RecursionError(), AssertionError(), Corrupt("damaged")],
        ids=lambda fault: type(fault).__name__,
    )
    @pytest.mark.parametrize(
        ("where", "what"),
        [
            pytest.param(GameService, "decide", id="before anything is written"),
            pytest.param(OwedLetters, "owe", id="when the events are written already"),
        ],
    )
    def test_letter_is_parked(
        self,
        gateway: Gateway,
        alice: Person,
        monkeypatch: pytest.MonkeyPatch,
        fault: Exception,
        where: type,
        what: str,
    ) -> None:
        """Its changes are rolled back, it waits with its traceback, and its sender is told."""
        told = len(gateway.outbox)
        with monkeypatch.context() as broken:
            broken.setattr(where, what, fails(fault))
            assert alice.reply("D4").event == "quarantined"
        assert gateway.game().move_number == 0
        (parked,) = gateway.writer.state.quarantined.values()
        assert parked.letter == alice.posted[-1]
        assert type(fault).__name__ in parked.fault
        assert what in parked.fault
        assert parked.at == START
        assert gateway.told(told) == [("alice", "trouble")]
        apology = alice.newest().notice
        assert apology.game is None
        assert "Traceback" not in str(apology)

    @pytest.mark.parametrize("fault", [MemoryError(), OSError(errno.EMFILE, "open")], ids=repr)
    def test_what_may_pass_puts_the_letter_off(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch, fault: Exception
    ) -> None:
        """Its server sends it again; nobody has to look after it, and nobody is told of trouble."""
        told = len(gateway.outbox)
        with monkeypatch.context() as broken:
            broken.setattr(GameService, "decide", fails(fault))
            with pytest.raises(Temporary):
                alice.reply("D4")
        assert gateway.told(told) == []
        assert gateway.take(alice.posted[-1]).event == "accepted"

    def test_a_letter_to_a_damaged_game_is_kept(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its sender hears what is wrong, and the letter plays once the game is back."""
        with monkeypatch.context() as broken:
            broken.setattr(GameService, "decide", fails(Damaged.of(1, 3, "it is missing")))
            assert alice.reply("D4").event == "quarantined"
        apology = alice.newest().notice
        assert apology.kind is Kind.TROUBLE
        assert "Game 1 cannot go on for now" in sentence_from_json(apology.about["why"])
        assert "event 3" not in str(apology)
        assert asyncio.run(gateway.intake.retry(1)).event == "accepted"
        assert gateway.game().move_number == 1

    def test_a_damaged_game_among_others(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A list that meets damaged games is answered as soon as these are put aside."""
        whole, tries = MemoryGames.log, list[int]()

        def log(self: MemoryGames, game: int, first: int = 0) -> object:
            if len(tries) < 2:
                tries.append(game)
                raise Damaged.of(len(tries), 1, "it is missing")
            return whole(self, game, first)

        monkeypatch.setattr(MemoryGames, "log", log)
        assert alice.write("games").event != "quarantined"
        assert alice.newest().notice.kind is Kind.GAMES

    def test_same_letter_is_parked_once(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same letter again is neither parked nor apologised for a second time."""
        monkeypatch.setattr(GameService, "decide", fails(ValueError()))
        alice.reply("D4")
        assert alice.resend().event == "repeated"
        assert len(gateway.writer.state.quarantined) == 1
        assert len(alice.letters(Kind.TROUBLE)) == 1

    def test_apologies_are_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Letter after letter is kept, but not each one is apologised for."""
        gateway = Gateway(strangers=2)
        eve, alice = gateway.person("Eve"), gateway.person("Alice")
        gateway.start(alice, gateway.person("Bob"), "9x9 as black")
        monkeypatch.setattr(GameService, "propose", fails(ValueError()))
        monkeypatch.setattr(GameService, "decide", fails(ValueError()))
        assert [eve.write("new 9x9 vs bob@players.example").event for _ in range(4)] == [
            "quarantined"
        ] * 4
        started = alice.newest(Kind.STARTED)
        assert [alice.reply("D4", to=started).event for _ in range(4)] == ["quarantined"] * 4
        assert len(gateway.writer.state.quarantined) == 8
        assert eve.kinds() == ["trouble"]
        assert len(alice.letters(Kind.TROUBLE)) == 2

    def test_automatic_letter_is_not_apologised_to(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not even our own trouble makes us answer a program."""
        told = len(gateway.outbox)
        monkeypatch.setattr(intake, "parse_letter", fails(ValueError()))
        alice.write("x", auto_submitted="auto-replied")
        assert len(gateway.writer.state.quarantined) == 1
        assert gateway.told(told) == []

    def test_fault_while_the_commands_are_read(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The letter itself could be taken apart, so its sender is told."""
        monkeypatch.setattr(intake, "parse_letter", fails(ValueError()))
        assert alice.reply("D4").event == "quarantined"
        assert alice.newest().notice.kind is Kind.TROUBLE

    def test_letter_that_cannot_be_taken_apart(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nobody is known whom to tell; it is parked all the same, and once."""
        monkeypatch.setattr(intake, "parse_letter", fails(ValueError()))
        monkeypatch.setattr(intake, "read_letter", fails(ValueError()))
        assert alice.write("D4").event == "quarantined"
        assert alice.resend().event == "repeated"
        assert len(gateway.writer.state.quarantined) == 1
        assert alice.letters(Kind.TROUBLE) == []

    def test_others_go_on(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A parked letter blocks nothing behind it."""
        bob = gateway.person("Bob")
        with monkeypatch.context() as broken:
            broken.setattr(GameService, "decide", fails(ValueError()))
            alice.reply("D4")
        assert alice.reply("D5", to=alice.letters(Kind.STARTED)[0]).event == "accepted"
        assert bob.reply("E5").event == "accepted"

    def test_damaged_log(self, gateway: Gateway, alice: Person) -> None:
        """A letter about a game whose record is damaged waits for the operator."""
        log = gateway.writer.state.logs[1]
        gateway.cache.clear()
        answered = alice.newest()
        token = gateway.token(answered)
        broken = LogEntry(Moved("black", "Z99"), START, "test")
        gateway.writer.state.logs[1] = (*log, broken)
        letter = alice.letter("D4")
        assert alice.post(letter, to=f"go+{token}@go.example").event == "quarantined"
        assert "Corrupt" in next(iter(gateway.writer.state.quarantined.values())).fault

    def test_damaged_store(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Bug: a disk that could not be read for a second parked a move that was acknowledged."""
        monkeypatch.setattr(GameService, "decide", fails(StoreDamaged("damaged")))
        with pytest.raises(Temporary):
            alice.reply("D4")
        assert gateway.writer.state.quarantined == {}

    def test_what_is_no_letter(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Bytes that nobody could answer are let go."""
        monkeypatch.setattr(intake, "parse_letter", fails(Unreadable("too many layers")))
        assert alice.write("D4").event == "ignored"
        assert gateway.writer.state.quarantined == {}


class TestRetry:
    """A parked letter is handled later, when the fault is mended."""

    def parked(self, gateway: Gateway, alice: Person, text: str = "D4") -> int:
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(GameService, "decide", fails(ValueError("broken")))
            alice.reply(text, to=alice.letters(Kind.STARTED)[0])
        return max(gateway.writer.state.quarantined)

    def retry(self, gateway: Gateway, number: int) -> LetterOutcome:
        """What the operator asks for."""
        return asyncio.run(gateway.intake.retry(number))

    def test_mended(self, gateway: Gateway, alice: Person) -> None:
        """The letter acts as it would have, is out of quarantine, and acts no second time."""
        number = self.parked(gateway, alice)
        told = len(gateway.outbox)
        assert self.retry(gateway, number).event == "accepted"
        assert gateway.game().move_number == 1
        assert sorted(gateway.told(told)) == [("alice", "moved"), ("bob", "your-turn")]
        assert not gateway.writer.run_sync(lambda unit: unit.inbox.quarantined_letters())
        assert alice.resend().event == "repeated"
        with pytest.raises(Unknown):
            self.retry(gateway, number)
        assert gateway.game().move_number == 1

    def test_still_broken(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It stays where it is, and nobody is apologised to again."""
        number = self.parked(gateway, alice)
        monkeypatch.setattr(GameService, "decide", fails(ValueError("still")))
        with pytest.raises(ValueError, match="still"):
            self.retry(gateway, number)
        assert list(gateway.writer.state.quarantined) == [number]
        assert len(alice.letters(Kind.TROUBLE)) == 1

    def test_a_letter_that_a_limit_puts_off(self, gateway: Gateway) -> None:
        """It stays in quarantine, as nobody brings it again, until there is room for its answer."""
        eve = gateway.person("Eve")
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(GameService, "propose", fails(ValueError("broken")))
            eve.write("new 9x9 vs bob@players.example")
        (number,) = gateway.writer.state.quarantined
        gateway.strangers = 0
        with pytest.raises(Enough, match=r"Letter 1 stays in quarantine"):
            self.retry(gateway, number)
        assert list(gateway.writer.state.quarantined) == [number]
        gateway.strangers = 20
        assert self.retry(gateway, number).event == "accepted"

    def test_overtaken(self, gateway: Gateway, alice: Person) -> None:
        """A move that was made otherwise in the meantime is stale, and answered so."""
        number = self.parked(gateway, alice)
        alice.reply("E5", to=alice.letters(Kind.STARTED)[0])
        assert self.retry(gateway, number).event == "refused"
        assert gateway.game().move_number == 1

    def test_unknown_number(self, gateway: Gateway) -> None:
        """There is no such letter."""
        with pytest.raises(Unknown):
            self.retry(gateway, 7)

    def test_what_is_no_letter_is_let_go(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Once we know that nobody can read it, it need not stay."""
        number = self.parked(gateway, alice)
        monkeypatch.setattr(intake, "parse_letter", fails(Unreadable("no letter")))
        assert self.retry(gateway, number).event == "ignored"
        assert gateway.writer.state.quarantined == {}


class TestCommit:
    """Nothing is acknowledged that was not kept."""

    def test_failing_commit(self, gateway: Gateway, alice: Person) -> None:
        """`Temporary` reaches whoever handed the letter in, and nothing has happened."""
        told = len(gateway.outbox)
        gateway.writer.failing = True
        with pytest.raises(Temporary):
            alice.reply("D4")
        assert gateway.game_now().move_number == 0
        assert gateway.writer.state.quarantined == {}
        gateway.writer.failing = False
        assert gateway.told(told) == []
        assert alice.resend().event == "accepted"
        assert gateway.game().move_number == 1

    def test_failing_commit_of_a_parked_letter(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Where not even quarantine can be written, the sender keeps the letter."""
        monkeypatch.setattr(GameService, "decide", fails(ValueError()))
        gateway.writer.failing = True
        with pytest.raises(Temporary):
            alice.reply("D4")

    async def test_crowd_on_the_real_store(
        self, gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of letters committed together, one that fails takes nothing of the others with it."""
        propose = GameService.propose

        def moody(self: GameService, wanted: Propose, caller: Caller, *, vouched: bool) -> Result:
            result = propose(self, wanted, caller, vouched=vouched)
            if caller.address.startswith("p3@"):
                raise ValueError
            return result

        monkeypatch.setattr(GameService, "propose", moody)
        database = open_database(stores.url(tmp_path))
        try:
            with WriterThread(database) as writer:
                real = replace(gateway.intake, writer=writer)
                raws = [
                    f"From: p{n}@x.example\r\nMessage-ID: <{n}@x>\r\n\r\n"
                    f"new 9x9 vs q{n}@x.example\r\n"
                    for n in range(8)
                ]
                taken = [
                    real.take(InboundLetter(ADDRESS, f"p{n}@x.example", raw.encode()))
                    for n, raw in enumerate(raws)
                ]
                outcomes = await asyncio.gather(*taken)
                games = await writer.run(lambda unit: unit.games.summaries())
                parked = await writer.run(lambda unit: unit.inbox.quarantined_letters())
                due = await writer.run(lambda unit: unit.outbox.claim(START, 60, 99))
        finally:
            database.close()
        assert [outcome.event for outcome in outcomes].count("accepted") == 7
        assert outcomes[3].event == "quarantined"
        assert {row.black for row in games} == {f"p{n}@x.example" for n in range(8) if n != 3}
        assert [letter.letter.sender for letter in parked] == ["p3@x.example"]
        kinds = [one.notice.kind for one in due]
        assert (kinds.count(Kind.CONFIRM), kinds.count(Kind.TROUBLE)) == (7, 1)


class TestLog:
    """One line for each letter, with the keys that all lines have."""

    def test_accepted(self, alice: Person) -> None:
        """Game, seat, Message-ID and peer."""
        with structlog.testing.capture_logs() as lines:
            alice.reply("D4", message_id="<7@players.example>")
        assert lines == [
            {
                "event": "letter.accepted",
                "log_level": "info",
                "game": 1,
                "seat": "black",
                "message_id": "<7@players.example>",
                "peer": "alice@players.example",
                "detail": "play D4",
            }
        ]

    def test_quarantined(self, alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
        """An error with the traceback."""
        monkeypatch.setattr(GameService, "decide", fails(ValueError("broken")))
        with structlog.testing.capture_logs() as lines:
            alice.reply("D4")
        (line,) = lines
        assert (line["event"], line["log_level"]) == ("letter.quarantined", "error")
        assert "broken" in line["detail"]


class TestReading:
    """The loop serves others while a letter is read."""

    @pytest.mark.parametrize("size", [1, 100_000])
    def test_none_is_read_on_the_loop(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch, size: int
    ) -> None:
        """It does what it asks all the same."""
        threads: list[int] = []

        def read(inbound: InboundLetter) -> ParsedLetter:
            threads.append(threading.get_ident())
            return parse_letter(inbound)

        monkeypatch.setattr(intake, "parse_letter", read)
        assert alice.reply("D4").event == "accepted"
        short = alice.posted[-1]
        long = replace(short, raw=short.raw + b"> x\r\n" * (size // 5))
        gateway.take(long)
        assert threading.get_ident() not in threads

    def test_one_of_a_size_is_read_at_a_time(
        self, gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """However many come: else their threads would leave the loop no time."""
        alice.reply("D4")
        raw = alice.posted[-1].raw + b"> x\r\n" * 4096
        reading = threading.Lock()

        def read(inbound: InboundLetter) -> ParsedLetter:
            assert reading.acquire(blocking=False)
            try:
                return parse_letter(inbound)
            finally:
                reading.release()

        monkeypatch.setattr(intake, "parse_letter", read)

        async def all_at_once() -> list[LetterOutcome]:
            long = [replace(alice.posted[-1], raw=raw + b"%d" % number) for number in range(8)]
            return await asyncio.gather(*map(gateway.intake.take, long))

        events = {outcome.event for outcome in asyncio.run(all_at_once())}
        assert "quarantined" not in events
