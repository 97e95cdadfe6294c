"""`godaemon help`, and the completion of command lines in shells."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from godaemon.cli import EXIT_USAGE, run
from godaemon.cli.command_table import ARGUMENTS, COMMANDS, GROUPS, match_subcommand


def help(command: Sequence[str]) -> int:  # noqa: A001 - the command's name
    return run([*command, "--help"])


def run_without_command(words: Sequence[str]) -> int:
    """Handle a command line without a known subcommand; returns the exit status."""
    match [*words]:
        case ["--version"]:
            from godaemon import installed_version

            print(f"godaemon {installed_version()}")
        case ["complete", *partial]:
            print(*(f"{line}\n" for line in _completions(partial)), sep="", end="")
        case [*within, "--help" | "-h"] | within if within in ([], ["mail"]):
            print(_overview(within))
            return 0 if words and words[-1].startswith("-") else EXIT_USAGE
        case _:
            unknown = " ".join(words[: 2 if words[0] == "mail" else 1])
            print(f"godaemon: No such command '{unknown}'; see: godaemon help", file=sys.stderr)
            return EXIT_USAGE
    return 0


def _overview(within: Sequence[str]) -> str:
    start = "".join(f"{word} " for word in within)
    lines = [f"Usage: godaemon {start}COMMAND [ARGUMENT ...]", ""]
    if not within:
        lines += [
            "Hold games of Go that people play by answering emails, or from any GTP program.",
            *("`godaemon help COMMAND` says more of one, `godaemon --version` the version.", ""),
        ]
    for group, commands in GROUPS.items():
        named = {name: one.does for name, one in commands.items() if name.startswith(start)}
        if named:
            lines += [f"{group}:", *(f"  {name:<15}  {does}" for name, does in named.items()), ""]
    return "\n".join(lines[:-1])


def completion(shell: str) -> None:
    from godaemon.cli.install_units import shipped_folder

    print((shipped_folder() / f"completion/godaemon.{shell}").read_text("utf-8"), end="")


def _completions(words: Sequence[str]) -> list[str]:
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
