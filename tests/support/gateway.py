"""The mail gateway without servers: letters go in as bytes, notices come out as values.

gateway = Gateway()
alice, bob = gateway.person("Alice"), gateway.person("Bob")
gateway.start(alice, bob, "9x9")
alice.reply("D4")
assert bob.newest().notice.kind is Kind.YOUR_TURN
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from functools import cache, lru_cache
from typing import ParamSpec, TypeVar

from godaemon.engine.results import ScoreEstimate, parse_estimate
from godaemon.errors import QuotaExceeded, Temporary
from godaemon.games import running_clocks
from godaemon.games.engine_seats import Roster
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Game
from godaemon.games.notices import DueNotice, Kind
from godaemon.games.service import GameService, Randomness
from godaemon.games.stored_values import Unit
from godaemon.rules.points import Color
from godaemon.system.outages_and_pauses import Pause
from godaemon.texts.catalogue import speaking
from mailgate import tokens
from mailgate.handling.context import LetterOutcome
from mailgate.handling.dispatcher import Dispatcher
from mailgate.handling.intake import Intake
from mailgate.letters.compose import Composer
from mailgate.letters.headers import SenderIdentity
from mailgate.letters.letter_data import LetterData, load_letter_data, with_engine_answer
from mailgate.letters.letter_view import GtpAccess
from mailgate.letters.plain_text import text_of
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.letters import parsed
from tests.support.limits import Limits
from tests.support.memory_store import MemoryUnit, MemoryWriter

P = ParamSpec("P")
T = TypeVar("T")
KEY = b"k" * 32
ADDRESS = "go@go.example"
DOMAIN = "players.example"
Header = Mapping[str, str]
"""Header fields by lower-case name, with `_` for `-`; empty values are omitted."""
_LINE = re.compile(r"[ -~]+")
_TEXT = re.compile(r"([\t -~]{0,78}\n)*[\t -~]{0,78}")
_PLAIN = """Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: 7bit
MIME-Version: 1.0"""
"""MIME header of an ASCII text; the library would need a third of a scene's time to write it."""
LIMITS = Limits()
NOBODY = Roster()
NO_OTHERS: Mapping[str, str] = {}
"""Our other addresses, with their display names."""
START = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)


class _SameThread(ThreadPoolExecutor):
    """Runs work at once; switching to a thread and back would take a tenth of a letter's time."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        done = Future[T]()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as fault:  # noqa: BLE001 - as an executor does
            done.set_exception(fault)
        return done


_RUNNER = asyncio.Runner()
"""One event loop for all letters; creating one for each is slow."""
_RUNNER.get_loop().set_default_executor(_SameThread())


class _Fields(HeaderRegistry):
    """The library's registry with a cache; it creates a class for each field."""

    __getitem__ = lru_cache(HeaderRegistry.__getitem__)


_POLICY = EmailPolicy(header_factory=_Fields())


