"""The contract of every store: in memory, SQLite, PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa

from godaemon.errors import Busy, Corrupt, Stale, Unknown
from godaemon.games.commands import EmailLevel
from godaemon.games.events import Agreed, LogEntry, Marked, Said
from godaemon.games.glicko2 import Rating
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.player_settings import Preferences, Profile
from godaemon.games.stored_values import (
    HELD_BY_OPERATOR,
    Alarm,
    BouncingAddress,
    GameSummary,
    KeptNotice,
    RatedGame,
    SeatKeyState,
    Transfer,
    Watcher,
)
from godaemon.storage import board_store
from godaemon.storage.columns import METADATA
from godaemon.storage.database import Database, open_database
from godaemon.storage.deletion import PRUNE_BATCH, prune
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from mailgate.reading.inbound_letter import HeldLetter, QuarantinedLetter
from mailgate.receiving.imap_responses import FetchState
from tests.support.memory_store import MemoryWriter
from tests.support.stores import LETTER, NOW, PROPOSED, later, move, new_database, summary

Run = Callable[[Callable[[Any], Any]], Any]
TURN = Notice(
    Kind.YOUR_TURN,
    "Bob@B.example",
    by="Alice@a.example",
    seat=Seat.WHITE,
    since=3,
    until=4,
    answers="<1@a.example>",
    about={"move": 34, "words": "naïve ☗ \x00", "list": ["a", None, True]},
)


def _sent(number: int, message_id: str, store: "Store") -> None:
    store.outbox.store_letter(number, message_id, b"")
    store.outbox.mark_sent(number, NOW)


def _kept_of(address: str, store: "Store") -> tuple[int, int, str, bool]:
    return (
        store.quotas.count(f"to {address}", 0, 9),
        len(store.players.blocks(address)),
        store.players.profile(address).zone,
        store.outbox.has_unsent(address, NOW - timedelta(days=1)),
    )


class Store:
    """A store in which each call is a transaction: `store.games.create()`."""

    def __init__(self, run: Run, part: str = "") -> None:
        self._run, self._part = run, part

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any method of a store
        if not self._part:
            return Store(self._run, name)
        part = self._part
        return lambda *args, **named: self._run(
            lambda unit: getattr(getattr(unit, part), name)(*args, **named)
        )


class UnitContract:
    """The tests; a subclass may have another fixture `run`."""

    @pytest.fixture
    def store(self, run: Run) -> Store:
        return Store(run)

    def test_a_log_is_read_as_written(self, store: Store) -> None:
        """Events, times and causes are equal in another transaction."""
        tokyo = timezone(timedelta(hours=9))
        entries = [
            LogEntry(PROPOSED, NOW, "letter:<a@b>"),
            LogEntry(
                Marked("black", ("A1", "B2"), dead=True), datetime(2026, 1, 2, tzinfo=tokyo), ""
            ),
            LogEntry(Said("white", 'über "☗"\n\x00\ttab 🙂'), later(0.000001), "gtp:1"),
            LogEntry(Agreed("white", "b.W/..."), later(1), "timer"),
        ]
        game, other = store.games.create(), store.games.create()
        assert 0 < game < other
        store.games.append(game, 0, entries)
        assert list(store.games.log(other)) == store.games.summaries() == []
        assert list(store.games.log(game)) == entries
        assert list(store.games.log(game, first=2)) == entries[2:]
        assert list(store.games.log(game, first=4)) == []

    def test_appended_events_are_read_in_their_transaction(self, run: Run, store: Store) -> None:
        """From any number on, also before the first new event."""
        entries = [move(point) for point in ("D4", "Q16", "C3", "R3", "D17")]
        game = store.games.create()
        store.games.append(game, 0, entries[:2])

        def work(unit: Unit) -> list[list[LogEntry]]:
            unit.games.append(game, 2, entries[2:4])
            unit.games.append(game, 4, entries[4:])
            return [list(unit.games.log(game, first)) for first in range(7)]

        assert run(work) == [entries[first:] for first in range(7)]

    def test_missing_rows_raise_unknown(self, run: Run, store: Store) -> None:
        """In every method."""
        calls: list[Callable[[Any], Any]] = [
            lambda unit: unit.games.log(99),
            lambda unit: unit.games.append(99, 0, [move("D4")]),
            lambda unit: unit.games.set_summary(summary(99), []),
            lambda unit: unit.inbox.release_letter(99),
        ]
        for work in calls:
            with pytest.raises(Unknown):
                run(work)
        assert store.inbox.held_letter(99) is None

    @pytest.mark.parametrize("at", [0, 1, 3])
    def test_appending_to_a_changed_log_is_stale(self, store: Store, at: int) -> None:
        """If it has more or fewer events than expected."""
        game = store.games.create()
        store.games.append(game, 0, [move("D4"), move("Q16")])
        with pytest.raises(Stale):
            store.games.append(game, at, [move("C3")])
        store.games.append(game, 2, [move("C3")])
        assert len(store.games.log(game)) == 3

    def test_a_row_is_written_with_its_events(self, store: Store) -> None:
        """The whole row, or its alarm alone, or nothing."""
        game = store.games.create()
        row, rings = summary(game), Alarm(later(5), later(4))
        store.games.append(game, 0, [move("D4")], row)
        assert store.games.summaries() == [row]
        store.games.append(game, 1, [move("Q16")], rings)
        assert store.games.summaries() == [replace(row, **rings._asdict())]
        with pytest.raises(Stale):
            store.games.append(game, 1, [move("C3")], row)
        assert store.games.summaries() == [replace(row, **rings._asdict())]
        store.games.set_addresses(game, ["Alice@A.example"])
        assert len(store.games.summaries("alice@a.example")) == 1

    def test_summaries_are_found_by_address(self, run: Run, store: Store) -> None:
        """In any case, the newest first; a row is replaced completely."""
        one, two = run(lambda unit: (unit.games.create(), unit.games.create()))

        def write(unit: Unit) -> None:
            unit.games.set_summary(summary(one), ["Alice@A.example", "bob@b.example"])
            unit.games.set_summary(summary(two), ["alice@a.EXAMPLE"])

        run(write)
        assert store.games.summaries("aLICE@a.example") == [summary(two), summary(one)]
        assert store.games.summaries("BOB@b.example") == [summary(one)]
        store.games.set_summary(summary(one, Phase.FINISHED), ["carol@c.example"])
        assert store.games.summaries("bob@b.example") == []
        assert store.games.summaries("carol@c.example") == [summary(one, Phase.FINISHED)]
        assert len(store.games.summaries()) == 2

    def test_summaries_are_filtered_by_phase(self, run: Run, store: Store) -> None:
        """The newest first, up to a number."""
        phases = (Phase.FINISHED, Phase.PLAYING, Phase.FINISHED, Phase.PROPOSED)

        def write(unit: Unit) -> None:
            for phase in phases:
                unit.games.set_summary(summary(unit.games.create(), phase), ["alice@a.example"])

        def found(*filters: Any) -> list[int]:  # noqa: ANN401 - phases, and how many
            rows: list[GameSummary] = store.games.summaries(*filters)
            return [row.id for row in rows]

        run(write)
        assert found("Alice@a.example", {Phase.FINISHED}) == [3, 1]
        assert found("alice@a.example", {Phase.FINISHED}, 1) == [3]
        assert found("alice@a.example", {Phase.PLAYING, Phase.PROPOSED}) == [4, 2]
        assert found("alice@a.example", None, 2) == [4, 3]
        assert found("alice@a.example", set()) == []
        assert found(None, {Phase.PLAYING}) == [2]
        assert found("bob@b.example", {Phase.PLAYING}) == []
        assert store.games.count_games("ALICE@a.example") == 4
        assert store.games.count_games("bob@b.example") == 0

    def test_opponents_are_the_newest_games_with_each(self, run: Run, store: Store) -> None:
        """One started game for each pair of players."""
        rows = (
            (Phase.FINISHED, "alice@a", "bob@b"),
            (Phase.FINISHED, "bob@b", "alice@a"),
            (Phase.PLAYING, "alice@a", "bob@b"),
            (Phase.DECLINED, "alice@a", "carol@c"),
            (Phase.FINISHED, "carol@c", "bob@b"),
        )

        def write(unit: Unit) -> None:
            for phase, black, white in rows:
                row = replace(summary(unit.games.create(), phase), black=black, white=white)
                unit.games.set_summary(row, [black, white])

        def newest(address: str) -> list[int]:
            rows: list[GameSummary] = store.games.opponents(address)
            return [row.id for row in rows]

        run(write)
        assert newest("Alice@A") == [3, 2]
        assert newest("bob@b") == [5, 3, 2]
        assert newest("carol@c") == [5]
        assert newest("dave@d") == []

    def test_games_with_engines_are_listed(self, run: Run, store: Store) -> None:
        """Unfinished ones; a player's name is no engine's."""
        games = [store.games.create() for _ in range(4)]
        phases = (Phase.PLAYING, Phase.FINISHED, Phase.SCORING, Phase.PLAYING)
        people = ("engine:house", "engine:house", "engine:gnugo", "engineer@a.example")

        def write(unit: Unit, game: int, phase: Phase, other: str) -> None:
            unit.games.set_summary(summary(game, phase), ["alice@a.example", other])

        for game, phase, other in zip(games, phases, people, strict=True):
            run(partial(write, game=game, phase=phase, other=other))
        assert list(store.games.engine_games()) == [games[0], games[2]]

    def test_old_proposals_are_listed(self, store: Store) -> None:
        """Open ones that were last changed before the moment."""
        games = [store.games.create() for _ in range(3)]
        phases = (Phase.PROPOSED, Phase.PLAYING, Phase.PROPOSED)
        for game, phase, age in zip(games, phases, (0, 0, 10), strict=True):
            row = summary(game, phase, later(age))
            store.games.set_summary(row, [])
        assert list(store.games.proposals_before(NOW)) == []
        assert list(store.games.proposals_before(later(10))) == [games[0]]
        assert list(store.games.proposals_before(later(11))) == [games[0], games[2]]

    def test_a_notice_is_claimed_as_owed(self, store: Store) -> None:
        """Once for each lease, with its number of tries."""
        assert store.outbox.next_due() is None
        about_it = replace(TURN, game=store.games.create(), seat=Seat.INVITED)
        uids = [store.outbox.queue(notice, NOW) for notice in (TURN, about_it, TURN)]
        assert len(set(uids)) == 3
        assert store.outbox.next_due() == NOW
        assert list(store.outbox.claim(later(-1), 60, 9)) == []
        due, other = store.outbox.claim(NOW, 60, 2)
        assert (due.uid, due.notice, due.attempts, due.queued_at) == (uids[0], TURN, 0, NOW)
        assert (due.message_id, due.letter, other.notice) == (None, None, about_it)
        assert [one.uid for one in store.outbox.claim(later(59), 120, 9)] == uids[2:]
        assert store.outbox.next_due() == later(60)
        second, _ = store.outbox.claim(later(60), 60, 9)
        assert second.attempts == 1

    def test_a_letter_is_stored_for_its_retries(self, store: Store) -> None:
        """With the bytes of the first try."""
        store.outbox.queue(TURN, NOW)
        (due,) = store.outbox.claim(NOW, 60, 9)
        more = {"agreement": "dead B2\r\ndone"}
        store.outbox.store_letter(due.id, "<n1@go.example>", b"\x00\xff letter", more)
        store.outbox.retry_later(due.id, "451 later", later(300))
        assert store.outbox.next_due() == later(300)
        (second,) = store.outbox.claim(later(300), 60, 9)
        assert (second.message_id, second.letter) == ("<n1@go.example>", b"\x00\xff letter")
        assert second.notice.about == {**TURN.about, **more}

    def test_finished_notices_are_not_claimed(self, store: Store) -> None:
        """Both sent and undeliverable ones are still counted."""
        [store.outbox.queue(TURN, NOW) for _ in range(3)]
        one, two, _three = store.outbox.claim(NOW, 60, 9)
        store.outbox.mark_sent(one.id, later(1))
        store.outbox.mark_undeliverable(two.id, "550 no such user", later(1))
        assert len(store.outbox.claim(later(9999), 60, 9)) == 1
        assert store.outbox.status_counts() == {"waiting": 1, "sent": 1, "undeliverable": 1}
        assert store.outbox.count_queued([Kind.YOUR_TURN], NOW) == 3

    def test_a_new_daemon_ends_old_leases(self, store: Store) -> None:
        """Retries that wait are not affected."""
        [store.outbox.queue(TURN, NOW) for _ in range(2)]
        one, two = store.outbox.claim(NOW, 600, 9)
        store.outbox.retry_later(two.id, "later", later(300))
        assert store.outbox.end_leases(later(5)) == 1
        assert [due.id for due in store.outbox.claim(later(5), 60, 9)] == [one.id]

    def test_distant_retries_are_pulled_back(self, store: Store) -> None:
        """Of the next try or of a lease's end; near ones are not."""
        [store.outbox.queue(TURN, later(age)) for age in (-3, -5, -4, 0)]
        far, leased = store.outbox.claim(NOW, 9000, 2)
        (near,) = store.outbox.claim(NOW, 9000, 1)
        assert [one.queued_at for one in (far, leased, near)] == [later(-5), later(-4), later(-3)]
        store.outbox.retry_later(near.id, "later", later(60))
        store.outbox.retry_later(far.id, "later", later(8000))
        assert store.outbox.pull_back(NOW, later(60)) == 2
        due = [one.id for one in store.outbox.claim(NOW, 60, 9)]
        assert due == [far.id, leased.id, 4]

    def test_owed_notices_are_counted(self, store: Store) -> None:
        """By kind, time, recipient and author, in any case."""
        [store.outbox.queue(TURN, later(age)) for age in (0, 10)]
        store.outbox.queue(Notice(Kind.INVITATION, "carol@c", by="alice@A.example"), NOW)
        kinds = [Kind.YOUR_TURN, Kind.INVITATION]
        assert store.outbox.count_queued(kinds, NOW) == 3
        assert store.outbox.count_queued(kinds, later(1)) == 1
        assert store.outbox.count_queued(kinds, NOW, to="BOB@b.example") == 2
        assert store.outbox.count_queued(kinds, NOW, by="ALICE@a.example") == 3
        assert store.outbox.count_queued(kinds[1:], NOW, to="carol@c", by="bob") == 0
        assert store.outbox.count_queued([], NOW) == 0

    def test_facts_of_owed_notices_are_listed(self, store: Store) -> None:
        """Recent ones by recipient and author, in any case."""
        for age, about in enumerate(({"why": "a"}, {"why": "b"}, {"why": "c"})):
            notice = Notice(Kind.REFUSED, "Bob@b.example", about=about)
            store.outbox.queue(notice, later(age))
        store.outbox.queue(Notice(Kind.REFUSED, "bob@b.example", by="bob@b.example"), NOW)
        store.outbox.queue(Notice(Kind.HELP, "bob@b.example"), NOW)
        address = {"to": "bob@B.example", "by": ""}
        facts = store.outbox.queued_facts(Kind.REFUSED, later(1), **address)
        assert [about["why"] for about in facts] == ["b", "c"]
        address["by"] = "BOB@b.example"
        assert store.outbox.queued_facts(Kind.REFUSED, NOW, **address) == [{}]

    def test_preferences_are_per_person_and_game(self, store: Store) -> None:
        """In any case of the address."""
        unsaid, here = Preferences(), Preferences(emails=EmailLevel.NONE)
        assert store.players.preferences("alice@a", 7) == (unsaid, unsaid)
        for everywhere in (
            Preferences(None, 2),
            Preferences(receipts=False, receipts_sent=3, emails=EmailLevel.MY_TURN),
            Preferences(True, reviews=False),
        ):
            store.players.set_preferences("Alice@A", everywhere)
            assert store.players.preferences("alice@a", 7) == (everywhere, unsaid)
        store.players.set_preferences("ALICE@a", here, 7)
        assert store.players.preferences("alice@a", 7) == (everywhere, here)
        assert store.players.preferences("alice@a", 8)[1] == unsaid
        assert store.players.preferences("bob@b", 7)[1] == unsaid
        store.players.forget_game_preferences("alice@A")
        assert store.players.preferences("alice@a", 7) == (everywhere, unsaid)

    def test_profiles_are_stored(self, store: Store) -> None:
        """Daily emails that are due are listed."""
        assert store.players.profile("alice@a") == Profile()
        profile = Profile("Europe/Berlin", 450, NOW, plain=True)
        for number, address in enumerate(("bob@b", "Alice@A", "eve@e")):
            store.players.set_profile(address, replace(profile, digest_due=later(3600 * number)))
        store.players.set_profile("dan@d", Profile())
        assert sorted(store.players.digests_due(later(0), later(9999), 9)) == ["bob@b"]
        assert sorted(store.players.digests_due(later(0), later(3601), 9)) == ["bob@b", "eve@e"]
        assert len(sorted(store.players.digests_due(later(9999), later(9999), 2))) == 2
        store.players.set_profile("ALICE@a", profile)
        assert store.players.profile("alice@A") == profile

    def test_rated_games_are_ordered(self, store: Store) -> None:
        """By time and number; a recount removes all later ones."""
        games = [store.games.create() for _ in range(3)]
        rating = Rating(1500.000000000001, 123.456789012345, 0.06)
        first, *more = (
            RatedGame(address, game, later(at), rating._replace(value=1500.000000000001 + at))
            for address, game, at in (
                *(("Alice@A", games[2], 0), ("bob@b", games[2], 0)),
                *(("alice@a", games[0], 5), ("alice@a", games[1], 5), ("eve@e", games[1], 5)),
            )
        )
        for one in (first, *more):
            store.players.set_rated_game(one)
        assert store.players.last_rated_game("dan@d") is None
        assert store.players.last_rated_game("ALICE@a") == more[2]
        assert store.players.last_rated_game("alice@a", (later(5), games[1])) == more[1]
        oldest = replace(first, address="alice@a")
        assert store.players.last_rated_game("alice@a", (later(5), games[0])) == oldest
        assert store.players.last_rated_game("alice@a", (later(0), games[2])) is None
        early = (later(0), (later(5), games[1]))
        assert store.players.count_rated_games("ALICE@a", "Bob@b", *early) == 1
        assert store.players.count_rated_games("alice@a", "eve@e", *early) == 0
        assert store.players.count_rated_games("eve@e", "alice@a", later(5), (later(9), 0)) == 1
        gone = store.players.take_rated_games((later(5), games[1]))
        assert list(gone) == [(later(5), games[1])]
        assert store.players.last_rated_game("eve@e") is None
        assert store.players.last_rated_game("alice@a") == more[1]
        store.players.forget("alice@a", ())
        assert store.players.last_rated_game("alice@a") is None
        assert store.players.last_rated_game("bob@b") == more[0]

    def test_held_letters_are_kept_until_released(self, store: Store) -> None:
        """Byte for byte; numbers are not used again."""
        game = store.games.create()
        number = store.inbox.hold_letter(game, "invited", "new@b", LETTER, "nonce")
        held = HeldLetter(number, game, "invited", "new@b", LETTER, "nonce")
        assert store.inbox.held_letter(number) == held
        second = store.inbox.hold_letter(game, "invited", "new@b", LETTER, "n3")
        store.inbox.hold_letter(game, "proposer", "new@b", LETTER, "n4")
        both = store.inbox.held_letters(game, "invited", "new@b")
        assert [one.id for one in both] == [number, second]
        assert both[0] == held
        store.inbox.forget_held_letter(second)
        store.inbox.forget_held_letter(number)
        store.inbox.forget_held_letter(number)
        assert store.inbox.held_letter(number) is None
        assert store.inbox.hold_letter(game, "invited", "new@b", LETTER, "n2") > number

    def test_fetched_letters_are_known_by_uid(self, store: Store) -> None:
        """In a mailbox with a UIDVALIDITY; the last state counts."""
        large = 2**32 - 1
        assert not store.imap.has_fetched("go@imap:INBOX")
        for filed in (FetchState.OWED, FetchState.DONE):
            store.imap.note_fetch_states("go@imap:INBOX", large, {large: "<1@a>"}, filed, NOW)
            assert store.imap.fetch_states("go@imap:INBOX", large) == {large: filed}
        store.imap.note_fetch_states("go@imap:INBOX", large, {7: "<1@a>"}, FetchState.LEFT, NOW)
        assert store.imap.fetch_states("go@imap:INBOX", large)[7] is FetchState.LEFT
        assert store.imap.fetch_states("go@imap:INBOX", 1) == {}
        assert store.imap.has_fetched("go@imap:INBOX")
        assert not store.imap.has_fetched("go@imap:Other")

    def test_quarantined_letters_are_listed_and_released(self, store: Store) -> None:
        """The oldest first; each is released once."""
        one = store.inbox.quarantine_letter(LETTER, "Traceback ☠", NOW)
        two = store.inbox.quarantine_letter(LETTER, "ValueError", later(1))
        first = QuarantinedLetter(one, LETTER, "Traceback ☠", NOW)
        assert [kept.id for kept in store.inbox.quarantined_letters()] == [one, two]
        assert store.inbox.release_letter(one) == first
        with pytest.raises(Unknown):
            store.inbox.release_letter(one)
        assert [kept.id for kept in store.inbox.quarantined_letters()] == [two]

    def test_a_seat_keeps_its_last_notice(self, store: Store) -> None:
        """One caller gets it."""
        game = store.games.create()
        for kept in (KeptNotice(Kind.CHAT, 1, 2, "a"), KeptNotice(Kind.YOUR_TURN, 2, 4, "b")):
            for color in ("white", "black"):
                store.seats.keep_notice(game, color, kept)
        assert store.seats.take_notice(game, "white") == kept
        assert store.seats.take_notice(game, "white") is None
        assert store.seats.take_notice(game, "black") == kept
        with pytest.raises(Unknown):
            store.seats.keep_notice(99, "black", kept)

    def test_a_seat_has_one_key(self, store: Store) -> None:
        """The last; missing games have no seats."""
        game = store.games.create()
        assert store.seats.key_state(game, "black") is None
        for state in (
            SeatKeyState(1, enabled=True),
            SeatKeyState(1, enabled=False),
            SeatKeyState(2, enabled=True),
        ):
            store.seats.set_key_state(game, "black", state)
            assert store.seats.key_state(game, "black") == state
        assert store.seats.key_state(game, "white") is None
        with pytest.raises(Unknown):
            store.seats.set_key_state(99, "black", SeatKeyState(1, enabled=True))

    def test_a_failed_unit_changes_nothing(self, run: Run, store: Store) -> None:
        """The unit sees its own changes before."""
        game = store.games.create()

        def write_and_fail(unit: Unit) -> None:
            unit.games.append(game, 0, [move("D4")])
            unit.games.append(game, 1, [move("Q16")])
            assert len(unit.games.log(game)) == 2
            unit.games.set_summary(summary(game), ["alice@a"])
            assert len(unit.games.summaries("alice@a")) == 1
            unit.outbox.queue(TURN, NOW)
            assert unit.inbox.note_arrival("f", "<1@a>", NOW)
            assert not unit.inbox.note_arrival("f", "<1@a>", NOW)
            unit.inbox.hold_letter(game, "invited", "new@b", LETTER, "nonce")
            unit.inbox.quarantine_letter(LETTER, "fault", NOW)
            unit.players.set_preferences("alice@a", Preferences(True))
            unit.seats.keep_notice(game, "black", KeptNotice(Kind.CHAT, 1, 2, "a"))
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            run(write_and_fail)
        assert list(store.games.log(game)) == store.games.summaries() == []
        assert store.inbox.quarantined_letters() == []
        assert store.outbox.next_due() is None
        assert store.inbox.note_arrival("f", "<1@a>", NOW) is True
        assert store.players.preferences("alice@a")[0] == Preferences()
        assert store.seats.take_notice(game, "black") is None

    def test_a_suspended_address_gets_no_email(self, store: Store) -> None:
        """Owed notices wait, and none is added, until the suspension ends."""
        store.outbox.queue(TURN, NOW)
        box = BouncingAddress("BOB@b.example", 2.5, NOW, "550 5.1.1", NOW)
        store.players.set_bouncing_address(box)
        assert store.outbox.queue(TURN, NOW) == ""
        assert list(store.outbox.claim(later(1), 60, 9)) == []
        assert store.outbox.next_due() is None
        assert store.players.bouncing_addresses() == [
            BouncingAddress("bob@b.example", 2.5, NOW, "550 5.1.1", NOW)
        ]
        assert store.players.forget_bouncing_address("Bob@b.example")
        assert not store.players.forget_bouncing_address("Bob@b.example")
        assert len(store.outbox.claim(later(1), 60, 9)) == 1

    def test_a_failing_address_still_gets_email(self, store: Store) -> None:
        """A score alone stops nothing; the last one counts."""
        store.players.set_bouncing_address(BouncingAddress("Bob@b.example", 0.5, NOW, "full"))
        store.players.set_bouncing_address(BouncingAddress("bob@B.example", 1.5, later(9), "gone"))
        found = store.players.bouncing_address("BOB@b.example")
        assert found == BouncingAddress("bob@b.example", 1.5, later(9), "gone")
        assert store.players.bouncing_address("alice@b.example") is None
        assert store.outbox.queue(TURN, NOW)

    def test_a_bounce_is_recorded_once(self, store: Store) -> None:
        """For a recently tried notice, even before it is marked as sent."""
        uid = store.outbox.queue(TURN, NOW)
        assert store.outbox.sent_notice(uid) is None
        store.outbox.claim(NOW, 60, 1)
        assert store.outbox.sent_notice(uid) == TURN
        assert store.outbox.sent_notice("0" * 16) is None
        store.outbox.retry_later(1, "", later(1))
        assert not store.outbox.record_bounce(uid, "no", later(99), later(98))
        assert store.outbox.record_bounce(uid, "550 no", later(1), NOW)
        assert not store.outbox.record_bounce(uid, "550 no", later(2))
        store.outbox.mark_sent(1, later(2))
        assert store.outbox.status_counts()["undeliverable"] == 1

    def test_a_complaint_is_recorded_once(self, store: Store) -> None:
        """By the whole Message-ID, unless its reader has answered since."""
        first, second, third = (store.outbox.queue(TURN, NOW) for _ in range(3))
        for due in store.outbox.claim(NOW, 60, 9):
            ours = f"<1-b-0-0-x.{due.uid}@Go.example>"
            _sent(due.id, ours, store)
        named = f"<1-b-0-0-x.{first}@go.example>"
        assert store.outbox.find_by_message_id(named) == (first, TURN)
        for other in ("", f"<{first}@go.example>", named.replace("-b-", "-w-")):
            assert store.outbox.find_by_message_id(other) == ("", None)
        assert not store.outbox.was_answered(first)
        assert not store.outbox.was_answered("0" * 16)
        assert store.outbox.record_bounce(first, "spam", later(1))
        assert not store.outbox.record_bounce(first, "spam", later(2))
        assert not store.outbox.record_bounce("0" * 16, "spam", later(2))
        moved = replace(TURN, to="alice@a.example", by=TURN.to.upper())
        store.outbox.queue(moved, NOW)
        store.outbox.queue(replace(moved, kind=Kind.UNREACHABLE), later(3))
        assert not store.outbox.was_answered(second)
        store.outbox.queue(moved, later(5))
        assert store.outbox.was_answered(third)

    def test_blocks_are_stored_once(self, store: Store) -> None:
        """Blocked pairs of addresses, each once."""
        for other in ("alice@a", "", "alice@a"):
            store.players.block("bob@b", other)
        assert store.players.blocks("bob@b") == {"alice@a", ""}
        store.players.unblock("bob@b", "alice@a")
        assert store.players.blocks("bob@b") == {""}
        assert store.players.blocks("alice@a") == frozenset()

    def test_spectators_are_stored_by_game_and_person(self, store: Store) -> None:
        """With the time of their next email; in any case of the address."""
        games = [store.games.create() for _ in range(2)]
        kept = [
            Watcher(games[0], "Carol@c.example", NOW, 3, later(9)),
            Watcher(games[1], "carol@c.example", NOW),
            Watcher(games[1], "dora@d.example", NOW, 7, later(99)),
        ]
        for one in (replace(kept[0], since=1), *kept):
            store.watchers.save(one)
        assert list(store.watchers.of_person("CAROL@c.example")) == kept[1::-1]
        assert list(store.watchers.of_game(games[1])) == kept[1:]
        assert list(store.watchers.due(later(8), later(100), 9)) == []
        assert list(store.watchers.due(later(9), later(100), 9)) == kept[:1]
        assert list(store.watchers.due(NOW, later(50), 9)) == kept[2:]
        store.watchers.end("Carol@C.example", games[1])
        assert list(store.watchers.of_game(games[1])) == kept[2:]
        store.players.forget("carol@c.example", set())
        store.games.erase(games[1])
        assert store.watchers.of_person("carol@c.example") == []
        assert list(store.watchers.of_game(games[1])) == []

    def test_a_transfer_is_kept_until_it_ends(self, store: Store) -> None:
        """With who has agreed."""
        game = store.games.create()
        one = store.players.begin_transfer(game, "A@a", "A@b", "n1", NOW)
        two = store.players.begin_transfer(None, "A@a", "A@c", "n2", NOW)
        store.players.agree_transfer(one, new=True)
        store.players.agree_transfer(two, new=False)
        assert store.players.transfer(one) == Transfer(
            one, game, "A@a", "A@b", "n1", new_agreed=True, begun_at=NOW
        )
        assert store.players.transfer(two) == Transfer(
            two, None, "A@a", "A@c", "n2", old_agreed=True, begun_at=NOW
        )
        store.players.end_transfer(one)
        assert store.players.transfer(one) is None

    def test_alarms_of_running_clocks_are_made_due(self, run: Run, store: Store) -> None:
        """Future ones; other games have none."""

        def fill(unit: Unit) -> None:
            alarms = ((None, None), (None, later(60)), (later(90), later(60)), (later(9), NOW))
            for number, (deadline, alarm) in enumerate(alarms, 1):
                unit.games.create()
                row = replace(summary(number), deadline=deadline, alarm=alarm)
                unit.games.set_summary(row, [])

        run(fill)
        store.games.make_all_alarms_due(later(1))
        assert list(store.games.games_with_due_alarm(later(1), 9)) == [4, 3]

    def test_a_name_is_removed_from_waiting_notices(self, run: Run, store: Store) -> None:
        """Only whole words; the notice is kept."""
        about = {"said": ["Al says yes.", "Also, all Als agree with Al"], "by": "Al"}

        def fill(unit: Unit) -> None:
            unit.games.set_summary(summary(unit.games.create()), [])
            unit.outbox.queue(replace(TURN, game=1, about=about), NOW)
            unit.outbox.forget_names(1, {"Al", "", "y"})

        run(fill)
        (due,) = store.outbox.claim(NOW, 60, 9)
        assert due.notice.about == {
            "said": ["a former player says yes.", "Also, all Als agree with a former player"],
            "by": "a former player",
        }

    def test_a_forgotten_persons_rows_are_deleted(self, run: Run, store: Store) -> None:
        """A neighbour's, whose address ends like theirs, stay."""
        neighbour, theirs = "tim-alice@a.example", "alice@a.example"

        def fill(unit: Unit) -> int:
            game = unit.games.create()
            unit.games.append(game, 0, [LogEntry(PROPOSED, NOW, "letter:<1@a.example>")])
            unit.games.set_summary(summary(game), ["Alice@a.example"])
            for one in (theirs, neighbour):
                unit.players.set_profile(one, Profile(zone="Asia/Tokyo"))
                unit.players.block(one, "bob@b.example")
                unit.quotas.spend(f"to {one}", 7)
                unit.outbox.queue(Notice(Kind.HELP, one, by=one), NOW)
            unit.outbox.queue(Notice(Kind.CONFIRM, "b@b", about={"sender": theirs}), NOW)
            unit.players.agree_transfer(
                unit.players.begin_transfer(None, theirs, "", "n", NOW), new=False
            )
            return game

        game = run(fill)
        assert [one.old for one in store.players.leaving_players()] == [theirs]
        assert store.outbox.has_unsent(theirs, NOW - timedelta(days=1))
        assert list(store.games.games_naming(theirs, 0)[0]) == [game]
        assert store.games.games_naming(theirs, game) == ([], None)
        store.players.forget(theirs, {theirs})
        assert _kept_of(theirs, store) == (0, 0, "", False)
        assert _kept_of(neighbour, store) == (1, 1, "Asia/Tokyo", True)
        assert not store.outbox.count_queued((Kind.CONFIRM,), NOW)
        assert not store.players.leaving_players()

    def test_a_log_is_rewritten_or_erased(self, store: Store) -> None:
        """A rewritten log can continue; the number of an erased one is not used again."""
        game = store.games.create()
        store.games.append(game, 0, [move("D4"), move("E5")])
        store.games.rewrite(game, [move("D4", "letter"), move("C3", "letter")])
        store.games.append(game, 2, [move("F6")])
        points = [one.event.point for one in store.games.log(game)]
        assert points == ["D4", "C3", "F6"]
        with pytest.raises(Stale):
            store.games.rewrite(game, [move("D4")])
        store.games.set_summary(summary(game), ["alice@a.example"])
        store.games.erase(game)
        assert list(store.games.log(game)) == []
        assert list(store.games.summaries()) == []
        assert store.games.create() > game

    def test_quotas_are_counted_by_name_and_hour(self, run: Run, store: Store) -> None:
        """Over the requested hours."""

        def spend(unit: Any) -> None:  # noqa: ANN401 - either of the two
            for name, hour in (("all", 100), ("all", 100), ("all", 124), ("to a@b", 100)):
                unit.quotas.spend(name, hour)

        run(spend)
        assert store.quotas.count("all", 100, 124) == 3
        assert store.quotas.count("all", 101, 124) == 1
        assert store.quotas.count("all", 90, 123) == 2
        assert store.quotas.count("to a@b", 90, 124) == 1
        assert store.quotas.count("to c@b", 90, 124) == 0

    def test_a_single_use_outlives_the_counters(self, store: Store) -> None:
        """Counters are deleted after two days."""
        store.quotas.spend_once("from b", 720)
        store.quotas.spend_once("from b", 720)
        store.quotas.spend("all", 700)
        assert store.quotas.count("from b", 720, 720) == 1
        assert store.quotas.count("from b", 0, 719) == 0


