"""Letters of every kind: all that can be written, by each player, in every phase of a game.

`tour` writes each example of the table of verbs, and what people write beside them, in every
situation, and gives the letters that come of it. A new verb or kind takes part by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from unittest import mock

from godaemon.games.engine_seats import Entrant, Roster
from godaemon.games.notices import Kind
from godaemon.games.service import GameService
from mailgate.language.verb_table import verbs
from mailgate.letters.blocks import LetterBlocks
from mailgate.letters.headers import SenderIdentity, subject
from mailgate.letters.letter_data import LetterData, load_letter_data
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.boards import TRIPLE_KO_CYCLE, TRIPLE_KO_MOVES
from tests.support.delivery_report import report
from tests.support.gateway import ADDRESS, KEY, Gateway, Person
from tests.support.played_games import composer

ENGINES = Roster((Entrant("house"), Entrant("gnugo", note="GNU Go")), games_per_player=3)
COUNTED = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2 pass pass"
"""A game on 7x5 up to the count: White has no stone at F5, and Black's stone at A2 is dead."""
LINES = (
    *(example for verb in verbs().values() for example in verb.examples),
    *("C1", "Z9", "D4 thanks to you", "resing", "Hello, how are you?", "how do I pass?", "games"),
    *("resign\npass", "dead F4 all", "dead C3 all", "dead C3 E3", "new 9x9 vs bob", "show 99"),
    *("new 9x9 rules nonsense vs bob@players.example", "new 60x60 vs bob@players.example"),
    *("new 9x9 vs house", "new 9x9 vs nobody", "new 5x5 handicap 9 vs bob@players.example"),
    *("move me to alice@new.example", "say", "D4\nE5", "I4", "undo", "thanks!"),
    *("new 9x9 rules japanese ko=positional vs bob@players.example", "try D4 pass", "kifu"),
    "C1\n\nGood luck!",
)


@dataclass(frozen=True)
class Toured:
    """A letter, where it was met, and what it is made of."""

    data: LetterData
    blocks: LetterBlocks
    subject: str


def _proposed(alice: Person, bob: Person) -> None:
    alice.write(f"new 7x5 as black vs {bob.address}")


def _invited(alice: Person, bob: Person) -> None:
    _proposed(alice, bob)
    alice.reply("yes")


def _playing(alice: Person, bob: Person) -> None:
    alice.gateway.start(alice, bob, "7x5 as black")
    alice.gateway.play(alice, bob, "C3 E3")


def _placing(alice: Person, bob: Person) -> None:
    alice.gateway.start(alice, bob, "9x9 rules chinese handicap 2")


def _counting(alice: Person, bob: Person) -> None:
    alice.gateway.start(alice, bob, "7x5 rules aga as black")
    alice.gateway.play(alice, bob, COUNTED)


def _agreed(alice: Person, bob: Person) -> None:
    alice.gateway.start(alice, bob, "7x5 as black")
    alice.gateway.play(alice, bob, COUNTED)
    alice.reply("dead A2")
    alice.reply("done")


def _finished(alice: Person, bob: Person) -> None:
    _agreed(alice, bob)
    bob.reply("done")


def _circling(alice: Person, bob: Person) -> None:
    alice.gateway.start(alice, bob, "4x9 as black")
    alice.gateway.play(alice, bob, f"{TRIPLE_KO_MOVES} {TRIPLE_KO_CYCLE} {TRIPLE_KO_CYCLE}")


def _teaching(alice: Person, _bob: Person) -> None:
    alice.gateway.start(alice, alice, "9x9")
    alice.reply("C3")


def _against_house(alice: Person, _bob: Person) -> None:
    alice.write("new 9x9 as black vs house")
    alice.reply("yes")


def _strangers(_alice: Person, _bob: Person) -> None:
    """Nobody has written yet."""