class Gateway:
    """The real letter handling on a store in memory; the test sets the clock."""

    def __init__(
        self,
        *,
        limits: Limits = LIMITS,
        strangers: int = 20,
        engines: Roster = NOBODY,
        trusted: str = "",
        address: str = ADDRESS,
        others: Mapping[str, str] = NO_OTHERS,
    ) -> None:
        self._trusted = trusted
        self.address, self.others = address, others
        self.writer = MemoryWriter()
        self.cache = GameCache()
        self.writer.on_rollback.append(self.cache.drop)
        self.now = START
        self.limits = limits
        self.strangers = strangers
        self.engines = engines
        self.lot = Color.BLACK
        """The proposer's colour in the next nigiri."""
        self.outages: list[tuple[datetime, datetime]] = []
        """Periods in which the daemon was down."""
        self.paused: Pause | None = None
        self.network = ""
        """The network that letters come from."""
        self.analysis: str | None = None
        """The engine's result for reviews and estimates."""
        self._last_number = 0
        self._people: dict[str, Person] = {}
        self.keys: tuple[bytes, ...] = (KEY,)
        """The keys for tokens, the current one first."""
        dispatcher = Dispatcher(
            *(lambda: self.keys, lambda: (address, *others), self.games, lambda: self.strangers),
            trusted_authserv_id=trusted,
        )
        self.intake = Intake(self.writer, dispatcher, lambda: self.now)

    def copy(self) -> "Gateway":
        """An independent copy of this gateway and its store."""
        made = Gateway(
            limits=self.limits,
            strangers=self.strangers,
            engines=self.engines,
            trusted=self._trusted,
            address=self.address,
            others=self.others,
        )
        made.writer.state = self.writer.state.copy()
        made.cache._games.update(self.cache._games)
        made.now, made.lot, made.outages = self.now, self.lot, [*self.outages]
        made.paused, made.network, made.analysis = self.paused, self.network, self.analysis
        made.keys, made._last_number = self.keys, self._last_number
        made.intake.counts.update(self.intake.counts)
        for one in self._people.values():
            made.person(one.name, one.address).posted[:] = one.posted
        return made

    def games(self, unit: Unit) -> GameService:
        """The game service of a transaction."""
        chance = Randomness(lambda: self.lot, lambda: f"nonce-{self.unique()}")
        return GameService(
            unit, self.cache, self.now, chance, self.limits, self.engines, lost=self._lost_time
        )

    def _lost_time(
        self, since: datetime, until: datetime, runs: Callable[[datetime, datetime], timedelta]
    ) -> timedelta:
        overlaps = (runs(max(since, begin), min(until, end)) for begin, end in self.outages)
        return sum((max(one, timedelta()) for one in overlaps), timedelta())

    def person(self, name: str, address: str = "") -> "Person":
        """The person at an address; created on first use."""
        address = address or f"{name.lower()}@{DOMAIN}"
        return self._people.setdefault(address, Person(self, name, address))

    def wait(self, **time: float) -> None:
        """Advance the clock: `wait(days=1)`."""
        self.now += timedelta(**time)

    def take(self, inbound: InboundLetter) -> LetterOutcome:
        """Handle a letter; the outcome "put-off" tells its server to try again later."""
        try:
            return _RUNNER.run(self.intake.take(inbound))
        except Temporary as fault:
            guessed = isinstance(fault, QuotaExceeded) and fault.guessed
            return LetterOutcome("put-off", detail=fault.detail, wrong_token=guessed)

    async def opinion(self, game: Game) -> None:
        """No engine has one."""

    async def review(self, game: Game) -> str | None:
        return self.analysis

    async def estimate(self, game: Game) -> ScoreEstimate | None:
        return parse_estimate(self.analysis) if self.analysis else None

    def game(self, number: int = 1) -> Game:
        return GameCache().load(self.snapshot(), number)

    def game_now(self, number: int = 1) -> Game:
        """A game from the cache that letters use."""
        return self.cache.load(self.snapshot(), number)

    def snapshot(self) -> MemoryUnit:
        """A copy of the store, for reading."""
        return MemoryUnit(self.writer.state.copy())

    def send(self) -> None:
        """Mark all queued letters as sent; before that nobody can answer them."""

        def work(unit: MemoryUnit) -> None:
            for due in unit.outbox.claim(self.now, 60, 999):
                unit.outbox.store_letter(due.id, self.message_id(due), b"")
                unit.outbox.mark_sent(due.id, self.now)
                running_clocks.start_clocks(self.games(unit), due.notice)

        self.writer.run_sync(work)

    def handle_due_alarms(self) -> int:
        """Handle due alarms; returns the number of games."""

        def work(unit: MemoryUnit) -> int:
            games = self.games(unit)
            for number in (due := running_clocks.due_games(games)):
                running_clocks.act_on_alarm(games, number)
            return len(due)

        return self.writer.run_sync(work)

    def handle_all_alarms(self) -> None:
        """Handle the alarms of all games, as after the clock was set back."""
        self.writer.run_sync(lambda unit: unit.games.make_all_alarms_due(self.now))
        while self.handle_due_alarms():
            pass

    def expire(self, **age: float) -> int:
        def work(unit: MemoryUnit) -> int:
            return len(running_clocks.expire_proposals(self.games(unit), timedelta(**age)))

        return self.writer.run_sync(work)

    @property
    def outbox(self) -> list[DueNotice]:
        """All notices ever queued, in order."""
        return [queued.due for queued in self.writer.state.outbox.values()]

    def notices(self, since: int = 0) -> list[tuple[str, str]]:
        """The recipient's name and the kind of each notice, without the first `since`."""
        return [
            (due.notice.to.partition("@")[0], due.notice.kind.value) for due in self.outbox[since:]
        ]

    def _token_data(self, due: DueNotice) -> LetterData:
        """The letter data for a token; replays the game only if the cache lacks this state."""
        notice = due.notice
        game = self.cache.peek(notice.game) if notice.game is not None else None
        if game is None or game.length != notice.until:
            return load_letter_data(self.snapshot(), due, self.cache)
        return LetterData(due.uid, due.queued_at, notice, after=game)

    def token(self, due: DueNotice) -> str:
        """The token in a notice's letter."""
        ours = SenderIdentity(self.keys[0], ADDRESS, "Go by mail")
        return ours.token(self._token_data(due))

    def message_id(self, due: DueNotice) -> str:
        domain = (due.notice.our_address or ADDRESS).partition("@")[2]
        return tokens.message_id(self.token(due), due.uid, domain)

    @property
    def composer(self) -> Composer:
        ours = (self.keys[0], self.address, "Go by mail")
        access = GtpAccess("go.example:7000")
        return Composer(*ours, invitation_days=14, gtp_access=access, others=self.others)

    def unique(self) -> int:
        self._last_number += 1
        return self._last_number

    def start(self, proposer: "Person", invited: "Person", terms: str = "9x9 as black") -> int:
        """Propose, confirm and accept a game; by default the proposer is Black."""
        proposer.write(f"new {terms} vs {invited.address}")
        number = proposer.newest(Kind.CONFIRM).notice.game
        assert number is not None
        proposer.reply("yes")
        if proposer.address != invited.address:
            invited.reply("accept", to=invited.newest(Kind.INVITATION))
        return number

    def play(self, black: "Person", white: "Person", moves: str) -> None:
        """Play alternating moves by mail: `D4 E5 pass`."""
        for word in moves.split():
            mover = {Color.BLACK: black, Color.WHITE: white}
            to_move = self.game_now().to_move
            assert to_move is not None
            outcome = mover[to_move].reply(word)
            assert outcome.event == "accepted", (word, outcome)


