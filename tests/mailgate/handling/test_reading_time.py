"""Reading a letter takes linear time, before the transaction.

Every writer waits for a transaction. Caches of earlier letters are cleared each time.
"""

import asyncio
import functools
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from email.message import EmailMessage

import pytest
from aiosmtpd.smtp import Envelope

from godaemon.texts.catalogue import sentence_from_json
from mailgate import tokens
from mailgate.handling.parsed_letter import parse_letter
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.message import Letter, read_letter
from mailgate.receiving.smtp_handler import LATER, MAX_WRONG_TOKENS, STORED, SmtpHandler
from tests.support.cost import LONGER, calls, is_in_proportion
from tests.support.gateway import ADDRESS, Gateway, started
from tests.support.memory_store import MemoryUnit
from tests.support.raw_smtp import NO_LIMITS

PIECES = (
    *("a", "1", ",", ".", ";", "“", "(", "?", "> ", "<p>", "a ", "1 ", "D4 ", "if D4 then Q16 "),
    *("please ", "no ", "x:", "a@b.example ", "I ", "game 1 ", "1: D4 ", "is D4 dead? "),
    "Bob: D4 ",
    "On Sat, Nov 21, 2026 at 10:00, Bob wrote: ",
)
LONG = 65_536
"""Characters of a long letter."""
COMMAS = "x:" + "," * 2_990 + "!"
"""By which one reply stopped all of us for twenty seconds."""


def forget() -> None:
    """Clear the caches of letters, but not the words of languages."""
    rooms = [module for name, module in [*sys.modules.items()] if name.startswith("mailgate.")]
    for value in [value for room in rooms for value in vars(room).values()]:
        bounded = isinstance(value, functools._lru_cache_wrapper)
        if bounded and value.cache_parameters()["maxsize"] is not None:
            value.cache_clear()


