"""Seats for GTP over the real store: moves in reserve, their release, and news of the game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from godaemon.daemon.seat_service import SeatService, StoredSeat
from godaemon.errors import NotAllowed, NotYourTurn, Stale, Temporary, Unknown, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games.engine_seats import Entrant, Roster
from godaemon.games.model import Game, Phase, Revisions, Seat
from godaemon.games.notices import Kind
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Unit
from godaemon.games.wanted_emails import choose
from godaemon.rules.points import Color, Size, parse_point
from godaemon.rules.position import Move
from godaemon.storage.database import Database, open_database
from godaemon.storage.writer import Committed, WriterThread
from gtp.seat.seat_session import SeatSession
from tests.support import stores
from tests.support.gateway import Gateway

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
        self.seats = SeatService(self.writer, self.games, lambda: self.gateway.now)
        loop = asyncio.get_running_loop()

        def hear(news: Committed) -> None:
            loop.call_soon_threadsafe(self.seats.changed, news.games)

        self.writer.on_commit.append(hear)

    def games(self, unit: Unit) -> GameService:
        """The games, which know who waits in their seats."""
        return replace(self.gateway.games(unit), watched=self.seats.watched)

    async def propose(self) -> int:
        """A game that nobody has accepted."""

        def work(unit: Unit) -> int:
            wanted = cmd.Propose(BOB.address, Size(9, 9), color=Color.BLACK)
            return self.games(unit).propose(wanted, ALICE, vouched=True).after.id

        return await self.writer.run(work)

    async def start(self) -> House:
        """A game in which Black is to move."""
        number = await self.propose()
        await self.act(Seat.INVITED, cmd.Yes(), number=number)
        return self

    async def act(self, seat: Seat, command: cmd.Action, number: int = 1) -> None:
        """What comes by mail."""
        caller = ALICE if seat in {Seat.BLACK, Seat.PROPOSER} else BOB
        await self.do(lambda games: games.act(number, seat, (command,), caller))

    async def do(self, work: object) -> object:
        """Do something with the games."""
        assert callable(work)
        return await self.writer.run(lambda unit: work(self.games(unit)))

    async def game(self) -> Game:
        """The game now."""
        return await self.seats.view(1)

    async def pencils(self) -> list[tuple[int, str, str, int]]:
        """All moves in reserve."""
        return list((await self.writer.run(lambda unit: unit.seats.left_by(None))).moves)

    async def told(self) -> list[tuple[Kind, str]]:
        """What goes out now."""

        def work(unit: Unit) -> list[tuple[Kind, str]]:
            due = unit.outbox.claim(self.gateway.now, 60, 99)
            for one in due:
                unit.outbox.sent(one.id, self.gateway.now)
            return [(one.notice.kind, one.notice.to) for one in due]

        return await self.writer.run(work)

    async def later(self, minutes: float) -> None:
        """Let time pass since the last move, and the daemon look at passes."""
        self.gateway.wait(minutes=minutes)
        patience = timedelta(minutes=2)
        await self.writer.run(lambda unit: self.games(unit).silent_passes(patience))


class Crossed:
    """A writer of which each answer is overtaken by news of game 1."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def run(self, work: Callable[[Unit], T]) -> T:
        """Run it, and let somebody else commit before the answer is there."""
        answer = await self._house.writer.run(work)
        self._house.seats.changed([1])
        return answer


