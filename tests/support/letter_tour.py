"""Every kind of letter, to each player, in every phase of a game.

`tour` sends an example of each verb, and other lines, in every situation, and collects the letters
that result; further examples are sent in some. New verbs and kinds are included automatically.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from unittest import mock

from godaemon.games.engine_seats import Roster, RosterEntry
from godaemon.games.notices import Kind
from godaemon.games.service import GameService
from mailgate.language.verb_table import verbs
from mailgate.letters.blocks import LetterBlocks
from mailgate.letters.headers import SenderIdentity, letter_subject
from mailgate.letters.letter_data import LetterData, load_letter_data
from mailgate.reading.inbound_letter import InboundLetter
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.boards import TRIPLE_KO_CYCLE, TRIPLE_KO_MOVES
from tests.support.delivery_report import report
from tests.support.gateway import ADDRESS, KEY, Gateway
from tests.support.played_games import composer
from tests.support.scenes import Stage

ENGINES = Roster((RosterEntry("house"), RosterEntry("gnugo", note="GNU Go")), games_per_player=3)
COUNTED = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2 pass pass"
"""A 7x5 game up to the count; White has no stone at F5, and Black's stone at A2 is dead."""
LINES = (
    *(example for verb in verbs().values() for example in verb.examples[:1]),
    *("C1", "Z9", "D4 thanks to you", "resing", "Hello, how are you?", "how do I pass?", "games"),
    *("resign\npass", "dead F4 all", "dead C3 all", "dead C3 E3", "new 9x9 vs bob", "show 99"),
    *("new 9x9 rules nonsense vs bob@players.example", "new 60x60 vs bob@players.example"),
    *(
        "new 9x9 vs house",
        "new 9x9 vs nobody",
        "new 5x5 handicap 9 as black vs bob@players.example",
    ),
    *("move me to alice@new.example", "say", "D4\nE5", "I4", "undo", "thanks!"),
    *("new 9x9 rules japanese ko=positional vs bob@players.example", "try D4 pass", "kifu"),
    "C1\n\nGood luck!",
)
EXAMPLES = tuple(example for verb in verbs().values() for example in verb.examples[1:])


@dataclass(frozen=True)
class TourLetter:
    """A letter: its data, blocks and subject."""

    data: LetterData
    blocks: LetterBlocks
    subject: str


PROPOSED = "Alice: new 7x5 as black vs bob@players.example"
PLAYING = "game Alice Bob 7x5 as black\nplay C3 E3"
COUNTING = f"game Alice Bob 7x5 rules aga as black\nplay {COUNTED}"
AGREED = f"game Alice Bob 7x5 as black\nplay {COUNTED}\nAlice: dead A2\nAlice: done"
CIRCLING = f"""game Alice Bob 4x9 as black
    play {TRIPLE_KO_MOVES} {TRIPLE_KO_CYCLE} {TRIPLE_KO_CYCLE}"""
SITUATIONS = (
    *(
        PROPOSED,
        f"{PROPOSED}\nAlice: yes",
        "game Alice Bob 9x9 rules chinese handicap 2 as black",
        PLAYING,
    ),
    *(COUNTING, AGREED, f"{AGREED}\nBob: done", CIRCLING, "game Alice Alice 9x9\nAlice: C3"),
    *("Alice: new 9x9 as black vs house\nAlice: yes", ""),
)
"""Scenes after which each of `LINES` is sent; the rest of the examples in two of them."""
EVENTS = [
    text.format(PROPOSED=PROPOSED, PLAYING=PLAYING, COUNTING=COUNTING)
    for text in read_blocks(places.DATA / "letter_tour.txt").values()
]
"""Scenes that are played once."""
FOUND = (
    "leads 0.1 0.2 0.1\nchances 0.5 0.5 0.5\nexpected black 1 1\ngood 2 white C3",
    "leads 0 0 -7.5\nchances 0.5 0.7 0.1\nmistake 1 black 3.2 0.01 - E5 C3 pass",
    "leads 0 0 -7.5\nchances 0.5 0.7 0.1\nmistake 2 white 7 0.4 E5 C3 E4",
    "leads 9 9 -9\nchances 0.97 0.97 0.01\nmistake 1 black 9.2 0 E5 E5 pass",
)
"""Results of reviews."""


class _Tour(Stage):
    def on_break(self, rest: str) -> None:
        """Send a letter whose handling fails by a bug."""
        with mock.patch.object(GameService, "decide", side_effect=ValueError):
            self.do(f"Alice: {rest}")

    def on_bounce(self, rest: str) -> None:
        """Let letters to Bob bounce."""
        alice, bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        alice.reply(rest)
        for number in range(8):
            to = composer().return_path(bob.newest().uid)
            self.gateway.take(InboundLetter(to, "", report(to=to, id=str(number))))
            self.gateway.wait(days=1)
            alice.reply(f"say {number}")

    def on_move(self, rest: str) -> None:
        """Alice writes from another address, then moves to a new one."""
        alice = self.gateway.person("Alice")
        self.gateway.person("Alice", "alice@work.example").reply(rest, to=alice.newest())
        alice.reply("yes")
        alice.reply("move me to alice@new.example everywhere")
        self.gateway.person("Alice", "alice@new.example").reply("yes")

    def on_end(self, _: str) -> None:
        """Wait until the game is lost on time."""
        self.gateway.send()
        while not self.gateway.game().phase.over:
            self.gateway.wait(hours=12)
            self.gateway.handle_due_alarms()


def _after(lines: str) -> Gateway:
    """A gateway after the lines of a scene."""
    stage = _Tour(Gateway(engines=ENGINES))
    for line in lines.splitlines():
        stage.do(line.strip())
    return stage.gateway


@cache
def tour() -> tuple[TourLetter, ...]:
    return tuple(_tour())


def _tour() -> Iterator[TourLetter]:
    for situation in SITUATIONS:
        begun = _after(situation)
        yield from _letters(begun, 0)
        lines = LINES if situation != CIRCLING else ("void", "C8", "show")
        more = EXAMPLES if situation in (PLAYING, COUNTING) else ()
        for who in ("Alice", "Bob"):
            for line in (*lines, *more):
                gateway = begun.copy()
                Stage(gateway).do(f"{who}: {line}".replace("\n", "⏎"))
                yield from _letters(gateway, len(begun.outbox))
    for event in EVENTS:
        yield from _letters(_after(event), 0)
    gateway = _after("game Alice Bob 9x9 as black\nplay E5 C3\nAlice: resign\nAlice: review")
    yield from _letters(gateway, len(gateway.outbox) - 1)
    data = load_letter_data(gateway.snapshot(), gateway.outbox[-1])
    for found in FOUND:
        yield _toured(replace(data, review=found))
    gateway = _after(PLAYING)
    data = load_letter_data(gateway.snapshot(), gateway.person("Alice").newest())
    yield _toured(replace(data, notice=replace(data.notice, kind=Kind.UNREACHABLE, about={})))


def _letters(gateway: Gateway, since: int) -> Iterator[TourLetter]:
    stored = gateway.snapshot()
    for due in gateway.outbox[since:]:
        yield _toured(load_letter_data(stored, due))


def _toured(data: LetterData) -> TourLetter:
    identity = SenderIdentity(KEY, ADDRESS, "Go by mail")
    return TourLetter(data, composer().blocks(data), letter_subject(data, identity))
