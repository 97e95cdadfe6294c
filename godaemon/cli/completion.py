"""The completion of command lines in shells."""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.cli.command_table import ARGUMENTS, COMMANDS, match_subcommand


def completion(shell: str) -> None:
    from godaemon.cli.install_units import shipped_folder

    print((shipped_folder() / f"completion/godaemon.{shell}").read_text("utf-8"), end="")


def completions(words: Sequence[str]) -> list[str]:
    """The completions of the last word, each followed by a tab and its description."""
    *before, last = words or [""]
    depth, found = len(before), dict[str, str]()
    if last.startswith("-") and (name := match_subcommand(before)) is not None:
        options = [word for word in COMMANDS[name].takes.split() if word.startswith("-")]
        found = {word: ARGUMENTS[word]["help"] for word in options}
    for name, command in COMMANDS.items():
        if name.split()[:depth] == before and name.split()[depth:]:
            found.setdefault(name.split()[depth], command.does)
    return [f"{word}\t{does}" for word, does in found.items() if word.startswith(last)]