def lines(line: str, size: int) -> str:
    return "\n".join(f"{line}{number}" for number in range(size // (len(line) + 4) + 1))[:size]


def letter(text: str, kind: str = "plain") -> InboundLetter:
    head = f"From: alice@players.example\r\nMessage-ID: <1@x>\r\nContent-Type: text/{kind}\r\n\r\n"
    raw = head.encode() + text.replace("\n", "\r\n").encode()
    return InboundLetter(ADDRESS, "alice@players.example", raw)


def read(inbound: InboundLetter) -> None:
    """Read it as if for the first time."""
    forget()
    parse_letter(inbound)


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 300, 2_900])
@pytest.mark.parametrize("kind", ["plain", "html"])
def test_parsing_takes_linear_time(kind: str, width: int) -> None:
    """For any repeated text."""
    read(letter("D4", kind))
    for piece in (*PIECES, COMMAS):
        line = (piece * width)[:width]
        short, long = (letter(lines(line, size), kind) for size in (LONG // LONGER, LONG))
        assert is_in_proportion(read, short, long), (piece, width)


def test_an_attribution_takes_linear_time() -> None:
    """Bug: a word of two alternatives doubled the time each time."""
    short, long = (letter(f"{'escreveu ' * count}x\n> old") for count in (10, 20))
    assert is_in_proportion(read, short, long)


class _RolledBackError(Exception):
    """Raised to roll back a transaction."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["list", "game", "fresh"])
def test_a_long_letter_does_not_lengthen_the_transaction(name: str) -> None:
    """It is parsed before."""
    gateway, alice, _ = started()
    if name == "list":
        alice.write("games")
        gateway.send()
    to = ADDRESS
    if name != "fresh":
        to = tokens.reply_address(ADDRESS, gateway.token(alice.newest()))

    def cost(text: str) -> int:
        forget()
        found, counts = parse_letter(replace(letter(text), recipient=to)), list[int]()
        handle = gateway.intake.dispatcher.handle_once

        def work(unit: MemoryUnit) -> None:
            counts.append(calls(lambda: handle(unit, found, gateway.now)))
            raise _RolledBackError

        with suppress(_RolledBackError):
            gateway.writer.run_sync(work)
        return counts[0]

    cost("D4")  # what is loaded once
    for piece in PIECES[::3]:
        short, long = (cost(lines((piece * 300)[:300], size)) for size in (LONG // 4, LONG))
        assert long < 1.5 * short, piece


class Reads:
    """Whether letters are taken apart, and how often inside of a transaction."""

    def __init__(self, gateway: Gateway, patch: pytest.MonkeyPatch) -> None:
        forget()
        self.all = self.inside = self._open = 0
        run = gateway.writer.run_sync

        def read(raw: bytes, *, sender: str, recipient: str) -> Letter:
            self.all += 1
            self.inside += self._open
            return read_letter(raw, sender=sender, recipient=recipient)

        def run_sync(work: Callable[..., object]) -> object:
            self._open += 1
            try:
                return run(work)
            finally:
                self._open -= 1

        patch.setattr("mailgate.handling.parsed_letter.read_letter", read)
        patch.setattr(gateway.writer, "run_sync", run_sync)


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_held_letters_are_parsed_before_the_transaction(
    answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that wait, whatever the answer."""
    gateway = Gateway()
    alice, bob, eve = (gateway.person(name) for name in ("Alice", "Bob", "Eve"))
    gateway.start(alice, bob, "9x9 as black")
    to = tokens.reply_address(ADDRESS, gateway.token(alice.newest()))
    assert [eve.write(text, to=to).event for text in ("D4", "E5")] == ["held", "held"]
    reads = Reads(gateway, monkeypatch)
    alice.reply(answer)
    assert (reads.all, reads.inside) == (3, 0)


class Door:
    """Brings letters to several recipients at once, by SMTP."""

    def __init__(self, gateway: Gateway) -> None:
        self._intake = gateway.intake
        self._handler = SmtpHandler(
            lambda: (ADDRESS,), self._deliver, limits=NO_LIMITS, max_recipients=1000
        )

    async def _deliver(self, inbound: InboundLetter) -> bool:
        return not (await self._intake.take(inbound)).wrong_token

    def bring(self, recipients: Sequence[str], written: EmailMessage) -> list[str]:
        envelope = Envelope()
        envelope.mail_from, envelope.rcpt_tos = "alice@players.example", [*recipients]
        return asyncio.run(self._handler.take(envelope, bytes(written), ("127.0.0.1", 1)))


@pytest.mark.parametrize("count", [15, 99])
def test_a_letter_to_many_invalid_tokens_is_parsed_once(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """After some of them the server must try again, so that a valid one is not lost."""
    gateway, alice, _ = started()
    told, reads = len(gateway.outbox), Reads(gateway, monkeypatch)
    wrong = [tokens.reply_address(ADDRESS, f"{n}-b-3-0-{'a' * 16}") for n in range(2, 2 + count)]
    good = tokens.reply_address(ADDRESS, gateway.token(alice.newest()))
    door, written = Door(gateway), alice.letter("D4\n" + lines(COMMAS, 60_000))
    answers = door.bring([*wrong, good], written)
    assert (reads.all, reads.inside) == (1, 0)
    assert answers == [STORED] * MAX_WRONG_TOKENS + [LATER] * (count + 1 - MAX_WRONG_TOKENS)
    assert len(gateway.outbox) - told <= MAX_WRONG_TOKENS
    if count < 2 * MAX_WRONG_TOKENS:
        assert door.bring([*wrong, good], written) == [STORED] * (count + 1)
        assert gateway.game().move_number == 1


def test_a_letter_to_many_games_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It moves in each."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    seats = []
    for name in ("Bob", "Carl", "Dora"):
        gateway.start(alice, gateway.person(name), "9x9 as black")
        seats.append(tokens.reply_address(ADDRESS, gateway.token(alice.newest())))
    reads = Reads(gateway, monkeypatch)
    assert Door(gateway).bring(seats, alice.letter("D4")) == [STORED] * 3
    assert (reads.all, reads.inside) == (1, 0)
    assert [gateway.game(number).move_number for number in (1, 2, 3)] == [1, 1, 1]


def test_an_oversized_record_is_refused() -> None:
    """The proposer gets the reason."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    proposal = alice.letter("new 19x19 vs bob@players.example")
    moves = b"".join(b";B[%c%c];W[tt]" % (97 + n % 19, 97 + n // 19 % 19) for n in range(40_000))
    record = b"(;SZ[19]" + moves + b")"
    proposal.add_attachment(record, "application", "x-go-sgf", filename="game.sgf")
    assert alice.post(proposal).event == "refused"
    assert "No game needs a record this large" in sentence_from_json(
        alice.newest().notice.about["reason"]
    )
