"""The operator's commands, with and without a running daemon."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from copy import copy
from functools import partial
from pathlib import Path

import pytest

from godaemon.cli.common import ask
from godaemon.cli.games import game_lines, list_line
from godaemon.control.control_server import ControlServer
from godaemon.daemon.health import LOST
from godaemon.errors import Corrupt, GodaemonError, Temporary
from godaemon.storage.database import open_database
from godaemon.storage.identity import open_store
from tests.support import stores
from tests.support.daemon import LiveDaemon
from tests.support.mailgame import begin
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
        yield live
    finally:
        live.stop()


@pytest.fixture
def unused(stopped: LiveDaemon) -> LiveDaemon:
    """An empty store whose daemon does not run."""
    state = stopped.folder / "state"
    stores.create(state)
    open_store(stores.url(state), state).close()
    return stopped


def _one_move(stopped: LiveDaemon) -> None:
    alice, bob = stopped.person("Alice"), stopped.person("Bob")
    begin(alice, bob, "9x9 komi 5.5 rules chinese rated")
    alice.reply("E5")
    bob.expect("your-turn")
    # The clock is set once that is noted.
    until(lambda: not stopped.ask("status")["letters"]["waiting"], "all emails are out")


def test_games_and_show_tell_the_same_with_and_without_a_daemon(played: LiveDaemon) -> None:
    """By the control socket, or from the store if no daemon runs."""
    shown, listed = played.json("show", "1"), played.json("games")
    record = played.command("sgf", "1").stdout
    board = played.command("picture", "1").stdout
    assert played.stop() == 0
    assert ask(played.config, "show", number=1) == shown
    assert ask(played.config, "games") == listed
    assert played.command("sgf", "1").stdout == record
    assert played.command("picture", "1").stdout == board


def test_show_before_the_first_move(shared: LiveDaemon) -> None:
    """A game that nobody has played in yet is shown with its empty board."""
    erin = shared.person("Erin")
    erin.write("new 5x5 vs bob@players.example")
    number = int(erin.expect("confirm")["X-Godaemon-Game"])
    shown = shared.command("show", str(number)).stdout
    assert "5  . . . . .  5" in shown
    assert f"Game {number}, proposed" in shown


def test_show_json_has_the_promised_keys(shared: LiveDaemon) -> None:
    """Each of them, with its meaning."""
    shown = shared.json("show", "1")
    expected = {
        "id": 1,
        "width": 9,
        "height": 9,
        "komi": 5.5,
        "handicap": 0,
        "rules": "chinese",
        "phase": "playing",
        "to_move": "white",
        "move_number": 1,
        "scoring_number": 0,
        "black": "alice@players.example",
        "white": "bob@players.example",
        "prisoners": {"black": 0, "white": 0},
        "board": [*["........."] * 4, "....b....", *["........."] * 4],
        "result": None,
        "chat": [],
    }
    assert expected.items() <= shown.items()


def test_the_state_at_a_move(shared: LiveDaemon) -> None:
    """Board, turn, last move, prisoners and messages, in JSON and as text."""
    then = shared.json("show", "1", "--move", "0")
    assert (then["move_number"], then["to_move"], then["last"]) == (0, "black", None)
    assert then["board"] == ["." * 9] * 9
    assert "move 0; prisoners" in shared.command("show", "1", "--move", "0").stdout
    done = shared.command("show", "1", "--move", "2", "--json", check=False)
    assert json.loads(done.stdout)["code"] == "unknown"
    assert "there is no move 2" in json.loads(done.stdout)["error"]


def test_send_answers_in_json(shared: LiveDaemon) -> None:
    """A move that is refused has the code of the rule that forbids it."""
    (answer,) = shared.json("send", "--reply", "bob@players.example", "E5")["answers"]
    assert (answer["notice"], answer["game"], answer["code"]) == ("refused", 1, "occupied")
    (answer,) = shared.json("send", "--reply", "bob@players.example", "show")["answers"]
    assert (answer["notice"], answer["code"]) == ("show", None)


def test_sgf_on_one_line(shared: LiveDaemon) -> None:
    """`sgf --sgn` is Simple Go Notation."""
    assert shared.command("sgf", "1", "--sgn").stdout == "9x9 E5b\n"


def test_a_game_on_one_line_is_read(stopped: LiveDaemon, tmp_path: Path) -> None:
    """As it is, or in a URL; no daemon and no store are needed."""
    for game in ("9x9 E5b C3w", "https://go.example/sgn?9x9,E5b,C3w"):
        record = stopped.command("sgf", game).stdout
        assert ";B[ee];W[cg]" in record.replace("\n", "")
        assert stopped.command("sgf", "--sgn", game).stdout == "9x9 E5b C3w\n"
        assert "Black: E5. White: C3." in stopped.command("picture", game).stdout
    wrong = stopped.command("sgf", "9x9 K9b", check=False)
    assert (wrong.returncode, "off the 9x9 board" in wrong.stderr) == (1, True)


def test_a_record_is_sent_along(shared: LiveDaemon, tmp_path: Path) -> None:
    """`new` with it begins a game from where it ends."""
    file = tmp_path / "corner.sgf"
    file.write_bytes(b"(;SZ[5]AB[bb]AW[cc]PL[W])")
    line = "new as black vs carol@players.example"
    sent = ("--attach", str(file), "dave@players.example", line)
    (answer,) = shared.json("send", *sent)["answers"]
    shown = shared.game(answer["game"])
    assert (shown["width"], shown["phase"], shown["board"][1]) == (5, "proposed", ".b...")
    assert shown["board"][2] == "..w.."


def test_show_draws_lines_on_request(shared: LiveDaemon) -> None:
    """ASCII else."""
    assert "(●)" in shared.command("show", "1", "--unicode").stdout
    assert shared.command("show", "1").stdout.isascii()


def test_pictures_of_a_game(shared: LiveDaemon, tmp_path: Path) -> None:
    """The board, an earlier one, and the whole game, as SVG and as PNG."""
    board = shared.command("picture", "1").stdout
    assert board.startswith("<svg")
    assert "Black: E5." in board
    assert "Black: none." in shared.command("picture", "1", "--move", "0").stdout
    assert ">1</text>" in shared.command("picture", "1", "--kifu").stdout
    for name in ("kifu.png", "KIFU.SVG"):
        assert shared.command("picture", "1", "--kifu", "--out", str(tmp_path / name)).stdout == ""
    assert (tmp_path / "kifu.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "KIFU.SVG").read_bytes().startswith(b"<svg")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("--out", "board.gif"), 64, "board.gif: write a name that ends in .svg or .png"),
        (("--kifu", "--moves", "2-9"), 1, "This game has 1 move; there is no move 2"),
        (("--kifu", "--moves", "all"), 1, "“all” names no moves: write, for example, 1-100."),
        (("--moves", "1-9"), 64, "use either --move M or --kifu [--moves A-B]"),
        (("--move", "2"), 1, "This game has 1 move; there is no move 2"),
        (("--out", "/nowhere/board.svg"), 74, "No such file or directory: /nowhere/board.svg"),
    ],
)
def test_pictures_that_cannot_be_made(
    shared: LiveDaemon, arguments: tuple[str, ...], status: int, words: str
) -> None:
    """Another kind of file, a move that is not there, a folder that is not there."""
    done = shared.command("picture", "1", *arguments, check=False)
    assert done.returncode == status
    assert words in done.stderr


def test_status_counts_games_and_letters(shared: LiveDaemon, unused: LiveDaemon) -> None:
    """And is exit 69 where nobody answers."""
    status = shared.json("status")
    assert status["games"]["playing"] == 1
    assert status["letters"]["undeliverable"] == 0
    assert "process" in shared.command("status").stdout
    assert unused.command("status", check=False).returncode == 69


@pytest.mark.sqlite("a store put in the place of another")
def test_a_backup_of_a_running_daemon_is_restored_into_another_folder(
    played: LiveDaemon, tmp_path: Path
) -> None:
    """With the key, so that the letters people have still count."""
    assert "1 game," in played.command("backup", str(tmp_path / "copy")).stdout
    second = played.command("backup", str(tmp_path / "copy"), check=False)
    assert second.returncode == 1
    running = played.command("restore", str(tmp_path / "copy"), check=False)
    assert running.returncode == 75
    assert "Only one godaemon" in running.stderr
    shown = played.game(1)
    played.stop()
    assert played.command("restore", str(tmp_path / "copy"), check=False).returncode == 1
    played.command("restore", str(tmp_path / "copy"), "--move-aside")
    assert played.game(1) == shown


@pytest.mark.sqlite("a store put in the place of another")
def test_a_site_is_moved_by_one_file(played: LiveDaemon, tmp_path: Path) -> None:
    """While no daemon runs, and into a folder that is new; its games go on from where they were."""
    site, shown = str(tmp_path / "site"), played.game(1)
    assert played.command("export", site, check=False).returncode == 75
    played.stop()
    assert "holds 1 game," in played.command("export", site).stdout
    assert "There is a store" in played.command("import", site, check=False).stderr
    (tmp_path / "state").rename(tmp_path / "old")
    assert "1 game," in played.command("import", site).stdout
    assert played.game(1) == shown


def test_a_second_daemon_is_refused(shared: LiveDaemon) -> None:
    """With the number of the process that has the folder."""
    second = shared.command("serve", check=False)
    assert second.returncode == 75
    assert str(second.stderr).count("Only one godaemon") == 1


def test_a_port_in_use_is_one_sentence(shared: LiveDaemon, tmp_path: Path) -> None:
    """Exit 75, for it may become free, with the address and why, and no traceback around it."""
    (tmp_path / "other").mkdir()
    other = LiveDaemon(tmp_path / "other")
    other.config.write_text(other.config.read_text().replace(str(other.port), str(shared.port)))
    done = other.command("serve", check=False)
    assert done.returncode == 75
    assert f"Emails cannot be taken at 127.0.0.1:{shared.port}" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_state_folder_that_cannot_be_made_is_one_sentence(stopped: LiveDaemon) -> None:
    """Where a file is in its way, or it is in a place that takes no folder."""
    right = stopped.config.read_text(encoding="utf-8")
    (stopped.folder / "state").write_text("a file", encoding="utf-8")
    for wrong in (right, right.replace(f"{stopped.folder / 'state'}", "/proc/nowhere")):
        stopped.config.write_text(wrong, encoding="utf-8")
        done = stopped.command("serve", check=False)
        assert done.returncode == 78
        assert "cannot be written to" in done.stderr
        assert "Traceback" not in done.stderr


def test_reload_takes_a_good_file_and_refuses_a_wrong_one(played: LiveDaemon) -> None:
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


def test_prune_lets_old_emails_go(shared: LiveDaemon) -> None:
    """Today's emails are not old; the setting decides what is."""
    assert "more than 60 days old: 0." in shared.command("prune").stdout


