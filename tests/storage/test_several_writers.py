"""Several writers on one server: the loser of a conflict decides again."""

import math
import threading
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import closing
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
import structlog

from godaemon.errors import Damaged, Refusal, Temporary
from godaemon.storage import connections
from godaemon.storage import writer as writers
from godaemon.storage.database import Database, open_database
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import MAX_TRIES, Committed, WriterThread
from tests.support.site import cut_all
from tests.support.stores import NOW, busy, move, new_database
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.peer("postgresql")


@pytest.fixture(autouse=True)
def log() -> Iterator[list[MutableMapping[str, Any]]]:
    with structlog.testing.capture_logs() as entries:
        yield entries


@pytest.fixture(scope="module")
def url(server: str) -> str:
    return new_database(server)


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with closing(open_database(url)) as database:
        yield database


@pytest.fixture
def here(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[WriterThread]:
    """A daemon's writer, whose groups are never too slow."""
    monkeypatch.setattr(writers, "MAX_GROUP_TIME", math.inf)
    with WriterThread(database) as writer:
        yield writer


@pytest.fixture
def there(url: str) -> Iterator[WriterThread]:
    with closing(open_database(url)) as database, WriterThread(database) as writer:
        yield writer


@pytest.fixture
def numbered(database: Database, url: str) -> Iterator[tuple[WriterThread, WriterThread]]:
    """The writers of daemons 1 and 2."""
    with (
        closing(open_database(url)) as other,
        WriterThread(database, 1) as here,
        WriterThread(other, 2) as there,
    ):
        yield here, there


def begin(unit: Unit) -> int:
    """Begin a game of one move; returns its number."""
    number = unit.games.create()
    unit.games.append(number, 0, [move("A1")])
    return number


def add(number: int) -> Callable[[Unit], int]:
    """Work that adds a move at the end of the log; returns its earlier length."""

    def work(unit: Unit) -> int:
        length = len(unit.games.log(number))
        unit.games.append(number, length, [move("B2")])
        return length

    return work


class FirstOvertaken:
    """Lets another writer commit first, but only once."""

    def __init__(self, there: WriterThread, quicker: Callable[[Unit], object]) -> None:
        self._there, self._quicker, self.times = there, quicker, 0

    def __call__(self) -> None:
        """Another daemon commits something now."""
        self.times += 1
        if self.times == 1:
            self._there.run_sync(self._quicker)


def add_with_conflict(number: int, other: FirstOvertaken) -> Callable[[Unit], int]:
    """Work that adds a move; another daemon comes between its reading and its writing."""

    def work(unit: Unit) -> int:
        length = len(unit.games.log(number))
        other()
        unit.games.append(number, length, [move("C3")])
        return length

    return work


def test_the_slower_move_is_decided_again(here: WriterThread, there: WriterThread) -> None:
    """On the current log, and no game counts as damaged."""
    number = here.run_sync(begin)
    other = FirstOvertaken(there, add(number))
    assert here.run_sync(add_with_conflict(number, other)) == 2
    assert other.times == 2
    assert len(here.run_sync(lambda unit: unit.games.log(number))) == 3


def test_a_log_does_not_grow_while_it_is_read(here: WriterThread, there: WriterThread) -> None:
    """Else its end would not match its rows, and the game would seem damaged."""
    number = here.run_sync(begin)
    other = FirstOvertaken(there, add(number))

    def work(unit: Unit) -> int:
        unit.games._head(number)
        other()
        return len(unit.games.log(number))

    assert here.run_sync(work) == 1
    assert here.run_sync(lambda unit: unit.games.damaged_games()) == []


def test_a_locked_game_is_temporary(here: WriterThread, database: Database) -> None:
    """Writers of other games continue."""
    number, other = here.run_sync(begin), here.run_sync(begin)
    with database.connect() as holding, holding.begin():
        holding.exec_driver_sql(f"UPDATE game SET damaged = NULL WHERE id = {number}")
        with pytest.raises(Temporary):
            here.run_sync(add(number))
        assert here.run_sync(add(other)) == 1
    assert here.run_sync(add(number)) == 1


def test_a_group_with_a_conflict_is_run_again(here: WriterThread, there: WriterThread) -> None:
    """No caller must retry, and the rest stays together: a COMMIT of each would take long."""
    number, order, news = here.run_sync(begin), list[int](), list[Committed]()
    refuses = [2, 7]  # each once: what 2 says is rolled back with its group
    slower = add_with_conflict(number, FirstOvertaken(there, add(number)))

    def work(place: int, unit: Unit) -> int:
        if place in refuses:
            refuses.remove(place)
            raise Refusal("It is not your turn.")
        found = slower(unit) if place == 5 else begin(unit)
        order.append(place)
        return found

    here.on_commit.append(news.append)
    with busy(here):
        futures = [here.submit(partial(work, place)) for place in range(12)]
    assert isinstance(futures.pop(7).exception(PATIENCE), Refusal)
    results = [future.result(PATIENCE) for future in futures]
    assert results[5] == 2
    assert [len(one.games) for one in news] == [0, 5, 1, 5]
    assert sum(number in one.games for one in news) == 1, "it is told once"
    assert order[4:] == [*range(7), *range(8, 12)], "they come in the order in which they came"


def test_a_deadlock_is_resolved(here: WriterThread, there: WriterThread) -> None:
    """Both transactions finish."""
    one, two = here.run_sync(begin), here.run_sync(begin)
    both = threading.Barrier(2)

    def cross(first: int, second: int) -> Callable[[Unit], None]:
        met: list[int] = []

        def work(unit: Unit) -> None:
            add(first)(unit)
            if not met:
                met.append(both.wait(PATIENCE))
            add(second)(unit)

        return work

    futures = [here.submit(cross(one, two)), there.submit(cross(two, one))]
    assert [future.result(PATIENCE) for future in futures] == [None, None]
    lengths = here.run_sync(lambda unit: [len(unit.games.log(number)) for number in (one, two)])
    assert lengths == [3, 3]


@pytest.mark.parametrize(
    "again",
    [
        lambda unit, _: add(1)(unit),  # the row of a game is changed
        lambda unit, time: unit.quotas.spend("all", 1_000 + time),  # there is no row yet
    ],
    ids=["move", "quota"],
)
def test_endless_conflicts_are_temporary(
    here: WriterThread,
    there: WriterThread,
    monkeypatch: pytest.MonkeyPatch,
    again: Callable[[Unit, int], None],
) -> None:
    """Retries are limited, and no letter is quarantined."""
    monkeypatch.setattr("godaemon.storage.writer._PAUSE", 0.0)
    times = [here.run_sync(begin)]

    def work(unit: Unit) -> None:
        unit.games.damaged_games()
        there.run_sync(lambda other: again(other, len(times)))
        times.append(1)
        again(unit, len(times) - 1)

    with pytest.raises(Temporary, match="another godaemon"):
        here.run_sync(work)
    assert len(times) == 1 + MAX_TRIES + 1


def test_quotas_of_two_daemons_add_up(numbered: tuple[WriterThread, WriterThread]) -> None:
    """Neither waits for the other."""
    here, there = numbered

    def spend(unit: Unit) -> int:
        unit.quotas.spend("all", 500)
        return unit.quotas.count("all", 490, 500)

    for spent in (2, 4):
        quicker = FirstOvertaken(there, spend)

        def work(unit: Unit, quicker: FirstOvertaken = quicker) -> int:
            unit.games.damaged_games()
            quicker()
            return spend(unit)

        assert here.run_sync(work) == spent - 1, "the other's is not to be seen yet"
        assert quicker.times == 1
        assert here.run_sync(lambda unit: unit.quotas.count("all", 490, 500)) == spent


def test_a_letter_has_its_effect_in_one_daemon(here: WriterThread, there: WriterThread) -> None:
    """The second finds that it is known."""

    def seen(unit: Unit) -> bool:
        return unit.inbox.note_arrival("same", "<same@a.example>", NOW)

    other = FirstOvertaken(there, seen)

    def work(unit: Unit) -> bool:
        unit.games.damaged_games()
        other()
        return seen(unit)

    assert here.run_sync(work) is False


def test_an_ignored_error_fails_the_transaction(here: WriterThread) -> None:
    """It is not mistaken for COMMIT."""

    def work(unit: Unit) -> None:
        begin(unit)
        with pytest.raises(sa.exc.DBAPIError):
            unit.connection.exec_driver_sql("SELECT nothing FROM nowhere")

    with pytest.raises((Temporary, sa.exc.DBAPIError)):
        here.run_sync(work)


def test_cut_connections_are_replaced(here: WriterThread, url: str) -> None:
    """Uncommitted work is repeated, and no caller notices."""
    number = here.run_sync(begin)
    cut_all(url)
    assert here.run_sync(add(number)) == 1

    def cut(unit: Unit) -> int:
        if not cuts:
            cut_all(url)
            cuts.append(1)
        return add(number)(unit)

    cuts: list[int] = []
    assert here.run_sync(cut) == 2


@pytest.mark.parametrize("fault", [None, Damaged.of(1, 0, "it is missing"), ValueError()])
def test_other_errors_are_no_conflicts(fault: BaseException | None) -> None:
    """Such as our bugs and damaged logs."""
    assert not connections.is_collision(fault)
