"""Killed at each system call of a transaction: a letter has its effect or none.

The kernel keeps the writes of a killed process, so this tests the order of writes and the time of
the acknowledgement, not a power failure.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support import stores
from tests.support.examples import some
from tests.support.traced import Server, crash_points, serving, take_letter

pytestmark = pytest.mark.sqlite("its system calls")
COUNTS = """SELECT (SELECT count(*) FROM inbox), (SELECT count(*) FROM event),
    (SELECT count(*) FROM game WHERE phase = 'playing'), (SELECT count(*) FROM outbox) / 2.0"""


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(take_letter) as server:
        yield server


@pytest.fixture
def template(tmp_path: Path) -> dict[str, bytes]:
    """The files of a store with one game in it."""
    database = stores.fresh(tmp_path / "template")
    with database.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO game (events, digest) VALUES (0, '')")
    database.close()
    return {path.name: path.read_bytes() for path in (tmp_path / "template").iterdir()}


def create(state: Path, template: dict[str, bytes]) -> Path:
    """A state folder with a store in it."""
    state.mkdir()
    for name, content in template.items():
        (state / name).write_bytes(content)
    return state


def effect(state: Path) -> int:
    """Number of times the letter had its full effect, 0 or 1; the store is intact."""
    with closing(sqlite3.connect(state / "godaemon.db")) as connection:
        counts = set(connection.execute(COUNTS).fetchone())
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(counts) == 1, counts
    return int(counts.pop())


@pytest.mark.slow
@pytest.mark.peer("strace")
def test_a_letter_has_its_effect_once_despite_a_crash(
    server: Server, template: dict[str, bytes], tmp_path: Path
) -> None:
    """Acknowledged letters are stored; a second delivery changes nothing.

    In CI at each call, elsewhere at one of three.
    """
    trace = tmp_path / "trace"
    assert server.handle(create(tmp_path / "dry", template), "-o", str(trace)) == (True, False)
    points = crash_points(trace.read_text())
    assert len(points) > 20, "the transaction was traced"
    outcomes: Counter[tuple[bool, int]] = Counter()
    for name, nth in some(points, 3):
        state = create(tmp_path / f"{name}-{nth}", template)
        inject = f"inject={name}:signal=KILL:when={nth}"
        acknowledged, killed = server.handle(state, "-o", "/dev/null", "-e", inject)
        assert killed, (name, nth)
        done = effect(state)
        assert done >= acknowledged, f"acknowledged, then lost: {name} {nth}"
        outcomes[acknowledged, done] += 1
        assert server.handle(state, "-o", "/dev/null")[0], (name, nth)
        assert effect(state) == 1, (name, nth)
    assert outcomes[False, 0], outcomes
    assert outcomes[False, 1], outcomes
