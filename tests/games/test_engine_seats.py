"""Seats that engines hold: who can be invited, who is written to, and how an engine counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from godaemon.errors import NotAllowed, Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.engine_seats import Entrant, Question, Roster, engine_color, judged, question
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Game, Phase, Player, Seat
from godaemon.games.notices import Kind, kinds
from godaemon.games.proposals import proposed
from godaemon.games.service import Chance, GameService
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Unit
from godaemon.games.views import snapshot
from godaemon.rules.points import Color, Point, Size, parse_point
from tests.support.boards import TRIPLE_KO_CYCLE, TRIPLE_KO_MOVES
from tests.support.limits import Limits
from tests.support.logs import B, Log, P, W, alive, begun, counting, dead, move, proposal
from tests.support.memory_store import MemoryWriter
from tests.support.stores import NOW

ROSTER = Roster((Entrant("gnugo"), Entrant("house", 25, rectangles=True)), games_per_player=2)
ALICE = Caller("letter:<1@x>", "alice@players.example", "Alice")
MOVES = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2 pass pass"
"""7x5: Black holds the left, White the right, and White's stone at B2 is as good as dead."""


def against(moves: str = "", *, color: str = "black") -> Log:
    """Alice's game with GNU Go, from its beginning."""
    return begun(proposal((7, 5), color=color, invited="engine:gnugo"), moves)


def points(words: str) -> frozenset[Point]:
    """Points by their names."""
    return frozenset(map(parse_point, words.split()))


def duty(log: Log) -> Question | None:
    """What the engine is asked."""
    return question(log.game, log.events)


def opinion(log: Log, words: str) -> tuple[cmd.Action, ...]:
    """What the engine does that takes those stones for dead."""
    return judged(log.game, log.events, points(words))


class TestRoster:
    """Whom one can play, and on what."""

    @pytest.mark.parametrize(
        ("name", "size"), [("gnugo", (19, 19)), ("house", (25, 25)), ("house", (9, 13))]
    )
    def test_fine(self, name: str, size: tuple[int, int]) -> None:
        """A board that it knows."""
        ROSTER.check(cmd.Propose(f"engine:{name}", Size(*size)))

    def test_people(self) -> None:
        """They are no business of the roster's."""
        ROSTER.check(cmd.Propose("gnugo@players.example", Size(52, 52)))

    @pytest.mark.parametrize(
        ("name", "size"), [("gnugo", (20, 20)), ("gnugo", (9, 13)), ("house", (26, 26))]
    )
    def test_boards(self, name: str, size: tuple[int, int]) -> None:
        """The refusal says what it knows, and offers it."""
        with pytest.raises(Unreadable, match="does not play on") as refusal:
            ROSTER.check(cmd.Propose(f"engine:{name}", Size(*size)))
        assert refusal.value.hints == (f"new 9x9 vs {name}",)

    def test_unknown(self) -> None:
        """All names, and first the nearest."""
        with pytest.raises(Unknown, match="gnugo, house") as refusal:
            ROSTER.check(cmd.Propose("engine:gnuog", Size(9, 9)))
        assert refusal.value.hints[0] == "new 9x9 vs gnugo"

    def test_none(self) -> None:
        """Where no program plays, a person is asked for."""
        with pytest.raises(Unknown, match="have not played anybody"):
            Roster().check(cmd.Propose("engine:gnugo"))

    def test_a_hint_says_it_as_a_player_would(self) -> None:
        """Without the mark that an engine's address has."""
        wanted = cmd.Propose("engine:gnugo", Size(9, 9), handicap=1)
        with pytest.raises(Unreadable) as refusal:
            proposed(wanted, Player("a@b.example", "A"), "gnugo", "nonce")
        assert refusal.value.hints == ("new 9x9 komi 0.5 vs gnugo",)


class Club:
    """Alice, who asks the games."""

    def __init__(self) -> None:
        self.writer = MemoryWriter()
        self.cache = GameCache()

    def games(self, unit: Unit) -> GameService:
        """All games."""
        chance = Chance(lambda: Color.WHITE, lambda: "nonce")
        return GameService(unit, self.cache, NOW, chance, Limits(), ROSTER)

    def propose(self, opponent: str, *, vouched: bool = True) -> Game:
        """She asks for a game of 9x9."""
        wanted = cmd.Propose(opponent, Size(9, 9))
        return self.writer.run_sync(
            lambda unit: self.games(unit).propose(wanted, ALICE, vouched=vouched).after
        )

    def yes(self, number: int) -> Game:
        """She confirms it."""
        return self.writer.run_sync(
            lambda unit: self.games(unit).act(number, P, (cmd.Yes(),), ALICE).after
        )

    def owed(self) -> list[tuple[str, str]]:
        """Who is to be told what."""
        notices = [one.due.notice for one in self.writer.state.outbox.values()]
        return [(notice.to, notice.kind.value) for notice in notices]


