"""Logs of old games are packed without visible effects."""

import lzma
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import count
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import DBAPIError

from godaemon.errors import Damaged
from godaemon.games.events import LogEntry
from godaemon.games.model import Phase
from godaemon.storage import packed_logs
from godaemon.storage.database import Database, open_database
from godaemon.storage.event_log import StoredEvent, event_digest
from godaemon.storage.game_store import SqlGames
from godaemon.storage.packed_logs import PACK_BATCH, pack_rows, unpack_rows
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from tests.support.stores import NOW, PROPOSED, later, move, new_database, summary

Run = Callable[[Callable[[Unit], Any]], Any]
POINTS = ("D4", "E5", "F6", "G7")
LOG = [LogEntry(PROPOSED, NOW, "letter:<0@a.example>"), *map(move, POINTS)]
PACKED = [LogEntry(one.event, one.at, one.cause.partition(":")[0]) for one in LOG]
"""The log without the Message-IDs of its emails."""
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def add_game(unit: Unit, phase: Phase = Phase.FINISHED) -> int:
    """A game that is in a phase since `NOW`; its number."""
    game = unit.games.create()
    unit.games.append(game, 0, LOG)
    unit.games.set_summary(summary(game, phase), ["alice@a.example", "b@b"])
    return game


def pack_some(unit: Unit, after: int = 0) -> tuple[int, int | None]:
    """Pack some games that were over a second after `NOW`."""
    return unit.games.pack_old(later(1), after)


def packed(unit: Unit) -> int:
    """Pack all of them, step by step; returns their number."""
    count, after = pack_some(unit)
    while after is not None:
        more, after = pack_some(unit, after)
        count += more
    return count


def instructions(unit: Unit, work: Callable[[], object]) -> int:
    """Number of SQLite instructions for some work, in tens."""
    driver = cast("sqlite3.Connection", unit.connection.connection.driver_connection)
    taken = count()
    driver.set_progress_handler(lambda: next(taken) < 0, 10)
    try:
        work()
    finally:
        driver.set_progress_handler(None, 0)
    return next(taken)


def log(unit: Unit, game: int, after: int) -> Sequence[LogEntry]:
    return unit.games.log(game, after)


def set_aside_game(unit: Unit, game: int) -> None:
    """Set a game aside, and replace Alice's address in it."""
    unit.games.set_aside(game, "it was damaged")
    unit.games.replace_text(game, "alice@a.example", "x@x")


def rows(unit: Unit, table: str = "event") -> int:
    query = f"SELECT count(*) FROM {table}"
    return int(unit.connection.exec_driver_sql(query).scalar_one())


def dialect(unit: Unit) -> str:
    return unit.connection.dialect.name


def damage(unit: Unit, change: Callable[[bytes], bytes]) -> None:
    """Change the bytes of the log that is packed."""
    found = unit.connection.exec_driver_sql("SELECT events FROM old_log").scalar_one()
    mark = "?" if dialect(unit) == "sqlite" else "%s"
    unit.connection.exec_driver_sql(f"UPDATE old_log SET events = {mark}", (change(found),))


@given(st.lists(st.tuples(TEXTS, st.integers(1, 9), TEXTS, TEXTS, TEXTS)))
def test_packed_rows_are_unpacked(rows: list[tuple[str, int, str, str, str]]) -> None:
    """Whatever the events say; their digests are those of the chain."""
    log, last = [], ""
    for number, one in enumerate(rows):
        last = event_digest(last, StoredEvent(number, *one, ""))
        log.append(StoredEvent(number, *one, last))
    assert unpack_rows(1, pack_rows(log)) == log


@pytest.mark.parametrize("phase", Phase)
def test_only_finished_games_are_packed(run: Run, phase: Phase) -> None:
    """Not recent ones: they are likely to be read again."""
    run(partial(add_game, phase=phase))
    assert run(lambda unit: unit.games.pack_old(NOW, 0)) == (0, None)
    assert run(packed) == phase.over


def test_a_packed_log_reads_as_before(run: Run) -> None:
    """From any event on, without Message-IDs; later events follow it, and are not packed."""
    game = run(add_game)
    assert run(packed) == 1
    assert (run(rows), run(partial(rows, table="old_log"))) == (0, 1)
    later_on = [move("H8"), move("J9")]
    run(lambda unit: unit.games.append(game, len(LOG), later_on[:1]))
    run(lambda unit: unit.games.append(game, len(LOG) + 1, later_on[1:]))
    assert run(packed) == 0
    assert run(rows) == 2
    for after in range(len(LOG) + 3):
        assert run(partial(log, game=game, after=after)) == [*PACKED, *later_on][after:]


