"""A game is its log: whatever is played, the log comes to the state, and nothing comes back."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from godaemon.errors import Corrupt, IllegalMove, NotYourTurn, Refusal, Stale, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import RESUMPTIONS, Game, Phase, Revisions, Seat
from godaemon.games.state import digest_at, game_at_move, replay
from godaemon.rules.points import Color, Point
from godaemon.rules.rulesets import RULESETS, Resumption
from tests.support.examples import examples
from tests.support.logs import B, I, Log, P, W, begun, dead, essence, proposal, same_as_replayed

SEATS = st.sampled_from([B, W, P, I])
AGES = st.sampled_from([0, 0, 0, 1, 1, 2, 3])
"""How old the letter is that a command answers; 0 for somebody who sees the game itself."""
POINTS = st.builds(Point, st.integers(0, 4), st.integers(0, 4))


class RandomGame(RuleBasedStateMachine):
    """Both seats send whatever they like, fresh and stale, beside a naive model of the game.

    The model knows phase, turn, passes and both revisions, and nothing of Go.
    """

    @initialize(
        size=st.tuples(st.integers(1, 5), st.integers(1, 5)),
        rules=st.sampled_from(sorted(RULESETS)),
        color=st.sampled_from(["black", "white", None]),
        komi=st.sampled_from([0.0, 0.5, 7.0]),
    )
    def begin(self, size: tuple[int, int], rules: str, color: str | None, komi: float) -> None:
        """A game that has been accepted."""
        self.log = Log(proposal(size, rules, color=color, komi=komi), lot=Color.WHITE).start()
        self.enough, self.settles = RULESETS[rules].passes, RULESETS[rules].settles
        self.alternate = RULESETS[rules].resumption is Resumption.ALTERNATE
        self.phase, self.turn, self.passes, self.row = Phase.PLAYING, Color.BLACK, 0, 0
        self.resumptions = 0
        self.position, self.marks = 3, 0
        self.agreed: set[Color] = set()
        self.history = {self.log.game.revisions: self.log.game.digest}
        self.counts: dict[Revisions, tuple[str, ...]] = {}
        """The score that the letters of those revisions show."""
        self.past: list[tuple[Game, dict[str, object]]] = []
        """The game after each command, and what it was then."""
        self.boards = {0: essence(self.log.game)["cells"]}

    def send(self, seat: Seat, command: cmd.Action, seen: Revisions | None) -> object:
        """Send a command; gives its events, or the refusal, after which all is as it was."""
        before, length = essence(self.log.game), len(self.log.events)
        try:
            return self.log.do(seat, command, seen=seen)
        except Refusal as refusal:
            assert essence(self.log.game) == before
            assert len(self.log.events) == length
            return type(refusal)

    def seen(self, back: int) -> Revisions | None:
        """The revisions of a letter so many changes ago; None for one who sees the game."""
        letters = list(self.history)
        return letters[-back] if 0 < back <= len(letters) else None

    def stale(self, seen: Revisions | None) -> bool:
        """Whether a letter of those revisions is too old to move, pass, mark or resign."""
        return seen is not None and seen.position != self.position

    def color(self, seat: Seat) -> Color:
        """The colour of a seat by the model."""
        found = self.log.game.color_of(seat)
        assert found is not None
        return found

    @rule(seat=SEATS, point=POINTS, back=AGES)
    def play(self, seat: Seat, point: Point, back: int) -> None:
        """A stone, wherever."""
        color, seen = self.color(seat), self.seen(back)
        legal = self.log.game.position.is_legal(color, point)
        came = self.send(seat, cmd.Play(point), seen)
        expected = self._refused(color, seen) or (None if legal else IllegalMove)
        if expected is not None:
            assert came is expected
            return
        assert came == (ev.Moved(color.word, str(point)),)
        self.position += 1
        self.turn, self.passes, self.row = color.opponent, 0, 0
        self._moved()

    @precondition(lambda self: self.phase is Phase.PLAYING)
    @rule(pick=st.integers(0, 30))
    def play_well(self, pick: int) -> None:
        """A legal move of whose turn it is."""
        position = self.log.game.position
        points = [position.board.point(index) for index in range(position.size.points)]
        if legal := [point for point in points if position.is_legal(self.turn, point)]:
            self.play(Seat.of(self.turn), legal[pick % len(legal)], 0)

    @rule(seat=SEATS, back=AGES)
    def pass_(self, seat: Seat, back: int) -> None:
        """A pass; so many in a row as the ruleset says stop play."""
        color, seen = self.color(seat), self.seen(back)
        came = self.send(seat, cmd.Pass(), seen)
        expected = self._refused(color, seen)
        if expected is not None:
            assert came is expected
            return
        self.position += 1
        self.turn, self.passes, self.row = color.opponent, self.passes + 1, self.row + 1
        if self.passes == self.enough:
            self.phase = Phase.SCORING
        bound = self.phase is Phase.SCORING and self.resumptions == RESUMPTIONS
        if self.row == self.settles or bound:
            self.phase = Phase.FINISHED
            self.position += 1
        self._moved()

    @precondition(lambda self: self.phase is Phase.PLAYING)
    @rule()
    def stop_play(self) -> None:
        """Both pass: else random games would hardly ever be counted."""
        while self.phase is Phase.PLAYING:
            self.pass_(Seat.of(self.turn), 0)

    def _refused(self, color: Color, seen: Revisions | None) -> type[Refusal] | None:
        """Why a move would be refused, whatever it is."""
        if self.stale(seen):
            return Stale
        if self.phase is not Phase.PLAYING:
            return WrongPhase
        return None if color is self.turn else NotYourTurn

    def _moved(self) -> None:
        self.boards[self.log.game.move_number] = essence(self.log.game)["cells"]

    @rule(seat=SEATS, back=AGES, sure=st.integers(0, 9))
    def resign(self, seat: Seat, back: int, sure: int) -> None:
        """Giving up, seldom."""
        color, seen = self.color(seat), self.seen(back)
        if sure:
            return
        came = self.send(seat, cmd.Resign(), seen)
        if self.stale(seen):
            assert came is Stale
        elif self.phase is Phase.FINISHED:
            assert came is WrongPhase
        else:
            self.phase = Phase.FINISHED
            self.position += 2
            assert self.log.game.result == ("W+R" if color is Color.BLACK else "B+R")

    @rule(
        seat=SEATS,
        picks=st.lists(st.integers(0, 30), min_size=1, max_size=2),
        dead=st.booleans(),
        extent=st.sampled_from(list(cmd.Extent)),
        back=AGES,
    )
    def mark(self, seat: Seat, picks: list[int], dead: bool, extent: cmd.Extent, back: int) -> None:
        """Marks count only where they change something."""
        seen = self.seen(back)
        board = self.log.game.position.board
        points = [board.point(pick % board.size.points) for pick in picks]
        before = self.log.game.dead
        came = self.send(seat, cmd.Mark(tuple(points), dead, extent), seen)
        if self.stale(seen):
            assert came is Stale
        elif self.phase is not Phase.SCORING:
            assert came is WrongPhase
        elif self.log.game.dead != before:
            self.marks += 1
            self.agreed.clear()

    @rule(seat=SEATS, back=AGES, sure=st.integers(0, 5))
    def done(self, seat: Seat, back: int, sure: int) -> None:
        """The second done to the same marks ends the game, which is why it is said seldom."""
        color, seen = self.color(seat), self.seen(back)
        if sure and color.opponent in self.agreed:
            return
        came = self.send(seat, cmd.Done(), seen)
        if self.phase is not Phase.SCORING:
            assert came in {Stale, WrongPhase}
        elif seen is not None and seen != (self.position, self.marks):
            assert came is Stale
        else:
            if seen is not None:
                (agreed,) = [one for one in self.log.events if isinstance(one, ev.Agreed)][-1:]
                assert agreed.board == "/".join(self.counts[seen])
            self.agreed.add(color)
            if len(self.agreed) == 2:
                self.phase = Phase.FINISHED
                self.position += 1

    @rule(seat=SEATS, back=AGES)
    def resume(self, seat: Seat, back: int) -> None:
        """Back to playing; the marks are gone, and who moves is the ruleset's business."""
        color, seen = self.color(seat), self.seen(back)
        came = self.send(seat, cmd.Resume(), seen)
        if self.stale(seen):
            assert came is Stale
        elif self.phase is not Phase.SCORING:
            assert came is WrongPhase
        else:
            self.phase, self.passes = Phase.PLAYING, 0
            self.resumptions += 1
            self.position += 1
            self.marks += 1
            self.agreed.clear()
            if not self.alternate:
                self.turn = color.opponent

    @rule(seat=SEATS, back=AGES)
    def say(self, seat: Seat, back: int) -> None:
        """Words are never stale, and change no revision."""
        came = self.send(seat, cmd.Say("hello"), self.seen(back))
        assert came == (ev.Said(self.color(seat).word, "hello"),)

    @precondition(lambda self: hasattr(self, "log"))
    @invariant()
    def as_the_model(self) -> None:
        """Phase, turn and revisions are the model's; both revisions only ever grow."""
        game = self.log.game
        assert (game.phase, game.revisions) == (
            self.phase,
            Revisions(self.position, self.marks),
        )
        assert game.to_move == (self.turn if self.phase is Phase.PLAYING else None)
        newest = list(self.history)[-1]
        assert game.revisions.position >= newest.position
        assert game.revisions.marks >= newest.marks
        assert set(game.agreed) == (
            self.agreed if self.phase is Phase.SCORING else set(game.agreed)
        )

    @precondition(lambda self: hasattr(self, "log"))
    @invariant()
    def as_replayed(self) -> None:
        """The log, written down and read again, comes to the state."""
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
            assert digest_at(1, self.log.events, revisions) == digest
        for number, cells in self.boards.items():
            past = game_at_move(1, self.log.events, number)
            assert (past.move_number, essence(past)["cells"]) == (number, cells)
        assert digest_at(1, self.log.events, Revisions(self.position + 1, self.marks)) is None


