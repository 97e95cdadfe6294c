"""Pairs of players who play games by letters, and predict the effect of each letter.

The player to move answers the newest letter. The pair also keeps the game itself, without a store,
so that the expected events and notices enter the books as soon as a letter is acknowledged.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from time import monotonic

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.dead_stones import changed_stones
from godaemon.games.decisions import decide
from godaemon.games.model import Game, Phase, Player, Seat
from godaemon.games.notices import Kind, notice_kinds
from godaemon.games.proposals import build_proposal
from godaemon.games.state import apply, begin
from godaemon.games.wanted_emails import DEFAULT_RECEIPTS
from godaemon.rules.points import Color, Point, Size
from tests.crash.books import Books
from tests.crash.hops import Hop, Post, ReceivedLetter
from tests.support.mailgame import dead_stones, recorded

PLAIN = "go@localhost"
ANSWERS = 150
"""Maximum answers per person and day; at 200 the daemon assumes a program."""
TALK = 50
"""Maximum chat letters per person and day; from 60 on they are not passed on."""
TALK_EVERY = 30.0
"""Seconds between two chat letters; five a minute are not passed on."""
LATE = 20
"""Maximum late answers per person and day; from 30 on they are deferred."""
FORGED = 10
"""Maximum letters with a forged token per person; from 20 a day on they are not answered."""
GAMES = 6
"""Games after which a new pair takes over."""
BY_MAILBOX, BY_PROGRAM = 0.1, 0.03
"""Shares of moves by mailbox and by Go program, if available."""
SIZES = (5, 7, 9, 9, 13, 19)
RECORDS = ("nine-lines-ko", "captures", "counted-1", "counted-2", "counted-3", "nineteen-lines")
_QUOTED = "".join(f"> line {number} of what was written before\r\n" for number in range(30))
_GARBAGE = b"\x00\xff\xfe D4 \xc3\x28\r\n=?utf-8?B?!!!?= \x80\r\n" * 5


@dataclass(frozen=True, slots=True)
class World:
    """Objects and settings shared by all pairs."""

    post: Post
    hop: Hop
    books: Books
    luck: random.Random
    going: Callable[[], bool]
    mailbox: Callable[[str, str, bytes], Awaitable[None]] | None = None
    """Files a letter in the mailbox that the daemon watches: sender, recipient, bytes."""
    program: Callable[[Game, Point | None], Awaitable[None]] | None = None
    """Lets a Go program play for the player to move."""
    thinking: float = 0.0
    """Mean seconds to answer."""

    async def think(self) -> None:
        """Wait, unless the soak is ending."""
        if self.going():
            await asyncio.sleep(self.luck.random() * 2 * self.thinking)


class Over(Exception):
    """The soak is ending: nobody writes any more."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a game; without `moves` the players move at random."""

    size: Size
    rules: str
    komi: float
    moves: tuple[Point | None, ...] = ()
    dead: tuple[Point, ...] = ()
    result: str | None = None


@cache
def _from_record(name: str) -> Terms:
    record = recorded(name)
    rules = record.ruleset.name if record.ruleset else "chinese"
    moves = tuple(move.point for move in record.moves)
    dead = tuple(dead_stones(record.rows)) if record.rows else ()
    counted = record.rows is not None and moves[-2:] == (None, None)
    return Terms(record.size, rules, record.komi, moves, dead, record.result if counted else None)


@dataclass(slots=True)
class Person:
    """A player with a mail program."""

    address: str
    name: str
    box: asyncio.Queue[ReceivedLetter]
    newest: ReceivedLetter | None = None
    older: ReceivedLetter | None = None
    receipts: int = 0
    answers: int = 0
    words: int = 0
    forged: int = 0
    late: int = 0
    waits: str = ""
    """The awaited letter in words; "" for none."""
    talked: float = -TALK_EVERY

    def may_talk(self) -> bool:
        """True if a chat letter may be sent now; notes its time."""
        enough = self.words >= TALK or self.answers >= ANSWERS
        if enough or monotonic() - self.talked < TALK_EVERY:
            return False
        self.talked = monotonic()
        return True

    def may_be_late(self, game: int) -> bool:
        """True if an older letter of the game may be answered."""
        return self.older is not None and self.older.game == game and self.late < LATE

    async def expect(self, kind: Kind, game: int | None = None) -> ReceivedLetter:
        """Wait for the next letter of a kind about a game; skips others."""
        self.waits = f"{self.address} for {kind} of game {game}"
        while True:
            letter = await self.box.get()
            if letter.kind == kind and game in (None, letter.game):
                self.older, self.newest = self.newest, letter
                self.waits = ""
                return letter


