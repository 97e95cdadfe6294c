"""Every verb and topic of the players' language: readers of arguments, and explanations.

Pure once loaded; raises nothing itself. `words/` has the words for a verb, `verbs.toml` when it
fails, `topics.toml` the lines of a topic, and `godaemon.texts` the explanations. The help email is
made from these.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any, Final

from godaemon.games import commands as cmd
from godaemon.texts.catalogue import say, sentence
from mailgate.language import arguments as read
from mailgate.language.written_moves import normalize, read_move
from mailgate.language.written_times import read_vacation

_GAME = r"(?:of |in )*(?:game )?#?(\d{1,9})?"
"""The number of a game, or nothing."""


def bare_reader(command: cmd.Command, **others: cmd.Command) -> read.Reader:
    """A reader of a verb without arguments, or with one of the words in `others`."""
    return lambda rest: others.get(read.normalize_arguments(rest)) if rest else command


def pattern_reader(pattern: str, command: Callable[..., cmd.Command | None]) -> read.Reader:
    """A reader of arguments that match a pattern; its groups, digits as `int`, make a command.

    >>> pattern_reader("(?:page )?([0-9]{1,3})?", cmd.History)("page 2")
    History(page=2)
    """
    whole = re.compile(pattern)

    def _read(rest: str) -> cmd.Command | None:
        found = whole.fullmatch(read.normalize_arguments(rest))
        groups = found.groups() if found else ()
        known = (int(one) if one and one.isdigit() else one for one in groups)
        return command(*known) if found else None

    return _read


_describe = pattern_reader(read.DESCRIBE_PATTERN, read.build_describe)
_review = pattern_reader(_GAME, cmd.Review)
READERS: Final[Mapping[str, read.Reader]] = {
    "move": lambda rest: read_move(rest.casefold()),
    "place": read.read_place,
    "pass": bare_reader(cmd.Pass()),
    "undo": bare_reader(cmd.Undo()),
    "if": read.read_if,
    "cancel ifs": bare_reader(cmd.CancelIfs()),
    "resign": bare_reader(cmd.Resign()),
    "dead": partial(read.read_marks, dead=True),
    "alive": partial(read.read_marks, dead=False),
    "done": bare_reader(cmd.Done()),
    "agree": bare_reader(cmd.Agree()),
    "propose": read.read_estimate,
    "resume": bare_reader(cmd.Resume()),
    "void": bare_reader(cmd.Void()),
    "public": bare_reader(cmd.Public()),
    "private": bare_reader(cmd.Public(wanted=False)),
    "watch": read.read_watch,
    "unwatch": pattern_reader(_GAME, cmd.Unwatch),
    "say": read.read_say,
    "note": partial(read.read_note, hidden=False),
    "hidden": partial(read.read_note, hidden=True),
    "history": pattern_reader(r"(?:page )?#?(\d{1,3})?", cmd.History),
    "try": read.read_try,
    "branch": pattern_reader(r"(?:(?:at|from|after) )?(?:move )?#?(\d{1,4})?", cmd.Branch),
    "score": bare_reader(cmd.AskScore()),
    "show": read.read_show,
    "describe": _describe,
    "near": lambda rest: _describe(f"near {rest}"),
    "group": lambda rest: _describe(f"group {rest}"),
    "row": lambda rest: _describe(f"row {rest}"),
    "column": lambda rest: _describe(f"column {rest}"),
    "sgf": pattern_reader(_GAME, cmd.Sgf),
    "kifu": read.read_kifu,
    "gif": pattern_reader(_GAME, cmd.Gif),
    "review": lambda rest: _review(rest) or read.read_switch(rest, cmd.Reviews),
    "gui": bare_reader(cmd.Gui(), off=cmd.Gui(on=False)),
    "games": bare_reader(cmd.Games()),
    "new": read.read_new,
    "challenges": bare_reader(cmd.Challenges()),
    "take": pattern_reader(r"(?:the )?(?:challenge |game )?#?(\d{1,9})?", cmd.Take),
    "rematch": read.read_rematch,
    "yes": bare_reader(cmd.Yes()),
    "counter": read.read_counter,
    "no": bare_reader(cmd.No()),
    "withdraw": bare_reader(cmd.Withdraw()),
    "block": partial(read.read_block, kind=cmd.Block),
    "unblock": partial(read.read_block, kind=cmd.Unblock),
    "move me to": read.read_relocate,
    "settings": bare_reader(cmd.ShowSettings()),
    "emails": read.read_emails,
    "digest": read.read_digest,
    "vacation": read_vacation,
    "back": bare_reader(cmd.Vacation()),
    "weekends": pattern_reader(
        "(off|free|on)?(?: everywhere| (?:in )?all games)?",
        lambda word: cmd.Set("weekends_off", word != "on"),
    ),
    "timezone": read.read_timezone,
    "language": read.read_language,
    "name": read.read_name,
    "i am": read.read_i_am,
    "players": bare_reader(
        cmd.Players(), on=cmd.Set("listed", value=True), off=cmd.Set("listed", value=False)
    ),
    "export": bare_reader(cmd.Export()),
    "forget me": bare_reader(cmd.Forget()),
    "plain": pattern_reader("(on|off)?", lambda word: cmd.Set("plain", word != "off")),
    "calendar": pattern_reader("(on|off)?", lambda word: cmd.Set("calendar", word != "off")),
    "boards": pattern_reader(
        "(?:(picture|table|words)s?(?:,? |$))?(?:(?:and |with )?coordinates (on|two|2|off|all))?",
        read.build_boards,
    ),
    "receipts": partial(read.read_switch, kind=cmd.Receipts),
    "reviews": partial(read.read_switch, kind=cmd.Reviews),
    "words": pattern_reader("(ask|send)", lambda word: cmd.Set("sends_words", word == "send")),
    "stop": read.read_stop,
    "send": bare_reader(cmd.Send()),
    "help": read.read_help,
    "learn": pattern_reader(r"(?:lesson )?(\d)?[ :,]*([a-z]-?\d{1,2})?", read.build_learn),
}
"""The reader of each verb's arguments; it returns None for words that are not arguments."""
FREE_WORDS = frozenset(["say", "note", "hidden"])
"""Verbs with any words as arguments, even a question."""


