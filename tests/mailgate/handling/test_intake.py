"""Intake of letters: the commit, the log, concurrent reading, and rehearsals.

What becomes of a letter that meets a fault of ours is in the scenes of `faults.txt`.
"""

import asyncio
import threading
from dataclasses import replace

import pytest
import structlog

from godaemon.errors import Damaged, QuotaExceeded, Unknown
from godaemon.games.events import LogEntry, Moved
from godaemon.games.notices import Kind
from mailgate.handling import intake
from mailgate.handling.context import LetterOutcome
from mailgate.handling.intake import Rehearsal, rehearse
from mailgate.handling.parsed_letter import ParsedLetter, parse_letter
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.gateway import START, Gateway, Person, started
from tests.support.memory_store import MemoryGames
from tests.support.scenes import play_lines


@pytest.fixture
def gateway() -> Gateway:
    """A gateway in which Alice (black) and Bob play; Alice is to move."""
    return started()[0]


@pytest.fixture
def alice(gateway: Gateway) -> Person:
    return gateway.person("Alice")


def test_a_list_skips_damaged_games(
    gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are set aside, and the letter is handled again."""
    whole, tries = MemoryGames.log, list[int]()

    def log(self: MemoryGames, game: int, first: int = 0) -> object:
        if len(tries) < 2:
            tries.append(game)
            raise Damaged.of(len(tries), 1, "it is missing")
        return whole(self, game, first)

    monkeypatch.setattr(MemoryGames, "log", log)
    assert alice.write("games").event != "quarantined"
    assert alice.newest().notice.kind is Kind.GAMES


def test_a_letter_about_a_damaged_game_is_quarantined(gateway: Gateway, alice: Person) -> None:
    """The operator can retry it."""
    gateway.cache.clear()
    to = f"go+{gateway.token(alice.newest())}@go.example"
    gateway.writer.state.logs[1] += (LogEntry(Moved("black", "Z99"), START, "test"),)
    assert alice.post(alice.letter("D4"), to=to).event == "quarantined"
    play_lines(gateway, "quarantine 1 Corrupt")


def retry(gateway: Gateway, number: int) -> LetterOutcome:
    """What the operator asks for."""
    return asyncio.run(gateway.intake.retry(number))


def test_a_failed_retry_leaves_the_letter_in_quarantine(gateway: Gateway, alice: Person) -> None:
    """Without another apology."""
    play_lines(gateway, "fault decide KeyError\nAlice: D4")
    with pytest.raises(ValueError, match="broken"):
        play_lines(gateway, "fault decide ValueError\nretry 1")
    assert list(gateway.writer.state.quarantined) == [1]
    assert len(alice.letters(Kind.TROUBLE)) == 1
    with pytest.raises(Unknown):
        retry(gateway, 7)


def test_a_retry_over_a_limit_leaves_the_letter_in_quarantine(gateway: Gateway) -> None:
    """Nobody would send it again."""
    play_lines(gateway, "fault propose ValueError\nEve: new 9x9 vs bob@players.example")
    gateway.strangers = 0
    with pytest.raises(QuotaExceeded, match=r"Email 1 stays in quarantine"):
        retry(gateway, 1)
    assert list(gateway.writer.state.quarantined) == [1]
    gateway.strangers = 20
    assert retry(gateway, 1).event == "accepted"


def test_a_failing_commit_puts_the_letter_off(gateway: Gateway, alice: Person) -> None:
    """Nothing has happened; the server sends it again."""
    gateway.writer.failing = True
    assert alice.reply("D4").event == "put-off"
    assert gateway.game_now().move_number == 0
    queued = len(gateway.outbox)
    play_lines(gateway, "fault decide ValueError\nAlice: D4 => put-off\nquarantine 0")
    assert len(gateway.outbox) == queued
    gateway.writer.failing = False
    play_lines(gateway, "Alice (again): => accepted\ngame.move_number = 1")


def test_each_letter_is_logged(gateway: Gateway, alice: Person) -> None:
    """With game, seat, Message-ID and peer; a proposal with its new game, a fault with its text."""
    with structlog.testing.capture_logs() as lines:
        alice.write("new 9x9 vs carol@players.example")
        alice.reply("D4", to=alice.newest(Kind.STARTED), message_id="<7@players.example>")
        play_lines(gateway, "fault decide ValueError\nBob: E5 => quarantined")
    proposed, accepted, quarantined = lines
    assert (proposed["event"], proposed["game"]) == ("letter.accepted", 2)
    assert accepted == {
        "event": "letter.accepted",
        "log_level": "info",
        "game": 1,
        "seat": "black",
        "message_id": "<7@players.example>",
        "peer": "alice@players.example",
        "detail": "play D4",
    }
    assert (quarantined["event"], quarantined["log_level"]) == ("letter.quarantined", "error")
    assert "broken" in quarantined["detail"]


@pytest.mark.parametrize("size", [1, 100_000])
def test_letters_are_parsed_off_the_event_loop(
    gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Whatever their size."""
    threads: list[int] = []

    def read(inbound: InboundLetter) -> ParsedLetter:
        threads.append(threading.get_ident())
        return parse_letter(inbound)

    assert alice.reply("D4").event == "accepted"
    short = alice.posted[-1]
    long = replace(short, raw=short.raw + b"> x\r\n" * (size // 5))
    monkeypatch.setattr(intake, "parse_letter", read)
    asyncio.run(gateway.intake.take(long))  # the gateway's own loop has no threads
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_large_letters_are_parsed_one_at_a_time(
    gateway: Gateway, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their threads would starve the event loop."""
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


def trial(gateway: Gateway, letter: InboundLetter) -> Rehearsal:
    """What a letter would do; the store is as it was, and so is the game in memory."""
    before, position = gateway.writer.state.copy(), gateway.game_now(1)
    found = asyncio.run(rehearse(gateway.writer, gateway.intake.dispatcher, letter, gateway.now))
    assert gateway.writer.state == before
    assert gateway.game_now(1) == position
    return found


def written(person: Person, words: str) -> InboundLetter:
    """An answer to the newest letter, as it came, of a store that has never seen it."""
    state = person.gateway.writer.state.copy()
    person.reply(words)
    person.gateway.writer.state = state
    person.gateway.cache.clear()
    return person.posted[-1]


@pytest.mark.parametrize(
    ("words", "event", "commands", "why", "notices"),
    [
        ("D4", "accepted", ["play D4"], "", [("alice", "moved"), ("bob", "your-turn")]),
        (
            *("D4\n\nCan I see the rules?", "accepted", ["play D4"]),
            *("I have passed your words on", [("alice", "moved"), ("bob", "your-turn")]),
        ),
        ("Z99", "refused", [], "“z99” is not a point", [("alice", "refused")]),
        ("undo", "refused", ["undo"], "", [("alice", "refused")]),
        ("A nice day today.", "accepted", [], "", [("bob", "chat"), ("alice", "show")]),
    ],
)
def test_a_rehearsal_predicts_the_outcome(
    gateway: Gateway,
    words: str,
    event: str,
    commands: list[str],
    why: str,
    notices: list[tuple[str, str]],
) -> None:
    """Result, commands, reason and notices."""
    letter = written(gateway.person("Alice"), words)
    found = trial(gateway, letter)
    assert (found.outcome.event, found.outcome.game, found.outcome.seat) == (event, 1, "black")
    assert found.commands == commands
    assert why in found.reason
    assert [(one.to.partition("@")[0], one.kind.value) for one in found.notices] == notices
    assert not found.repeated
    before = len(gateway.outbox)
    assert gateway.take(letter) == found.outcome
    assert gateway.notices(before) == notices


def test_a_rehearsal_reports_a_repeated_letter(gateway: Gateway) -> None:
    """With its first effects."""
    alice = gateway.person("Alice")
    alice.reply("help")
    found = trial(gateway, alice.posted[-1])
    assert (found.repeated, found.outcome.event) == (True, "accepted")


def test_a_rehearsal_reports_a_fault(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    """The letter would be quarantined."""
    letter = written(gateway.person("Alice"), "D4")

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("mailgate.handling.handler.check_words", fail)
    found = trial(gateway, letter)
    assert found.outcome.event == "quarantined"
    assert "ZeroDivisionError" in found.reason


def test_a_rehearsal_ignores_what_is_no_letter(gateway: Gateway) -> None:
    """As intake does."""
    found = trial(gateway, InboundLetter("go@go.example", "a@b.example", b""))
    assert found.outcome.event == "ignored"
