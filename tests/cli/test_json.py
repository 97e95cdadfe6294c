"""JSON of the commands, and commands about emails in trouble, players and options."""

import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from copy import copy
from typing import Any

import pytest

from tests.support import places, stores
from tests.support.daemon import LiveDaemon, free_port
from tests.support.waiting import until

PAGE = (places.ROOT / "config/man/godaemon.1").read_text("utf-8").replace(r"\-", "-")


def documented_keys(command: str) -> set[str]:
    """The keys of a command in the manual page: those that begin a paragraph."""
    part = re.split(r"(?m)^\.S[SH] ", PAGE.partition(f'.SS "godaemon {command} --json"\n')[2])[0]
    heads = re.findall(r"(?m)^\.TP\n(.*)$", part)
    return {word for head in heads for word in re.findall(r"\\fB(.+?)\\fR", head)}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """A daemon with three games and a board, which cannot send, and has emails in quarantine."""
    folder = tmp_path_factory.mktemp("troubled")
    stores.create(folder / "state")
    stores.put_in_quarantine(folder / "state", "a1@x.example", "a2@x.example")
    stores.run_on(
        folder / "state",
        "INSERT INTO mailbox (address, score, at, error)"
        " VALUES ('bob@x.example', 1.0, '2026-01-01 00:00:00', '550')",
    )
    live = LiveDaemon(folder, smarthost=f"smtp://127.0.0.1:{free_port()}")
    live.start()
    try:
        for address in ("alice", "carol", "dora"):
            live.command("send", f"{address}@localhost", "new 9x9 as black vs bob@localhost")
        lines = b"boardsize 9\nplay black E5\nquit\n"
        subprocess.run(live.gtp(), input=lines, check=True, capture_output=True)
        until(lambda: len(live.ask("queue")) == 3, "none could be sent")
        yield live
    finally:
        live.stop()


@pytest.mark.parametrize(
    ("words", "section"),
    [
        *((words, words) for words in ("games", "boards", "players", "config", "status")),
        *((words, words) for words in ("mail queue", "mail bounces", "mail quarantine")),
        *(("game 1", "game N"), ("show 1", "show N"), ("send alice@localhost help", "send")),
    ],
)
def test_the_page_has_the_keys_of_each_command(
    daemon: LiveDaemon, words: str, section: str
) -> None:
    """Those of a list are the keys of its objects."""
    found: Any = daemon.json(*words.split())
    rows = found if isinstance(found, list) else [found]
    assert rows
    assert all(row.keys() == documented_keys(section) for row in rows)


def test_the_page_has_the_keys_of_an_email_and_its_explanation(daemon: LiveDaemon) -> None:
    """An email is as in its list, with its text."""
    number = str(daemon.json("mail", "queue")[0]["id"])
    shown = daemon.json("mail", "show", "--queue", number)
    assert shown.keys() == documented_keys("mail queue") | documented_keys("mail show ID")
    kept = daemon.json("mail", "show", "--quarantine", "1")
    assert kept.keys() == documented_keys("mail quarantine") | documented_keys("mail show ID")
    file = daemon.folder / "letter.eml"
    file.write_text("From: alice@localhost\nTo: go@localhost\n\nhelp\n", encoding="utf-8")
    explained = daemon.json("mail", "explain", str(file))
    assert explained.keys() == documented_keys("mail explain FILE")
    assert explained["emails"] == [{"kind": "help", "to": "alice@localhost"}]


def test_the_page_has_the_keys_of_doctor(daemon: LiveDaemon) -> None:
    """A finding has the keys of a trouble of `status`."""
    done = daemon.command("doctor", "--json", check=False)
    report = json.loads(done.stdout)
    assert report.keys() == documented_keys("doctor")
    assert "smarthost" in {one["name"] for one in report["findings"]}
    assert all(one.keys() == {"name", "severity", "sentence"} for one in report["findings"])
    assert done.returncode == 2


def test_the_page_has_the_keys_of_nested_objects(daemon: LiveDaemon) -> None:
    """In a paragraph of the object."""
    status = daemon.json("status")
    for word in (*status["letters"], *status["games"], *daemon.game(1)["prisoners"]):
        assert rf"\fB{word}\fR" in PAGE


def test_the_page_has_the_keys_of_records_and_decisions(daemon: LiveDaemon) -> None:
    """A game that is not rated is refusal with a code."""
    daemon.command("send", "alice@localhost", "new 9x9 vs alice@localhost")
    keys = documented_keys("sgf N, adjudicate N RESULT, unrate N")
    assert keys == {"record", "result", "rated"}
    assert daemon.json("sgf", "1").keys() == {"record"}
    assert daemon.json("sgf", "1")["record"].startswith("(;")
    assert daemon.json("sgf", "--sgn", "9x9,E5b")["record"] == "9x9 E5b"
    done = daemon.command("unrate", "1", "--json", check=False)
    assert json.loads(done.stdout)["code"] == "wrong-phase"


def refusal(live: LiveDaemon, *words: str) -> str:
    done = live.command(*words, check=False)
    assert done.returncode == 1
    return done.stderr


