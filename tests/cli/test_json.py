"""JSON of the commands: its keys are those of the manual page."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import places, stores
from tests.support.daemon import LiveDaemon, free_port
from tests.support.waiting import until

PAGE = (places.ROOT / "config/man/godaemon.1").read_text("utf-8").replace(r"\-", "-")


def documented(command: str) -> set[str]:
    """The keys of a command in the manual page: those that begin a paragraph."""
    part = re.split(r"(?m)^\.S[SH] ", PAGE.partition(f'.SS "godaemon {command} --json"\n')[2])[0]
    heads = re.findall(r"(?m)^\.TP\n(.*)$", part)
    return {word for head in heads for word in re.findall(r"\\fB(.+?)\\fR", head)}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """A daemon with a game, a board, a letter that cannot go out, and others in trouble."""
    live = LiveDaemon(tmp_path_factory.mktemp("json"), smarthost=f"smtp://127.0.0.1:{free_port()}")
    live.start()
    try:
        live.command("send", "alice@localhost", "new 9x9 as black vs bob@localhost")
        lines = b"boardsize 9\nplay black E5\nquit\n"
        subprocess.run(live.gtp(), input=lines, check=True, capture_output=True)
        until(lambda: live.ask("queue"), "a letter could not be delivered")
        live.kill()
        _trouble(live.folder / "state")
        live.start()
        yield live
    finally:
        live.stop()


def _trouble(state: Path) -> None:
    """A letter in quarantine, and an address from which letters came back."""
    stores.put_in_quarantine(state, "a@x.example")
    stores.run_on(
        state,
        "INSERT INTO mailbox (address, score, at, error)"
        " VALUES ('bob@x.example', 1.0, '2026-01-01 00:00:00', '550')",
    )


@pytest.mark.parametrize(
    "command",
    [
        *("games", "boards", "mail queue", "mail bounces", "mail quarantine"),
        *("game N", "players", "config"),
    ],
)
def test_a_list_has_the_keys_of_the_page(daemon: LiveDaemon, command: str) -> None:
    """In each of its objects."""
    rows: list[dict[str, Any]] = daemon.json(*command.replace("N", "1").split())
    assert rows
    for row in rows:
        assert row.keys() == documented(command)


def test_a_letter_and_what_it_would_do_have_the_keys_of_the_page(daemon: LiveDaemon) -> None:
    """A letter is as in its list, with its text."""
    number = str(daemon.json("mail", "queue")[0]["id"])
    shown = daemon.json("mail", "show", "--queue", number)
    assert shown.keys() == documented("mail queue") | documented("mail show ID")
    kept = daemon.json("mail", "show", "--quarantine", "1")
    assert kept.keys() == documented("mail quarantine") | documented("mail show ID")
    file = daemon.folder / "letter.eml"
    file.write_text("From: alice@localhost\nTo: go@localhost\n\nhelp\n", encoding="utf-8")
    explained = daemon.json("mail", "explain", str(file))
    assert explained.keys() == documented("mail explain FILE")
    assert explained["emails"] == [{"kind": "help", "to": "alice@localhost"}]


def test_what_was_sent_has_the_keys_of_the_page(daemon: LiveDaemon) -> None:
    """Its answers go to a smarthost here."""
    sent = daemon.json("send", "alice@localhost", "help")
    assert sent.keys() == documented("send")
    assert sent["answers"] is None


def test_the_doctor_has_the_keys_of_the_page(daemon: LiveDaemon) -> None:
    """It finds that nobody takes emails here, and each finding is like a trouble of `status`."""
    done = daemon.command("doctor", "--json", check=False)
    report = json.loads(done.stdout)
    assert report.keys() == documented("doctor")
    assert "smarthost" in {one["name"] for one in report["findings"]}
    assert all(one.keys() == {"name", "severity", "sentence"} for one in report["findings"])
    assert done.returncode == 2


def test_a_refusal_is_json(daemon: LiveDaemon) -> None:
    """With a code for programs; its sentence is for people, and the exit status as ever."""
    done = daemon.command("show", "99", "--json", check=False)
    assert done.returncode == 1
    assert json.loads(done.stdout) == {"error": "There is no game 99.", "code": "unknown"}
    assert "There is no game 99." in done.stderr


def test_a_game_and_the_status_have_the_keys_of_the_page(daemon: LiveDaemon) -> None:
    """The keys of nested objects are described too."""
    assert daemon.game(1).keys() == documented("show N")
    status = daemon.json("status")
    assert status.keys() == documented("status")
    for word in (*status["letters"], *status["games"], *daemon.game(1)["prisoners"]):
        assert rf"\fB{word}\fR" in PAGE


def test_a_record_and_the_operators_word_have_the_keys_of_the_page(daemon: LiveDaemon) -> None:
    """A result can be changed after the end; a game that was not rated is refused with a code."""
    daemon.command("send", "alice@localhost", "new 9x9 vs alice@localhost")
    keys = documented("sgf N, adjudicate N RESULT, unrate N")
    assert keys == {"record", "result", "rated"}
    assert daemon.json("sgf", "1").keys() == {"record"}
    assert daemon.json("sgf", "1")["record"].startswith("(;")
    assert daemon.json("sgf", "--sgn", "9x9,E5b")["record"] == "9x9 E5b"
    done = daemon.command("unrate", "1", "--json", check=False)
    assert json.loads(done.stdout)["code"] == "wrong-phase"