class Undone:
    """A writer that takes back all that it was asked to do: the disk is full at COMMIT."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def run(self, work: Callable[[Unit], T]) -> T:
        """Do it, and take it back."""

        def fails(unit: Unit) -> T:
            work(unit)
            raise Temporary("The disk is full.")

        return await self._house.writer.run(fails)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A store on disk."""
    opened = await asyncio.to_thread(open_database, stores.url(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
async def house(database: Database) -> AsyncIterator[House]:
    """A game that is being played, Black to move."""
    house = await House(database).start()
    yield house
    await asyncio.to_thread(house.writer.close)


@pytest.fixture
async def black(house: House) -> StoredSeat:
    """Black's seat."""
    return await house.seats.seat(1, Color.BLACK)


class Elsewhere:
    """A program in Black's seat, here, of a game that goes on at another daemon, too."""

    def __init__(self, house: House, seat: StoredSeat) -> None:
        self._house = house
        self.session = SeatSession(seat, _never, _never, _unheard)

    async def ask(self, line: str) -> str:
        """Its answer to a line."""
        return (await self.session.handle(line.encode())).decode().strip()

    async def unheard(self, seat: Seat, command: cmd.Action) -> None:
        """Another daemon commits this, and its news have not come yet."""
        hooks, self._house.writer.on_commit = self._house.writer.on_commit, []
        await self._house.act(seat, command)
        self._house.writer.on_commit = hooks


async def _never() -> None:
    await asyncio.Event().wait()


async def _unheard(_told: bytes) -> None:
    raise AssertionError


@pytest.fixture
async def elsewhere(house: House, black: StoredSeat) -> Elsewhere:
    """It has set its board up."""
    program = Elsewhere(house, black)
    assert await program.ask("clear_board") == "="
    return program


class TestNewsThatAreLate:
    """What another daemon has committed is seen where it is met, heard of or not."""

    async def test_a_move_of_its_own_that_the_game_has_already(self, elsewhere: Elsewhere) -> None:
        """Whoever took over from the daemon that died has just played it."""
        await elsewhere.unheard(Seat.BLACK, cmd.Play(D4))
        assert await elsewhere.ask("play black D4") == "="
        assert len(elsewhere.session.cursor.followed()) == 1

    async def test_another_move_is_illegal_still(self, elsewhere: Elsewhere) -> None:
        """The game has gone on otherwise."""
        await elsewhere.unheard(Seat.BLACK, cmd.Play(D4))
        assert await elsewhere.ask("play black C3") == "? illegal move"
        assert await elsewhere.ask("play black D4") == "="

    async def test_a_pending_move_that_the_game_has_already(self, elsewhere: Elsewhere) -> None:
        """It is the record's; nothing is off it."""
        assert await elsewhere.ask("play black D4") == "="
        await elsewhere.unheard(Seat.BLACK, cmd.Play(D4))
        await elsewhere.session.settle()
        assert len(elsewhere.session.cursor.followed()) == 1


class TestSittingDown:
    """A seat is to be had in a game that has begun."""

    async def test_view(self, black: StoredSeat) -> None:
        """The game as it is, from that seat."""
        view = await black.view()
        assert (view.game.id, view.color) == (1, Color.BLACK)

    async def test_no_such_game(self, house: House) -> None:
        """There is none."""
        with pytest.raises(Unknown):
            await house.seats.seat(7, Color.BLACK)

    async def test_not_begun(self, house: House) -> None:
        """Nobody has accepted it."""
        number = await house.propose()
        with pytest.raises(WrongPhase, match="proposed"):
            await house.seats.seat(number, Color.WHITE)

    async def test_the_seat_of_a_program_is_its_own(self, house: House) -> None:
        """Nobody moves for it; its opponent's seat is to be had."""
        house.gateway.engines = Roster((Entrant("gnugo"),), 1)
        wanted = cmd.Propose("engine:gnugo", Size(9, 9), color=Color.BLACK)
        await house.do(lambda games: games.propose(wanted, ALICE, vouched=True))
        with pytest.raises(NotAllowed, match="gnugo, a program, plays white"):
            await house.seats.seat(2, Color.WHITE)
        assert (await house.seats.seat(2, Color.BLACK)).number == 2

    async def test_finished(self, house: House) -> None:
        """A finished game can still be looked at."""
        await house.act(Seat.BLACK, cmd.Resign())
        view = await (await house.seats.seat(1, Color.WHITE)).view()
        assert view.game.phase is Phase.FINISHED


class TestPencil:
    """A pending move is in the store before it is answered, and is nobody else's business."""

    async def test_written_down(self, house: House, black: StoredSeat) -> None:
        """It changes nothing of the game, and nobody is told."""
        await house.told()
        revision = (await house.game()).revisions.position
        await black.write_down(Move(Color.BLACK, D4), revision)
        assert await house.pencils() == [(1, "black", "D4", revision)]
        assert (await house.game()).move_number == 0
        assert await house.told() == []

    async def test_written_over(self, house: House, black: StoredSeat) -> None:
        """A seat has one."""
        revision = (await house.game()).revisions.position
        await black.write_down(Move(Color.BLACK, D4), revision)
        await black.write_down(Move(Color.BLACK, None), revision)
        assert await house.pencils() == [(1, "black", "pass", revision)]

    async def test_rubbed_out(self, house: House, black: StoredSeat) -> None:
        """At whatever revision."""
        revision = (await house.game()).revisions.position
        await black.write_down(Move(Color.BLACK, D4), revision)
        await black.write_down(None, revision + 7)
        assert await house.pencils() == []

    async def test_two_programs_at_one_seat(self, house: House, black: StoredSeat) -> None:
        """The second is told of the first one's move; it may play the same, or wait."""
        second = await house.seats.seat(1, Color.BLACK)
        revision = (await house.game()).revisions.position
        await black.write_down(Move(Color.BLACK, D4), revision)
        with pytest.raises(NotAllowed, match="another program at this seat has just played D4"):
            await second.write_down(Move(Color.BLACK, E5), revision)
        assert await house.pencils() == [(1, "black", "D4", revision)]
        await black.write_down(None, revision)
        await second.write_down(Move(Color.BLACK, E5), revision)
        await black.write_down(Move(Color.BLACK, E5), revision)
        assert await house.pencils() == [(1, "black", "E5", revision)]

    async def test_a_program_that_has_gone(self, house: House, black: StoredSeat) -> None:
        """Its move keeps nobody else from moving."""
        second = await house.seats.seat(1, Color.BLACK)
        revision = (await house.game()).revisions.position
        async with black.taken():
            await black.write_down(Move(Color.BLACK, D4), revision)
        await second.write_down(Move(Color.BLACK, E5), revision)
        assert await house.pencils() == [(1, "black", "E5", revision)]

    async def test_a_rollback_takes_the_pencil_back_too(
        self, house: House, black: StoredSeat, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What was not saved keeps no other program from moving; what was saved before stays."""
        revision = (await house.game()).revisions.position
        another = await house.seats.seat(1, Color.BLACK)
        with monkeypatch.context() as full:
            full.setattr(house.seats, "writer", Undone(house))
            with pytest.raises(Temporary):
                await black.write_down(Move(Color.BLACK, D4), revision)
        await another.write_down(Move(Color.BLACK, E5), revision)
        with monkeypatch.context() as full:
            full.setattr(house.seats, "writer", Undone(house))
            with pytest.raises(Temporary):
                await another.write_down(None, revision)
        with pytest.raises(NotAllowed, match="has just played E5"):
            await black.write_down(Move(Color.BLACK, D4), revision)
        assert await house.pencils() == [(1, "black", "E5", revision)]

    async def test_stale(self, house: House, black: StoredSeat) -> None:
        """A game that has gone on since is not reserving in."""
        revision = (await house.game()).revisions.position
        await house.act(Seat.BLACK, cmd.Play(E5))
        with pytest.raises(Stale):
            await black.write_down(Move(Color.BLACK, D4), revision)
        assert await house.pencils() == []


class TestRelease:
    """Released, it is a move like any other."""

    async def test_played_and_mailed(self, house: House, black: StoredSeat) -> None:
        """The opponent gets their turn letter, the reserve is gone, the log names the seat."""
        await house.told()
        revision = (await house.game()).revisions.position
        await black.write_down(Move(Color.BLACK, D4), revision)
        await black.release(D4, revision)
        assert (await house.game()).position.last == Move(Color.BLACK, D4)
        assert await house.pencils() == []
        assert (Kind.YOUR_TURN, BOB.address) in await house.told()
        log = await house.writer.run(lambda unit: unit.games.log(1))
        assert log[-1].cause == "gtp:black"

    async def test_pass(self, house: House, black: StoredSeat) -> None:
        """No point is a pass."""
        await black.release(None, (await house.game()).revisions.position)
        last = (await house.game()).position.last
        assert last == Move(Color.BLACK, None)

    async def test_overtaken(self, house: House, black: StoredSeat) -> None:
        """Where a letter was quicker the move is refused, and its reserve mark goes."""
        revision = (await house.game()).revisions.position
        await black.write_down(Move(Color.BLACK, D4), revision)
        await house.act(Seat.BLACK, cmd.Play(E5))
        with pytest.raises(Stale):
            await black.release(D4, revision)
        assert await house.pencils() == []
        assert (await house.game()).move_number == 1

    async def test_not_ones_turn(self, house: House) -> None:
        """A seat never plays for the other."""
        white = await house.seats.seat(1, Color.WHITE)
        with pytest.raises(NotYourTurn):
            await white.release(D4, (await house.game()).revisions.position)

    async def test_store_in_trouble(
        self, house: House, black: StoredSeat, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Trouble that may pass leaves the reserve mark for the next try."""
        revision = (await house.game()).revisions.position
        await black.write_down(Move(Color.BLACK, D4), revision)

        def fail(*_: object, **__: object) -> None:
            raise Temporary("The disk is full.")

        with monkeypatch.context() as broken:
            broken.setattr(GameService, "act", fail)
            with pytest.raises(Temporary):
                await black.release(D4, revision)
        assert len(await house.pencils()) == 1


class TestActing:
    """What a seat asks beside moves goes the same way as letters, once for each cause."""

    async def test_words(self, house: House, black: StoredSeat) -> None:
        """They are in the log with their cause, and the opponent gets them by letter."""
        await house.told()
        outcome = await black.act(cmd.Say("hello"), Revisions(), "gtp:s:4")
        assert [words.text for words in outcome.after.chat] == ["hello"]
        assert await house.told() == [(Kind.CHAT, BOB.address)]
        log = await house.writer.run(lambda unit: unit.games.log(1))
        assert log[-1].cause == "gtp:s:4"

    async def test_sent_again(self, house: House, black: StoredSeat) -> None:
        """A command whose cause is in the log is answered and not done again."""
        for _ in range(2):
            await black.act(cmd.Say("hello"), Revisions(), "gtp:s:4")
        assert len((await house.game()).chat) == 1
        await black.act(cmd.Say("hello"), Revisions(), "gtp:s:5")
        await black.act(cmd.Say("hello"), Revisions(), "")
        await black.act(cmd.Say("hello"), Revisions(), "")
        assert len((await house.game()).chat) == 4

    async def test_a_move_sent_again(self, house: House, black: StoredSeat) -> None:
        """A move that was played already under that cause is played, whatever came after it."""
        revision = (await house.game()).revisions.position
        await black.release(D4, revision, "gtp:s:4")
        await black.release(D4, revision, "gtp:s:4")
        assert (await house.game()).move_number == 1
        with pytest.raises(Stale):
            await black.release(D4, revision, "gtp:s:5")

    async def test_marks_that_change_nothing(self, house: House, black: StoredSeat) -> None:
        """The GUI is answered; nobody is written to."""
        await house.act(Seat.BLACK, cmd.Play(D4))
        await house.act(Seat.WHITE, cmd.Pass())
        await house.act(Seat.BLACK, cmd.Pass())
        await house.told()
        seen = (await house.game()).revisions
        outcome = await black.act(cmd.Mark((D4,), dead=False), seen, "gtp:s:4")
        assert outcome.before == outcome.after
        assert await house.told() == []

    async def test_stale(self, house: House, black: StoredSeat) -> None:
        """Marks that came since are not agreed to unseen."""
        for seat, command in ((Seat.BLACK, cmd.Play(D4)), (Seat.WHITE, cmd.Pass())):
            await house.act(seat, command)
        await house.act(Seat.BLACK, cmd.Pass())
        seen = (await house.game()).revisions
        await house.act(Seat.WHITE, cmd.Mark((D4,), dead=True, extent=cmd.Extent.ALL))
        with pytest.raises(Stale):
            await black.act(cmd.Done(), seen, "gtp:s:4")
        assert (await house.game()).agreed == {}

    async def test_own_games(self, house: House, black: StoredSeat) -> None:
        """The list is that of the seat's player, the newest first."""
        await house.propose()
        assert [summary.id for summary in await black.games()] == [2, 1]


class TestNextStart:
    """What a daemon had in reserve when it ended is played by the next one."""

    async def test_released(self, house: House, black: StoredSeat) -> None:
        """By seats that know nothing but the store."""
        revision = (await house.game()).revisions.position
        await black.write_down(Move(Color.BLACK, D4), revision)
        await SeatService(
            house.writer, house.gateway.games, lambda: house.gateway.now
        ).release_left(await house.writer.run(lambda unit: unit.seats.left_by(None)))
        assert (await house.game()).position.last == Move(Color.BLACK, D4)
        assert await house.pencils() == []

    async def test_pass(self, house: House, black: StoredSeat) -> None:
        """A pass is a move."""
        await black.write_down(Move(Color.BLACK, None), (await house.game()).revisions.position)
        await house.seats.release_left(
            await house.writer.run(lambda unit: unit.seats.left_by(None))
        )
        assert (await house.game()).position.last == Move(Color.BLACK, None)

    async def test_overtaken(self, house: House, black: StoredSeat) -> None:
        """One that cannot be played any more is dropped, and the next one is not lost for it."""
        await house.start()
        other = await house.seats.seat(2, Color.BLACK)
        for seat_game in (black, other):
            view = await seat_game.view()
            await seat_game.write_down(Move(Color.BLACK, D4), view.game.revisions.position)
        await house.act(Seat.BLACK, cmd.Resign())
        await house.seats.release_left(
            await house.writer.run(lambda unit: unit.seats.left_by(None))
        )
        assert await house.pencils() == []
        assert (await house.seats.view(2)).move_number == 1

    async def test_nothing_left(self, house: House) -> None:
        """As it mostly is."""
        await house.seats.release_left(
            await house.writer.run(lambda unit: unit.seats.left_by(None))
        )
        assert (await house.game()).move_number == 0


class TestRemembered:
    """A replay of hundreds of moves asks for the game each time; it is read once, and never old."""

    async def test_not_read_again(
        self, house: House, black: StoredSeat, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Between two commits it is the same game, and nobody asks the store."""
        await black.view()

        def refuse(*_: object) -> None:
            raise AssertionError

        monkeypatch.setattr(house.writer, "run", refuse)
        assert (await black.view()).game.id == 1

    async def test_after_a_letter(self, house: House, black: StoredSeat) -> None:
        """Whatever was committed is seen by whoever asks after it."""
        for command in (cmd.Play(D4), cmd.Say("hello")):
            before = (await black.view()).game
            await house.act(Seat.BLACK, command)
            assert (await black.view()).game.length == before.length + 1

    async def test_after_ones_own_move(self, house: House, black: StoredSeat) -> None:
        """And so are one's own deeds."""
        await black.release(D4, (await black.view()).revision)
        assert (await black.view()).game.move_number == 1
        await black.act(cmd.Say("hello"), Revisions(), "")
        assert len((await black.view()).game.chat) == 1

    async def test_a_commit_while_it_is_read(
        self, house: House, black: StoredSeat, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What may have been read before a commit is not remembered after it."""
        monkeypatch.setattr(
            house,
            "seats",
            SeatService(Crossed(house), house.gateway.games, lambda: house.gateway.now),
        )
        await house.seats.view(1)
        assert house.seats._seen == {}

    async def test_not_too_many(
        self, house: House, black: StoredSeat, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The one that was read first makes room for another."""
        monkeypatch.setattr("godaemon.daemon.seat_service.KEPT", 1)
        await house.start()
        await house.seats.view(1)
        await house.seats.view(2)
        assert [*house.seats._seen] == [2]

    async def test_who_sits_down_sees_what_is_stored(self, house: House, black: StoredSeat) -> None:
        """Whatever another daemon has committed, of which no word has come yet."""
        await house.game()
        house.writer.on_commit.clear()
        await house.act(Seat.BLACK, cmd.Play(E5))
        newcomer = await house.seats.seat(1, Color.WHITE)
        assert (await newcomer.view()).game.move_number == 1

    async def test_nothing_is_remembered_while_nothing_is_heard(
        self, house: House, black: StoredSeat
    ) -> None:
        """The connection by which others tell of theirs is lost; then all are woken."""
        revision = (await house.game()).revisions.position
        waiting = asyncio.create_task(black.changed(revision))
        house.seats.news_lost()
        house.writer.on_commit.clear()
        await house.act(Seat.BLACK, cmd.Play(E5))
        assert (await black.view()).game.move_number == 1
        assert house.seats._seen == {}
        house.seats.catch_up()
        await asyncio.wait_for(waiting, 20)
        await black.view()
        assert [*house.seats._seen] == [1]


class TestNews:
    """Who waits for the opponent wakes after COMMIT, and only then."""

    async def test_move_wakes(self, house: House, black: StoredSeat) -> None:
        """And the game that is read then has it."""
        revision = (await house.game()).revisions.position
        waiting = asyncio.create_task(black.changed(revision))
        await house.act(Seat.BLACK, cmd.Play(E5))
        await asyncio.wait_for(waiting, 20)
        assert (await black.view()).game.move_number == 1
        assert house.seats._waiting == {}

    async def test_words_do_not(self, house: House, black: StoredSeat) -> None:
        """What leaves the position as it is wakes nobody for good."""
        revision = (await house.game()).revisions.position
        waiting = asyncio.create_task(black.changed(revision))
        await house.act(Seat.WHITE, cmd.Say("hello"))
        await house.game()
        assert not waiting.done()
        await house.act(Seat.BLACK, cmd.Resign())
        await asyncio.wait_for(waiting, 20)

    async def test_already_changed(self, house: House, black: StoredSeat) -> None:
        """News that came before one began to wait is not missed."""
        revision = (await house.game()).revisions.position
        await house.act(Seat.BLACK, cmd.Play(E5))
        await asyncio.wait_for(black.changed(revision), 20)

    async def test_waiting_can_end(self, house: House, black: StoredSeat) -> None:
        """An interrupted wait leaves nothing behind."""
        waiting = asyncio.create_task(black.changed((await house.game()).revisions.position))
        await house.game()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert house.seats._waiting == {}


class TestSpared:
    """What the player's own program did, or waits for, is not mailed; what it leaves open is."""

    async def test_a_move_that_is_waited_for(self, house: House, black: StoredSeat) -> None:
        """The program shows it: no letter to its player while it sits there, one when it goes."""
        await house.act(Seat.BLACK, cmd.Play(D4))
        await house.told()
        async with black.taken():
            with black.watching():
                await house.act(Seat.WHITE, cmd.Play(E5))
            assert ALICE.address not in [to for _, to in await house.told()]
        assert await house.told() == [(Kind.YOUR_TURN, ALICE.address)]

    async def test_once(self, house: House, black: StoredSeat) -> None:
        """Whoever sits down after that and goes again leaves nothing more."""
        await self.test_a_move_that_is_waited_for(house, black)
        async with black.taken():
            pass
        assert await house.told() == []

    async def test_a_note_in_between(self, house: House, black: StoredSeat) -> None:
        """What the program keeps for its player is no news, and takes the place of none."""
        await house.act(Seat.BLACK, cmd.Play(D4))
        await house.told()
        async with black.taken():
            with black.watching():
                await house.act(Seat.WHITE, cmd.Play(E5))
            await black.act(cmd.Note("the corner"), (await house.game()).revisions)
            assert ALICE.address not in [to for _, to in await house.told()]
        assert await house.told() == [(Kind.YOUR_TURN, ALICE.address)]

    async def test_answered(self, house: House, black: StoredSeat) -> None:
        """Where the program has moved, nothing is left to tell."""
        await house.act(Seat.BLACK, cmd.Play(D4))
        async with black.taken():
            with black.watching():
                await house.act(Seat.WHITE, cmd.Play(E5))
            await black.release(parse_point("C3"), (await house.game()).revisions.position)
            await house.told()
        assert await house.told() == []

    async def test_not_waited_for(self, house: House, black: StoredSeat) -> None:
        """A program that is there and does not ask has shown nothing: the letter comes at once."""
        await house.act(Seat.BLACK, cmd.Play(D4))
        await house.told()
        async with black.taken():
            await house.act(Seat.WHITE, cmd.Play(E5))
            assert (Kind.YOUR_TURN, ALICE.address) in await house.told()
        assert await house.told() == []

    async def test_another_program_takes_over(self, house: House, black: StoredSeat) -> None:
        """Only the last one that goes leaves the seat empty."""
        await house.act(Seat.BLACK, cmd.Play(D4))
        await house.told()
        async with black.taken():
            async with black.taken():
                with black.watching():
                    await house.act(Seat.WHITE, cmd.Play(E5))
            assert ALICE.address not in [to for _, to in await house.told()]
        assert await house.told() == [(Kind.YOUR_TURN, ALICE.address)]

    async def test_words(self, house: House, black: StoredSeat) -> None:
        """No program shows what the opponent says, so that words with a move are mailed."""
        await house.act(Seat.BLACK, cmd.Play(D4))
        await house.told()
        with black.watching():
            await house.do(
                lambda games: games.act(1, Seat.WHITE, (cmd.Play(E5), cmd.Say("Hello")), BOB)
            )
        assert (Kind.YOUR_TURN, ALICE.address) in await house.told()

    async def test_its_own_doing(self, house: House, black: StoredSeat) -> None:
        """Neither receipts, nor its marks and its agreement; the count and the end are mailed."""
        revision = (await house.game()).revisions.position
        await house.told()
        await black.release(D4, revision)
        await house.act(Seat.WHITE, cmd.Pass())
        await house.told()
        await black.release(None, (await house.game()).revisions.position)
        assert (Kind.SCORING_STARTED, ALICE.address) in await house.told()
        seen = (await house.game()).revisions
        await black.act(cmd.Mark((D4,), dead=True, extent=cmd.Extent.ALL), seen)
        await black.act(cmd.Done(), (await house.game()).revisions)
        assert {to for _, to in await house.told()} == {BOB.address}
        await house.act(Seat.WHITE, cmd.Done())
        assert (Kind.FINISHED, ALICE.address) in await house.told()

    async def test_who_wants_no_letters(self, house: House, black: StoredSeat) -> None:
        """Nor is a letter owed to them when their program goes."""
        await house.act(Seat.BLACK, cmd.Play(D4))
        async with black.taken():
            with black.watching():
                await house.act(Seat.WHITE, cmd.Play(E5))
            await house.do(
                lambda games: choose(games.unit, ALICE.address, emails=cmd.EmailLevel.NONE)
            )
            await house.told()
        assert await house.told() == []

    async def test_a_pass_that_stays_unanswered(self, house: House, black: StoredSeat) -> None:
        """Sabaki sends the second pass to nobody: its player is written to after two minutes."""
        await house.act(Seat.BLACK, cmd.Play(D4))
        async with black.taken():
            with black.watching():
                await house.act(Seat.WHITE, cmd.Pass())
            await house.told()
            for minutes, told in ((1, []), (2, [(Kind.YOUR_TURN, ALICE.address)]), (9, [])):
                await house.later(minutes)
                assert await house.told() == told

    async def test_a_move_that_stays_unanswered(self, house: House, black: StoredSeat) -> None:
        """A player may think as long as they like: their program shows them the move."""
        await house.act(Seat.BLACK, cmd.Play(D4))
        async with black.taken():
            with black.watching():
                await house.act(Seat.WHITE, cmd.Play(E5))
            await house.told()
            await house.later(600)
            assert await house.told() == []
            await black.release(None, (await house.game()).revisions.position)
            await house.told()

    async def test_a_daemon_that_dies(self, house: House, black: StoredSeat) -> None:
        """The next one owes what was kept: nobody sits in the seat any more."""
        await house.act(Seat.BLACK, cmd.Play(D4))
        with black.watching():
            await house.act(Seat.WHITE, cmd.Play(E5))
        await house.told()
        await SeatService(house.writer, house.games, lambda: house.gateway.now).release_left(
            await house.writer.run(lambda unit: unit.seats.left_by(None))
        )
        assert await house.told() == [(Kind.YOUR_TURN, ALICE.address)]
        await SeatService(house.writer, house.games, lambda: house.gateway.now).release_left(
            await house.writer.run(lambda unit: unit.seats.left_by(None))
        )
        assert await house.told() == []
