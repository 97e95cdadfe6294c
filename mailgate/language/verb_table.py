"""Every verb of the players' language: what it does, how its arguments are read, what we say of it.

Pure; raises nothing itself. The words for a verb stand in `words/`, what it does in `verbs.toml`,
from which the help letter and the manual page are made.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from godaemon.games import commands as cmd
from mailgate.language import arguments as read
from mailgate.language.board_questions import read_describe
from mailgate.language.vacations import read_vacation
from mailgate.language.written_moves import read_move

READERS: Final[Mapping[str, read.Reader]] = {
    "move": read_move,
    "place": read.read_place,
    "pass": read.alone(cmd.Pass()),
    "undo": read.alone(cmd.Undo()),
    "if": read.read_if,
    "cancel ifs": read.alone(cmd.CancelIfs()),
    "resign": read.alone(cmd.Resign()),
    "dead": read.read_marks(dead=True),
    "alive": read.read_marks(dead=False),
    "done": read.alone(cmd.Done()),
    "agree": read.alone(cmd.Agree()),
    "propose": read.read_estimate,
    "resume": read.alone(cmd.Resume()),
    "void": read.alone(cmd.Void()),
    "public": read.alone(cmd.Public()),
    "private": read.alone(cmd.Public(wanted=False)),
    "watch": read.read_watch,
    "unwatch": read.read_unwatch,
    "say": read.read_say,
    "note": read.read_note(hidden=False),
    "hidden": read.read_note(hidden=True),
    "history": read.numbered(cmd.History, "(?:page )?", digits=3),
    "try": read.read_try,
    "branch": read.numbered(cmd.Branch, "(?:(?:at|from|after) )?(?:move )?", digits=4),
    "score": read.alone(cmd.AskScore()),
    "show": read.read_show,
    "describe": read_describe,
    "near": lambda rest: read_describe(f"near {rest}"),
    "group": lambda rest: read_describe(f"group {rest}"),
    "row": lambda rest: read_describe(f"row {rest}"),
    "column": lambda rest: read_describe(f"column {rest}"),
    "sgf": read.numbered(cmd.Sgf, read.GAME),
    "kifu": read.read_kifu,
    "review": read.read_review,
    "gui": read.choice({"": cmd.Gui(on=True), "off": cmd.Gui(on=False)}),
    "games": read.alone(cmd.Games()),
    "new": read.read_new,
    "challenges": read.alone(cmd.Challenges()),
    "take": read.numbered(cmd.Take, "(?:the )?(?:challenge |game )?"),
    "rematch": read.read_rematch,
    "yes": read.alone(cmd.Yes()),
    "counter": read.read_counter,
    "no": read.alone(cmd.No()),
    "withdraw": read.alone(cmd.Withdraw()),
    "block": read.read_block(cmd.Block),
    "unblock": read.read_block(cmd.Unblock),
    "move me to": read.read_relocate,
    "settings": read.alone(cmd.ShowSettings()),
    "emails": read.read_emails,
    "digest": read.read_digest,
    "vacation": read_vacation,
    "back": read.alone(cmd.Vacation()),
    "weekends": read.read_weekends,
    "timezone": read.read_timezone,
    "name": read.read_name,
    "i am": read.read_i_am,
    "players": read.choice(
        {"": cmd.Players(), "on": cmd.Listed(wanted=True), "off": cmd.Listed(wanted=False)}
    ),
    "export": read.alone(cmd.Export()),
    "forget me": read.alone(cmd.Forget()),
    "plain": read.read_plain,
    "boards": read.read_boards,
    "receipts": read.read_switch(cmd.Receipts),
    "reviews": read.read_switch(cmd.Reviews),
    "words": read.read_words,
    "stop": read.read_stop,
    "send": read.alone(cmd.Send()),
    "help": read.read_help,
    "learn": read.read_learn,
}
"""What reads the words after each verb; None of them for what is no argument of it."""
AS_WRITTEN = frozenset(
    (
        *("say", "new", "counter", "name", "note", "hidden", "timezone", "i am", "move me to"),
        *("block", "unblock", "watch", "rematch"),
    )
)
"""Verbs whose arguments are read as they were written, and not in lower case."""
FREE_WORDS = frozenset(["say", "note", "hidden"])
"""Those of them whose arguments are any words at all, a question too."""


@dataclass(frozen=True, slots=True)
class Verb:
    """What we say of a verb: its arguments, what it does, when it fails, and examples."""

    verb: str
    arguments: str
    help: str
    fails: str
    examples: tuple[str, ...]


@cache
def verbs() -> Mapping[str, Verb]:
    """Every verb that we explain, in the order of the help letter."""
    text = (files("mailgate.language") / "verbs.toml").read_text(encoding="utf-8")
    return {
        verb: Verb(verb, **{**said, "examples": tuple(said["examples"])})
        for verb, said in tomllib.loads(text).items()
    }