def test_check_config_names_the_line_and_a_suggestion(stopped: LiveDaemon) -> None:
    """Exit 78, so that systemd does not start again for it."""
    assert "is right" in stopped.command("check-config").stdout
    stopped.config.write_text("[mail]\nadress = 'go@example.org'\n", encoding="utf-8")
    for command in ("check-config", "serve", "games"):
        done = stopped.command(command, check=False)
        assert done.returncode == 78
        assert f"{stopped.config}:2" in done.stderr
        assert "address" in done.stderr


def test_questions_before_the_first_game_are_answered_kindly(tmp_path: Path) -> None:
    """No traceback, no empty store made by looking."""
    server = os.environ.get(stores.SERVER, "")
    stopped = LiveDaemon(tmp_path, url=server and stores.new_database(server))
    done = stopped.command("games", check=False)
    assert done.returncode == 1
    assert "no games" in done.stderr
    assert not (stopped.folder / "state").exists()
    missing = stopped.command("gtp", "--game", "1", "--as", "black", check=False)
    assert missing.returncode == 69
    assert "no daemon runs" in missing.stderr


def test_an_unknown_game_is_a_sentence(shared: LiveDaemon, unused: LiveDaemon) -> None:
    """Exit 1 with the sentence, from the daemon and from the store."""
    for live in (shared, unused):
        done = live.command("show", "99", check=False)
        assert (done.returncode, done.stderr) == (1, "godaemon: There is no game 99.\n")