@dataclass(slots=True, eq=False)
class Pair:
    """Two players; `number` is part of their addresses."""

    number: int
    world: World
    alice: Person = field(init=False)
    bob: Person = field(init=False)
    game: Game = field(init=False)
    _letters: int = 0
    finished: int = 0

    def __post_init__(self) -> None:
        self.alice, self.bob = self._person("Alice"), self._person("Bob")

    def _person(self, name: str) -> Person:
        address = f"{name.lower()}{self.number}@players.example"
        return Person(address, name, self.world.hop.boxes.setdefault(address, asyncio.Queue()))

    async def play_on(self) -> None:
        """Play up to `GAMES` games, or until the soak ends."""
        with suppress(Over):
            for _ in range(GAMES):
                await self._play(self._terms())
                self.finished += 1
                self.alice, self.bob = self.bob, self.alice
        for person in (self.alice, self.bob):
            del self.world.hop.boxes[person.address]

    def _terms(self) -> Terms:
        luck = self.world.luck
        if luck.random() < 0.15:
            return _from_record(luck.choice(RECORDS))
        rules = luck.choice(("japanese", "chinese", "aga"))
        side = luck.choice(SIZES)
        return Terms(Size(side, side), rules, luck.choice((0.5, 6.5, 7.0)))

    # -- one game ------------------------------------------------------------------------------
    async def _play(self, terms: Terms) -> None:
        await self._propose(terms)
        await self._act(self.bob, (cmd.Yes(),), "accept")
        for person in (self.alice, self.bob):
            await person.expect(Kind.STARTED, self.game.id)
        resumed = False
        while not self.game.phase.over:
            await self._move(terms)
            if self.game.phase is Phase.SCORING:
                resumes = not resumed and not terms.moves and self.world.luck.random() < 0.2
                await (self._resume() if resumes else self._count(terms))
                resumed = resumed or resumes
        if terms.result is not None and self.game.result not in (terms.result, "B+R", "W+R"):
            self.world.books.fault(f"game {self.game.id} ends {self.game.result}, not {terms}")

    async def _propose(self, terms: Terms) -> None:
        """Propose by a new letter, which must be confirmed, or in reply to the last result."""
        await self.world.think()
        alice, bob, books = self.alice, self.bob, self.world.books
        words = f"new {terms.size} rules {terms.rules} komi {terms.komi:g} as black vs"
        vouched = alice.newest is not None
        wanted = cmd.Propose(bob.address, terms.size, terms.rules, terms.komi, color=Color.BLACK)
        known_as = bob.name if vouched else bob.address.partition("@")[0]  # known by name
        event = build_proposal(wanted, Player(alice.address, alice.name), known_as, "")
        message_id = await self._write(alice, f"{words} {bob.address}", alice.newest)
        if vouched:
            letter = await bob.expect(Kind.INVITATION)
            self.game = apply(begin(letter.game, event), ev.Confirmed())
            books.record_events(self.game, (event, ev.Confirmed()), message_id)
            books.expect_notice(alice.address, Kind.INVITED, letter.game)
            books.expect_notice(bob.address, Kind.INVITATION, letter.game)
        else:
            letter = await alice.expect(Kind.CONFIRM)
            self.game = begin(letter.game, event)
            books.record_events(self.game, (event,), message_id)
            books.expect_notice(alice.address, Kind.CONFIRM, letter.game)
            await self._act(alice, (cmd.Yes(),), "yes")
            await bob.expect(Kind.INVITATION, letter.game)

    async def _move(self, terms: Terms) -> None:
        """Make one move, and wait for the letters that follow."""
        mover, other = self._to_move()
        await self._write_more(mover, other)
        command = self._chosen(terms)
        word = {cmd.Pass: "pass", cmd.Resign: "resign"}.get(type(command), "")
        word = str(command.point) if isinstance(command, cmd.Play) else word
        commands: tuple[cmd.Action, ...] = (command,)
        if self.world.luck.random() < 0.05:
            text = f"Nicely played, at move {self.game.move_number}!"
            commands, word = (command, cmd.Say(text)), f"{word}\r\n\r\n{text}"
        if (
            self.world.program is not None
            and isinstance(command, cmd.Play)
            and len(commands) == 1
            and self.world.luck.random() < BY_PROGRAM
        ):
            await self._by_program(command)
        else:
            await self._act(mover, commands, word, by_mailbox=self.world.luck.random() < BY_MAILBOX)
        if self.game.phase is Phase.PLAYING:
            await other.expect(Kind.YOUR_TURN, self.game.id)
        else:
            over = self.game.phase.over
            await self._both(Kind.FINISHED if over else Kind.SCORING_STARTED)

    async def _by_program(self, command: cmd.Play) -> None:
        """Make a move at a Go program; its player gets no letter."""
        if not self.world.going():
            raise Over
        assert self.world.program is not None
        mover, other = self._to_move()
        seat = self.game.seats_of(mover.address)[0]
        await self.world.program(self.game, command.point)
        events = decide(self.game, seat, command, lambda: Color.BLACK)
        for event in events:
            self.game = apply(self.game, event)
        self.world.books.record_events(self.game, events)
        self.world.books.expect_notice(other.address, Kind.YOUR_TURN, self.game.id)

    def _chosen(self, terms: Terms) -> cmd.Action:
        game, luck, number = self.game, self.world.luck, self.game.move_number
        if terms.moves:
            if number >= len(terms.moves) or (number > 40 and luck.random() < 0.002):
                return cmd.Pass() if number >= len(terms.moves) else cmd.Resign()
            point = terms.moves[number]
            return cmd.Pass() if point is None else cmd.Play(point)
        points = game.spec.size.points
        if number > points // 2 and luck.random() < 0.01:
            return cmd.Resign()
        if game.passes or number >= min(points, 90) or game.to_move is None:
            return cmd.Pass()
        return _random_move(game, luck)

    async def _resume(self) -> None:
        await self._act(self._at(Color.BLACK), (cmd.Resume(),), "resume")
        await self._to_move()[0].expect(Kind.YOUR_TURN, self.game.id)

    async def _count(self, terms: Terms) -> None:
        """Mark dead stones, and agree."""
        black, white = self._at(Color.BLACK), self._at(Color.WHITE)
        mark = cmd.Mark(terms.dead, dead=True) if terms.dead else self._mark()
        if mark is not None:
            await self._act(black, (mark,), str(mark))
            await self._both(Kind.MARKS_CHANGED)
        await self._act(white, (cmd.Done(),), "done")
        await self._both(Kind.DONE)
        await self._act(black, (cmd.Done(),), "done")
        await self._both(Kind.FINISHED)

    def _mark(self) -> cmd.Mark | None:
        """A random chain to mark as dead; None if no chain can be marked."""
        board = self.game.position.board
        stones = board.points_at(at for at, cell in enumerate(board.cells) if cell)
        for point in self.world.luck.sample(stones, len(stones)):
            mark = cmd.Mark((point,), dead=True, extent=cmd.Extent.CHAIN)
            with suppress(Refusal):
                if changed_stones(self.game, mark):
                    return mark
        return None

    def _at(self, color: Color) -> Person:
        player = self.game.player(Seat.of(color))
        return self.alice if player.address == self.alice.address else self.bob

    def _to_move(self) -> tuple[Person, Person]:
        color = self.game.to_move or Color.BLACK
        return self._at(color), self._at(color.opponent)

    async def _both(self, kind: Kind) -> None:
        for person in (self.alice, self.bob):
            await person.expect(kind, self.game.id)

    # -- letters -------------------------------------------------------------------------------
    async def _act(
        self, person: Person, commands: Sequence[cmd.Action], text: str, *, by_mailbox: bool = False
    ) -> None:
        """Answer the newest letter with commands, and record the expected effects."""
        await self.world.think()
        before = after = self.game
        mine = before.seats_of(person.address)[0]
        events: list[ev.Event] = []
        for command in commands:
            for decided in decide(after, mine, command, lambda: Color.BLACK):
                event = decided
                if isinstance(event, ev.Started):
                    event = replace(event, invited_name=person.name)
                events.append(event)
                after = apply(after, event)
        message_id = await self._write(person, text, person.newest, by_mailbox=by_mailbox)
        self.game = after
        self.world.books.record_events(after, events, message_id)
        for seat, kind in notice_kinds(after, events, mine, commands).items():
            self._expect_notice(after.player(seat).address, kind)

    def _expect_notice(self, address: str, kind: Kind) -> None:
        person = self.alice if address == self.alice.address else self.bob
        if kind is Kind.MOVED:
            if person.receipts >= DEFAULT_RECEIPTS:
                return
            person.receipts += 1
        self.world.books.expect_notice(address, kind, self.game.id)

    async def _write_more(self, mover: Person, other: Person) -> None:
        """Sometimes write something else: chat, late or mistaken commands, automatic mail."""
        roll = self.world.luck.random()
        if roll < 0.03 and mover.may_talk():
            mover.words, mover.answers = mover.words + 1, mover.answers + 1
            text = f"I had a dream about {_in_words(self.game.move_number)}"
            await self._act(mover, (cmd.Say(text),), f"say {text}")
            self.world.books.expect_notice(mover.address, Kind.SHOW, self.game.id)
        elif roll < 0.05 and mover.may_be_late(self.game.id):
            mover.late += 1
            await self._refused(mover, "pass", mover.older)
        elif roll < 0.06 and self.game.move_number:
            await self._refused(other, "pass", other.newest)
        elif roll < 0.09:
            wrong = self.world.luck.choice(("i4", "D4, or not", "resing", "D4\r\nE5", "Z99"))
            await self._refused(mover, wrong, mover.newest)
        elif roll < 0.10:
            await self._forged(mover)
        elif roll < 0.11:
            fields = "Auto-Submitted: auto-replied\r\n"
            await self._write(mover, "resign", mover.newest, fields=fields)
        elif roll < 0.12:
            await self._write(mover, "", None, body=_GARBAGE, fields="Auto-Submitted: x\r\n")
        elif roll < 0.13 and mover.answers < ANSWERS:
            mover.answers += 1
            await self._write(mover, "games", mover.newest)
            self.world.books.expect_notice(mover.address, Kind.GAMES)
        elif roll < 0.14 and mover.answers < ANSWERS:
            mover.answers += 1
            await self._write(mover, "show", mover.newest)
            self.world.books.expect_notice(mover.address, Kind.SHOW, self.game.id)

    async def _refused(self, person: Person, text: str, to: ReceivedLetter | None) -> None:
        if to is None or person.answers >= ANSWERS:
            return
        person.answers += 1
        await self._write(person, text, to)
        self.world.books.expect_notice(person.address, Kind.REFUSED, to.game)

    async def _forged(self, person: Person) -> None:
        """Write a letter with a forged token, which is refused."""
        if person.newest is None or person.forged >= FORGED:
            return
        person.forged += 1
        local, at, domain = person.newest.reply_to.partition("@")
        changed = local[:-1] + ("a" if local[-1] != "a" else "b") + at + domain
        await self._write(person, "resign", person.newest._replace(reply_to=changed, message_id=""))
        self.world.books.expect_notice(person.address, Kind.REFUSED)

    async def _write(
        self,
        person: Person,
        text: str,
        to: ReceivedLetter | None,
        *,
        body: bytes = b"",
        fields: str = "",
        by_mailbox: bool = False,
    ) -> str:
        """Send a letter, wait for its acknowledgement, and return its Message-ID; raises `Over`."""
        if not self.world.going():
            raise Over
        self._letters += 1
        message_id = f"<{self.number}.{self._letters}@players.example>"
        subject = f"Re: {to.subject}" if to else "Go"
        answers = f"In-Reply-To: {to.message_id}\r\n" if to and to.message_id else ""
        address = to.reply_to if to else PLAIN
        head = (
            f"From: {person.name} <{person.address}>\r\nTo: {address}\r\nSubject: {subject}\r\n"
            f"Message-ID: {message_id}\r\n{answers}{fields}MIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n\r\n"
        )
        quoted = f"\r\n\r\nOn Sat, 21 Nov 2026 at 10:00, Go by mail wrote:\r\n{_QUOTED}"
        raw = head.encode() + (body or (text + (quoted if to else "\r\n")).encode())
        if by_mailbox and self.world.mailbox is not None:
            await self.world.mailbox(person.address, address, raw)
        else:
            await self.world.post.send(person.address, address, raw)
        self.world.books.record_letter(message_id)
        return message_id


def _in_words(number: int) -> str:
    """A number in words; messages that differ only in digits are passed on once a day."""
    names = ("nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    return "-".join(names[int(figure)] for figure in str(number))


def _random_move(game: Game, luck: random.Random) -> cmd.Action:
    """A random legal move; a pass if there is none."""
    color = game.to_move or Color.BLACK
    size = game.spec.size
    for _ in range(30):
        point = Point(luck.randrange(size.width), luck.randrange(size.height))
        if game.position.is_legal(color, point):
            return cmd.Play(point)
    legal = game.position.legal_moves(color)
    return cmd.Play(luck.choice(legal)) if legal else cmd.Pass()