@dataclass
class Person:
    """A person with a mail program."""

    gateway: Gateway
    name: str
    address: str
    posted: list[InboundLetter] = field(default_factory=list)

    def letters(self, kind: Kind | None = None) -> list[DueNotice]:
        """The notices to this person, oldest first."""
        mine = [due for due in self.gateway.outbox if due.notice.to == self.address]
        return [due for due in mine if kind in (None, due.notice.kind)]

    def newest(self, kind: Kind | None = None) -> DueNotice:
        return self.letters(kind)[-1]

    def data(self, due: DueNotice | None = None) -> LetterData:
        """The data that a letter to them is composed from; by default the newest."""
        data = load_letter_data(self.gateway.snapshot(), due or self.newest())
        data = replace(data, paused=self.gateway.paused)
        if data.notice.kind not in (Kind.REVIEW, Kind.SCORE):
            return data
        return _RUNNER.run(with_engine_answer(data, self.gateway))

    def read(self, due: DueNotice | None = None) -> EmailMessage:
        """A letter to them, composed and parsed; by default the newest."""
        return parsed(self.gateway.composer.compose(self.data(due)).raw)

    def text(self, due: DueNotice | None = None) -> str:
        """The plain text of a letter to them, without MIME; by default of the newest."""
        data = self.data(due)
        with speaking(data.reader.language):
            return text_of(self.gateway.composer.blocks(data), data.boards)

    def words(self, due: DueNotice | None = None) -> str:
        """The plain text on one line."""
        return " ".join(self.text(due).split())

    def kinds(self) -> list[str]:
        """The kind of each letter to this person, oldest first."""
        return [due.notice.kind.value for due in self.letters()]

    def write(
        self, text: str, *, to: str = ADDRESS, header: Header | None = None, **more: str
    ) -> LetterOutcome:
        """Send a letter. `more` adds or replaces header fields (`in_reply_to=...`).

        `envelope` is the envelope sender.
        """
        fields = {"to": to, **(header or {}), **more}
        sender = fields.pop("envelope", None)
        fields = self._fields(fields)
        lines = [f"{name}: {value}" for name, value in fields.items()]
        if all(map(_LINE.fullmatch, lines)) and _TEXT.fullmatch(text):
            raw = "\n".join([*lines, _PLAIN, "", text, ""])
            return self._hand_in(raw.encode(), to=to, sender=sender)
        return self.post(self._message(text, fields), to=to, sender=sender)

    def letter(self, text: str, more: Header | None = None) -> EmailMessage:
        """A letter without sending it."""
        return self._message(text, self._fields(more))

    def _fields(self, more: Header | None) -> dict[str, str]:
        """The header fields of a letter, with the usual ones."""
        fields = {
            "from": f"{self.name} <{self.address}>",
            "to": ADDRESS,
            "subject": "Go",
            "message_id": f"<{self.gateway.unique()}@{DOMAIN}>",
            "date": format_datetime(self.gateway.now),
            **(more or {}),
        }
        return {
            name.replace("_", "-").title(): str(value) for name, value in fields.items() if value
        }

    def _message(self, text: str, fields: Header) -> EmailMessage:
        letter = EmailMessage(_POLICY)
        for name, value in fields.items():
            letter[name] = value
        letter.set_content(text + "\n")
        return letter

    def reply(
        self, text: str, *, to: DueNotice | None = None, header: Header | None = None, **more: str
    ) -> LetterOutcome:
        """Answer a letter; by default the newest."""
        answered = to or self.newest()
        if answered.notice.seat is None:
            self.gateway.send()
        address = answered.notice.our_address or ADDRESS
        address = tokens.reply_address(address, self.gateway.token(answered))
        more.setdefault("in_reply_to", self.gateway.message_id(answered))
        return self.write(text, to=address, header=header, **more)

    def resign(self, *, to: DueNotice | None = None) -> LetterOutcome:
        """Resign; off turn, also confirm it with yes."""
        outcome = self.reply("resign", to=to)
        return self.reply("yes") if outcome.event == "held" else outcome

    def post(
        self, letter: EmailMessage, *, to: str = ADDRESS, sender: str | None = None
    ) -> LetterOutcome:
        """Send a letter with its envelope."""
        return self._hand_in(letter.as_bytes(), to=to, sender=sender)

    def _hand_in(self, raw: bytes, *, to: str, sender: str | None) -> LetterOutcome:
        envelope = self.address if sender is None else sender
        network = self.gateway.network
        inbound = InboundLetter(to, envelope, raw, network, trusted=True)
        self.posted.append(inbound)
        return self.gateway.take(inbound)


