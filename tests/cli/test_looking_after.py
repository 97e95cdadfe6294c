"""Commands for letters in trouble, a game's log, players and options."""

import re
import tomllib
from collections.abc import Iterator

import pytest

from tests.support import stores
from tests.support.daemon import LiveDaemon, free_port
from tests.support.waiting import until


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """A daemon whose letters cannot go out, with one letter in quarantine."""
    folder = tmp_path_factory.mktemp("after")
    stores.create(folder / "state")
    stores.put_in_quarantine(folder / "state", "a1@x.example", "a2@x.example")
    live = LiveDaemon(folder, smarthost=f"smtp://127.0.0.1:{free_port()}")
    live.start()
    try:
        for address in ("alice", "carol", "dora"):
            live.command("send", f"{address}@localhost", "new 9x9 as black vs bob@localhost")
        until(lambda: len(live.ask("queue")) == 3, "none could go out")
        yield live
    finally:
        live.stop()


def refused(live: LiveDaemon, *words: str) -> str:
    """What a command that cannot be done is answered."""
    done = live.command(*words, check=False)
    assert done.returncode == 1
    return done.stderr


def test_a_letter_that_is_held_waits_for_a_word(daemon: LiveDaemon) -> None:
    """Restarts and other letters do not send it; `mail retry` does."""
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
    """Before anything is shown or deleted; then that one is gone, and the other is not."""
    assert "say which, by --quarantine or --queue" in refused(daemon, "mail", "show", "1")
    assert "say which" in refused(daemon, "mail", "drop", "1")
    assert "Did you just ask me to invite" in daemon.command("mail", "show", "--queue", "1").stdout
    assert "Subject: kept" in daemon.command("mail", "show", "--quarantine", "1").stdout
    assert (
        "was deleted from the quarantine"
        in daemon.command("mail", "drop", "--quarantine", "1").stdout
    )
    assert [row["id"] for row in daemon.ask("quarantine")] == [2]
    assert "Did you just ask me to invite" in daemon.command("mail", "show", "1").stdout
    assert "no email 1 in quarantine" in refused(daemon, "mail", "drop", "--quarantine", "1")
    assert "No email 99" in refused(daemon, "mail", "show", "99")


def test_explain_reports_without_effects(daemon: LiveDaemon) -> None:
    """By its own header, or by the envelope that is named."""
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
    bounce = daemon.json("mail", "explain", "--from", "", str(file))
    assert (bounce["from"], bounce["result"]) == ("", "ignored")
    quoted = daemon.json("mail", "explain", "--to", '"go"@localhost', str(file))
    assert (quoted["to"], quoted["result"]) == ('"go"@localhost', "accepted")
    assert "An email to bob@b.example is rejected" in refused(
        daemon, *("mail", "explain", "--to", "bob@b.example", str(file))
    )
    after = daemon.ask("games"), daemon.ask("queue", every=True)
    assert [one["id"] for one in after[0]] == [one["id"] for one in before[0]]
    assert len(after[1]) == len(before[1])


def test_the_log_of_a_game_and_its_players(daemon: LiveDaemon) -> None:
    """Each event with its cause; nobody is a player twice."""
    output = daemon.command("game", "1").stdout
    assert "proposed" in output
    assert "by letter:<" in output
    assert "There is no game 77" in refused(daemon, "game", "77")
    names = [row["address"] for row in daemon.json("players")]
    assert names == ["alice@localhost", "carol@localhost", "dora@localhost"]


@pytest.mark.sqlite("no URL in the configuration")
def test_the_options_that_hold(daemon: LiveDaemon) -> None:
    """Those that were written with their lines; with --effective all, and no password."""
    written = daemon.command("config").stdout
    assert f'mail.smtp.listen = "127.0.0.1:{daemon.port}"  # {daemon.config}:3' in written
    assert "default" not in written
    text = daemon.config.read_text(encoding="utf-8")
    other = daemon.folder / "other.toml"
    url = 'database_url = "postgresql+psycopg://go:secret@db.example/go"\n'
    other.write_text(url + text, encoding="utf-8")
    found = LiveDaemon.command(_configured(daemon, other), "config", "--effective").stdout
    assert 'mail.address = "go@localhost"  # default' in found
    assert "postgresql+psycopg://go:***@db.example/go" in found
    assert "secret" not in found
    other.write_text(f'{text}\n[[mail.addresses]]\naddress = "p@club.example"\n', encoding="utf-8")
    found = LiveDaemon.command(_configured(daemon, other), "config").stdout
    shown = tomllib.loads(found)["mail"]["addresses"]
    assert [one["address"] for one in shown] == ["p@club.example"]


def _configured(daemon: LiveDaemon, file: object) -> LiveDaemon:
    """The same by another file."""
    from copy import copy

    other = copy(daemon)
    other.config = file  # type: ignore[assignment]
    return other
