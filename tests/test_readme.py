"""README.md: every example in it is run, and does what is said."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from godaemon.config.loading import load
from godaemon.errors import Unreadable
from godaemon.games.commands import Propose
from godaemon.rules.ruleset_terms import KEYS
from godaemon.rules.rulesets import DEFAULT, RULESETS, parse_ruleset
from mailgate.language.parser import is_command_line, parse_text
from tests.support import places
from tests.support.daemon import LiveDaemon
from tests.support.waiting import until

README = (places.ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    """The fenced blocks of a kind."""
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
    """Run a line of a terminal as it stands, less the path of the virtual environment."""
    command = line.replace(".venv/bin/godaemon", f"{sys.executable} -m godaemon")
    done = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "GODAEMON_CONFIG": str(config)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def test_the_terminal_examples_run_as_they_stand(daemon: LiveDaemon) -> None:
    """From the proposal to the first move, then an engine on a free board."""
    lines = [line for block in blocks("console") for line in block.splitlines()]
    examples = [line for line in lines if line.startswith("$ ") or not line.startswith("#")]
    said = ""
    for line in examples:
        if line.startswith("$ "):
            until(lambda: not daemon.json("status")["letters"]["waiting"], "all letters are out")
            said = run(line.removeprefix("$ "), daemon.config)
        else:
            assert line in said
    assert daemon.game(1)["last"] == "black E5"


def test_the_configuration_example_is_right(tmp_path: Path) -> None:
    """It is read without a complaint, and says what the text says."""
    (example,) = blocks("toml")
    file = tmp_path / "godaemon.toml"
    file.write_text(example, encoding="utf-8")
    settings = load(file, {})
    assert settings.mail.address == "go@example.org"
    assert settings.mail.outgoing.smarthost == "smtp://127.0.0.1:25"


def test_every_reply_in_the_table_is_understood() -> None:
    """Each of the words in its first column is a command."""
    table = README.partition("| reply |")[2].partition("\n\n")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    replies = [reply for row in rows for reply in re.findall(r"`([^`]+)`", row)]
    assert len(replies) >= 13
    for reply in replies:
        assert is_command_line(reply), reply


def test_the_first_letter_and_its_choices_are_understood() -> None:
    """The proposal as it stands, with each ruleset and colour that is named."""
    (first,) = re.findall(r"^    (new .*)$", README, re.MULTILINE)
    for rules in sorted({*RULESETS, *KEYS}):
        assert rules in README
    for key, values in re.findall(
        r"^\| `([a-z-]+)`.* \| ((?:`[a-z-]+`(?:, )?)+)", README, re.MULTILINE
    ):
        for value in re.findall(r"`([a-z-]+)`", values):
            (spoken,) = parse_text([f"{first} {key}={value}"]).commands
            assert isinstance(spoken.command, Propose)
            assert parse_ruleset(spoken.command.rules or DEFAULT).name == DEFAULT
    for more in (
        "",
        "rules aga",
        "rules chinese ko=situational suicide=yes",
        "handicap 2",
        "as black",
        "as white",
        "as nigiri",
    ):
        (spoken,) = parse_text([f"{first} {more}".strip()]).commands
        assert isinstance(spoken.command, Propose)
    with pytest.raises(Unreadable):
        parse_text([first.replace("komi", "kmoi")])


def test_every_subcommand_in_the_table_exists() -> None:
    """Each has its own help."""
    named = re.findall(r"^\| `godaemon ([a-z-]+)", README, re.MULTILINE)
    assert {"status", "games", "check-config", "reload", "backup", "mail"} <= set(named)
    for name in named:
        subprocess.run(
            [sys.executable, "-m", "godaemon", name, "--help"], check=True, capture_output=True
        )