@cache
def _begun(terms: str) -> Gateway:
    """A gateway with a started game of Alice and Bob."""
    gateway = Gateway()
    gateway.start(gateway.person("Alice"), gateway.person("Bob"), terms)
    return gateway


def started(terms: str = "9x9 as black") -> tuple[Gateway, Person, Person]:
    """A gateway with a started game, Alice (Black) and Bob."""
    gateway = _begun(terms).copy()
    return gateway, gateway.person("Alice"), gateway.person("Bob")


class Table:
    """A game of Alice (Black) and Bob; Eve is a stranger."""

    def __init__(self, terms: str = "9x9 as black", gateway: Gateway | None = None) -> None:
        self.gateway = gateway or _begun(terms).copy()
        self.alice, self.bob, self.eve = map(self.gateway.person, ("Alice", "Bob", "Eve"))
        if gateway:
            gateway.start(self.alice, self.bob, terms)
        self.mark = len(self.gateway.outbox)

    @property
    def notices(self) -> list[tuple[str, str]]:
        """The notices since `mark`, which is first set at the game's start."""
        return self.gateway.notices(self.mark)

    def moves(self) -> str:
        return " ".join(str(one.point or "pass") for one in self.gateway.game().position.moves)

    @property
    def game(self) -> Game:
        return self.gateway.game_now()

    def seat(self, person: Person, kind: Kind | None = None) -> str:
        return tokens.reply_address(ADDRESS, self.gateway.token(person.newest(kind)))
