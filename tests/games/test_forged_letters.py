"""A flood of forged letters makes us write no more to strangers than the limits allow.

Alice and Bob play beside the flood, and lose no move. `GODAEMON_FLOOD=10000` forges as many.
"""

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.utils import parseaddr

import pytest

from godaemon.games.notices import Kind
from godaemon.games.people import mailbox
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.tokens import reply_address, return_path
from tests.support.gateway import ADDRESS, Gateway, Table
from tests.support.limits import Limits

LETTERS = int(os.environ.get("GODAEMON_FLOOD", "104"))
PLAYERS = ("alice@players.example", "bob@players.example")
NO_FIELDS = "Subject: Go\r\n\r\n"
_REPORTED = (
    "--x\r\nContent-Type: message/rfc822\r\n\r\n"
    "Message-ID: <1-b-0-0.{id:016x}@go.example>\r\n\r\n--x--\r\n"
)
_ARF = (
    "Content-Type: multipart/report; report-type=feedback-report; boundary=x\r\n\r\n--x\r\n"
    "Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nVersion: 1\r\n\r\n"
    f"{_REPORTED}"
)
_DSN = (
    "Content-Type: multipart/report; report-type=delivery-status; boundary=x\r\n\r\n--x\r\n"
    "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n"
    f"Final-Recipient: rfc822; a@x.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n{_REPORTED}"
)


@dataclass(frozen=True, slots=True)
class ForgedLetter:
    """One letter: its envelope, its fields below From, and its text."""

    author: str
    text: str
    sender: str | None = None
    to: str = ADDRESS
    head: str = ""

    def inbound(self, number: int, network: str) -> InboundLetter:
        raw = (
            f"From: {self.author}\r\nTo: {self.to}\r\nMessage-ID: <{number}@forged.example>\r\n"
            f"{self.head or NO_FIELDS}{self.text}\r\n"
        )
        author = parseaddr(self.author)[1]
        sender = author if self.sender is None else self.sender
        return InboundLetter(self.to, sender, raw.encode(), network)


def kinds(luck: random.Random, replayed: str) -> Sequence[Callable[[int], ForgedLetter]]:
    """Every kind of forged letter, each with a number in it.

    `replayed` is an address of Alice's seat.
    """

    def anybody(number: int) -> str:
        return f"u{number}@d{luck.randrange(500)}.example"

    def wrong(number: int) -> str:
        return reply_address(ADDRESS, f"{number % 9 + 1}-b-3-0-{'a' * 16}")

    def bounce(number: int) -> str:
        return return_path(b"k" * 32, ADDRESS, f"{number:016x}")

    new = "new 9x9 vs cheap-pills@evil.example"
    auto = "Auto-Submitted: auto-replied\r\nSubject: Out of office\r\n\r\n"
    mailing = "List-Id: <x.example>\r\nPrecedence: list\r\nSubject: x\r\n\r\n"
    arf = "Subject: complaint\r\n" + _ARF
    dsn = "Subject: failure\r\n" + _DSN
    return (
        lambda n: ForgedLetter(anybody(n), new),
        lambda n: ForgedLetter(f"v2+{n}@victim.example", new),
        lambda n: ForgedLetter(f"V2+h{n}@victim.example", "help"),
        lambda n: ForgedLetter(f"v2+s{n}@victim.example", f"new 9x9 vs bob{n}"),
        lambda n: ForgedLetter(f"x{n}@catch.example", new),
        lambda n: ForgedLetter(f"v@h{n}.wild.example", "help"),
        lambda n: ForgedLetter(f"victim-{n}@players.example", new),
        lambda n: ForgedLetter(f"vic-{n}@h{n}.players.example", "help"),
        lambda n: ForgedLetter(f"{'.' * (n % 2)}".join("victim") + "@gmail.com", new),
        lambda n: ForgedLetter(f'"Win prize.win {n}" <{anybody(n)}>', new),
        lambda n: ForgedLetter(anybody(n), new, f"x{n}@spam.example"),
        lambda n: ForgedLetter(PLAYERS[n % 2], "D4"),
        lambda n: ForgedLetter(PLAYERS[n % 2], f"new 9x9 vs s{n}@evil.example"),
        lambda n: ForgedLetter(anybody(n), "D4", to=wrong(n)),
        lambda n: ForgedLetter(PLAYERS[n % 2], "resign", to=wrong(n)),
        lambda n: ForgedLetter(anybody(n), f"say {n}", to=replayed),
        lambda n: ForgedLetter(anybody(n), "Hello, can I play Go here?"),
        lambda n: ForgedLetter(anybody(n), f"Look at evil{n}.zip"),
        lambda n: ForgedLetter(anybody(n), "D4"),
        lambda n: ForgedLetter(anybody(n), "block all"),
        lambda n: ForgedLetter("mailer-daemon@x.example", "550 5.1.1", "", bounce(n)),
        lambda n: ForgedLetter("x@x.example", "", "", head=dsn.format(id=n)),
        lambda n: ForgedLetter("fbl@x.example", "", head=arf.format(id=n)),
        lambda n: ForgedLetter(anybody(n), "I am away.", head=auto),
        lambda n: ForgedLetter(anybody(n), new, head=mailing),
        lambda n: ForgedLetter(anybody(n), ""),
    )


@pytest.mark.parametrize("networks", [1, 10_000])
def test_a_flood_does_not_exceed_the_limits(networks: int) -> None:
    """For each stranger, for one network and for all together."""
    limits = Limits()
    table = Table("19x19 as black", Gateway(limits=limits))
    gateway, movers = table.gateway, [table.alice, table.bob]
    every = kinds(random.Random(1), table.seat(table.alice))
    for number in range(LETTERS):
        at = number % networks
        network = f"{at // 250 + 1}.{at % 250}.0.0/24"
        gateway.take(every[number % len(every)](number).inbound(number, network))
        if number % 10 == 0:
            column, row = divmod(number // 10 % 361, 19)
            mover = movers[number // 10 % 2]
            turn_letters = mover.letters(Kind.YOUR_TURN) or mover.letters(Kind.STARTED)
            point = f"{'ABCDEFGHJKLMNOPQRST'[column]}{row + 1}"
            assert mover.reply(point, to=turn_letters[-1]).event == "accepted"
    got = Counter(mailbox(due.notice.to) for due in gateway.outbox if due.notice.to not in PLAYERS)
    assert 0 < max(got.values()) <= limits.letters_per_stranger
    assert got.total() <= (
        limits.strangers_per_network if networks == 1 else limits.strangers_in_all
    )
