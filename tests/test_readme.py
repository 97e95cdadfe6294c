"""Every example in README.md works."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from godaemon.config.loading import load
from godaemon.engine.levels import DEFAULT_LEVEL
from godaemon.errors import Unreadable
from godaemon.games.commands import Propose
from godaemon.games.seat_keys import parse_key
from godaemon.rules.named_rulesets import RULESETS
from mailgate.language.command_lines import is_command_line
from mailgate.language.parser import parse_text
from mailgate.letters.letter_view import CLIENT
from tests.support import fork_server, letter_picture, places
from tests.support.daemon import LiveDaemon
from tests.support.neomutt import Terminal
from tests.support.waiting import PATIENCE, until

README = (places.ROOT / "README.md").read_text(encoding="utf-8")
OPERATING = (places.ROOT / "config/man/godaemon-operating.7").read_text(encoding="utf-8")
HEADINGS = re.findall(r"(?m)^#+ (.*)$", README)


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[LiveDaemon]:
    """A running daemon, which the examples find by $GODAEMON_CONFIG."""
    live = LiveDaemon(tmp_path)
    live.start()
    try:
        yield live
    finally:
        live.stop()


def run(line: str, config: Path) -> str:
    """Run a line of a terminal example, without the path of the virtual environment."""
    command = line.replace(".venv/bin/godaemon", f"{sys.executable} -m godaemon")
    done = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "GODAEMON_CONFIG": str(config)},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    return done.stdout


def test_the_terminal_examples_work(daemon: LiveDaemon) -> None:
    """From the proposal to the first move, then an engine on a free board."""
    lines = [line for block in blocks("console") for line in block.splitlines()]
    examples = [line for line in lines if line.startswith("$ ") or not line.startswith("#")]
    output = ""
    for line in examples:
        if line.startswith("$ "):
            until(lambda: not daemon.ask("status")["letters"]["waiting"], "all letters are out")
            output = run(line.removeprefix("$ "), daemon.config)
        else:
            assert line in output
    assert daemon.game(1)["last"] == "black E5"


@pytest.mark.peer("neomutt")
def test_bob_reads_and_answers_with_mutt(daemon: LiveDaemon) -> None:
    """With keys only, for a user without settings."""
    daemon.command("send", "alice@localhost", "new 9x9 as black vs bob@localhost")
    daemon.command("send", "alice@localhost", "--reply", "yes")
    until(lambda: not daemon.ask("status")["letters"]["waiting"], "all letters are out")
    (home := daemon.folder / "home").mkdir()
    (home / "muttrc").write_text(f'set editor = "{home}/editor"\n')
    (home / "editor").write_text('#!/bin/sh\n{ echo accept; cat "$1"; } >"$1.2"; mv "$1.2" "$1"\n')
    (home / "editor").chmod(0o755)
    (line,) = re.findall(r"(?m)^mutt (.*)$", README)
    here = line.replace("~/.local/state/godaemon/mail", str(daemon.mail))
    terminal = Terminal(home, *shlex.split(here.replace("8025", str(daemon.port))))
    try:
        read = 0
        for key, shown in zip("r\n\n\n\ny", NEOMUTT, strict=True):
            terminal.until(lambda at=read, is_=shown: is_ in terminal.screen()[at:], shown)  # type: ignore[misc]
            read = len(terminal.screen())
            terminal.press(key)
        terminal.until(lambda: "Mail sent" in terminal.screen(), "it is sent")
    finally:
        terminal.close(5)
    assert daemon.game(1)["phase"] == "playing"


NEOMUTT = ("Go game 1", "Reply to", "To:", "Subject:", "Include", "y:Send")
"""Prompts of neomutt, in order, from the mailbox to the email to send."""


def test_the_backup_before_an_upgrade_works(daemon: LiveDaemon) -> None:
    """The line of the manual makes its own folder."""
    (line,) = re.findall(r"(?m)^# (godaemon backup .*)$", OPERATING.replace(r"\-", "-"))
    here = line.replace("/var/backups", str(daemon.folder)).replace(
        "godaemon ", ".venv/bin/godaemon ", 1
    )
    assert "verified" in run(here, daemon.config)


def test_the_configuration_examples_are_valid(tmp_path: Path) -> None:
    """Also those of the manual."""
    (first,) = blocks("toml")
    provider, more = re.findall(r"(?s)\.nf\n(\[\[?mail.*?)\.fi", OPERATING)
    file = tmp_path / "godaemon.toml"
    file.write_text(first + more.replace(r"\-", "-"), encoding="utf-8")
    settings = load(file, {})
    assert [one.address for one in settings.mail.own] == ["go@go.example.org", "play@club.example"]
    assert settings.mail.outgoing.smarthost == "smtp://127.0.0.1:25"
    assert str(settings.mail.lmtp.listen) in (places.ROOT / "config/postfix/main.cf").read_text()
    file.write_text(f'state_directory = "{tmp_path}"\n' + provider.replace(r"\-", "-"))
    assert load(file, {}).mail.imap.host == "imap.provider.example"


def test_every_reply_in_the_tables_is_a_command() -> None:
    """Each of the words in their first columns is a command."""
    tables = README.partition("| reply |")[2].partition("**Spam?**")[0]
    rows = [line.split("|")[1] for line in tables.splitlines() if line.startswith("| `")]
    replies = [reply for row in rows for reply in re.findall(r"`([^`]+)`", row)]
    assert len(replies) >= 30
    for reply in replies:
        assert is_command_line(reply), reply


def test_the_first_email_and_its_choices_are_understood() -> None:
    """With every ruleset and choice that README names."""
    (first,) = re.findall(r"^    (new .*)$", README, re.MULTILINE)
    (section,) = re.findall(r"(?s)\*\*A new game\*\*.*?\n\n", README)
    assert set(RULESETS) - {"japanese"} <= set(re.findall(r"`(?:rules )?([a-z-]+)`", section))
    choices = re.findall(r"`([^`]+)`", section)
    assert len(choices) > 10
    for more in ("", "as nigiri", *choices):
        bare = first.replace("komi 6.5 ", "").replace("9x9 ", "") if more[-1:].isdigit() else first
        (spoken,) = parse_text([f"{bare} {more}".strip()]).commands
        assert isinstance(spoken.command, Propose), more
    with pytest.raises(Unreadable):
        parse_text([first.replace("komi", "kmoi")])


def test_the_example_seat_key_is_valid() -> None:
    """In the line of `gui`, which has the options of `godaemon gtp`."""
    (line,) = re.findall(rf"^    python3 Downloads/{CLIENT} (.*)$", README, re.MULTILINE)
    assert parse_key(line.rpartition(" ")[2])
    output = fork_server.run(["gtp", "--help"]).stdout
    assert all(option in output for option in re.findall(r"--\w+", line))


def test_the_figures_are_the_defaults(tmp_path: Path) -> None:
    """Without configuration."""
    (empty := tmp_path / "godaemon.toml").touch()
    settings = load(empty, {"STATE_DIRECTORY": str(tmp_path)})
    assert settings.gtp.quiet_seconds == 5
    assert "after five quiet seconds" in " ".join(README.split())
    assert f"after {settings.mail.invitation_days} days" in README
    assert f"`house` is level {DEFAULT_LEVEL}," in README


def test_the_picture_shows_the_current_email() -> None:
    """It is drawn from the HTML that is sent today."""
    anew = "The email looks different now: python -m tests.support.letter_picture draws it anew."
    assert letter_picture.drawn_from() == letter_picture.digest(), anew
    assert letter_picture.FILE.stat().st_size <= 120_000


def test_every_link_exists() -> None:
    """A file, or a heading."""
    heads = {re.sub(r"[^a-z -]", "", one.casefold()).replace(" ", "-") for one in HEADINGS}
    links = re.findall(r"\]\(([^):]+)\)|src=\"([^\"]+)\"", README)
    for link in map("".join, links):
        assert (link[1:] in heads) if link[0] == "#" else (places.ROOT / link).exists(), link


def test_every_subcommand_in_the_table_exists() -> None:
    """Each has its own help."""
    rows = re.findall(r"^\| (`godaemon [^|]+)", README, re.MULTILINE)
    named = [one for row in rows for one in re.findall(r"`(?:godaemon )?([a-z-]+)", row)]
    assert {"status", "games", "check-config", "reload", "backup", "mail"} <= set(named)
    for name in sorted(set(named)):
        fork_server.run([name, "--help"])