SITUATIONS: dict[str, Callable[[Person, Person], None]] = {
    function.__name__.strip("_"): function
    for function in (
        *(_proposed, _invited, _placing, _playing, _counting, _agreed, _finished),
        *(_circling, _teaching, _against_house, _strangers),
    )
}


@cache
def tour() -> tuple[Toured, ...]:
    """All letters; the same ones each time."""
    return tuple(_tour())


def _tour() -> Iterator[Toured]:
    for situation in SITUATIONS.values():
        begun = Gateway(engines=ENGINES)
        situation(begun.person("Alice"), begun.person("Bob"))
        yield from _letters(begun, 0)
        for who in ("Alice", "Bob"):
            for line in LINES if situation is not _circling else ("void", "C8", "show"):
                gateway = _copy(begun)
                _say(gateway.person(who), line)
                yield from _letters(gateway, len(begun.outbox))
    for event in (
        _expiry,
        _met,
        _watched,
        _trouble,
        _bounce,
        _other_address,
        _many_moves,
        _silenced,
        _silent,
        _absent,
        _on_vacation,
        _left,
    ):
        gateway = Gateway(engines=ENGINES)
        event(gateway)
        yield from _letters(gateway, 0)
    gateway = Gateway(engines=ENGINES)
    _reviewed(gateway)
    yield from _letters(gateway, len(gateway.outbox) - 1)
    data = load_letter_data(gateway._look(), gateway.outbox[-1])
    for found in (
        "leads 0.1 0.2 0.1\nchances 0.5 0.5 0.5\nexpected black 1 1\ngood 2 white C3",
        "leads 0 0 -7.5\nchances 0.5 0.7 0.1\nmistake 1 black 3.2 0.01 - E5 C3 pass",
        "leads 0 0 -7.5\nchances 0.5 0.7 0.1\nmistake 2 white 7 0.4 E5 C3 E4",
        "leads 9 9 -9\nchances 0.97 0.97 0.01\nmistake 1 black 9.2 0 E5 E5 pass",
    ):
        yield _toured(replace(data, notice=replace(data.notice, about={"review": found})))
    gateway = Gateway()
    _playing(gateway.person("Alice"), gateway.person("Bob"))
    yield _toured(_lost(gateway))


def _copy(begun: Gateway) -> Gateway:
    """The same games, in which something else is written."""
    gateway = Gateway(engines=ENGINES)
    gateway.writer.state = begun.writer.state.copy()
    gateway._numbers = count(1000)
    return gateway


def _say(who: Person, line: str) -> None:
    if who.letters():
        who.reply(line)
    else:
        who.write(line)


def _letters(gateway: Gateway, since: int) -> Iterator[Toured]:
    stored = gateway._look()
    for due in gateway.outbox[since:]:
        yield _toured(load_letter_data(stored, due))


def _toured(data: LetterData) -> Toured:
    identity = SenderIdentity(KEY, ADDRESS, "Go by mail")
    return Toured(data, composer().blocks(data), subject(data, identity))


def _expiry(gateway: Gateway) -> None:
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    _invited(alice, bob)
    alice.write("new 9x9 vs carol@players.example")
    gateway.wait(days=15)
    gateway.expire(days=14)


def _met(gateway: Gateway) -> None:
    alice, bob, carol = (gateway.person(name) for name in ("Alice", "Bob", "Carol"))
    _playing(alice, bob)
    for line in ("i am 5 kyu, Berlin", "players on", "new 9x9 open rank 8k-5k", "new 9x9 open"):
        alice.reply(line, to=alice.newest(Kind.YOUR_TURN))
    for who, line in (
        *((alice, "challenges"), (alice, "players"), (carol, "players"), (carol, "challenges")),
        *((carol, "take 2"), (carol, "take 3"), (bob, "players"), (bob, "new 9x9 vs Alice")),
    ):
        gateway.send()
        who.write(line)
        if line.startswith("take"):
            who.reply(line)
    alice.write("new 9x9 open")
    gateway.wait(days=15)
    gateway.expire(days=14)


