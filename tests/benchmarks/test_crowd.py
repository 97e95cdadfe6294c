"""The benchmark of crowds measures what it says; its figures are shown by running it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from godaemon.storage.backup import verify
from godaemon.storage.packed_logs import unpack_rows
from tests.benchmarks.crowd import main, report
from tests.support.many_games import fill


def test_the_program_prints_its_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A store of twenty games; how long anything takes is for it to show."""
    arguments = ["--games", "20", "--letters", "3", "--moves", "4", "--folder", str(tmp_path)]
    assert main([*arguments, "--idle", "0.5"]) == 0
    shown = capsys.readouterr().out.strip().splitlines()
    figures = dict(line.rsplit(maxsplit=1) for line in shown[1:-1])
    assert {"start until ready", "move by letter, to 250", "backup: slowest letter"} <= set(figures)
    assert all(float(figure.replace(",", "")) >= 0 for figure in figures.values())
    assert list(tmp_path.iterdir()) == []


def test_a_figure_has_its_ratio_to_the_first() -> None:
    """Three times as long is 3.0x."""
    shown = report({100: {"stop": 2.0}, 1000: {"stop": 6.0}}).splitlines()
    assert [line.split() for line in shown[:2]] == [
        ["games", "100", "1,000"],
        ["stop", "2.0", "6.0", "3.0x"],
    ]


def test_a_crowd_is_a_store_like_any_other(tmp_path: Path) -> None:
    """Each copy's log can be read, and has players, letters and notices of its own."""
    many = fill(tmp_path, 80, 4)
    assert len(many.going) == 48
    assert verify(tmp_path).games == 80
    with closing(sqlite3.connect(tmp_path / "godaemon.db")) as store:

        def count(query: str) -> int:
            return int(store.execute(f"SELECT count(*) FROM {query}").fetchone()[0])

        assert count("(SELECT DISTINCT address FROM game_address)") == 8
        assert count("outbox") == 4 * count("outbox WHERE game <= 20")
        assert count("(SELECT DISTINCT uid FROM outbox)") == count("outbox")
        assert count("sqlite_master WHERE name LIKE 'ix_outbox%'") == 3
        assert count("outbox WHERE status != 'sent'") == 0


def test_most_games_of_an_old_site_are_over(tmp_path: Path) -> None:
    """Their logs are whole; of their letters there is what pruning leaves."""
    fill(tmp_path, 20, 4, 40)
    found = verify(tmp_path)
    assert (found.games, found.damaged) == (60, ())
    with closing(sqlite3.connect(tmp_path / "godaemon.db")) as store:

        def count(query: str) -> int:
            return int(store.execute(f"SELECT count(*) FROM {query}").fetchone()[0])

        assert count("game WHERE id > 20 AND phase = 'finished'") == 40
        assert count("outbox WHERE game > 20") == 0
        assert count("old_log") == 40
        assert count("old_inbox") == sum(
            entry.kind not in {"finished", "confirmed"}
            for game, packed in store.execute("SELECT game, events FROM old_log")
            for entry in unpack_rows(game, packed)
        )