def test_a_game_by_send_and_by_the_operator_s_word(played: LiveDaemon) -> None:
    """`send --reply` does what a mail program would, and shows the answer."""
    done = played.command("send", "--reply", "bob@players.example", "C3")
    sent, *answers = done.stdout.splitlines()
    assert re.fullmatch(r"Sent to go\+1-w-\S+@localhost\.", sent)
    (answer,) = answers
    assert answer.startswith("bob@players.example reads: You played C3")
    played.person("Alice").expect("your-turn")
    assert played.game(1)["last"] == "white C3"
    _decide_otherwise(played)


def _decide_otherwise(played: LiveDaemon) -> None:
    """It is paused and goes on, is decided, decided otherwise, and then counts for nothing."""
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


def test_send_says_what_became_of_it(shared: LiveDaemon) -> None:
    """It shows the refusal of a wrong line, and says so where nobody would get an answer."""
    typo = shared.command("send", "carol@players.example", "new 9x9 vs bob").stdout
    assert "carol@players.example reads: " in typo
    assert "Nobody called “…” plays here" in typo
    silent = shared.command("send", "mailer-daemon@players.example", "hello").stdout
    assert silent.endswith("mailer-daemon@players.example got no answer.\n")


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("go@localhost", "go@localhost is the daemon itself"),
        ("go+x@LOCALHOST", "go+x@LOCALHOST is the daemon itself"),
        ("alice", "“alice” is not an email address"),
        ("two words", "“two words” is not an email address"),
    ],
)
def test_send_refuses_a_wrong_address(shared: LiveDaemon, address: str, error: str) -> None:
    """Whoever could never be answered has not sent anything."""
    done = shared.command("send", address, "new 9x9 vs bob@players.example", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert error in done.stderr


def test_all_clocks_stand_until_they_are_let_go_on(shared: LiveDaemon) -> None:
    """`pause` and `resume` and their messages, also in `status`; each works once."""
    assert "are stopped" in shared.command("pause", "moving to a `new` server").stdout
    status = shared.command("status", check=False)
    assert status.returncode == 1
    assert "(moving to a 'new' server)" in status.stdout
    assert "paused already" in shared.command("pause", check=False).stderr
    assert "run again" in shared.command("resume").stdout
    assert "nothing to resume" in shared.command("resume", check=False).stderr
    assert "clocks" not in shared.command("status", check=False).stdout


def test_forget_refuses_what_is_no_address(shared: LiveDaemon) -> None:
    """A slip of the finger, or a program, has not been forgotten, and nobody is written to."""
    for slip in ("house", "alice.players.example"):
        done = shared.command("forget", slip, check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"“{slip}” is not an email address" in done.stderr


def test_forget_reports_an_unknown_address(shared: LiveDaemon) -> None:
    """A mistyped address is no promise that the right person is gone, and is not written to."""
    stranger = "nobody@players.example"
    assert shared.command("forget", stranger).stdout.startswith(f"{stranger} has no game here;")
    assert stranger not in shared.command("mail", "queue").stdout


def test_a_former_player_has_a_name_and_a_colour() -> None:
    """`games` and `show` leave no gap where the address of somebody forgotten stood."""
    game = {
        "id": 4,
        "phase": "finished",
        "size": "2x1",
        "black": "",
        "white": "bob@players.example",
        "proposer": "",
        "invited": "bob@players.example",
        "to_move": None,
        "result": "W+R",
        "move_number": 0,
        "board": [".."],
        "last": None,
        "rules": "japanese",
        "komi": 6.5,
        "handicap": 0,
        "rated": True,
        "prisoners": {"black": 0, "white": 0},
        "score": None,
        "chat": [],
    }
    assert "a former player - bob@players.example" in list_line(game)
    assert "a former player (black), bob@players.example (white)" in game_lines(game, fancy=False)
    assert "japanese rules, komi 6.5, handicap 0, rated" in game_lines(game, fancy=False)


def test_send_says_that_the_daemon_refused(shared: LiveDaemon, tmp_path: Path) -> None:
    """A daemon of another address than the one in the configuration takes nothing."""
    section = '[mail]\naddress = "go@elsewhere.example"\n[mail.smtp]'
    elsewhere = copy(shared)
    elsewhere.config = tmp_path / "elsewhere.toml"
    elsewhere.config.write_text(shared.config.read_text().replace("[mail.smtp]", section))
    line = ("alice@players.example", "new 9x9 vs bob@x.example")
    done = elsewhere.command("send", *line, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Not sent: go@elsewhere.example was refused with 550 5.1.1" in done.stderr


def test_an_answer_about_no_game_is_replied_to_at_its_own_address(shared: LiveDaemon) -> None:
    """Bug: after `help` the sender was told that there is no letter to them."""
    for words, to in (("help",), "go@localhost."), (("--reply", "learn"), "go+l"):
        output = shared.command("send", "gina@players.example", *words).stdout
        assert f"Sent to {to}" in output
        assert "gina@players.example reads: " in output


def test_send_where_answers_go_elsewhere(tmp_path: Path) -> None:
    """It says where the answer goes; and without a daemon, that nobody took the email."""
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


def test_the_mail_commands_say_when_nothing_is_wrong(shared: LiveDaemon) -> None:
    """Empty lists are sentences; JSON is a list."""
    assert "No email is in quarantine" in shared.command("mail", "quarantine").stdout
    assert json.loads(shared.command("mail", "queue", "--json").stdout) == []


def test_a_damaged_game_from_its_discovery_to_its_return(
    played: LiveDaemon, tmp_path: Path
) -> None:
    """The backup names it and what to do (exit 65), as status does; a restore brings it back."""
    played.command("backup", str(tmp_path / "monday"))
    stores.run_on(tmp_path / "state", "DELETE FROM event WHERE number = 3")
    done = played.command("backup", str(tmp_path / "tuesday"), check=False)
    assert done.returncode == 65
    assert "tuesday holds 1 game," in done.stdout
    assert "Game 1 is damaged, and put aside: event 3: it is missing." in done.stderr
    assert "godaemon restore BACKUP --move-aside" in done.stderr
    until(lambda: "game-damaged" in str(played.ask("status")["troubles"]), "it is in the status")
    assert "stop the daemon, then `godaemon restore BACKUP" in str(played.json("status"))
    looked = played.command("show", "1", check=False)
    assert looked.returncode == 70
    assert "Game 1 cannot go on for now" in looked.stderr
    assert played.stop() == 0
    if not stores.server_url(tmp_path / "state"):
        played.command("restore", str(tmp_path / "monday"), "--move-aside")
        assert played.game(1)["move_number"] == 1


@pytest.mark.sqlite("bytes of its file")
def test_a_store_cut_to_half_and_one_that_has_gone(played: LiveDaemon, tmp_path: Path) -> None:
    """Exit 70, which the unit does not try again; the lines that are told work when pasted.

    Where it has gone, looking at the games says what the start says, not that there are none yet.
    """
    played.command("backup", str(tmp_path / "monday"))
    assert played.stop() == 0
    store = tmp_path / "state" / "godaemon.db"
    store.write_bytes(store.read_bytes()[: store.stat().st_size // 2])
    refused = played.command("serve", check=False)
    assert refused.returncode == 70
    assert "`godaemon backup NEW`" in refused.stderr
    done = played.command("backup", str(tmp_path / "tuesday"), check=False)
    assert done.returncode == 70
    assert "`godaemon restore BACKUP --move-aside`" in done.stderr
    back = played.command("restore", str(tmp_path / "monday"), "--move-aside").stdout
    assert " has 1 game again.\n" in back
    assert played.game(1)["move_number"] == 1
    store.unlink()
    looked, refused = (played.command(word, check=False) for word in ("games", "serve"))
    assert (looked.returncode, refused.returncode) == (78, 78)
    assert looked.stderr == refused.stderr


@pytest.mark.sqlite("whose its file is")
def test_a_store_of_somebody_elses(stopped: LiveDaemon, tmp_path: Path) -> None:
    """Exit 78 with the file and the line that gives it back, and not that it may work later."""
    (state := tmp_path / "state").mkdir(exist_ok=True)
    open_database(stores.url(state)).close()
    (state / "godaemon.db").chmod(0)
    done = _without_rights(stopped, "serve")
    assert done.returncode == 78
    assert f"permission denied. Run: chmod u+rwX {state / 'godaemon.db'}\n" in done.stderr


def _without_rights(live: LiveDaemon, *words: str) -> subprocess.CompletedProcess[str]:
    """A command by who may not read all files, as root may."""
    line = [sys.executable, "-m", "godaemon", *words, "--config", str(live.config)]
    rights = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    return subprocess.run([*rights, *line], capture_output=True, text=True, check=False)


@pytest.mark.sqlite("whose its file is")
def test_a_backup_without_the_right_to_read_the_key(stopped: LiveDaemon, tmp_path: Path) -> None:
    """It is the key that is named, and not the folder that was to be made."""
    (state := tmp_path / "state").mkdir(exist_ok=True)
    open_store(stores.url(state), state).close()
    (state / "token.key").chmod(0)
    done = _without_rights(stopped, "backup", str(tmp_path / "monday"))
    assert f"Permission denied ({state / 'token.key'})" in done.stderr
    assert not (tmp_path / "monday").exists()


@pytest.mark.sqlite("its file is removed")
def test_a_store_that_is_removed_under_its_daemon(played: LiveDaemon, tmp_path: Path) -> None:
    """`status` says so, no emails are taken, and a backup has what the daemon still has open."""
    for file in ("godaemon.db", "token.key", "store.id"):
        (tmp_path / "state" / file).unlink()
        until(lambda: "store-lost" in str(played.ask("status")["troubles"]), "it is noticed")
        findings = json.loads(played.command("doctor", "--json", check=False).stdout)["findings"]
        assert [one["name"] for one in findings] == ["store-lost"], "no remedy that loses the games"
    assert played.command("status", check=False).returncode == 2
    refused = played.command("send", "carol@players.example", "help", check=False)
    assert f"did not accept it: 451 4.3.2 {LOST}: please try again later." in refused.stderr
    assert "Is `godaemon serve` running?" not in refused.stderr
    assert "holds 1 game," in played.command("backup", str(tmp_path / "saved")).stdout
    assert played.stop() == 0
    played.command("restore", str(tmp_path / "saved"), "--move-aside")
    assert played.game(1)["move_number"] == 1


@pytest.mark.sqlite("its file is removed")
@pytest.mark.parametrize("fault", [Temporary("Not now."), Corrupt("The store is damaged.")])
async def test_a_daemon_that_cannot_say_whether_its_store_is_lost(
    tmp_path: Path, fault: GodaemonError
) -> None:
    """No backup is made of what may be another store; of a damaged one its file tells more."""

    async def rescue() -> None:
        raise fault

    live = LiveDaemon(tmp_path)
    open_store(stores.url(tmp_path / "state"), tmp_path / "state").close()
    control = ControlServer({"rescue": rescue})
    await control.open(tmp_path / "control.sock")
    words = ("backup", str(tmp_path / "saved"))
    done = await asyncio.to_thread(partial(live.command, *words, check=False))
    await control.close()
    refused = isinstance(fault, Temporary)
    assert done.returncode == (75 if refused else 0)
    assert ("Not now." in done.stderr) == refused
    assert (tmp_path / "saved").exists() != refused


@pytest.mark.sqlite("a store put in the place of another")
def test_a_backup_without_a_key_is_restored_beside_the_key_that_is_here(
    played: LiveDaemon, tmp_path: Path
) -> None:
    """It says that this key stays, and signs for the games."""
    played.command("backup", str(tmp_path / "monday"))
    assert played.stop() == 0
    (tmp_path / "monday" / "token.key").unlink()
    done = played.command("restore", "--move-aside", str(tmp_path / "monday"), check=False)
    assert (done.returncode, f"the one in {tmp_path / 'state'} stays" in done.stderr) == (65, True)


def test_a_key_that_is_empty_and_one_that_is_lost(played: LiveDaemon, tmp_path: Path) -> None:
    """What is told to do about the one brings it back; `rotate-key --lost` goes on without one."""
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
