"""Forged letters by the thousand, against a real daemon, with people who play beside them.

    python -m tests.crash.floods --letters 10000

They come from one computer, from many, and through a relay of ours; each time a daemon of its own
takes them by SMTP while Alice and Bob play. Told is how many letters any one person got who never
wrote to us, how many such people got any, and how long Alice and Bob waited for each other's moves.
"""

from __future__ import annotations

import argparse
import random
import smtplib
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email.utils import getaddresses
from pathlib import Path
from time import monotonic

from godaemon.games.people import mailbox, organisation
from mailgate import tokens
from tests.support.daemon import LiveDaemon
from tests.support.players import MailPlayer

EXTRA = """
[log]
level = "warning"
"""
_OURS = "go@localhost"
_PLAYERS = ("alice@players.example", "bob@players.example")
_WAYS = ("one source", "many sources", "a relay")
_LINES = 4
_WRONG = 2
"""So many wrong tokens from one computer: each makes it wait longer."""
_ARF = (
    "Content-Type: multipart/report; report-type=feedback-report; boundary=x\r\n\r\n--x\r\n"
    "Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nVersion: 1\r\n\r\n--x\r\n"
    "Content-Type: message/rfc822\r\n\r\nMessage-ID: <1-b-0-0.{id:016x}@localhost>\r\n\r\n--x--\r\n"
)
_DSN = (
    "Content-Type: multipart/report; report-type=delivery-status; boundary=x\r\n\r\n--x\r\n"
    "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n"
    "Final-Recipient: rfc822; a@x.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--x\r\n"
    "Content-Type: message/rfc822\r\n\r\nMessage-ID: <1-b-0-0.{id:016x}@localhost>\r\n\r\n--x--\r\n"
)


@dataclass(frozen=True, slots=True)
class Forged:
    """One letter: of what kind it is, its envelope, its fields below From, and its text."""

    kind: str
    author: str
    text: str
    sender: str | None = None
    to: str = _OURS
    head: str = ""

    def raw(self, number: int, received: str) -> bytes:
        top = f"Received: {received}; now\r\n" if received else ""
        head = self.head or "Subject: Go\r\n\r\n"
        return (
            f"{top}From: {self.author}\r\nTo: {self.to}\r\n"
            f"Message-ID: <{number}@forged.example>\r\n{head}{self.text}\r\n"
        ).encode()


@dataclass(slots=True)
class Run:
    """What became of one flood."""

    way: str
    answers: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    got: Counter[str] = field(default_factory=Counter)
    """Letters by person, of those who never wrote to us."""
    domains: Counter[str] = field(default_factory=Counter)
    """The same by registered domain."""
    waits: list[float] = field(default_factory=list)
    """For how many seconds a player waited for each move of the other."""
    lost: list[str] = field(default_factory=list)
    players: Counter[str] = field(default_factory=Counter)
    """Letters that the players got and had not asked for."""
    seconds: float = 0.0

    @property
    def most(self) -> int:
        return max(self.got.values(), default=0)

    def report(self) -> str:
        """What is told of it."""
        waits = sorted(self.waits) or [0.0]
        worst = ", ".join(f"{who}: {count}" for who, count in self.got.most_common(3))
        return "\n".join(
            [
                f"{self.way}: {self.sent.total()} letters in {self.seconds:.0f} s",
                f"  answers to them:        {dict(self.answers.most_common())}",
                f"  most to one person:     {self.most}  ({worst})",
                f"  most to one domain:     {dict(self.domains.most_common(3))}",
                f"  people written to:      {len(self.got)}",
                f"  letters to them all:    {self.got.total()}",
                f"  moves of the players:   {len(self.waits)} arrived, {len(self.lost)} lost",
                f"  waited, median / worst: {waits[len(waits) // 2]:.2f} / {waits[-1]:.2f} s",
                f"  forgeries to a player:  {dict(self.players)}",
            ]
        )


