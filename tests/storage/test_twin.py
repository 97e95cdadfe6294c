"""Whatever is done to the store in memory and to the real one, they answer alike."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from godaemon.errors import GodaemonError
from godaemon.games.commands import EmailLevel
from godaemon.games.events import LogEntry, Marked, Said
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import DueNotice, Kind, Notice
from godaemon.games.store_protocols import KeptNotice, Preferences, Profile, SeatKeyState
from godaemon.storage.event_log import pack_some
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import WriterThread
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.imap_responses import FetchState
from tests.support import stores
from tests.support.examples import examples
from tests.support.memory_store import MemoryUnit, MemoryWriter
from tests.support.stores import later, move, summary

Step = tuple[str, tuple[Any, ...], dict[str, Any]]
Steps = st.SearchStrategy[Step]
AnyUnit = MemoryUnit | SqlUnit

ADDRESSES = st.sampled_from(["alice@a.example", "ALICE@a.example", "bob@b", "çelik@ç.example"])
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
GAMES = st.integers(1, 3)
MADE = st.integers(1, 2)
MOMENTS = st.integers(0, 9).map(later)
NUMBERS = st.integers(1, 5)
BOXES = st.sampled_from(["INBOX", "Go"])
SEEN = st.dictionaries(NUMBERS, TEXT, max_size=3)
COLORS = st.sampled_from(["black", "white"])
LETTERS = st.builds(InboundLetter, ADDRESSES, ADDRESSES, st.binary(max_size=20))
ENTRIES = st.lists(
    st.one_of(
        st.just(move("D4")),
        st.builds(LogEntry, st.builds(Said, COLORS, st.text(max_size=9)), MOMENTS, TEXT),
        st.builds(LogEntry, st.just(Marked("black", ("A1",), dead=True)), MOMENTS, TEXT),
    ),
    max_size=3,
)
OURS = st.sampled_from(["", "play@club.example"])
KINDS = st.sampled_from([Kind.YOUR_TURN, Kind.INVITATION])
NOTICES = st.builds(
    Notice,
    KINDS,
    ADDRESSES,
    by=ADDRESSES,
    game=st.none() | MADE,
    seat=st.none() | st.sampled_from(Seat),
    since=NUMBERS,
    ours=st.none() | st.just(""),
    about=st.dictionaries(TEXT, st.none() | st.integers(-9, 9) | st.text(max_size=9), max_size=2),
)


def step(name: str, *args: st.SearchStrategy[Any], **named: st.SearchStrategy[Any]) -> Steps:
    """A call of one of the unit's methods."""
    return st.tuples(st.just(name), st.tuples(*args), st.fixed_dictionaries(named))


def append(game: int) -> Steps:
    """More events of a game, with what its row says then or without."""
    row = st.none() | st.builds(summary, st.just(game), st.sampled_from(Phase), MOMENTS)
    return step("games.append", st.just(game), st.integers(0, 4), ENTRIES, row)