@dataclass(frozen=True, slots=True)
class Verb:
    """The explanation of a verb: its arguments, what it does, when it fails, and examples."""

    verb: str
    arguments: str
    fails: str
    examples: tuple[str, ...]

    @property
    def key(self) -> str:
        """The message key of what it does."""
        return f"help-{self.verb.replace(' ', '-')}"

    @property
    def help(self) -> str:
        """What it does, in a few words."""
        return say(self.key)


@cache
def verbs() -> Mapping[str, Verb]:
    """Every verb that we explain, in the order of the help letter."""
    text = (files("mailgate.language") / "verbs.toml").read_text(encoding="utf-8")
    return {
        verb: Verb(verb, **{**entry, "examples": tuple(entry["examples"])})
        for verb, entry in tomllib.loads(text).items()
    }


@dataclass(frozen=True, slots=True)
class Topic:
    """An explanation, and lines to reply with."""

    name: str
    key: str
    lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The sentence in the reader's language; empty for talk."""
        return say(self.key) if self.key else ""

    @property
    def sentence(self) -> str:
        """The sentence for a refusal, which may be read in another language."""
        return sentence(self.key) if self.key else ""


@cache
def _topics() -> tuple[Mapping[str, Topic], Mapping[str, Topic]]:
    """Topics of intents by name, and words of Go by each of their names."""
    entries = tomllib.loads((files("mailgate.language") / "topics.toml").read_text("utf-8"))
    words, known = entries.pop("go"), dict[str, Topic]()
    intents = {name: _build_topic(name, one) for name, one in entries.items()}
    for name, one in words.items():
        for alias in (name, *one["names"]):
            known.setdefault(normalize(alias), _build_topic(name, {**one, "lines": ["learn"]}))
    return intents, known


def _build_topic(name: str, entry: Mapping[str, Any]) -> Topic:
    key = entry.get("says", name).replace(" ", "-")
    return Topic(name, f"topic-{key}", tuple(entry.get("lines", ())))


def topic(intent: str) -> Topic:
    """The topic of an intent; empty for talk."""
    return _topics()[0].get(intent, Topic(intent, ""))


def topic_named(word: str) -> Topic | None:
    """The topic that a word behind `help` names: a word of Go, a verb, or an intent."""
    intents, words = _topics()
    if word in words or word in intents:
        return words.get(word) or intents[word]
    verb = verbs().get(word)
    return Topic(word, verb.key, verb.examples) if verb is not None else None


def word_of_go(sentence: str) -> Topic | None:
    """The topic of the longest Go term in a question such as `what is sente?`, or None."""
    _, words = _topics()
    plain = normalize(sentence)
    spaced = f" {''.join(mark if mark.isalnum() else ' ' for mark in plain)} "
    unspaced = [one for one in words if not one.isascii() and one in plain]
    found = [one for one in words if one in unspaced or f" {one.replace('-', ' ')} " in spaced]
    return words[max(found, key=len)] if found else None