def kinds(luck: random.Random, replayed: str) -> Sequence[Callable[[int], Forged]]:
    """Every kind of forged letter, each with a number in it.

    `replayed` is an address of Alice's seat.
    """

    def anybody(number: int) -> str:
        return f"u{number}@d{luck.randrange(500)}.example"

    def wrong(number: int) -> str:
        return f"go+{number % 9 + 1}-b-3-0-{'a' * 16}@localhost"

    def bounce(number: int) -> str:
        return tokens.return_path(b"k" * 32, _OURS, f"{number:016x}")

    new = "new 9x9 vs cheap-pills@evil.example"
    auto = "Auto-Submitted: auto-replied\r\nSubject: Out of office\r\n\r\n"
    mailing = "List-Id: <x.example>\r\nPrecedence: list\r\nSubject: x\r\n\r\n"
    arf = "Subject: complaint\r\n" + _ARF
    dsn = "Subject: failure\r\n" + _DSN
    return (
        lambda n: Forged("proposal", anybody(n), new),
        lambda n: Forged("proposal, tags", f"v2+{n}@victim.example", new),
        lambda n: Forged("help, tags", f"V2+h{n}@victim.example", "help"),
        lambda n: Forged("slip, tags", f"v2+s{n}@victim.example", f"new 9x9 vs bob{n}"),
        lambda n: Forged("proposal, catch-all", f"x{n}@catch.example", new),
        lambda n: Forged("help, wildcard hosts", f"v@h{n}.wild.example", "help"),
        lambda n: Forged("proposal, hyphens", f"victim-{n}@players.example", new),
        lambda n: Forged("help, hyphens and hosts", f"vic-{n}@h{n}.players.example", "help"),
        lambda n: Forged(
            "gmail's full stops", f"{'.' * (n % 2)}".join("victim") + "@gmail.com", new
        ),
        lambda n: Forged("name that sells", f'"Win prize.win {n}" <{anybody(n)}>', new),
        lambda n: Forged("proposal, another envelope", anybody(n), new, f"x{n}@spam.example"),
        lambda n: Forged("a player, no token", _PLAYERS[n % 2], "D4"),
        lambda n: Forged("a player proposes", _PLAYERS[n % 2], f"new 9x9 vs s{n}@evil.example"),
        lambda n: Forged("wrong token", anybody(n), "D4", to=wrong(n)),
        lambda n: Forged("wrong token, a player", _PLAYERS[n % 2], "resign", to=wrong(n)),
        lambda n: Forged("replayed token", anybody(n), f"say {n}", to=replayed),
        lambda n: Forged("words", anybody(n), "Hello, can I play Go here?"),
        lambda n: Forged("link", anybody(n), f"Look at evil{n}.zip"),
        lambda n: Forged("move", anybody(n), "D4"),
        lambda n: Forged("block", anybody(n), "block all"),
        lambda n: Forged("bounce", "mailer-daemon@x.example", "550 5.1.1", "", bounce(n)),
        lambda n: Forged("dsn", "x@x.example", "", "", head=dsn.format(id=n)),
        lambda n: Forged("arf", "fbl@x.example", "", head=arf.format(id=n)),
        lambda n: Forged("out of office", anybody(n), "I am away.", head=auto),
        lambda n: Forged("list", anybody(n), new, head=mailing),
        lambda n: Forged("nothing", anybody(n), ""),
    )


