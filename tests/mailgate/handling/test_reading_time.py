"""Attacks by the content of a letter, and the time that reading takes.

Reading takes linear time, before the transaction, for which every writer waits. Caches of earlier
letters are cleared each time.
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
from bs4 import BeautifulSoup

from godaemon.errors import Unreadable
from godaemon.texts.catalogue import sentence_from_json
from mailgate import tokens
from mailgate.handling.parsed_letter import parse_letter
from mailgate.language.parser import parse_text
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.message import Letter, read_letter
from mailgate.receiving.smtp_handler import LATER, MAX_WRONG_TOKENS, STORED, SmtpHandler
from tests.support.cost import LONGER, calls, is_in_proportion, peak
from tests.support.gateway import ADDRESS, Gateway, Table, started
from tests.support.letters import html, plain
from tests.support.memory_store import MemoryUnit
from tests.support.raw_smtp import handler_of

HTML = """
<script>alert(1)</script>
<img src=x onerror=alert(1)>
</blockquote><a href="mailto:go@go.example?body=resign">D4</a>
<style>.goban{display:none}</style>
&lt;b&gt; &amp; {{ 7 * 7 }} {% raw %} <![CDATA[x]]> <!-- x -->
style="background:url(https://evil.example/)" `resign`
</title></head><body onload=x>
expression(alert(1)); @import url(//evil.example)
"""


def page_with(words: str) -> BeautifulSoup:
    """The HTML of a turn email with these words of the opponent."""
    table = Table()
    table.alice.reply(f"D4\nhello {words}")
    return BeautifulSoup(html(table.bob.read()), "html.parser")


def shape(page: BeautifulSoup) -> list[tuple[str, tuple[str, ...]]]:
    """The tags of a page with the names of their attributes."""
    return [(tag.name, tuple(sorted(tag.attrs))) for tag in page.find_all(name=True)]


@pytest.mark.parametrize("words", HTML.strip().split("\n"))
def test_html_in_words_is_shown_as_text(words: str) -> None:
    """The page has the same tags as with harmless words."""
    page = page_with(words)
    assert shape(page) == shape(page_with("hello"))
    assert " ".join(words.split()) in " ".join(page.get_text().split())


@pytest.mark.parametrize(
    "words",
    [
        b"D4\r\n\xff\xfe\x00 hello \xc3\x28",
        b"D\x004\r\nhello\x00",
        b"\xef\xbb\xbfD4\r\n\xed\xa0\x80 half a character",
        b"D4\r\n\x1b]0;title\x07\x1b[2J hello",
        "D4\r\nhello \u202eevil\u2066".encode(),
        b"D4\r\n\x80\x81\x8d",
        "\u2060D4\u200b\r\nhello\U000e0041".encode(),
    ],
    ids=repr,
)
def test_a_move_beside_invalid_bytes_is_made(words: bytes) -> None:
    """The opponent's letter has no character that hides or turns text."""
    table = Table()
    alice = table.alice.address
    raw = f"From: {alice}\r\n\r\n".encode() + words + b"\r\n"
    assert (
        table.gateway.take(InboundLetter(table.seat(table.alice), alice, raw)).event == "accepted"
    )
    assert table.moves() == "D4"
    letter = table.bob.read()
    assert not set(plain(letter) + html(letter)) & set("\0\x1b\x07\u202e\u2066\ufffe\ud800")


def costly_letters(times: int) -> dict[str, bytes]:
    """Letters that are costly to read, `times` larger than needed for that."""
    typed = b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n"
    page = b"Content-Type: text/html\n\n"
    coded = b"Content-Transfer-Encoding: %s\n\n%s"
    zipped = b"Content-Type: application/zip; name=42.zip\n" + coded % (b"base64", b"UEsDBBQA\n")
    parts = b"Content-Type: multipart/mixed; boundary=b\n\n"
    return {
        "deep nesting": b"".join(typed % (i, i) for i in range(2_000 * times)),
        "NUL": b"\x00" * 1_000_000 * times,
        "ten thousand parts": parts + b"--b\nContent-Type: text/plain\n\n\n" * 10_000 * times,
        "parts without a header": parts + b"--b\n\n" * 200_000 * times,
        "letters in letters": b"Content-Type: message/rfc822\n\n" * 4_000 * times,
        "archives": parts + (b"--b\n" + zipped) * 20_000 * times,
        "long parameters": b"Content-Type: text/plain;" + b'a="b;\n ' * 300_000 * times + b"\n\nx",
        "long subject": b"Subject:" + b" =?utf-8?q?\n" * 200_000 * times + b"\n\nx",
        "long author": b"From: " + b'(<"\n ' * 400_000 * times + b"\n\nx",
        "many fields": b"X: y\n" * 400_000 * times + b"\nx",
        "references": b"References:" + b" <a@b>\n" * 300_000 * times + b"\nx",
        "flowed": b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 700_000 * times,
        "base64": coded % (b"base64", b"AAAA\n" * 400_000 * times),
        "uuencoded": coded % (b"x-uuencode", b"begin 644 x\n" + b"M\n" * 1_000_000 * times),
        "quoted-printable": coded % (b"quoted-printable", b"=========\n" * 200_000 * times),
        "moves": b"From: a@b.c\n\n" + b"D4\n" * 700_000 * times,
        "attributions": b"From: a@b.c\n\n" + b"hello 20.11.2026 10:00 a@b:\n" * 80_000 * times,
        "HTML that never closes": page + b"<div>\n" * 350_000 * times,
        "HTML of brackets": page + b"<<<<<<<<<\n" * 210_000 * times,
        "HTML of moves": page + b"<p>D4</p>\n" * 210_000 * times,
    }


def read_or_refuse(inbound: InboundLetter) -> None:
    """Read a letter; an unreadable one is only refused."""
    try:
        parse_letter(inbound)
    except Unreadable:
        return


@pytest.mark.slow
@pytest.mark.parametrize("name", costly_letters(0))
def test_a_bomb_of_twice_the_size_costs_no_more(name: str) -> None:
    """Parsing stops at limits of size and depth."""
    read_or_refuse(InboundLetter(ADDRESS, "a@b.c", b"\nD4"))  # what is loaded once
    one, two = (InboundLetter(ADDRESS, "a@b.c", costly_letters(times)[name]) for times in (1, 2))
    first, second = calls(lambda: read_or_refuse(one)), calls(lambda: read_or_refuse(two))
    assert second <= first * 1.05 + 1_000
    assert first <= 4_000_000


@pytest.mark.parametrize("name", ["deep nesting", "archives"])
def test_a_bomb_of_60_mb_takes_no_more_memory(name: str) -> None:
    """A letter of 2 MB needs as much."""
    raw = costly_letters(1)[name]
    large = InboundLetter(ADDRESS, "a@b.c", raw * (60_000_000 // len(raw)))
    assert peak(lambda: read_or_refuse(large)) <= 40_000_000


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


def door_of(gateway: Gateway) -> SmtpHandler:
    """Where letters come in by SMTP."""
    intake = gateway.intake

    async def deliver(inbound: InboundLetter) -> bool:
        return not (await intake.take(inbound)).wrong_token

    return handler_of(deliver, max_recipients=1000)


def bring(door: SmtpHandler, recipients: Sequence[str], written: EmailMessage) -> list[str]:
    """Bring a letter to several recipients at once; returns the answers."""
    envelope = Envelope()
    envelope.mail_from, envelope.rcpt_tos = "alice@players.example", [*recipients]
    return asyncio.run(door.take(envelope, bytes(written), ("127.0.0.1", 1)))


@pytest.mark.parametrize("count", [15, 99])
def test_a_letter_to_many_invalid_tokens_is_parsed_once(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """After some of them the server must try again, so that a valid one is not lost."""
    gateway, alice, _ = started()
    told, reads = len(gateway.outbox), Reads(gateway, monkeypatch)
    wrong = [tokens.reply_address(ADDRESS, f"{n}-b-3-0-{'a' * 16}") for n in range(2, 2 + count)]
    good = tokens.reply_address(ADDRESS, gateway.token(alice.newest()))
    door, written = door_of(gateway), alice.letter("D4\n" + lines(COMMAS, 60_000))
    answers = bring(door, [*wrong, good], written)
    assert (reads.all, reads.inside) == (1, 0)
    assert answers == [STORED] * MAX_WRONG_TOKENS + [LATER] * (count + 1 - MAX_WRONG_TOKENS)
    assert len(gateway.outbox) - told <= MAX_WRONG_TOKENS
    if count < 2 * MAX_WRONG_TOKENS:
        assert bring(door, [*wrong, good], written) == [STORED] * (count + 1)
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
    assert bring(door_of(gateway), seats, alice.letter("D4")) == [STORED] * 3
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


def test_a_refused_line_is_read_once() -> None:
    """A list of games asks for each line twice: before the transaction, and inside of it."""

    def refuse() -> None:
        with pytest.raises(Unreadable):
            parse_text(["new 9x9 komi seven as purple"])

    forget()
    first = calls(refuse)
    assert calls(refuse) < first / 5
