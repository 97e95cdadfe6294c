"""A game is its log: replaying the log of any game gives its state."""

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from godaemon.errors import Corrupt, Refusal, Stale
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Game, Phase, Revisions, Seat
from godaemon.games.state import game_at, game_at_move, replay
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point
from tests.support.examples import examples
from tests.support.logs import (
    ALICE,
    BOB,
    B,
    I,
    Log,
    P,
    W,
    begun,
    dead,
    essence,
    proposal,
    same_as_replayed,
)

SEATS = st.sampled_from([B, W, P, I])
AGES = st.sampled_from([0, 0, 0, 1, 1, 2, 3])
"""Age of the letter that a command answers; 0 for the current state."""
POINTS = st.builds(Point, st.integers(0, 4), st.integers(0, 4))
COMMANDS = st.one_of(
    *(st.just(one) for one in (cmd.Pass(), cmd.Done(), cmd.Resume(), cmd.Say("hello"))),
    st.builds(cmd.Play, POINTS),
    st.builds(
        cmd.Mark,
        st.lists(POINTS, min_size=1, max_size=2).map(tuple),
        st.booleans(),
        st.sampled_from(list(cmd.Extent)),
    ),
)


class RandomGame(RuleBasedStateMachine):
    """Both seats send random commands, fresh and stale; `AnyGame` checks their outcomes."""

    @initialize(
        size=st.tuples(st.integers(1, 5), st.integers(1, 5)),
        rules=st.sampled_from(sorted(RULESETS)),
        color=st.sampled_from(["black", "white", None]),
    )
    def begin(self, size: tuple[int, int], rules: str, color: str | None) -> None:
        self.log = Log(proposal(size, rules, color=color), lot=Color.WHITE).start()
        self.history = {self.log.game.revisions: self.log.game.digest}
        self.counts: dict[Revisions, tuple[str, ...]] = {}
        """The score that the letters of those revisions show."""
        self.past: list[tuple[Game, dict[str, object]]] = []
        """The game after each command, and what it was then."""
        self.boards = {0: essence(self.log.game)["cells"]}

    @rule(seat=SEATS, command=COMMANDS, back=AGES)
    def send(self, seat: Seat, command: cmd.Action, back: int) -> None:
        """Send a command; after a refusal all is as it was."""
        before, length, letters = self.log.game, len(self.log.events), list(self.history)
        was, seen = essence(before), letters[-back] if 0 < back <= len(letters) else None
        stale = seen is not None and seen.position != before.revisions.position
        events: tuple[ev.Event, ...] = ()
        refused: type[Refusal] | None = None
        try:
            events = self.log.do(seat, command, seen=seen)
        except Refusal as refusal:
            refused = type(refusal)
        if isinstance(command, cmd.Say):
            assert refused is None
            assert self.log.game.revisions == before.revisions
        elif stale:
            assert refused is Stale or (refused and isinstance(command, cmd.Done))
        if refused:
            assert (essence(self.log.game), len(self.log.events)) == (was, length)
        if isinstance(command, cmd.Done) and seen is not None and events:
            (agreed, *_) = events
            assert isinstance(agreed, ev.Agreed)
            assert seen == before.revisions
            assert agreed.board == "/".join(self.counts[seen])
        self.boards[self.log.game.move_number] = essence(self.log.game)["cells"]

    @precondition(lambda self: self.log.game.phase is Phase.PLAYING)
    @rule(pick=st.integers(0, 30))
    def play_well(self, pick: int) -> None:
        """A legal move of the player to move."""
        position, turn = self.log.game.position, self.log.game.to_move
        assert turn is not None
        if legal := list(position.legal_moves(turn)):
            self.send(Seat.of(turn), cmd.Play(legal[pick % len(legal)]), 0)

    @precondition(lambda self: self.log.game.phase is Phase.PLAYING)
    @rule()
    def stop_play(self) -> None:
        """Both pass: else random games would hardly ever be counted."""
        while (turn := self.log.game.to_move) is not None:
            self.send(Seat.of(turn), cmd.Pass(), 0)

    @rule(seat=SEATS, sure=st.integers(0, 9))
    def resign(self, seat: Seat, sure: int) -> None:
        """Giving up, seldom."""
        if not sure:
            self.send(seat, cmd.Resign(), 0)

    @precondition(lambda self: hasattr(self, "log"))
    @invariant()
    def revisions_only_grow(self) -> None:
        """Both of them."""
        newest, now = list(self.history)[-1], self.log.game.revisions
        assert (now.position >= newest.position, now.marks >= newest.marks) == (True, True)

    @precondition(lambda self: hasattr(self, "log"))
    @invariant()
    def as_replayed(self) -> None:
        """The log, encoded and decoded, replays to the state."""
        same_as_replayed(self.log)
        self.past.append((self.log.game, essence(self.log.game)))
        assert self.log.game.length == len(self.log.events)

    @precondition(lambda self: hasattr(self, "log"))
    @invariant()
    def digest(self) -> None:
        """It changes exactly when a revision does, and never comes back."""
        game = self.log.game
        if game.revisions in self.history:
            assert game.digest == self.history[game.revisions]
        else:
            assert game.digest not in self.history.values()
            self.history[game.revisions] = game.digest
        if game.phase is Phase.SCORING:
            assert self.counts.setdefault(game.revisions, game.rows()) == game.rows()

    def teardown(self) -> None:
        """Every digest and every board there was can be found in the log; no game has changed."""
        if not hasattr(self, "log"):
            return
        assert all(essence(game) == was for game, was in self.past)
        for revisions, digest in self.history.items():
            past = game_at(1, self.log.events, revisions)
            assert past is not None
            assert past.digest == digest
        for number, cells in self.boards.items():
            there = game_at_move(1, self.log.events, number)
            assert (there.move_number, essence(there)["cells"]) == (number, cells)
            assert there.phase is not Phase.PROPOSED
        position, marks = self.log.game.revisions
        assert game_at(1, self.log.events, Revisions(position + 1, marks)) is None