class TestMemory(UnitContract):
    """The twin in memory."""

    @pytest.fixture
    def run(self) -> Run:
        return MemoryWriter().run_sync


_CUT = "UPDATE outbox SET letter = substr(letter, 1, 9) WHERE id = :number"
_FIRST_OF_ANOTHER_KIND = (
    "UPDATE outbox SET kind = 'telegram' WHERE id = (SELECT min(id) FROM outbox)"
)


class SqlContract(UnitContract):
    """Further tests of stores with tables."""

    def test_a_seat_has_one_pending_move(self, store: Store) -> None:
        """The next replaces it, and None clears it."""
        game = store.games.create()
        store.seats.save_pending_move(game, "black", "D4", 7)
        store.seats.save_pending_move(game, "white", "pass", 8)
        store.seats.save_pending_move(game, "black", "Q16", 7)
        moves = [(game, "black", "Q16", 7), (game, "white", "pass", 8)]
        assert list(store.seats.take_over(None).moves) == moves
        store.seats.save_pending_move(game, "black", None, 7)
        assert list(store.seats.take_over(None).moves) == moves[1:]
        with pytest.raises(Unknown):
            store.seats.save_pending_move(99, "black", "D4", 1)

    def test_seats_with_a_kept_notice_are_listed(self, store: Store) -> None:
        """Not those of damaged games."""
        game = store.games.create()
        for color in ("white", "black"):
            store.seats.keep_notice(game, color, KeptNotice(Kind.CHAT, 1, 2, "a"))
        seats = [(game, "black"), (game, "white")]
        assert list(store.seats.seats_with_notice()) == seats
        assert list(store.seats.take_over(None).kept) == seats
        store.games.set_aside(game, "noise")
        assert not store.seats.seats_with_notice()

    def test_players_are_listed_by_address_with_their_games(self, run: Run, store: Store) -> None:
        """In pages, without programs; running clocks and phases are counted."""

        def write(unit: Unit) -> None:
            for phase, owners in (
                (Phase.PLAYING, ["alice@a.example", "bob@b.example"]),
                (Phase.FINISHED, ["bob@b.example", "engine:house"]),
                (Phase.PROPOSED, ["bob@b.example", "open"]),
                (Phase.FINISHED, ["bob@b.example", "former:abc", "public"]),
            ):
                number = unit.games.create()
                unit.games.set_summary(summary(number, phase, later(number)), owners)
                unit.games.set_alarm(number, later(9) if phase is Phase.PLAYING else None, later(9))

        run(write)
        found = store.games.owners("", 1)
        assert [tuple(row) for row in found] == [("alice@a.example", 1, 1, later(1))]
        found = store.games.owners("alice@a.example", 9)
        assert [tuple(row) for row in found] == [("bob@b.example", 4, 2, later(4))]
        assert store.games.count_running_clocks() == 1
        assert store.games.phase_counts() == {"playing": 1, "finished": 2, "proposed": 1}

    def test_the_backlog_counts_letters_due_now(self, store: Store) -> None:
        """Claimed letters, later retries and suspended addresses do not count."""
        assert store.outbox.backlog(NOW) == (0, None)
        [store.outbox.queue(TURN, later(second)) for second in range(4)]
        one, _two = store.outbox.claim(later(1), 600, 9)
        store.outbox.retry_later(one.id, "451 later", later(5))
        assert store.outbox.backlog(later(2)) == (1, later(2))
        assert store.outbox.backlog(later(9)) == (3, later(2))
        gone = BouncingAddress("bob@b.example", 9.0, NOW, "550 gone", NOW)
        store.players.set_bouncing_address(gone)
        assert store.outbox.backlog(later(9)) == (0, None)

    def test_unwritten_notices_are_counted(self, store: Store) -> None:
        """Not those that a server refused: they were written."""
        [store.outbox.queue(TURN, NOW) for _ in range(3)]
        one, two, _three = store.outbox.claim(NOW, 600, 9)
        store.outbox.store_letter(one.id, "<1@go>", b"letter")
        store.outbox.mark_undeliverable(one.id, "550", NOW)
        assert store.outbox.count_unwritten() == 0
        store.outbox.mark_undeliverable(two.id, "cannot be written", NOW)
        assert store.outbox.count_unwritten() == 1

    def test_a_letter_is_held_and_dropped(self, run: Run, store: Store) -> None:
        """A held letter is not tried, nor counted as unwritten."""

        def queue(unit: Unit) -> int:
            unit.outbox.queue(TURN, NOW)
            assert unit.outbox.new_notices == [TURN]
            return int(unit.outbox.troubled_notices(every=True)[-1].id)

        number = run(queue)
        assert store.outbox.letter(number) is None
        store.outbox.hold(number, NOW)
        assert [row.last_error for row in store.outbox.troubled_notices()] == [HELD_BY_OPERATOR]
        assert store.outbox.count_unwritten() == 0
        assert store.outbox.claim(later(1), 60, 9) == []
        store.outbox.revive(number, NOW)
        assert [due.id for due in store.outbox.claim(later(1), 60, 9)] == [number]
        with pytest.raises(Busy):
            store.outbox.hold(number, NOW)
        with pytest.raises(Busy):
            store.outbox.drop(number)
        store.outbox.retry_later(number, "", later(2))
        assert [due.id for due in store.outbox.claim(later(2), 60, 9)] == [number]
        assert [row.last_error for row in store.outbox.troubled_notices()] == [""]
        store.outbox.retry_later(number, "450", later(2))
        store.outbox.drop(number)
        assert store.outbox.status_counts() == {"waiting": 0, "sent": 0, "undeliverable": 0}
        assert store.outbox.troubled_notices(every=True) == []
        with pytest.raises(Unknown):
            store.outbox.letter(number)

    def test_troubled_letters_are_revived(self, store: Store) -> None:
        """Failures are listed with their reasons, and are due at once after revival."""
        [store.outbox.queue(TURN, NOW) for _ in range(4)]
        one, two, three, four = store.outbox.claim(NOW, 600, 9)
        store.outbox.retry_later(one.id, "451 later", later(300))
        store.outbox.mark_undeliverable(two.id, "550 no", later(1))
        store.outbox.mark_sent(three.id, later(1))
        store.outbox.record_bounce(four.uid, "550 gone", later(1))
        found = store.outbox.troubled_notices()
        assert [(row.id, row.status, row.last_error, row.attempts) for row in found] == [
            (one.id, "waiting", "451 later", 1),
            (two.id, "undeliverable", "550 no", 1),
            (four.id, "undeliverable", "550 gone", 1),
        ]
        store.outbox.revive(two.id, later(2))
        (second,) = store.outbox.claim(later(2), 60, 9)
        assert (second.id, second.attempts) == (two.id, 0)
        for number in (three.id, 99):
            with pytest.raises(Unknown):
                store.outbox.revive(number, NOW)

    def test_free_boards_are_saved_and_listed(self, store: Store) -> None:
        """The last one played on comes first."""
        one = store.boards.save(0, "", "(;)", "9x9", 1, NOW)
        other = store.boards.save(0, "", "(;SZ[5])", "5x5", 7, later(1))
        assert store.boards.save(one, "(;)", "(;SZ[9])", "9x9", 2, later(2)) == one
        assert store.boards.sgf(one) == "(;SZ[9])"
        assert list(store.boards.all()) == [
            (one, "9x9", 2, NOW, later(2)),
            (other, "5x5", 7, later(1), later(1)),
        ]
        with pytest.raises(Unknown):
            store.boards.sgf(99)

    def test_a_session_overwrites_no_other_sessions_moves(self, store: Store) -> None:
        """If a board has changed since it was read, it is saved as a new one."""
        one = store.boards.save(0, "", "(;B[ee])", "9x9", 1, NOW)
        assert store.boards.save(one, "(;B[ee])", "(;B[ee];W[dd])", "9x9", 2, NOW) == one
        other = store.boards.save(one, "(;B[ee])", "(;B[ee];W[cc])", "9x9", 2, NOW)
        assert other != one
        assert store.boards.sgf(one) == "(;B[ee];W[dd])"

    def test_the_oldest_boards_are_deleted(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Their number is limited; the player of a deleted one gets a new one."""
        monkeypatch.setattr(board_store, "MAX_BOARDS", 2)
        first, *others = (
            store.boards.save(0, "", "(;)", "9x9", 1, later(number)) for number in range(3)
        )
        assert {board.id for board in store.boards.all()} == set(others)
        second = store.boards.save(first, "(;)", "(;)", "9x9", 1, later(9))
        assert second not in {first, *others}

    def test_undecodable_bytes_are_stored(self, store: Store) -> None:
        """Lone surrogates from broken headers stop no letter."""
        broken = "caf\udce9\x00"
        game = store.games.create()
        store.games.append(game, 0, [LogEntry(Said("black", broken), NOW, broken)])
        (entry,) = store.games.log(game)
        assert entry.event == Said("black", broken)
        assert entry.cause == r"caf\udce9\x00"
        store.outbox.queue(Notice(Kind.REFUSED, broken, about={"words": broken}), NOW)
        assert store.outbox.claim(NOW, 60, 1)[0].notice.about == {"words": broken}

    def test_a_notice_of_an_unknown_kind_is_set_aside(self, run: Run, store: Store) -> None:
        """A row of a newer version blocks nothing."""
        store.outbox.queue(TURN, NOW)
        store.outbox.queue(TURN, NOW)
        run(lambda unit: unit.connection.execute(sa.text(_FIRST_OF_ANOTHER_KIND)))
        assert len(store.outbox.claim(NOW, 60, 5)) == 1
        assert store.outbox.status_counts()["undeliverable"] == 1
        (troubled,) = store.outbox.troubled_notices()
        assert "cannot be read" in troubled.last_error

    def test_a_damaged_letter_is_set_aside(self, run: Run, store: Store) -> None:
        """It never goes out, and blocks nothing."""
        for _ in range(2):
            store.outbox.queue(TURN, NOW)
        due, _ = store.outbox.claim(NOW, 60, 5)
        store.outbox.store_letter(due.id, "<n1@go.example>", b"letter")
        run(lambda unit: unit.connection.execute(sa.text(_CUT), {"number": due.id}))
        assert len(store.outbox.claim(later(60), 60, 5)) == 1
        assert store.outbox.status_counts()["undeliverable"] == 1
        with pytest.raises(Corrupt):
            store.outbox.letter(due.id)

    def test_old_finished_notices_are_pruned(self, run: Run, store: Store) -> None:
        """Sent or given up before the moment; not waiting ones."""
        for _ in range(4):
            store.outbox.queue(TURN, NOW)
        sent, failed, late, _waits = (due.id for due in store.outbox.claim(NOW, 60, 9))
        _sent(sent, "<1@x>", store)
        store.outbox.mark_undeliverable(failed, "no such user", NOW)
        store.outbox.mark_undeliverable(late, "no such user", later(99))
        assert run(lambda unit: prune(unit.connection, later(61))) == 2
        assert run(lambda unit: prune(unit.connection, later(61))) == 0
        assert store.outbox.status_counts() == {"waiting": 1, "undeliverable": 1, "sent": 0}

    def test_old_transfers_are_pruned(self, run: Run, store: Store) -> None:
        """Not an agreed request to be forgotten, however long it takes."""

        def asked(unit: Unit) -> list[int]:
            begin = partial(unit.players.begin_transfer, None, "A@a")
            found = [begin("A@b", "n1", NOW), begin("", "n2", NOW), begin("A@c", "n3", later(60))]
            unit.players.agree_transfer(found[1], new=False)
            return found

        numbers = run(asked)
        assert run(lambda unit: prune(unit.connection, later(5))) == 1
        left = [one for one in numbers if store.players.transfer(one)]
        assert left == numbers[1:]

    def test_a_pruned_letter_is_still_known(self, run: Run, store: Store) -> None:
        """By its hash, forever."""
        store.inbox.note_arrival("old", "<1@a>", NOW)
        store.inbox.note_arrival("new", "<2@a>", later(9))
        assert run(lambda unit: prune(unit.connection, later(5))) == 1
        kept = "SELECT message_id FROM inbox"
        assert run(lambda unit: unit.connection.execute(sa.text(kept)).scalars().all()) == ["<2@a>"]
        for fingerprint in ("old", "new"):
            assert not store.inbox.note_arrival(fingerprint, "<3@a>", later(10))
        assert store.inbox.note_arrival("another", "<3@a>", later(10))

    def test_times_without_a_zone_are_refused(self, store: Store) -> None:
        """They are our bug."""
        with pytest.raises(ValueError, match="time zone"):
            store.outbox.queue(TURN, datetime(2026, 1, 1))  # noqa: DTZ001


@pytest.mark.sqlite("the same tests run on a server")
class TestSqlite(SqlContract):
    """The ordinary store."""


@pytest.fixture(scope="module")
def empty_database(server: str) -> Iterator[Database]:
    """A migrated store on a server, emptied for each test."""
    with closing(open_database(new_database(server))) as database:
        yield database


@pytest.mark.peer("postgresql")
class TestPostgresql(SqlContract):
    """The same code on a PostgreSQL server."""

    @pytest.fixture
    def run(self, empty_database: Database) -> Iterator[Run]:
        tables = ", ".join(table.name for table in METADATA.sorted_tables)
        with empty_database.engine.begin() as connection:
            connection.exec_driver_sql(f"TRUNCATE {tables} RESTART IDENTITY CASCADE")
        with WriterThread(empty_database) as writer:
            yield writer.run_sync

    def test_two_daemons_prune_at_once(self, empty_database: Database, store: Store) -> None:
        """Neither waits for the other."""
        ([store.inbox.note_arrival(f"f{n}", "", NOW) for n in range(PRUNE_BATCH + 9)])
        with empty_database.connect() as mine, empty_database.connect() as other:
            assert prune(mine, later(1)) == PRUNE_BATCH
            assert prune(other, later(1)) == 9
            mine.commit()
            other.commit()
        assert not store.inbox.note_arrival("f7", "", later(2))
