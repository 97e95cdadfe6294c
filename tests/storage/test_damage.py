"""Random damage: no game changes unnoticed, and all intact data can be backed up.

GODAEMON_FLIPS=200 GODAEMON_CHANGES=52 pytest -s tests/storage/test_damage.py
"""

import os
import random
import shutil
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from godaemon.errors import ConfigError, Corrupt, Damaged, Temporary, Unknown
from godaemon.games.events import LogEntry
from godaemon.games.model import Phase
from godaemon.games.notices import Kind, Notice
from godaemon.storage.backup import backup
from godaemon.storage.database import store_url
from godaemon.storage.identity import open_store
from godaemon.storage.restore import restore
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from tests.support.stores import LETTER, NOW, later, move, summary

pytestmark = pytest.mark.sqlite("bytes of its file")
FLIPS = int(os.environ.get("GODAEMON_FLIPS", "3"))
CHANGES = int(os.environ.get("GODAEMON_CHANGES", "13"))
GAMES = 40
PACKED = 20
"""Number of packed games, the last ones."""
STATEMENTS = (
    "DELETE FROM event WHERE game = {game} AND number = {number}",
    "DELETE FROM event WHERE game = {game} AND number >= {number}",
    "DELETE FROM event WHERE game = {game}",
    "DELETE FROM game WHERE id = {game}",
    "UPDATE game SET events = events - 1 WHERE id = {game}",
    "UPDATE event SET number = 999 WHERE game = {game} AND number = {number}",
    "UPDATE event SET payload = '{{ }}' WHERE game = {game} AND number = {number}",
    "UPDATE event SET at = '2020-01-01' WHERE game = {game} AND number = {number}",
    "UPDATE event SET cause = cause || ' ' WHERE game = {game} AND number = {number}",
    "UPDATE event SET kind = 'done' WHERE game = {game} AND number = {number}",
    "UPDATE OR REPLACE event SET game = {game} % 20 + 1 WHERE game = {game} AND number = {number}",
    "DELETE FROM old_log WHERE game = {packed}",
    "UPDATE old_log SET events = substr(events, 3) WHERE game = {packed}",
)
Logs = dict[int, list[LogEntry]]


def fill(unit: Unit) -> None:
    """Games of ten moves, the last ones packed, and some emails."""
    for number in range(GAMES):
        game, phase = unit.games.create(), Phase.PLAYING
        if number >= GAMES - PACKED:
            phase = Phase.FINISHED
        unit.games.append(game, 0, [move(f"{column}{number % 9 + 1}") for column in "ABCDEFGHJK"])
        unit.games.set_summary(summary(game, phase), [f"alice{game}@a.example", "b@b"])
        unit.outbox.queue(Notice(Kind.YOUR_TURN, "b@b", game=game), NOW)
        unit.inbox.quarantine_letter(LETTER, "fault", NOW)
    after: int | None = 0
    while after is not None:
        _, after = unit.games.pack_old(later(1), after)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state folder of a store with some games."""
    state = tmp_path_factory.mktemp("store") / "state"
    with closing(open_store(store_url(state), state)) as database, WriterThread(database) as writer:
        writer.run_sync(fill)
    with closing(sqlite3.connect(state / "godaemon.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return state


def logs(state: Path) -> Logs:
    """The games that can be read."""
    found: Logs = {}

    def look(game: int, unit: Unit) -> None:
        found[game] = list(unit.games.log(game))

    with closing(open_store(store_url(state), state)) as database, WriterThread(database) as writer:
        for game in range(1, GAMES + 1):
            with suppress(Damaged, Unknown):
                writer.run_sync(partial(look, game))
    return found


def damage_report(state: Path, whole: Logs) -> str:
    """The state of a damaged store; every readable game must be as written."""
    seen = []
    try:
        found = logs(state)
    except (ConfigError, Corrupt):
        seen.append("refused at start")
    else:
        assert found == {game: whole[game] for game in found}
        seen += ["games set aside"] * (len(found) < GAMES)
    try:
        made = backup(store_url(state), state, state / "backup")
    except (Corrupt, Temporary):
        return "; ".join([*seen, "no backup"])
    seen += ["salvaged"] * (made.lost_rows is not None)
    restore(made.folder, state / "again", NOW)
    aside = dict(made.set_aside)
    assert logs(state / "again") == {game: whole[game] for game in whole if game not in aside}
    seen.append(f"backup without {len(aside)}" if aside else "backup of all")
    return "; ".join(seen)


@pytest.mark.slow
def test_flipped_bits_change_no_game(store: Path, tmp_path: Path) -> None:
    """Wherever they are in the file."""
    luck, whole, outcomes = random.Random(20261122), logs(store), Counter[str]()
    content = (store / "godaemon.db").read_bytes()
    for number in range(FLIPS):
        state = tmp_path / str(number)
        shutil.copytree(store, state)
        place = luck.randrange(len(content))
        damaged = bytearray(content)
        damaged[place] ^= 1 << luck.randrange(8)
        (state / "godaemon.db").write_bytes(damaged)
        outcomes[damage_report(state, whole)] += 1
        shutil.rmtree(state)
    print(*outcomes.most_common(), sep="\n")  # noqa: T201 - the figures


@pytest.mark.slow
def test_changed_rows_are_detected(store: Path, tmp_path: Path) -> None:
    """Only games that they belong to are set aside."""
    luck, whole, outcomes = random.Random(20261122), logs(store), Counter[str]()
    for number in range(CHANGES):
        state = tmp_path / str(number)
        shutil.copytree(store, state)
        game = luck.randint(1, GAMES - PACKED)
        at = luck.randrange(len(whole[game]))
        statement = STATEMENTS[number % len(STATEMENTS)].format(
            game=game, number=at, packed=game + PACKED
        )
        with closing(sqlite3.connect(state / "godaemon.db", isolation_level=None)) as connection:
            assert connection.execute(statement).rowcount, statement
        found = damage_report(state, whole)
        assert "without" in found, (statement, found)
        outcomes[found] += 1
        shutil.rmtree(state)
    print(*outcomes.most_common(), sep="\n")  # noqa: T201 - the figures
