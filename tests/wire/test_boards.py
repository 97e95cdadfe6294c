"""Free boards of a real daemon: they think in parallel, survive it, and are restored."""

import subprocess

import pytest

from tests.support.daemon import LiveDaemon
from tests.support.gui import Gui
from tests.support.waiting import PATIENCE, until


def talk(daemon: LiveDaemon, lines: str, *options: str) -> subprocess.CompletedProcess[str]:
    """What `godaemon gtp` answers to a dialogue."""
    return subprocess.run(
        daemon.gtp(*options),
        input=lines,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def answers(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The answers of a dialogue that went well."""
    assert (done.returncode, done.stderr) == (0, "")
    return [frame.removeprefix("=").strip() for frame in done.stdout.split("\n\n") if frame]


def _lengths(daemon: LiveDaemon) -> list[int]:
    return [row["move_number"] for row in daemon.ask("boards")]


def test_a_board_survives_session_and_daemon(daemon: LiveDaemon) -> None:
    """Komi, rules, handicap and moves are restored, with or without a daemon."""
    first = "boardsize 9\nkomi 0.5\nkgs-rules japanese\nfixed_handicap 2\nplay w E5\nquit\n"
    assert talk(daemon, first).returncode == 0
    daemon.stop()
    (row,) = daemon.json("boards")
    assert (row["size"], row["move_number"]) == ("9x9", 1)
    assert "W[ee]" in daemon.command("boards", "1").stdout
    daemon.start()
    second = "get_komi\nlist_stones white\nlist_stones black\nplay b D4\nquit\n"
    komi, white, black, *_ = answers(talk(daemon, second, "--board", "1"))
    assert (komi, white) == ("0.5", "E5")
    assert len(black.split()) == 2
    until(lambda: _lengths(daemon) == [2], "the same board is written down again")
    refused = talk(daemon, "name\nshowboard\n", "--board", "2")
    assert (refused.returncode, refused.stderr) == (1, "godaemon: There is no board 2.\n")
    assert refused.stdout == "= godaemon\n\n? There is no board 2.\n\n"


def test_a_killed_daemon_loses_at_most_the_last_moment_of_a_board(daemon: LiveDaemon) -> None:
    """Older moves are stored without any goodbye."""
    with subprocess.Popen(
        daemon.gtp(),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as program:
        assert program.stdin is not None
        program.stdin.write("boardsize 9\nplay b E5\n")
        program.stdin.flush()
        until(lambda: _lengths(daemon) == [1], "the board is written down with its move")
        daemon.kill()
    daemon.start()
    assert _lengths(daemon) == [1]


@pytest.mark.slow
def test_a_board_works_without_its_daemon(daemon: LiveDaemon) -> None:
    """An old or new board is stored once the daemon is back."""
    assert talk(daemon, "boardsize 9\nkomi 0.5\nset_free_handicap D4 F6\nplay w E5\nquit\n").stdout
    with Gui(daemon.gtp("--board", "1")) as old, Gui(daemon.gtp()) as new:
        old.ask("play b C3")
        new.ask("boardsize 5")
        daemon.kill()
        assert new.ask("genmove b")
        assert old.ask("play w G3") == ""
        assert old.ask("get_komi") == "0.5"
        assert sorted(old.ask("list_stones black").split()) == ["C3", "D4", "F6"]
        daemon.start()
        until(lambda: sorted(_lengths(daemon)) == [1, 3], "both boards are written down")
        assert old.ask("last_move") == "white G3"
    assert "W[gg]" in daemon.command("boards", "1").stdout


def test_analysis_is_streamed_through_the_daemon(daemon: LiveDaemon) -> None:
    """Line by line until an empty line; it also works without the daemon."""
    with Gui(daemon.gtp()) as gui:
        gui.ask("boardsize 7")
        for name in ("kata-analyze", "lz-analyze"):
            gui.send(f"{name} 1")
            assert [gui.line().partition(" move ")[0] for _ in range(3)] == ["=", "info", "info"]
            gui.send("")
            gui.answer()
        gui.send("kata-analyze 1")
        assert gui.line() == "="
        daemon.kill()
        until(lambda: "info move" in gui.line(), "the board goes on here")
        gui.send("name")
        gui.answer()
        assert gui.answer() == "= godaemon"
