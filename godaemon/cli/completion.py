"""`godaemon completion`, and the completions that its scripts request."""

from collections.abc import Sequence

from godaemon.cli.command_table import ARGUMENTS, COMMANDS, match_subcommand


def completion(shell: str) -> None:
    from godaemon.cli.install_units import shipped_folder

    print((shipped_folder() / f"completion/godaemon.{shell}").read_text("utf-8"), end="")


def completions(words: Sequence[str]) -> list[str]:
    """The completions of the last word, each followed by a tab and its description."""
    *previous, prefix = words or [""]
    depth, result = len(previous), dict[str, str]()
    if prefix.startswith("-") and (name := match_subcommand(previous)) is not None:
        options = [word for word in COMMANDS[name].arguments.split() if word.startswith("-")]
        result = {word: ARGUMENTS[word]["help"] for word in options}
    for name, command in COMMANDS.items():
        if name.split()[:depth] == previous and name.split()[depth:]:
            result.setdefault(name.split()[depth], command.summary)
    return [f"{word}\t{text}" for word, text in result.items() if word.startswith(prefix)]