class TestBeginning:
    """The proposer says yes, and the engine accepts at once."""

    def test_confirmed_first(self) -> None:
        """A letter with a forged sender begins nothing."""
        club = Club()
        game = club.propose("engine:gnugo", vouched=False)
        assert game.phase is Phase.PROPOSED
        game = club.yes(game.id)
        assert game.phase is Phase.PLAYING
        assert (game.white, game.black) == (
            Player("alice@players.example", "Alice"),
            Player("engine:gnugo", "gnugo"),
        )
        assert club.owed() == [(ALICE.address, "confirm"), (ALICE.address, "started")]

    def test_vouched(self) -> None:
        """A good token is as good as a yes; and the row for lists names the engine."""
        club = Club()
        assert club.propose("engine:gnugo").phase is Phase.PLAYING
        assert club.owed() == [(ALICE.address, "started")]
        (row,) = club.writer.run_sync(lambda unit: unit.games.summaries("engine:gnugo"))
        assert (row.black, row.black_name) == ("engine:gnugo", "gnugo")

    def test_shown_by_name(self) -> None:
        """`show` gives the bare name of the engine."""
        seen = snapshot(against().game)
        assert (seen["white"], seen["invited"]) == ("gnugo", "gnugo")

    def test_so_many_at_a_time(self) -> None:
        """Games that are over do not count; the refusal says what helps."""
        club = Club()
        first = club.propose("engine:gnugo")
        club.propose("engine:house")
        with pytest.raises(NotAllowed, match="2 games against programs"):
            club.propose("engine:gnugo")
        seat = first.seat(P)
        club.writer.run_sync(
            lambda unit: club.games(unit).act(first.id, seat, (cmd.Resign(),), ALICE)
        )
        club.propose("engine:gnugo")

    def test_unknown(self) -> None:
        """Nothing is written down."""
        club = Club()
        with pytest.raises(Unknown):
            club.propose("engine:bob")
        assert club.owed() == []


class TestLetters:
    """No letter is ever owed to an engine."""

    @pytest.mark.parametrize(
        ("moves", "seat", "command", "told"),
        [
            ("", B, move("D4"), {B: Kind.MOVED}),
            ("D4", W, move("E4"), {B: Kind.YOUR_TURN}),
            ("pass", W, cmd.Pass(), {B: Kind.SCORING_STARTED}),
            ("D4", B, cmd.Resign(), {B: Kind.FINISHED}),
            ("D4", W, cmd.Resign(), {B: Kind.FINISHED}),
            ("D4", B, cmd.Say("Hello?"), {}),
            ("D4", W, cmd.Say("Hello."), {B: Kind.CHAT}),
            (MOVES, W, dead("B2"), {B: Kind.MARKS_CHANGED}),
            (MOVES, B, cmd.Done(), {}),
            (MOVES, W, cmd.Resume(), {B: Kind.YOUR_TURN}),
        ],
    )
    def test_told(
        self, moves: str, seat: Seat, command: cmd.Action, told: dict[Seat, Kind]
    ) -> None:
        """Row by row."""
        log = against(moves)
        events = log.do(seat, command)
        assert kinds(log.game, events, seat, (command,)) == told


class TestQuestions:
    """What an engine is asked, and when it is none of its business."""

    def test_turns(self) -> None:
        """Its own, in either colour; before the start and after the end nothing."""
        assert duty(Log(proposal((7, 5), invited="engine:gnugo"))) is None
        assert duty(against()) is None
        assert duty(against("D4")) is Question.MOVE
        assert duty(against(color="white")) is Question.MOVE
        log = against("D4")
        log.do(B, cmd.Resign())
        assert duty(log) is None

    def test_people(self) -> None:
        """Nobody is asked in a game of two people."""
        log = begun(moves="D4")
        assert (engine_color(log.game), duty(log)) == (None, None)

    def test_no_result(self) -> None:
        """Where a position has come about a third time, it agrees to end; it never asks for it."""
        log = begun(proposal((4, 9), invited="engine:gnugo"), TRIPLE_KO_MOVES)
        log.play(f"{TRIPLE_KO_CYCLE} {TRIPLE_KO_CYCLE}")
        assert duty(log) is None
        log.do(B, cmd.Void())
        assert duty(log) is Question.VOID
        log.do(W, cmd.Void())
        assert log.game.result == "Void"

    def test_counting(self) -> None:
        """Not before the other says done; and again after marks."""
        log = against(MOVES)
        assert duty(log) is None
        log.do(B, cmd.Done())
        assert duty(log) is Question.DEAD
        log.do(B, dead("B2"))
        assert duty(log) is None

    def test_cleanup(self) -> None:
        """After it has resumed play, its moves are to settle what is dead."""
        log = against(MOVES)
        log.do(W, cmd.Resume())
        assert duty(log) is None, "by Japanese rules its opponent moves first"
        log.play("pass")
        assert duty(log) is Question.CLEANUP


