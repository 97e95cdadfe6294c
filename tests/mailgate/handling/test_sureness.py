"""The outcome of each verb by the certainty of its author.

tests/data/sureness_table.txt has a line for each verb, at a moment when it is possible, with its
outcome for nine kinds of letters by Alice or in her name. REGENERATE_STATE_TABLE=1 writes it again:
review the changes.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

import pytest

from godaemon.games import commands as cmd
from godaemon.games.notices import DueNotice, Kind
from mailgate.language.parser import parse_text
from tests.mailgate.handling import test_state_table
from tests.mailgate.handling.test_state_table import (
    BOARD,
    COMMANDS,
    PHASES,
    REGENERATE,
    Cell,
    broken_rules,
)
from tests.support.gateway import Gateway, Person
from tests.support.scenes import play_lines

FILE = Path(__file__).parents[2] / "data" / "sureness_table.txt"
SERVER = "mx.go.example"
FAILED = {"authentication_results": f"{SERVER}; dmarc=fail (p=reject) header.from=players.example"}
VOUCHED = {"authentication_results": f"{SERVER}; dmarc=pass header.from=players.example"}
pytestmark = [pytest.mark.xdist_group("sureness"), pytest.mark.slow]
"""One process makes the whole table, and no other."""
MOMENTS = {
    "place": "placing",
    **dict.fromkeys(("dead", "alive", "done", "propose", "resume"), "counting"),
    **dict.fromkeys(("yes", "no"), "asked"),
    "withdraw": "invited",
}
"""When a verb is said; the others, and words, while Alice is to move."""


class Table(test_state_table.Table):
    """One moment, prepared once; every letter finds it as it was."""

    def __init__(self, moment: str) -> None:
        self.gateway = Gateway(trusted=SERVER)
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.phone = self.gateway.person("Phone")
        play_lines(self.gateway, PHASES[moment][1])
        self.newest, self.oldest = self.alice.newest(), self.alice.letters()[0]
        self.state = self._prepared = self.gateway.writer.state
        self._start = self.gateway.now

    def send(self, way: str, text: str) -> Cell:
        self.gateway.writer.state, self.gateway.now = self._prepared.copy(), self._start
        self.gateway.cache.clear()
        self.state = self._prepared
        WAYS[way](self, text)
        return Cell(self, self.alice)

    def more(self, write: Callable[[], object]) -> Cell:
        """The outcome of a further letter."""
        self.state = self.gateway.writer.state.copy()
        write()
        return Cell(self, self.alice)


Way = Callable[[Table, str], object]


def reply_to(letter: str, who: str = "alice", header: Mapping[str, str] | None = None) -> Way:
    """A reply to one of Alice's letters."""

    def write(table: Table, text: str) -> None:
        answered: DueNotice = getattr(table, letter)
        writer: Person = getattr(table, who)
        writer.reply(text, to=answered, header={"subject": "Go", **(header or {})})

    return write


def new_letter(header: Mapping[str, str] | None = None) -> Way:
    return lambda table, text: table.alice.write(text, header=header)


def reply_long_after_end(table: Table, text: str) -> None:
    """A reply to the last letter of a game that ended long ago."""
    began = table.gateway.game().black is not None
    table.alice.reply("resign" if began else "withdraw", to=table.newest)
    last = table.alice.newest()
    table.gateway.wait(days=100)
    table.state = table.gateway.writer.state.copy()
    table.alice.reply(text, to=last, subject="Go")


WAYS: Mapping[str, Way] = {
    "newest": reply_to("newest"),
    "old": reply_to("oldest"),
    "unknown address": reply_to("newest", "phone"),
    "another's seat": reply_to("newest", "bob"),
    "failed": reply_to("newest", header=FAILED),
    "failed, no token": new_letter(FAILED),
    "vouched, no token": new_letter(VOUCHED),
    "no token": new_letter(),
    "long over": reply_long_after_end,
}
NOT_HERS = ("unknown address", "another's seat", "failed", "failed, no token", "long over")
NO_TOKEN = ("failed, no token", "vouched, no token", "no token")
BEGINS = ("new", "take", "branch")
"""Commands that start a game, which the game's own letter confirms."""


@cache
def table(moment: str) -> Table:
    return Table(moment)


def has_wide_effect(command: str) -> bool:
    """True for a verb with effects beyond its game."""
    commands = parse_text([COMMANDS[command]]).commands if command in VERBS else ()
    return any(isinstance(one.command, cmd.OutsideEffect) for one in commands)


VERBS = [command for command in COMMANDS if not command.startswith("(")]


@cache
def cells() -> Mapping[tuple[str, ...], Cell]:
    return {
        (command, way): table(MOMENTS.get(command, "playing")).send(way, text)
        for command, text in COMMANDS.items()
        for way in WAYS
    }


def rules(command: str, way: str, one: Cell) -> dict[str, bool]:
    """What holds for each cell: an old letter may pass words on, or be a new proposal's newest."""
    acts, at_a_moment = bool(one.events or one.said), command in (*MOMENTS, "private")
    is_sure = way in ("newest", "vouched, no token")
    is_old = way == "old" and (one.others == [Kind.CHAT] or at_a_moment)
    is_own = command in ("new", "vacation", "weekends")
    plain_old = way == "old" and command not in (*MOMENTS, *BEGINS, "watch")
    as_newest = one.mine == [Kind.REFUSED] or str(one) == str(cells()[command, "newest"])
    changes_board = any(isinstance(event, BOARD) for event in one.events)
    return {
        "a doubtful letter does nothing": way not in NOT_HERS or not acts,
        "a doubtful letter reaches nobody else": is_sure or not one.others or is_old,
        "only a forger gets no answer": bool(one.mine) != (way == "failed, no token"),
        "an old letter changes no board": way != "old" or not changes_board,
        "an old letter with effects beyond its game needs a yes": not plain_old
        or (str(one) == "confirm" if has_wide_effect(command) else as_newest),
        "a letter without token changes no game": way not in NO_TOKEN or is_own or not acts,
    }


def test_each_cell_keeps_the_rules() -> None:
    """Whatever the verb, and however certain its author."""
    assert broken_rules(cells(), rules) == []


@pytest.mark.parametrize("way", ["old", "failed"])
def test_a_yes_carries_out_the_doubtful_letter(way: str) -> None:
    """As if it had been her newest."""
    for command in VERBS:
        here = table(MOMENTS.get(command, "playing"))
        confirms = Kind.CONFIRM in here.send(way, COMMANDS[command]).mine
        if confirms and not (command in BEGINS and way == "old"):
            done = here.more(partial(here.alice.reply, "yes", to=here.alice.newest(Kind.CONFIRM)))
            assert str(done) == str(cells()[command, "newest"]), command


def test_the_table_matches_the_file() -> None:
    """A change is reviewed in the file's diff."""
    lines = ["# Made by tests/mailgate/handling/test_sureness.py: what comes of each verb.\n"]
    for command in COMMANDS:
        found = [f"{way}: {cells()[command, way]}" for way in WAYS]
        lines.append(f"{command} | {' | '.join(found)}\n")
    if REGENERATE:
        FILE.write_text("".join(lines), encoding="utf-8")
    assert "".join(lines) == FILE.read_text(encoding="utf-8")
