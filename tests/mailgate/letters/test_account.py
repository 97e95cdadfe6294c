"""The letters about mailboxes, in the words that a person reads."""

from __future__ import annotations

import pytest

from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from mailgate.language.command_lines import is_command_line
from tests.mailgate.letters.test_compose import begun

ALICE, NEW = "alice@players.example", "alice@new.example"
MOVING = {"moving": 1, "nonce": "n", "old": ALICE, "new": NEW, "all": False, "number": 1}


@pytest.mark.parametrize(
    ("kind", "about", "game", "first"),
    [
        (
            Kind.UNREACHABLE,
            {},
            True,
            "Bob can't be reached by email right now: my emails come back.",
        ),
        (
            Kind.BLOCKED,
            {"on": True},
            True,
            "You'll get no more invitations from Bob, and I won't tell them.",
        ),
        (
            Kind.BLOCKED,
            {"on": True, "everybody": True},
            True,
            "You'll get no more invitations from anyone, and I won't tell anybody.",
        ),
        (Kind.BLOCKED, {"on": False}, True, "Bob can invite you to games again."),
        (
            Kind.MOVING,
            {**MOVING, "end": "o"},
            True,
            f"Did you ask me to send my emails about game 1 to {NEW} from now on?",
        ),
        (
            Kind.MOVING,
            {**MOVING, "end": "n"},
            False,
            f"The Go player at {ALICE} would like my emails about game 1 to come here instead.",
        ),
        (
            Kind.MOVING,
            {**MOVING, "end": "n", "all": True},
            False,
            f"The Go player at {ALICE} would like my emails about your games to come here instead.",
        ),
        (
            Kind.MOVING,
            {"done": True, "old": ALICE, "new": NEW, "all": True},
            False,
            f"From now on my emails about your games go to {NEW}.",
        ),
        (
            Kind.FORGET,
            {"moving": 1, "nonce": "n", "end": "o", "address": ALICE, "open": 2},
            False,
            f"Did you ask me to forget everything about you at {ALICE}?",
        ),
        (
            Kind.FORGET,
            {"done": True, "address": ALICE, "open": 1},
            False,
            f"Goodbye! I'm forgetting everything about you at {ALICE}.",
        ),
    ],
)
def test_what_they_say(kind: Kind, about: dict[str, object], game: bool, first: str) -> None:
    """The first line says it all; no line of theirs is a command."""
    made = begun()
    length = len(made.writer.state.logs[1]) if game else 0
    seat, number = (Seat.BLACK, 1) if game else (None, None)
    made.letters()
    made.owe(Notice(kind, ALICE, ALICE, number, seat, length, length, "", about))
    (posted,) = made.letters()
    assert " ".join(posted.text.split()).startswith(first)
    assert not [line for line in posted.text.splitlines() if is_command_line(line)]
    assert max(map(len, posted.text.splitlines())) <= 78