STEPS = st.one_of(
    step("games.create"),
    step("games.log", GAMES, st.integers(0, 4)),
    GAMES.flatmap(append),
    step(
        "games.set_summary",
        st.builds(summary, GAMES, st.sampled_from(Phase), MOMENTS),
        st.sets(ADDRESSES),
    ),
    step("games.summaries", st.none() | ADDRESSES),
    step("games.phases"),
    step("games.set_aside", st.just(2), TEXT),
    step("games.damaged"),
    step("games.engine_games"),
    step("games.page", st.none() | GAMES, st.none() | st.integers(1, 3)),
    step("inbox.quarantined_count"),
    step("players.suspended_count"),
    step("seats.key_state", GAMES, COLORS),
    step(
        "seats.set_key_state",
        GAMES,
        COLORS,
        st.builds(SeatKeyState, NUMBERS, enabled=st.booleans()),
    ),
    step("boards.save", st.none() | NUMBERS, TEXT, st.just("9x9"), NUMBERS, MOMENTS),
    step("boards.sgf", NUMBERS),
    step("boards.all"),
    step("games.proposals_before", MOMENTS),
    step("outbox.owe", NOTICES, MOMENTS),
    step(
        "outbox.owed_since",
        st.sets(KINDS),
        MOMENTS,
        to=st.none() | ADDRESSES,
        by=st.none() | ADDRESSES,
    ),
    step("outbox.owed_about", KINDS, MOMENTS, to=ADDRESSES, by=ADDRESSES | st.just("")),
    step(
        "outbox.claim",
        *(MOMENTS, st.sampled_from([1.0, 3.0]), st.integers(1, 3), st.none() | KINDS),
    ),
    step("outbox.written", NUMBERS, TEXT, st.binary(max_size=9)),
    step("outbox.leased", NUMBERS),
    step("outbox.sent", NUMBERS, MOMENTS),
    step("outbox.retry", NUMBERS, TEXT.filter(bool), MOMENTS),
    step("outbox.undeliverable", NUMBERS, TEXT.filter(bool), MOMENTS),
    step("outbox.revive", NUMBERS, MOMENTS),
    step("outbox.troubled"),
    step("outbox.next_due", st.none() | KINDS),
    step("outbox.end_leases", MOMENTS),
    step("outbox.tally"),
    step("players.preferences", ADDRESSES, NUMBERS),
    step("players.forget_game_preferences", ADDRESSES),
    step("players.profile", ADDRESSES),
    step("players.answered_from", ADDRESSES, st.integers(0, 2)),
    step("players.set_answered_from", ADDRESSES, OURS, st.integers(0, 2)),
    step(
        "players.set_profile",
        ADDRESSES,
        st.builds(
            *(Profile, TEXT, st.none() | st.integers(0, 1439), st.none() | MOMENTS),
            *(st.none() | TEXT, st.booleans()),
            line=st.none() | TEXT,
            listed=st.none() | TEXT,
            boards=st.none() | TEXT,
        ),
    ),
    step("players.listed", NUMBERS),
    step(
        "players.set_preferences",
        ADDRESSES,
        st.builds(
            *(Preferences, st.none() | st.booleans(), NUMBERS),
            st.none() | st.sampled_from(EmailLevel),
            st.none() | st.booleans(),
        ),
        NUMBERS,
    ),
    step("inbox.first_time", st.sampled_from(["f1", "f2"]), TEXT, MOMENTS),
    step("inbox.hold", MADE, st.sampled_from(["proposer", "invited"]), ADDRESSES, LETTERS, TEXT),
    step("inbox.held", NUMBERS),
    step("inbox.held_from", MADE, st.sampled_from(["proposer", "invited"]), ADDRESSES),
    step("inbox.forget_held", NUMBERS),
    step("inbox.quarantine", LETTERS, TEXT, MOMENTS),
    step("inbox.quarantined"),
    step("inbox.release_quarantined", NUMBERS),
    step("imap.fetched", BOXES, NUMBERS),
    step("imap.fetched_before", BOXES),
    step("imap.note_fetched", BOXES, NUMBERS, SEEN, st.sampled_from(FetchState), MOMENTS),
    step("seats.save_pending_move", GAMES, COLORS, st.none() | st.just("D4"), NUMBERS),
    step("seats.left_by", st.none()),
    step("seats.keep_notice", GAMES, COLORS, st.builds(KeptNotice, KINDS, NUMBERS, NUMBERS, TEXT)),
    step("seats.take_kept", GAMES, COLORS),
    step("seats.kept_seats"),
)


class Abandoned(Exception):
    """A unit changed its mind."""


def doing(steps: list[Step], *, abandoned: bool) -> Callable[[AnyUnit], list[object]]:
    """Work that takes steps, and gives what each came to."""

    def work(unit: AnyUnit) -> list[object]:
        answers = [_answer(unit, *one) for one in steps]
        if abandoned:
            raise Abandoned(answers)
        return answers

    return work


def _answer(unit: AnyUnit, name: str, args: tuple[Any, ...], named: dict[str, Any]) -> object:
    try:
        answer = attrgetter(name)(unit)(*args, **named)
    except GodaemonError as refusal:
        return type(refusal), refusal.public
    if name == "outbox.owe":
        return None
    return [_plain(one) for one in answer] if isinstance(answer, list) else answer


def _plain(value: object) -> object:
    return replace(value, uid="") if isinstance(value, DueNotice) else value


class Twins(RuleBasedStateMachine):
    """Two stores to which the same is done."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="godaemon-twins-"))
        self.database = stores.fresh(self.folder)
        self.real = WriterThread(self.database).start()
        self.twin = MemoryWriter()

    def teardown(self) -> None:
        """Put the real one away."""
        self.real.close()
        self.database.close()
        shutil.rmtree(self.folder)

    def _both(self, steps: list[Step], *, abandoned: bool) -> None:
        outcomes = []
        for run in (self.real.run_sync, self.twin.run_sync):
            try:
                outcomes.append(run(doing(steps, abandoned=abandoned)))
            except Abandoned as changed:
                outcomes.append(changed.args[0])
        assert outcomes[0] == outcomes[1]

    @initialize()
    def two_games(self) -> None:
        """There are games 1 and 2, and no game 3 yet."""
        self._both([("games.create", (), {})] * 2, abandoned=False)

    @rule(steps=st.lists(STEPS, min_size=1, max_size=8), abandoned=st.sampled_from([0, 0, 0, 1]))
    def unit(self, steps: list[Step], abandoned: int) -> None:
        """One transaction, which now and then comes to nothing."""
        self._both(steps, abandoned=bool(abandoned))

    @rule()
    def pack(self) -> None:
        """The real one packs the logs of games that are over, and all goes on as before."""
        self.real.run_sync(lambda unit: pack_some(unit.connection, later(99), 0))


TestTwins = Twins.TestCase
# A server gives no number twice, not even one of a transaction that was undone; the twin does.
TestTwins = pytest.mark.sqlite("numbers of games that were undone")(TestTwins)
TestTwins.settings = settings(
    max_examples=examples(40),
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
