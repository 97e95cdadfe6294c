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
from godaemon.games import events as ev
from godaemon.games.notices import DueNotice, Kind
from mailgate.language.parser import parse_text
from tests.mailgate.handling import test_state_table
from tests.mailgate.handling.test_state_table import COMMANDS, PHASES, REGENERATE, Cell
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
BOARD = (ev.Placed, ev.Moved, ev.Passed, ev.Resigned, ev.Marked, ev.Agreed, ev.Resumed, ev.Finished)


def confirm(table: Table) -> None:
    table.alice.reply("yes", to=table.alice.newest(Kind.CONFIRM))


@cache
def table(moment: str) -> Table:
    return Table(moment)


def moment_of(command: str) -> str:
    return MOMENTS.get(command, "playing")


def has_wide_effect(command: str) -> bool:
    """True for a verb with effects beyond its game."""
    commands = parse_text([COMMANDS[command]]).commands if command in VERBS else ()
    return any(isinstance(one.command, cmd.OutsideEffect) for one in commands)


VERBS = [command for command in COMMANDS if not command.startswith("(")]


@cache
def cells() -> Mapping[tuple[str, str], Cell]:
    return {
        (command, way): table(moment_of(command)).send(way, text)
        for command, text in COMMANDS.items()
        for way in WAYS
    }


def failing_cells(rule: Callable[[str, str, Cell], bool]) -> list[str]:
    """The cells that break a rule."""
    return [
        f"{command}, {way}: {one}"
        for (command, way), one in cells().items()
        if not rule(command, way, one)
    ]


def test_doubtful_letters_do_nothing() -> None:
    """From another address, with a DMARC failure, or long after the game."""
    assert (
        failing_cells(lambda _, way, one: way not in NOT_HERS or not (one.events or one.said)) == []
    )


def test_doubtful_letters_reach_nobody_else() -> None:
    """Exceptions: an old letter passes words on; the letter of a new proposal is its newest."""
    sure = ("newest", "vouched, no token")

    def rule(command: str, way: str, one: Cell) -> bool:
        known = one.others == [Kind.CHAT] or command in (*MOMENTS, "private")
        old = way == "old" and known
        return way in sure or not one.others or old

    assert failing_cells(rule) == []


def test_a_repeated_doubtful_letter_is_asked_about_once() -> None:
    """Five copies make one question."""
    for way in ("old", "failed", "failed, no token", "unknown address", "another's seat"):
        here = table("playing")
        count = here.send(way, "block all").mine.count(Kind.CONFIRM)
        for _ in range(4):
            second = here.more(partial(WAYS[way], here, "block all"))
            count += second.mine.count(Kind.CONFIRM)
        assert count == (way != "failed, no token"), way


def test_only_a_forger_gets_no_answer() -> None:
    """Alice always gets one."""
    assert failing_cells(lambda _, way, one: bool(one.mine) != (way == "failed, no token")) == []


def test_an_old_letter_changes_no_board() -> None:
    """Effects beyond its game need a yes; other commands work as in the newest letter."""
    newest = {command: str(one) for (command, way), one in cells().items() if way == "newest"}

    def rule(command: str, way: str, one: Cell) -> bool:
        if way != "old" or command in (*MOMENTS, *BEGINS, "watch"):
            return True
        if has_wide_effect(command):
            return str(one) == "confirm"
        return one.mine == [Kind.REFUSED] or str(one) == newest[command]

    assert failing_cells(rule) == []
    boards = failing_cells(
        lambda _, way, one: (
            way != "old" or not any(isinstance(event, BOARD) for event in one.events)
        )
    )
    assert boards == []


@pytest.mark.parametrize("way", ["old", "failed"])
def test_a_yes_carries_out_the_doubtful_letter(way: str) -> None:
    """As if it had been her newest."""
    for command in VERBS:
        here = table(moment_of(command))
        confirms = Kind.CONFIRM in here.send(way, COMMANDS[command]).mine
        if confirms and not (command in BEGINS and way == "old"):
            done = here.more(partial(confirm, here))
            assert str(done) == str(cells()[command, "newest"]), command


def test_a_letter_without_token_changes_no_game() -> None:
    """A vouched one can change settings and start a game."""

    def rule(command: str, way: str, one: Cell) -> bool:
        own = command in ("new", "vacation", "weekends")
        return way not in NO_TOKEN or own or not (one.events or one.said)

    assert failing_cells(rule) == []


def test_the_table_matches_the_file() -> None:
    """A change is reviewed in the file's diff."""
    lines = ["# Made by tests/mailgate/handling/test_sureness.py: what comes of each verb.\n"]
    for command in COMMANDS:
        found = [f"{way}: {cells()[command, way]}" for way in WAYS]
        lines.append(f"{command} | {' | '.join(found)}\n")
    if REGENERATE:
        FILE.write_text("".join(lines), encoding="utf-8")
    assert "".join(lines) == FILE.read_text(encoding="utf-8")


def test_waiting_questions_follow_one_another() -> None:
    """Each answer brings the next one, whatever limits are used up."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, gateway.person("Bob"))
    start = alice.newest()
    gateway.play(alice, gateway.person("Bob"), "D4 E5")
    for word in ("block", "unblock", "stop"):
        alice.reply(word, to=start)
    gateway.strangers = 1
    for word, kinds in (("no", ["refused", "confirm"]), ("yes", ["blocked", "confirm"])):
        mark = len(alice.kinds())
        alice.reply(word, to=alice.newest(Kind.CONFIRM))
        assert alice.kinds()[mark:] == kinds
