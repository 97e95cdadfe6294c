"""Letter data are the same with a full and an empty cache."""

import asyncio
from datetime import timedelta
from unittest.mock import AsyncMock

from godaemon.games import commands as cmd
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Seat
from godaemon.games.notices import DueNotice
from godaemon.rules.points import Size, parse_point
from mailgate.letters.letter_data import LetterData, load_letter_data, with_engine_answer
from tests.support.memory_store import MemoryUnit
from tests.support.played_games import PlayedGames


def due(games: PlayedGames) -> list[DueNotice]:
    later = games.now + timedelta(seconds=1)
    found = games.writer.run_sync(lambda unit: unit.outbox.claim(later, 0.0, 1000))
    return list(found)


def played() -> PlayedGames:
    """A small game, counted, with marks made and agreed to."""
    games = PlayedGames()
    games.start(cmd.Propose("bob@players.example", Size(5, 5)))
    games.play("C3 C2 D2 D3 B2 pass pass")
    games.act(Seat.PROPOSER, cmd.Mark((parse_point("C2"),), dead=True, extent=cmd.Extent.CHAIN))
    games.act(Seat.INVITED, cmd.Say("Well, yes."))
    games.act(Seat.INVITED, cmd.Done())
    return games


def test_the_cache_does_not_change_letter_data() -> None:
    """Whether its state is older or newer than the letter's event."""
    games = played()
    queued = due(games)
    assert len(queued) > 10
    lengths = range(1, len(games.writer.run_sync(lambda unit: unit.games.log(1))) + 1)

    def look(unit: MemoryUnit) -> None:
        for length in lengths:
            cache = GameCache()
            log, unit.state.logs[1] = unit.state.logs[1], unit.state.logs[1][:length]
            cache.load(unit, 1)
            unit.state.logs[1] = log
            for one in queued:
                assert load_letter_data(unit, one, cache) == load_letter_data(unit, one)

    games.writer.run_sync(look)


def test_only_new_events_are_read() -> None:
    """A long game is not replayed for each letter."""
    games = played()
    last = max(due(games), key=lambda one: one.notice.until)

    def look(unit: MemoryUnit) -> LetterData:
        cache, read = GameCache(), list[object]()
        cache.load(unit, 1)
        reading = unit.games.log

        def log(game: int, first: int = 0) -> object:
            found = reading(game, first)
            read.extend(found)
            return found

        unit.games.log = log  # type: ignore[method-assign, assignment]
        matter = load_letter_data(unit, last, cache)
        assert len(read) == last.notice.until - last.notice.since < 3
        return matter

    assert games.writer.run_sync(look) == games.writer.run_sync(
        lambda unit: load_letter_data(unit, last)
    )


def test_only_three_kinds_wait_for_an_engine() -> None:
    """A count, a review and an estimate."""
    games, engines = PlayedGames(), AsyncMock()
    games.start(cmd.Propose("bob@players.example", Size(5, 5)))
    for posted in games.letters():
        assert asyncio.run(with_engine_answer(posted.data, engines)) == posted.data
    assert not engines.mock_calls