RandomGame.TestCase.settings = settings(max_examples=examples(100), stateful_step_count=40)
TestRandomGame = RandomGame.TestCase


class TestReplay:
    """What is no log is `Corrupt`, with the game and the event in its detail."""

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
    def test_damaged(self, log: list[ev.Event]) -> None:
        """Nothing else is raised, whatever the rules make of it."""
        with pytest.raises(Corrupt) as caught:
            replay(7, log)
        assert "game 7" in caught.value.detail


class TestDigest:
    """The hash of the log up to a revision: what tokens answer for."""

    def test_same_moves_of_another_game(self) -> None:
        """Another nonce, another digest."""
        one = begun(moves="D4")
        values = {**{key: getattr(proposal(), key) for key in proposal().__slots__}, "nonce": "x"}
        other = begun(ev.Proposed(**values), moves="D4")
        assert one.game.revisions == other.game.revisions
        assert one.game.digest != other.game.digest

    def test_other_moves_of_the_same_game(self) -> None:
        """After a restored backup numbers repeat; positions do not."""
        assert begun(moves="D4").game.digest != begun(moves="D5").game.digest

    def test_chat_does_not_count(self) -> None:
        """Words make nobody's letter worthless."""
        log = begun(moves="D4")
        before = log.game.digest
        log.do(B, cmd.Say("hello"))
        assert log.game.digest == before
        assert log.game.length == len(log.events)

    def test_never_had(self) -> None:
        """Revisions that the game never had have no digest."""
        log = begun(moves="D4 E5")
        assert digest_at(1, log.events, Revisions(3, 7)) is None
        assert digest_at(1, log.events, Revisions(0, 0)) is None


class TestAtMove:
    """A game as it stood after a move."""

    def test_before_the_first(self) -> None:
        """Move 0 is the empty board, of a game that has started."""
        past = game_at_move(1, begun(moves="D4 E5").events, 0)
        assert (past.move_number, past.phase) == (0, Phase.PLAYING)

    def test_marks_are_not_yet_there(self) -> None:
        """The board after the last pass is not the board as it is being counted."""
        log = begun(moves="D4 E5 D5 pass pass")
        log.do(B, dead("E5", cmd.Extent.CHAIN))
        assert game_at_move(1, log.events, 5).dead == frozenset()