class Flood:
    """One flood of `count` letters by one of the ways, and a game beside it."""

    def __init__(self, folder: Path, way: str, count: int, seed: int = 1) -> None:
        self.run = Run(way)
        self._way, self._count, self._luck = way, count, random.Random(seed)
        relays = '\nrelays = ["127.0.0.1"]\nletters_per_minute = 1000000\n'
        self._daemon = LiveDaemon(folder, EXTRA)
        text = self._daemon.config.read_text(encoding="utf-8")
        text = text.replace("[mail.outgoing]", f"{relays}[mail.outgoing]")
        self._daemon.config.write_text(text, encoding="utf-8")
        self._over, self._lock = threading.Event(), threading.Lock()

    def flood(self) -> Run:
        """Send them all, and count what came of it."""
        self._daemon.start()
        try:
            alice, bob = (
                MailPlayer(address, address[:3], self._daemon.port, self._daemon.mail)
                for address in _PLAYERS
            )
            replayed = self._begin(alice, bob)
            game = threading.Thread(target=self._play, args=(alice, bob))
            game.start()
            began = monotonic()
            with ThreadPoolExecutor(_LINES) as lines:
                for _ in lines.map(self._line, self._shares(replayed)):
                    pass
            self.run.seconds = monotonic() - began
            self._over.set()
            game.join()
        finally:
            self._daemon.stop()
        self._count_letters()
        return self.run

    def _begin(self, alice: MailPlayer, bob: MailPlayer) -> str:
        """A game; gives an address of Alice's seat that a forger has seen."""
        alice.write(f"new 19x19 as black vs {bob.address}")
        alice.expect("confirm")
        alice.reply("yes")
        bob.expect("invitation")
        bob.reply("accept")
        seen = alice.expect("started")
        return getaddresses([str(seen["Reply-To"])])[0][1]

    def _play(self, alice: MailPlayer, bob: MailPlayer) -> None:
        """Both play on, up and down the board, until the flood is over."""
        points = (f"{column}{row}" for row in range(1, 20) for column in "ABCDEFGHJKLMNOPQRST")
        mover, other = alice, bob
        for point in points:
            began = monotonic()
            mover.reply(point, quote=False)
            try:
                other.expect("your-turn", 60)
            except AssertionError:
                self.run.lost.append(point)
                return
            self.run.waits.append(monotonic() - began)
            if self._over.wait(0.05):
                return
            mover, other = other, mover

    def _shares(self, replayed: str) -> list[list[tuple[int, Forged]]]:
        """The letters, dealt out to the lines."""
        every = kinds(self._luck, replayed)
        letters = [(number, every[number % len(every)](number)) for number in range(self._count)]
        if self._way == _WAYS[0]:
            wrong = [one for one in letters if one[1].kind.startswith(("wrong", "bounce"))][_WRONG:]
            letters = [one for one in letters if one not in wrong]
        return [letters[line::_LINES] for line in range(_LINES)]

    def _line(self, letters: Sequence[tuple[int, Forged]]) -> None:
        """Bring letters over one connection after the other."""
        most = 2 if self._way == _WAYS[1] else 20
        for start in range(0, len(letters), most):
            self._session(letters[start : start + most])

    def _session(self, letters: Sequence[tuple[int, Forged]]) -> None:
        first = letters[0][0]
        host = {
            _WAYS[0]: "127.9.9.9",
            _WAYS[1]: f"127.{first % 200 + 1}.{first // 200 % 250}.1",
            _WAYS[2]: "127.0.0.1",
        }[self._way]
        answers = Counter[str]()
        line = smtplib.SMTP(source_address=(host, 0), timeout=120)
        line.connect("127.0.0.1", self._daemon.port)
        for number, letter in letters:
            answers[_brought(line, letter, letter.raw(number, self._received(number)))] += 1
        line.close()
        with self._lock:
            self.run.answers += answers
            self.run.sent += Counter(letter.kind for _, letter in letters)

    def _received(self, number: int) -> str:
        """The relay's field; below it the forger may have written what he likes."""
        if self._way != _WAYS[2]:
            return ""
        said = f"from [198.18.{number % 250}.1] (x [203.0.{number % 50}.{number % 250}]) by relay"
        return f"{said}; now\r\nReceived: from x (x [9.{number % 250}.9.9]) by y"

    def _count_letters(self) -> None:
        for folder in self._daemon.mail.iterdir():
            count = sum(1 for _ in _letters(folder))
            if folder.name in _PLAYERS:
                kinds = Counter(_kind(path) for path in _letters(folder))
                for kind in ("confirm", "refused", "show", "games", "help"):
                    self.run.players[kind] = max(self.run.players[kind], kinds[kind])
            else:
                self.run.got[mailbox(folder.name)] += count
                self.run.domains[organisation(folder.name.rpartition("@")[2])] += count


def _letters(folder: Path) -> Iterator[Path]:
    yield from folder.glob("new/*")


def _kind(path: Path) -> str:
    head = path.read_text(encoding="utf-8", errors="replace")
    return head.partition("X-Godaemon-Notice: ")[2].partition("\n")[0].strip()


def _brought(line: smtplib.SMTP, letter: Forged, raw: bytes) -> str:
    """Hand one over: the code of the answer."""
    sender = letter.author if letter.sender is None else letter.sender
    sender = sender.rpartition("<")[2].rstrip(">")
    try:
        line.sendmail(sender, [letter.to], raw)
    except smtplib.SMTPRecipientsRefused as refused:
        return str(next(iter(refused.recipients.values()))[0])
    except smtplib.SMTPResponseException as refused:
        return str(refused.smtp_code)
    except smtplib.SMTPServerDisconnected:
        line.connect()
        return "hung up"
    return "250"


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--letters", type=int, default=10_000)
    found = options.parse_args(arguments)
    for way in _WAYS:
        with tempfile.TemporaryDirectory() as folder:
            told = Flood(Path(folder), way, found.letters // len(_WAYS)).flood().report()
            sys.stdout.write(f"{told}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
