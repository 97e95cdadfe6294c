"""Seats for GTP on the real store; `seats.txt` has their actions and notices.

sit 1 black as second         a program sits down; "black" has done so at game 1
black (old gtp:s:4) plays D4  it plays, `writes` (a pending move), `does` (say hello), `takes back`,
by the revisions kept as `old`, for that cause
black sits, leaves            it takes its seat, and goes; it `watches` for a move, `looks away`
... => Stale >> has changed   is refused so, with these words
letter white E5 & done        what comes by email
propose engine:gnugo, start   another game is proposed; another game begins
restart                       the daemon ends, and another begins
disk full                     no transaction of a program is committed
minutes 2                     time passes, and the daemon looks at passes
pending = 1 black D4          all pending moves; also moves, phase, cause, chat, agreed, games
sent_notices bob chat                 what goes out now
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TypeVar
from unittest.mock import AsyncMock

import pytest

from godaemon import errors
from godaemon.errors import Temporary
from godaemon.games import commands as cmd
from godaemon.games.engine_seats import Roster, RosterEntry
from godaemon.games.model import Game, Revisions, Seat
from godaemon.games.notices import Kind
from godaemon.games.player_settings import Preferences
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Unit
from godaemon.games.wanted_emails import change_preferences
from godaemon.rules.points import Color, Size, parse_point
from godaemon.rules.position import Move
from godaemon.storage.database import Database
from godaemon.storage.writer import Committed, WriterThread
from godaemon.system.outages_and_pauses import Pause
from gtp.read_ahead import ConnectionLines
from gtp.seat.seat_session import SeatSession
from gtp.seat.stored_seat import SeatService, StoredSeat
from tests.support import stores
from tests.support.gateway import Gateway
from tests.support.logs import command
from tests.support.scene_files import Scene, as_text, read_scenes, split_outcome
from tests.support.waiting import PATIENCE

T = TypeVar("T")
ALICE = Caller("letter:<1@a>", "alice@players.example", "Alice")
BOB = Caller("letter:<2@b>", "bob@players.example", "Bob")
D4, E5 = parse_point("D4"), parse_point("E5")


class House:
    """A store with one game in it, its writer, and the seats of its games."""

    def __init__(self, database: Database) -> None:
        self.gateway = Gateway()
        self.writer = WriterThread(database).start()
        self.writer.on_rollback.append(self.gateway.cache.drop)
        self.seats = self.new_seats(self.writer)
        loop = asyncio.get_running_loop()

        def hear(news: Committed) -> None:
            loop.call_soon_threadsafe(self.seats.wake_sessions, news.games)

        self.writer.on_commit.append(hear)

    def new_seats(self, writer: WriterThread) -> SeatService:
        """Seats in which nobody sits."""
        return SeatService(writer, self.games, lambda: self.gateway.now, AsyncMock(), AsyncMock())

    def games(self, unit: Unit) -> GameService:
        """The games, which know who waits in their seats."""
        return replace(self.gateway.games(unit), is_watched=self.seats.is_watched)

    async def propose(self) -> int:
        def work(unit: Unit) -> int:
            wanted = cmd.Propose(BOB.address, Size(9, 9), color=Color.BLACK)
            return self.games(unit).propose(wanted, ALICE, vouched=True).after.id

        return await self.writer.run(work)

    async def start(self) -> "House":
        """A game in which Black is to move."""
        number = await self.propose()
        await self.act(Seat.INVITED, cmd.Yes(), number=number)
        return self

    async def act(self, seat: Seat, *commands: cmd.Action, number: int = 1) -> None:
        caller = ALICE if seat in {Seat.BLACK, Seat.PROPOSER} else BOB
        await self.do(lambda games: games.act(number, seat, commands, caller))

    async def do(self, work: object) -> object:
        assert callable(work)
        return await self.writer.run(lambda unit: work(self.games(unit)))

    async def game(self) -> Game:
        return await self.seats.view(1)

    async def pending_rows(self) -> list[tuple[int, str, str, int]]:
        return list((await self.writer.run(lambda unit: unit.seats.take_over(None))).moves)

    async def sent_notices(self) -> list[tuple[Kind, str]]:
        def work(unit: Unit) -> list[tuple[Kind, str]]:
            due = unit.outbox.claim(self.gateway.now, 60, 99)
            for one in due:
                unit.outbox.mark_sent(one.id, self.gateway.now)
            return [(one.notice.kind, one.notice.to) for one in due]

        return await self.writer.run(work)


class FailingWriter:
    """A writer that rolls everything back, as if the disk was full at COMMIT."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def run(self, work: Callable[[Unit], T]) -> T:
        def fails(unit: Unit) -> T:
            work(unit)
            raise Temporary("The disk is full.")

        return await self._house.writer.run(fails)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A game that is being played, Black to move."""
    with closing(stores.fresh(tmp_path)) as database:
        house = await House(database).start()
        yield house
        await asyncio.to_thread(house.writer.close)


@pytest.fixture
async def black(house: House) -> StoredSeat:
    return await house.seats.open_seat(1, Color.BLACK)


class StaleProgram:
    """A program in Black's seat whose daemon misses the news of another daemon."""

    def __init__(self, house: House, seat: StoredSeat) -> None:
        self._house = house
        self.session = SeatSession(seat, ConnectionLines(), _fail_on_status)

    async def ask(self, line: str) -> str:
        return (await self.session.handle(line.encode())).decode().strip()

    async def commit_elsewhere(self, seat: Seat, command: cmd.Action) -> None:
        """Commit an action in another daemon, without its news."""
        hooks, self._house.writer.on_commit = self._house.writer.on_commit, []
        await self._house.act(seat, command)
        self._house.writer.on_commit = hooks