class TestJudgement:
    """How an engine counts."""

    def test_it_waits(self) -> None:
        """It marks nothing by itself, and agrees when the other does."""
        log = against(MOVES)
        assert opinion(log, "") == opinion(log, "B2") == ()
        log.do(B, cmd.Done())
        assert opinion(log, "") == (cmd.Done(),)

    def test_a_mark_that_is_missing(self) -> None:
        """One stone of each chain, though it names half a chain or an empty point."""
        log = against(MOVES)
        log.do(B, cmd.Done())
        (mark,) = opinion(log, "B2 G5")
        assert mark == dead("B2", cmd.Extent.CHAIN)
        log.do(W, mark)
        assert log.game.dead == points("B2")

    def test_agreement(self) -> None:
        """Done on its own opinion ends the game."""
        log = against(MOVES)
        log.do(B, dead("B2"), cmd.Done())
        log.do(W, *opinion(log, "B2"))
        assert (log.game.phase, log.game.result) == (Phase.FINISHED, "W+6.5")

    def test_a_hasty_done(self) -> None:
        """Done before the engine has marked: it marks, and the other is asked once more."""
        log = against(MOVES)
        log.do(B, cmd.Done())
        log.do(W, *opinion(log, "B2"))
        assert log.game.agreed == {}
        assert log.game.dead == points("B2")

    def test_the_other_has_marked_the_same(self) -> None:
        """Then there is nothing left to mark."""
        log = against(MOVES)
        log.do(B, dead("B2", cmd.Extent.CHAIN), cmd.Done())
        assert opinion(log, "B2") == (cmd.Done(),)

    def test_once_it_resumes_and_then_gives_way(self) -> None:
        """It says which stones it sees otherwise; the second time it goes by the other's marks."""
        log = against(MOVES)
        log.do(B, cmd.Done())
        log.do(W, *opinion(log, "B2"))
        log.do(B, alive("B2"), cmd.Done())
        said, resumed = opinion(log, "B2")
        assert isinstance(said, cmd.Say)
        assert "I think the stones at B2 are dead." in said.text
        assert resumed == cmd.Resume()
        log.do(W, said, resumed)
        log.play("pass pass")
        log.do(B, cmd.Done())
        log.do(W, *opinion(log, "B2"))
        log.do(B, alive("B2"), cmd.Done())
        assert opinion(log, "B2") == (cmd.Done(),)
        log.do(W, *opinion(log, "B2"))
        assert log.game.phase is Phase.FINISHED

    def test_both_ways(self) -> None:
        """What it takes for alive is said too, and many chains are not all named."""
        log = against(MOVES)
        log.do(B, cmd.Done())
        log.do(W, *opinion(log, "B2"))
        log.do(B, alive("B2"), dead("E3", cmd.Extent.CHAIN), cmd.Done())
        said, _ = opinion(log, "B2")
        assert isinstance(said, cmd.Say)
        assert "the stones at B2 are dead and those at E1 are alive" in said.text

    def test_stones_that_nobody_can_take(self) -> None:
        """They are left out of its opinion, since marking them would be refused."""
        log = counting(
            """
            . X . . . O .
            X X . @ . O O
            . X @ . . O .
            X X . . @ O O
            """
        )
        spec = replace(log.game.spec, invited=Player("engine:gnugo", "gnugo"))
        game = replace(log.game, spec=spec, agreed={Color.BLACK: ""})
        (mark,) = judged(game, [], points("B4 C2"))
        assert mark == dead("C2", cmd.Extent.CHAIN)

    def test_not_its_business(self) -> None:
        """Nothing while stones are played, nor between people."""
        assert opinion(against("D4"), "D4") == ()
        assert opinion(begun(moves="pass pass"), "") == ()
