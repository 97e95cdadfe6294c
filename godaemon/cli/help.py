"""`godaemon help` and `completion`, and command lines without a known subcommand."""

from collections.abc import Sequence
from difflib import get_close_matches

from godaemon.cli import EXIT_USAGE, UsageError, run
from godaemon.cli.command_table import ARGUMENTS, COMMANDS, GROUPS, match_subcommand


def help(command: Sequence[str]) -> int:  # noqa: A001 - the command's name
    return run([*command, "--help"])


def completion(shell: str) -> None:
    from godaemon.cli.install_units import shipped_folder

    print((shipped_folder() / f"completion/godaemon.{shell}").read_text("utf-8"), end="")


def run_without_command(words: Sequence[str]) -> int:
    """Handle a command line without a known subcommand; returns the exit status."""
    match [*words]:
        case ["--version", *_]:
            from godaemon import installed_version

            print(f"godaemon {installed_version()}")
        case ["complete", *partial]:
            print(*(f"{line}\n" for line in _completions(partial)), sep="", end="")
        case [*group_words, "--help" | "-h"] | group_words if group_words in ([], ["mail"]):
            print(_overview(group_words))
            return 0 if words and words[-1].startswith("-") else EXIT_USAGE
        case _:
            command = " ".join(words[: 2 if words[0] == "mail" else 1])
            meant = get_close_matches(command.lower(), COMMANDS, n=1, cutoff=0.7)
            hint = f"; did you mean {meant[0]}?" if meant else "."
            raise UsageError(f"No such command '{command}'{hint} See: godaemon help")
    return 0


def _completions(words: Sequence[str]) -> list[str]:
    """The completions of the last word, each followed by a tab and its description."""
    *previous, prefix = words or [""]
    depth, result = len(previous), dict[str, str]()
    if prefix.startswith("-") and (name := match_subcommand(previous)) is not None:
        options = [word for word in COMMANDS[name].all_arguments if word.startswith("-")]
        result = {word: ARGUMENTS[word]["help"] for word in options}
    for name, command in COMMANDS.items():
        if name.split()[:depth] == previous and name.split()[depth:]:
            result.setdefault(name.split()[depth], command.summary)
    return [f"{word}\t{text}" for word, text in result.items() if word.startswith(prefix)]


def _overview(group_words: Sequence[str]) -> str:
    start = "".join(f"{word} " for word in group_words)
    lines = [f"Usage: godaemon {start}COMMAND [ARGUMENT ...]", ""]
    if not group_words:
        lines += [
            "Play Go by answering emails, or from any GTP program.",
            *("`godaemon help COMMAND` explains one, `godaemon --version` shows the version.", ""),
        ]
    for group, commands in GROUPS.items():
        entries = {name: one.summary for name, one in commands.items() if name.startswith(start)}
        if entries:
            lines += [f"{group}:", *(f"  {name:<15}  {does}" for name, does in entries.items()), ""]
    return "\n".join(lines[:-1])