async def _fail_on_status(_told: bytes) -> None:
    raise AssertionError


@pytest.fixture
async def stale_program(house: House, black: StoredSeat) -> StaleProgram:
    """It has set its board up."""
    program = StaleProgram(house, black)
    assert await program.ask("clear_board") == "="
    return program


SCENES = read_scenes(Path(__file__).with_name("seats.txt"))
SAYS = re.compile(r"(black|white|second)(?: \((.*)\))? (\w+) ?(.*)")
STATE = re.compile(r"(second\.)?(pending|moves|phase|cause|chat|agreed|games) = ?(.*)")


class Stage:
    """The house of a scene, with the programs that sit in its seats."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.seats: dict[str, StoredSeat] = {}
        self._kept: dict[str, Revisions] = {}
        self._entered: dict[tuple[str, str], AsyncExitStack] = {}

    async def do(self, line: str) -> None:
        """Do what a line says, or check it."""
        text, wanted, message = split_outcome(line)
        if wanted:
            with pytest.raises(getattr(errors, wanted), match=message or None):
                await self._do(text)
        else:
            await self._do(text)

    async def _do(self, text: str) -> None:
        if state := STATE.fullmatch(text):
            found = await self.state(state[2], 2 if state[1] else 1)
            assert found == state[3], found
        elif says := SAYS.fullmatch(text):
            await self._act(says[1], (says[2] or "").split(), says[3], says[4])
        else:
            verb, _, rest = text.partition(" ")
            await getattr(self, f"on_{verb}")(*rest.split())

    async def _act(self, name: str, options: Sequence[str], verb: str, rest: str) -> None:
        seat = self.seats[name]
        cause = next((one for one in options if ":" in one), "")
        kept = next((self._kept[one] for one in options if one in self._kept), None)
        seen = kept or (await self.house.seats.view(seat.number)).revisions
        point = None if rest == "pass" or verb not in {"plays", "writes"} else parse_point(rest)
        match verb:
            case "writes":
                await seat.save_pending(Move(seat.color, point), seen.position)
            case "takes":
                await seat.save_pending(None, seen.position + 7)
            case "plays":
                await seat.release(point, seen.position, cause)
            case "does":
                await seat.act(command(rest), seen, cause)
            case "sits":
                self._entered[name, "leaves"] = entered = AsyncExitStack()
                await entered.enter_async_context(seat.occupy())
            case "watches":
                self._entered[name, "looks"] = entered = AsyncExitStack()
                entered.enter_context(seat.watching())
            case _:
                await self._entered.pop((name, verb)).aclose()

    async def on_sit(self, number: str, color: str, *name: str) -> None:
        seat = await self.house.seats.open_seat(int(number), Color.named(color))
        self.seats[name[-1] if name else color] = seat

    async def on_propose(self, opponent: str = BOB.address) -> None:
        self.house.gateway.engines = Roster((RosterEntry("gnugo"),), 1)
        wanted = cmd.Propose(opponent, Size(9, 9), color=Color.BLACK)
        await self.house.do(lambda games: games.propose(wanted, ALICE, vouched=True))

    async def on_start(self) -> None:
        await self.house.start()

    async def on_keep(self, name: str) -> None:
        self._kept[name] = (await self.house.game()).revisions

    async def on_letter(self, seat: str, *words: str) -> None:
        commands = [command(one) for one in " ".join(words).split(" & ")]
        await self.house.act(Seat.named(seat), *commands)

    async def on_alice(self, *_: str) -> None:
        """She wants no emails."""
        level = cmd.EmailLevel.NONE
        await self.house.do(
            lambda games: change_preferences(games.unit, ALICE.address, Preferences(emails=level))
        )

    async def on_minutes(self, minutes: str) -> None:
        """Let time pass since the last move, and the daemon look for silent programs."""
        self.house.gateway.wait(minutes=int(minutes))
        await self.house.do(GameService.queue_unanswered_notices)

    async def on_paused(self, reason: str = "") -> None:
        """All clocks stop; 30 hours later a program sees that moment, and the reason."""
        begin = self.house.gateway.now
        self.house.seats.paused = lambda _: Pause(begin, begin, reason)
        self.house.gateway.wait(hours=30)
        view = await self.seats["black"].view()
        assert (view.now, view.paused) == (begin, reason or "the operator has stopped them")

    async def on_disk(self, state: str) -> None:
        """It is `full`, or `free` again."""
        full = FailingWriter(self.house)
        self.house.seats.writer = full if state == "full" else self.house.writer

    async def on_restart(self) -> None:
        house = self.house
        house.seats = house.new_seats(house.writer)
        await house.seats.release_orphaned_moves(
            await house.writer.run(lambda unit: unit.seats.take_over(None))
        )

    async def on_told(self, *wanted: str) -> None:
        found = [
            f"{to.partition('@')[0]} {kind.value}" for kind, to in await self.house.sent_notices()
        ]
        assert (", ".join(sorted(found)) or "nothing") == " ".join(wanted), sorted(found)

    async def state(self, name: str, number: int) -> str:
        """A property of a game, or of its seats."""
        game = await self.house.seats.view(number)
        match name:
            case "pending":
                rows = await self.house.pending_rows()
                return " | ".join(f"{game} {color} {move}" for game, color, move, _ in rows)
            case "moves":
                return " ".join(str(one.point or "pass") for one in game.position.moves)
            case "cause":
                log = await self.house.writer.run(lambda unit: unit.games.log(number))
                return log[-1].cause
            case "chat":
                return as_text([one.text for one in game.chat])
            case "games":
                return as_text([row.id for row in await self.seats["black"].games(ALICE.address)])
        return as_text(getattr(game, name))


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_scene(scene: Scene, tmp_path: Path) -> None:
    """Each line of the scene holds."""

    async def begin() -> Stage:
        stage = Stage(await House(database).start())
        await stage.house.sent_notices()
        await stage.on_sit("1", "black")
        return stage

    with closing(stores.fresh(tmp_path)) as database, asyncio.Runner() as runner:
        stage = runner.run(begin())
        try:
            scene.play(lambda line: runner.run(stage.do(line)))
        finally:
            stage.house.writer.close()


class TestLateNews:
    """A commit of another daemon is noticed, with or without news of it."""

    async def test_its_own_move_may_be_in_the_game_already(
        self, stale_program: StaleProgram
    ) -> None:
        """Another daemon released it; a different one is illegal."""
        await stale_program.commit_elsewhere(Seat.BLACK, cmd.Play(D4))
        assert await stale_program.ask("play black C3") == "? illegal move"
        assert await stale_program.ask("play black D4") == "="
        assert len(stale_program.session.cursor.followed_moves()) == 1

    async def test_a_pending_move_may_be_in_the_game_already(
        self, stale_program: StaleProgram
    ) -> None:
        """It is followed, not played twice."""
        assert await stale_program.ask("play black D4") == "="
        await stale_program.commit_elsewhere(Seat.BLACK, cmd.Play(D4))
        await stale_program.session.release_pending()
        assert len(stale_program.session.cursor.followed_moves()) == 1


class TestWaiting:
    """A session that waits for the opponent wakes after COMMIT, and only then."""

    async def test_all_are_woken_after_lost_news(self, house: House, black: StoredSeat) -> None:
        """Another daemon may have committed anything while its news was lost."""
        revision = (await house.game()).revisions.position
        waiting = asyncio.create_task(black.wait_for_change(revision))
        house.writer.on_commit.clear()
        await house.act(Seat.BLACK, cmd.Play(E5))
        assert (await black.view()).game.move_number == 1
        house.seats.wake_all_sessions()
        await asyncio.wait_for(waiting, PATIENCE)

    async def test_a_move_wakes_a_waiting_session(self, house: House, black: StoredSeat) -> None:
        """Words wake nobody; a cancelled wait leaves nothing behind."""
        revision = (await house.game()).revisions.position
        waiting, ended = (asyncio.create_task(black.wait_for_change(revision)) for _ in range(2))
        await house.act(Seat.WHITE, cmd.Say("hello"))
        await house.game()
        assert not waiting.done()
        ended.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ended
        await house.act(Seat.BLACK, cmd.Play(E5))
        await asyncio.wait_for(waiting, PATIENCE)
        assert (await black.view()).game.move_number == 1
        await asyncio.wait_for(black.wait_for_change(revision), PATIENCE)
        assert house.seats.waiting == {}
