"""Engines in games, in one process: races, failures, and games that are not theirs."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import structlog

from godaemon.config.settings import Engines
from godaemon.daemon.engine_pool import EnginePool
from godaemon.daemon.engine_roster import roster_of
from godaemon.daemon.engine_worker import EngineWorker
from godaemon.engine import Reading, results
from godaemon.games import commands as cmd
from godaemon.games.engine_seats import Roster, RosterEntry
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.player_settings import Profile
from godaemon.games.service import GameService, Randomness
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Unit
from godaemon.rules.points import Color, Size, parse_point
from gtp.engines.engine_program import EngineProgram
from tests.support import places
from tests.support.engine_programs import engine_program
from tests.support.limits import Limits
from tests.support.memory_store import MemoryWriter
from tests.support.stores import NOW
from tests.support.waiting import come

FAKE = places.FAKE_ENGINE
ALICE = Caller("letter:<1@x>", "alice@players.example", "Alice")


def program(mode: str, moves: str = "", *more: str) -> EngineProgram:
    """The fake engine, with two strikes."""
    command = (sys.executable, "-S", FAKE, mode, moves, *more)
    return engine_program("fake", command, strikes=2)


class Hall:
    """Alice and the engine `fake`, over a store in memory."""

    def __init__(self, pool: EnginePool, pause: float) -> None:
        self.writer, self.cache, self.pool = MemoryWriter(), GameCache(), pool
        core: Any = SimpleNamespace(
            writer=self.writer,
            games=self.games,
            cache=self.cache,
            holder=SimpleNamespace(exclusive=lambda *_lock: nullcontext()),
        )
        self.opponents = EngineWorker(core, pool, pause=pause)
        self.writer.on_commit.append(lambda committed: self.opponents.serve_games(committed.games))

    def games(self, unit: Unit) -> GameService:
        """All games; Alice has black."""
        roster = Roster((RosterEntry("fake"), RosterEntry("gone")), games_per_player=20)
        randomness = Randomness(lambda: Color.BLACK, lambda: "nonce")
        return GameService(unit, self.cache, NOW, randomness, Limits(), roster)

    def begin(self, opponent: str = "engine:fake") -> int:
        wanted = cmd.Propose(opponent, Size(9, 9))
        return self.writer.run_sync(
            lambda unit: self.games(unit).propose(wanted, ALICE, vouched=True).after.id
        )

    def act(self, number: int, *commands: cmd.Action) -> None:
        """Carry out a command of Alice."""
        self.writer.run_sync(lambda unit: self.games(unit).act(number, Seat.BLACK, commands, ALICE))

    def game(self, number: int) -> Game:
        return self.writer.run_sync(lambda unit: self.games(unit).game(number))


@asynccontextmanager
async def hall(
    folder: Path,
    run: EngineProgram,
    *,
    opinion: str | None = None,
    name: str = "fake",
    pause: float = 0.0,
) -> AsyncIterator[Hall]:
    """An engine and its worker, without a pause between strikes."""
    made = Hall(EnginePool({name: run}, folder, opinion), pause)
    try:
        yield made
    finally:
        await made.opponents.close()


async def asked(folder: Path) -> Callable[[], None]:
    """Wait until a gated engine is asked for a move; returns what lets it move from now on."""
    found = list[Path]()

    def is_asked() -> bool:
        found[:] = folder.glob("*/asked")
        return bool(found)

    await come(is_asked)
    return found[0].with_name("go").touch


def play(word: str) -> cmd.Play:
    return cmd.Play(parse_point(word))


async def test_an_engine_answers_each_move(tmp_path: Path) -> None:
    """The log names it as the cause."""
    async with hall(tmp_path, program("well", "E5,C7")) as made:
        number = made.begin()
        for move in ("C3", "D3"):
            made.act(number, play(move))
            await come(lambda: made.game(number).to_move is Color.BLACK)
        assert made.game(number).move_number == 4
        log = made.writer.run_sync(lambda unit: unit.games.log(number))
        assert log[-1].cause == "engine:fake"


async def test_a_move_after_the_end_is_dropped(tmp_path: Path) -> None:
    """It is no strike."""
    with structlog.testing.capture_logs() as log:
        async with hall(tmp_path, program("gated", "E5")) as made:
            number = made.begin()
            made.act(number, play("C3"))
            let_move = await asked(tmp_path)
            made.act(number, cmd.Resign())
            let_move()
            await come(lambda: "engine.too-late" in logged_events(log))
            assert made.game(number).result == "W+R"
            assert "engine.strike" not in logged_events(log)


@pytest.mark.parametrize(
    ("language", "farewell"),
    [
        ("", "2 times in a row I found no move that can be played"),
        ("de", "2-mal hintereinander habe ich keinen spielbaren Zug gefunden"),
    ],
)
async def test_an_engine_with_illegal_moves_resigns(
    tmp_path: Path, language: str, farewell: str
) -> None:
    """After two strikes, with the reason in Alice's language."""
    async with hall(tmp_path, program("well", "C3")) as made:
        number, profile = made.begin(), Profile(language=language)
        made.writer.run_sync(lambda unit: unit.players.set_profile(ALICE.address, profile))
        made.act(number, play("C3"))
        await come(lambda: made.game(number).phase is Phase.FINISHED)
        game = made.game(number)
        assert (game.result, game.move_number) == ("B+R", 1)
        (words,) = game.chat
        assert farewell in words.text