def test_games_are_packed_in_steps(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """No transaction is long, and games in progress do not slow it down."""
    monkeypatch.setattr(packed_logs, "SEARCH_BATCH", 20)
    run(lambda unit: [add_game(unit) for _ in range(PACK_BATCH + 3)])
    run(lambda unit: [add_game(unit, Phase.PLAYING) for _ in range(20)])
    run(add_game)
    steps, after = [], 0
    while after is not None:
        count, after = run(partial(pack_some, after=after))
        steps.append(count)
    assert steps == [PACK_BATCH, 3, 1]


@pytest.mark.sqlite("its plans of queries")
def test_a_step_skips_packed_games(run: Run) -> None:
    """However many there are: all writers wait for it."""

    def begin(many: int) -> int:
        """The number of the first game to pack, followed by games that go on."""
        run(lambda unit: [add_game(unit) for _ in range(many)])
        run(packed)
        first = int(run(add_game))
        run(lambda unit: [add_game(unit, Phase.PLAYING) for _ in range(60)])
        return first

    def work(first: int) -> int:
        return int(run(lambda unit: instructions(unit, lambda: pack_some(unit, first - 1))))

    few = work(begin(20))
    many = work(begin(200))
    assert many < 2 * few


def test_a_damaged_log_is_not_packed(run: Run) -> None:
    """Intact ones are."""
    game = run(add_game)
    run(add_game)
    change = f"UPDATE event SET cause = 'gtp:1' WHERE game = {game} AND number = 2"
    run(lambda unit: unit.connection.exec_driver_sql(change))
    assert run(packed) == 1
    with pytest.raises(Damaged):
        run(lambda unit: unit.games.log(game))


@pytest.mark.parametrize(
    "change",
    [
        lambda log: log[:-1],
        lambda log: b"",
        lambda log: lzma.compress(b"{}"),
        lambda log: zlib.compress(b"{}"),
        lambda log: lzma.compress(lzma.decompress(log).replace(b"E5", b"E6")),
        lambda log: lzma.compress(lzma.decompress(log).replace(b"letter", b"lettre")),
        lambda log: lzma.compress(lzma.decompress(log).replace(b'"moved",', b"", 1)),
    ],
)
def test_a_damaged_packed_log_is_detected(run: Run, change: Callable[[bytes], bytes]) -> None:
    """Whatever has happened to it."""
    game = run(add_game)
    run(packed)
    run(partial(damage, change=change))
    with pytest.raises(Damaged):
        run(lambda unit: unit.games.log(game))


def test_a_rewritten_log_is_unpacked(run: Run) -> None:
    """Until it is packed again or erased."""
    game, other = run(add_game), [*LOG[:-1], move("C3")]
    run(packed)
    run(lambda unit: unit.games.rewrite(game, other))
    assert run(lambda unit: unit.games.log(game)) == other
    assert run(partial(rows, table="old_log")) == 0
    assert run(packed) == 1
    reread = run(lambda unit: unit.games.log(game))
    assert [one.event for one in reread] == [one.event for one in other]
    run(lambda unit: unit.games.erase(game))
    assert run(partial(rows, table="old_log")) == 0
    assert run(lambda unit: unit.games.log(game)) == []


@pytest.mark.parametrize(("address", "named"), [("alice@a.example", 1), ("lice@a.example", 0)])
def test_addresses_in_packed_logs_are_found(run: Run, address: str, named: int) -> None:
    """Even if the game belongs to nobody any more."""
    game = run(add_game)
    run(packed)
    run(lambda unit: unit.connection.exec_driver_sql("DELETE FROM game_address"))
    assert run(lambda unit: unit.games.games_naming(address, 0)) == ([game] * named, None)


def test_an_address_is_removed_from_damaged_packed_logs(run: Run) -> None:
    """It is replaced if the log can be read, else the log is erased; both stay damaged."""
    torn, game = run(add_game), run(add_game)
    run(packed)
    nothing = "x'00'" if run(dialect) == "sqlite" else "decode('00', 'hex')"
    change = f"UPDATE old_log SET events = {nothing} WHERE game = {torn}"
    run(lambda unit: unit.connection.exec_driver_sql(change))
    for number in (torn, game):
        run(partial(set_aside_game, game=number))
    assert run(partial(rows, table="old_log")) == 0
    query = "SELECT payload FROM event WHERE game = 2 AND number = 0"
    assert "x@x" in run(lambda unit: unit.connection.exec_driver_sql(query).scalar_one())
    assert run(lambda unit: unit.games.damaged_games()) == [
        (n, "it was damaged") for n in (torn, game)
    ]


@pytest.mark.peer("postgresql")
class TestTwoDaemons:
    """Both may pack, and what one packs the other reads, adds to and changes."""

    @pytest.fixture
    def store(self, server: str) -> Iterator[Database]:
        """A store with one game that is over."""
        with closing(open_database(new_database(server))) as database:
            with WriterThread(database) as writer:
                writer.run_sync(add_game)
            yield database

    def test_a_game_is_packed_once(self, store: Database) -> None:
        """The second daemon leaves it to the first."""
        with store.connect() as mine, store.connect() as other:
            assert packed(Unit(mine)) == 1
            assert packed(Unit(other)) == 0
            mine.commit()
            other.commit()
        with store.connect() as looking:
            assert Unit(looking).games.log(1) == PACKED

    @pytest.mark.parametrize(
        "work",
        [
            lambda games: games.append(1, len(LOG), [move("H8")]),
            lambda games: games.rewrite(1, [*LOG[:-1], move("C3")]),
        ],
        ids=["adds to it", "writes it anew"],
    )
    def test_a_concurrent_change_is_refused(
        self, store: Database, work: Callable[[SqlGames], None]
    ) -> None:
        """The later one begins again on the packed log."""
        with store.connect() as mine, store.connect() as other:
            games = Unit(other).games
            assert games.log(1) == LOG
            assert packed(Unit(mine)) == 1
            mine.commit()
            with pytest.raises(DBAPIError, match="could not serialize"):
                work(games)
        with store.connect() as second:
            games = Unit(second).games
            assert games.log(1) == PACKED
            work(games)
