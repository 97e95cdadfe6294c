"""Every command in every phase by every kind of sender has an answer.

tests/data/state_table.txt has a line for each phase and command, with the outcome for the awaited
player, for the opponent, for the opponent or a stranger with the player's token, and for an answer
to an older letter. REGENERATE_STATE_TABLE=1 writes it again: review the changes.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from godaemon.games import events as ev
from godaemon.games.notices import DueNotice, Kind
from mailgate.language.verb_table import verbs
from tests.support.gateway import Gateway, Person

FILE = Path(__file__).parents[2] / "data" / "state_table.txt"
pytestmark = [pytest.mark.xdist_group("state_table"), pytest.mark.slow]
"""One process makes the whole table, and no other."""
REGENERATE = bool(os.environ.get("REGENERATE_STATE_TABLE"))
SENDERS = ("awaited", "other", "opponent", "stranger", "stale")
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


def asked(gateway: Gateway, alice: Person, bob: Person, terms: str = "9x9 as black") -> None:
    """Alice has asked for a game."""
    alice.write(f"new {terms} vs {bob.address}")


def invited(gateway: Gateway, alice: Person, bob: Person) -> None:
    """Bob has been invited."""
    asked(gateway, alice, bob)
    alice.reply("yes")


def declined(gateway: Gateway, alice: Person, bob: Person) -> None:
    """Bob did not want to."""
    invited(gateway, alice, bob)
    bob.reply("decline")


def withdrawn(gateway: Gateway, alice: Person, bob: Person) -> None:
    """Alice took it back."""
    invited(gateway, alice, bob)
    alice.reply("withdraw")


def expired(gateway: Gateway, alice: Person, bob: Person) -> None:
    """Nobody answered."""
    invited(gateway, alice, bob)
    gateway.wait(days=15)
    gateway.expire(days=14)


def placing(gateway: Gateway, alice: Person, bob: Person) -> None:
    """Black is to place two stones."""
    gateway.start(alice, bob, "9x9 handicap 2 rules chinese as black")


def playing(gateway: Gateway, alice: Person, bob: Person) -> None:
    """It is Black's turn."""
    gateway.start(alice, bob)
    gateway.play(alice, bob, MOVES.split(" F6", maxsplit=1)[0])


def counting(gateway: Gateway, alice: Person, bob: Person) -> None:
    """Both have passed."""
    gateway.start(alice, bob)
    gateway.play(alice, bob, f"{MOVES} pass pass")


def agreed(gateway: Gateway, alice: Person, bob: Person) -> None:
    """Bob has said done."""
    counting(gateway, alice, bob)
    bob.reply("done")


def finished(gateway: Gateway, alice: Person, bob: Person) -> None:
    """So has Alice."""
    agreed(gateway, alice, bob)
    alice.reply("done")


def resigned(gateway: Gateway, alice: Person, bob: Person) -> None:
    """Bob gave up."""
    playing(gateway, alice, bob)
    bob.resign()


PHASES: Mapping[str, Callable[[Gateway, Person, Person], None]] = {
    prepare.__name__: prepare
    for prepare in (
        *(asked, invited, declined, withdrawn, expired, placing, playing, counting, agreed),
        *(finished, resigned),
    )
}
AWAITED = {"invited": "Bob", "declined": "Bob"}
"""Who is meant by `awaited`, where it is not Alice."""


class Table:
    """One phase, prepared once; every letter finds it as it was."""

    def __init__(self, phase: str) -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.eve = self.gateway.person("Eve")
        PHASES[phase](self.gateway, self.alice, self.bob)
        pair = (self.alice, self.bob)
        self.awaited, self.other = pair[::-1] if AWAITED.get(phase) == "Bob" else pair
        self.state = self.gateway.writer.state
        self._games = dict(self.gateway.cache._games)

    def send(self, sender: str, text: str) -> "Cell | None":
        """The outcome of a letter; None if nobody could send it."""
        writer = {"other": self.other, "opponent": self.other, "stranger": self.eve}
        self.gateway.writer.state = self.state.copy()
        self.gateway.cache.clear()
        self.gateway.cache._games.update(self._games)
        due = self._answered(sender)
        if due is None:
            return None
        person = writer.get(sender, self.awaited)
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
    """What came of one letter."""

    def __init__(self, table: Table, person: Person) -> None:
        before, after = table.state, table.gateway.writer.state
        fresh = [owed.due for number, owed in after.outbox.items() if number not in before.outbox]
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
        lines.append(f"\n[{phase}] {PHASES[phase].__doc__}\n")
        for command in COMMANDS:
            found = [
                f"{sender}: {cell}"
                for sender in SENDERS
                if (cell := cells().get((phase, command, sender))) is not None
            ]
            lines.append(f"{command} | {' | '.join(found)}\n")
    return "".join(lines)


# -- what holds for each cell ------------------------------------------------------------------
def no_player_is_left_without_an_answer(_: str, __: str, sender: str, cell: Cell) -> bool:
    """Whatever one of the two writes, and whenever, something comes back to them."""
    return bool(cell.mine) or sender not in ("awaited", "other", "stale")


def somebody_elses_letter_does_nothing(_: str, __: str, sender: str, cell: Cell) -> bool:
    """A token from another address does nothing; the seat is asked."""
    quiet = not cell.events and not cell.said and not cell.mine
    only_confirms = set(cell.others) <= {Kind.CONFIRM}
    return sender not in ("opponent", "stranger") or (quiet and only_confirms)


def an_older_letter_changes_no_board(_: str, __: str, sender: str, cell: Cell) -> bool:
    """An answer to an older letter is refused; chat and questions are not."""
    moves = (ev.Moved, ev.Passed, ev.Resigned, ev.Marked, ev.Agreed, ev.Resumed, ev.Finished)
    return sender != "stale" or not any(isinstance(event, moves) for event in cell.events)


def nobody_moves_out_of_turn(phase: str, command: str, sender: str, cell: Cell) -> bool:
    """While it is played, the other player can only undo, plan, rest, open and write."""
    allowed = ("undo", "if", "new", "branch", "void", "withdraw", "vacation", "weekends")
    playing = sender == "other" and phase in ("playing", "placing")
    return not playing or command in (*allowed, "public", "private") or not cell.events


def what_is_over_stays_over(phase: str, command: str, _: str, cell: Cell) -> bool:
    """After the end, and after an end before the start, no command changes the game."""
    over = phase in ("finished", "resigned", "declined", "withdrawn", "expired")
    return not over or command in ("new", "rematch", "branch") or not cell.events


def what_is_meant_for_us_is_told_to_nobody(_: str, command: str, __: str, cell: Cell) -> bool:
    """In no phase, and by nobody."""
    return command not in ("(a question)", "(a plan)") or not cell.said


def nothing_is_our_fault(_: str, __: str, ___: str, cell: Cell) -> bool:
    """No cell ends in quarantine."""
    return not cell.quarantined


RULES = (
    *(no_player_is_left_without_an_answer, somebody_elses_letter_does_nothing),
    *(an_older_letter_changes_no_board, nobody_moves_out_of_turn, what_is_over_stays_over),
    *(what_is_meant_for_us_is_told_to_nobody, nothing_is_our_fault),
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
