"""The command line before it does anything: help, version, wrong usage, and what it loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

COMMANDS = (
    *("serve", "gtp", "client", "games", "show", "sgf", "picture", "send", "demo"),
    *("status", "check-config", "reload", "backup", "restore", "mail"),
)
HEAVY = ("sqlmodel", "sqlalchemy", "alembic", "PIL", "aiosmtpd", "aiosmtplib", "mailgate")


def godaemon(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    return subprocess.run(
        [sys.executable, "-m", "godaemon", *arguments], capture_output=True, text=True, check=False
    )


def test_help_names_every_subcommand() -> None:
    """And says in a sentence what godaemon is."""
    done = godaemon("--help")
    assert done.returncode == 0
    for name in COMMANDS:
        assert f" {name} " in done.stdout
    assert "answering emails" in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_each_subcommand_has_help(name: str) -> None:
    """A sentence that begins with a capital letter, and its options."""
    done = godaemon(name, "--help")
    assert done.returncode == 0
    assert "Usage:" in done.stdout


@pytest.mark.parametrize(
    "arguments", [["--help"], ["serve", "--help"], ["picture", "--help"], ["--version"]]
)
def test_help_loads_neither_the_database_nor_the_mail_stack(arguments: list[str]) -> None:
    """So that it is there at once."""
    program = (
        "import sys\nfrom godaemon.cli import main\n"
        f"sys.argv[1:] = {arguments}\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"


def test_version() -> None:
    """The version alone, on one line."""
    from godaemon import installed_version

    assert godaemon("--version").stdout == f"godaemon {installed_version()}\n"


def test_gtp_wants_both_halves_of_a_seat() -> None:
    """--game without --as is a wrong call, told on standard error."""
    done = godaemon("gtp", "--game", "1")
    assert done.returncode == 64
    assert "--as" in done.stderr
    assert done.stdout == ""
