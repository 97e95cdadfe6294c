"""Shell completion with the files that `godaemon install-units` installs."""

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.support import places

COMPLETION = places.ROOT / "config/completion"
SCRIPTS = sysconfig.get_path("scripts")

BASH = """
source {file}
complete -p godaemon
COMP_WORDS=(godaemon re) COMP_CWORD=1
_godaemon godaemon
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
FISH = "source {file}; complete --do-complete 'godaemon re'"
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; fpath=({folder} $fpath); autoload -U compinit; compinit -D -u; print be\gun'
zpty -r shell shown '*begun*'
zpty -w -n shell $'godaemon rel\t'
zpty -r shell shown '*reload *'
print -r -- "$shown"
"""


def shell(*command: str) -> str:
    """The output of a command that has only our PATH, with this environment's program."""
    path = f"{SCRIPTS}:{os.environ['PATH']}"
    done = subprocess.run(
        command, env={"PATH": path}, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def test_bash_completes_subcommands() -> None:
    """All that begin so."""
    output = shell("bash", "-ec", BASH.format(file=COMPLETION / "godaemon.bash")).splitlines()
    assert output[0].endswith("-F _godaemon godaemon")
    assert {"reload", "restore", "resume"} <= {*output}
    assert "status" not in output


@pytest.mark.peer("fish")
def test_fish_completes_with_descriptions() -> None:
    """Of each subcommand."""
    output = shell("fish", "--no-config", "-c", FISH.format(file=COMPLETION / "godaemon.fish"))
    found = dict(line.split("\t") for line in output.splitlines())
    assert {"reload", "restore", "resume"} <= {*found}
    assert found["reload"]


@pytest.mark.peer("zsh")
def test_zsh_completes_on_a_terminal(tmp_path: Path) -> None:
    """In an interactive shell."""
    shutil.copy(COMPLETION / "godaemon.zsh", tmp_path / "_godaemon")
    assert "reload " in shell("zsh", "-fc", ZSH.replace("{folder}", str(tmp_path)))
