"""The operator's commands, with and without a running daemon."""

import asyncio
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from copy import copy
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from godaemon.cli.common import ask
from godaemon.cli.games import game_lines, list_line, local_time, next_time, relative_time
from godaemon.control.control_server import ControlServer
from godaemon.daemon.health import STORE_LOST
from godaemon.errors import Corrupt, GodaemonError, Temporary
from godaemon.storage.identity import open_store
from godaemon.system.clock import Clock
from tests.support import stores
from tests.support.daemon import LiveDaemon
from tests.support.mailgame import begin
from tests.support.scene_files import Scene, read_scenes, split_outcome
from tests.support.waiting import until


@pytest.fixture
def stopped(tmp_path: Path) -> LiveDaemon:
    """A configured daemon that was never started."""
    return LiveDaemon(tmp_path)


@pytest.fixture
def played(stopped: LiveDaemon) -> Iterator[LiveDaemon]:
    """A running daemon with one game of one move."""
    stopped.start()
    try:
        _one_move(stopped)
        yield stopped
    finally:
        stopped.stop()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """A shared daemon; tests must not change its game, folder or state."""
    live = LiveDaemon(tmp_path_factory.mktemp("shared"))
    live.start()
    try:
        _one_move(live)
        live.command("backup", str(live.folder / "backup"))
        yield live
    finally:
        live.stop()


@pytest.fixture
def resting(stopped: LiveDaemon, shared: LiveDaemon) -> Iterator[LiveDaemon]:
    """A daemon that does not run, with one game of one move in its SQLite file."""
    stopped.command("restore", str(shared.folder / "backup"))
    shutil.copytree(shared.folder / "backup", stopped.folder / "monday")
    yield stopped
    stopped.stop()


def _one_move(stopped: LiveDaemon) -> None:
    alice, bob = stopped.person("Alice"), stopped.person("Bob")
    begin(alice, bob, "9x9 komi 5.5 rules chinese rated")
    alice.reply("E5")
    bob.expect("your-turn")
    # The clock is set once that is noted.
    until(lambda: not stopped.ask("status")["letters"]["waiting"], "all emails are out")


def test_a_stopped_daemon_changes_no_answer(played: LiveDaemon) -> None:
    """`games`, `show` and others read the store if no daemon runs."""
    shown, listed = played.json("show", "1"), played.json("games")
    record = played.command("sgf", "1").stdout
    board = played.command("picture", "1").stdout
    assert played.stop() == 0
    assert ask(played.config, "show", number=1) == shown
    assert ask(played.config, "games") == listed
    assert played.command("sgf", "1").stdout == record
    assert played.command("picture", "1").stdout == board
    assert "more than 60 days old: 0." in played.command("prune").stdout


SCENES = read_scenes(Path(__file__).with_name("commands.txt"))


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_commands(shared: LiveDaemon, scene: Scene) -> None:
    """Each command of the scene has its exit status and its output."""

    def run_line(line: str) -> None:
        words, status, text = split_outcome(line)
        done = shared.command(*shlex.split(words), check=False)
        assert done.returncode == int(status or 0), done
        assert text in done.stdout + done.stderr, done

    scene.play(run_line)


def test_a_proposed_game_is_shown_with_its_empty_board(shared: LiveDaemon) -> None:
    """Before the first move."""
    erin = shared.person("Erin")
    erin.write("new 5x5 vs bob@players.example")
    number = int(erin.expect("confirm")["X-Godaemon-Game"])
    shown = shared.command("show", str(number)).stdout
    assert "5  . . . . .  5" in shown
    assert f"Game {number}, proposed" in shown


def test_a_game_begins_from_an_attached_record(shared: LiveDaemon, tmp_path: Path) -> None:
    """`new` with it continues the position at its end."""
    file = tmp_path / "corner.sgf"
    file.write_bytes(b"(;SZ[5]AB[bb]AW[cc]PL[W])")
    line = "new as black vs carol@players.example"
    sent = ("--attach", str(file), "dave@players.example", line)
    (answer,) = shared.json("send", *sent)["answers"]
    shown = shared.game(answer["game"])
    assert (shown["width"], shown["phase"], shown["board"][1]) == (5, "proposed", ".b...")
    assert shown["board"][2] == "..w.."


