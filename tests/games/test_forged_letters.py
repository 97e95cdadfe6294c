"""A flood of forged letters makes us write no more to strangers than the limits allow.

Alice and Bob play beside the flood, and lose no move. `GODAEMON_FLOOD=10000` forges as many.
"""

import os
import random
from collections import Counter
from email.utils import parseaddr

import pytest

from godaemon.games.notices import Kind
from godaemon.games.people import mailbox
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.tokens import reply_address, return_path
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.gateway import ADDRESS, Gateway, Table
from tests.support.limits import Limits

LETTERS = int(os.environ.get("GODAEMON_FLOOD", "104"))
PLAYERS = ("alice@players.example", "bob@players.example")
FORGED = read_blocks(places.DATA / "forged.txt")
LINES = FORGED.pop("letters").splitlines()


def forged(number: int, network: str, luck: random.Random, replayed: str) -> InboundLetter:
    """A forged letter of the next kind; `replayed` is an address of Alice's seat."""
    line = LINES[number % len(LINES)].format(
        n=number,
        anybody=f"u{number}@d{luck.randrange(500)}.example",
        player=PLAYERS[number % 2],
        wrong=reply_address(ADDRESS, f"{number % 9 + 1}-b-3-0-{'a' * 16}"),
        bounce=return_path(b"k" * 32, ADDRESS, f"{number:016x}"),
        replayed=replayed,
        dots="v.i.c.t.i.m" if number % 2 else "victim",
    )
    author, sender, to, kind, text = (field.strip() for field in line.split("|"))
    head = FORGED[kind or "plain"].format(id=number).replace("\n", "\r\n")
    raw = (
        f"From: {author}\r\nTo: {to or ADDRESS}\r\nMessage-ID: <{number}@forged.example>\r\n{head}"
    )
    envelope = {"": parseaddr(author)[1], "<>": ""}.get(sender, sender)
    return InboundLetter(to or ADDRESS, envelope, f"{raw}{text}\r\n".encode(), network)


@pytest.mark.parametrize("networks", [1, 10_000])
def test_a_flood_does_not_exceed_the_limits(networks: int) -> None:
    """For each stranger, for one network and for all together."""
    limits = Limits()
    table = Table("19x19 as black", Gateway(limits=limits))
    gateway, movers = table.gateway, [table.alice, table.bob]
    luck, replayed = random.Random(1), table.seat(table.alice)
    for number in range(LETTERS):
        at = number % networks
        network = f"{at // 250 + 1}.{at % 250}.0.0/24"
        gateway.take(forged(number, network, luck, replayed))
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