RandomGame.TestCase.settings = settings(max_examples=examples(100), stateful_step_count=40)
TestRandomGame = RandomGame.TestCase


class TestReplay:
    """Invalid logs are `Corrupt`, with the game and the event in the detail."""

    @pytest.mark.parametrize(
        "log",
        [
            pytest.param([], id="empty"),
            pytest.param([ev.Passed("black")], id="without a proposal"),
            pytest.param([*begun().events, ev.Moved("black", "Z50")], id="off the board"),
            pytest.param([*begun(moves="D4").events, ev.Moved("white", "D4")], id="on a stone"),
            pytest.param([*begun().events, ev.Moved("red", "D4")], id="no colour"),
            pytest.param([*begun().events, proposal()], id="a second proposal"),
        ],
    )
    def test_damaged_logs_are_corrupt(self, log: list[ev.Event]) -> None:
        """Nothing else is raised."""
        with pytest.raises(Corrupt) as caught:
            replay(7, log)
        assert "game 7" in caught.value.detail


class TestDigest:
    """The hash of the log up to a revision: what tokens answer for."""

    def test_games_of_equal_moves_have_different_digests(self) -> None:
        """By their nonces."""
        one = begun(moves="D4")
        other = begun(replace(proposal(), nonce="x"), moves="D4")
        assert one.game.revisions == other.game.revisions
        assert one.game.digest != other.game.digest

    def test_different_moves_have_different_digests(self) -> None:
        """After a restored backup numbers repeat; positions do not."""
        assert begun(moves="D4").game.digest != begun(moves="D5").game.digest


class TestAtMove:
    """A game as it stood after a move."""

    def test_a_board_before_the_count_has_no_marks(self) -> None:
        """The board after the last pass is not the board being counted."""
        log = begun(moves="D4 E5 D5 pass pass")
        log.do(B, dead("E5", cmd.Extent.CHAIN))
        assert game_at_move(1, log.events, 5).dead == frozenset()


def test_seats_before_the_start_are_sides() -> None:
    """Colours are not drawn yet."""
    game = Log().game
    assert game.color_of(P) is None
    assert game.color_seat(P) is P
    assert game.player(I).address == BOB
    with pytest.raises(LookupError):
        game.player(B)
    assert game.seats_of(ALICE) == (P,)


@pytest.mark.parametrize(("color", "black"), [("black", P), ("white", I)])
def test_seats_after_the_start_are_colours(color: str, black: Seat) -> None:
    """A side is equal to its colour."""
    game = begun(proposal(color=color)).game
    assert game.color_seat(black) is B
    assert game.side(B) is black
    assert game.color_of(black) is Color.BLACK
    assert game.player(black) == game.player(B) == game.black
    assert game.color_seat(W) is W


def test_a_seat_knows_its_addresses() -> None:
    """In any case, with remembered ones; not other people's."""
    log = begun()
    assert log.game.knows(B, ALICE.upper())
    assert not log.game.knows(B, BOB)
    log.event(ev.Recognised("proposer", "a@phone.example"))
    assert log.game.knows(B, "A@phone.example")
    assert log.game.knows(P, "a@phone.example")
    assert not log.game.knows(W, "a@phone.example")
