"""The game cache is never wrong: entries are updated or dropped."""

from collections.abc import Sequence

import pytest

from godaemon.errors import Temporary, Unknown
from godaemon.games.events import LogEntry
from godaemon.games.game_cache import GameCache
from tests.support.gateway import START
from tests.support.logs import begun
from tests.support.memory_store import MemoryUnit, MemoryWriter


class Reading(MemoryUnit):
    """A unit that records which logs were read."""

    def __init__(self, writer: MemoryWriter) -> None:
        super().__init__(writer.state.copy())
        self.read: list[tuple[int, int]] = []
        log = self.games.log

        def noted(game: int, first: int = 0) -> Sequence[LogEntry]:
            self.read.append((game, first))
            return log(game, first)

        self.games.log = noted  # type: ignore[method-assign]


def write(writer: MemoryWriter, number: int, moves: str) -> None:
    """Extend a game's log to these moves."""
    events = begun(moves=moves).events

    def work(unit: MemoryUnit) -> None:
        known = len(unit.games.log(number))
        unit.games.append(
            number, known, [LogEntry(event, START, "test") for event in events[known:]]
        )

    writer.run_sync(work)


@pytest.fixture
def writer() -> MemoryWriter:
    """Three games of two moves each."""
    writer = MemoryWriter()
    for _ in range(3):
        number = writer.run_sync(lambda unit: unit.games.create())
        write(writer, number, "D4 E5")
    return writer


def test_only_new_events_are_read(writer: MemoryWriter) -> None:
    """A cached game is updated with the events after it."""
    cache, unit = GameCache(), Reading(writer)
    cache.load(unit, 1)
    write(writer, 1, "D4 E5 F6")
    later = Reading(writer)
    assert cache.load(later, 1).move_number == 3
    assert (unit.read, later.read) == ([(1, 0)], [(1, 5)])


def test_the_least_recently_used_game_is_dropped(writer: MemoryWriter) -> None:
    """A full cache drops the game that nobody has looked at for longest."""
    cache = GameCache(limit=2)
    for number in (1, 2, 1, 3):
        cache.load(Reading(writer), number)
    unit = Reading(writer)
    for number in (1, 3, 2):
        cache.load(unit, number)
    assert unit.read == [(1, 5), (3, 5), (2, 0)]


def test_a_failed_commit_is_not_cached(writer: MemoryWriter) -> None:
    """Though the game was read."""
    cache = GameCache()
    writer.on_rollback.append(cache.drop)

    def work(unit: MemoryUnit) -> int:
        events = begun(moves="D4 E5 F6").events
        unit.games.append(1, 5, [LogEntry(events[-1], START, "test")])
        return cache.load(unit, 1).move_number

    writer.failing = True
    with pytest.raises(Temporary):
        writer.run_sync(work)
    writer.failing = False
    write(writer, 1, "D4 E5 G7")
    game = cache.load(Reading(writer), 1)
    assert str(game.position.last and game.position.last.point) == "G7"


def test_an_unknown_game_is_not_cached(writer: MemoryWriter) -> None:
    with pytest.raises(Unknown):
        GameCache().load(Reading(writer), 9)