def _watched(gateway: Gateway) -> None:
    alice, bob, carol = (gateway.person(name) for name in ("Alice", "Bob", "Carol"))
    _counting(alice, bob)
    for who, line in (
        *((bob, "resume"), (alice, "public"), (bob, "private"), (bob, "public"), (alice, "public")),
        *((alice, "show"), (carol, "watch"), (carol, "watch 1"), (carol, "watch 1 daily")),
        *((carol, "D4"), (carol, "unwatch"), (carol, "watch 1")),
    ):
        (who.write if who is carol and not carol.letters() else who.reply)(line)
    gateway.wait(hours=2)
    for line in ("pass", "pass", "done", "done"):
        gateway.person("Alice").reply(line)
        gateway.person("Bob").reply(line)
        gateway.wait(hours=2)
    alice.reply("new 9x9 as black public vs Bob")
    bob.reply("accept but private", to=bob.newest(Kind.INVITATION))
    alice.reply("accept but public")
    bob.reply("accept", to=bob.newest(Kind.COUNTERED))
    carol.reply("watch 2")
    for who, line in ((alice, "C3"), (bob, "D4"), (bob, "undo"), (alice, "yes"), (bob, "private")):
        who.reply(line)
        gateway.wait(hours=2)


def _silent(gateway: Gateway) -> None:
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    _playing(alice, bob)
    _end_on_time(gateway)


def _absent(gateway: Gateway) -> None:
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 3 days per move")
    _end_on_time(gateway)


def _on_vacation(gateway: Gateway) -> None:
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    _playing(alice, bob)
    alice.reply("vacation automatic")
    bob.reply("weekends off")
    bob.reply("vacation from 20 December to 24 December")
    bob.reply("vacation 60 days")
    bob.reply("settings")
    alice.reply("show")
    _end_on_time(gateway)


def _left(gateway: Gateway) -> None:
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 time none")
    gateway.wait(days=340)
    gateway.ring()


def _end_on_time(gateway: Gateway) -> None:
    gateway.send()
    while not gateway.game().phase.over:
        gateway.wait(hours=12)
        gateway.ring()


def _trouble(gateway: Gateway) -> None:
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    _playing(alice, bob)
    with mock.patch.object(GameService, "decide", side_effect=ValueError):
        alice.reply("D4")


def _bounce(gateway: Gateway) -> None:
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    _playing(alice, bob)
    alice.reply("D4")
    for number in range(8):
        uid = bob.newest().uid
        to = composer().return_path(uid)
        gateway.take(InboundLetter(to, "", report(to=to, id=str(number))))
        gateway.wait(days=1)
        alice.reply(f"say {number}")


def _other_address(gateway: Gateway) -> None:
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    _playing(alice, bob)
    other = gateway.person("Alice", "alice@work.example")
    other.reply("D4", to=alice.newest())
    alice.reply("yes")
    alice.reply("move me to alice@new.example everywhere")
    gateway.person("Alice", "alice@new.example").reply("yes")


def _many_moves(gateway: Gateway) -> None:
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 as black")
    gateway.play(alice, bob, "E5 E4 D4 D5 F4 C4 E3 B5 pass")
    bob.reply("pass")


def _reviewed(gateway: Gateway) -> None:
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 as black")
    gateway.play(alice, bob, "E5 C3")
    alice.resign()
    alice.reply("review")


def _silenced(gateway: Gateway) -> None:
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    _proposed(alice, bob)
    for line in ("no", "new 9x9 vs bob@players.example", "withdraw", "D4", "hello"):
        alice.reply(line)


def _lost(gateway: Gateway) -> LetterData:
    """An email to Bob that could not be delivered, which Alice is told."""
    data = load_letter_data(gateway._look(), gateway.person("Alice").newest())
    notice = replace(data.notice, kind=Kind.UNREACHABLE, about={})
    return replace(data, notice=notice)
