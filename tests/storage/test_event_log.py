"""A damaged log: only its game is set aside, and reported."""

from pathlib import Path

import pytest

from godaemon.errors import Damaged
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from tests.support import stores
from tests.support.stores import move, summary

LOG = [move("D4"), move("Q16"), move("C3")]


@pytest.fixture
def writer(writer: WriterThread) -> WriterThread:
    """The writer of a store with two games of three events each."""
    writer.run_sync(_two_games)
    return writer


def _two_games(unit: Unit) -> None:
    for _ in range(2):
        game = unit.games.create()
        unit.games.append(game, 0, LOG)
        unit.games.set_summary(summary(game), ["alice@a.example"])


def change_store(state: Path, statements: str) -> None:
    """Change a store from outside; statements are separated by semicolons."""
    for statement in statements.split(";"):
        assert stores.run_on(state, f"{statement} RETURNING 1")


@pytest.mark.parametrize(
    ("statement", "detail"),
    [
        ("DELETE FROM event WHERE game = 1 AND number = 0", "event 0: it is missing"),
        ("DELETE FROM event WHERE game = 1 AND number = 1", "event 1: it is missing"),
        ("DELETE FROM event WHERE game = 1 AND number = 2", "event 2: it is missing"),
        ("DELETE FROM event WHERE game = 1", "event 0: it is missing"),
        ("UPDATE event SET number = 9 WHERE game = 1 AND number = 1", "event 1: it is missing"),
        (
            (
                "UPDATE event SET number = 9 WHERE game = 1 AND number = 0;"
                "UPDATE event SET number = 0 WHERE game = 1 AND number = 2;"
                "UPDATE event SET number = 2 WHERE game = 1 AND number = 9"
            ),
            "event 0: it is not what was written",
        ),
        (
            """UPDATE event SET payload = replace(payload, 'Q16', 'Q15') WHERE game = 1
            AND number = 1""",
            "event 1: it is not what was written",
        ),
        (
            "UPDATE event SET kind = 'passed' WHERE game = 1 AND number = 2",
            "event 2: it is not what was written",
        ),
        (
            "UPDATE event SET cause = 'gtp:1' WHERE game = 1 AND number = 0",
            "event 0: it is not what was written",
        ),
        (
            "UPDATE event SET at = replace(at, '2026', '2025') WHERE game = 1 AND number = 2",
            "event 2: it is not what was written",
        ),
        pytest.param(
            "UPDATE event SET payload = CAST(x'ff' AS TEXT) WHERE game = 1 AND number = 1",
            "it cannot be read",
            marks=pytest.mark.sqlite("text that is none"),
        ),
        (
            "UPDATE event SET digest = '' WHERE game = 1 AND number = 2",
            "event 2: it is not what was written",
        ),
        ("UPDATE game SET events = 2 WHERE id = 1", "event 2: the record does not end there"),
        ("UPDATE game SET digest = '' WHERE id = 1", "event 3: the record does not end there"),
    ],
)
def test_changed_events_are_detected(
    writer: WriterThread, tmp_path: Path, statement: str, detail: str
) -> None:
    """The damaged game rests; the other continues."""
    change_store(tmp_path, statement)
    for _ in range(2):
        with pytest.raises(Damaged, match="Game 1 cannot go on for now") as error:
            writer.run_sync(lambda unit: unit.games.log(1))
        assert error.value.detail == detail
    with pytest.raises(Damaged):
        writer.run_sync(lambda unit: unit.games.append(1, 3, [move("K10")]))
    assert writer.run_sync(lambda unit: unit.games.damaged_games()) == [(1, detail)]
    assert [row.id for row in writer.run_sync(lambda unit: unit.games.summaries())] == [2]
    assert [row.id for row in writer.run_sync(lambda unit: unit.games.page(None, 9))] == [2, 1]
    writer.run_sync(lambda unit: unit.games.append(2, 3, [move("K10")]))
    assert writer.run_sync(lambda unit: len(unit.games.log(2))) == 4


def test_a_partly_known_log_is_checked(writer: WriterThread, tmp_path: Path) -> None:
    """A game that is known up to an event is read on from there."""
    assert writer.run_sync(lambda unit: list(unit.games.log(1, first=2))) == LOG[2:]
    change_store(tmp_path, "DELETE FROM event WHERE game = 1 AND number = 2")
    with pytest.raises(Damaged):
        writer.run_sync(lambda unit: unit.games.log(1, first=2))
