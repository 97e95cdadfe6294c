"""A game in the real service, which is killed, hung, stopped and restored meanwhile."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from godaemon.rules.points import Color
from godaemon.rules.position import Move
from tests.support.gui import Gui
from tests.support.letters import plain
from tests.support.mailgame import begin, dead_stones, recorded, word
from tests.support.players import MailPlayer
from tests.support.systemd_box import Box
from tests.support.waiting import until

pytestmark = pytest.mark.slow

GODAEMON = "/opt/godaemon/bin/godaemon"


def shown_game(service: Box, number: int, *options: str) -> dict[str, Any]:
    output = service.run(GODAEMON, "show", str(number), "--json", *options)
    game: dict[str, Any] = json.loads(output)
    return game


def kill(service: Box) -> None:
    await_restart(service, lambda: service.signal("KILL"))


def hang(service: Box) -> None:
    """SIGSTOP, and the watchdog notices."""
    await_restart(service, lambda: service.signal("STOP"))
    assert "Watchdog timeout" in service.journal()


def restart(service: Box) -> None:
    service.run("systemctl", "restart", "godaemon")


def await_restart(service: Box, blow: Callable[[], None]) -> None:
    """Wait until systemd has restarted the service."""
    count = int(service.property("NRestarts"))
    blow()
    service.wait("NRestarts", str(count + 1))
    service.wait("ActiveState", "active")


def play(alice: MailPlayer, gui: Gui, moves: Sequence[Move], *, last: bool) -> None:
    """Moves in turn, Black's by mail and White's by GTP; the record's last move ends play."""
    for left, move in zip(range(len(moves), 0, -1), moves, strict=True):
        if move.color is Color.BLACK:
            alice.reply(word(move))
            assert gui.ask("genmove black").upper() == word(move).upper()
            continue
        gui.ask(f"play white {word(move)}")
        if left > 1 or not last:
            gui.send("genmove black")  # asks for the answer: the move is released
            alice.expect("your-turn")
            gui.send("# interrupt")
            assert gui.answer().startswith("? interrupted")


def test_a_game_survives_a_kill_a_hang_and_a_restart(service: Box, port: int) -> None:
    """Black plays by mail and White by GTP, to the right result; no email is sent twice."""
    alice, bob = service.people(port, "service")
    record = recorded("nine-lines-ko")
    number = begin(alice, bob, "9x9 komi 6.5")
    seat = service.command(GODAEMON, "gtp", "--game", str(number), "--as", "white")
    blows = [kill, hang, restart]
    for start in range(0, len(record.moves), 20):
        end = min(start + 20, len(record.moves))
        with Gui(seat) as gui:
            for move in record.moves[:start]:
                gui.ask(f"play {move.color.word} {word(move)}")
            play(alice, gui, record.moves[start:end], last=end == len(record.moves))
        if blows:
            blows.pop(0)(service)
        assert shown_game(service, number)["move_number"] == end
    alice.expect("scoring-started")
    bob.expect("scoring-started")
    assert record.rows is not None
    alice.reply(f"dead {' '.join(map(str, dead_stones(record.rows)))} only")
    bob.expect("marks-changed")
    bob.reply("done")
    alice.expect("done")
    alice.reply("done")
    assert "by 3.5 points" in plain(alice.expect("finished"))
    assert shown_game(service, number)["result"] == "W+3.5"
    ids = [str(letter["Message-ID"]) for letter in alice.letters().values()]
    assert len(ids) == len(set(ids))


def backup_by_timer(service: Box) -> Path:
    """Let the timer run now; returns its backup."""
    timer, copies = "godaemon-backup.timer", service.root / "var/backups/godaemon"
    now = service.root / f"etc/systemd/system/{timer}.d/now.conf"
    now.parent.mkdir()
    now.write_text("[Timer]\nOnCalendar=\nRandomizedDelaySec=0\nOnActiveSec=1s\n", "utf-8")
    service.run("systemctl", "daemon-reload")
    service.run("systemctl", "start", timer)
    until(lambda: len([*copies.glob("*/token.key")]) == 1, "a copy by the timer")
    until(lambda: service.property("ActiveState", "godaemon-backup") == "inactive", "it is done")
    service.run("systemctl", "stop", timer)
    shutil.rmtree(now.parent)
    service.run("systemctl", "daemon-reload")
    return Path("/var/backups/godaemon", next(copies.iterdir()).name)


def test_the_backup_timer_copies_a_running_store(service: Box, port: int) -> None:
    """The copy can be restored in another folder and in place."""
    alice, bob = service.people(port, "backup")
    number = begin(alice, bob, "9x9")
    alice.reply("E5")
    bob.expect("your-turn")
    copy = backup_by_timer(service)
    elsewhere = service.root / "srv/elsewhere.toml"
    elsewhere.write_text('state_directory = "/srv/elsewhere"\n', "utf-8")
    service.run(GODAEMON, "restore", "--config", "/srv/elsewhere.toml", str(copy))
    assert shown_game(service, number, "--config", "/srv/elsewhere.toml")["last"] == "black E5"
    bob.reply("C3")
    alice.expect("your-turn")
    service.run("systemctl", "stop", "godaemon")
    service.run(GODAEMON, "restore", "--move-aside", str(copy))
    service.run("systemctl", "start", "godaemon")
    assert shown_game(service, number)["move_number"] == 1
    bob.reply("G7")
    alice.expect("your-turn")
    assert shown_game(service, number)["last"] == "white G7"
