"""Sabaki's GTP library drives our engine, and plays at a seat."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import peers
from tests.support.daemon import LiveDaemon
from tests.support.mailgame import begin
from tests.support.players import MailPlayer

HERE = Path(__file__).parent
pytestmark = [pytest.mark.peer("node"), pytest.mark.peer("sabaki")]


def test_sabaki_works_with_a_free_board() -> None:
    """Handshake, navigation by undo and replay, rectangles, analysis, a burst, and quit."""
    command = [
        peers.find("node"),
        str(HERE / "sabaki_probe.js"),
        sys.executable,
        "-m",
        "godaemon",
        "gtp",
        "--level",
        "3",
    ]
    environment = {**os.environ, "SABAKI_GTP": peers.sabaki()}
    done = subprocess.run(
        command, cwd=HERE.parents[1], env=environment, capture_output=True, text=True, check=False
    )
    checks = [json.loads(line) for line in done.stdout.splitlines()]
    assert [check for check in checks if not check["ok"]] == []
    assert len(checks) > 20
    assert (done.returncode, done.stderr) == (0, "")


def test_sabaki_plays_by_mail(daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer) -> None:
    """It synchronises, moves, waits, navigates and tries variations."""
    number = begin(alice, bob, "9x9 komi 6.5")
    alice.reply("D4")
    seat = daemon.gtp("--game", str(number), "--as", "white")
    environment = {**os.environ, "SABAKI_GTP": peers.sabaki()}
    command = [peers.find("node"), str(HERE / "sabaki_seat.js"), *seat]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as probe:
        assert probe.stdout is not None
        answers, checks = ["C3", "G3"], []
        for line in probe.stdout:
            message = json.loads(line)
            if message["name"] == "waiting":
                alice.expect("your-turn")
                alice.reply(answers.pop(0))
            else:
                checks.append(message)
    assert [check for check in checks if not check["ok"]] == []
    assert answers == []
    assert len(checks) == 14
    assert probe.returncode == 0
    assert daemon.game(number)["move_number"] == 5
    assert daemon.game(number)["last"] == "black G3"
