"""Free boards of a real daemon: they think beside it, outlive it, and are taken up again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import LiveDaemon
from tests.support.gui import Gui
from tests.support.waiting import until


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveDaemon]:
    """A running daemon."""
    daemon = LiveDaemon(tmp_path)
    daemon.start()
    try:
        yield daemon
    finally:
        daemon.stop()


def talk(live: LiveDaemon, said: str, *options: str) -> subprocess.CompletedProcess[str]:
    """What `godaemon gtp` answers to a dialogue."""
    return subprocess.run(
        [sys.executable, "-m", "godaemon", "gtp", "--config", str(live.config), *options],
        input=said,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def answers(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The answers of a dialogue that went well."""
    assert (done.returncode, done.stderr) == (0, "")
    return [frame.removeprefix("=").strip() for frame in done.stdout.split("\n\n") if frame]


def _lengths(live: LiveDaemon) -> list[int]:
    """How many moves each board has."""
    return [row["move_number"] for row in live.ask("boards")]


def test_a_board_outlives_session_and_daemon(live: LiveDaemon) -> None:
    """Komi, rules, handicap and moves are there again after a restart, with or without a daemon."""
    said = "boardsize 9\nkomi 0.5\nkgs-rules japanese\nfixed_handicap 2\nplay w E5\nquit\n"
    assert talk(live, said).returncode == 0
    live.stop()
    (row,) = live.json("boards")
    assert (row["size"], row["move_number"]) == ("9x9", 1)
    assert "W[ee]" in live.command("boards", "1").stdout
    live.start()
    asked = "get_komi\nlist_stones white\nlist_stones black\nplay b D4\nquit\n"
    komi, white, black, *_ = answers(talk(live, asked, "--board", "1"))
    assert (komi, white) == ("0.5", "E5")
    assert len(black.split()) == 2
    until(lambda: _lengths(live) == [2], "the same board is written down again")


def test_a_killed_daemon_is_a_moment_behind(live: LiveDaemon) -> None:
    """What was played more than a moment ago is there, though nobody said goodbye."""
    with subprocess.Popen(
        [sys.executable, "-m", "godaemon", "gtp", "--config", str(live.config)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as program:
        assert program.stdin is not None
        program.stdin.write("boardsize 9\nplay b E5\n")
        program.stdin.flush()
        until(lambda: _lengths(live) == [1], "the board is written down with its move")
        live.kill()
    live.start()
    assert _lengths(live) == [1]


def test_a_board_goes_on_without_its_daemon(live: LiveDaemon) -> None:
    """An old board or a new one: it is played on meanwhile, and kept once the daemon is back."""
    assert talk(live, "boardsize 9\nkomi 0.5\nset_free_handicap D4 F6\nplay w E5\nquit\n").stdout
    command = [sys.executable, "-m", "godaemon", "gtp", "--config", str(live.config)]
    with Gui([*command, "--board", "1"]) as old, Gui(command) as new:
        old.ask("play b C3")
        new.ask("boardsize 5")
        live.kill()
        assert new.ask("genmove b")
        assert old.ask("play w G3") == ""
        assert old.ask("get_komi") == "0.5"
        assert sorted(old.ask("list_stones black").split()) == ["C3", "D4", "F6"]
        live.start()
        until(lambda: sorted(_lengths(live)) == [1, 3], "both boards are written down")
        assert old.ask("last_move") == "white G3"
    assert "W[gg]" in live.command("boards", "1").stdout


def test_our_player_thinks_aloud(live: LiveDaemon) -> None:
    """Beside the daemon, line by line through both ends, until a bare line; and goes on without."""
    command = [sys.executable, "-m", "godaemon", "gtp", "--config", str(live.config)]
    with Gui(command) as gui:
        gui.ask("boardsize 7")
        for name in ("kata-analyze", "lz-analyze"):
            gui.send(f"{name} 1")
            assert [gui.line().partition(" move ")[0] for _ in range(3)] == ["=", "info", "info"]
            gui.send("")
            gui.answer()
        gui.send("kata-analyze 1")
        assert gui.line() == "="
        live.kill()
        until(lambda: "info move" in gui.line(), "the board goes on here")
        gui.send("name")
        gui.answer()
        assert gui.answer() == "= godaemon"


def test_a_board_that_is_not_there(live: LiveDaemon) -> None:
    """A sentence on standard error, and nothing on standard output."""
    done = talk(live, "name\n", "--board", "4")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no board 4" in done.stderr


def test_the_player_of_a_board_is_a_process(live: LiveDaemon) -> None:
    """A move is answered by one of our levels beside the daemon, whatever level is asked for."""
    said = "boardsize 5\ngenmove b\nlevel 1\ngenmove w\nmove_history\nquit\n"
    done = answers(talk(live, said))
    assert len(done[-2].splitlines()) == 2
