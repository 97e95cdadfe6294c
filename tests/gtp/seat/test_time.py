"""The game's clock at a seat, with a manual clock."""

import asyncio
from unittest.mock import AsyncMock

from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.games.service_calls import Caller
from godaemon.rules.points import Color, Size, parse_point
from godaemon.system.outages_and_pauses import Pause
from gtp.seat.stored_seat import SeatService
from tests.support.gateway import Gateway
from tests.support.seat_game import Controller, settle

ALICE = Caller("letter:<1@a>", "alice@players.example", "Alice")
BOB = Caller("letter:<2@b>", "bob@players.example", "Bob")


class Table:
    """Black has moved once in a game of three days a move, and sits at a GUI."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.seats = SeatService(
            self.gateway.writer,
            self.gateway.games,
            lambda: self.gateway.now,
            AsyncMock(),
            AsyncMock(),
        )
        self.gateway.writer.on_commit.append(lambda news: self.seats.wake_sessions(news.games))
        wanted = cmd.Propose(BOB.address, Size(9, 9), color=Color.BLACK, time="3d/move")
        self.gateway.writer.run_sync(
            lambda unit: self.gateway.games(unit).propose(wanted, ALICE, vouched=True)
        )
        self.letter(Seat.INVITED, cmd.Yes())
        self.letter(Seat.BLACK, cmd.Play(parse_point("E5")))

    def letter(self, seat: Seat, command: cmd.Action) -> None:
        """A letter arrives; then all queued letters go out."""
        caller = ALICE if seat is Seat.BLACK else BOB
        self.gateway.writer.run_sync(
            lambda unit: self.gateway.games(unit).act(1, seat, (command,), caller)
        )
        self.gateway.send()

    async def sit_down(self, color: Color) -> Controller:
        """A GUI that has replayed the game so far."""
        gui = Controller(await self.seats.open_seat(1, color))  # type: ignore[arg-type]
        moves = (await gui.seat.view()).moves
        await gui.say("clear_board", *(f"play {one.color.word} {one.point}" for one in moves))
        return gui


async def table() -> Table:
    """The table, laid on a thread of its own, as its store runs a loop to be laid on."""
    return await asyncio.to_thread(Table)


async def test_a_seat_reports_a_pause_of_all_clocks() -> None:
    """With the reason and the time that was left at its beginning."""
    laid = await table()
    gui = await laid.sit_down(Color.BLACK)
    laid.gateway.wait(hours=20)
    now = laid.gateway.now
    laid.seats.paused = lambda _now: Pause(now, now, "a new server")
    laid.gateway.wait(hours=30)
    answer = await gui.ask("godaemon-clock")
    paused = "White: 2 days 4 hours (187200 seconds), paused, like all clocks: a new server"
    assert paused in answer
    assert "Until" not in answer


async def test_a_result_on_time_by_the_operators_is_no_flag_fall() -> None:
    """The answer names their decision, not a player's clock."""
    laid = await table()
    gui = await laid.sit_down(Color.BLACK)
    assert await gui.ask("genmove white") == ""
    end = laid.gateway.writer.run_sync
    await asyncio.to_thread(end, lambda unit: laid.gateway.games(unit).adjudicate(1, "B+T"))
    await settle()
    over = "? the game is over, B+T: as the people who run this server decided"
    assert gui.sent[-1].decode().strip() == over
    assert await gui.ask("final_score") == "= B+T"
