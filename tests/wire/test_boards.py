"""Free boards of a real daemon."""

import subprocess

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
    daemon.kill()
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
    assert (refused.returncode, refused.stderr) == (1, "godaemon gtp: There is no board 2.\n")
    assert refused.stdout == "? There is no board 2.\n\n"


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
