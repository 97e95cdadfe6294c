"""`python -m gtp`: a free board on standard input and output, without the command line's library.

Reads its few options itself, because programs that start an engine for each game wait for it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from godaemon.errors import Refusal, Unreadable
from godaemon.rules.rulesets import parse_ruleset
from gtp.board.board_session import BoardSession
from gtp.board.commands.kgs import CHAT
from gtp.board.free_board import DEFAULT_LEVEL, DEFAULT_RULES, FreeBoard
from gtp.board.stdio import run

USAGE = """usage: python -m gtp [--level N] [--network FILE] [--kgs-chat] [RULES]
  --level N     how strong our player is: from 1 to 10
  --network FILE  what it thinks by: a network of KataGo's, in place of ours
  --kgs-chat    know the command kgs-chat
  RULES         such as japanese, chinese, aga; else Chinese rules with superko
"""
_WRONG_USAGE = 2


def main(words: list[str]) -> int:
    """Serve standard input until it ends; returns the exit status."""
    if {"-h", "--help"} & {*words}:
        sys.stdout.write(USAGE)
        return 0
    try:
        session = opened(words)
    except Refusal as refusal:
        sys.stderr.write(f"{refusal}\n")
        return _WRONG_USAGE
    return run(sys.stdin.buffer, sys.stdout.buffer, session=session)


def opened(words: list[str]) -> BoardSession:
    """The session that the words of a command line ask for; raises `Refusal`."""
    rules, level, options, left = DEFAULT_RULES, DEFAULT_LEVEL, [], list(words)
    network: Path | None = None
    while left:
        word, equals, value = left.pop(0).partition("=")
        if word == "--level":
            level = _number(value if equals else left.pop(0) if left else "")
        elif word == "--network":
            network = Path(value if equals else left.pop(0) if left else "")
        elif word == f"--{CHAT}":
            options.append(CHAT)
        elif word.startswith("-"):
            raise Unreadable(f"There is no option {word}.\n{USAGE.rstrip()}")
        else:
            rules = parse_ruleset(" ".join([word + equals + value, *left]))
            left = []
    board = FreeBoard(rules, level=level, network=network)
    if level != DEFAULT_LEVEL:
        board.grade(level)
    return BoardSession(board, local=True, options=options)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Unreadable(f"“{text}” is not a level: --level 3")
    return int(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
