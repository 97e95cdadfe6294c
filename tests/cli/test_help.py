"""Help, version and imports of the command line."""

import re
import subprocess
import sys
from functools import partial
from unittest.mock import Mock

import pytest

from godaemon.cli import run
from godaemon.cli.command_table import COMMANDS, GROUPS, build_parser, load_function
from godaemon.daemon.operations import Operations
from godaemon.daemon.reload import Reload

REQUESTS = {**Operations(*[Mock()] * 4).requests(), "reload": Reload.reload}
HEAVY = ("sqlmodel", "sqlalchemy", "alembic", "pydantic", "PIL", "aiosmtpd", "mailgate")


def test_help_lists_every_subcommand_in_its_group(capsys: pytest.CaptureFixture[str]) -> None:
    """Each on one line, with a whole sentence."""
    assert run(["help"]) == 0
    output = capsys.readouterr().out
    for group, commands in GROUPS.items():
        part = output.partition(f"\n{group}:\n")[2].partition("\n\n")[0]
        assert re.findall(r"(?m)^  (\S+(?: \S+)?)  +[A-Z].*\.$", part) == [*commands]
    assert max(map(len, output.splitlines())) <= 80
    assert "answering emails" in output


OURS = {"help", "return", "config", "json"}
"""Words that no request has as an argument."""


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "gtp"])
def test_the_options_of_a_subcommand_are_the_arguments_of_its_function(name: str) -> None:
    """Or of its request; each has a help text."""
    parser, function = build_parser(name), load_function(name)
    words = {action.dest for action in parser._actions} - {"help"}
    if isinstance(function, partial):
        assert words - OURS == {*REQUESTS[function.args[0]].__annotations__} - OURS
    else:
        assert words == {*function.__annotations__} - {"return"}
    assert all(action.help for action in parser._actions)
    assert parser.format_help().startswith(f"Usage: godaemon {name} ")


@pytest.mark.parametrize(
    "arguments", [["help"], ["serve", "--help"], ["picture", "--help"], ["status"], ["--version"]]
)
def test_light_commands_load_no_heavy_library(arguments: list[str]) -> None:
    """No database, mail stack or models of the configuration."""
    program = (
        "import sys\nfrom godaemon.cli import main\n"
        f"sys.argv[1:] = {arguments}\n"
        "import godaemon.cli.common, godaemon.control.control_client\n"
        "godaemon.control.control_client.is_running = lambda _: True\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr.splitlines()[-1] == "[]"
