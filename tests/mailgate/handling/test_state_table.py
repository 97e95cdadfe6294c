"""Every command in every phase by every kind of sender has an answer.

tests/data/state_table.txt has a line for each phase and command, with the outcome for the awaited
player, for the other one, and for an answer to an older letter; `test_sureness` has other senders.
REGENERATE_STATE_TABLE=1 writes it again: review the changes.
"""

import os
from collections.abc import Callable, Mapping
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
def cells() -> Mapping[tuple[str, ...], Cell]:
    tables = {phase: Table(phase) for phase in PHASES}
    return {
        (phase, command, sender): cell
        for phase, table in tables.items()
        for command, text in COMMANDS.items()
        for sender in SENDERS
        if (cell := table.send(sender, text)) is not None
    }


def written() -> str:
    """The table in the format of the file."""
    lines = ["# Made by tests/mailgate/handling/test_state_table.py: what comes of each command.\n"]
    for phase in PHASES:
        lines.append(f"\n[{phase}] {PHASES[phase][0]}\n")
        for command in COMMANDS:
            row = ((sender, cells().get((phase, command, sender))) for sender in SENDERS)
            found = [f"{sender}: {cell}" for sender, cell in row if cell is not None]
            lines.append(f"{command} | {' | '.join(found)}\n")
    return "".join(lines)


BOARD = (ev.Placed, ev.Moved, ev.Passed, ev.Resigned, ev.Marked, ev.Agreed, ev.Resumed, ev.Finished)
ANYTIME = (
    *("undo", "if", "new", "branch", "void", "withdraw", "vacation", "weekends"),
    *("public", "private"),
)
"""What the player who is not to move may do."""


def rules(phase: str, command: str, sender: str, cell: Cell) -> dict[str, bool]:
    """What holds for each cell."""
    changes_board = any(isinstance(event, BOARD) for event in cell.events)
    is_out_of_turn = sender == "other" and phase in ("playing", "placing")
    is_over = phase in ("finished", "resigned", "declined", "withdrawn", "expired")
    begins = command in ("new", "rematch", "branch")
    asks_us = command in ("(a question)", "(a plan)")
    return {
        "each player gets an answer": bool(cell.mine),
        "an older letter changes no board": sender != "stale" or not changes_board,
        "nobody moves out of turn": not is_out_of_turn or command in ANYTIME or not cell.events,
        "a finished game stays finished": not is_over or begins or not cell.events,
        "questions and plans are not passed on": not asks_us or not cell.said,
        "no letter is quarantined": not cell.quarantined,
    }


def broken_rules(
    cells: Mapping[tuple[str, ...], Cell], rules: Callable[..., Mapping[str, bool]]
) -> list[tuple[str, ...]]:
    """Each rule that a cell breaks, with the cell's key."""
    return [
        (rule, *key)
        for key, cell in cells.items()
        for rule, holds in rules(*key, cell).items()
        if not holds
    ]


def test_each_cell_keeps_the_rules() -> None:
    """Whoever writes, whenever."""
    assert broken_rules(cells(), rules) == []


def test_the_table_matches_the_file() -> None:
    """A change is reviewed in the file's diff."""
    if REGENERATE:
        FILE.write_text(written(), encoding="utf-8")
    assert written() == FILE.read_text(encoding="utf-8")