def test_pictures_are_written_as_svg_and_png(shared: LiveDaemon, tmp_path: Path) -> None:
    """By the ending of the name, in either case."""
    for name in ("kifu.png", "KIFU.SVG"):
        assert shared.command("picture", "1", "--kifu", "--out", str(tmp_path / name)).stdout == ""
    assert (tmp_path / "kifu.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "KIFU.SVG").read_bytes().startswith(b"<svg")


@pytest.mark.sqlite("a store put in the place of another")
def test_a_backup_is_restored_only_while_no_daemon_runs(
    resting: LiveDaemon, tmp_path: Path
) -> None:
    """With the key, so that answers to old emails are valid; without one, the present key stays."""
    resting.start()
    assert "1 game," in resting.command("backup", str(tmp_path / "copy")).stdout
    assert resting.command("backup", str(tmp_path / "copy"), check=False).returncode == 1
    running = resting.command("restore", str(tmp_path / "copy"), check=False)
    assert (running.returncode, "Only one godaemon" in running.stderr) == (75, True)
    shown = resting.game(1)
    resting.stop()
    assert resting.command("restore", str(tmp_path / "copy"), check=False).returncode == 1
    resting.command("restore", str(tmp_path / "copy"), "--move-aside")
    assert resting.game(1) == shown
    (tmp_path / "copy" / "token.key").unlink()
    done = resting.command("restore", "--move-aside", str(tmp_path / "copy"), check=False)
    assert (done.returncode, f"the one in {tmp_path / 'state'} stays" in done.stderr) == (65, True)


@pytest.mark.sqlite("a store put in the place of another")
def test_a_site_is_moved_by_one_file(
    resting: LiveDaemon, shared: LiveDaemon, tmp_path: Path
) -> None:
    """While no daemon runs, and into a new folder; its games go on from where they were."""
    site, shown = str(tmp_path / "site"), resting.game(1)
    assert shared.command("export", site, check=False).returncode == 75
    assert "holds 1 game," in resting.command("export", site).stdout
    assert "There is a store" in resting.command("import", site, check=False).stderr
    (tmp_path / "state").rename(tmp_path / "old")
    assert "1 game," in resting.command("import", site).stdout
    assert resting.game(1) == shown


def test_a_port_in_use_is_reported_in_one_sentence(shared: LiveDaemon, tmp_path: Path) -> None:
    """Exit 75, because it may become free; no traceback."""
    (tmp_path / "other").mkdir()
    other = LiveDaemon(tmp_path / "other")
    other.config.write_text(other.config.read_text().replace(str(other.port), str(shared.port)))
    done = other.command("serve", check=False)
    assert done.returncode == 75
    assert f"Emails cannot be accepted at 127.0.0.1:{shared.port}" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_impossible_state_folder_is_reported_in_one_sentence(stopped: LiveDaemon) -> None:
    """A file is in its place, or the place takes no folder."""
    right = stopped.config.read_text(encoding="utf-8")
    (stopped.folder / "state").write_text("a file", encoding="utf-8")
    for wrong in (right, right.replace(f"{stopped.folder / 'state'}", "/proc/nowhere")):
        stopped.config.write_text(wrong, encoding="utf-8")
        done = stopped.command("serve", check=False)
        assert done.returncode == 78
        assert "cannot be written to" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_new_place_is_checked_while_the_daemon_runs(played: LiveDaemon) -> None:
    """Bug: a configuration was right until the restart. What the daemon holds itself is free."""
    right = played.config.read_text(encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as other:
        wrong = {
            f"127.0.0.1:{played.port}": f"127.0.0.1:{other.getsockname()[1]}",
            f'"{played.folder}/state"': '"/etc/passwd"',
        }
        try:
            for place, new_place in wrong.items():
                played.config.write_text(right.replace(place, new_place))
                assert played.command("check-config", check=False).returncode == 78
        finally:
            played.config.write_text(right)
    assert "is right" in played.command("check-config").stdout


def test_a_new_address_without_the_old_one_is_reported(played: LiveDaemon) -> None:
    """Bug: replies to all earlier emails were refused, and no check said so."""
    right = played.config.read_text(encoding="utf-8")
    old = '[[mail.addresses]]\naddress = "go@localhost"\nretired = true\n'

    def warns(address: str, *, more: str = "") -> bool:
        text = right.replace("[mail.smtp]", f'[mail]\naddress = "{address}"\n[mail.smtp]', 1)
        played.config.write_text(text + more, encoding="utf-8")
        found = [played.command(one, check=False).stdout for one in ("check-config", "doctor")]
        assert ("retired = true" in found[0]) is ("retired = true" in found[1])
        return "retired = true" in found[0]

    assert not warns("go@localhost")
    assert warns("play@localhost"), "the running daemon sends from the other one"
    assert warns("go@new.example")
    assert not warns("go@new.example", more=old)
    played.stop()
    assert warns("go@new.example")
    assert not warns("go@new.example", more=old)


def test_reload_applies_a_good_file_and_refuses_a_wrong_one(played: LiveDaemon) -> None:
    """A wrong file gives exit status 78 and line numbers, and changes nothing."""
    right = played.config.read_text(encoding="utf-8")
    played.config.write_text(right + "[mail.limits]\ninvitations_per_sender = 7\n")
    assert "read its configuration again" in played.command("reload").stdout
    played.config.write_text(right + "[mail]\ninvitation_days = 5\n")
    assert "read its configuration again" in played.command("reload").stdout
    output = played.command("send", "carol@c.example", "new 9x9 vs dora@d.example").stdout
    assert "carol@c.example reads" in output
    letter = next((played.mail / "carol@c.example" / "new").iterdir()).read_text("utf-8")
    assert "expires in 5 days" in letter
    played.config.write_text(right.replace("127.0.0.1", "127.0.0.2"))
    assert "mail.smtp.listen" in played.command("reload").stdout
    played.config.write_text(right + "[mail.limits]\ninvitations_per_sender = -7\n")
    assert played.command("reload", check=False).returncode == 78
    (trouble,) = played.ask("status")["troubles"]
    assert trouble["name"] == "reload-refused"
    assert "invitations_per_sender" in trouble["sentence"]
    played.config.write_text(right)
    played.command("reload")
    assert played.ask("status")["troubles"] == []


def test_commands_before_the_first_start_make_no_store(tmp_path: Path) -> None:
    """They answer in a sentence."""
    server = os.environ.get(stores.SERVER, "")
    stopped = LiveDaemon(tmp_path, url=server and stores.new_database(server))
    done = stopped.command("games", check=False)
    assert done.returncode == 1
    assert "no games" in done.stderr
    assert not (stopped.folder / "state").exists()
    missing = stopped.command("gtp", "--game", "1", "--as", "black", check=False)
    assert missing.returncode == 69
    assert "no daemon runs" in missing.stderr


def test_a_game_is_played_by_send_and_decided_by_the_operator(played: LiveDaemon) -> None:
    """`send --reply` writes like a mail program; the operator pauses, decides and unrates it."""
    done = played.command("send", "--reply", "bob@players.example", "C3")
    sent, *answers = done.stdout.splitlines()
    assert re.fullmatch(r"Sent to go\+1-w-\S+@localhost\.", sent)
    (answer,) = answers
    assert answer.startswith("bob@players.example reads: You played C3")
    played.person("Alice").expect("your-turn")
    assert played.game(1)["last"] == "white C3"
    played.command("pause")
    played.command("resume")
    assert "credited" in [entry["event"] for entry in played.json("game", "1")]
    for result in ("B+3.5", "Void"):
        assert played.json("adjudicate", "1", result) == {"result": result}
        assert played.game(1)["result"] == result
    assert "Game 1 is over: W+R." in played.command("adjudicate", "1", "w+r").stdout
    redone = played.command("adjudicate", "1", "W+R", check=False)
    assert (redone.returncode, "already: W+R." in redone.stderr) == (1, True)
    assert played.json("unrate", "1") == {"rated": False}
    assert not played.game(1)["rated"]
    redone = played.command("unrate", "1", check=False)
    assert (redone.returncode, redone.stderr) == (
        1,
        "godaemon: Game 1 does not count for ratings.\n",
    )


def test_a_forgotten_player_is_called_a_former_player(shared: LiveDaemon) -> None:
    """In `games` and `show`, in place of the address."""
    game = {**shared.json("games")[0], **shared.json("show", "1"), "black": "", "proposer": ""}
    assert "a former player - bob@players.example" in list_line(game)
    lines = game_lines(game, fancy=False)
    assert "a former player (black), bob@players.example (white)" in lines
    assert "chinese rules, komi 5.5, handicap 0, rated" in lines


def test_send_reports_that_the_daemon_refused(shared: LiveDaemon, tmp_path: Path) -> None:
    """It has another address than the configuration."""
    section = '[mail]\naddress = "go@elsewhere.example"\n[mail.smtp]'
    elsewhere = copy(shared)
    elsewhere.config = tmp_path / "elsewhere.toml"
    elsewhere.config.write_text(shared.config.read_text().replace("[mail.smtp]", section))
    line = ("alice@players.example", "new 9x9 vs bob@x.example")
    done = elsewhere.command("send", *line, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Not sent: go@elsewhere.example was refused with 550 5.1.1" in done.stderr


def test_send_with_a_smarthost_says_where_the_answer_goes(tmp_path: Path) -> None:
    """Without a daemon, it says that nobody took the email."""
    live = LiveDaemon(tmp_path, smarthost="smtp://127.0.0.1:9")
    live.start()
    try:
        sent = live.command("send", "Carol <carol@players.example>", "help").stdout
    finally:
        live.stop()
    assert sent == "Sent to go@localhost; the answer goes to carol@players.example.\n"
    none = live.command("send", "carol@players.example", "help", check=False)
    assert (none.returncode, none.stdout) == (69, "")
    assert "No godaemon runs for" in none.stderr
    assert "journalctl -u godaemon" in none.stderr
    for words in (("status",), ("mail", "queue"), ("send", "carol@players.example", "help")):
        none = live.command(*words, "--json", check=False)
        assert none.returncode == 69
        assert json.loads(none.stdout)["code"] == "not-running"


def test_status_considers_a_daemon_that_lost_its_control_socket(tmp_path: Path) -> None:
    """It does not say that none runs: a second one could not start."""
    live = LiveDaemon(tmp_path)
    live.start()
    try:
        (tmp_path / "control.sock").unlink()
        lost = live.command("status", check=False)
    finally:
        live.stop()
    assert (lost.returncode, lost.stdout) == (69, "")
    assert f"or it does not answer at {tmp_path / 'control.sock'}" in lost.stderr
    assert "systemctl restart godaemon" in lost.stderr


TWO_COMMANDS = """
import sys
from godaemon.cli import main
for words in sys.argv[1].split(), sys.argv[2].split():
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as end:
        print(end.code)
"""


@pytest.mark.sqlite("whose its file is")
def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    """With the command that changes its mode; exit 78, because the next try would fail too."""
    for name, file in (("serve", "godaemon.db"), ("backup", "token.key")):
        (tmp_path / name).mkdir()
        LiveDaemon(tmp_path / name)
        state = tmp_path / name / "state"
        stores.create(state)
        open_store(stores.url(state), state).close()
        (state / file).chmod(0)
    commands = (
        f"serve --config {tmp_path}/serve/godaemon.toml",
        f"backup {tmp_path}/monday --config {tmp_path}/backup/godaemon.toml",
    )
    # Root may read all files.
    rights = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    line = [*rights, sys.executable, "-c", TWO_COMMANDS, *commands]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "78"
    database, key = f"{tmp_path}/serve/state/godaemon.db", f"{tmp_path}/backup/state/token.key"
    assert f"permission denied. Run: chmod u+rwX {database}\n" in done.stderr
    assert f"Permission denied ({key})" in done.stderr
    assert not (tmp_path / "monday").exists()


@pytest.mark.sqlite("its file is removed")
def test_a_store_removed_under_its_daemon_is_reported_and_saved(
    resting: LiveDaemon, tmp_path: Path
) -> None:
    """No emails are taken, and a backup has what the daemon still has open."""
    resting.start()
    for file in ("godaemon.db", "token.key", "store.id"):
        (tmp_path / "state" / file).unlink()
        until(lambda: "store-lost" in str(resting.ask("status")["troubles"]), "it is noticed")
        findings = json.loads(resting.command("doctor", "--json", check=False).stdout)["findings"]
        assert [one["name"] for one in findings] == ["store-lost"], "no remedy that loses the games"
    assert resting.command("status", check=False).returncode == 2
    refused = resting.command("send", "carol@players.example", "help", check=False)
    assert f"did not accept it: 451 4.3.2 {STORE_LOST}: please try again later." in refused.stderr
    assert "Is `godaemon serve` running?" not in refused.stderr
    assert "holds 1 game," in resting.command("backup", str(tmp_path / "saved")).stdout
    assert resting.stop() == 0
    resting.command("restore", str(tmp_path / "saved"), "--move-aside")
    assert resting.game(1)["move_number"] == 1


@pytest.mark.sqlite("its file is removed")
@pytest.mark.parametrize("fault", [Temporary("Not now."), Corrupt("The store is damaged.")])
async def test_a_backup_asks_the_daemon_whether_its_store_is_lost(
    tmp_path: Path, fault: GodaemonError
) -> None:
    """Without an answer there is none, unless the store is damaged: its file tells more."""

    async def rescue() -> None:
        raise fault

    live = LiveDaemon(tmp_path)
    open_store(stores.url(tmp_path / "state"), tmp_path / "state").close()
    control = ControlServer({"rescue": rescue})
    acceptor = await control.open(tmp_path / "control.sock")
    words = ("backup", str(tmp_path / "saved"))
    done = await asyncio.to_thread(partial(live.command, *words, check=False))
    await acceptor.close()
    refused = isinstance(fault, Temporary)
    assert done.returncode == (75 if refused else 0)
    assert ("Not now." in done.stderr) == refused
    assert (tmp_path / "saved").exists() != refused


def test_an_empty_or_lost_key_is_replaced(played: LiveDaemon, tmp_path: Path) -> None:
    """The command in the message restores it; `rotate-key --lost` goes on without it."""
    played.command("backup", str(tmp_path / "monday"))
    assert played.stop() == 0
    key = tmp_path / "state" / "token.key"
    key.write_bytes(b"")
    refused = played.command("serve", check=False)
    assert refused.returncode == 78
    (line,) = re.findall(r"`(cp [^`]+)`", refused.stderr)
    subprocess.run(["sh", "-c", line.replace("BACKUP", str(tmp_path / "monday"))], check=True)
    second = played.command("rotate-key", "--lost", check=False)
    assert (second.returncode, "so it is not lost" in second.stderr) == (1, True)
    key.unlink()
    refused = played.command("serve", check=False)
    assert (refused.returncode, "rotate-key --lost" in refused.stderr) == (78, True)
    done = played.command("backup", str(tmp_path / "tuesday"), check=False)
    assert (done.returncode, "There is no key" in done.stderr) == (65, True)
    played.command("rotate-key", "--lost")
    played.start()
    assert played.game(1)["move_number"] == 1


@pytest.fixture
def _berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as zone:
        zone.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("_berlin")
def test_a_moment_is_shown_in_local_time() -> None:
    """With the name of the zone, in summer and winter."""
    assert local_time("2026-11-22T23:15:30+00:00") == "2026-11-23 00:15 CET"
    assert local_time("2026-07-22T12:15:30+00:00") == "2026-07-22 14:15 CEST"


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(minutes=1, seconds=20), "1 minute ago"),
        (timedelta(hours=3, minutes=40), "3 hours ago"),
        (timedelta(days=400, hours=1), "400 days ago"),
        (timedelta(seconds=-20), "now"),
        (timedelta(minutes=-5, seconds=-20), "in 5 minutes"),
        (timedelta(hours=-1, seconds=-20), "in 1 hour"),
    ],
)
def test_a_duration_is_shown_in_its_largest_unit(ago: timedelta, words: str) -> None:
    """Down to minutes; bug: what was due came next "just now"."""
    moment = (Clock().now() - ago).isoformat()
    assert relative_time(moment) == words
    assert next_time(moment) == (words if words.startswith("in") else "now")