def test_a_held_email_waits_for_retry(daemon: LiveDaemon) -> None:
    """Restarts and other emails do not send it."""
    number = daemon.ask("queue")[2]["id"]
    held = "is just being sent"
    until(lambda: held not in daemon.command("mail", "hold", str(number), check=False).stderr, held)
    status = {row["id"]: row["status"] for row in daemon.ask("queue")}
    assert status[number] == "held"
    assert "held by the operator" in daemon.command("mail", "queue").stdout
    assert (
        daemon.command("mail", "retry", "--queue", str(number)).stdout
        == f"Email {number}: queued.\n"
    )
    assert {row["id"]: row["status"] for row in daemon.ask("queue")}[number] == "waiting"


def test_an_ambiguous_number_needs_its_kind(daemon: LiveDaemon) -> None:
    """Nothing is shown or deleted before; then only that email is."""
    assert "say which, by --quarantine or --queue" in refusal(daemon, "mail", "show", "1")
    assert "say which" in refusal(daemon, "mail", "drop", "1")
    assert "Did you just ask me to invite" in daemon.command("mail", "show", "--queue", "1").stdout
    assert "Subject: kept" in daemon.command("mail", "show", "--quarantine", "1").stdout
    assert (
        "was deleted from the quarantine"
        in daemon.command("mail", "drop", "--quarantine", "1").stdout
    )
    assert [row["id"] for row in daemon.ask("quarantine")] == [2]
    assert "Did you just ask me to invite" in daemon.command("mail", "show", "1").stdout
    assert "no email 1 in quarantine" in refusal(daemon, "mail", "drop", "--quarantine", "1")
    assert "No email 99" in refusal(daemon, "mail", "show", "99")


def test_explain_changes_nothing(daemon: LiveDaemon) -> None:
    """The sender and recipient are those of the header, or as named."""
    before = daemon.ask("games"), daemon.ask("queue", every=True)
    file = daemon.folder / "letter.eml"
    file.write_text("From: eve@localhost\n\nnew 9x9 vs bob@localhost\n", encoding="utf-8")
    output = daemon.command("mail", "explain", str(file)).stdout
    assert re.sub(r", game \d+", "", output) == (
        "From eve@localhost to go@localhost (assumed: its headers have no address of ours)\n"
        "> new 9x9 vs bob@localhost\n"
        "Understood: propose\n"
        "Result: accepted\n"
        "Sends to eve@localhost: confirm\n"
    )
    file.write_text("From: eve@localhost\n\nnew 9x9 vs\n", encoding="utf-8")
    assert "`" not in daemon.json("mail", "explain", str(file))["why"]
    file.write_text("From: eve@localhost\n\nnew 9x9 vs bob@localhost\n", encoding="utf-8")
    bounce = daemon.json("mail", "explain", "--from", "", str(file))
    assert (bounce["from"], bounce["result"]) == ("", "ignored")
    quoted = daemon.json("mail", "explain", "--to", '"go"@localhost', str(file))
    assert (quoted["to"], quoted["result"]) == ('"go"@localhost', "accepted")
    assert "An email to bob@b.example is rejected" in refusal(
        daemon, *("mail", "explain", "--to", "bob@b.example", str(file))
    )
    after = daemon.ask("games"), daemon.ask("queue", every=True)
    assert [one["id"] for one in after[0]] == [one["id"] for one in before[0]]
    assert len(after[1]) == len(before[1])


def test_the_log_of_a_game_has_causes(daemon: LiveDaemon) -> None:
    """Nobody is listed twice as a player."""
    output = daemon.command("game", "1").stdout
    assert "proposed" in output
    assert "by letter:<" in output
    names = [row["address"] for row in daemon.json("players")]
    assert names == ["alice@localhost", "carol@localhost", "dora@localhost"]


@pytest.mark.sqlite("no URL in the configuration")
def test_config_shows_the_options_in_force(daemon: LiveDaemon) -> None:
    """Written ones with their lines; with --effective all, and no password."""
    written = daemon.command("config").stdout
    assert f'mail.smtp.listen = "127.0.0.1:{daemon.port}"  # {daemon.config}:3' in written
    assert "default" not in written
    text = daemon.config.read_text(encoding="utf-8")
    other = daemon.folder / "other.toml"
    url = 'database_url = "postgresql+psycopg://go:secret@db.example/go"\n'
    other.write_text(url + text, encoding="utf-8")
    found = LiveDaemon.command(configured_by(daemon, other), "config", "--effective").stdout
    assert 'mail.address = "go@localhost"  # default' in found
    assert "postgresql+psycopg://go:***@db.example/go" in found
    assert "secret" not in found
    other.write_text(f'{text}\n[[mail.addresses]]\naddress = "p@club.example"\n', encoding="utf-8")
    found = LiveDaemon.command(configured_by(daemon, other), "config").stdout
    shown = tomllib.loads(found)["mail"]["addresses"]
    assert [one["address"] for one in shown] == ["p@club.example"]


def configured_by(daemon: LiveDaemon, file: object) -> LiveDaemon:
    other = copy(daemon)
    other.config = file  # type: ignore[assignment]
    return other