async def test_a_failing_store_is_no_strike(tmp_path: Path) -> None:
    """The move is requested again until it can be stored."""
    with structlog.testing.capture_logs() as log:
        async with hall(tmp_path, program("gated", "E5,E5")) as made:
            number = made.begin()
            made.act(number, play("C3"))
            let_move = await asked(tmp_path)
            made.writer.failing = True
            let_move()
            await come(lambda: "engine.not-stored" in logged_events(log))
            made.writer.failing = False
            await come(lambda: made.game(number).move_number == 2)
            assert "engine.strike" not in logged_events(log)


async def test_a_missing_program_loses_no_game(tmp_path: Path) -> None:
    """Bug: while its package was upgraded, it resigned all its games within three seconds."""
    run, script = program("well", "E5"), tmp_path / "engine"
    command = str(script), *run.command[1:]
    later = replace(run, command=command, contained=False)  # else it may run nothing but itself
    async with hall(tmp_path, later, pause=0.001) as made:
        number = made.begin()
        made.act(number, play("C3"))
        await come(lambda: made.opponents.absent == {"fake": f"{script} is not there"})
        assert made.game(number).move_number == 1
        script.write_text(f'#!/bin/sh\nexec {run.command[0]} "$@"\n')
        script.chmod(0o700)
        await come(lambda: made.game(number).move_number == 2)
        assert made.opponents.absent == {}


async def test_games_of_a_removed_engine_wait(tmp_path: Path) -> None:
    """For the operator to bring it back; nothing is resigned."""
    with structlog.testing.capture_logs() as log:
        async with hall(tmp_path, program("well")) as made:
            number = made.begin("engine:gone")
            made.act(number, play("C3"))
            await come(lambda: "engine.missing" in logged_events(log))
            assert made.game(number).phase is Phase.PLAYING


async def test_a_game_of_two_people_is_not_served(tmp_path: Path) -> None:
    """Once it is cached, it need not be loaded again."""
    async with hall(tmp_path, program("well")) as made:
        number = made.begin("alice@players.example")
        made.cache.clear()
        made.opponents.serve_games([number])
        await come(lambda: not made.opponents._playing)
        made.opponents.serve_games([number])
        assert made.opponents._playing == {}


async def test_waiting_games_are_resumed_at_the_start(tmp_path: Path) -> None:
    """Finished ones are not loaded."""
    async with hall(tmp_path, program("well", "E5")) as made:
        made.opponents._open = False  # nobody hears of the commits
        over, waits = made.begin(), made.begin()
        made.act(over, cmd.Resign())
        made.act(waits, play("C3"))
        made.opponents._open = True
        await made.opponents.find_games()
        assert list(made.opponents._playing) == [waits]
        await come(lambda: made.game(waits).move_number == 2)


@pytest.mark.parametrize(
    ("mode", "named", "found"),
    [
        ("well", "fake", ("fake", (frozenset({parse_point("E5")}), frozenset()))),
        ("no-status", "fake", None),
        ("dies-scoring", "fake", None),
        ("well", None, ("", (frozenset({parse_point("E5")}), frozenset()))),
        ("well", "gone", ("", (frozenset({parse_point("E5")}), frozenset()))),
    ],
)
async def test_the_opinion_is_that_of_the_configured_engine(
    tmp_path: Path, mode: str, named: str | None, found: object
) -> None:
    """By default that of the engine that plays; only a configured one is named."""
    async with hall(tmp_path, program(mode, "dead=E5"), opinion=named) as made:
        await made.opponents.find_games()
        assert await made.pool.opinion(made.game(made.begin())) == found


async def test_our_own_engine_answers_by_default(tmp_path: Path) -> None:
    """Without a name; if its process fails, there is none."""
    run, dead = program("well", "dead=E5"), frozenset({parse_point("E5")})
    async with hall(tmp_path, run, name="house") as made:
        game = made.game(made.begin())
        assert await made.pool.opinion(game) == ("", Reading(dead))
    async with hall(tmp_path, program("dies-scoring", "E5"), name="house") as made:
        assert await made.pool.opinion(game) is None


async def test_a_count_goes_on_without_an_opinion(tmp_path: Path) -> None:
    """After two strikes, and without our own engine, the dead stones are estimated."""
    async with hall(tmp_path, program("dies-scoring", "pass")) as made:
        number = made.begin()
        made.act(number, cmd.Pass())
        await come(lambda: made.game(number).phase is Phase.SCORING)
        made.act(number, cmd.Done())
        await come(lambda: made.game(number).phase is Phase.FINISHED)


async def test_our_own_engine_reviews_and_estimates(tmp_path: Path) -> None:
    """In a contained process; other programs have no review and no estimate."""
    ours = roster_of(Engines.model_validate({}), {}).programs["house"]
    async with hall(tmp_path, ours, name="house") as made:
        number = made.begin()
        made.act(number, play("A1"))
        text = await made.pool.review(made.game(number))
        assert text is not None
        assert [one.number for one in results.parse_review(text).mistakes] == [1]
        found = await made.pool.estimate(made.game(number))
        assert found is not None
        assert len(found.owners) == made.game(number).spec.size.points
        assert 0 < found.spread < 40
        await made.opponents.close()
        assert await made.pool.review(made.game(number)) is None
        assert await made.pool.estimate(made.game(number)) is None
    async with hall(tmp_path, program("well", "E5"), name="house") as made:
        game = made.game(made.begin())
        assert await made.pool.review(game) is None
        assert await made.pool.estimate(game) is None


async def test_a_closed_worker_starts_no_process(tmp_path: Path) -> None:
    """Neither for a game nor for an opinion."""
    async with hall(tmp_path, program("well", "E5"), opinion="fake") as made:
        number = made.begin()
        await made.opponents.close()
        made.act(number, play("C3"))
        assert made.opponents._playing == {}
        assert await made.pool.opinion(made.game(number)) is None


def logged_events(log: list[Any]) -> set[str]:
    return {entry["event"] for entry in log}
