"""Every command in every phase by every kind of sender has an answer.

tests/data/state_table.txt has a line for each phase and command, with the outcome for the awaited
player, for the other one, and for an answer to an older letter; `test_sureness` has other senders.
REGENERATE_STATE_TABLE=1 writes it again: review the changes.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from godaemon.games import events as ev
from godaemon.games.notices import DueNotice
from mailgate.language.verb_table import verbs
from tests.support.gateway import Gateway, Person
from tests.support.scenes import play_lines

FILE = Path(__file__).parents[2] / "data" / "state_table.txt"
pytestmark = [pytest.mark.xdist_group("state_table"), pytest.mark.slow]
"""One process makes the whole table, and no other."""
REGENERATE = bool(os.environ.get("REGENERATE_STATE_TABLE"))
SENDERS = ("awaited", "other", "stale")
COMMANDS = {entry.verb: entry.examples[0] for entry in verbs().values()} | {
    "place": "place C3 G7",
    "dead": "dead C3",
    "alive": "alive C3",
    "new": "new 9x9 vs carol@players.example",
    "move me to": "move me to elsewhere@players.example",
    "(words)": "What a lovely day it is over here!",
    "(nothing)": "",
    "(a question)": "How do I pass?",
    "(a plan)": "if I get D4 then E5 follows",
}
MOVES = "F5 G5 F4 C3 F6 G6 F7 G7 F8 G8 F9 G9 F3 G3 F2 G2 F1 G1 H8 G4"
QUIET = (ev.Said, ev.Recognised, ev.Noted)
"""Always possible outcomes of a letter: stored words, and a working address."""


ASKED = "Alice: new 9x9 as black vs bob@players.example"
PLAYING = f"game Alice Bob\nplay {MOVES.split(' F6', maxsplit=1)[0]}"
COUNTING = f"game Alice Bob\nplay {MOVES} pass pass"
PHASES = {
    "asked": ("Alice has asked for a game.", ASKED),
    "invited": ("Bob has been invited.", f"{ASKED}\nAlice: yes"),
    "declined": ("Bob did not want to.", f"{ASKED}\nAlice: yes\nBob: decline"),
    "withdrawn": ("Alice took it back.", f"{ASKED}\nAlice: yes\nAlice: withdraw"),
    "expired": ("Nobody answered.", f"{ASKED}\nAlice: yes\nwait 15 days\nexpire 14 days"),
    "placing": (
        "Black is to place two stones.",
        "game Alice Bob 9x9 handicap 2 rules chinese as black",
    ),
    "playing": ("It is Black's turn.", PLAYING),
    "counting": ("Both have passed.", COUNTING),
    "agreed": ("Bob has said done.", f"{COUNTING}\nBob: done"),
    "finished": ("So has Alice.", f"{COUNTING}\nBob: done\nAlice: done"),
    "resigned": ("Bob gave up.", f"{PLAYING}\nBob: resign\nBob: yes"),
}
"""A sentence about each phase, and the scene before it."""
AWAITED = {"invited": "Bob", "declined": "Bob"}
"""The awaited player, if it is not Alice."""


class Table:
    """One phase, prepared once; every letter finds it as it was."""

    def __init__(self, phase: str) -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        play_lines(self.gateway, PHASES[phase][1])
        pair = (self.alice, self.bob)
        self.awaited, self.other = pair[::-1] if AWAITED.get(phase) == "Bob" else pair
        self.state = self.gateway.writer.state
        self._games = dict(self.gateway.cache._games)

    def send(self, sender: str, text: str) -> "Cell | None":
        """The outcome of a letter; None if nobody could send it."""
        self.gateway.writer.state = self.state.copy()
        self.gateway.cache.clear()
        self.gateway.cache._games.update(self._games)
        due = self._answered(sender)
        if due is None:
            return None
        person = self.other if sender == "other" else self.awaited
        person.reply(text, to=due, subject="Go")
        return Cell(self, person)

    def _answered(self, sender: str) -> DueNotice | None:
        """The letter of ours that is answered."""
        letters = (self.other if sender == "other" else self.awaited).letters()
        if sender != "stale":
            return letters[-1] if letters else None
        tokens = {self.gateway.token(due) for due in letters}
        return letters[0] if len(tokens) > 1 else None


class Cell:
    """The outcome of one letter."""

    def __init__(self, table: Table, person: Person) -> None:
        before, after = table.state, table.gateway.writer.state
        fresh = [
            queued.due for number, queued in after.outbox.items() if number not in before.outbox
        ]
        self.mine = [due.notice.kind for due in fresh if due.notice.to == person.address]
        self.others = [due.notice.kind for due in fresh if due.notice.to != person.address]
        log = [
            entry.event
            for game, entries in after.logs.items()
            for entry in entries[len(before.logs.get(game, ())) :]
        ]
        self.events = [event for event in log if not isinstance(event, QUIET)]
        self.said = any(isinstance(event, ev.Said) for event in log)
        self.quarantined = len(after.quarantined) - len(before.quarantined)

    def __str__(self) -> str:
        done = [type(event).__name__ for event in self.events] + ["Said"] * self.said
        others = [f"to others {' '.join(map(str, self.others))}"] * bool(self.others)
        return "; ".join(filter(None, [" ".join(done), " ".join(self.mine), *others])) or "-"


@cache
def cells() -> Mapping[tuple[str, str, str], Cell]:
    return dict(_cells())


def _cells() -> Iterator[tuple[tuple[str, str, str], Cell]]:
    for phase in PHASES:
        table = Table(phase)
        for command, text in COMMANDS.items():
            for sender in SENDERS:
                cell = table.send(sender, text)
                if cell is not None:
                    yield (phase, command, sender), cell


def written() -> str:
    """The table in the format of the file."""
    lines = ["# Made by tests/mailgate/handling/test_state_table.py: what comes of each command.\n"]
    for phase in PHASES:
        lines.append(f"\n[{phase}] {PHASES[phase][0]}\n")
        for command in COMMANDS:
            found = [
                f"{sender}: {cell}"
                for sender in SENDERS
                if (cell := cells().get((phase, command, sender))) is not None
            ]
            lines.append(f"{command} | {' | '.join(found)}\n")
    return "".join(lines)


# -- what holds for each cell ------------------------------------------------------------------
def each_player_gets_an_answer(_: str, __: str, ___: str, cell: Cell) -> bool:
    """Whatever they write, and whenever."""
    return bool(cell.mine)


def an_older_letter_changes_no_board(_: str, __: str, sender: str, cell: Cell) -> bool:
    """An answer to an older letter is refused; chat and questions are not."""
    moves = (ev.Moved, ev.Passed, ev.Resigned, ev.Marked, ev.Agreed, ev.Resumed, ev.Finished)
    return sender != "stale" or not any(isinstance(event, moves) for event in cell.events)


def nobody_moves_out_of_turn(phase: str, command: str, sender: str, cell: Cell) -> bool:
    """During play, the other player can only use the commands listed here."""
    allowed = ("undo", "if", "new", "branch", "void", "withdraw", "vacation", "weekends")
    playing = sender == "other" and phase in ("playing", "placing")
    return not playing or command in (*allowed, "public", "private") or not cell.events


def a_finished_game_stays_finished(phase: str, command: str, _: str, cell: Cell) -> bool:
    """Also a proposal that was declined, withdrawn or expired."""
    over = phase in ("finished", "resigned", "declined", "withdrawn", "expired")
    return not over or command in ("new", "rematch", "branch") or not cell.events


def questions_and_plans_are_not_passed_on(_: str, command: str, __: str, cell: Cell) -> bool:
    """In any phase."""
    return command not in ("(a question)", "(a plan)") or not cell.said


def no_letter_is_quarantined(_: str, __: str, ___: str, cell: Cell) -> bool:
    """A letter meets no bug of ours."""
    return not cell.quarantined


RULES = (
    each_player_gets_an_answer,
    an_older_letter_changes_no_board,
    nobody_moves_out_of_turn,
    a_finished_game_stays_finished,
    questions_and_plans_are_not_passed_on,
    no_letter_is_quarantined,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_each_cell_keeps_the_rule(rule: Callable[[str, str, str, Cell], bool]) -> None:
    """The docstring of each rule describes it."""
    assert [" ".join(key) for key, cell in cells().items() if not rule(*key, cell)] == []


def test_the_table_matches_the_file() -> None:
    """A change is reviewed in the file's diff."""
    if REGENERATE:
        FILE.write_text(written(), encoding="utf-8")
    assert written() == FILE.read_text(encoding="utf-8")
